//! The laws of hidden information.

use std::fmt::Debug;

use crate::game::{Game, Info, Rng, Side, Turn};

/// Worlds drawn for each viewer of a position.
const WORLDS: usize = 4;

/// A world is indistinguishable from the position for its viewer: same view, same turn and same legal
/// moves.
pub(super) fn check<G: Game>(pos: &G, rng: &mut Rng, line: &impl Debug) {
    for viewer in Side::BOTH {
        let view = G::Info::view(pos, viewer);
        assert_eq!(G::Info::view(&pos.clone(), viewer), view, "a copy looks alike after {line:?}");
        for _ in 0..WORLDS {
            let world = G::Info::world(pos, viewer, rng);
            let what = format!("a world of {viewer:?} after {line:?}");
            assert_eq!(G::Info::view(&world, viewer), view, "{what}: what he sees");
            assert_eq!(world.turn(), pos.turn(), "{what}: the turn");
            if pos.turn() == Turn::Of(viewer) {
                assert_eq!(world.legal_moves(), pos.legal_moves(), "{what}: his moves");
            }
            if !G::Info::HIDDEN {
                assert_eq!(world.hash(), pos.hash(), "{what}: nothing is hidden");
            }
        }
    }
}
