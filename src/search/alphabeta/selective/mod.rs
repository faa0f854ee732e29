//! The selective node: most of the tree is left out or searched less deep, on evidence that is good but
//! no proof. What is claimed as a win is one all the same: a side that loses has had all its moves
//! searched.
//!
//! Each technique lies in a file of its own; [`Switches`] turns it off. Margins are in hundredths of
//! the game's smallest piece ([`Tactics::PAWN`]).

mod correction;
mod extensions;
mod frame;
mod futility;
mod history;
mod late_moves;
mod learning;
mod node;
mod null_move;
mod ordering;
mod probcut;
mod quiescence;
mod reductions;
mod reverse_futility;
mod switches;
mod threats;

use correction::Correction;
use frame::Frames;
use history::History;
use reductions::Reductions;
pub use switches::Switches;
use threats::Threats;

use super::engine::{Node, Nodes, Searcher, Seen};
use crate::game::{Game, Side, Tactics};
use crate::search::alphabeta::thrift::{Saving, Thrifty};
use crate::search::deepen::MAX_DEPTH;
use crate::search::memory::Entry;
use crate::search::{Calibration, Pair, Score, Stopped};

/// No line is longer: extensions and quiet play beyond the deepest iteration.
const MOST_PLIES: u32 = MAX_DEPTH + 100;
/// What an expert sees at once of the end is believed so many plies beyond the depth.
const SEEN_AT_ONCE: u32 = 8;
/// Corrections of the evaluation stay within this, in hundredths.
const MOST_CORRECTION: i32 = 100;

/// What is learned in one search, and the line at hand.
pub(super) struct Selective<M> {
    switches: Switches,
    frames: Frames<M>,
    history: History,
    /// The last move that refuted a move on a topic.
    answers: Vec<Option<M>>,
    correction: Correction,
    reductions: Reductions,
    /// While a pass is verified, its side does not pass before this ply.
    no_pass: Option<(Side, u32)>,
    threats: Threats<M>,
    /// How well shallow searches foretell deep ones, where it was measured.
    pairs: Vec<Pair>,
    saving: Saving<M>,
}

impl<M: Copy + Eq> Selective<M> {
    pub(super) fn new<G: Game<Move = M>, E: Tactics<G>>(
        switches: Switches,
        calibration: &Calibration,
        seed: u64,
    ) -> Self {
        Self {
            switches,
            frames: Frames::new(MOST_PLIES + 8),
            history: History::new(E::TOPICS, E::LOOTS),
            answers: vec![None; E::TOPICS],
            correction: Correction::new(hundredths::<G, E>(MOST_CORRECTION)),
            reductions: Reductions::new(),
            no_pass: None,
            threats: Threats::default(),
            pairs: calibration.probcut.clone(),
            saving: Saving::new(switches.thrift(), calibration.hope, seed),
        }
    }
}

/// A searcher with selective nodes.
type Picky<'a, G, E> = Searcher<'a, G, E, Selective<<G as Game>::Move>>;

/// This many hundredths of the smallest piece, in the units of the evaluation.
#[inline]
const fn hundredths<G: Game, E: Tactics<G>>(count: i32) -> i32 {
    E::PAWN * count / 100
}

/// What is known of a node before its moves are looked at.
#[derive(Clone, Copy)]
struct Sight {
    node: Node,
    /// Whether an exact value is wanted.
    pv: bool,
    /// Whether a cutoff is expected.
    cut: bool,
    /// Whether the mover must answer a threat: the evaluation means nothing then.
    threatened: bool,
    /// The evaluation as the expert gives it, corrected, and sharpened by what a table knows.
    raw: i32,
    eval: i32,
    guess: i32,
    improving: bool,
    structure: u64,
    known: Option<Entry>,
    /// The remembered move takes something.
    known_is_noisy: bool,
    excluded: bool,
}

impl<G: Game, E: Tactics<G>> Thrifty<G, E> for Selective<G::Move> {
    #[inline]
    fn saving(&mut self) -> &mut Saving<G::Move> {
        &mut self.saving
    }
}

impl<G: Game, E: Tactics<G>> Nodes<G, E> for Selective<G::Move> {
    const DEEPER_COUNTS: bool = true;

    fn enter(searcher: &mut Picky<'_, G, E>, root: &G, mover: Side) {
        searcher.nodes.frames.clear();
        searcher.nodes.no_pass = None;
        searcher.nodes.saving.clear();
        if !searcher.expert.threatened(root) {
            let eval = searcher.expert.evaluate(root, mover);
            searcher.nodes.frames.at_mut(0).eval = Some(eval);
        }
    }

    #[inline]
    fn note(searcher: &mut Picky<'_, G, E>, pos: &G, mv: G::Move, after: &G, ply: u32) {
        searcher.recall.prefetch(after.hash());
        let topic = searcher.expert.topic(pos, mv);
        let frame = searcher.nodes.frames.at_mut(ply);
        (frame.mv, frame.topic) = (Some(mv), Some(topic));
    }

    #[inline]
    fn best(searcher: &mut Picky<'_, G, E>, pos: &G, node: Node) -> Result<Score, Stopped> {
        searcher.selective(pos, node)
    }

    fn seen_at_once(
        searcher: &mut Picky<'_, G, E>,
        root: &G,
        mover: Side,
        so_far: Score,
    ) -> Result<Option<Seen<G::Move>>, Stopped> {
        if !searcher.nodes.switches.threats {
            return Ok(None);
        }
        searcher.win_by_threats(root, mover, so_far)
    }

    fn line_to_end(
        searcher: &mut Picky<'_, G, E>,
        pos: &G,
        winner: Side,
        plies: u32,
    ) -> Result<Option<Vec<G::Move>>, Stopped> {
        searcher.threats_to_end(pos, winner, plies)
    }

    fn glance(searcher: &Picky<'_, G, E>, depth: u32, number: usize) -> u32 {
        if !searcher.nodes.switches.late_move_reductions || depth < 3 || number < 3 {
            return depth;
        }
        let less = searcher.nodes.reductions.of(depth, number) / reductions::GRAIN - 1;
        depth.saturating_sub(less.max(0) as u32).max(1)
    }
}
