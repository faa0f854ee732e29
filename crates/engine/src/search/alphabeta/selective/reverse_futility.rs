//! Reverse futility pruning: nodes far above beta are cut.
// CITE: reverse futility (static null move), Heinz 1998, "Extended futility pruning", turned round.

use super::{NodeInfo, SelectiveSearcher, hundredths};
use crate::game::{Game, Tactics};
use crate::search::Score;

impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    pub(super) fn reverse_futility(&self, info: &NodeInfo) -> Option<Score> {
        let node = info.node;
        let beta = node.window.beta;
        let by = &self.nodes.parameters;
        if !self.nodes.switches.reverse_futility
            || node.depth > by.reverse_depth
            || beta.is_decided()
        {
            return None;
        }
        let plies = node.depth as i32 - i32::from(info.improving);
        let margin = hundredths::<G, E>(by.reverse_margin) * plies;
        let enough = info.guess - margin >= beta.raw();
        enough.then(|| Score::heuristic((info.guess + beta.raw()) / 2))
    }
}
