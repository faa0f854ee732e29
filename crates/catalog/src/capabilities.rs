//! What a game is, as methods ask for it: read off the traits that its type implements, so that nobody
//! has to list it.

use std::marker::PhantomData;

use super::linear::{Linear, LinearEvaluation};
use super::methods::{
    Offer, for_acyclic, for_any, for_deterministic, for_indexed, for_open, for_tactical,
};
use super::study::{self, DepthStudy};
use engine::game::{Acyclic, Deterministic, Fitted, Game, Indexed, Perfect, Tactics};
use games::notation::Served;

/// Facts of a game, or what a method needs of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Without dice or cards.
    pub no_chance: bool,
    /// With nothing hidden.
    pub open: bool,
    /// With an end to every line of play: no position comes up twice.
    pub acyclic: bool,
    /// With a numbered state space.
    pub indexed: bool,
    /// With captures, threats and material that its evaluator tells apart.
    pub tactical: bool,
}

impl Capabilities {
    /// Nothing in particular.
    pub const NONE: Self =
        Self { no_chance: false, open: false, acyclic: false, indexed: false, tactical: false };
    /// Perfect information.
    pub const OPEN: Self = Self { open: true, ..Self::NONE };
    /// Perfect information, no chance.
    pub const DETERMINISTIC: Self = Self { no_chance: true, ..Self::OPEN };
    /// Deterministic, and every line of play ends.
    pub const ACYCLIC: Self = Self { acyclic: true, ..Self::DETERMINISTIC };
    /// Deterministic, with a numbered state space.
    pub const INDEXED: Self = Self { indexed: true, ..Self::DETERMINISTIC };
    /// Deterministic, with knowledge of single moves.
    pub const TACTICAL: Self = Self { tactical: true, ..Self::DETERMINISTIC };

    /// Each capability: whether it is there, and its name.
    fn named(self) -> [(bool, &'static str); 5] {
        [
            (self.no_chance, "no chance"),
            (self.open, "nothing hidden"),
            (self.acyclic, "no position that comes up twice in a game"),
            (self.indexed, "a state space small enough to hold a table of it"),
            (self.tactical, "captures and threats that its evaluator knows"),
        ]
    }

    /// In words.
    pub fn describe(self) -> String {
        let named = self.named();
        let wants: Vec<_> = named.iter().filter(|(on, _)| *on).map(|(_, what)| *what).collect();
        if wants.is_empty() { "nothing".into() } else { wants.join(", ") }
    }

    /// Whether a game with these has all that is needed.
    pub fn cover(self, needs: Self) -> bool {
        self.named().iter().zip(needs.named()).all(|((has, _), (needed, _))| *has || !needed)
    }
}

/// Asks a type which traits it implements. For a concrete type, what is inherent here wins where its
/// bounds hold; elsewhere [`Otherwise`] answers.
pub(super) struct CapabilitiesOf<G>(PhantomData<G>);

/// The answers for a trait that a type does not implement.
pub(super) trait Otherwise<G: Served> {
    const NO_CHANCE: bool = false;
    const OPEN: bool = false;
    const ACYCLIC: bool = false;
    const INDEXED: bool = false;
    const TACTICAL: bool = false;

    fn open() -> Vec<Offer<G>> {
        Vec::new()
    }

    fn deterministic() -> Vec<Offer<G>> {
        Vec::new()
    }

    fn acyclic() -> Vec<Offer<G>> {
        Vec::new()
    }

    fn indexed() -> Vec<Offer<G>> {
        Vec::new()
    }

    fn tactical() -> Vec<Offer<G>> {
        Vec::new()
    }

    fn study() -> Option<fn(u32) -> DepthStudy> {
        None
    }

    fn linear() -> Option<Box<dyn Linear>> {
        None
    }
}

impl<G: Served> Otherwise<G> for CapabilitiesOf<G> {}

impl<G: Served> CapabilitiesOf<G> {
    pub(super) fn any() -> Vec<Offer<G>> {
        for_any()
    }
}

impl<G: Served + Game<Info = Perfect>> CapabilitiesOf<G> {
    pub(super) const OPEN: bool = true;

    pub(super) fn open() -> Vec<Offer<G>> {
        for_open()
    }
}

impl<G: Served + Game<Chance = std::convert::Infallible>> CapabilitiesOf<G> {
    pub(super) const NO_CHANCE: bool = true;
}

impl<G: Served + Deterministic> CapabilitiesOf<G> {
    pub(super) fn deterministic() -> Vec<Offer<G>> {
        for_deterministic()
    }
}

impl<G: Served + Acyclic> CapabilitiesOf<G> {
    pub(super) const ACYCLIC: bool = true;

    pub(super) fn acyclic() -> Vec<Offer<G>> {
        for_acyclic()
    }
}

impl<G: Served + Indexed> CapabilitiesOf<G> {
    pub(super) const INDEXED: bool = true;

    pub(super) fn indexed() -> Vec<Offer<G>> {
        for_indexed()
    }

    pub(super) fn study() -> Option<fn(u32) -> DepthStudy> {
        Some(study::depths::<G>)
    }
}

impl<G: Served + Deterministic> CapabilitiesOf<G>
where
    G::Evaluator: Tactics<G>,
{
    pub(super) const TACTICAL: bool = true;

    pub(super) fn tactical() -> Vec<Offer<G>> {
        for_tactical()
    }
}

impl<G: Served> CapabilitiesOf<G>
where
    G::Evaluator: Fitted<G>,
{
    pub(super) fn linear() -> Option<Box<dyn Linear>> {
        Some(Box::new(LinearEvaluation::<G>::new()))
    }
}

/// A game with every method that its type allows.
macro_rules! entry {
    ($game:ty) => {{
        #[allow(unused_imports, reason = "a game may implement every trait")]
        use $crate::capabilities::Otherwise as _;
        use $crate::capabilities::{Capabilities, CapabilitiesOf};
        use $crate::entry::GameEntry;
        GameEntry::<$game>::new(
            Capabilities {
                no_chance: CapabilitiesOf::<$game>::NO_CHANCE,
                open: CapabilitiesOf::<$game>::OPEN,
                acyclic: CapabilitiesOf::<$game>::ACYCLIC,
                indexed: CapabilitiesOf::<$game>::INDEXED,
                tactical: CapabilitiesOf::<$game>::TACTICAL,
            },
            [
                CapabilitiesOf::<$game>::any(),
                CapabilitiesOf::<$game>::open(),
                CapabilitiesOf::<$game>::deterministic(),
                CapabilitiesOf::<$game>::acyclic(),
                CapabilitiesOf::<$game>::indexed(),
                CapabilitiesOf::<$game>::tactical(),
            ],
            CapabilitiesOf::<$game>::study(),
            CapabilitiesOf::<$game>::linear(),
        )
    }};
}
pub(super) use entry;
