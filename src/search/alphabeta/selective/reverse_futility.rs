//! Positions that stand far too high are not searched: the other side will not allow them.
// CITE: reverse futility (static null move), Heinz 1998, "Extended futility pruning", turned round.

use super::{Picky, Sight, hundredths};
use crate::game::{Game, Tactics};
use crate::search::Score;

const DEEPEST: u32 = 6;
/// For each ply left, in hundredths.
const MARGIN: i32 = 110;

impl<G: Game, E: Tactics<G>> Picky<'_, G, E> {
    pub(super) fn reverse_futility(&self, sight: &Sight) -> Option<Score> {
        let node = sight.node;
        let beta = node.window.beta;
        if !self.nodes.switches.reverse_futility || node.depth > DEEPEST || beta.is_decided() {
            return None;
        }
        let plies = node.depth as i32 - i32::from(sight.improving);
        let margin = hundredths::<G, E>(MARGIN) * plies;
        let enough = sight.guess - margin >= beta.raw();
        enough.then(|| Score::heuristic((sight.guess + beta.raw()) / 2))
    }
}
