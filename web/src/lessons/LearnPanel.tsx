// Lessons: one at a time, with the service as judge.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask, type Answer, type Position } from '../api/client';
import { errorText, language, scoreText, words } from '../words';
import { ofTrace } from '../tree/layout';
import { TreeView } from '../tree/TreePanel';
import { BoardView } from '../board/Board';
import { boardOf } from '../board/geometry';
import { games } from '../store/session';
import { Table } from '../table/Table';
import { LESSONS, type Lesson } from './lessons';
import { leavesOf, TreeDrawing, type ExplicitNode } from './TreeDrawing';

/** What is known about a lesson: its position, the judge's answer, what is right. */
interface Judged {
  lesson: string;
  tree: ExplicitNode | null;
  /** The position of a game that is no tree. */
  position: Position;
  answer: Answer;
  right: string[];
  choices: string[];
}

async function prepare(lesson: Lesson): Promise<Judged> {
  const asked = { game: lesson.game, state: lesson.state, ...lesson.judge };
  const [position, answer] = await Promise.all([
    ask<Position>('/v1/position', { game: lesson.game, state: lesson.state }),
    ask<Answer>('/v1/bestmove', asked),
  ]);
  const tree = lesson.game === 'tree' ? (position.state.json as unknown as ExplicitNode) : null;
  const leaves = tree ? leavesOf(tree) : [];
  const right = lesson.id === 'uct' ? await nextVisit(lesson, answer) : lesson.right(answer, leaves);
  return { lesson: lesson.id, tree, position, answer, right, choices: choicesOf(lesson, position, answer, leaves) };
}

/** One simulation more, with the same seed: the son that has got it. */
async function nextVisit(lesson: Lesson, before: Answer): Promise<string[]> {
  const { simulations } = lesson.judge.budget as { simulations: number };
  const after = await ask<Answer>('/v1/bestmove', { game: lesson.game, state: lesson.state, ...lesson.judge, budget: { simulations: simulations + 1 } });
  const visits = (answer: Answer) => new Map(answer.ratings!.map(({ move, score }) => [move, visitsOf(score!)]));
  const had = visits(before);
  return [...visits(after)].filter(([move, count]) => count > (had.get(move) ?? 0)).map(([move]) => move);
}

const visitsOf = (score: Answer['score']) => (score?.kind === 'estimate' ? (score.simulations ?? 0) : 0);

function choicesOf(lesson: Lesson, position: Position, answer: Answer, leaves: readonly string[]): string[] {
  switch (lesson.choices) {
    case 'sons':
      return position.legal_moves;
    case 'leaves':
      return [...leaves];
    case 'numbers':
      return leaves.map((_, index) => String(index + 1));
    case 'rated':
      return answer.ratings!.map(({ move }) => move).sort();
    case 'replies':
      // A null-window search that fails is repeated with the open window.
      return [...new Set(answer.trace!.filter(({ parent }) => parent === 0).map(({ move }) => move!))];
  }
}

export function LearnPanel() {
  const index = useSignal(0);
  const judged = useSignal<Judged | null>(null);
  const picked = useSignal<ReadonlySet<string>>(new Set());
  const verdict = useSignal<boolean | null>(null);
  const shows = useSignal(false);
  const trouble = useSignal('');
  const lesson = LESSONS[index.value]!;
  const text = words();
  const said = (both: { en: string; zh: string }) => both[language.value];
  useEffect(() => {
    judged.value = null;
    picked.value = new Set();
    verdict.value = null;
    shows.value = false;
    trouble.value = '';
    // An answer that comes after another lesson has begun is not wanted any more.
    let isCurrent = true;
    prepare(lesson).then((next) => isCurrent && (judged.value = next), (error: unknown) => isCurrent && (trouble.value = errorText(error)));
    return () => void (isCurrent = false);
  }, [lesson]);
  const pick = (name: string) => {
    const next = new Set(lesson.several ? picked.value : []);
    if (!next.delete(name)) next.add(name);
    picked.value = next;
    verdict.value = null;
  };
  const check = () => {
    const right = new Set(judged.value!.right);
    verdict.value = right.size === picked.value.size && [...right].every((name) => picked.value.has(name));
    if (verdict.value) shows.value = true;
  };
  const known = judged.value?.lesson === lesson.id ? judged.value : null;
  return (
    <div class="learn">
      <nav class="controls" aria-label={text.lesson}>
        {LESSONS.map((listed, at) => <button key={listed.id} aria-pressed={at === index.value} onClick={() => (index.value = at)}>{at + 1} {said(listed.title)}</button>)}
      </nav>
      <h2>{said(lesson.title)}</h2>
      <p>{said(lesson.text)}</p>
      <p><strong>{said(lesson.question)}</strong></p>
      {trouble.value && <p class="trouble" role="alert">{trouble.value}</p>}
      {known?.tree && (
        <TreeDrawing root={known.tree} open={new Set(lesson.choices === 'numbers' ? [] : known.choices)} picked={picked.value} judged={shows.value ? ofTrace(known.answer.trace ?? []) : null} onPick={pick} />
      )}
      {known && !known.tree && <LessonPosition position={known.position} />}
      {known && lesson.choices === 'rated' && <Visits answer={known.answer} />}
      {known && (!known.tree || lesson.choices === 'numbers') && (
        <p class="controls">{known.choices.map((name) => <button key={name} aria-pressed={picked.value.has(name)} onClick={() => pick(name)}>{name}</button>)}</p>
      )}
      <p class="controls">
        <button class="primary" disabled={picked.value.size === 0 || !known} onClick={check}>{text.check}</button>
        <button disabled={!known} onClick={() => { shows.value = true; picked.value = new Set(known!.right); }}>{text.showAnswer}</button>
        <button disabled={index.value === LESSONS.length - 1} onClick={() => index.value++}>{text.nextLesson}</button>
      </p>
      <p role="status" class={verdict.value ? 'right' : 'wrong'}>{verdict.value === null ? '' : verdict.value ? `${text.right} ${text.judged}` : text.wrong}</p>
      {shows.value && known?.answer.trace && known.answer.trace.length > 0 && <TreeView nodes={ofTrace(known.answer.trace)} />}
    </div>
  );
}

/** The board of a lesson's position, or its table. */
function LessonPosition({ position }: { position: Position }) {
  const info = games.value.find(({ name }) => name === position.game);
  if (!info) return null;
  const board = info.board && position.board ? boardOf(info.board, position.board) : null;
  if (!board) return <Table position={position} titles={info.side_titles} hidden={null} isOpen={false} onMove={() => undefined} />;
  return <div class="lesson-board"><BoardView board={board} legal={NO_MOVES} last={null} marks={[]} arrows={[]} pointed={null} flipped={false} onMove={() => undefined} /></div>;
}

const NO_MOVES = { gestures: [], words: [] };

/** Sons of a tree search with what the formula takes. */
function Visits({ answer }: { answer: Answer }) {
  const all = answer.ratings!.reduce((sum, { score }) => sum + visitsOf(score), 0);
  return (
    <div class="scroll">
      <table>
        <thead><tr><th>{words().moves}</th><th>w/n</th><th>n</th><th>N = {all}</th></tr></thead>
        <tbody>
          {[...answer.ratings!].sort((a, b) => (a.move < b.move ? -1 : 1)).map(({ move, score }) => (
            <tr key={move}><td>{move}</td><td>{scoreText(score!)}</td><td>{visitsOf(score)}</td><td>√(ln {all} / {visitsOf(score)}) = {Math.sqrt(Math.log(all) / Math.max(1, visitsOf(score))).toFixed(2)}</td></tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
