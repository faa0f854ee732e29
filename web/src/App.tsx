// The page: a board, and the panels of the mode.

import { signal, useSignal } from '@preact/signals';
import { lazy } from './lazy';
import { useEffect, useRef } from 'preact/hooks';
import { BoardView, placeId } from './board/Board';
import { Light } from './board/Piece';
import type { MoveRating } from './api/client';
import { gestureOf, gesturesOf, target, type Gesture } from './board/geometry';
import type { Mark } from './board/marks';
import { Controls, hint, mayTakeBack, sideTitle, Status, WordMoves, verdict } from './panels/Controls';
import { Analyst, EvaluationBar, SearchPanel } from './panels/Evaluation';
import { Header } from './panels/Header';
import { Moves } from './panels/Moves';
import { NewGame } from './panels/NewGame';
import { atEnd, board, dispatch, game, hinted, hintStep, hovered, insight, lastKnown, legal, mayMove, moveText, personSide, play, seat, shown, state } from './store/session';
import { Table } from './table/Table';
import { percent, scoreText, words } from './words';

const ReviewPanel = lazy(() => import('./review/ReviewPanel').then((module) => module.ReviewPanel));
const LearnPanel = lazy(() => import('./lessons/LearnPanel').then((module) => module.LearnPanel));
const TreePanel = lazy(() => import('./tree/TreePanel').then((module) => module.TreePanel));

const LETTER_KEYS = 'bestmove.letter-keys';
const letterKeys = signal(localStorage.getItem(LETTER_KEYS) !== 'off');

/** Moves that are steps on the board, by arrow key; a flipped board turns them round. */
const STEPS: Record<string, [string, string]> = { ArrowLeft: ['-x', '+x'], ArrowRight: ['+x', '-x'], ArrowDown: ['-y', '+y'], ArrowUp: ['+y', '-y'] };

/** The legal step of an arrow key, where it is a person's turn in a game that has steps. */
function stepOf(key: string): string | null {
  const step = STEPS[key]?.[state.value.flipped ? 1 : 0];
  return step && mayMove.value && turn() === 'person' && legal.value.words.includes(step) ? step : null;
}

export function App() {
  const choosing = useSignal(false);
  const showsKeys = useSignal(false);
  const sheet = useSignal(false);
  const sheetCloser = useRef<HTMLButtonElement>(null);
  const closeSheet = () => {
    sheet.value = false;
    document.querySelector<HTMLElement>('[aria-controls=side]')?.focus();
  };
  useEffect(() => {
    if (sheet.value) sheetCloser.current?.focus();
  }, [sheet.value]);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).closest?.('input, textarea, select, dialog')) return;
      const step = stepOf(event.key);
      const letter = letterKeys.value && state.value.mode !== 'learn' ? event.key : '';
      if (step) play(step);
      else if (event.key === 'Escape' && sheet.value) closeSheet();
      else if (letter === 'u' && mayTakeBack()) dispatch({ type: 'take_back', person: personSide() });
      else if (letter === 'h') hint();
      else if (letter === 'f') dispatch({ type: 'flip' });
      else if (letter === '?' || letter === '/') showsKeys.value = !showsKeys.value;
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  const { mode } = state.value;
  return (
    <>
      <Header />
      <Light />
      <main class={`page ${mode}`} data-turn={turn()} data-gestures={JSON.stringify(legal.value.gestures.map(({ places }) => places.map(placeId)))}>
        {mode === 'learn' ? <LearnPanel /> : (
          <>
            <div class="stage">
              <EvaluationBar />
              <Stage />
            </div>
            <div class="under">
              <Status />
              <WordMoves />
              <Controls onNew={() => (choosing.value = true)} onSheet={() => (sheet.value = true)} sheetIsOpen={sheet.value} onKeys={() => (showsKeys.value = !showsKeys.value)} showsKeys={showsKeys.value} />
              {showsKeys.value && <Keys />}
            </div>
            <aside id="side" class={sheet.value ? 'side open' : 'side'}>
              <button ref={sheetCloser} class="sheet-toggle" onClick={closeSheet}>{words().close}</button>
              {mode === 'analyse' && <Analyst />}
              {mode !== 'review' && <SearchPanel />}
              {mode !== 'review' && <Moves />}
              {mode === 'review' && <ReviewPanel />}
              {mode === 'analyse' && <TreePanel />}
            </aside>
          </>
        )}
      </main>
      <Announcer />
      {choosing.value && <NewGame onClose={() => (choosing.value = false)} />}
    </>
  );
}

/** The keys, and whether those that are letters do anything: they may be another program's. */
function Keys() {
  const text = words();
  const choose = (on: boolean) => {
    letterKeys.value = on;
    localStorage.setItem(LETTER_KEYS, on ? 'on' : 'off');
  };
  return (
    <p class="keys">
      {text.keys} <label><input type="checkbox" checked={letterKeys.value} onChange={(event) => choose(event.currentTarget.checked)} /> {text.letterKeys}</label>
    </p>
  );
}

/** Whose turn it is, for whoever drives the page. */
function turn(): 'person' | 'engine' | 'over' {
  if (verdict()) return 'over';
  return shown.value && seat.value?.kind === 'person' && atEnd.value ? 'person' : 'engine';
}

const NO_MOVES = { gestures: [], words: [] };

/** The board, or the table of a game without one. */
function Stage() {
  const seen = lastKnown.value;
  if (!seen || !game.value) return <div class="board empty-board" aria-busy="true" />;
  if (!board.value) return <Table position={seen} titles={game.value.side_titles} hidden={hiddenSide()} isOpen={mayMove.value && seen === shown.value} onMove={play} />;
  const { record, flipped, mode } = state.value;
  const lastMove = record.plies[record.shown - 1]?.move;
  const last = lastMove ? lastGesture(lastMove) : null;
  const best = hintGestures();
  const drawn = arrows(best);
  const covered = drawn.map((gesture) => placeId(target(gesture)));
  return (
    <BoardView
      board={board.value}
      legal={mayMove.value ? legal.value : NO_MOVES}
      last={last}
      marks={mode === 'analyse' ? marks().filter(({ gesture }) => !covered.includes(placeId(target(gesture)))) : []}
      arrows={drawn}
      pointed={hintStep.value === 1 && best[0] ? best[0].places[0] : null}
      flipped={flipped}
      onMove={play}
    />
  );
}

/** The side whose hand is not shown: the opponent's, where cards are hidden and a person plays. */
function hiddenSide(): number | null {
  const person = personSide();
  if (state.value.mode !== 'play' || !game.value?.hidden || person === null || verdict()) return null;
  return 1 - game.value.sides.indexOf(person);
}

/** Where the last move went. A column is taken by the piece that lies on top of it. */
function lastGesture(move: string): Gesture | null {
  const drawn = board.value!;
  if (drawn.info.moves !== 'column') return gestureOf(drawn, move);
  const column = drawn.columns.indexOf(move);
  const row = drawn.marks.findIndex((line) => drawn.pieces.has(line[column]!));
  return row < 0 ? null : { move, places: [{ column, row }] };
}

/** What is drawn over the board: the line under the pointer, a hint's, or the moves of a proved win. */
function arrows(best: Gesture[]): Gesture[] {
  if (hovered.value.length > 0) return gestures(hovered.value);
  if (hintStep.value >= 3) return best;
  if (hintStep.value === 2) return best.slice(0, 1);
  const { answer } = insight.value ?? {};
  return state.value.mode === 'analyse' && answer?.proved && answer.score?.kind === 'win' && answer.score.plies <= LONGEST_DRAWN ? gestures(answer.principal_variation) : [];
}

const hintGestures = () => gestures(hinted.value?.principal_variation ?? []);

/** Moves of a line that are drawn at most; longer wins are not seen at a glance. */
const LONGEST_DRAWN = 7;

/** The first moves of a line that are made on the board. */
const gestures = (line: readonly string[]): Gesture[] => gesturesOf(board.value!, line.slice(0, LONGEST_DRAWN));

/** The rating of every legal move, as colour and number. */
function marks(): Mark[] {
  const answer = insight.value?.answer;
  if (!answer?.ratings || !board.value) return [];
  return answer.ratings.filter(({ score }) => score.kind !== 'unknown').flatMap((rating) => {
    const gesture = gestureOf(board.value!, rating.move);
    if (!gesture) return [];
    const text = markText(rating);
    return [{ gesture, class: rating.class ?? 'correct', text, best: rating.move === answer.best_move }];
  });
}

/** A proved result with its plies, won or lost; all else as a chance of winning in percent. */
function markText({ score, win_probability: share }: MoveRating): string {
  switch (score.kind) {
    case 'win':
      return `✓${score.plies}`;
    case 'loss':
      return `✗${score.plies}`;
    case 'draw':
      return '=';
    default:
      return share === null || share === undefined ? scoreText(score) : String(Math.round(share * 100));
  }
}

/** Announces moves and the end of a game to screen readers. */
function Announcer() {
  const { plies, shown: at } = state.value.record;
  const last = plies[at - 1];
  const name = last && (last.mover === 'chance' ? words().chance : sideTitle(last.mover));
  const known = shown.value && !verdict() ? insight.value?.answer?.win_probability : null;
  return (
    <p class="heard" aria-live="polite">
      {last && words().announced(name!, moveText(last))} {verdict() ?? ''} {known !== null && known !== undefined && insight.value?.done ? percent(known) : ''}
    </p>
  );
}

