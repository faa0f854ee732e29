//! Selective search: most of the tree is pruned or reduced, on evidence that is good but no proof. A claimed
//! win is proved all the same: all moves of the losing side have been searched.
//!
//! Each technique has its own file; [`Switches`] turns it off. Margins are in hundredths of the game's
//! smallest piece ([`Tactics::PAWN`]).

mod correction;
mod extensions;
mod futility;
mod history;
mod kept;
mod late_moves;
mod learning;
mod move_loop;
mod node;
mod null_move;
mod ordering;
mod probcut;
mod quiescence;
mod reductions;
mod reverse_futility;
mod stack;
mod switches;
mod threats;

use correction::Correction;
use history::HistoryTable;
use kept::Learned;
use reductions::Reductions;
use stack::SearchStack;
pub use switches::Switches;
use threats::ThreatSearch;

use super::engine::{FoundWin, Node, NodeSearch, Searcher};
use crate::game::{Game, MoveList, SelectiveParameters, Side, Tactics};
use crate::search::alphabeta::forward_pruning::{PruningState, PruningVariants};
use crate::search::deepen::MAX_DEPTH;
use crate::search::memory::TableEntry;
use crate::search::{Calibration, Job, ProbCutRow, Score, SharedMemory, Stopped, Wanted};

/// Maximum line length in plies: extensions and quiescence beyond the deepest iteration. Not tuned.
const MOST_PLIES: u32 = MAX_DEPTH + 100;
/// Plies of static lookahead of the evaluator, even where less depth is left. Not tuned.
const SEEN_AT_ONCE: u32 = 8;

/// Learned data of one search, and the search stack.
pub(super) struct SelectiveNode<M> {
    switches: Switches,
    parameters: SelectiveParameters,
    stack: SearchStack<M>,
    history: HistoryTable,
    /// Countermove by piece-to index of the move it refuted.
    answers: Vec<Option<M>>,
    correction: Correction,
    reductions: Reductions,
    /// Null move verification: this side makes no null move before this ply.
    no_pass: Option<(Side, u32)>,
    threats: ThreatSearch<M>,
    /// Measured ProbCut regressions.
    pairs: Vec<ProbCutRow>,
    pruning: PruningState<M>,
}

impl<M: Copy + Eq> SelectiveNode<M> {
    pub(super) fn new<G: Game<Move = M>, E: Tactics<G>>(
        switches: Switches,
        parameters: SelectiveParameters,
        calibration: &Calibration,
        seed: u64,
    ) -> Self {
        Self {
            switches,
            parameters,
            stack: SearchStack::new(MOST_PLIES + 8),
            history: HistoryTable::new(E::MOVE_INDICES, E::VICTIMS),
            answers: vec![None; E::MOVE_INDICES],
            correction: Correction::new(hundredths::<G, E>(parameters.correction_most)),
            reductions: Reductions::new(&parameters),
            no_pass: None,
            threats: ThreatSearch::default(),
            pairs: calibration.probcut.clone(),
            pruning: PruningState::new(
                switches.forward_pruning(),
                PruningVariants::default(),
                calibration.razor_margin,
                seed,
            ),
        }
    }
}

/// A searcher with selective nodes.
type SelectiveSearcher<'a, G, E> = Searcher<'a, G, E, SelectiveNode<<G as Game>::Move>>;

/// This many hundredths of the smallest piece, in evaluation units.
#[inline]
const fn hundredths<G: Game, E: Tactics<G>>(count: i32) -> i32 {
    E::PAWN * count / 100
}

/// Properties of a node before its moves are generated.
#[derive(Clone, Copy)]
struct NodeInfo {
    node: Node,
    /// True if the window is open: an exact value is wanted.
    pv: bool,
    /// True in an expected cut node.
    cut: bool,
    /// True if the side to move is in check: the static evaluation is meaningless then.
    threatened: bool,
    /// Static evaluation: raw, corrected by correction history, and refined by the table score.
    raw: i32,
    eval: i32,
    guess: i32,
    improving: bool,
    structure_key: u64,
    known: Option<TableEntry>,
    /// True if the table move is noisy.
    known_is_noisy: bool,
    excluded: bool,
}

impl<G: Game, E: Tactics<G>> NodeSearch<G, E> for SelectiveNode<G::Move> {
    const TRIES_UNLISTED: bool = true;
    // A move that comes late is reduced or pruned, so none comes later because of another thread. Two threads
    // against one in gomoku at 40 ms: 61.0 % +- 7.9 of 100 games, and 52.5 % +- 8.2 where moves are deferred.
    const DEFERS: bool = false;
    // On the way to a given depth a helper runs ahead: its deeper entries decide nodes of the others. Time to depth
    // with steps of 1 and 3 plies: 0.89, 0.57 of one thread's in xiangqi; 0.93, 0.42 in gomoku (`benches/threads.py`).
    // The thinner search plays worse, so it is none of a search by time: in gomoku at 40 ms two threads have 52.0 %
    // +- 8.9 of the points against one with steps of 2 plies.
    const HELPER_STEP: u32 = 3;

    fn root_list(list: MoveList, wanted: Wanted) -> MoveList {
        if matches!(wanted, Wanted::All | Wanted::Even) { MoveList::All } else { list }
    }

    // Moves that lose material come last.
    fn root_key(evaluator: &E, job: &Job<'_, G>, mv: G::Move) -> i64 {
        let order = i64::from(evaluator.order(job.root, job.mover, mv));
        let keeps = evaluator.see_at_least(job.root, mv, 0);
        order - if keeps { 0 } else { 1 << 32 }
    }

    fn is_selective(&self) -> bool {
        true
    }

    #[inline]
    fn pruning(&mut self) -> &mut PruningState<G::Move> {
        &mut self.pruning
    }

    fn recall(&mut self, memory: &dyn SharedMemory) {
        if let Some(kept) = memory.take_histories(kept::KEY)
            && let Ok(learned) = kept.downcast::<Learned<G::Move>>()
        {
            let Learned { history, answers, correction } = *learned;
            (self.history, self.answers) = (history, answers);
            self.correction = correction.within(&self.correction);
        }
    }

    fn leave(self, memory: &dyn SharedMemory) {
        let Self { history, answers, correction, .. } = self;
        memory.leave_histories(kept::KEY, Box::new(Learned { history, answers, correction }));
    }

    fn enter(searcher: &mut SelectiveSearcher<'_, G, E>, root: &G, mover: Side) {
        searcher.nodes.stack.clear();
        searcher.nodes.no_pass = None;
        searcher.nodes.pruning.clear();
        if !searcher.evaluator.threatened(root) {
            let eval = searcher.evaluator.evaluate(root, mover);
            searcher.nodes.stack.at_mut(0).eval = Some(eval);
        }
    }

    #[inline]
    fn note(searcher: &mut SelectiveSearcher<'_, G, E>, pos: &G, mv: G::Move, after: &G, ply: u32) {
        searcher.tables.prefetch(after.hash());
        let move_index = searcher.evaluator.move_index(pos, mv);
        let quiet = searcher.evaluator.victim(pos, mv) == 0;
        let entry = searcher.nodes.stack.at_mut(ply);
        (entry.mv, entry.move_index, entry.quiet) = (Some(mv), Some(move_index), quiet);
    }

    #[inline]
    fn best(
        searcher: &mut SelectiveSearcher<'_, G, E>,
        pos: &G,
        node: Node,
    ) -> Result<Score, Stopped> {
        if !searcher.is_judged(node.ply) {
            return searcher.selective(pos, node);
        }
        // A reply that ends the game by its history must not be pruned.
        let reply = searcher.reply_by_history(pos, node);
        let score = searcher.selective(pos, node)?;
        match reply {
            Some((ended, mv)) if ended > score => {
                searcher.pv.clear(node.ply + 1);
                searcher.pv.set(node.ply, mv);
                Ok(ended)
            }
            _ => Ok(score),
        }
    }

    fn seen_at_once(
        searcher: &mut SelectiveSearcher<'_, G, E>,
        root: &G,
        mover: Side,
        so_far: Score,
    ) -> Result<Option<FoundWin<G::Move>>, Stopped> {
        if !searcher.nodes.switches.threats {
            return Ok(None);
        }
        searcher.win_by_threats(root, mover, so_far)
    }

    fn line_to_end(
        searcher: &mut SelectiveSearcher<'_, G, E>,
        pos: &G,
        winner: Side,
        plies: u32,
    ) -> Result<Option<Vec<G::Move>>, Stopped> {
        searcher.threats_to_end(pos, winner, plies)
    }

    fn reduced_root_depth(
        searcher: &SelectiveSearcher<'_, G, E>,
        depth: u32,
        number: usize,
    ) -> u32 {
        if !searcher.nodes.switches.late_move_reductions || depth < 3 || number < 3 {
            return depth;
        }
        let less = searcher.nodes.reductions.of(depth, number) / reductions::GRAIN - 1;
        depth.saturating_sub(less.max(0) as u32).max(1)
    }
}
