// The list of moves; a click shows the position after one.

import { useEffect, useRef } from 'preact/hooks';
import { dispatch, moveText, state } from '../store/session';
import { words } from '../words';
import { sideTitle } from './Controls';

interface Props {
  /** The class of each ply, where a review has given one. */
  classes?: readonly (string | null)[];
  /** The points of each ply, there too. */
  points?: readonly (number | null)[];
}

export function Moves({ classes = [], points = [] }: Props) {
  const { plies, shown } = state.value.record;
  const current = useRef<HTMLButtonElement>(null);
  // The list alone is scrolled: the page stays at the board.
  useEffect(() => {
    const [move, list] = [current.current, current.current?.closest('ol')];
    if (!move || !list) return;
    const top = move.offsetTop - list.offsetTop;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + move.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + move.offsetHeight - list.clientHeight;
  }, [shown]);
  const show = (ply: number) => dispatch({ type: 'show', ply });
  const text = words();
  return (
    <section class="moves" aria-label={text.moves}>
      <ol>
        {plies.map((ply, index) => (
          <li key={index}>
            <button
              ref={index + 1 === shown ? current : null}
              class={`move ${classes[index] ?? ''}`}
              aria-current={index + 1 === shown ? 'step' : undefined}
              title={[sideTitle(ply.mover), points[index] != null && text.points(points[index]!.toFixed(1))].filter(Boolean).join(', ')}
              onClick={() => show(index + 1)}
            >
              <span class="ply">{index + 1}</span> {moveText(ply)}
              {points[index] != null && <small> {points[index]!.toFixed(1)}</small>}
              {classes[index] && classes[index] !== 'correct' && <span class="class-word"> {text.classes[classes[index]!]}</span>}
            </button>
          </li>
        ))}
      </ol>
      <div class="steps" role="toolbar" aria-label={text.positions}>
        <button aria-label={text.firstMove} onClick={() => show(0)} disabled={shown === 0}>|◀</button>
        <button aria-label={text.previousMove} onClick={() => show(shown - 1)} disabled={shown === 0}>◀</button>
        <button aria-label={text.nextMove} onClick={() => show(shown + 1)} disabled={shown === plies.length}>▶</button>
        <button aria-label={text.lastMove} onClick={() => show(plies.length)} disabled={shown === plies.length}>▶|</button>
      </div>
    </section>
  );
}
