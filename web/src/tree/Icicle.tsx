// The icicle on a canvas: thousands of nodes are drawn within a frame.

import { effect, type ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { scoreText, words } from '../words';
import { isCut, nodeAt, number, type TreeNode } from './layout';

interface Props {
  nodes: readonly TreeNode[];
  /** Nodes entered so far. */
  step: ReadonlySignal<number>;
  onPick(node: TreeNode): void;
}

/** Height of the drawing and least width of a ply, in CSS pixels. */
const HEIGHT = 420;
const LEAST_COLUMN = 74;

export function Icicle({ nodes, step, onPick }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const plies = Math.max(1, ...nodes.map(({ ply }) => ply));
  useEffect(() => effect(() => draw(canvas.current!, nodes, plies, step.value)), [nodes, step]);
  const pick = (event: MouseEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    const node = nodeAt(nodes, Math.floor(((event.clientX - box.left) / box.width) * plies) + 1, (event.clientY - box.top) / box.height);
    if (node) onPick(node);
  };
  return (
    <div class="scroll">
      <canvas ref={canvas} class="icicle" role="img" aria-label={`${words().tree}: ${nodes.length}`} onClick={pick} />
    </div>
  );
}

function draw(canvas: HTMLCanvasElement, nodes: readonly TreeNode[], plies: number, step: number) {
  const width = Math.max(canvas.parentElement!.clientWidth, plies * LEAST_COLUMN);
  const scale = devicePixelRatio;
  if (canvas.width !== Math.round(width * scale)) {
    [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(HEIGHT * scale)];
    canvas.style.width = `${width}px`;
    canvas.style.height = `${HEIGHT}px`;
  }
  const context = canvas.getContext('2d')!;
  const styles = getComputedStyle(canvas);
  const colors = { edge: styles.getPropertyValue('--edge'), text: styles.color, accent: styles.getPropertyValue('--accent'), ground: styles.backgroundColor };
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, HEIGHT);
  context.font = '12px system-ui, sans-serif';
  const column = width / plies;
  const top = Math.max(1, ...nodes.map(({ score }) => Math.abs(finite(score))));
  for (const node of nodes) {
    const [x, y, height] = [(node.ply - 1) * column, node.top * HEIGHT, (node.bottom - node.top) * HEIGHT];
    const entered = node.index <= step;
    context.fillStyle = entered ? shade(node, top) : 'rgb(128 128 128 / 18%)';
    context.fillRect(x, y, column - 1, Math.max(height - 1, 0.6));
    if (entered && node.index === step) {
      context.strokeStyle = colors.accent;
      context.lineWidth = 3;
      context.strokeRect(x + 1.5, y + 1.5, column - 4, Math.max(height - 4, 1));
    }
    if (entered && isCut(node) && !isPruned(node)) drawCut(context, { x: x + column, y: (nodes[node.children.at(-1)!]!.bottom) * HEIGHT, bottom: node.bottom * HEIGHT, width: column - 1 }, colors.text);
    if (height < 13) continue;
    context.fillStyle = colors.text;
    const value = entered && node.score ? ` ${scoreText(node.score)}` : '';
    context.fillText(`${isPruned(node) && entered ? '✂ ' : ''}${node.move}${value}`, x + 4, y + Math.min(height / 2 + 4, 16), column - 8);
  }
}

function finite(score: TreeNode['score']): number {
  const value = number(score);
  return value === null || !Number.isFinite(value) ? 0 : value;
}

/** Whether a node was left without a search: all of it was cut. */
const isPruned = (node: TreeNode) => isCut(node) && node.children.length === 0;

/** The brothers that were not looked at, below the last one that was: grey, with scissors. */
function drawCut(context: CanvasRenderingContext2D, { x, y, bottom, width }: { x: number; y: number; bottom: number; width: number }, color: string) {
  context.fillStyle = 'rgb(128 128 128 / 45%)';
  context.fillRect(x, y, width, Math.max(bottom - y - 1, 0.6));
  if (bottom - y < 13) return;
  context.fillStyle = color;
  context.fillText('✂', x + 4, y + Math.min((bottom - y) / 2 + 4, 16));
}

/** Blue is good for the root's side, orange bad; grey for branches that were cut. */
function shade(node: TreeNode, top: number): string {
  if (isPruned(node)) return 'rgb(128 128 128 / 45%)';
  const value = number(node.score);
  if (value === null) return 'rgb(128 128 128 / 25%)';
  const share = node.score!.kind === 'estimate' ? 2 * value - 1 : Math.max(-1, Math.min(1, value / top));
  const strength = 15 + Math.round(Math.abs(share) * 45);
  return share >= 0 ? `rgb(40 110 220 / ${strength}%)` : `rgb(230 120 30 / ${strength}%)`;
}
