//! The methods by name, what they need of a game and how they are set up.
//!
//! What a method can handle is said twice, and a test proves that both agree: by the trait bounds of
//! the functions here, so that a wrong pair does not compile, and by [`Capabilities`], for people.

mod list;

use std::sync::{Arc, OnceLock};

use super::answer::OptionInfo;
use super::capabilities::Capabilities;
use engine::game::{Acyclic, Deterministic, Game, Indexed, Perfect, Tactics};
use engine::search::alphabeta::{
    AlphaBeta, ChanceOptions, Determinization, ForwardPruning, McAlphaBeta, Options, Ordering,
    Pruning, Selective, Switches, TableUse,
};
use engine::search::greedy::Greedy;
use engine::search::minimax::Minimax;
use engine::search::montecarlo::{FlatMonteCarlo, Random, RolloutMinimax};
use engine::search::negamax::Negamax;
use engine::search::sg::Sg;
use engine::search::tablebase::{Lookup, Tablebase};
use engine::search::tree_search::{
    ExplorationBase, FinalChoice, SelectionPolicy, TreeOptions, TreeSearch,
};
use engine::search::{Algorithm, Calibration, Playout, PlayoutStyle};
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
    /// Its options.
    pub options: &'static [OptionSpec],
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

fn playout(settings: &Settings) -> Playout {
    let style = match settings.choice("playout") {
        "expert" => PlayoutStyle::Evaluator,
        _ => PlayoutStyle::Random,
    };
    let depth = settings.integer("playout_depth") as u32;
    Playout { style, depth: (depth > 0).then_some(depth) }
}

/// Methods for any game.
pub fn for_any<G: Served>() -> Vec<Offer<G>> {
    vec![
        offer("random", |_, _, _| Random),
        offer("greedy", |evaluator, _, _| Greedy(evaluator)),
        offer("flat_mc", |evaluator, settings, _| FlatMonteCarlo {
            evaluator,
            playout: playout(settings),
            worlds: settings.integer("worlds") as usize,
        }),
        offer("mcts", |evaluator, settings, _| TreeSearch {
            evaluator,
            options: TreeOptions {
                playout: playout(settings),
                worlds: settings.integer("worlds") as usize,
                tree_mib: settings.integer("tree_mib") as usize,
                ..TreeOptions::mcts()
            },
        }),
        offer("uct", |evaluator, settings, _| TreeSearch { evaluator, options: uct(settings) }),
        offer("mc_alphabeta", |evaluator, settings, calibration| McAlphaBeta {
            evaluator,
            options: Options {
                ordering: ordering(settings),
                table: match settings.integer("table_mib") {
                    0 => TableUse::Off,
                    _ => TableUse::Private,
                },
                star1: settings.flag("star1"),
                pvs: settings.flag("pvs"),
                ..sound(settings)
            },
            chance_options: chance_options(settings),
            forward_pruning: forward_pruning(settings),
            calibration: calibration.clone(),
        }),
    ]
}

/// Methods for games where nothing is hidden.
pub fn for_open<G: Served + Game<Info = Perfect>>() -> Vec<Offer<G>> {
    vec![
        offer("expectiminimax", |evaluator, settings, _| AlphaBeta {
            evaluator,
            options: engine(settings),
        }),
        offer("rollout_minimax", |evaluator, settings, _| RolloutMinimax {
            evaluator,
            playout: playout(settings),
            playouts: settings.integer("playouts") as u32,
            depth: settings.integer("depth") as u32,
        }),
    ]
}

/// Methods for games in which no position comes up twice.
pub fn for_acyclic<G: Served + Acyclic>() -> Vec<Offer<G>> {
    vec![offer("sg", |_, settings, _| Sg { max_states: settings.integer("max_states") as usize })]
}

/// Methods for games without chance where nothing is hidden.
pub fn for_deterministic<G: Served + Deterministic>() -> Vec<Offer<G>> {
    vec![
        offer("minimax", |evaluator, _, _| Minimax(evaluator)),
        offer("negamax", |evaluator, _, _| Negamax(evaluator)),
        offer("alphabeta", |evaluator, settings, _| AlphaBeta {
            evaluator,
            options: engine(settings),
        }),
    ]
}

/// Methods for games whose evaluators know single moves.
pub fn for_tactical<G: Served + Deterministic>() -> Vec<Offer<G>>
where
    G::Evaluator: Tactics<G>,
{
    vec![offer("selective", |evaluator, settings, calibration| Selective {
        evaluator,
        options: Options { table: table(settings), ..sound(settings) },
        switches: switches(settings),
        calibration: calibration.clone(),
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

/// What every deepening search can be told, without its tables.
fn sound(settings: &Settings) -> Options {
    Options {
        deepening: settings.flag("deepening"),
        table_mib: settings.integer("table_mib") as usize,
        aspiration: settings.flag("aspiration"),
        ..Options::default()
    }
}

fn chance_options(settings: &Settings) -> ChanceOptions {
    let count = |name| settings.integer(name) as u32;
    ChanceOptions {
        enumerate: count("enumerate"),
        samples: count("samples"),
        chance_depth: count("chance_depth"),
        buckets: settings.flag("buckets"),
        worlds: count("worlds"),
        determinization: match settings.choice("determinization") {
            "fixed" => Determinization::Fixed,
            _ => Determinization::Sampled,
        },
    }
}

fn forward_pruning(settings: &Settings) -> ForwardPruning {
    let on = |name| settings.flag(name);
    ForwardPruning {
        razor: on("razor"),
        self_loss: on("self_loss"),
        probabilistic: on("probabilistic"),
        order_independence: on("order_independence"),
        continuation: on("continuation"),
        dominance: on("dominance"),
    }
}

fn engine(settings: &Settings) -> Options {
    Options {
        pruning: match settings.choice("pruning") {
            "alpha" => Pruning::Alpha,
            "beta" => Pruning::Beta,
            "none" => Pruning::None,
            _ => Pruning::Both,
        },
        deepening: settings.flag("deepening"),
        ordering: ordering(settings),
        table: table(settings),
        table_mib: settings.integer("table_mib") as usize,
        pvs: settings.flag("pvs"),
        aspiration: settings.flag("aspiration"),
        star1: true,
    }
}

fn ordering(settings: &Settings) -> Ordering {
    match settings.choice("ordering") {
        "none" => Ordering::None,
        "static" => Ordering::Static,
        _ => Ordering::Full,
    }
}

fn table(settings: &Settings) -> TableUse {
    match settings.choice("table") {
        "off" => TableUse::Off,
        "private" => TableUse::Private,
        _ => TableUse::Shared,
    }
}

fn switches(settings: &Settings) -> Switches {
    let on = |name| settings.flag(name);
    Switches {
        smoothing: on("smoothing"),
        quiescence: on("quiescence"),
        null_move: on("null_move"),
        razor: on("razor"),
        reverse_futility: on("reverse_futility"),
        futility: on("futility"),
        late_move_pruning: on("late_move_pruning"),
        exchange_pruning: on("exchange_pruning"),
        late_move_reductions: on("late_move_reductions"),
        internal_reductions: on("internal_reductions"),
        probcut: on("probcut"),
        singular_extensions: on("singular_extensions"),
        check_extensions: on("check_extensions"),
        killers: on("killers"),
        history: on("history"),
        continuation_history: on("continuation_history"),
        threats: on("threats"),
        correction: on("correction"),
        self_loss: on("self_loss"),
        probabilistic: on("probabilistic"),
        order_independence: on("order_independence"),
    }
}

fn uct(settings: &Settings) -> TreeOptions {
    let base = match settings.choice("exploration_base") {
        "root" => ExplorationBase::Root,
        _ => ExplorationBase::Parent,
    };
    TreeOptions {
        policy: SelectionPolicy::Ucb { c: settings.number("c"), base },
        solver: settings.flag("solver"),
        playout: playout(settings),
        terminal_search: settings.integer("terminal_search") as u32,
        final_choice: match settings.choice("final") {
            "max" => FinalChoice::Max,
            "lcb" => FinalChoice::Lcb,
            _ => FinalChoice::Robust,
        },
        worlds: settings.integer("worlds") as usize,
        tree_mib: settings.integer("tree_mib") as usize,
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
