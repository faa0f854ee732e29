//! The methods by name: what they need of a game and how they are set up.

mod list;

use super::answer::OptionInfo;
use super::capabilities::Capabilities;
use engine::search::{Algorithm, Calibration};
use games::notation::{OptionKind, OptionSpec, Served, Settings};
pub use list::{
    METHODS, for_acyclic, for_any, for_deterministic, for_indexed, for_open, for_tactical,
};

/// A method.
#[derive(Debug)]
pub struct MethodInfo {
    /// The name in questions.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// What a game must be for it.
    pub needs: Capabilities,
    /// The members of a budget that it heeds.
    pub budgets: &'static [&'static str],
    /// True if a search without any limit goes on for ever, or as long as it may.
    pub needs_budget: bool,
    /// True if it finds out values of moves.
    pub evaluates: bool,
    /// Its options.
    pub options: Vec<OptionSpec>,
    /// Where it comes from.
    pub source: &'static str,
}

/// The method with this name.
pub fn method(name: &str) -> Option<&'static MethodInfo> {
    METHODS.iter().find(|method| method.name == name)
}

type Build<G> = Box<
    dyn Fn(<G as Served>::Evaluator, &Settings, &Calibration) -> Box<dyn Algorithm<G>>
        + Send
        + Sync,
>;

/// A method that can play the game `G`.
pub struct Offer<G: Served> {
    /// The method.
    pub method: &'static MethodInfo,
    /// Sets it up with an evaluator, the method's settings and what was measured of the game.
    pub build: Build<G>,
    /// Work that is better done before the first question comes.
    pub prepare: Option<Box<dyn Fn() + Send + Sync>>,
}

fn offer<G: Served, A: Algorithm<G> + 'static>(
    name: &str,
    build: impl Fn(G::Evaluator, &Settings, &Calibration) -> A + Send + Sync + 'static,
) -> Offer<G> {
    let method = method(name).expect("only listed methods are offered");
    Offer {
        method,
        build: Box::new(move |evaluator, settings, calibration| {
            Box::new(build(evaluator, settings, calibration))
        }),
        prepare: None,
    }
}

impl From<&OptionSpec> for OptionInfo {
    fn from(spec: &OptionSpec) -> Self {
        let info = |kind, default| Self {
            name: spec.name,
            kind,
            values: None,
            minimum: None,
            maximum: None,
            default,
            about: spec.about,
        };
        match spec.kind {
            OptionKind::Flag { default } => info("boolean", default.into()),
            OptionKind::Integer { min, max, default } => Self {
                minimum: Some(min.into()),
                maximum: Some(max.into()),
                ..info("integer", default.into())
            },
            OptionKind::Number { min, max, default } => Self {
                minimum: Some(min.into()),
                maximum: Some(max.into()),
                ..info("number", default.into())
            },
            OptionKind::Choice(words) => {
                Self { values: Some(words), ..info("string", words[0].into()) }
            }
        }
    }
}
