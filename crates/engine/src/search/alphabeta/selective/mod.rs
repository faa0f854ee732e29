//! The selective node: most of the tree is left out or searched less deep, on evidence that is good but
//! no proof. What is claimed as a win is one all the same: a side that loses has had all its moves
//! searched.
//!
//! Each technique lies in a file of its own; [`Switches`] turns it off. Margins are in hundredths of
//! the game's smallest piece ([`Tactics::PAWN`]).

mod correction;
mod extensions;
mod futility;
mod history;
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
use reductions::Reductions;
use stack::SearchStack;
pub use switches::Switches;
use threats::ThreatSearch;

use super::engine::{FoundWin, Node, NodeSearch, Searcher};
use crate::game::{Game, Side, Tactics};
use crate::search::alphabeta::forward_pruning::PruningState;
use crate::search::deepen::MAX_DEPTH;
use crate::search::memory::TableEntry;
use crate::search::{Calibration, ProbCutRow, Score, Stopped};

/// No line is longer: extensions and quiet play beyond the deepest iteration.
const MOST_PLIES: u32 = MAX_DEPTH + 100;
/// What an evaluator sees at once of the end is believed so many plies beyond the depth.
const SEEN_AT_ONCE: u32 = 8;
/// Corrections of the evaluation stay within this, in hundredths.
const MOST_CORRECTION: i32 = 100;

/// What is learned in one search, and the line at hand.
pub(super) struct SelectiveNode<M> {
    switches: Switches,
    stack: SearchStack<M>,
    history: HistoryTable,
    /// The last move that refuted a move on a topic.
    answers: Vec<Option<M>>,
    correction: Correction,
    reductions: Reductions,
    /// While a pass is verified, its side does not pass before this ply.
    no_pass: Option<(Side, u32)>,
    threats: ThreatSearch<M>,
    /// How well shallow searches foretell deep ones, where it was measured.
    pairs: Vec<ProbCutRow>,
    pruning: PruningState<M>,
}

impl<M: Copy + Eq> SelectiveNode<M> {
    pub(super) fn new<G: Game<Move = M>, E: Tactics<G>>(
        switches: Switches,
        calibration: &Calibration,
        seed: u64,
    ) -> Self {
        Self {
            switches,
            stack: SearchStack::new(MOST_PLIES + 8),
            history: HistoryTable::new(E::MOVE_INDICES, E::VICTIMS),
            answers: vec![None; E::MOVE_INDICES],
            correction: Correction::new(hundredths::<G, E>(MOST_CORRECTION)),
            reductions: Reductions::new(),
            no_pass: None,
            threats: ThreatSearch::default(),
            pairs: calibration.probcut.clone(),
            pruning: PruningState::new(switches.forward_pruning(), calibration.razor_margin, seed),
        }
    }
}

/// A searcher with selective nodes.
type SelectiveSearcher<'a, G, E> = Searcher<'a, G, E, SelectiveNode<<G as Game>::Move>>;

/// This many hundredths of the smallest piece, in the units of the evaluation.
#[inline]
const fn hundredths<G: Game, E: Tactics<G>>(count: i32) -> i32 {
    E::PAWN * count / 100
}

/// What is known of a node before its moves are looked at.
#[derive(Clone, Copy)]
struct NodeInfo {
    node: Node,
    /// Whether an exact value is wanted.
    pv: bool,
    /// Whether a cutoff is expected.
    cut: bool,
    /// Whether the mover must answer a threat: the evaluation means nothing then.
    threatened: bool,
    /// The evaluation as the evaluator gives it, corrected, and sharpened by what a table knows.
    raw: i32,
    eval: i32,
    guess: i32,
    improving: bool,
    structure_key: u64,
    known: Option<TableEntry>,
    /// The remembered move takes something.
    known_is_noisy: bool,
    excluded: bool,
}

impl<G: Game, E: Tactics<G>> NodeSearch<G, E> for SelectiveNode<G::Move> {
    const DEEPER_COUNTS: bool = true;

    #[inline]
    fn pruning(&mut self) -> &mut PruningState<G::Move> {
        &mut self.pruning
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
        let entry = searcher.nodes.stack.at_mut(ply);
        (entry.mv, entry.move_index) = (Some(mv), Some(move_index));
    }

    #[inline]
    fn best(
        searcher: &mut SelectiveSearcher<'_, G, E>,
        pos: &G,
        node: Node,
    ) -> Result<Score, Stopped> {
        searcher.selective(pos, node)
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
