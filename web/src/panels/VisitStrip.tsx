// Where a search by playouts has looked so far: a segment for each move that is not proved, as wide as its visits,
// coloured by its value.

import type { Answer } from '../api/client';
import { lineText } from '../store/session';
import { grouped, percent, words } from '../words';

/** Share of the visits shown from which a segment has room for its move. */
const ROOM = 0.07;

interface Visited {
  move: string;
  /** The move in the language of the page. */
  text: string;
  visits: number;
  /** The mover's expected result, 0 to 1. */
  value: number;
}

function visitedMoves(answer: Answer): Visited[] {
  return (answer.ratings ?? []).flatMap(({ move, score, notations }) => (score?.kind === 'estimate' && score.simulations ? [{ move, text: lineText([move], notations)[0]!, visits: score.simulations, value: score.value }] : []));
}

export function VisitStrip({ answer }: { answer: Answer }) {
  const moves = visitedMoves(answer).sort((a, b) => b.visits - a.visits);
  const all = moves.reduce((sum, { visits }) => sum + visits, 0);
  if (moves.length < 2) return null;
  const said = ({ text, visits, value }: Visited) => `${text}: ${grouped(visits)} ${words().simulations}, ${percent(value)}`;
  return (
    <div class="visit-strip" role="img" aria-label={moves.slice(0, 5).map(said).join('; ')}>
      {moves.map((visited) => (
        <span key={visited.move} title={said(visited)} style={{ flexGrow: visited.visits, backgroundColor: `hsl(${Math.round(120 * visited.value)} 60% 78%)` }}>
          {visited.visits >= ROOM * all ? visited.text : ''}
        </span>
      ))}
    </div>
  );
}
