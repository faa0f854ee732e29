// The dialog for a new game: pictures of the games, options, sides, opponent.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { GameInfo } from '../api/client';
import { boardOf } from '../board/geometry';
import { Grid } from '../board/Grid';
import { middle } from '../board/Board';
import { Piece } from '../board/Piece';
import { algorithms, dispatch, game, games, state } from '../store/session';
import { setClock } from '../store/clock';
import type { Json, Seat } from '../store/state';
import { words } from '../words';

type Pairing = 'first' | 'second' | 'both' | 'neither';

export function NewGame({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const chosen = useSignal<GameInfo | null>(game.value);
  const options = useSignal<{ [name: string]: Json }>(dealt(game.value));
  const pairing = useSignal<Pairing>('first');
  const opponent = useSignal<Seat>(state.value.seats.find(({ kind }) => kind !== 'person') ?? { kind: 'level', level: 3 });
  const minutes = useSignal(0);
  useEffect(() => dialog.current?.showModal(), []);
  const text = words();
  const begin = () => {
    const person: Seat = { kind: 'person' };
    const seats = { first: [person, opponent.value], second: [opponent.value, person], both: [person, person], neither: [opponent.value, opponent.value] } as const;
    if (chosen.value) dispatch({ type: 'new', game: chosen.value.name, options: options.value, state: 'startpos', seats: seats[pairing.value] });
    setClock(minutes.value);
    // Closed, not only taken away: the focus goes back to where it came from.
    dialog.current!.close();
  };
  const pick = (info: GameInfo) => {
    chosen.value = info;
    options.value = dealt(info);
    const { value: seat } = opponent;
    if (seat.kind === 'search' && !info.algorithms.some((name) => name === seat.algorithm)) opponent.value = { ...seat, algorithm: info.default_algorithm };
  };
  return (
    <dialog ref={dialog} class="new-game" aria-label={text.newGame} onClose={onClose}>
      <div class="game-cards" role="radiogroup" aria-label={text.game}>
        {games.value.map((info) => (
          <label key={info.name} class="game-card">
            <input type="radio" name="game" checked={chosen.value?.name === info.name} onChange={() => pick(info)} />
            <Picture info={info} />
            <span>{info.title}</span>
          </label>
        ))}
      </div>
      {chosen.value && <Sides info={chosen.value} value={pairing.value} onChange={(next) => (pairing.value = next)} />}
      {pairing.value !== 'both' && chosen.value && <Opponent info={chosen.value} seat={opponent.value} onChange={(next) => (opponent.value = next)} />}
      <label class="option">{text.clock}
        <select value={String(minutes.value)} onChange={(event) => (minutes.value = Number(event.currentTarget.value))}>
          <option value="0">{text.noClock}</option>
          {[1, 3, 5, 10, 30].map((count) => <option key={count} value={String(count)}>{text.minutes(count)}</option>)}
        </select>
      </label>
      {chosen.value && (chosen.value.options ?? []).length > 0 && <Options info={chosen.value} values={options.value} onChange={(next) => (options.value = next)} />}
      <p class="dialog-buttons">
        <button onClick={() => dialog.current!.close()}>{text.close}</button>
        <button class="primary" onClick={begin}>{text.start}</button>
      </p>
    </dialog>
  );
}

/** Options of a new game: cards are dealt anew for every game. */
function dealt(info: GameInfo | null): { [name: string]: Json } {
  const seeds = (info?.options ?? []).filter(({ name }) => name === 'deal_seed');
  return Object.fromEntries(seeds.map(({ name }) => [name, Math.floor(Math.random() * 1e9)]));
}

/** A small picture of the start position. */
function Picture({ info }: { info: GameInfo }) {
  const rows = pictureRows(info);
  if (!info.board || !rows) return <Emblem info={info} />;
  const board = boardOf(info.board, rows);
  const at = (place: { column: number; row: number }) => middle(board, place, false);
  return (
    <svg class="picture" viewBox={`16 16 ${rows[0]!.length * 40 + 16} ${rows.length * 40 + 16}`} aria-hidden="true">
      <Grid board={board} at={at} flipped={false} />
      {rows.flatMap((line, row) => [...line].map((mark, column) => board.pieces.has(mark) && <Piece key={`${row} ${column}`} piece={board.pieces.get(mark)!} {...at({ column, row })} />))}
    </svg>
  );
}

/** A game without a board in a picture: heaps, a tree, or cards with a die. */
function Emblem({ info: { start } }: { info: GameInfo }) {
  const json = (start?.json ?? {}) as { heaps?: number[]; children?: unknown };
  return (
    <svg class="picture emblem" viewBox="0 0 100 100" aria-hidden="true">
      {json.heaps ? json.heaps.flatMap((size, heap) => Array.from({ length: size }, (_, stone) => <rect key={`${heap} ${stone}`} class="full" x={8 + (84 / json.heaps!.length) * heap + 2} y={84 - stone * 13} width={84 / json.heaps!.length - 4} height={10} rx={5} />))
        : json.children ? <path d="M50 18L22 52M50 18L78 52M22 52L10 84M22 52L34 84M78 52L66 84M78 52L90 84M44 12h12v12H44zM16 46h12v12H16zM72 46h12v12H72zM4 80h12v8H4zM28 80h12v8H28zM60 80h12v8H60zM84 80h12v8H84z" />
        : <path d="M14 20h34v52H14zM40 28h34v52H40zM66 58h28v28H66zM74 66h1M85 66h1M74 77h1M85 77h1M79.5 72h1" />}
    </svg>
  );
}

/** The rows of the start position: of its JSON form where that has them, else an empty board. */
function pictureRows({ board, start }: GameInfo): string[] | null {
  const rows = (start?.json as { board?: unknown } | null)?.board;
  if (Array.isArray(rows) && rows.every((row) => typeof row === 'string')) return rows;
  return board ? board.rows.map(() => '.'.repeat(board.columns.length)) : null;
}

function Sides({ info, value, onChange }: { info: GameInfo; value: Pairing; onChange(next: Pairing): void }) {
  const text = words();
  const choices: [Pairing, string][] = [['first', info.side_titles[0]!], ['second', info.side_titles[1]!], ['both', text.both], ['neither', text.neither]];
  return (
    <fieldset>
      <legend>{text.yourSide}</legend>
      {choices.map(([name, title]) => (
        <label key={name}><input type="radio" name="pairing" checked={value === name} onChange={() => onChange(name)} /> {title}</label>
      ))}
    </fieldset>
  );
}

function Opponent({ info, seat, onChange }: { info: GameInfo; seat: Seat; onChange(next: Seat): void }) {
  const text = words();
  const level = seat.kind === 'level' ? seat.level : 3;
  const elo = info.levels?.find((listed) => listed.level === level)?.elo;
  const search = seat.kind === 'search' ? seat : { kind: 'search' as const, algorithm: info.default_algorithm, time_ms: 1000 };
  const offered = algorithms.value.filter(({ name }) => info.algorithms.includes(name));
  return (
    <fieldset>
      <legend>{text.opponent}</legend>
      <label>
        <input type="radio" name="opponent" checked={seat.kind === 'level'} onChange={() => onChange({ kind: 'level', level })} /> {text.levelOf(level)}: {text.levelWord[level]}
        {elo !== null && elo !== undefined && <small> {text.elo(elo)}</small>}
      </label>
      <input type="range" min={1} max={10} value={level} aria-label={text.level} onInput={(event) => onChange({ kind: 'level', level: Number(event.currentTarget.value) })} />
      <label>
        <input type="radio" name="opponent" checked={seat.kind === 'search'} onChange={() => onChange(search)} /> {text.algorithm}
      </label>
      {seat.kind === 'search' && (
        <span class="pair">
          <select aria-label={text.algorithm} value={search.algorithm} onChange={(event) => onChange({ ...search, algorithm: event.currentTarget.value })}>
            {offered.map(({ name }) => <option key={name}>{name}</option>)}
          </select>
          <select aria-label={text.time} value={String(search.time_ms)} onChange={(event) => onChange({ ...search, time_ms: Number(event.currentTarget.value) })}>
            {[100, 300, 1000, 3000, 10000].map((ms) => <option key={ms} value={String(ms)}>{ms / 1000} s</option>)}
          </select>
        </span>
      )}
    </fieldset>
  );
}

function Options({ info, values, onChange }: { info: GameInfo; values: { [name: string]: Json }; onChange(next: { [name: string]: Json }): void }) {
  const set = (name: string, value: Json | undefined) => {
    const { [name]: _, ...others } = values;
    onChange(value === undefined ? others : { ...others, [name]: value });
  };
  return (
    <details>
      <summary>{words().options}</summary>
      {info.options!.map(({ name, type, values: allowed, default: preset, about, minimum, maximum }) => (
        <label key={name} class="option">
          <span>{name.replaceAll('_', ' ')} <small>{about}</small></span>
          {type === 'boolean' && <input type="checkbox" checked={Boolean(values[name] ?? preset)} onChange={(event) => set(name, event.currentTarget.checked)} />}
          {type === 'string' && allowed && (
            <select value={String(values[name] ?? preset)} onChange={(event) => set(name, event.currentTarget.value)}>
              {allowed.map((value) => <option key={value}>{value}</option>)}
            </select>
          )}
          {(type === 'integer' || type === 'number') && (
            <input type="number" value={String(values[name] ?? preset ?? '')} {...(minimum == null ? {} : { min: minimum })} {...(maximum == null ? {} : { max: maximum })} onChange={(event) => set(name, event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value))} />
          )}
        </label>
      ))}
    </details>
  );
}
