//! Methods by name: required capabilities of a game, options and constructors.

mod list;
mod offers;

use super::capabilities::Capabilities;
use super::info::{OptionInfo, ValueType};
use engine::search::{Algorithm, Calibration};
use games::notation::{OptionKind, OptionSpec, Served, Settings};
pub use list::METHODS;
pub use offers::{for_acyclic, for_any, for_deterministic, for_indexed, for_open, for_tactical};

/// Search method.
#[derive(Debug)]
pub struct MethodInfo {
    /// Name in questions.
    pub name: &'static str,
    /// Short description.
    pub about: &'static str,
    /// Required capabilities of a game.
    pub needs: Capabilities,
    /// Members of a budget that limit it.
    pub budgets: &'static [&'static str],
    /// True if a search without a limit does not end by itself.
    pub needs_budget: bool,
    /// True if it computes values of moves.
    pub evaluates: bool,
    /// True if its values are means of playouts, in expected result.
    pub estimates: bool,
    /// True if it sees the rules on the history of the game.
    pub sees_history: bool,
    /// True if it can give the tree that it searched.
    pub traces: bool,
    /// True if it grows a tree by playouts, whose top it can give.
    pub grows_tree: bool,
    /// Options.
    pub options: Vec<OptionSpec>,
    /// Literature.
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

/// Method offered for the game `G`.
pub struct Offer<G: Served> {
    /// Description of the method.
    pub method: &'static MethodInfo,
    /// Constructor from an evaluator, the method's settings and the game's calibration.
    pub build: Build<G>,
    /// Precomputation before the first question, if any.
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
            OptionKind::Flag { default } => info(ValueType::Boolean, default.into()),
            OptionKind::Integer { min, max, default } => Self {
                minimum: Some(min.into()),
                maximum: Some(max.into()),
                ..info(ValueType::Integer, default.into())
            },
            OptionKind::Number { min, max, default } => Self {
                minimum: Some(min.into()),
                maximum: Some(max.into()),
                ..info(ValueType::Number, default.into())
            },
            OptionKind::Choice(words) => {
                Self { values: Some(words), ..info(ValueType::String, words[0].into()) }
            }
        }
    }
}
