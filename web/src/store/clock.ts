// The clock of a game, if one is wanted: time for each side, counted while it is to move.

import { signal } from '@preact/signals';
import { atEnd, dispatch, game, mover, shown, state } from './session';

/** Time for each side in ms; null for a game without a clock. */
export const clock = signal<{ left: [number, number] } | null>(null);
/** Length of a tick in ms. */
const TICK = 100;

/** Gives both sides so many minutes; 0 for no clock. */
export function setClock(minutes: number) {
  const ms = minutes * 60_000;
  clock.value = minutes > 0 ? { left: [ms, ms] } : null;
}

/** The side whose time runs: that to move at the end of the game, whatever position is shown. */
let running = -1;

function tick(since: number) {
  if (atEnd.value && shown.value) running = game.value?.sides.indexOf(mover.value ?? '') ?? -1;
  const side = running;
  const runs = clock.value && side >= 0 && !(atEnd.value && shown.value?.outcome) && state.value.ended === null;
  if (!runs || state.value.mode !== 'play' || state.value.record.plies.length === 0) return;
  const left: [number, number] = [...clock.value!.left];
  left[side] = Math.max(0, left[side]! - since);
  clock.value = { left };
  if (left[side] > 0) return;
  dispatch({ type: 'end', ending: { side, how: 'time' } });
  // A move taken back after that has all the time it wants.
  setClock(0);
}

let last = performance.now();
setInterval(() => {
  const now = performance.now();
  tick(now - last);
  last = now;
}, TICK);

/** A time as minutes and seconds. */
export function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
