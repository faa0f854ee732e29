// Winning chances over the game, with the classes of the moves. Hover shows the position.

import type { Review } from '../api/client';
import { ClassShape } from '../board/marks';
import { game } from '../store/session';
import { words } from '../words';

const [WIDTH, HEIGHT] = [640, 180];

interface Props {
  review: Review;
  shown: number;
  onShow(ply: number): void;
}

export function Chart({ review, shown, onShow }: Props) {
  const shares = review.win_probabilities;
  const last = Math.max(1, shares.length - 1);
  const x = (ply: number) => (ply / last) * WIDTH;
  const y = (share: number | null | undefined) => (1 - (share ?? 0.5)) * HEIGHT;
  const line = shares.map((share, ply) => `${x(ply).toFixed(1)},${y(share).toFixed(1)}`).join(' ');
  const plyUnder = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    return Math.max(0, Math.min(last, Math.round(((event.clientX - box.left) / box.width) * last)));
  };
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${words().sureness} ${game.value?.side_titles[0] ?? ''}`} onMouseMove={(event) => event.buttons === 0 && onShow(plyUnder(event))} onClick={(event) => onShow(plyUnder(event))}>
      <rect width={WIDTH} height={HEIGHT} class="chart-ground" />
      <polygon points={`0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}`} class="chart-area" />
      <line x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} class="chart-middle" />
      <polyline points={line} class="chart-line" />
      {review.moves.map((move) => move.class && move.class !== 'correct' && <ClassShape key={move.ply} x={x(move.ply + 1)} y={y(shares[move.ply + 1])} name={move.class} size={6} />)}
      <line x1={x(shown)} x2={x(shown)} y1="0" y2={HEIGHT} class="chart-cursor" />
    </svg>
  );
}
