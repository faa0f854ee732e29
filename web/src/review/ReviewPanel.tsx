// The review of a game: chart, list with classes, both sides, turning points, mistakes to retry.

import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Review } from '../api/client';
import { Moves } from '../panels/Moves';
import { sideTitle } from '../panels/Controls';
import { dispatch, lineText, moveText, personSide, state } from '../store/session';
import { percent, words } from '../words';
import { Chart } from './Chart';
import { load, placeOf, show, type FileGame, type PasteTrouble } from './paste';
import { exported, judge, leaveRetry, retrying, retryMistake, review, reviewing } from './session';

/** The text of the move that is played at a ply. */
function playedText(ply: number): string {
  const played = state.value.record.plies[ply];
  return played ? moveText(played) : '';
}

export function ReviewPanel() {
  const { record } = state.value;
  const text = words();
  const found = reviewing.value?.review ?? null;
  const showPly = (ply: number) => dispatch({ type: 'show', ply });
  const retry = retrying.value;
  useEffect(() => {
    if (retry?.verdict === 'open' && !retry.trouble && record.plies.length > retry.ply) void judge(retry, record);
  }, [record.plies.length, retry]);
  if (retry) return <RetryPanel />;
  const classes: (string | null)[] = record.plies.map(() => null);
  const points: (number | null)[] = record.plies.map(() => null);
  for (const move of found?.moves ?? []) [classes[move.ply], points[move.ply]] = [move.class ?? null, move.points ?? null];
  return (
    <section class="review" aria-label={text.review} onDrop={(event) => void dropped(event)} onDragOver={(event) => event.preventDefault()}>
      <p class="controls">
        <button class="primary" disabled={record.plies.length === 0 || (reviewing.value !== null && !found && !reviewing.value.trouble)} onClick={() => void review()}>{text.reviewGame}</button>
        <ShareButtons />
      </p>
      {record.plies.length === 0 && <p class="quiet">{text.noMoves}</p>}
      {reviewing.value?.trouble && <p class="trouble" role="alert">{reviewing.value.trouble}</p>}
      {reviewing.value && !found && !reviewing.value.trouble && (
        <p role="status">{text.reviewing(reviewing.value.done, reviewing.value.of)} <progress max={reviewing.value.of} value={reviewing.value.done} /></p>
      )}
      {found && <Chart review={found} shown={record.shown} onShow={showPly} />}
      {found && <Summary review={found} />}
      <Moves classes={classes} points={points} />
      {found && <TurningPoints review={found} onShow={showPly} />}
      {found && <Mistakes review={found} />}
      <Paste />
    </section>
  );
}

const figure = (value: number | null | undefined, digits = 1) => (value === null || value === undefined ? '–' : value.toFixed(digits));

function Summary({ review: found }: { review: Review }) {
  const text = words();
  const { skill, luck } = found.shares ?? {};
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr><th /><th>{text.accuracy}</th><th>{text.meanPoints}</th><th>{text.classes.correct}</th><th>{text.classes.slack}</th><th>{text.classes.mistake}</th></tr>
        </thead>
        <tbody>
          {found.sides.map((side) => (
            <tr key={side.side}>
              <th>{sideTitle(side.side)}</th><td>{figure(side.accuracy)}</td><td>{figure(side.points)}</td><td>{side.classes.correct}</td><td>{side.classes.slack}</td><td>{side.classes.mistake}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">
        {text.excitement} {figure(found.excitement)} · {text.drama} {figure(found.drama?.mean_change, 3)}
        {found.chance.length > 0 && ` · ${text.luckFigures(figure(luck, 3), figure(skill, 3))}`}
      </p>
      <Chance review={found} />
    </div>
  );
}

/** What dice and cards brought, and what that was worth to the first side. */
function Chance({ review: found }: { review: Review }) {
  const text = words();
  if (found.chance.length === 0) return null;
  return (
    <details>
      <summary>{text.chanceEvents}</summary>
      <ol class="turning-points">
        {found.chance.map(({ ply, outcome, luck }) => <li key={ply}><button onClick={() => dispatch({ type: 'show', ply: ply + 1 })}>{ply + 1}</button> {text.came(outcome, figure(luck, 3))}</li>)}
      </ol>
    </details>
  );
}

function TurningPoints({ review: found, onShow }: { review: Review; onShow(ply: number): void }) {
  const text = words();
  // The three where most was given away.
  const points = [...(found.turning_points ?? [])].map((index) => found.moves[index]).filter((move) => move !== undefined).sort((a, b) => (b.loss ?? 0) - (a.loss ?? 0)).slice(0, 3);
  if (points.length === 0) return null;
  return (
    <>
      <h3>{text.turningPoints}</h3>
      <ol class="turning-points">
        {points.map((move) => (
          <li key={move.ply}>
            <button onClick={() => onShow(move.ply + 1)}>{move.ply + 1} {playedText(move.ply)}</button> {move.class && text.classes[move.class]}
            {move.best && move.best.move !== move.move && <span> {text.better(lineText(move.best.principal_variation, move.best.notations).slice(0, 6).join(' '))}{move.best.win_probability != null && ` (${percent(move.best.win_probability)})`}</span>}
            {move.refutation.length > 0 && <span> {text.answeredBy(lineText([move.move, ...move.refutation], move.notations).slice(1, 7).join(' '))}</span>}
          </li>
        ))}
      </ol>
    </>
  );
}

function Mistakes({ review: found }: { review: Review }) {
  const text = words();
  const person = personSide();
  const mistakes = found.moves.filter((move) => move.class === 'mistake' && (person === null || move.side === person)).map(({ ply }) => ply);
  if (mistakes.length === 0) return <p class="quiet">{text.noMistakes}</p>;
  return (
    <>
      <h3>{text.retryMistakes}</h3>
      <p class="controls">
        {mistakes.map((ply) => <button key={ply} onClick={() => retryMistake(state.value.record, ply, mistakes)}>{ply + 1} {playedText(ply)}</button>)}
      </p>
    </>
  );
}

function RetryPanel() {
  const text = words();
  const { record, ply, mistakes, verdict, trouble } = retrying.value!;
  const again = () => retryMistake(record, ply, mistakes);
  const next = mistakes.find((other) => other > ply);
  return (
    <section class="review" aria-label={text.retryMistakes}>
      <h2>{text.findBetter(sideTitle(record.plies[ply]!.mover))}</h2>
      {trouble && <p class="trouble" role="alert">{trouble}</p>}
      <p role="status" class={verdict === 'right' ? 'right' : 'wrong'}>{verdict === 'right' ? `${text.rightMove}${next === undefined && mistakes.length > 1 ? ` ${text.allSolved}` : ''}` : verdict === 'wrong' ? text.wrongMove : ''}</p>
      <p class="controls">
        {(verdict === 'wrong' || trouble) && <button onClick={again}>{text.retry}</button>}
        {verdict === 'right' && next !== undefined && <button class="primary" onClick={() => retryMistake(record, next, mistakes)}>{text.nextMistake}</button>}
        <button onClick={leaveRetry}>{text.leaveRetry}</button>
      </p>
    </section>
  );
}

function ShareButtons() {
  const copied = useSignal(false);
  const link = useSignal('');
  const text = words();
  const share = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      copied.value = true;
    } catch {
      // Only pages that came over HTTPS, or from this machine, may write to the clipboard.
      link.value = location.href;
    }
  };
  // Another position has another address.
  useEffect(() => void ([copied.value, link.value] = [false, '']), [state.value.record]);
  const save = () => {
    const { text: content, extension } = exported(state.value.record, reviewing.value?.review ?? null);
    const anchor = document.createElement('a');
    anchor.href = URL.createObjectURL(new Blob([content], { type: 'text/plain' }));
    anchor.download = `${state.value.record.game}.${extension}`;
    anchor.click();
    URL.revokeObjectURL(anchor.href);
  };
  return (
    <>
      <button onClick={() => void share()}>{copied.value ? text.copied : text.shareGame}</button>
      <button onClick={save}>{text.exportGame}</button>
      {link.value && <input readOnly aria-label={text.shareGame} value={link.value} onFocus={(event) => event.currentTarget.select()} />}
    </>
  );
}

/** Reads a file that is dropped anywhere on the panel. */
async function dropped(event: DragEvent) {
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  event.preventDefault();
  pasted.value = await file.text();
  isOpen.value = true;
  await readPasted();
}

const pasted = signal('');
const isOpen = signal(false);
const trouble = signal<PasteTrouble | null>(null);
/** Whether the trouble is new: what cannot be read is selected once. */
let isNew = false;
/** The game of the file that is shown. */
const fileGame = signal(0);
/** The games of a file that has several; the first is shown. */
const fileGames = signal<readonly FileGame[]>([]);

async function readPasted() {
  const read = await load(pasted.value, state.value.record.game);
  trouble.value = 'detail' in read ? read : null;
  [isNew, fileGame.value] = [true, 0];
  fileGames.value = 'games' in read && read.games.length > 1 ? read.games : [];
}

function Paste() {
  const area = useRef<HTMLTextAreaElement>(null);
  const text = words();
  const choose = (index: number) => {
    fileGame.value = index;
    show(fileGames.value[index]!);
  };
  // What cannot be read is selected, so that it is seen.
  useEffect(() => {
    const place = isNew && trouble.value && placeOf(pasted.value, trouble.value);
    isNew = false;
    if (!place || !area.current) return;
    area.current.focus();
    area.current.setSelectionRange(...place);
  }, [trouble.value]);
  return (
    <details open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{text.pasteGame}</summary>
      <textarea ref={area} aria-label={text.pasteGame} placeholder={text.pasteHelp} value={pasted.value} onInput={(event) => (pasted.value = event.currentTarget.value)} />
      {trouble.value && <p class="trouble" role="alert">{trouble.value.detail}</p>}
      {fileGames.value.length > 0 && (
        <label>{text.whichGame} <select value={String(fileGame.value)} onChange={(event) => choose(Number(event.currentTarget.value))}>{fileGames.value.map((_, index) => <option key={index} value={String(index)}>{index + 1}</option>)}</select></label>
      )}
      <button disabled={pasted.value.trim() === ''} onClick={() => void readPasted()}>{text.readFile}</button>
    </details>
  );
}
