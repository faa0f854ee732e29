//! Hidden information: what a player may know of a position.

use super::{Game, Rng, Side};

/// What the players of `G` see.
///
/// A position is always a complete world. Where something is hidden, a search must not use the
/// world it was given but only worlds drawn from what the viewer sees ([`Info::world`]).
pub trait Info<G: Game> {
    /// Whether anything is ever hidden from anybody.
    const HIDDEN: bool;

    /// A complete position that the viewer cannot tell from `pos`, drawn at random.
    fn world(pos: &G, viewer: Side, rng: &mut Rng) -> G;

    /// A fingerprint of everything the viewer sees: equal for positions he cannot tell apart.
    fn view(pos: &G, viewer: Side) -> u64;
}

/// Everybody sees everything.
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
