// The row of controls under the board, and what stands above it: who moves, how it ended, what is wrong.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Failure } from '../api/client';
import { atEnd, dispatch, ended, failure, game, hinted, hintStep, insight, legal, mayMove, mover, moveNow, personSide, play, retry, search, seat, shown, state } from '../store/session';
import { clock, clockText } from '../store/clock';
import { failureText, percent, words } from '../words';

/** The title of a side. */
export function sideTitle(side: string | null | undefined): string {
  const index = game.value?.sides.indexOf(side ?? '') ?? -1;
  return index < 0 ? words().chance : game.value!.side_titles[index]!;
}

/** The verdict of a finished game in words; null while it goes on. */
export function verdict(): string | null {
  if (ended.value) {
    const title = game.value?.side_titles[ended.value.side] ?? '';
    return ended.value.how === 'time' ? words().timeUp(title) : words().resigned(title);
  }
  const outcome = shown.value?.outcome;
  if (!outcome) return null;
  const reason = words().reasons[outcome.reason] ?? outcome.reason.replaceAll('_', ' ');
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
  const waits = 'wait' in trouble && trouble.wait > 0;
  return (
    <div class="trouble" role="alert">
      {waits ? <Countdown failure={trouble} /> : failureText(trouble)}
      {!waits && <button onClick={retry}>{words().retry}</button>}
    </div>
  );
}

function Countdown({ failure }: { failure: Extract<Failure, { wait: number }> }) {
  const left = useSignal(failure.wait);
  useEffect(() => {
    left.value = failure.wait;
    const timer = setInterval(() => (left.value = Math.max(1, left.value - 1)), 1000);
    return () => clearInterval(timer);
  }, [failure]);
  // Said once: a screen reader would say every second.
  return <><span class="heard">{failureText(failure)}</span><span aria-hidden="true">{failureText({ ...failure, wait: left.value })}</span></>;
}

/** Whether a person may ask for a hint: where one may move. */
const mayHint = () => shown.value !== null && !verdict() && mayMove.value;

/** A hint in steps: the piece, its target, the line. The first is shown as soon as there is an answer. */
export function hint() {
  if (!mayHint()) return;
  const isUnderWay = insight.value && !insight.value.done;
  hintStep.value = hinted.value ? Math.min(3, hintStep.value + 1) : 1;
  if (!hinted.value && !isUnderWay) void search('hint');
}

/** Whether moves may be taken back: a game that is reviewed stays whole. */
export const mayTakeBack = () => state.value.mode !== 'review' && state.value.record.shown > 0;

/** The row of buttons; on phones it opens the sheet with lines and moves. */
export function Controls({ onNew, onSheet, sheetIsOpen, onKeys, showsKeys }: { onNew(): void; onSheet(): void; sheetIsOpen: boolean; onKeys(): void; showsKeys: boolean }) {
  const text = words();
  const person = personSide();
  const resign = () => dispatch({ type: 'end', ending: { how: 'resigned', side: Math.max(0, game.value?.sides.indexOf(person ?? mover.value ?? '') ?? 0) } });
  return (
    <div class="controls" role="toolbar" aria-label={text.more}>
      <button onClick={() => dispatch({ type: 'take_back', person })} disabled={!mayTakeBack()}>{text.takeBack}</button>
      <button onClick={hint} disabled={!mayHint()}>{text.hint}</button>
      <button onClick={() => dispatch({ type: 'flip' })}>{text.flip}</button>
      <button onClick={resign} disabled={state.value.mode !== 'play' || !atEnd.value || verdict() !== null}>{text.resign}</button>
      <button class="sheet-toggle" aria-expanded={sheetIsOpen} aria-controls="side" onClick={onSheet}>{text.moves}</button>
      <button class="primary" onClick={onNew}>{text.newGame}</button>
      <button class="keys-toggle" aria-pressed={showsKeys} aria-label={text.keyboard} title={text.keyboard} onClick={onKeys}>?</button>
    </div>
  );
}

/** Moves that no place of the board names. */
export function WordMoves() {
  const rated = new Map(insight.value?.answer?.ratings?.map((rating) => [rating.move, rating]) ?? []);
  const { words: moves } = legal.value;
  if (moves.length === 0 || !shown.value || verdict() || !mayMove.value) return null;
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
