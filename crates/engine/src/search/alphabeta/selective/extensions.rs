//! Extensions: singular moves and checks.
// CITE: singular extensions, Anantharaman, Campbell and Hsu 1988; as done here, with the remembered
// move left out and multi-cut, Stockfish 2008 and Bjornsson and Marsland 2001.

use super::move_loop::Try;
use super::ordering::Stage;
use super::{NodeInfo, SelectiveSearcher, hundredths};
use crate::game::{Game, Tactics};
use crate::search::alphabeta::engine::Node;
use crate::search::memory::Bound;
use crate::search::{Score, Stopped, Window};

// Constants measured only with the technique as a whole: `benches/ablation.py singular_extensions`,
// docs/selective.md.

/// Maximum plies by which the table entry may be shallower.
const REMEMBERED_WITHIN: u32 = 3;
/// Maximum double extensions of a line, outside of the principal variation.
const MOST_DOUBLED: u32 = 6;

/// Extension of a move, or a cutoff of its node.
pub(super) enum Extension {
    /// Extension in plies; negative: reduction.
    Plies(i32),
    /// Multi-cut: several moves are good enough.
    Cutoff(Score),
}

impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    pub(super) fn extension(
        &mut self,
        pos: &G,
        info: &NodeInfo,
        this: &Try<G::Move>,
    ) -> Result<Extension, Stopped> {
        let doubled = self.nodes.stack.at(info.node.ply).doubled;
        self.nodes.stack.at_mut(info.node.ply + 1).doubled = doubled;
        if this.remembered && self.nodes.switches.singular_extensions {
            let singular = self.singular(pos, info, this)?;
            if !matches!(singular, Extension::Plies(0)) {
                return Ok(singular);
            }
        }
        let check = self.nodes.switches.check_extensions
            && info.node.depth <= self.nodes.parameters.check_depth
            && this.threatens
            && this.stage != Stage::Bad
            && (this.stage == Stage::Good || self.evaluator.see_at_least(pos, this.mv, 0));
        Ok(Extension::Plies(i32::from(check)))
    }

    /// Tests if the table move is better than all others by the singular margin.
    fn singular(
        &mut self,
        pos: &G,
        info: &NodeInfo,
        this: &Try<G::Move>,
    ) -> Result<Extension, Stopped> {
        let node = info.node;
        let by = self.nodes.parameters;
        let Some(known) = info.known else { return Ok(Extension::Plies(0)) };
        if node.depth < by.singular_from
            || info.excluded
            || known.bound == Bound::Upper
            || known.score.is_decided()
            || u32::from(known.depth) + REMEMBERED_WITHIN < node.depth
        {
            return Ok(Extension::Plies(0));
        }
        let goal = known.score.raw() - hundredths::<G, E>(by.singular_margin) * node.depth as i32;
        let window = Window::new(Score::heuristic(goal - 1), Score::heuristic(goal));
        // The exclusion search includes sleeping moves: they are not better than alpha, but may be better
        // than the singular bound.
        self.nodes.pruning.sleep.wake(node.ply);
        let stack = &mut self.nodes.stack;
        stack.at_mut(node.ply).excluded = Some(this.mv);
        let score = self.selective(pos, Node { depth: (node.depth - 1) / 2, window, ..node })?;
        let stack = &mut self.nodes.stack;
        stack.at_mut(node.ply).excluded = None;
        let (beta, doubled) = (node.window.beta, stack.at(node.ply).doubled);
        Ok(if score < window.beta {
            let by_far = score.raw().saturating_add(hundredths::<G, E>(by.singular_double)) < goal;
            if !info.pv && by_far && doubled < MOST_DOUBLED {
                stack.at_mut(node.ply + 1).doubled = doubled + 1;
                Extension::Plies(2)
            } else {
                Extension::Plies(1)
            }
        } else if window.beta >= beta && !beta.is_decided() && !info.pv {
            Extension::Cutoff(window.beta)
        } else if known.score >= beta {
            Extension::Plies(-1)
        } else {
            Extension::Plies(0)
        })
    }
}
