//! Pruning near the leaves: nodes and moves that cannot reach the window.
// CITE: razoring, Birmingham and Kent 1977; futility pruning, Schaeffer 1986, Heinz 1998; late move
// pruning, Romstad 2007.

use super::move_loop::Try;
use super::ordering::Stage;
use super::{NodeInfo, SelectiveSearcher, hundredths};
use crate::game::{Game, Tactics};
use crate::search::alphabeta::engine::Node;
use crate::search::{Score, Stopped, Window};

// Constants measured only with their techniques as a whole: `benches/ablation.py razor futility
// exchange_pruning history`, docs/selective.md.

/// Razoring margin, in hundredths: this, plus `RAZOR_PLY` times depth squared.
const RAZOR: i32 = 800;
const RAZOR_PLY: i32 = 130;
const RAZOR_DEEPEST: u32 = 4;
/// Maximum reduced depth for futility pruning of quiet moves.
const FUTILITY_DEEPEST: i32 = 8;
/// History pruning: minimum history per ply of reduced depth.
const HISTORY_PLY: i32 = -3_000;
const HISTORY_DEEPEST: i32 = 4;
/// Maximum loss by static exchange evaluation, in hundredths: quiet moves per squared ply, noisy moves per
/// ply.
const LOSS_QUIET: i32 = 16;
const LOSS_NOISY: i32 = 110;
const LOSS_DEEPEST: u32 = 8;

impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    /// Razoring: a node far below alpha goes to quiescence search.
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

    /// Late move pruning: true if enough moves have been tried to skip further quiet ones. Grows with depth
    /// squared.
    #[inline]
    pub(super) fn has_enough_quiet(&self, info: &NodeInfo, number: usize) -> bool {
        let depth = info.node.depth as usize;
        let enough = E::TUNING.late_moves + depth * depth;
        self.nodes.switches.late_move_pruning
            && !info.pv
            && number >= if info.improving { enough } else { enough / 2 }
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
