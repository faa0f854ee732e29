// An icicle of a search: one column a ply, children to the right of their parent, as high as their leaves.

import type { DecidedBy, Score, TraceVisit, VisitedNode } from '../api/client';

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
  event: DecidedBy | null;
  /** How often a search by playouts came here; null in a trace. */
  visits: number | null;
  /** Leaves below it and one for what was cut off, or visits. */
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
      alpha: visit.alpha ?? null, beta: visit.beta ?? null, event: visit.event ?? null, visits: null, size: 0, top: 0, bottom: 0,
    });
  });
  // What was cut off has the room of a leaf.
  for (const node of nodes.toReversed()) node.size = sum(node.children.map((child) => nodes[child]!.size)) + (node.children.length === 0 || isCut(node) ? 1 : 0);
  return spread(nodes);
}

/** The top of a tree of playouts: as high as its visits. What is not shown leaves room. */
export function ofVisits(tree: readonly VisitedNode[]): TreeNode[] {
  const nodes = tree.map(({ parent, ply, move, score, visits }, index): TreeNode => ({
    index, parent: parent ?? null, children: [], ply, move, score, alpha: null, beta: null, event: null, visits, size: visits, top: 0, bottom: 0,
  }));
  for (const { index, parent } of nodes) if (parent !== null) nodes[parent]!.children.push(index);
  return spread(nodes);
}

/** Gives each node its share of its parent's height. */
function spread(nodes: TreeNode[]): TreeNode[] {
  const roots = nodes.filter(({ parent }) => parent === null);
  share(roots, 0, 1, 0);
  for (const node of nodes) share(node.children.map((child) => nodes[child]!), node.top, node.bottom, node.size);
  return nodes;
}

/** Siblings share their parent's height; of a size that is more than theirs together they leave a part. */
function share(siblings: TreeNode[], top: number, bottom: number, size: number) {
  const all = Math.max(size, sum(siblings.map((node) => node.size))) || 1;
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
const KNOWN_EVENTS: readonly DecidedBy[] = ['evaluated', 'table', 'lookahead', 'history', 'threats'];

/** Whether moves of the node were left out. */
export function isCut({ event }: TreeNode): boolean {
  return event !== null && !KNOWN_EVENTS.includes(event);
}
