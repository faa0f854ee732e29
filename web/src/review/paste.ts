// Games that are pasted or dropped: the service knows the formats.

import { ask, RequestError } from '../api/client';
import { setClock } from '../store/clock';
import { dispatch } from '../store/session';
import type { Json } from '../store/state';
import { errorText } from '../words';

/** A game as read from a file by the service. */
export interface FileGame {
  game: string;
  options: { [name: string]: Json };
  state: Json;
  moves: string[];
  movers: string[];
}

/** Why a text is no game. */
export interface PasteTrouble {
  detail: string;
}

/** Reads the games of a text and shows the first. A list of moves may be of any game: `game` is the one at hand. */
export async function load(text: string, game: string): Promise<{ games: FileGame[] } | PasteTrouble> {
  const read = (named?: string) => ask<{ games: FileGame[] }>('/v1/game-files', { text, ...(named ? { game: named } : {}) });
  try {
    const found = await read().catch((error: unknown) => {
      if (error instanceof RequestError && error.failure.kind === 'problem') return read(game);
      throw error;
    });
    show(found.games[0]!);
    return found;
  } catch (error) {
    return { detail: errorText(error) };
  }
}

/** Shows a game of a file. */
export function show({ game, options, state, moves, movers }: FileGame) {
  const plies = moves.map((move, index) => ({ move, mover: movers[index] ?? '' }));
  dispatch({ type: 'load', record: { game, options, state: state ?? 'startpos', plies, shown: plies.length }, mode: 'review' });
  setClock(0);
}

/** Where in a text the trouble is: the words that the service quotes of the line that it names, or the whole line. */
export function placeOf(text: string, { detail }: PasteTrouble): [number, number] | null {
  const [, number, quoted] = /line (\d+):[^`]*(?:`([^`]+)`)?/.exec(detail) ?? [];
  if (!number) return null;
  const lines = text.split('\n');
  const start = lines.slice(0, Number(number) - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const line = lines[Number(number) - 1] ?? '';
  const at = quoted ? line.indexOf(quoted) : -1;
  return at < 0 ? [start, start + line.length] : [start + at, start + at + quoted!.length];
}
