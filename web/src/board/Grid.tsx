// What lies under the pieces: cells or lines, ornaments, names of columns and rows.

import type { Board, Place } from './geometry';
import { CELL } from './Board';

interface Props {
  board: Board;
  at(place: Place): { x: number; y: number };
  flipped: boolean;
}

export function Grid({ board, at, flipped }: Props) {
  const { info, columns, rows } = board;
  const last = { column: columns.length - 1, row: rows.length - 1 };
  const corners = [at({ column: 0, row: 0 }), at(last)];
  const left = Math.min(...corners.map(({ x }) => x)) - CELL / 2;
  const top = Math.min(...corners.map(({ y }) => y)) - CELL / 2;
  const line = (from: Place, to: Place) => {
    const [start, end] = [at(from), at(to)];
    return <line key={`${from.column} ${from.row} ${to.column} ${to.row}`} x1={start.x} y1={start.y} x2={end.x} y2={end.y} class="grid-line" />;
  };
  return (
    <g aria-hidden="true">
      <rect x={left - 4} y={top - 4} width={columns.length * CELL + 8} height={rows.length * CELL + 8} rx={6} class={`ground ${info.places} ${info.moves}`} />
      {info.places === 'points' ? crossings(board, line) : cells(board, at)}
      {info.lines.map(([[fromColumn, fromRow], [toColumn, toRow]]) => line({ column: fromColumn!, row: fromRow! }, { column: toColumn!, row: toRow! }))}
      {fitting(board) && info.dots.map(([column, row]) => <circle key={`${column} ${row}`} {...dotAt(info.places, at({ column: column!, row: row! }), flipped)} r={3} class="star" />)}
      {columns.map((name, column) => <text key={name} x={at({ column, row: 0 }).x} y={top + rows.length * CELL + 17} class="name">{name}</text>)}
      {rows.map((name, row) => <text key={name} x={left - 12} y={at({ column: 0, row }).y + 4} class="name">{name}</text>)}
    </g>
  );
}

/** Dots are those of the default size. */
function fitting({ info, columns, rows }: Board): boolean {
  return columns.length === info.columns.length && rows.length === info.rows.length;
}

/** In the corner of a cell, on the crossing of lines. */
function dotAt(places: string, { x, y }: { x: number; y: number }, flipped: boolean) {
  const shift = places === 'cells' ? (flipped ? CELL / 2 : -CELL / 2) : 0;
  return { cx: x + shift, cy: y + shift };
}

function crossings({ info, columns, rows }: Board, line: (from: Place, to: Place) => preact.JSX.Element) {
  const [right, bottom] = [columns.length - 1, rows.length - 1];
  const river = info.river ?? null;
  const upright = columns.flatMap((_, column) =>
    river === null || column === 0 || column === right
      ? [line({ column, row: 0 }, { column, row: bottom })]
      : [line({ column, row: 0 }, { column, row: river }), line({ column, row: river + 1 }, { column, row: bottom })],
  );
  return [...rows.map((_, row) => line({ column: 0, row }, { column: right, row })), ...upright];
}

function cells({ columns, rows, info }: Board, at: Props['at']) {
  return rows.flatMap((_, row) =>
    columns.map((_, column) => {
      const { x, y } = at({ column, row });
      return info.moves === 'column' ? (
        <circle key={`${column} ${row}`} cx={x} cy={y} r={16.5} class="hole" />
      ) : (
        <rect key={`${column} ${row}`} x={x - CELL / 2} y={y - CELL / 2} width={CELL} height={CELL} class="cell" />
      );
    }),
  );
}
