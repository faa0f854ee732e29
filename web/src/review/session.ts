// The review of the game at hand: asked once, streamed, kept until the game changes.

import { computed, effect, signal } from '@preact/signals';
import { ask, RequestError, stream, type Rate, type Review } from '../api/client';
import { dispatch, practises, reviewed, state } from '../store/session';
import type { GameRecord } from '../store/state';
import { errorText } from '../words';

/** Time a position, in ms. */
const REVIEW_MS = 150;

export interface Reviewing {
  game: string;
  done: number;
  of: number;
  review: Review | null;
  trouble: string;
}

/** The game that a review is of: all its moves, wherever the board stands. */
const gameKey = (record: GameRecord) => JSON.stringify([record.game, record.options, record.state, record.plies.map(({ move }) => move)]);

const current = signal<Reviewing | null>(null);
export const reviewing = computed(() => (current.value?.game === gameKey(state.value.record) ? current.value : null));

let running = new AbortController();

// Nobody waits for the review of a game that has been left or has gone on.
effect(() => {
  const asked = current.value;
  if (!asked || asked.review || asked.game === gameKey(state.value.record)) return;
  running.abort();
  current.value = null;
});

const question = ({ game, options, state: start, plies }: GameRecord) => ({ game, options, state: start, moves: plies.map(({ move }) => move) });

export async function review() {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const { record } = state.value;
  const game = gameKey(record);
  const update = (change: Partial<Reviewing>) => {
    if (!signal.aborted && current.value?.game === game) current.value = { ...current.value, ...change };
  };
  current.value = { game, done: 0, of: record.plies.length, review: null, trouble: '' };
  try {
    // A format that cannot hold the game is answered by JSON.
    const asked = { ...question(record), budget: { time_ms: REVIEW_MS }, file: record.game === 'xiangqi' ? 'pgn' : 'sgf' };
    for await (const step of stream<{ done: number; of: number }, Review>('/v1/review', asked, signal)) {
      if (step.event === 'progress') update({ done: step.data.done, of: step.data.of });
      else update({ review: step.data });
    }
  } catch (error) {
    if (error instanceof RequestError) update({ trouble: errorText(error) });
  }
}

/** A mistake of the reviewed game, set up to be played again. */
export interface Retry {
  /** The reviewed game. */
  record: GameRecord;
  /** Index of the mistake among its plies. */
  ply: number;
  /** All mistakes of the game that are retried. */
  mistakes: readonly number[];
  verdict: 'open' | 'right' | 'wrong';
  /** Why the move could not be judged. */
  trouble: string;
}

const tried = signal<Retry | null>(null);
/** The mistake that is retried, as long as the game shown goes on from the position before it. */
export const retrying = computed(() => {
  const [retry, { record, mode }] = [tried.value, state.value];
  // One move is tried. The whole game has the same beginning: it is another record.
  if (!retry || mode !== 'review' || record.plies.length > retry.ply + 1 || record.shown < retry.ply) return null;
  return gameKey(upTo(record, retry.ply)) === gameKey(upTo(retry.record, retry.ply)) ? retry : null;
});

const upTo = (record: GameRecord, ply: number): GameRecord => ({ ...record, plies: record.plies.slice(0, ply), shown: ply });

// What other parts of the page show of a review.
effect(() => {
  reviewed.value = reviewing.value?.review?.win_probabilities ?? null;
  practises.value = retrying.value !== null;
});

/** Sets the position before a mistake up. */
export function retryMistake(record: GameRecord, ply: number, mistakes: readonly number[]) {
  tried.value = { record, ply, mistakes, verdict: 'open', trouble: '' };
  dispatch({ type: 'load', record: upTo(record, ply), mode: 'review' });
}

/** Judges the move played in place of a mistake: right is what loses nothing. */
export async function judge(retry: Retry, record: GameRecord) {
  const move = record.plies[retry.ply]!.move;
  const isCurrent = () => tried.value === retry && state.value.record.plies[retry.ply]?.move === move;
  try {
    const rate = await ask<Rate>('/v1/rate', { ...question(upTo(record, retry.ply)), move, budget: { time_ms: 400 } });
    if (isCurrent()) tried.value = { ...retry, trouble: '', verdict: rate.class === 'correct' ? 'right' : 'wrong' };
  } catch (error) {
    if (isCurrent()) tried.value = { ...retry, trouble: errorText(error) };
  }
}

export function leaveRetry() {
  const back = tried.value;
  tried.value = null;
  if (back) dispatch({ type: 'load', record: { ...back.record, shown: back.ply + 1 }, mode: 'review' });
}

/** A game to keep. */
export interface ExportedGame {
  text: string;
  extension: 'sgf' | 'pgn' | 'json';
}

/** The game as a file that is read again: with the review as comments once there is one, in the format of its players. */
export function exported(record: GameRecord, found: Review | null): ExportedGame {
  const text = found?.file ?? JSON.stringify(question(record), null, 1);
  return { text, extension: text.startsWith('(') ? 'sgf' : text.startsWith('[') ? 'pgn' : 'json' };
}
