// The tree of a traced search: forward and back step by step, with what decided each node.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ask, type Answer } from '../api/client';
import { algorithms, game, insight, key, shown, state } from '../store/session';
import { positionQuestion, type Json } from '../store/state';
import { errorText, scoreText, words } from '../words';
import { Icicle } from './Icicle';
import { number, ofTrace, ofVisits, type TreeNode } from './layout';
import { sentence } from './sentences';

/** The largest tree that is drawn. */
const MOST_NODES = 5000;

export function TreePanel() {
  const algorithm = useSignal('alphabeta');
  const depth = useSignal(3);
  const answer = useSignal<{ key: string; answer: Answer } | null>(null);
  const trouble = useSignal('');
  const text = words();
  const tracing = algorithms.value.filter(({ name, traces }) => traces && game.value?.algorithms.includes(name));
  const chosen = tracing.some(({ name }) => name === algorithm.value) ? algorithm.value : tracing[0]?.name;
  const running = useSignal<AbortController | null>(null);
  // The textbook methods search once, without a table, whatever they are told.
  const once: { [name: string]: Json } = chosen === 'minimax' || chosen === 'negamax' ? {} : { deepening: false, table: 'off' };
  const search = async () => {
    const mine = new AbortController();
    [trouble.value, running.value] = ['', mine];
    const asked = key.value;
    const { options, ...position } = positionQuestion(state.value.record);
    const question = { ...position, algorithm: chosen, budget: { depth: depth.value, nodes: MOST_NODES }, trace: true, ratings: 'none', options: { ...options, ...once } };
    try {
      answer.value = { key: asked, answer: await ask<Answer>('/v1/bestmove', question, mine.signal) };
    } catch (error) {
      if (!mine.signal.aborted) trouble.value = errorText(error);
    } finally {
      if (running.value === mine) running.value = null;
    }
  };
  // Nobody waits for the tree of a position that has been left.
  useEffect(() => () => running.peek()?.abort(), [key.value]);
  const found = insight.value?.answer ?? null;
  const visits = useMemo(() => (found?.tree?.length ? ofVisits(found.tree) : null), [found]);
  const trace = answer.value?.key === key.value ? (answer.value.answer.trace ?? null) : null;
  const traced = useMemo(() => (trace ? ofTrace(trace) : null), [trace]);
  return (
    <section aria-label={text.tree}>
      <h2>{text.tree}</h2>
      <p class="controls">
        <select aria-label={text.algorithm} value={chosen} onChange={(event) => (algorithm.value = event.currentTarget.value)}>
          {tracing.map(({ name }) => <option key={name}>{name}</option>)}
        </select>
        <label>{text.depth} <input type="number" min="1" max="8" value={depth.value} onInput={(event) => (depth.value = Number(event.currentTarget.value))} /></label>
        <button onClick={() => void search()} disabled={!chosen || running.value !== null || !shown.value || shown.value.outcome !== null}>{text.traced}</button>
      </p>
      {trouble.value && <p class="trouble" role="alert">{trouble.value}</p>}
      {traced && answer.value?.answer.stats.stopped_by === 'nodes' && <p class="quiet">{text.firstNodes(traced.length)}</p>}
      {traced && traced.length > 0 ? <TreeView nodes={traced} /> : visits ? <TreeView nodes={visits} /> : <p class="quiet">{text.treeEmpty}</p>}
    </section>
  );
}

/** Seconds between steps. */
const SPEEDS = [1, 0.5, 0.2, 0.05];

export function TreeView({ nodes }: { nodes: readonly TreeNode[] }) {
  const step = useStep(nodes);
  const playing = useSignal(false);
  const speed = useSignal(0.5);
  const text = words();
  const go = (to: number) => (step.value = Math.max(0, Math.min(nodes.length - 1, to)));
  useEffect(() => {
    const timer = setInterval(() => {
      if (!playing.value) return;
      go(step.value + 1);
      if (step.value === nodes.length - 1) playing.value = false;
    }, speed.value * 1000);
    return () => clearInterval(timer);
  }, [nodes, speed.value]);
  const node = nodes[step.value]!;
  return (
    <div class="tree-view">
      <Icicle nodes={nodes} step={step} onPick={(picked) => go(picked.index)} />
      <p class="controls">
        <button aria-label={text.back} onClick={() => go(step.value - 1)}>◀</button>
        <button onClick={() => (playing.value = !playing.value)}>{playing.value ? text.pauseTree : text.playTree}</button>
        <button aria-label={text.step} onClick={() => go(step.value + 1)}>▶</button>
        <select aria-label={text.speed} value={String(speed.value)} onChange={(event) => (speed.value = Number(event.currentTarget.value))}>
          {SPEEDS.map((seconds) => <option key={seconds} value={String(seconds)}>{seconds} s</option>)}
        </select>
        <input type="range" min={0} max={nodes.length - 1} value={step.value} aria-label={text.step} onInput={(event) => go(Number(event.currentTarget.value))} />
        <span>{step.value + 1} / {nodes.length}</span>
      </p>
      <p role="status">
        <strong>{path(nodes, node)}</strong>: {text.valueIs} {node.score ? scoreText(node.score) : '?'}, {node.visits === null ? <>{text.windowIs} ({node.alpha ? scoreText(node.alpha) : '−∞'}, {node.beta ? scoreText(node.beta) : '+∞'}). {sentence(nodes, node)}</> : text.visits(node.visits)}
      </p>
      {node.visits === null && <NumberLine nodes={nodes} node={node} />}
    </div>
  );
}

/** The step of each tree: another tree begins at its end, where all is seen. */
function useStep(nodes: readonly TreeNode[]) {
  const step = useSignal(nodes.length - 1);
  const drawn = useSignal(nodes.length);
  if (drawn.peek() !== nodes.length || step.peek() >= nodes.length) {
    drawn.value = nodes.length;
    step.value = nodes.length - 1;
  }
  return step;
}

function path(nodes: readonly TreeNode[], node: TreeNode): string {
  const moves: string[] = [];
  for (let at: TreeNode | undefined = node; at; at = at.parent === null ? undefined : nodes[at.parent]) moves.unshift(at.move);
  return moves.join(' ');
}

/** The window of a node as an interval on the line of all values. */
function NumberLine({ nodes, node }: { nodes: readonly TreeNode[]; node: TreeNode }) {
  const values = nodes.map(({ score }) => number(score)).filter((value): value is number => value !== null && Number.isFinite(value));
  const [least, most] = [Math.min(0, ...values), Math.max(1, ...values)];
  const x = (value: number | null, open: number) => (value === null ? open : Math.max(0, Math.min(100, (100 * (value - least)) / (most - least))));
  const [from, to] = [x(number(node.alpha), 0), x(number(node.beta), 100)];
  const value = number(node.score);
  const label = (value: number) => String(Math.round(value * 100) / 100);
  return (
    <div class="number-line-frame">
      <span>{label(least)}</span>
      <svg class="number-line" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <line x1="0" y1="4" x2="100" y2="4" class="axis" />
        <rect x={Math.min(from, to)} y="1.5" width={Math.max(0.6, Math.abs(to - from))} height="5" class="window" />
        {value !== null && <rect x={x(value, 50) - 0.4} y="0" width="0.8" height="8" class="value" />}
      </svg>
      <span>{label(most)}</span>
    </div>
  );
}
