//! Hidden information by determinization: a search never sees the world it was given where
//! something is hidden, only worlds drawn from what the mover knows.
// CITE: Ginsberg 2001, "GIB: imperfect information in a computationally challenging game".

use crate::game::{Game, Info, Rng, Side};

/// The worlds to search: the position itself where nothing is hidden, else `count` draws.
pub(super) fn worlds<G: Game>(root: &G, viewer: Side, count: usize, seed: u64) -> Vec<G> {
    if !G::Info::HIDDEN {
        return vec![root.clone()];
    }
    let mut rng = Rng::new(seed);
    (0..count.max(1)).map(|_| G::Info::world(root, viewer, &mut rng)).collect()
}
