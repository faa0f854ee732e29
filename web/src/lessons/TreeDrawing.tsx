// An explicit tree as courses draw it: triangles for the sides, discs for chance, squares for leaves.

import { scoreText } from '../words';
import { isCut, type TreeNode } from '../tree/layout';

/** A node of an explicit tree, as the service writes it. */
export interface ExplicitNode {
  name: string;
  mover?: string | null;
  value?: number | null;
  probability?: number | null;
  children?: ExplicitNode[] | null;
}

interface Placed {
  node: ExplicitNode;
  x: number;
  y: number;
  parent: Placed | null;
}

/** Units a leaf and a level. */
const [WIDE, HIGH] = [62, 92];

function place(node: ExplicitNode, depth: number, parent: Placed | null, all: Placed[], leaves: { count: number }): Placed {
  const placed: Placed = { node, x: 0, y: 40 + depth * HIGH, parent };
  all.push(placed);
  const sons = (node.children ?? []).map((child) => place(child, depth + 1, placed, all, leaves));
  placed.x = sons.length > 0 ? (sons[0]!.x + sons.at(-1)!.x) / 2 : (leaves.count++ + 0.5) * WIDE;
  return placed;
}

export function leavesOf(node: ExplicitNode): string[] {
  return node.children?.length ? node.children.flatMap(leavesOf) : [node.name];
}

interface Props {
  root: ExplicitNode;
  /** Names that may be clicked. */
  open: ReadonlySet<string>;
  picked: ReadonlySet<string>;
  /** The trace, once the answer is to be seen. */
  judged: readonly TreeNode[] | null;
  onPick(name: string): void;
}

export function TreeDrawing({ root, open, picked, judged, onPick }: Props) {
  const all: Placed[] = [];
  const leaves = { count: 0 };
  place(root, 0, null, all, leaves);
  const height = Math.max(...all.map(({ y }) => y)) + 50;
  const seen = new Map(judged?.map((node) => [node.move, node]) ?? []);
  const missed = (name: string) => judged !== null && name !== root.name && !seen.has(name);
  return (
    <svg class="tree-drawing" viewBox={`0 0 ${leaves.count * WIDE} ${height}`} role="group" aria-label={root.name}>
      {all.map(({ node, x, y, parent }) => parent && (
        <g key={`edge ${node.name}`} class={missed(node.name) ? 'edge cut' : 'edge'}>
          <line x1={parent.x} y1={parent.y + 16} x2={x} y2={y - 16} />
          {node.probability != null && <text x={(x + parent.x) / 2 + 12} y={(y + parent.y) / 2}>{node.probability}</text>}
          {missed(node.name) && !missed(parent.node.name) && <text x={(x + parent.x) / 2} y={(y + parent.y) / 2 + 5} class="scissors">✂</text>}
        </g>
      ))}
      {all.map(({ node, x, y }) => {
        const known = seen.get(node.name);
        const label = [node.name, node.value == null ? '' : String(node.value)].join(' ').trim();
        const common = { class: `tree-node ${node.mover ?? 'leaf'}${picked.has(node.name) ? ' picked' : ''}${missed(node.name) ? ' cut' : ''}` };
        const pick = () => onPick(node.name);
        const active = open.has(node.name) ? { role: 'button' as const, tabindex: 0, 'aria-pressed': picked.has(node.name), 'aria-label': label, onClick: pick, onKeyDown: (event: KeyboardEvent) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); pick(); } } } : {};
        return (
          <g key={node.name} {...common} {...active}>
            <Shape node={node} x={x} y={y} />
            <text x={x} y={y + 5}>{node.value ?? ''}</text>
            <text x={x + (node.children?.length ? 24 : 0)} y={y + (node.children?.length ? 4 : 32)} class={node.children?.length ? 'node-name beside' : 'node-name'}>{node.name}{known?.score && node.children?.length ? ` ${isCut(known) ? '≤' : '='} ${scoreText(known.score)}` : ''}</text>
          </g>
        );
      })}
    </svg>
  );
}

function Shape({ node, x, y }: { node: ExplicitNode; x: number; y: number }) {
  if (!node.children?.length) return <rect x={x - 15} y={y - 15} width={30} height={30} rx={3} />;
  if (node.mover === 'chance') return <circle cx={x} cy={y} r={16} />;
  const up = node.mover === 'max' ? 1 : -1;
  return <polygon points={`${x},${y - 17 * up} ${x + 18},${y + 15 * up} ${x - 18},${y + 15 * up}`} />;
}
