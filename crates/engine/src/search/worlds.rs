//! Determinization of hidden information: where something is hidden, a search never sees the world it was
//! given, only worlds drawn from the mover's information set.
// CITE: Ginsberg 2001, "GIB: imperfect information in a computationally challenging game".

use crate::game::{Game, Info, Rng, Side};

/// Worlds to search: the position itself where nothing is hidden, otherwise `count` draws.
pub(super) fn worlds<G: Game>(root: &G, viewer: Side, count: usize, seed: u64) -> Vec<G> {
    if !G::Info::HIDDEN {
        return vec![root.clone()];
    }
    let mut rng = Rng::new(seed);
    (0..count.max(1)).map(|_| G::Info::world(root, viewer, &mut rng)).collect()
}
