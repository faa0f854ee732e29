// The state of the page and what changes it: pure functions, no requests.

/** What a JSON text may hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Who plays a side. */
export type Seat =
  | { kind: 'person' }
  | { kind: 'level'; level: number }
  | { kind: 'search'; algorithm: string; time_ms: number };

/** A move and who has played it: a side, or `chance`. */
export interface Ply {
  move: string;
  mover: string;
  /** The move as people write it, by notation; not known for a game that has just been loaded. */
  written?: Written | undefined;
}

/** One move, or a list of them, by the name of a notation. */
export type Written = Readonly<Record<string, string>>;
export type WrittenMoves = Readonly<Record<string, readonly string[]>>;

/** The move at `index` of a list in all notations. */
export function writtenAt(moves: WrittenMoves | undefined, index: number): Written | undefined {
  const entries = Object.entries(moves ?? {}).map(([name, list]) => [name, list[index] ?? '']);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** The modes of the page; they share one board. */
export const MODES = ['play', 'analyse', 'review', 'learn'] as const;
export type Mode = (typeof MODES)[number];

/** A game from its start, and the ply that the board shows. */
export interface GameRecord {
  game: string;
  options: { [name: string]: Json };
  state: Json;
  plies: readonly Ply[];
  shown: number;
}

export interface State {
  record: GameRecord;
  seats: readonly [Seat, Seat];
  mode: Mode;
  flipped: boolean;
  /** How a side has ended the game, if not by the rules. */
  ended: Ending | null;
}

/** A side that has resigned or has no time left. */
export interface Ending {
  side: number;
  how: 'resigned' | 'time';
}

export type Action =
  | { type: 'new'; game: string; options: GameRecord['options']; state: Json; seats: State['seats'] }
  | { type: 'play'; move: string; mover: string; written?: Written | undefined }
  | { type: 'written'; moves: WrittenMoves }
  | { type: 'show'; ply: number }
  | { type: 'take_back'; person: string | null }
  | { type: 'load'; record: GameRecord; mode: Mode }
  | { type: 'restore'; state: State }
  | { type: 'seats'; seats: State['seats'] }
  | { type: 'mode'; mode: Mode }
  | { type: 'flip' }
  | { type: 'end'; ending: Ending };

/** A game of a person against an opponent of some level. */
export function against(game: string, level: number): State {
  return {
    record: { game, options: {}, state: 'startpos', plies: [], shown: 0 },
    seats: [{ kind: 'person' }, { kind: 'level', level }],
    mode: 'play',
    flipped: false,
    ended: null,
  };
}

/** The next state. */
export function reduce(state: State, action: Action): State {
  const { record } = state;
  switch (action.type) {
    case 'new': {
      const { game, options, seats } = action;
      const fresh = { game, options, state: action.state, plies: [], shown: 0 };
      const mode = state.mode === 'analyse' ? 'analyse' : 'play';
      return { record: fresh, seats, mode, flipped: seats[0].kind !== 'person' && seats[1].kind === 'person', ended: null };
    }
    case 'play': {
      // A move played in the past starts another line: what came after it is dropped.
      const { move, mover, written } = action;
      const plies = [...record.plies.slice(0, record.shown), { move, mover, written }];
      return { ...state, record: { ...record, plies, shown: plies.length }, ended: null };
    }
    case 'written': {
      const plies = record.plies.map((ply, index) => ({ ...ply, written: writtenAt(action.moves, index) }));
      return { ...state, record: { ...record, plies } };
    }
    case 'show':
      return { ...state, record: { ...record, shown: Math.max(0, Math.min(record.plies.length, action.ply)) } };
    case 'take_back': {
      const keep = takenBack(record.plies.slice(0, record.shown), action.person);
      return { ...state, record: { ...record, plies: record.plies.slice(0, keep), shown: keep }, ended: null };
    }
    case 'load':
      return { ...state, record: action.record, mode: action.mode, ended: null };
    case 'restore':
      return action.state;
    case 'seats':
      return { ...state, seats: action.seats };
    case 'mode':
      return { ...state, mode: action.mode };
    case 'flip':
      return { ...state, flipped: !state.flipped };
    case 'end':
      return { ...state, ended: action.ending };
  }
}

/** Plies that stay when a person takes back: all before that person's last move, or before the last move of anyone. */
function takenBack(plies: readonly Ply[], person: string | null): number {
  const own = person === null ? -1 : plies.findLastIndex((ply) => ply.mover === person);
  return own >= 0 ? own : Math.max(0, plies.length - 1);
}

/** The moves up to the shown position. */
export function shownMoves(record: GameRecord): string[] {
  return record.plies.slice(0, record.shown).map((ply) => ply.move);
}

/** The shown position as the service is asked about it; two equal keys are the same position. */
export function positionQuestion(record: GameRecord) {
  return { game: record.game, options: record.options, state: record.state, moves: shownMoves(record) };
}

export function positionKey(record: GameRecord): string {
  return JSON.stringify(positionQuestion(record));
}
