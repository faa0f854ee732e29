// The state in the fragment of the address: a reload loses nothing, and a game is shared by its address.

import { MODES, type Ending, type Json, type Mode, type Seat, type State } from './state';

/** Moves may hold spaces and commas; none holds this. */
const BETWEEN_MOVES = '~';

function writeSeat(seat: Seat): string {
  switch (seat.kind) {
    case 'person':
      return 'person';
    case 'level':
      return String(seat.level);
    case 'search':
      return `${seat.algorithm}:${seat.time_ms}`;
  }
}

function readSeat(text: string | null): Seat | null {
  if (text === 'person') return { kind: 'person' };
  const level = Number(text);
  if (Number.isInteger(level) && level >= 1 && level <= 10) return { kind: 'level', level };
  const search = /^([a-z_0-9]+):(\d{1,6})$/.exec(text ?? '');
  return search ? { kind: 'search', algorithm: search[1]!, time_ms: Number(search[2]) } : null;
}

function readEnding(text: string | null): Ending | null {
  const ending = /^(resigned|time):([01])$/.exec(text ?? '');
  return ending ? { how: ending[1] as Ending['how'], side: Number(ending[2]) } : null;
}

function readJson(text: string | null): Json | undefined {
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The fragment of a state, with its `#`. */
export function writeAddress({ record, seats, mode, flipped, ended }: State): string {
  const fields = new URLSearchParams({ mode, game: record.game });
  if (Object.keys(record.options).length > 0) fields.set('options', JSON.stringify(record.options));
  if (record.state !== 'startpos') fields.set('state', JSON.stringify(record.state));
  if (record.plies.length > 0) {
    fields.set('moves', record.plies.map((ply) => ply.move).join(BETWEEN_MOVES));
    fields.set('movers', record.plies.map((ply) => ply.mover).join(BETWEEN_MOVES));
  }
  if (record.shown !== record.plies.length) fields.set('at', String(record.shown));
  fields.set('seats', seats.map(writeSeat).join(','));
  if (flipped) fields.set('flipped', '1');
  if (ended) fields.set('ended', `${ended.how}:${ended.side}`);
  return `#${fields}`;
}

/** The state of a fragment; null where it names no game. */
export function readAddress(fragment: string): State | null {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const game = fields.get('game');
  if (game === null || !/^[a-z_0-9]+$/.test(game)) return null;
  const words = (name: string) => fields.get(name)?.split(BETWEEN_MOVES) ?? [];
  const movers = words('movers');
  const plies = words('moves').map((move, index) => ({ move, mover: movers[index] ?? '' }));
  const at = Number(fields.get('at') ?? plies.length);
  const shown = Number.isInteger(at) && at >= 0 && at <= plies.length ? at : plies.length;
  const options = readJson(fields.get('options'));
  const [first, second] = (fields.get('seats') ?? '').split(',').map(readSeat);
  const mode = MODES.find((name) => name === fields.get('mode')) ?? ('play' satisfies Mode);
  return {
    record: {
      game,
      options: options !== null && typeof options === 'object' && !Array.isArray(options) ? options : {},
      state: readJson(fields.get('state')) ?? 'startpos',
      plies,
      shown,
    },
    seats: [first ?? { kind: 'person' }, second ?? { kind: 'level', level: 3 }],
    mode,
    flipped: fields.get('flipped') === '1',
    ended: readEnding(fields.get('ended')),
  };
}
