//! The methods by name, what they need of a game and how they are set up.
//!
//! What a method can handle is said twice, and a test proves that both agree: by the trait bounds of
//! the functions here, so that a wrong pair does not compile, and by [`Capabilities`], for people.

mod list;

use std::sync::{Arc, OnceLock};

use super::answer::OptionInfo;
use super::capabilities::Capabilities;
use engine::game::{Acyclic, Deterministic, Game, Indexed, Perfect, Tactics};
use engine::options::OptionSet;
use engine::search::alphabeta::{AlphaBeta, McAlphaBeta, Options, Selective};
use engine::search::greedy::Greedy;
use engine::search::minimax::Minimax;
use engine::search::montecarlo::{FlatMonteCarlo, FlatOptions, Random};
use engine::search::negamax::Negamax;
use engine::search::rollout_minimax::{RolloutMinimax, RolloutOptions};
use engine::search::sg::Sg;
use engine::search::tablebase::{Lookup, Tablebase};
use engine::search::tree_search::{TreeOptions, TreeSearch};
use engine::search::{Algorithm, Calibration, Playout};
use games::notation::{OptionKind, OptionSpec, Served, Settings};
pub use list::METHODS;

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

/// An option set as the settings have it.
fn with<O: OptionSet>(mut options: O, settings: &Settings) -> O {
    options.apply(settings);
    options
}

/// Methods for any game.
pub fn for_any<G: Served>() -> Vec<Offer<G>> {
    vec![
        offer("random", |_, _, _| Random),
        offer("greedy", |evaluator, _, _| Greedy(evaluator)),
        offer("flat_mc", |evaluator, settings, _| FlatMonteCarlo {
            evaluator,
            playout: with(Playout::default(), settings),
            options: with(FlatOptions::default(), settings),
        }),
        offer("mcts", |evaluator, settings, _| {
            tree_search(evaluator, TreeOptions::mcts(), settings)
        }),
        offer("uct", |evaluator, settings, _| tree_search(evaluator, TreeOptions::uct(), settings)),
        offer("mc_alphabeta", |evaluator, settings, calibration| {
            let mut method = McAlphaBeta::new(evaluator);
            method.options.apply(settings);
            method.chance_options.apply(settings);
            method.forward_pruning.apply(settings);
            method.calibration = calibration.clone();
            method
        }),
    ]
}

fn tree_search<E>(evaluator: E, options: TreeOptions, settings: &Settings) -> TreeSearch<E> {
    let playout = with(options.playout, settings);
    TreeSearch { evaluator, options: TreeOptions { playout, ..with(options, settings) } }
}

/// Methods for games where nothing is hidden.
pub fn for_open<G: Served + Game<Info = Perfect>>() -> Vec<Offer<G>> {
    vec![
        offer("expectiminimax", |evaluator, settings, _| AlphaBeta {
            evaluator,
            options: with(Options::default(), settings),
        }),
        offer("rollout_minimax", |evaluator, settings, _| RolloutMinimax {
            evaluator,
            playout: with(Playout::default(), settings),
            options: with(RolloutOptions::default(), settings),
        }),
    ]
}

/// Methods for games in which no position comes up twice.
pub fn for_acyclic<G: Served + Acyclic>() -> Vec<Offer<G>> {
    vec![offer("sg", |_, settings, _| with(Sg::default(), settings))]
}

/// Methods for games without chance where nothing is hidden.
pub fn for_deterministic<G: Served + Deterministic>() -> Vec<Offer<G>> {
    vec![
        offer("minimax", |evaluator, _, _| Minimax(evaluator)),
        offer("negamax", |evaluator, _, _| Negamax(evaluator)),
        offer("alphabeta", |evaluator, settings, _| AlphaBeta {
            evaluator,
            options: with(Options::default(), settings),
        }),
    ]
}

/// Methods for games whose evaluators know single moves.
pub fn for_tactical<G: Served + Deterministic>() -> Vec<Offer<G>>
where
    G::Evaluator: Tactics<G>,
{
    vec![offer("selective", |evaluator, settings, calibration| {
        let mut method = Selective::new(evaluator);
        method.options.apply(settings);
        method.switches.apply(settings);
        method.calibration = calibration.clone();
        method
    })]
}

/// Methods for games with a numbered state space.
pub fn for_indexed<G: Served + Indexed>() -> Vec<Offer<G>> {
    let cell: OnceLock<Arc<Tablebase<G>>> = OnceLock::new();
    let table = Arc::new(move || Arc::clone(cell.get_or_init(|| Arc::new(Tablebase::build()))));
    let lookup = {
        let table = Arc::clone(&table);
        offer("tablebase", move |_, _, _| Lookup(table()))
    };
    let prepare = move || {
        table();
    };
    vec![Offer { prepare: Some(Box::new(prepare)), ..lookup }]
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
