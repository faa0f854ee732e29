// An icicle of a search: one column a ply, children to the right of their parent, as high as their leaves.

import type { Answer, Score, TraceVisit } from '../api/client';

export interface TreeNode {
  /** Index in the order of visits. */
  index: number;
  parent: number | null;
  children: number[];
  ply: number;
  move: string;
  score: Score | null;
  alpha: Score | null;
  beta: Score | null;
  /** What decided it, if not its children alone. */
  event: string | null;
  /** Leaves below it, or visits. */
  size: number;
  /** Upper and lower edge from 0 to 1. */
  top: number;
  bottom: number;
}

/** The visits of the last iteration, laid out. */
export function ofTrace(trace: readonly TraceVisit[]): TreeNode[] {
  const last = Math.max(0, ...trace.map(({ iteration }) => iteration));
  const places = new Map<number, number>();
  const nodes: TreeNode[] = [];
  trace.forEach((visit, at) => {
    if (visit.iteration !== last) return;
    const parent = visit.parent === null || visit.parent === undefined ? null : (places.get(visit.parent) ?? null);
    places.set(at, nodes.length);
    if (parent !== null) nodes[parent]!.children.push(nodes.length);
    nodes.push({
      index: nodes.length, parent, children: [], ply: visit.ply, move: visit.move ?? '·', score: visit.score ?? null,
      alpha: visit.alpha ?? null, beta: visit.beta ?? null, event: visit.event ?? null, size: 0, top: 0, bottom: 0,
    });
  });
  for (const node of nodes.toReversed()) node.size = node.children.length === 0 ? 1 : sum(node.children.map((child) => nodes[child]!.size));
  return spread(nodes);
}

/** The rated moves of a tree search and the best play after each: visits as height. */
export function ofVisits(answer: Answer): TreeNode[] {
  const nodes: TreeNode[] = [];
  for (const rating of answer.ratings ?? []) {
    const score = rating.score!;
    const size = score.kind === 'estimate' ? (score.simulations ?? 0) : 1;
    let parent: number | null = null;
    for (const [depth, move] of (rating.principal_variation ?? [rating.move]).slice(0, 6).entries()) {
      if (parent !== null) nodes[parent]!.children.push(nodes.length);
      nodes.push({ index: nodes.length, parent, children: [], ply: depth + 1, move, score: depth === 0 ? score : null, alpha: null, beta: null, event: null, size, top: 0, bottom: 0 });
      parent = nodes.length - 1;
    }
  }
  return spread(nodes);
}

/** Gives each node its share of its parent's height. */
function spread(nodes: TreeNode[]): TreeNode[] {
  const roots = nodes.filter(({ parent }) => parent === null);
  share(roots, 0, 1);
  for (const node of nodes) share(node.children.map((child) => nodes[child]!), node.top, node.bottom);
  return nodes;
}

function share(siblings: TreeNode[], top: number, bottom: number) {
  const all = sum(siblings.map(({ size }) => size)) || 1;
  let edge = top;
  for (const node of siblings) {
    node.top = edge;
    edge += ((bottom - top) * node.size) / all;
    node.bottom = edge;
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** The node under a point; `y` from 0 to 1. */
export function nodeAt(nodes: readonly TreeNode[], ply: number, y: number): TreeNode | null {
  return nodes.find((node) => node.ply === ply && node.top <= y && y < node.bottom) ?? null;
}

/** A score as a number, for colours and the number line: proofs lie beyond all evaluations. */
export function number(score: Score | null): number | null {
  switch (score?.kind) {
    case undefined:
      return null;
    case 'win':
      return Infinity;
    case 'loss':
      return -Infinity;
    case 'draw':
      return 0;
    default:
      return (score as { value: number }).value;
  }
}

/** Events that decide a node without leaving moves out. */
const KNOWN_EVENTS = ['evaluated', 'table', 'lookahead', 'history'];

/** Whether moves of the node were left out. */
export function isCut({ event }: TreeNode): boolean {
  return event !== null && !KNOWN_EVENTS.includes(event);
}
