import { describe, expect, it } from 'vitest';
import type { BoardInfo } from '../../src/api/client';
import { boardOf, gestureOf, gesturesOf, legalMoves, placeName, touch, type Place } from '../../src/board/geometry';

const info = (change: Partial<BoardInfo>): BoardInfo => ({
  places: 'cells', columns: ['a', 'b', 'c'], rows: ['3', '2', '1'], moves: 'place', lines: [], dots: [], river: null,
  pieces: [{ mark: 'x', side: 'x', title: 'X', shape: 'glyph', color: 'blue', glyph: '✕' }], ...change,
});
const at = (column: number, row: number): Place => ({ column, row });

describe('a board', () => {
  it('names its places as moves do, whichever way its rows run', () => {
    const upwards = boardOf(info({}), ['...', '...', 'x..']);
    expect(placeName(upwards, at(0, 2))).toBe('a1');
    expect(gestureOf(upwards, 'b3')).toEqual({ move: 'b3', places: [at(1, 0)] });
    const downwards = boardOf(info({ rows: ['1', '2', '3'] }), ['...', '...', '...']);
    expect(gestureOf(downwards, 'b3')?.places).toEqual([at(1, 2)]);
  });

  it('has the size of the position, not of the default', () => {
    const large = boardOf(info({}), Array.from({ length: 12 }, () => '.'.repeat(12)));
    expect(placeName(large, at(11, 0))).toBe('l12');
    expect(gestureOf(large, 'l12')?.places).toEqual([at(11, 0)]);
    expect(boardOf(info({ columns: ['0', '1'], rows: ['1', '0'] }), ['..', '..']).rows).toEqual(['1', '0']);
  });

  it('lets a piece fall in its column, and knows when it is full', () => {
    const board = boardOf(info({ columns: ['1', '2'], rows: ['2', '1'], moves: 'column' }), ['x.', 'x.']);
    expect(gestureOf(board, '2')?.places).toEqual([at(1, 1)]);
    expect(gestureOf(board, '1')).toBeNull();
    // In a line, one lies on another.
    expect(gesturesOf(board, ['2', '1', '2']).map(({ places }) => places[0])).toEqual([at(1, 1), at(1, 0)]);
    const legal = legalMoves(board, ['2']);
    expect(touch(board, legal, null, at(1, 0))).toEqual({ play: '2' });
    expect(touch(board, legal, null, at(0, 0))).toEqual({ pick: null });
  });

  it('picks a piece up, puts it down, and lets it go', () => {
    const board = boardOf(info({ moves: 'from_to' }), ['...', '...', 'x..']);
    const legal = legalMoves(board, ['a1a2', 'a1b1', 'pass']);
    expect(legal.words).toEqual(['pass']);
    expect(touch(board, legal, null, at(0, 2))).toEqual({ pick: at(0, 2) });
    expect(touch(board, legal, at(0, 2), at(0, 1))).toEqual({ play: 'a1a2' });
    expect(touch(board, legal, at(0, 2), at(0, 2))).toEqual({ pick: null });
    expect(touch(board, legal, at(0, 2), at(2, 2))).toEqual({ pick: null });
    expect(touch(board, legal, null, at(0, 1))).toEqual({ pick: null });
  });
});
