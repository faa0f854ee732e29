import { describe, expect, it } from 'vitest';
import { readAddress, writeAddress } from '../../src/store/address';
import { against, positionKey, reduce, shownMoves, writtenAt, type Action, type State } from '../../src/store/state';

const play = (move: string, mover: string): Action => ({ type: 'play', move, mover });
const after = (state: State, ...actions: Action[]) => actions.reduce(reduce, state);
const start = against('connect4', 3);
const three = after(start, play('4', 'first'), play('4', 'second'), play('3', 'first'));

describe('the reducer', () => {
  it('plays moves from the shown position and drops the line that was left', () => {
    expect(shownMoves(three.record)).toEqual(['4', '4', '3']);
    const other = after(three, { type: 'show', ply: 1 }, play('7', 'second'));
    expect(other.record.plies.map(({ move }) => move)).toEqual(['4', '7']);
    expect(other.record.shown).toBe(2);
  });

  it('shows plies within the game only', () => {
    expect(after(three, { type: 'show', ply: -3 }).record.shown).toBe(0);
    expect(after(three, { type: 'show', ply: 99 }).record.shown).toBe(3);
  });

  it('takes back to the last move of the person, or one ply where nobody or everybody is one', () => {
    expect(after(three, play('5', 'second'), { type: 'take_back', person: 'first' }).record.shown).toBe(2);
    expect(after(three, { type: 'take_back', person: 'second' }).record.shown).toBe(1);
    expect(after(three, { type: 'take_back', person: null }).record.shown).toBe(2);
    expect(after(start, { type: 'take_back', person: 'first' }).record.shown).toBe(0);
  });

  it('turns the board for a person who moves second', () => {
    const seats = [{ kind: 'level', level: 3 }, { kind: 'person' }] as const;
    expect(reduce(three, { type: 'new', game: 'othello', options: {}, state: 'startpos', seats }).flipped).toBe(true);
  });

  it('forgets a resignation with the next move', () => {
    const given = reduce(three, { type: 'end', ending: { side: 0, how: 'resigned' } });
    expect(given.ended?.side).toBe(0);
    expect(reduce(given, play('1', 'second')).ended).toBeNull();
  });

  it('knows moves as people write them, and takes a game with and without for the same', () => {
    const written = reduce(three, { type: 'written', moves: { roman: ['IV', 'IV', 'III'] } });
    expect(written.record.plies[2]).toEqual({ move: '3', mover: 'first', written: { roman: 'III' } });
    expect(positionKey(written.record)).toBe(positionKey(three.record));
    expect(writtenAt({}, 0)).toBeUndefined();
  });

  it('tells positions apart by all that makes them', () => {
    const keys = [start.record, three.record, { ...start.record, options: { evaluation: 'material' } }, { ...start.record, state: '44' }].map(positionKey);
    expect(new Set(keys).size).toBe(4);
  });
});

describe('the address', () => {
  const states: State[] = [
    start,
    three,
    after(three, { type: 'show', ply: 1 }, { type: 'flip' }, { type: 'mode', mode: 'analyse' }),
    after(three, { type: 'end', ending: { side: 1, how: 'time' } }),
    { ...start, record: { ...start.record, game: 'genius', options: { deal_seed: 7 }, plies: [{ move: 'redraw A, B & C=1', mover: 'first' }], shown: 1 } },
    { ...start, record: { ...start.record, game: 'nim', state: { heaps: [1, 2] } }, seats: [{ kind: 'search', algorithm: 'uct', time_ms: 300 }, { kind: 'level', level: 10 }] },
  ];
  it.each(states)('brings a state back: %#', (state) => {
    expect(readAddress(writeAddress(state))).toEqual(state);
  });

  it.each(['', '#', '#game=', '#game=a%20b', '#mode=play'])('names no game: %s', (fragment) => {
    expect(readAddress(fragment)).toBeNull();
  });

  it.each(['#game=nim&at=99', '#game=nim&at=-1', '#game=nim&at=x', '#game=nim&options=%7B', '#game=nim&options=[1]', '#game=nim&seats=11,uct:'])('mends what is wrong: %s', (fragment) => {
    const state = readAddress(fragment)!;
    expect(state.record).toMatchObject({ game: 'nim', options: {}, shown: 0 });
    expect(state.seats).toEqual(start.seats);
  });
});
