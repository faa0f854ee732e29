// A piece: its shape, colour and glyph.

import type { PieceInfo } from '../api/client';
import { CELL } from './Board';
import { writtenOn } from './glyphs';

interface Props {
  piece: PieceInfo;
  x: number;
  y: number;
  held?: boolean;
}

export function Piece({ piece, x, y, held }: Props) {
  const name = `piece ${piece.shape} ${piece.color}${held ? ' held' : ''}`;
  switch (piece.shape) {
    case 'stone':
      return <circle cx={x} cy={y} r={17} class={name} />;
    case 'token':
      return (
        <g class={name}>
          <circle cx={x} cy={y} r={18} class="disc" />
          <circle cx={x} cy={y} r={15} class="rim" />
          <text x={x} y={y + 8} class="glyph">{writtenOn(piece)}</text>
        </g>
      );
    case 'glyph':
      return <text x={x} y={y + 11} class={name}>{writtenOn(piece)}</text>;
    case 'block':
      return (
        <g class={name}>
          <rect x={x - CELL / 2 + 2} y={y - CELL / 2 + 2} width={CELL - 4} height={CELL - 4} rx={7} class="disc" />
          {piece.glyph && <text x={x} y={y + 7} class="glyph">{writtenOn(piece)}</text>}
        </g>
      );
  }
}
