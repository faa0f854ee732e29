// How the game stands: the bar beside the board, and what the search says.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Answer } from '../api/client';
import { algorithms, analyst, game, hintStep, hovered, insight, lineText, mayMove, play, reviewed, state, stop, moveNow, thinking, key, type Thinking } from '../store/session';
import { grouped, percent, scoreText, words } from '../words';
import { VisitStrip } from './VisitStrip';

/** The first side's expected result; null while nothing is known. */
export function firstShare(seen: Thinking | null): number | null {
  const share = seen?.answer?.win_probability;
  if (share === null || share === undefined) return null;
  return seen!.mover === game.value?.sides[1] ? 1 - share : share;
}

/** The bar: the first side at the bottom, whoever is to move and however the board is turned. */
export function EvaluationBar() {
  // Until the shown position is searched, the last search of the game stands: best play does not change a value.
  const earlier = thinking.value?.game === state.value.record.game && state.value.record.plies.length > 0 ? thinking.value : null;
  const searched = insight.value?.answer ? insight.value : earlier;
  const share = state.value.mode === 'review' ? (reviewed.value?.[state.value.record.shown] ?? null) : firstShare(searched);
  // Before the games are known there is no name for what the bar shows.
  if (!game.value) return <div class="bar-frame" />;
  const title = words().evaluationOf(game.value.side_titles[0]!, share === null ? '?' : percent(share));
  return (
    <div class="bar-frame" role="meter" aria-label={title} aria-valuemin={0} aria-valuemax={100} aria-valuenow={share === null ? 50 : Math.round(share * 100)} title={title}>
      <svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar-second" width="10" height="100" />
        <rect class="bar-first" width="10" y={100 - (share ?? 0.5) * 100} height={(share ?? 0.5) * 100} />
      </svg>
    </div>
  );
}

/** The algorithm of analyses: those of the game. */
export function Analyst() {
  const offered = algorithms.value.filter(({ name }) => game.value?.algorithms.includes(name));
  return (
    <label>
      {words().algorithm}{' '}
      <select value={analyst.value} onChange={(event) => (analyst.value = event.currentTarget.value)}>
        <option>auto</option>
        {offered.map(({ name }) => <option key={name}>{name}</option>)}
      </select>
    </label>
  );
}

/** In a game nobody sees an analysis, nor more of a hint than has been asked for. */
function isHidden(seen: Thinking | null): boolean {
  return state.value.mode === 'play' && (seen?.purpose === 'analysis' || (seen?.purpose === 'hint' && hintStep.value < 3));
}

/** Depth, nodes, speed and lines of the search, live. */
export function SearchPanel() {
  const seen = insight.value;
  if (!seen?.answer || isHidden(seen)) return <p class="quiet">{seen && !seen.done ? <Elapsed seen={seen} /> : null}</p>;
  const { answer } = seen;
  return (
    <section class="search" aria-label={words().lines}>
      <p class="verdict">
        <strong>{scoreText(answer.score!)}</strong>
        {answer.proved && <span class="badge">{words().proved}</span>}
        {answer.win_probability !== null && answer.win_probability !== undefined && <span>{percent(answer.win_probability)}</span>}
        <Figures answer={answer} />
        {!seen.done && <button onClick={seen.purpose === 'reply' ? moveNow : stop}>{words().stop}</button>}
      </p>
      <VisitStrip answer={answer} />
      <Lines answer={answer} />
    </section>
  );
}

function Elapsed({ seen: { since, begun, expectedMs } }: { seen: Thinking }) {
  const now = useSignal(performance.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = performance.now()), 200);
    return () => clearInterval(timer);
  }, []);
  const seconds = (now.value - since) / 1000;
  const said = begun ? `${words().thinks('').trim()} ${seconds.toFixed(1)} s` : words().waits(seconds.toFixed(1), expectedMs === null ? null : (expectedMs / 1000).toFixed(1));
  return <>{seconds > 0.3 ? said : ''} {seconds > 0.3 && <button onClick={thinking.value?.purpose === 'reply' ? moveNow : stop}>{words().stop}</button>}</>;
}

function Figures({ answer }: { answer: Answer }) {
  const { depth, nodes, simulations, time_ms } = answer.stats!;
  const speed = time_ms > 0 ? Math.round(nodes / time_ms) : null;
  return (
    <span class="figures">
      {simulations > 0 ? `${grouped(simulations)} ${words().simulations}` : `${words().depth} ${depth}`} · {grouped(nodes)} {words().nodes}
      {speed !== null && speed > 0 && ` · ${grouped(speed)} k ${words().perSecond}`}
    </span>
  );
}

/** Up to five lines: the rated moves, or the principal variation alone. */
function Lines({ answer }: { answer: Answer }) {
  const rated = (answer.ratings ?? []).filter(({ score }) => score.kind !== 'unknown').slice(0, 5);
  const lines = rated.length > 0 ? rated.map((rating) => ({ score: rating.score!, class: rating.class, line: rating.principal_variation ?? [rating.move], written: rating.notations })) : [{ score: answer.score!, class: null, line: answer.principal_variation, written: answer.notations }];
  return (
    <ol class="lines">
      {lines.map(({ score, class: name, line, written }) => (
        <li key={line[0]} class={name ?? ''}>
          <span class="line-score">{scoreText(score)}</span>
          <button class="line" onClick={() => walk(line)} onMouseEnter={() => (hovered.value = line)} onMouseLeave={() => (hovered.value = [])} onFocus={() => (hovered.value = line)} onBlur={() => (hovered.value = [])} title={words().lines}>{lineText(line, written).slice(0, 12).join(' ')}</button>
        </li>
      ))}
    </ol>
  );
}

/** Plays the first move of a line on the board; the next click walks on. */
function walk(line: readonly string[]) {
  if (line[0] && mayMove.value && thinking.value?.key === key.value) play(line[0]);
}
