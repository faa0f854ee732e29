import { describe, expect, it } from 'vitest';
import type { TraceVisit, VisitedNode } from '../../src/api/client';
import { isCut, nodeAt, ofTrace, ofVisits } from '../../src/tree/layout';

const visit = (parent: number | null, move: string, ply: number, event: string | null = null, iteration = 2): TraceVisit =>
  ({ parent, move, ply, event, iteration, depth: 0, alpha: null, beta: null, score: null, nodes: 1, cutoffs: 0, table_hits: 0 }) as TraceVisit;

describe('the icicle', () => {
  // Of the first iteration there is only `old`, which is not drawn.
  const trace = [visit(null, 'old', 1, null, 1), visit(null, 'a', 1), visit(1, 'b', 2), visit(1, 'c', 2), visit(null, 'd', 1, 'cutoff'), visit(4, 'e', 2)];
  const nodes = ofTrace(trace);

  it('shows the last iteration in the order of visits', () => {
    expect(nodes.map(({ move }) => move)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(nodes.map(({ parent }) => parent)).toEqual([null, 0, 0, null, 3]);
  });

  it('gives every node the height of its leaves, within its parent', () => {
    // What was cut off below `d` has the room of a leaf.
    expect(nodes.map(({ size }) => size)).toEqual([2, 1, 1, 2, 1]);
    const [a, b, c, d, e] = nodes;
    expect([a!.top, a!.bottom, d!.bottom]).toEqual([0, 1 / 2, 1]);
    expect([b!.top, b!.bottom, c!.bottom]).toEqual([a!.top, 1 / 4, a!.bottom]);
    expect([e!.top, e!.bottom]).toEqual([1 / 2, 3 / 4]);
    expect(nodeAt(nodes, 2, 0.7)?.move).toBe('e');
    expect(nodeAt(nodes, 2, 0.9)).toBeNull();
    expect(nodeAt(nodes, 3, 0.9)).toBeNull();
  });

  it('gives every node of a tree of playouts the height of its visits', () => {
    const score = { kind: 'estimate', value: 0.5 } as VisitedNode['score'];
    const [a, b, c] = ofVisits([{ parent: null, ply: 1, move: 'a', visits: 60, score }, { parent: 0, ply: 2, move: 'b', visits: 30, score }, { parent: null, ply: 1, move: 'c', visits: 20, score }]);
    expect([a!.bottom, c!.top, c!.bottom]).toEqual([3 / 4, 3 / 4, 1]);
    // Half of the visits of `a` went to moves that are not shown.
    expect([b!.top, b!.bottom, b!.parent]).toEqual([0, 3 / 8, 0]);
  });

  it('knows which nodes were cut', () => {
    expect(nodes.filter(isCut).map(({ move }) => move)).toEqual(['d']);
    expect(isCut({ ...nodes[0]!, event: 'evaluated' })).toBe(false);
    expect(isCut({ ...nodes[0]!, event: 'razor' })).toBe(true);
  });
});
