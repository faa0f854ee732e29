//! Pruning near the leaves: nodes and moves that cannot reach the window.
// CITE: razoring, Birmingham and Kent 1977; futility pruning, Schaeffer 1986, Heinz 1998; late move
// pruning, Romstad 2007.

use super::move_loop::Try;
use super::ordering::Stage;
use super::{NodeInfo, SelectiveSearcher, hundredths};
use crate::game::{Game, Tactics};
use crate::search::alphabeta::engine::Node;
use crate::search::{Score, Stopped, Window};

impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    /// Razoring: a node far below alpha goes to quiescence search.
    pub(super) fn razor(&mut self, pos: &G, info: &NodeInfo) -> Result<Option<Score>, Stopped> {
        let node = info.node;
        let alpha = node.window.alpha;
        let by = &self.nodes.parameters;
        if !self.nodes.switches.razor || node.depth > by.razor_depth || alpha.is_decided() {
            return Ok(None);
        }
        let plies = (node.depth * node.depth) as i32;
        let margin =
            hundredths::<G, E>(by.razor_margin) + hundredths::<G, E>(by.razor_margin_ply) * plies;
        if info.guess + margin >= alpha.raw() {
            return Ok(None);
        }
        let window = Window::above(alpha);
        let score = self.quiescence(pos, Node { depth: 0, window, ..node })?;
        Ok((score <= alpha).then_some(score))
    }

    /// Late move pruning: true if enough moves have been tried to skip further quiet ones. Grows with depth
    /// squared.
    #[inline]
    pub(super) fn has_enough_quiet(&self, info: &NodeInfo, number: usize) -> bool {
        let by = &self.nodes.parameters;
        let depth = info.node.depth as i32;
        let enough = by.late_moves + by.late_moves_ply * depth * depth / 100;
        self.nodes.switches.late_move_pruning
            && !info.pv
            && number as i32 >= if info.improving { enough } else { enough / 2 }
    }

    /// True if a move is pruned by futility, history or static exchange evaluation.
    pub(super) fn is_futile(
        &self,
        pos: &G,
        info: &NodeInfo,
        this: &Try<G::Move>,
        alpha: Score,
    ) -> bool {
        let depth = info.node.depth;
        let (switches, by) = (&self.nodes.switches, &self.nodes.parameters);
        if this.number == 1 || this.stage == Stage::Good && !this.remembered && depth > 1 {
            return false;
        }
        let losses = switches.exchange_pruning && depth <= by.exchange_depth;
        if this.stage == Stage::Good || this.threatens {
            return false;
        }
        if this.stage == Stage::Bad {
            let most = -hundredths::<G, E>(by.exchange_noisy) * depth as i32;
            return losses && !self.evaluator.see_at_least(pos, this.mv, most);
        }
        let plies = self.plies_left(info, this);
        let move_index = self.evaluator.move_index(pos, this.mv);
        let before = self.nodes.stack.before(info.node.ply);
        let history = self.quiet_history(info, &before, G::move_code(this.mv), move_index);
        if switches.history && plies <= by.history_depth && history < -by.history_gain_ply * plies {
            return true;
        }
        let margin =
            hundredths::<G, E>(by.quiet_gain) + hundredths::<G, E>(by.quiet_gain_ply) * plies;
        let futile = switches.futility
            && !info.threatened
            && plies <= by.futility_depth
            && !alpha.is_decided()
            && info.eval + margin <= alpha.raw();
        let most = -hundredths::<G, E>(by.exchange_quiet) * plies * plies;
        futile || losses && !self.evaluator.see_at_least(pos, this.mv, most)
    }
}
