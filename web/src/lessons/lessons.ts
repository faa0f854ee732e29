// The lessons: a position, a question that is answered by clicking, and the service's trace as judge.

import type { Answer } from '../api/client';
import type { Json } from '../store/state';

export type Text = { en: string; zh: string };

export interface Lesson {
  id: string;
  title: Text;
  text: Text;
  question: Text;
  /** The position. A tree is drawn, other positions are named. */
  game: string;
  state: Json;
  /** What the judge is asked, beside the position. */
  judge: { [member: string]: Json };
  /** Names to click: sons of the root, leaves of the tree, numbers, or moves in the answer. */
  choices: 'sons' | 'leaves' | 'numbers' | 'rated' | 'replies';
  /** Several names may be right. */
  several: boolean;
  /** The names that are right, by the judge's answer. */
  right(answer: Answer, leaves: readonly string[]): string[];
}

/** Plain alpha-beta from left to right: as in the textbook. */
const PLAIN: Json = { deepening: false, table: 'off', ordering: 'none', pvs: false, aspiration: false };

const visited = (answer: Answer) => new Set((answer.trace ?? []).map(({ move }) => move));

/** What plain alpha-beta makes of a tree. */
const TRACED = { game: 'tree', judge: { algorithm: 'alphabeta', trace: true, ratings: 'none', options: PLAIN } };
/** Which leaves are cut off? */
const CUT_LEAVES = {
  ...TRACED, choices: 'leaves' as const, several: true,
  right: (answer: Answer, leaves: readonly string[]) => leaves.filter((leaf) => !visited(answer).has(leaf)),
};
/** How many leaves are looked at? */
const LEAF_COUNT = {
  ...TRACED, choices: 'numbers' as const, several: false,
  right: (answer: Answer, leaves: readonly string[]) => [String(leaves.filter((leaf) => visited(answer).has(leaf)).length)],
};

const SECOND_DOCUMENT = '[S0, [A, (D, 3), (E, 12), (F, 8)], [B, (G, 2), (H, 4), (I, 6)], [C, (J, 14), (K, 5), (L, 2)]]';
const BEST_FIRST = '[S0, [A, (D, 8), (E, 9)], [B, (F, 5), (G, 7)], [C, (H, 3), (I, 6)], [X, (Y, 1), (Z, 4)]]';
const WORST_FIRST = '[S0, [X, (Z, 4), (Y, 1)], [C, (I, 6), (H, 3)], [B, (G, 7), (F, 5)], [A, (E, 9), (D, 8)]]';

export const LESSONS: readonly Lesson[] = [
  {
    id: 'minimax',
    title: { en: 'Minimax', zh: '极小化极大' },
    text: {
      en: 'MAX (▲) takes the greatest value of its sons, MIN (▼) the smallest. The squares are leaves: what the game is worth there.',
      zh: 'MAX(▲)取子节点中的最大值,MIN(▼)取最小值。方块是叶节点:那里的得分。',
    },
    question: { en: 'Which move does MAX choose?', zh: 'MAX 选择哪一步?' },
    game: 'tree', state: SECOND_DOCUMENT, judge: { algorithm: 'minimax', trace: true, ratings: 'none' },
    choices: 'sons', several: false,
    right: (answer) => [answer.best_move!],
  },
  {
    id: 'alphabeta',
    title: { en: 'Alpha-beta', zh: 'Alpha-beta 剪枝' },
    text: {
      en: 'From left to right: as soon as a MIN node is worth no more than what MAX already has (alpha), its other sons cannot matter.',
      zh: '从左到右:一旦 MIN 节点的值不超过 MAX 已有的值(alpha),其余子节点就无关紧要。',
    },
    question: { en: 'Which leaves are never looked at?', zh: '哪些叶节点不会被搜索?' },
    state: SECOND_DOCUMENT, ...CUT_LEAVES,
  },
  {
    id: 'sons',
    title: { en: 'The father and his sons', zh: '父亲与儿子' },
    text: {
      en: 'A father asks two sons, first the one, then the other. Each answers with the grandson who is worth least to the father; he goes with the son who offers more.',
      zh: '父亲依次问两个儿子。每个儿子给出对父亲最不利的孙子;父亲选择给得更多的儿子。',
    },
    question: { en: 'Which grandson need not be heard?', zh: '哪个孙子不必再问?' },
    state: '[father, [first, (11, 100), (12, 50)], [second, (21, 20), (22, 70)]]', ...CUT_LEAVES,
  },
  {
    id: 'negamax',
    title: { en: 'Negamax', zh: '负极大值' },
    text: {
      en: 'One function in place of two: a node is worth the greatest of its sons, each seen with the other sign, and the window turns with the sign. It cuts what alpha-beta cuts.',
      zh: '一个函数代替两个:节点的值是子节点取负后的最大值,窗口也随之取负。它剪去的与 alpha-beta 相同。',
    },
    question: { en: 'Which leaf is never looked at?', zh: '哪个叶节点不会被搜索?' },
    state: '[R, [1, (11, 100), (12, 50)], [2, (21, -99), (22, 1)]]', ...CUT_LEAVES,
    judge: { algorithm: 'negamax', trace: true, ratings: 'none', budget: { depth: 2 }, options: { pruning: 'both', ordering: 'none' } },
  },
  {
    id: 'equal',
    title: { en: 'Equal values', zh: '相等的值' },
    text: {
      en: 'A reply that is exactly as good as alpha cuts, too: MAX has as much already.',
      zh: '应着的值恰好等于 alpha 时也会剪枝:MAX 已经有这么多。',
    },
    question: { en: 'Which leaves are never looked at?', zh: '哪些叶节点不会被搜索?' },
    state: '[A, [B, (E, 3), (F, 5)], [C, (G, 3), (H, 1)], [D, (I, 3), (J, 4)]]', ...CUT_LEAVES,
  },
  {
    id: 'order-best',
    title: { en: 'Move order: best first', zh: '着法排序:最好的在前' },
    text: { en: 'Here the best move and the best replies come first.', zh: '最好的着法和应着排在最前。' },
    question: { en: 'How many of the eight leaves does alpha-beta look at?', zh: '八个叶节点中,alpha-beta 搜索几个?' },
    state: BEST_FIRST, ...LEAF_COUNT,
  },
  {
    id: 'order-worst',
    title: { en: 'Move order: worst first', zh: '着法排序:最差的在前' },
    text: { en: 'The same tree, the worst moves first. Compare the counts: order is what alpha-beta lives on.', zh: '同一棵树,最差的着法在前。比较次数:alpha-beta 全靠排序。' },
    question: { en: 'How many leaves now?', zh: '现在搜索几个叶节点?' },
    state: WORST_FIRST, ...LEAF_COUNT,
  },
  {
    id: 'uct',
    title: { en: 'UCT', zh: 'UCT' },
    text: {
      en: 'UCT goes to the son with the greatest w/n + c·√(ln N / n): a good result so far, or few visits. N are all visits, n those of the son, c = √2.',
      zh: 'UCT 走向 w/n + c·√(ln N / n) 最大的子节点:目前结果好,或访问少。N 为总访问数,n 为该子节点的访问数,c = √2。',
    },
    question: { en: 'X is to move on x.o/.o./x.. after 30 simulations. Which son is visited next?', zh: '局面 x.o/.o./x..,轮到 X,已模拟 30 次。接下来访问哪个子节点?' },
    game: 'tictactoe', state: 'x.o/.o./x.. x', judge: { algorithm: 'uct', budget: { simulations: 30 }, seed: 1, reproducible: true, options: { solver: false } },
    choices: 'rated', several: false,
    right: () => [],
  },
  {
    id: 'razor',
    title: { en: 'Razor and self-loss', zh: '剃刀与自损剪枝' },
    text: {
      en: 'A move that leaves the position worth beta even after the mover gives something away is not searched in full: self-loss. A position so bad that no quiet move saves it is razored.',
      zh: '如果自损之后局面仍不低于 beta,这步就不必完整搜索:自损剪枝。局面差到没有安静着法能挽回时,用剃刀剪枝。',
    },
    question: { en: 'The first player has played focus. Which replies are pruned, searched four plies deep?', zh: '先手打出 focus。搜索四层时,哪些应着被剪枝?' },
    game: 'easycard', state: 'startpos', judge: { algorithm: 'mc_alphabeta', trace: true, ratings: 'none', reproducible: true, budget: { depth: 4 }, options: { deepening: false, razor: true, self_loss: true } },
    choices: 'replies', several: true,
    right: (answer) => answer.trace!.filter(({ parent, event }) => parent === 0 && (event === 'self_loss' || event === 'razor')).map(({ move }) => move!),
  },
  {
    id: 'chance',
    title: { en: 'Chance nodes', zh: '机会节点' },
    text: { en: 'A chance node (●) is worth the mean of its outcomes, each by its probability.', zh: '机会节点(●)的值是各结果按概率的平均。' },
    question: { en: 'Which move does MAX choose?', zh: 'MAX 选择哪一步?' },
    game: 'tree',
    state: {
      name: 'S0', mover: 'max', children: [
        { name: 'A', mover: 'chance', children: [{ name: 'C', value: 10, probability: 0.5 }, { name: 'D', value: 0, probability: 0.5 }] },
        { name: 'B', mover: 'chance', children: [{ name: 'E', value: 4, probability: 0.75 }, { name: 'F', value: 12, probability: 0.25 }] },
      ],
    },
    judge: { algorithm: 'expectiminimax', trace: true, ratings: 'all' },
    choices: 'sons', several: false,
    right: (answer) => [answer.best_move!],
  },
];
