// The review of the game at hand: asked once, streamed, kept until the game changes.

import { computed, signal } from '@preact/signals';
import { ask, RequestError, stream, type Rate, type Review } from '../api/client';
import { dispatch, state } from '../store/session';
import type { GameRecord, Json } from '../store/state';

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
    const asked = { ...question(record), budget: { time_ms: REVIEW_MS } };
    for await (const step of stream<{ done: number; of: number }, Review>('/v1/review', asked, signal)) {
      if (step.event === 'progress') update({ done: step.data.done, of: step.data.of });
      else update({ review: step.data });
    }
  } catch (error) {
    if (error instanceof RequestError) update({ trouble: error.message });
  }
}

/** A mistake of the reviewed game, set up to be played again. */
export interface Retry {
  /** The reviewed game. */
  record: GameRecord;
  /** Index of the mistake among its plies. */
  ply: number;
  verdict: 'open' | 'right' | 'wrong';
}

export const retrying = signal<Retry | null>(null);

/** Sets the position before a mistake up. */
export function retryMistake(record: GameRecord, ply: number) {
  retrying.value = { record, ply, verdict: 'open' };
  dispatch({ type: 'load', record: { ...record, plies: record.plies.slice(0, ply), shown: ply }, mode: 'review' });
}

/** Judges the move played in place of a mistake: right is what loses nothing. */
export async function judge(retry: Retry, record: GameRecord) {
  const { moves, ...asked } = question({ ...record, plies: record.plies.slice(0, retry.ply) });
  const move = record.plies[retry.ply]!.move;
  const rate = await ask<Rate>('/v1/rate', { ...asked, moves, move, budget: { time_ms: 400 } });
  if (retrying.value?.ply !== retry.ply) return;
  retrying.value = { ...retry, verdict: rate.class === 'correct' ? 'right' : 'wrong' };
}

export function leaveRetry() {
  const back = retrying.value;
  retrying.value = null;
  if (back) dispatch({ type: 'load', record: { ...back.record, shown: back.ply + 1 }, mode: 'review' });
}

/** A game as read from a file by the service. */
interface FileGame {
  game: string;
  options: { [name: string]: Json };
  state: Json;
  moves: string[];
  movers: string[];
}

/** Loads a pasted or dropped game. The service knows the formats. */
export async function load(text: string, game: string): Promise<string> {
  try {
    const read = async (named?: string) => (await ask<{ games: FileGame[] }>('/v1/game-files', { text, ...(named ? { game: named } : {}) })).games[0]!;
    const found = await read().catch((error: unknown) => {
      if (error instanceof RequestError && error.failure.kind === 'problem') return read(game);
      throw error;
    });
    const plies = found.moves.map((move, index) => ({ move, mover: found.movers[index] ?? '' }));
    dispatch({ type: 'load', record: { game: found.game, options: found.options, state: found.state ?? 'startpos', plies, shown: plies.length }, mode: 'review' });
    return '';
  } catch (error) {
    return error instanceof RequestError ? error.message : String(error);
  }
}

/** The game with its review, as a file to keep: the body of a review, which is read again. */
export function exported(record: GameRecord, found: Review | null): string {
  return JSON.stringify({ ...question(record), ...(found ? { review: found } : {}) }, null, 1);
}
