//! Capabilities of a game that methods require, derived from the traits that its type implements.

use std::marker::PhantomData;

use super::chinese;
use super::info::Language;
use super::linear::{Linear, LinearEvaluation};
use super::methods::{
    Offer, for_acyclic, for_any, for_deterministic, for_indexed, for_open, for_tactical,
};
use super::study::{self, DepthStudy};
use engine::game::{Acyclic, Deterministic, Fitted, Game, Indexed, Perfect, Tactics};
use games::notation::Served;

/// Capabilities of a game, or those that a method requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// No chance nodes.
    pub no_chance: bool,
    /// Perfect information.
    pub open: bool,
    /// Acyclic: no position repeats, so every line of play ends.
    pub acyclic: bool,
    /// Numbered state space.
    pub indexed: bool,
    /// An evaluator that knows captures, threats and material.
    pub tactical: bool,
}

impl Capabilities {
    /// No capabilities.
    pub const NONE: Self =
        Self { no_chance: false, open: false, acyclic: false, indexed: false, tactical: false };
    /// Perfect information.
    pub const OPEN: Self = Self { open: true, ..Self::NONE };
    /// Perfect information, no chance.
    pub const DETERMINISTIC: Self = Self { no_chance: true, ..Self::OPEN };
    /// Deterministic and acyclic.
    pub const ACYCLIC: Self = Self { acyclic: true, ..Self::DETERMINISTIC };
    /// Deterministic, with a numbered state space.
    pub const INDEXED: Self = Self { indexed: true, ..Self::DETERMINISTIC };
    /// Deterministic, with an evaluator that knows captures and threats.
    pub const TACTICAL: Self = Self { tactical: true, ..Self::DETERMINISTIC };

    /// All capabilities: presence and name.
    fn named(self) -> [(bool, &'static str); 5] {
        [
            (self.no_chance, "no chance"),
            (self.open, "perfect information"),
            (self.acyclic, "no repeated positions"),
            (self.indexed, "a state space small enough for a table"),
            (self.tactical, "an evaluator that knows captures and threats"),
        ]
    }

    /// Names of the capabilities, separated by commas.
    pub fn describe(self, language: Language) -> String {
        let named = self.named();
        let wants = named.iter().filter(|(on, _)| *on).map(|(_, what)| *what);
        let wants = wants.map(|what| language.of(chinese::titled(what)));
        let wants = wants.collect::<Vec<_>>().join(", ");
        if wants.is_empty() { language.of(chinese::titled("nothing")).into() } else { wants }
    }

    /// True if these include all of `needs`.
    pub fn cover(self, needs: Self) -> bool {
        self.named().iter().zip(needs.named()).all(|((has, _), (needed, _))| *has || !needed)
    }
}

/// Trait detection for a concrete type: an inherent item below takes precedence if its bounds hold; otherwise
/// [`Otherwise`] supplies the default.
pub(super) struct CapabilitiesOf<G>(PhantomData<G>);

/// Defaults for traits that a type does not implement.
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

/// Catalog entry of a game with all methods that its type allows.
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
