//! Later moves are searched less deep, until one of them turns out to be better.

use super::node::Try;
use super::ordering::Band;
use super::reductions::GRAIN;
use super::{Picky, Sight};
use crate::game::{Game, Tactics};

/// Searches less deep than this are not reduced.
const FROM: u32 = 2;
/// The second move is searched in full, in the principal variation the third too.
const NUMBER_FROM: usize = 2;
// What changes a reduction, in parts of a ply.
const NOT_IMPROVING: i32 = GRAIN / 2;
const CUT: i32 = GRAIN;
const PV: i32 = GRAIN;
const KILLER: i32 = GRAIN;
const THREATENS: i32 = GRAIN;
const NOISY_KNOWN: i32 = GRAIN / 2;
const CHILDREN_CUT: i32 = GRAIN / 2;
/// So much history is worth a ply.
const HISTORY: i32 = 12_000;
/// Children with more cutoffs than this show that the foe has answers to everything.
const MANY_CUTOFFS: u32 = 3;

impl<G: Game, E: Tactics<G>> Picky<'_, G, E> {
    /// The depth to which a move is first searched instead of `depth`.
    pub(super) fn reduced(&self, pos: &G, sight: &Sight, this: &Try<G::Move>, depth: u32) -> u32 {
        let from = NUMBER_FROM + usize::from(sight.pv);
        if !self.nodes.switches.late_move_reductions
            || sight.node.depth < FROM
            || this.number < from
            || this.band == Band::Good
        {
            return depth;
        }
        let mut less = self.nodes.reductions.of(sight.node.depth, this.number);
        let mut adjust = |when: bool, parts: i32| less += if when { parts } else { 0 };
        adjust(!sight.improving, NOT_IMPROVING);
        adjust(sight.cut, CUT);
        adjust(sight.pv, -PV);
        adjust(this.band == Band::Killer, -KILLER);
        adjust(this.threatens, -THREATENS);
        adjust(sight.known_is_noisy, NOISY_KNOWN);
        let child = self.nodes.frames.at(sight.node.ply + 1);
        adjust(child.cutoffs > MANY_CUTOFFS, CHILDREN_CUT);
        if this.band != Band::Bad {
            let topic = self.expert.topic(pos, this.mv);
            let before = self.nodes.frames.before(sight.node.ply);
            let history = self.quiet_history(sight, &before, G::move_code(this.mv), topic);
            less -= history * (GRAIN / 8) / (HISTORY / 8);
        }
        let plies = (less / GRAIN).clamp(0, depth as i32 - 1).max(0);
        depth - plies as u32
    }

    /// The plies that a quiet move would be searched on, for what is left out by depth.
    pub(super) fn plies_left(&self, sight: &Sight, this: &Try<G::Move>) -> i32 {
        let less = self.nodes.reductions.of(sight.node.depth, this.number) / GRAIN;
        (sight.node.depth as i32 - 1 - less).max(0)
    }
}
