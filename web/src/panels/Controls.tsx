// The row of controls under the board, and what stands above it: who moves, how it ended, what is wrong.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Failure } from '../api/client';
import { dispatch, failure, game, hintStep, insight, legal, mover, moveNow, personSide, play, retry, search, seat, shown, state } from '../store/session';
import { clock, clockText, flagged } from '../store/clock';
import { percent, words } from '../words';

/** The title of a side. */
export function sideTitle(side: string | null | undefined): string {
  const index = game.value?.sides.indexOf(side ?? '') ?? -1;
  return index < 0 ? words().chance : game.value!.side_titles[index]!;
}

/** The verdict of a finished game in words; null while it goes on. */
export function verdict(): string | null {
  const { resigned } = state.value;
  if (flagged.value !== null) return words().timeUp(game.value?.side_titles[flagged.value] ?? '');
  if (resigned !== null) return words().resigned(game.value?.side_titles[resigned] ?? '');
  const outcome = shown.value?.outcome;
  if (!outcome) return null;
  const reason = (outcome.reason ?? '').replaceAll('_', ' ');
  return outcome.result === 'draw' ? words().drawn(reason) : words().won(sideTitle(outcome.result), reason);
}

export function Status() {
  const over = verdict();
  const thinks = insight.value && !insight.value.done;
  const text = over ?? (!shown.value ? '' : mover.value === 'chance' ? words().chance : thinks && seat.value?.kind !== 'person' ? words().thinks(sideTitle(mover.value)) : words().toMove(sideTitle(mover.value)));
  const trouble = failure.value ?? insight.value?.failure ?? null;
  return (
    <>
      <p class={`status${over ? ' over' : ''}`} role="status">{text}{over && shown.value?.outcome && <span class="badge">{words().exact}</span>}</p>
      {thinks && insight.value?.purpose === 'reply' && <button class="sheet-toggle" onClick={moveNow}>{words().stop}</button>}
      {clock.value && <p class="clock">{clock.value.left.map((left, side) => <span key={side}>{game.value?.side_titles[side]} {clockText(left)}</span>)}</p>}
      {trouble && <Trouble trouble={trouble} />}
    </>
  );
}

function Trouble({ trouble }: { trouble: Failure }) {
  const text = words();
  return (
    <div class="trouble" role="alert">
      {trouble.kind === 'offline' && text.offline}
      {trouble.kind === 'problem' && trouble.problem.detail}
      {'wait' in trouble && <Countdown failure={trouble} />}
      {!('wait' in trouble) && <button onClick={retry}>{text.retry}</button>}
    </div>
  );
}

function Countdown({ failure: { kind, wait } }: { failure: Extract<Failure, { wait: number }> }) {
  const left = useSignal(wait);
  useEffect(() => {
    const timer = setInterval(() => (left.value = Math.max(0, left.value - 1)), 1000);
    return () => clearInterval(timer);
  }, []);
  return <>{kind === 'busy' ? words().busy(left.value) : words().quota(left.value)}</>;
}

/** A hint in steps: the piece, its target, the line. */
export async function hint() {
  if (!shown.value || shown.value.outcome) return;
  const known = insight.value?.done && insight.value.answer?.best_move;
  if (!known) {
    await search('hint');
    hintStep.value = 1;
  } else hintStep.value = Math.min(3, hintStep.value + 1);
}

/** The row of buttons; on phones it opens the sheet with lines and moves. */
export function Controls({ onNew, onSheet, sheetIsOpen }: { onNew(): void; onSheet(): void; sheetIsOpen: boolean }) {
  const text = words();
  const person = personSide();
  const resign = () => dispatch({ type: 'resign', side: Math.max(0, game.value?.sides.indexOf(person ?? mover.value ?? '') ?? 0) });
  return (
    <div class="controls" role="toolbar" aria-label={text.more}>
      <button onClick={() => dispatch({ type: 'take_back', person })} disabled={state.value.record.shown === 0}>{text.takeBack}</button>
      <button onClick={() => void hint()} disabled={!shown.value || verdict() !== null}>{text.hint}</button>
      <button onClick={() => dispatch({ type: 'flip' })}>{text.flip}</button>
      <button onClick={resign} disabled={state.value.mode !== 'play' || verdict() !== null}>{text.resign}</button>
      <button class="sheet-toggle" aria-expanded={sheetIsOpen} aria-controls="side" onClick={onSheet}>{text.moves}</button>
      <button class="primary" onClick={onNew}>{text.newGame}</button>
    </div>
  );
}

/** Moves that no place of the board names. */
export function WordMoves() {
  const rated = new Map(insight.value?.answer?.ratings?.map((rating) => [rating.move, rating]) ?? []);
  const { words: moves } = legal.value;
  const open = shown.value && !verdict() && (seat.value?.kind === 'person' || state.value.mode !== 'play');
  if (moves.length === 0 || !open) return null;
  return (
    <div class="word-moves" role="group" aria-label={words().moves}>
      {moves.map((move) => {
        const rating = rated.get(move);
        return (
          <button key={move} class={rating?.class ?? ''} onClick={() => play(move)}>
            {move}
            {rating?.win_probability !== undefined && rating.win_probability !== null && <small> {percent(rating.win_probability)}</small>}
          </button>
        );
      })}
    </div>
  );
}
