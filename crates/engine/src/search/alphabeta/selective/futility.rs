//! Near the leaves: positions and moves from which what is needed cannot be reached.
// CITE: razoring, Birmingham and Kent 1977; futility pruning, Schaeffer 1986, Heinz 1998; late move
// pruning, Romstad 2007.

use super::move_loop::Try;
use super::ordering::Stage;
use super::{NodeInfo, SelectiveSearcher, hundredths};
use crate::game::{Game, Tactics};
use crate::search::alphabeta::engine::Node;
use crate::search::{Score, Stopped, Window};

/// A position so far below what is needed, in hundredths: this, and for each ply squared.
const RAZOR: i32 = 800;
const RAZOR_PLY: i32 = 130;
const RAZOR_DEEPEST: u32 = 4;
/// Quiet moves that would be searched no deeper.
const FUTILITY_DEEPEST: i32 = 8;
/// History below this for each ply is not worth a search.
const HISTORY_PLY: i32 = -3_000;
const HISTORY_DEEPEST: i32 = 4;
/// What a quiet or noisy move may lose, for each ply (squared where it is quiet), in hundredths.
const LOSS_QUIET: i32 = 16;
const LOSS_NOISY: i32 = 110;
const LOSS_DEEPEST: u32 = 8;

impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    /// A position that stands far too low is only played out.
    pub(super) fn razor(&mut self, pos: &G, info: &NodeInfo) -> Result<Option<Score>, Stopped> {
        let node = info.node;
        let alpha = node.window.alpha;
        if !self.nodes.switches.razor || node.depth > RAZOR_DEEPEST || alpha.is_decided() {
            return Ok(None);
        }
        let plies = (node.depth * node.depth) as i32;
        let margin = hundredths::<G, E>(RAZOR) + hundredths::<G, E>(RAZOR_PLY) * plies;
        if info.guess + margin >= alpha.raw() {
            return Ok(None);
        }
        let window = Window::above(alpha);
        let score = self.quiescence(pos, Node { depth: 0, window, ..node })?;
        Ok((score <= alpha).then_some(score))
    }

    /// Whether so many moves have been tried that further quiet ones are not worth it: more for each ply
    /// squared.
    #[inline]
    pub(super) fn has_enough_quiet(&self, info: &NodeInfo, number: usize) -> bool {
        let depth = info.node.depth as usize;
        let enough = E::TUNING.late_moves + depth * depth;
        self.nodes.switches.late_move_pruning
            && !info.pv
            && number >= if info.improving { enough } else { enough / 2 }
    }

    /// Whether a move cannot bring what is needed.
    pub(super) fn is_futile(
        &self,
        pos: &G,
        info: &NodeInfo,
        this: &Try<G::Move>,
        alpha: Score,
    ) -> bool {
        let depth = info.node.depth;
        let switches = &self.nodes.switches;
        if this.number == 1 || this.stage == Stage::Good && !this.remembered && depth > 1 {
            return false;
        }
        let losses = switches.exchange_pruning && depth <= LOSS_DEEPEST;
        if this.stage == Stage::Good || this.threatens {
            return false;
        }
        if this.stage == Stage::Bad {
            let most = -hundredths::<G, E>(LOSS_NOISY) * depth as i32;
            return losses && !self.evaluator.see_at_least(pos, this.mv, most);
        }
        let plies = self.plies_left(info, this);
        let move_index = self.evaluator.move_index(pos, this.mv);
        let before = self.nodes.stack.before(info.node.ply);
        let history = self.quiet_history(info, &before, G::move_code(this.mv), move_index);
        if switches.history && plies <= HISTORY_DEEPEST && history < HISTORY_PLY * plies {
            return true;
        }
        let gain = hundredths::<G, E>(E::TUNING.quiet_gain);
        let margin = gain + hundredths::<G, E>(E::TUNING.quiet_gain_ply) * plies;
        let futile = switches.futility
            && !info.threatened
            && plies <= FUTILITY_DEEPEST
            && !alpha.is_decided()
            && info.eval + margin <= alpha.raw();
        let most = -hundredths::<G, E>(LOSS_QUIET) * plies * plies;
        futile || losses && !self.evaluator.see_at_least(pos, this.mv, most)
    }
}
