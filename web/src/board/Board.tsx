// A board as SVG, drawn from geometry alone. It is a grid to a screen reader and to the keyboard.

import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { language, words } from '../words';
import { pieceAt, placeName, same, target, touch, type Board, type Gesture, type LegalMoves, type Place } from './geometry';
import { Grid } from './Grid';
import { Arrow, Dot, Rated, Ring, type Mark } from './marks';
import { Piece } from './Piece';

/** Units of the drawing a place. */
export const CELL = 40;
const MARGIN = 24;

interface Props {
  board: Board;
  legal: LegalMoves;
  /** The last move, if it is seen on the board. */
  last: Gesture | null;
  /** Ratings of moves: the last place of a move carries its mark. */
  marks: readonly Mark[];
  arrows: readonly Gesture[];
  /** A place that a hint points at. */
  pointed: Place | null;
  flipped: boolean;
  onMove(move: string): void;
}

/** Where a place lies in the drawing. */
export function middle(board: Board, place: Place, flipped: boolean) {
  const [width, height] = [board.columns.length, board.rows.length];
  const [column, row] = flipped ? [width - 1 - place.column, height - 1 - place.row] : [place.column, place.row];
  return { x: MARGIN + (column + 0.5) * CELL, y: MARGIN + (row + 0.5) * CELL };
}

export function BoardView({ board, legal, last, marks, arrows, pointed, flipped, onMove }: Props) {
  const picked = useSignal<Place | null>(null);
  const lastCursor = useSignal<Place>({ column: 0, row: board.rows.length - 1 });
  const pressed = useRef<Place | null>(null);
  /** Whether the piece that is pressed was held before: then it is put back, unless it is dragged. */
  const again = useRef(false);
  const svg = useRef<SVGSVGElement>(null);
  const [width, height] = [board.columns.length, board.rows.length];
  const at = (place: Place) => middle(board, place, flipped);
  // Another board may be smaller.
  const cursor = { column: clamp(lastCursor.value.column, width), row: clamp(lastCursor.value.row, height) };

  const hold = picked.value && legal.gestures.some(({ places }) => places.length === 2 && same(places[0], picked.value)) ? picked.value : null;
  const act = (place: Place) => {
    const done = touch(board, legal, hold, place);
    picked.value = 'pick' in done ? done.pick : null;
    if ('play' in done) onMove(done.play);
  };
  const placeUnder = (event: PointerEvent): Place | null => {
    // The drawing may be smaller than its element, and lies in its middle then.
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.current!.getScreenCTM()!.inverse());
    const [column, row] = [Math.floor((x - MARGIN) / CELL), Math.floor((y - MARGIN) / CELL)];
    if (column < 0 || row < 0 || column >= width || row >= height) return null;
    return flipped ? { column: width - 1 - column, row: height - 1 - row } : { column, row };
  };
  // A piece is picked up when it is pressed, so that it can be dragged. What is played is played on release: until then
  // a finger may turn out to scroll the page.
  const press = (event: PointerEvent) => {
    if (!event.isPrimary || event.button !== 0) return;
    const place = placeUnder(event);
    pressed.current = place;
    if (!place) return;
    lastCursor.value = place;
    again.current = hold !== null && same(hold, place);
    if (!again.current && 'pick' in touch(board, legal, hold, place)) act(place);
  };
  const release = (event: PointerEvent) => {
    if (!event.isPrimary) return;
    const [from, place] = [pressed.current, placeUnder(event)];
    pressed.current = null;
    if (!from || !place) return;
    const isDrag = !same(place, from);
    if (isDrag ? same(hold, from) : again.current || 'play' in touch(board, legal, hold, place)) act(place);
  };
  const keyed = (event: KeyboardEvent) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      const sign = flipped ? -1 : 1;
      const { column, row } = cursor;
      lastCursor.value = { column: clamp(column + sign * step[0]!, width), row: clamp(row + sign * step[1]!, height) };
    } else if (event.key === 'Enter' || event.key === ' ') act(cursor);
    else if (event.key === 'Escape') picked.value = null;
    else return;
    event.preventDefault();
  };
  const targets = legal.gestures.filter(({ places }) => (places.length === 2 ? same(places[0], hold) : true));
  const movable = new Set(legal.gestures.flatMap(({ places }) => (places.length === 2 ? [placeId(places[0])] : [])));
  const reached = new Set(targets.map((gesture) => placeId(target(gesture))));
  /** Where the piece of the last move has come from, if it lies here. */
  const arrived = (place: Place): Arrival | null => {
    if (!last || !same(target(last), place)) return null;
    const [from, to] = [at(last.places[0]), at(place)];
    return { move: last.move, x: from.x - to.x, y: from.y - to.y, isNew: last.places.length === 1 };
  };
  /** What a screen reader is told of a place beside its piece. */
  const said = (place: Place) => {
    const text = words();
    const isLast = last?.places.some((other) => same(other, place));
    return [same(hold, place) && text.held, hold && reached.has(placeId(place)) && text.target, isLast && text.lastPlayed].filter(Boolean).join(', ');
  };
  // Drawn again only when a piece, the piece held or what may be played changes, not with each word of a search.
  const places = useMemo(() => (
    <>
      <Grid board={board} at={at} flipped={flipped} />
      {last?.places.map((place) => <Ring key={placeId(place)} {...at(place)} kind="last" />)}
      {board.rows.map((_, row) => (
        <g role="row" key={row}>
          {board.columns.map((_, column) => {
            const place = { column, row };
            return placeView({ board, place, ...at(place), held: same(hold, place), said: said(place), arrived: arrived(place), isMovable: movable.has(placeId(place)) });
          })}
        </g>
      ))}
    </>
  ), [board, flipped, hold, last?.move, legal, language.value]);

  return (
    <svg
      ref={svg}
      class={`board on-${board.info.moves}`}
      viewBox={`0 0 ${width * CELL + 2 * MARGIN} ${height * CELL + 2 * MARGIN}`}
      role="grid"
      aria-label={words().board}
      tabindex={0}
      aria-activedescendant={placeId(cursor)}
      onPointerDown={press}
      onPointerUp={release}
      onPointerCancel={() => (pressed.current = null)}
      onPointerLeave={() => (pressed.current = null)}
      onKeyDown={keyed}
    >
      {places}
      {(hold || legal.gestures.length < 80) && targets.map((gesture) => <Dot key={gesture.move} {...at(target(gesture))} taken={pieceAt(board, target(gesture)) !== null} />)}
      {seen(marks, hold).map((mark) => (
        <Rated key={mark.gesture.move} {...at(hold ? target(mark.gesture) : mark.gesture.places[0])} mark={mark} />
      ))}
      {arrows.map((gesture, index) => <Arrow key={index} gesture={gesture} index={index} at={at} />)}
      {pointed && <Ring {...at(pointed)} kind="hint" />}
      <Ring {...at(cursor)} kind="cursor" />
    </svg>
  );
}

/** The marks to show: of the piece held, else the best one at each place. Marks come best first. */
function seen(marks: readonly Mark[], hold: Place | null): readonly Mark[] {
  if (hold) return marks.filter(({ gesture }) => same(gesture.places[0], hold));
  return marks.filter(({ gesture }, index) => marks.findIndex((mark) => same(mark.gesture.places[0], gesture.places[0])) === index);
}

const clamp = (index: number, count: number) => Math.max(0, Math.min(count - 1, index));
/** The id of a place in the document. */
export const placeId = ({ column, row }: Place) => `place-${column}-${row}`;

interface PlaceProps {
  board: Board;
  place: Place;
  x: number;
  y: number;
  held: boolean;
  /** What is said of it beside its piece. */
  said: string;
  arrived: Arrival | null;
  /** Whether a piece can be moved from here. */
  isMovable: boolean;
}

/** How a piece has come to its place, in units of the drawing. */
interface Arrival {
  move: string;
  x: number;
  y: number;
  isNew: boolean;
}

/** A place. No component of its own: a board of gomoku has 225. */
function placeView({ board, place, x, y, held, said, arrived, isMovable }: PlaceProps) {
  const piece = pieceAt(board, place);
  return (
    <g key={place.column} role="gridcell" id={placeId(place)} class={isMovable ? 'movable' : undefined} aria-label={[`${placeName(board, place)} ${piece?.title ?? words().empty}`, said].filter(Boolean).join(', ')}>
      <rect x={x - CELL / 2} y={y - CELL / 2} width={CELL} height={CELL} class="place" />
      {piece && (arrived ? (
        <g key={arrived.move} class="arriving" style={{ '--from-x': `${arrived.x}px`, '--from-y': `${arrived.y}px`, '--from-scale': arrived.isNew ? '0.6' : '1' }}>
          <Piece piece={piece} x={x} y={y} held={held} />
        </g>
      ) : <Piece piece={piece} x={x} y={y} held={held} />)}
    </g>
  );
}
