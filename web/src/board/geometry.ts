// Places of a board and the moves that name them, from what `/v1/games/{game}` says.

import type { BoardInfo, PieceInfo } from '../api/client';

/** A place: column from the left and row from the top, from 0. */
export interface Place {
  column: number;
  row: number;
}

/** A legal move as places to touch: the place of a new piece, or where a piece leaves and where it goes. */
export interface Gesture {
  move: string;
  places: readonly [Place] | readonly [Place, Place];
}

/** A board as it stands: names of its columns and rows, and a character a place. */
export interface Board {
  info: BoardInfo;
  columns: readonly string[];
  rows: readonly string[];
  marks: readonly string[];
  pieces: ReadonlyMap<string, PieceInfo>;
}

/** The first `count` names of a sequence such as a b c or 1 2 3. */
function named(names: readonly string[], count: number): string[] {
  const first = names[0]!;
  if (/^[a-z]$/.test(first)) return Array.from({ length: count }, (_, index) => String.fromCharCode(first.charCodeAt(0) + index));
  const from = Number(first);
  return Array.from({ length: count }, (_, index) => String(from + index));
}

/** The board of a position: as many columns and rows as the position has, where a game's size can be chosen. */
export function boardOf(info: BoardInfo, marks: readonly string[]): Board {
  const upwards = Number(info.rows[0]) > Number(info.rows.at(-1));
  const rows = named(upwards ? [...info.rows].reverse() : info.rows, marks.length);
  return {
    info,
    columns: named(info.columns, [...(marks[0] ?? '')].length),
    rows: upwards ? rows.reverse() : rows,
    marks,
    pieces: new Map(info.pieces.map((piece) => [piece.mark, piece])),
  };
}

export function pieceAt(board: Board, { column, row }: Place): PieceInfo | null {
  return board.pieces.get(board.marks[row]?.[column] ?? '') ?? null;
}

/** The name of a place, such as `e4`; where columns have numbers, `4,0`. */
export function placeName(board: Board, { column, row }: Place): string {
  const between = /\d/.test(board.columns[column]!) ? ',' : '';
  return `${board.columns[column]}${between}${board.rows[row]}`;
}

export function same(a: Place | null | undefined, b: Place | null | undefined): boolean {
  return a !== null && b !== null && a?.column === b?.column && a?.row === b?.row;
}

function placeNamed(board: Board, name: string): Place | null {
  const column = board.columns.findIndex((letter) => name.startsWith(letter));
  const row = column < 0 ? -1 : board.rows.indexOf(name.slice(board.columns[column]!.length));
  return row < 0 ? null : { column, row };
}

/** Where a piece that is dropped into a column comes to lie. */
function landing(board: Board, column: number): Place | null {
  const row = board.marks.findLastIndex((line) => !board.pieces.has(line[column]!));
  return row < 0 ? null : { column, row };
}

/** The places that a move names; null for a word such as `pass`. */
export function gestureOf(board: Board, move: string): Gesture | null {
  switch (board.info.moves) {
    case 'place': {
      const place = placeNamed(board, move);
      return place && { move, places: [place] };
    }
    case 'from_to': {
      const parts = /^([a-z]\d+)([a-z]\d+)$/.exec(move);
      const [from, to] = [placeNamed(board, parts?.[1] ?? ''), placeNamed(board, parts?.[2] ?? '')];
      return from && to && { move, places: [from, to] };
    }
    case 'column': {
      const column = board.columns.indexOf(move);
      const place = column < 0 ? null : landing(board, column);
      return place && { move, places: [place] };
    }
    case 'word':
      return null;
  }
}

/** The moves of a line that are made on the board, each where it goes after those before it. */
export function gesturesOf(board: Board, line: readonly string[]): Gesture[] {
  const taken = new Map<string, number>();
  return line.flatMap((move) => {
    const gesture = gestureOf(board, move);
    if (!gesture || board.info.moves !== 'column') return gesture ?? [];
    // Pieces in one column lie on one another.
    const below = taken.get(move) ?? 0;
    taken.set(move, below + 1);
    const [{ column, row }] = gesture.places;
    return { move, places: [{ column, row: row - below }] };
  });
}

/** Legal moves: those that are made on the board, and the others. */
export interface LegalMoves {
  gestures: Gesture[];
  words: string[];
}

export function legalMoves(board: Board | null, moves: readonly string[]): LegalMoves {
  const legal: LegalMoves = { gestures: [], words: [] };
  for (const move of moves) {
    const gesture = board && gestureOf(board, move);
    if (gesture) legal.gestures.push(gesture);
    else legal.words.push(move);
  }
  return legal;
}

/** The last place that a gesture touches. */
export function target(gesture: Gesture): Place {
  return gesture.places.at(-1)!;
}

/** What touching a place does: plays a move, picks a piece up, or puts it down. */
export function touch(board: Board, legal: LegalMoves, picked: Place | null, place: Place): { play: string } | { pick: Place | null } {
  const anyRow = board.info.moves === 'column';
  for (const { move, places } of legal.gestures) {
    const [first, second] = places;
    if (second ? same(first, picked) && same(second, place) : anyRow ? first.column === place.column : same(first, place)) return { play: move };
  }
  const own = legal.gestures.some(({ places }) => places.length === 2 && same(places[0], place));
  return { pick: own && !same(picked, place) ? place : null };
}
