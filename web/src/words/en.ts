// English texts of the page.

import type { OutcomeReason } from '../api/client';

export const en = {
  play: 'Play', analyse: 'Analyse', review: 'Review', learn: 'Learn', reference: 'API and games',
  newGame: 'New game', takeBack: 'Undo', hint: 'Hint', flip: 'Flip', resign: 'Resign', stop: 'Stop', more: 'More', close: 'Close', start: 'Play',
  game: 'Game', options: 'Rules and options', opponent: 'Opponent', yourSide: 'Your side', both: 'Two people', neither: 'Engine against engine',
  level: 'Level', levelOf: (level: number) => `Level ${level}`, algorithm: 'Algorithm', time: 'Time a move', person: 'Person', clock: 'Clock', noClock: 'No clock', minutes: (count: number) => `${count} min a side`,
  levelWord: ['', 'Beginner', 'Novice', 'Casual', 'Improver', 'Club', 'Strong club', 'Expert', 'Master', 'Grandmaster', 'Full strength'],
  elo: (elo: number) => `${Math.round(elo)} Elo above level 1`,
  moves: 'Moves', lines: 'Lines', evaluation: 'Evaluation', ratings: 'Ratings', depth: 'depth', nodes: 'nodes', perSecond: 'nodes/s', simulations: 'simulations',
  evaluationOf: (side: string, share: string) => `${side}: ${share} expected`,
  draw: 'draw', winsIn: (plies: number) => `wins in ${plies}`, losesIn: (plies: number) => `loses in ${plies}`, proved: 'proved', exact: 'exact',
  toMove: (side: string) => `${side} to move`, thinks: (side: string) => `${side} thinks`, yourMove: 'Your move', chance: 'Chance', waits: (seconds: string, of: string | null) => `Waiting in the queue of the service: ${seconds} s${of === null ? '' : `, ${of} s expected`}`, reasons: {} as Partial<Record<OutcomeReason, string>>, analysing: 'Analysing',
  won: (side: string, reason: string) => `${side} has won: ${reason}`, drawn: (reason: string) => `Draw: ${reason}`, resigned: (side: string) => `${side} has resigned`, timeUp: (side: string) => `${side} has no time left`,
  offline: 'The service cannot be reached. Your game is kept.', busy: (seconds: number) => (seconds > 0 ? `The service is busy; the next try is in ${seconds} s.` : 'The service is busy.'), quota: (seconds: number) => (seconds > 0 ? `Too many questions; the next try is in ${seconds} s.` : 'Too many questions for now.'), retry: 'Try again',
  board: 'Board', empty: 'empty', announced: (side: string, move: string) => `${side}: ${move}`,
  keys: 'Arrows move the cursor, or the snake, Enter picks and drops, u undoes, h gives a hint, f flips, ? shows this.', pictures: 'Pieces as pictures', keyboard: 'Keys', letterKeys: 'Keys with letters and signs', held: 'held', target: 'can be moved to', lastPlayed: 'last move', failedToLoad: 'This part could not be loaded.',
  firstMove: 'First position', previousMove: 'Move back', nextMove: 'Move forward', lastMove: 'Last position',
  heap: (index: number) => `Heap ${index}`, take: (count: number) => `take ${count}`,
  hitPoints: 'hit points', energy: 'energy', dice: 'dice', hand: 'hand', summons: 'summons', supports: 'supports', round: 'round', deck: 'deck', hidden: 'hidden', shield: 'shield', active: 'active', fallen: 'fallen',
  dark: 'Dark', light: 'Light', language: '中文', theme: 'Colours',
  tree: 'Search tree', traced: 'Trace a search', step: 'Step', back: 'Back', playTree: 'Play', pauseTree: 'Pause', speed: 'Speed', visits: (count: number) => `${count} visits`, firstNodes: (count: number) => `The first ${count} nodes: the search was ended there.`, treeEmpty: 'Trace a search to see its tree. That of uct and mcts is seen while they analyse.',
  windowIs: 'window', valueIs: 'value', ofMax: 'root side moves', ofMin: 'other side moves', atLeast: 'at least', atMost: 'at most',
  points: (points: string) => `${points} points`, answeredBy: (line: string) => `answered by ${line}`, luckFigures: (luck: string, skill: string) => `luck ${luck}, skill ${skill} for the first side`, came: (outcome: string, luck: string) => `${outcome}: luck ${luck}`, chanceEvents: 'What chance brought', whichGame: 'Game in the file', nextMistake: 'Next mistake', allSolved: 'That was the last one.', reviewGame: 'Review this game', pasteGame: 'Paste or drop a game', pasteHelp: 'Moves, SGF, PGN, or a game file', readFile: 'Read', accuracy: 'accuracy', meanPoints: 'mean points', excitement: 'excitement', drama: 'drama', luck: 'luck', turningPoints: 'Turning points', better: (move: string) => `better: ${move}`, retryMistakes: 'Retry your mistakes', noMistakes: 'No mistakes to retry.', findBetter: (side: string) => `${side}: find a better move`, rightMove: 'Right.', wrongMove: 'Not this one. Try again.', exportGame: 'Export', shareGame: 'Copy link', copied: 'Copied', reviewing: (done: number, all: number) => `Reviewing: ${done} of ${all} positions`, noMoves: 'Play or paste a game first.', leaveRetry: 'Back to the review', sureness: 'Winning chances of', moveNumber: (ply: number) => `after ply ${ply}`,
  classes: { correct: 'correct', slack: 'slack', mistake: 'mistake' } as Record<string, string>,
  lesson: 'Lesson', check: 'Check', nextLesson: 'Next lesson', right: 'Right.', wrong: 'Not yet.', showAnswer: 'Show', judged: 'Judged by the trace of the service.',
  unit: 'Unit of values', strongestIn: 'Strongest method of', needs: 'Requires', budgets: 'Budgets that it heeds', gamesAndRules: 'Games', methods: 'Methods', run: 'Run', request: 'Request', answer: 'Answer', rules: 'Rules', notation: 'Notation', positions: 'Positions', source: 'Source', range: 'Range', preset: 'Default', games: 'Games', backToBoard: 'To the board', api: 'API', snippets: 'Snippets', loading: 'Loading', strength: 'Levels',
};
