// The running page: the state, the position shown, and the one search that may be under way.

import { batch, computed, effect, signal, untracked, type Signal } from '@preact/signals';
import { ask, get, RequestError, stream, type AlgorithmInfo, type Answer, type Failure, type GameInfo, type Position } from '../api/client';
import { boardOf, legalMoves } from '../board/geometry';
import { language } from '../words';
import { readAddress, writeAddress } from './address';
import { against, positionKey, positionQuestion, reduce, writtenAt, type Action, type Ply, type Seat, type State, type WrittenMoves } from './state';

/** What a search is for. */
export type Purpose = 'reply' | 'analysis' | 'hint';

/** A search under way or done, for the position with this key. */
export interface Thinking {
  key: string;
  game: string;
  purpose: Purpose;
  /** The position's mover. */
  mover: string;
  answer: Answer | null;
  done: boolean;
  /** Whether it has left the queue of the service; until then, how long that takes in ms, where it is known. */
  begun: boolean;
  expectedMs: number | null;
  /** Whether the first move that is found is played at once. */
  hurried: boolean;
  failure: Failure | null;
  since: number;
}

const HINT_MS = 700;
const ANALYSIS_MS = 3000;
const LAST_GAME = 'bestmove.last-game';

/** Whether a mistake of a reviewed game is played again. */
export const practises = signal(false);
export const games = signal<GameInfo[]>([]);
export const algorithms = signal<AlgorithmInfo[]>([]);
export const state = signal<State>(firstState());
export const position = signal<{ key: string; answer: Position } | null>(null);
export const thinking = signal<Thinking | null>(null);
/** Why the shown position, and why the list of games is not known. */
const positionFailure = signal<Failure | null>(null);
const catalogFailure = signal<Failure | null>(null);
export const failure = computed(() => positionFailure.value ?? catalogFailure.value);
/** How much of a hint is asked for: nothing, the piece, its target, the line. */
export const hintStep = signal(0);
/** The algorithm of analyses. */
export const analyst = signal('auto');
/** The first side's expected result after each ply of the reviewed game, once it is known. */
export const reviewed = signal<readonly (number | null)[] | null>(null);
/** The line that the pointer is on, drawn on the board. */
export const hovered = signal<readonly string[]>([]);

export const key = computed(() => positionKey(state.value.record));
export const game = computed(() => games.value.find(({ name }) => name === state.value.record.game) ?? null);
/** The answer about the shown position; null while it is on its way. */
export const shown = computed(() => (position.value?.key === key.value ? position.value.answer : null));
/** The last position of this game that is known: shown until the next one comes. */
export const lastKnown = computed(() => (position.value?.answer.game === state.value.record.game ? position.value.answer : null));
export const board = computed(() => {
  const info = game.value?.board;
  const marks = lastKnown.value?.board;
  return info && marks ? boardOf(info, marks) : null;
});
export const atEnd = computed(() => state.value.record.shown === state.value.record.plies.length);
/** How a side has ended the game that is played; an analysis goes on behind its end. */
export const ended = computed(() => (state.value.mode === 'analyse' || !atEnd.value ? null : state.value.ended));
export const legal = computed(() => legalMoves(board.value, shown.value && !shown.value.outcome && !ended.value ? shown.value.legal_moves : []));
export const mover = computed(() => shown.value?.side_to_move ?? null);
/** Who is to move: a seat, or null at chance, at the end and while it is not known. */
export const seat = computed<Seat | null>(() => seatOf(mover.value));
/** Whether a person may move in the shown position: not for an engine, and a reviewed game stays as it is. */
export const mayMove = computed(() => ({ play: seat.value?.kind === 'person', analyse: true, review: practises.value, learn: false })[state.value.mode] && !ended.value);
/** What is known about the shown position from a search. */
export const insight = computed(() => (thinking.value?.key === key.value ? thinking.value : null));
/** What a hint shows: the answer of a finished search, or what an analysis has found so far. */
export const hinted = computed(() => {
  const { answer, done, purpose } = insight.value ?? {};
  return answer?.best_move && (done || purpose === 'analysis') ? answer : null;
});

function firstState(): State {
  const addressed = readAddress(location.hash);
  if (addressed) return addressed;
  const last = localStorage.getItem(LAST_GAME);
  return against(last ?? (navigator.language.startsWith('zh') ? 'xiangqi' : 'connect4'), 3);
}

function seatOf(side: string | null): Seat | null {
  const index = game.value?.sides.indexOf(side ?? '') ?? -1;
  return index < 0 ? null : state.value.seats[index]!;
}

/** The side of the person, where one person plays an opponent. */
export function personSide(): string | null {
  const persons = state.value.seats.flatMap(({ kind }, index) => (kind === 'person' ? [index] : []));
  return persons.length === 1 ? (game.value?.sides[persons[0]!] ?? null) : null;
}

/** Actions after which no search goes on: nobody waits for it any more. */
const ENDS_SEARCH: readonly Action['type'][] = ['mode', 'end', 'new', 'load', 'restore'];
/** Actions that begin another game: what was found in the last one says nothing of it. */
const OTHER_GAME: readonly Action['type'][] = ['new', 'load'];

/** Changes the state and the address. The browser's way back leads to positions where a person moves: a reply does not
 *  come again. */
export function dispatch(action: Action) {
  const before = key.value;
  const next = reduce(state.value, action);
  const isStep = OTHER_GAME.includes(action.type) || (action.type === 'play' && mayMove.value);
  const isElsewhere = action.type !== 'mode' || action.mode !== state.value.mode;
  if (ENDS_SEARCH.includes(action.type) && isElsewhere) stop();
  batch(() => {
    if (OTHER_GAME.includes(action.type)) thinking.value = null;
    state.value = next;
    hintStep.value = 0;
    hovered.value = [];
  });
  writeHistory(action.type, isStep);
  localStorage.setItem(LAST_GAME, next.record.game);
  // A loaded game has no moves as people write them yet, even where its last position is known.
  if (action.type === 'load' && key.value === before) void lookUp();
}

/** Browsers refuse more than some hundred changes of the address in half a minute: a pointer over a chart makes more. */
const ADDRESS_MS = 250;
let later: ReturnType<typeof setTimeout> | undefined;

function writeHistory(type: Action['type'], isStep: boolean) {
  const write = () => history.replaceState(null, '', writeAddress(state.value));
  clearTimeout(later);
  if (isStep) history.pushState(null, '', writeAddress(state.value));
  else if (type === 'show') later = setTimeout(write, ADDRESS_MS);
  else write();
}

/** Plays a legal move; `after` is the position after it, where it is known. */
export function play(move: string, after?: Position | null) {
  const before = shown.value;
  if (!before?.legal_moves.includes(move)) return;
  batch(() => {
    const written = writtenAt(before.notations, before.legal_moves.indexOf(move));
    dispatch({ type: 'play', move, mover: before.side_to_move ?? '', written });
    if (after) position.value = { key: key.value, answer: after };
  });
}

let running = new AbortController();

/** Ends the search under way; the service stops it when its client leaves. */
export function stop() {
  running.abort();
  running = new AbortController();
  if (thinking.value && !thinking.value.done) thinking.value = { ...thinking.value, done: true };
}

/** Stops the search for a reply and plays the best move found so far, or the first one to be found. */
export function moveNow() {
  const sought = insight.value;
  if (!sought) return;
  if (!sought.answer?.best_move) {
    thinking.value = { ...sought, hurried: true };
    return;
  }
  stop();
  play(sought.answer.best_move, sought.answer.position);
}

function budgetOf(seat: Seat): object {
  switch (seat.kind) {
    case 'level':
      return { level: seat.level };
    case 'search':
      return { algorithm: seat.algorithm, budget: { time_ms: seat.time_ms } };
    case 'person':
      return { budget: { time_ms: ANALYSIS_MS } };
  }
}

/** Nodes of a tree of playouts that are drawn. */
const TREE_NODES = 600;

/** The algorithm of analyses, where the game has it, and its tree. */
function analysisOf(): object {
  const { algorithms: offered = [], hidden = true } = game.value ?? {};
  // What `auto` stands for may differ from position to position, and not all of it has a tree.
  const algorithm = offered.find((name) => name === analyst.value) ?? 'auto';
  const grows = algorithms.value.some(({ name, grows_tree }) => grows_tree && name === algorithm) && !hidden;
  return grows ? { algorithm, tree_nodes: TREE_NODES } : { algorithm };
}

function questionOf(purpose: Purpose, seat: Seat): object {
  const { options, ...asked } = positionQuestion(state.value.record);
  const common = { ...asked, options };
  if (purpose === 'hint') return { ...common, budget: { time_ms: HINT_MS }, ratings: 'none' };
  if (purpose === 'analysis') return { ...common, ...analysisOf(), budget: { time_ms: ANALYSIS_MS }, ratings: 'all' };
  return { ...common, ...budgetOf(seat), ratings: 'none' };
}

/** Searches the shown position. An answer for another position than the one shown is dropped. */
export async function search(purpose: Purpose, tries = 1, hurried = false): Promise<void> {
  stop();
  const asked = key.value;
  const signal = running.signal;
  const current = () => !signal.aborted && key.value === asked;
  const update = (change: Partial<Thinking>) => {
    if (current() && thinking.value) thinking.value = { ...thinking.value, ...change };
  };
  thinking.value = { key: asked, game: state.value.record.game, purpose, mover: mover.value ?? '', answer: null, done: false, begun: false, expectedMs: null, hurried, failure: null, since: performance.now() };
  try {
    const question = questionOf(purpose, seat.value ?? { kind: 'person' });
    for await (const step of stream<Answer, Answer>('/v1/bestmove', question, signal, (expectedMs) => update({ begun: expectedMs === null, expectedMs }))) {
      update({ answer: step.data, begun: true, done: step.event === 'result' });
      if (current() && thinking.value?.hurried && step.data.best_move) break;
    }
    const answer = thinking.value?.answer;
    if (current() && purpose === 'reply' && answer?.best_move) play(answer.best_move, answer.position);
  } catch (error) {
    if (!(error instanceof RequestError) || !current()) return;
    const { failure } = error;
    update({ done: true, failure: tries > 0 ? failure : refused(failure) });
    if (tries > 0 && (await waited(failure, signal)) && current()) await search(purpose, tries - 1, thinking.value?.hurried);
  }
}

/** A failure after which nothing is tried again by itself. */
const refused = (failure: Failure): Failure => ('wait' in failure ? { ...failure, wait: 0 } : failure);

/** Waits as long as the service asks for; false where it does not, or nobody waits any more. */
async function waited(failure: Failure, signal: AbortSignal): Promise<boolean> {
  if (!('wait' in failure)) return false;
  await pause(failure.wait * 1000, signal);
  return !signal.aborted;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

let looking = new AbortController();

/** Fetches the shown position. */
async function lookUp(tries = 1) {
  looking.abort();
  looking = new AbortController();
  const [asked, { signal }] = [key.value, looking];
  try {
    const answer = await ask<Position>('/v1/position', positionQuestion(state.value.record), signal);
    if (signal.aborted || key.value !== asked) return;
    batch(() => {
      positionFailure.value = null;
      position.value = { key: asked, answer };
    });
    await lookUpWritten(answer, signal);
  } catch (error) {
    if (error instanceof RequestError && !signal.aborted) await failed(positionFailure, error.failure, tries, signal, () => lookUp(tries - 1));
  }
}

/** Shows a failure, and tries again where the service says when. */
async function failed(failure: Signal<Failure | null>, found: Failure, tries: number, signal: AbortSignal, again: () => Promise<void>) {
  failure.value = tries > 0 ? found : refused(found);
  if (tries > 0 && (await waited(found, signal))) await again();
}

/** Fetches the moves of a loaded game as people write them. */
async function lookUpWritten(known: Position, signal: AbortSignal) {
  const { record } = state.value;
  if (!known.notations || record.plies.every(({ written }) => written)) return;
  const moves = record.plies.map(({ move }) => move);
  const whole = { ...positionQuestion(record), moves };
  const { played } = atEnd.value ? known : await ask<Position>('/v1/position', whole, signal);
  if (played && !signal.aborted) state.value = reduce(state.value, { type: 'written', moves: played });
}

/** The notation of the game for the language of the page, where it has one. */
const notation = computed(() => game.value?.notations.find((name) => (name === 'chinese') === (language.value === 'zh')) ?? null);

/** A move in the language of the page. */
export function moveText({ move, written }: Ply): string {
  return (notation.value && written?.[notation.value]) || move;
}

/** A line in the language of the page. */
export function lineText(line: readonly string[], written: WrittenMoves | undefined): readonly string[] {
  return (notation.value && written?.[notation.value]) || line;
}

/** What decides what happens by itself; a flipped board does not. */
const course = [computed(() => state.value.mode), computed(() => state.value.seats), computed(() => state.value.ended), analyst];

/** What happens by itself in the shown position. */
function goOn() {
  const { mode } = state.value;
  if (!shown.value || shown.value.outcome) return;
  if (mode === 'analyse' && seat.value) void search('analysis');
  if (mode !== 'play' || !atEnd.value || ended.value) return;
  if (mover.value === 'chance') roll();
  else if (seat.value && seat.value.kind !== 'person') void search('reply');
}

/** Draws what chance brings, each outcome as likely as the service says. */
function roll() {
  const { legal_moves: outcomes, probabilities = [] } = shown.value!;
  let left = Math.random();
  const drawn = outcomes.findIndex((_, index) => (left -= probabilities[index] ?? 0) < 0);
  play(outcomes[Math.max(0, drawn)]!);
}

/** Tries again what has failed. */
export function retry() {
  const sought = insight.value?.failure ? insight.value.purpose : null;
  [positionFailure.value, catalogFailure.value] = [null, null];
  if (games.value.length === 0) void loadCatalog();
  if (!shown.value) void lookUp();
  else if (sought) void search(sought);
  else goOn();
}

/** Loads games and algorithms, and follows the state from then on. */
export function start() {
  // The browser's way back leads to the first position, too.
  history.replaceState(null, '', writeAddress(state.value));
  effect(() => {
    const asked = key.value;
    untracked(() => {
      stop();
      if (position.value?.key !== asked) void lookUp();
    });
  });
  effect(() => {
    // Read here, so that a change of any of them is followed.
    course.forEach((signal) => signal.value);
    if (shown.value && game.value) queueMicrotask(goOn);
  });
  addEventListener('popstate', () => {
    const addressed = readAddress(location.hash);
    if (addressed) dispatch({ type: 'restore', state: addressed });
  });
  addEventListener('online', retry);
  effect(() => {
    language.value;
    untracked(() => void loadCatalog());
  });
}

let loading = new AbortController();

async function loadCatalog(tries = 1) {
  loading.abort();
  loading = new AbortController();
  const { signal } = loading;
  try {
    const [listed, offered] = await Promise.all([
      get<{ games: GameInfo[] }>('/v1/games', signal),
      get<{ algorithms: AlgorithmInfo[] }>('/v1/algorithms', signal),
    ]);
    batch(() => {
      catalogFailure.value = null;
      games.value = listed.games;
      algorithms.value = offered.algorithms;
    });
  } catch (error) {
    if (error instanceof RequestError && !signal.aborted) await failed(catalogFailure, error.failure, tries, signal, () => loadCatalog(tries - 1));
  }
}
