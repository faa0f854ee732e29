// A piece: its shape and colour, and what is on it.

import type { PieceInfo } from '../api/client';
import { CELL } from './Board';
import { writtenOn } from './glyphs';
import { pictured, PICTOGRAMS } from './pictograms';

interface Props {
  piece: PieceInfo;
  x: number;
  y: number;
  held?: boolean;
}

/** Side of the square that pictures are drawn in. */
const PICTURE = 24;

export function Piece({ piece, x, y, held }: Props) {
  const name = `piece ${piece.shape} ${piece.color}${held ? ' held' : ''}`;
  switch (piece.shape) {
    case 'stone':
      return (
        <g class={name}>
          <circle cx={x} cy={y} r={17} class="disc" />
          <circle cx={x} cy={y} r={16.5} class="shine" />
        </g>
      );
    case 'token':
      return (
        <g class={name}>
          <circle cx={x} cy={y} r={18} class="disc" />
          <circle cx={x} cy={y} r={15} class="rim" />
          <circle cx={x} cy={y} r={17.5} class="shine" />
          <Sign piece={piece} x={x} y={y} />
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

/** What is on a token: its character, or its picture where that is wanted. */
function Sign({ piece, x, y }: Props) {
  const picture = pictured.value ? PICTOGRAMS[piece.mark.toLowerCase()] : undefined;
  if (!picture) return <text x={x} y={y + 8} class="glyph">{writtenOn(piece)}</text>;
  return <path d={picture} class="picture-sign" fill-rule="evenodd" transform={`translate(${x - PICTURE / 2} ${y - PICTURE / 2})`} />;
}

/** The light on stones and discs: once in the document, for all boards. */
export function Light() {
  return (
    <svg class="heard" aria-hidden="true">
      <defs>
        <radialGradient id="light" cx="0.35" cy="0.3" r="0.75">
          <stop offset="0" stop-color="#ffffff" stop-opacity="0.5" />
          <stop offset="0.5" stop-color="#ffffff" stop-opacity="0.05" />
          <stop offset="1" stop-color="#000000" stop-opacity="0.18" />
        </radialGradient>
      </defs>
    </svg>
  );
}
