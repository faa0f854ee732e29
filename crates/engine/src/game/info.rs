//! Hidden information: a player's knowledge of a position.

use super::{Game, Rng, Side};

/// The information sets of the players of `G`.
///
/// A position is always a complete world. Where something is hidden, a search must not use the world it
/// was given but only determinizations: worlds drawn from the viewer's information set ([`Info::world`]).
pub trait Info<G: Game> {
    /// True if anything is ever hidden from a player.
    const HIDDEN: bool;

    /// Determinization: a random complete position, indistinguishable from `pos` for the viewer.
    fn world(pos: &G, viewer: Side, rng: &mut Rng) -> G;

    /// Hash of the viewer's information set: equal for positions indistinguishable to the viewer.
    fn view(pos: &G, viewer: Side) -> u64;
}

/// Perfect information.
#[derive(Clone, Copy, Debug)]
pub enum Perfect {}

impl<G: Game> Info<G> for Perfect {
    const HIDDEN: bool = false;

    fn world(pos: &G, _: Side, _: &mut Rng) -> G {
        pos.clone()
    }

    fn view(pos: &G, _: Side) -> u64 {
        pos.hash()
    }
}
