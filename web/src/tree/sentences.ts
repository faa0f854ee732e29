// What decided a node, in words.

import { language, scoreText } from '../words';
import type { DecidedBy } from '../api/client';
import { number, type TreeNode } from './layout';

type Sentences = {
  atBeta(move: string, value: string, beta: string): string;
  atAlpha(move: string, value: string, alpha: string): string;
  events: Record<Exclude<DecidedBy, 'cutoff'>, string>;
  children(value: string): string;
  leaf: string;
};

const en: Sentences = {
  atBeta: (move, value, beta) => `After ${move} it is worth ${value} ≥ beta ${beta}: the other side has something better elsewhere and will not come here. ✂ The other moves are not looked at.`,
  atAlpha: (move, value, alpha) => `After ${move} it is worth ${value} ≤ alpha ${alpha}: the root side already has as much elsewhere. ✂ The other replies are not looked at.`,
  events: {
    evaluated: 'The evaluation gives its value.',
    table: 'The transposition table knows it.',
    lookahead: 'The rules show the result without a search.',
    history: 'Repetition or a like rule decides.',
    razor: '✂ Razoring: the evaluation lies so far below alpha that nothing within this depth is expected to make up for it.',
    self_loss: '✂ Self-loss: the move costs the mover more than it can bring.',
    reverse_futility: '✂ Reverse futility: the evaluation lies so far above beta that the other side is not expected to make up for it.',
    null_move: '✂ Null move: even if the mover passed, it would be worth beta or more.',
    probcut: '✂ ProbCut: a shallow search is so far above beta that a deep one most probably is, too.',
    threats: 'A search of threats alone decides it.',
  },
  children: (value) => `Its children give ${value}.`,
  leaf: 'A leaf.',
};

const zh: Sentences = {
  atBeta: (move, value, beta) => `${move} 之后值 ${value} ≥ beta ${beta}:对方在别处有更好的选择,不会走到这里。✂ 其余着法不再搜索。`,
  atAlpha: (move, value, alpha) => `${move} 之后值 ${value} ≤ alpha ${alpha}:根方在别处已有同样的结果。✂ 其余应着不再搜索。`,
  events: {
    evaluated: '由评估函数给出。',
    table: '置换表中已有。',
    lookahead: '由规则直接得出。',
    history: '由重复等规则决定。',
    razor: '✂ 剃刀剪枝:评估值远低于 alpha,在剩余深度内难以追回。',
    self_loss: '✂ 自损剪枝:此着的损失大于可能的收益。',
    reverse_futility: '✂ 反向无用剪枝:评估值远高于 beta,对方难以追回。',
    null_move: '✂ 空着剪枝:即使停一手,仍不低于 beta。',
    probcut: '✂ ProbCut:浅层搜索远高于 beta,深层搜索多半也是。',
    threats: '只搜索威胁即可得出结果。',
  },
  children: (value) => `由子节点得出 ${value}。`,
  leaf: '叶节点。',
};

export function sentence(nodes: readonly TreeNode[], node: TreeNode): string {
  const text = language.value === 'zh' ? zh : en;
  const value = node.score ? scoreText(node.score) : '?';
  if (node.event === 'cutoff') {
    const last = nodes[node.children.at(-1) ?? -1]?.move ?? '·';
    const [worth, beta] = [number(node.score), number(node.beta)];
    if (worth !== null && beta !== null && worth >= beta) return text.atBeta(last, value, scoreText(node.beta!));
    return text.atAlpha(last, value, node.alpha ? scoreText(node.alpha) : '−∞');
  }
  if (node.event === null) return node.children.length === 0 ? text.leaf : text.children(value);
  return text.events[node.event];
}
