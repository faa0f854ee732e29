// Marks over the pieces: legal targets, the last move, ratings, arrows. Classes differ by shape as well as colour.

import type { Gesture, Place } from './geometry';
import { target } from './geometry';

/** A rated move: its class, and the number to show. */
export interface Mark {
  gesture: Gesture;
  class: string;
  text: string;
  best: boolean;
}

interface Point {
  x: number;
  y: number;
}

export function Ring({ x, y, kind }: Point & { kind: 'last' | 'hint' | 'cursor' }) {
  return <rect x={x - 19} y={y - 19} width={38} height={38} rx={5} class={`ring ${kind}`} aria-hidden="true" />;
}

export function Dot({ x, y, taken }: Point & { taken: boolean }) {
  return taken ? <circle cx={x} cy={y} r={19} class="target taken" aria-hidden="true" /> : <circle cx={x} cy={y} r={5} class="target" aria-hidden="true" />;
}

export function Rated({ x, y, mark }: Point & { mark: Mark }) {
  return (
    <g class={`rated ${mark.class}${mark.best ? ' best' : ''}`} aria-hidden="true">
      <ClassShape x={x} y={y} name={mark.class} size={15} />
      <text x={x} y={y + 4}>{mark.text}</text>
    </g>
  );
}

/** Correct is a disc, slack a diamond, a mistake a triangle. */
export function ClassShape({ x, y, name, size }: Point & { name: string; size: number }) {
  if (name === 'correct') return <circle cx={x} cy={y} r={size} class={`class-shape ${name}`} />;
  const corners = name === 'slack'
    ? [[0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0]]
    : [[0, -1.3], [1.25, 0.85], [-1.25, 0.85]];
  return <polygon points={corners.map(([dx, dy]) => `${x + dx! * size},${y + dy! * size}`).join(' ')} class={`class-shape ${name}`} />;
}

export function Arrow({ gesture, index, at }: { gesture: Gesture; index: number; at(place: Place): Point }) {
  const end = at(target(gesture));
  if (gesture.places.length === 1) {
    return (
      <g class="arrow" aria-hidden="true">
        <circle cx={end.x} cy={end.y} r={13} class="numbered" />
        <text x={end.x} y={end.y + 5}>{index + 1}</text>
      </g>
    );
  }
  const start = at(gesture.places[0]);
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const [tipX, tipY] = [end.x - ux * 6, end.y - uy * 6];
  const head = [[tipX, tipY], [tipX - ux * 14 - uy * 8, tipY - uy * 14 + ux * 8], [tipX - ux * 14 + uy * 8, tipY - uy * 14 - ux * 8]];
  return (
    <g class={`arrow ${index === 0 ? 'first' : ''}`} aria-hidden="true">
      <line x1={start.x} y1={start.y} x2={tipX - ux * 10} y2={tipY - uy * 10} />
      <polygon points={head.map((corner) => corner.join(',')).join(' ')} />
    </g>
  );
}
