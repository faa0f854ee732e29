//! Late move reductions: later moves are searched less deep, until one of them turns out to be better.

use super::move_loop::Try;
use super::ordering::Stage;
use super::reductions::GRAIN;
use super::{NodeInfo, SelectiveSearcher};
use crate::game::{Game, Tactics};

// Constants measured only with the technique as a whole: `benches/ablation.py late_move_reductions`,
// docs/selective.md.

/// Minimum depth.
const FROM: u32 = 2;
/// First reduced move number; one more in the principal variation.
const NUMBER_FROM: usize = 2;
/// Cutoffs in the children above which the reduction grows: the opponent has answers to everything.
const MANY_CUTOFFS: u32 = 3;

impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    /// Reduced depth of the first search of a move; at most `depth`.
    pub(super) fn reduced(&self, pos: &G, info: &NodeInfo, this: &Try<G::Move>, depth: u32) -> u32 {
        let from = NUMBER_FROM + usize::from(info.pv);
        if !self.nodes.switches.late_move_reductions
            || info.node.depth < FROM
            || this.number < from
            || this.stage == Stage::Good
        {
            return depth;
        }
        let mut less = self.nodes.reductions.of(info.node.depth, this.number);
        let by = &self.nodes.parameters;
        let mut adjust = |when: bool, by: i32| less += if when { by * GRAIN / 100 } else { 0 };
        adjust(!info.improving, by.reduction_not_improving);
        adjust(info.cut, by.reduction_cut);
        adjust(info.pv, -by.reduction_open);
        adjust(this.stage == Stage::Killer, -by.reduction_killer);
        adjust(this.threatens, -by.reduction_check);
        adjust(info.known_is_noisy, by.reduction_known_noisy);
        let child = self.nodes.stack.at(info.node.ply + 1);
        adjust(child.cutoffs > MANY_CUTOFFS, by.reduction_refuted);
        if this.stage != Stage::Bad {
            let move_index = self.evaluator.move_index(pos, this.mv);
            let before = self.nodes.stack.before(info.node.ply);
            let history = self.quiet_history(info, &before, G::move_code(this.mv), move_index);
            less -= history * (GRAIN / 8) / (by.reduction_history / 8);
        }
        let plies = (less / GRAIN).clamp(0, depth as i32 - 1).max(0);
        depth - plies as u32
    }

    /// Reduced depth of a quiet move, for pruning by depth.
    pub(super) fn plies_left(&self, info: &NodeInfo, this: &Try<G::Move>) -> i32 {
        let less = self.nodes.reductions.of(info.node.depth, this.number) / GRAIN;
        (info.node.depth as i32 - 1 - less).max(0)
    }
}
