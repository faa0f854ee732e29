//! The methods by name, what they need of a game and how they are set up.
//!
//! What a method can handle is said twice, and a test proves that both agree: by the trait bounds of
//! the functions here, so that a wrong pair does not compile, and by [`Needs`], for people.

use std::sync::{Arc, OnceLock};

use super::answer::OptionInfo;
use crate::game::{Acyclic, Deterministic, Game, Indexed, Perfect};
use crate::search::alphabeta::{AlphaBeta, Options, Ordering, Pruning, TableUse};
use crate::search::minimax::Minimax;
use crate::search::montecarlo::{FlatMonteCarlo, Random, RolloutMinimax};
use crate::search::negamax::Negamax;
use crate::search::sg::Sg;
use crate::search::tablebase::{Lookup, Tablebase};
use crate::search::tree_search::{ExplorationBase, FinalChoice, Policy, TreeOptions, TreeSearch};
use crate::search::{Algorithm, Playout, PlayoutStyle};
use crate::wire::{OptionKind, OptionSpec, Settings, Wire};

/// What a game must be for a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Without dice or cards.
    pub no_chance: bool,
    /// With nothing hidden.
    pub open: bool,
    /// With an end to every line of play: no position comes up twice.
    pub acyclic: bool,
    /// With a numbered state space.
    pub indexed: bool,
}

impl Needs {
    const ANY: Self = Self { no_chance: false, open: false, acyclic: false, indexed: false };
    const OPEN: Self = Self { open: true, ..Self::ANY };
    const DETERMINISTIC: Self = Self { no_chance: true, ..Self::OPEN };
    const ACYCLIC: Self = Self { acyclic: true, ..Self::DETERMINISTIC };
    const INDEXED: Self = Self { indexed: true, ..Self::DETERMINISTIC };

    /// In words.
    pub fn describe(self) -> String {
        let wants = [
            (self.no_chance, "no chance"),
            (self.open, "nothing hidden"),
            (self.acyclic, "no position that comes up twice in a game"),
            (self.indexed, "a state space small enough to hold a table of it"),
        ];
        let wants: Vec<_> = wants.iter().filter(|(on, _)| *on).map(|(_, what)| *what).collect();
        if wants.is_empty() { "nothing".into() } else { wants.join(", ") }
    }
}

/// A method.
#[derive(Debug)]
pub struct MethodInfo {
    /// The name in questions.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// What a game must be for it.
    pub needs: Needs,
    /// The members of a budget that it heeds.
    pub budgets: &'static [&'static str],
    /// Its options.
    pub options: &'static [OptionSpec],
    /// Where it comes from.
    pub source: &'static str,
}

const fn flag(name: &'static str, default: bool, about: &'static str) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Flag { default }, about }
}

const fn choice(
    name: &'static str,
    words: &'static [&'static str],
    about: &'static str,
) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Choice(words), about }
}

const fn integer(
    name: &'static str,
    [min, default, max]: [i64; 3],
    about: &'static str,
) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Integer { min, max, default }, about }
}

const PLAYOUT: OptionSpec =
    choice("playout", &["random", "expert"], "how moves are chosen in playouts");
const PLAYOUT_DEPTH: OptionSpec = integer(
    "playout_depth",
    [0, 0, 10_000],
    "moves after which a playout is judged by the expert's evaluation; 0 plays to the end",
);
const WORLDS: OptionSpec =
    integer("worlds", [1, 16, 256], "worlds drawn where something is hidden");
const TREE_MIB: OptionSpec =
    integer("tree_mib", [1, 128, 1_024], "memory for the tree in MiB; when full, it stops growing");
const TERMINAL: OptionSpec =
    integer("terminal_search", [0, 0, 8], "plies that a new node is searched exhaustively");

const ENGINE: &[OptionSpec] = &[
    choice(
        "pruning",
        &["both", "alpha", "beta", "none"],
        "which bounds cut: both, only those of the root side's foe, only those of the root side, none",
    ),
    flag("deepening", true, "search depth 1, 2, 3 and so on, not the last depth at once"),
    choice(
        "ordering",
        &["full", "static", "none"],
        "moves tried first: by table, killers, history and expert; by the expert; as listed",
    ),
    choice("table", &["shared", "private", "off"], "which tables remember positions"),
    integer("table_mib", [1, 4, 256], "size of the private table in MiB"),
    flag("pvs", true, "ask of later moves first whether they are better at all"),
    flag("aspiration", true, "look for a root move's value near its last one first"),
];

const UCT: &[OptionSpec] = &[
    OptionSpec {
        name: "c",
        kind: OptionKind::Number { min: 0.0, max: 10.0, default: std::f64::consts::SQRT_2 },
        about: "weight of the exploration term",
    },
    choice("exploration_base", &["parent", "root"], "whose visits stand under the logarithm"),
    flag("solver", true, "carry proved wins and losses up the tree"),
    choice(
        "final",
        &["robust", "max", "lcb"],
        "the move played: most visits, best mean, best lower bound",
    ),
    PLAYOUT,
    PLAYOUT_DEPTH,
    TERMINAL,
    WORLDS,
    TREE_MIB,
];

const DEEPENING: &[&str] = &["time_ms", "depth", "nodes"];
const PLAYING_OUT: &[&str] = &["time_ms", "nodes", "simulations"];

/// Every method, the exact ones first.
pub static METHODS: [MethodInfo; 11] = [
    MethodInfo {
        name: "sg",
        about: "exact win, loss or draw of the position and of every move with the plies to the end, by memoised search of all that can happen",
        needs: Needs::ACYCLIC,
        budgets: &["time_ms", "nodes"],
        options: &[integer(
            "max_states",
            [1, 1_000_000, 20_000_000],
            "states it stores before it gives up",
        )],
        source: "Zermelo 1913",
    },
    MethodInfo {
        name: "tablebase",
        about: "looks the position up in a table of all positions, computed backwards from the ends",
        needs: Needs::INDEXED,
        budgets: &[],
        options: &[],
        source: "Stroehlein 1970",
    },
    MethodInfo {
        name: "minimax",
        about: "textbook minimax with two functions and no pruning; deepens when no depth is given",
        needs: Needs::DETERMINISTIC,
        budgets: DEEPENING,
        options: &[],
        source: "Shannon 1950",
    },
    MethodInfo {
        name: "negamax",
        about: "textbook minimax with one function for both sides and no pruning",
        needs: Needs::DETERMINISTIC,
        budgets: DEEPENING,
        options: &[],
        source: "Knuth and Moore 1975",
    },
    MethodInfo {
        name: "alphabeta",
        about: "the value of minimax at the same depth, only faster: deepening, tables, zero windows, aspiration, killers, history, expert ordering",
        needs: Needs::DETERMINISTIC,
        budgets: DEEPENING,
        options: ENGINE,
        source: "Knuth and Moore 1975; Marsland and Campbell 1982",
    },
    MethodInfo {
        name: "expectiminimax",
        about: "alphabeta with the exact expectation where chance acts, cut by Star1 bounds",
        needs: Needs::OPEN,
        budgets: DEEPENING,
        options: ENGINE,
        source: "Michie 1966; Ballard 1983",
    },
    MethodInfo {
        name: "rollout_minimax",
        about: "minimax whose leaves are judged by the mean of playouts",
        needs: Needs::OPEN,
        budgets: DEEPENING,
        options: &[
            integer("playouts", [1, 100, 100_000], "playouts a leaf"),
            integer("depth", [1, 2, 20], "plies to look ahead where the budget names no depth"),
            PLAYOUT,
            PLAYOUT_DEPTH,
        ],
        source: "Abramson 1990",
    },
    MethodInfo {
        name: "flat_mc",
        about: "the same number of playouts for every move",
        needs: Needs::ANY,
        budgets: PLAYING_OUT,
        options: &[PLAYOUT, PLAYOUT_DEPTH, WORLDS],
        source: "Abramson 1990",
    },
    MethodInfo {
        name: "mcts",
        about: "Monte-Carlo tree search that goes down to any child, all equally likely",
        needs: Needs::ANY,
        budgets: PLAYING_OUT,
        options: &[PLAYOUT, PLAYOUT_DEPTH, WORLDS, TREE_MIB],
        source: "Coulom 2006",
    },
    MethodInfo {
        name: "uct",
        about: "Monte-Carlo tree search by upper confidence bounds, with proved nodes",
        needs: Needs::ANY,
        budgets: PLAYING_OUT,
        options: UCT,
        source: "Kocsis and Szepesvari 2006; Winands, Bjornsson and Saito 2008",
    },
    MethodInfo {
        name: "random",
        about: "a legal move by seed",
        needs: Needs::ANY,
        budgets: &[],
        options: &[],
        source: "baseline",
    },
];

/// The method with this name.
pub fn method(name: &str) -> Option<&'static MethodInfo> {
    METHODS.iter().find(|method| method.name == name)
}

type Build<G> = Box<dyn Fn(<G as Wire>::Expert, &Settings) -> Box<dyn Algorithm<G>> + Send + Sync>;

/// A method that can play the game `G`.
pub struct Offer<G: Wire> {
    /// The method.
    pub method: &'static MethodInfo,
    /// Sets it up with an expert and the method's settings.
    pub build: Build<G>,
    /// Work that is better done before the first question comes.
    pub prepare: Option<Box<dyn Fn() + Send + Sync>>,
}

fn offer<G: Wire, A: Algorithm<G> + 'static>(
    name: &str,
    build: impl Fn(G::Expert, &Settings) -> A + Send + Sync + 'static,
) -> Offer<G> {
    let method = method(name).expect("only listed methods are offered");
    Offer {
        method,
        build: Box::new(move |expert, settings| Box::new(build(expert, settings))),
        prepare: None,
    }
}

fn playout(settings: &Settings) -> Playout {
    let style = match settings.choice("playout") {
        "expert" => PlayoutStyle::Expert,
        _ => PlayoutStyle::Random,
    };
    let depth = settings.integer("playout_depth") as u32;
    Playout { style, depth: (depth > 0).then_some(depth) }
}

/// Methods for any game.
pub fn for_any<G: Wire>() -> Vec<Offer<G>> {
    vec![
        offer("random", |_, _| Random),
        offer("flat_mc", |expert, settings| FlatMonteCarlo {
            expert,
            playout: playout(settings),
            worlds: settings.integer("worlds") as usize,
        }),
        offer("mcts", |expert, settings| TreeSearch {
            expert,
            options: TreeOptions {
                playout: playout(settings),
                worlds: settings.integer("worlds") as usize,
                tree_mib: settings.integer("tree_mib") as usize,
                ..TreeOptions::mcts()
            },
        }),
        offer("uct", |expert, settings| TreeSearch { expert, options: uct(settings) }),
    ]
}

/// Methods for games where nothing is hidden.
pub fn for_open<G: Wire + Game<Info = Perfect>>() -> Vec<Offer<G>> {
    vec![
        offer("expectiminimax", |expert, settings| AlphaBeta { expert, options: engine(settings) }),
        offer("rollout_minimax", |expert, settings| RolloutMinimax {
            expert,
            playout: playout(settings),
            playouts: settings.integer("playouts") as u32,
            depth: settings.integer("depth") as u32,
        }),
    ]
}

/// Methods for games in which no position comes up twice.
pub fn for_acyclic<G: Wire + Acyclic>() -> Vec<Offer<G>> {
    vec![offer("sg", |_, settings| Sg { max_states: settings.integer("max_states") as usize })]
}

/// Methods for games without chance where nothing is hidden.
pub fn for_deterministic<G: Wire + Deterministic>() -> Vec<Offer<G>> {
    vec![
        offer("minimax", |expert, _| Minimax(expert)),
        offer("negamax", |expert, _| Negamax(expert)),
        offer("alphabeta", |expert, settings| AlphaBeta { expert, options: engine(settings) }),
    ]
}

/// Methods for games with a numbered state space.
pub fn for_indexed<G: Wire + Indexed>() -> Vec<Offer<G>> {
    let cell: OnceLock<Arc<Tablebase<G>>> = OnceLock::new();
    let table = Arc::new(move || Arc::clone(cell.get_or_init(|| Arc::new(Tablebase::build()))));
    let lookup = {
        let table = Arc::clone(&table);
        offer("tablebase", move |_, _| Lookup(table()))
    };
    let prepare = move || {
        table();
    };
    vec![Offer { prepare: Some(Box::new(prepare)), ..lookup }]
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
        ordering: match settings.choice("ordering") {
            "none" => Ordering::None,
            "static" => Ordering::Static,
            _ => Ordering::Full,
        },
        table: match settings.choice("table") {
            "off" => TableUse::Off,
            "private" => TableUse::Private,
            _ => TableUse::Shared,
        },
        table_mib: settings.integer("table_mib") as usize,
        pvs: settings.flag("pvs"),
        aspiration: settings.flag("aspiration"),
    }
}

fn uct(settings: &Settings) -> TreeOptions {
    let base = match settings.choice("exploration_base") {
        "root" => ExplorationBase::Root,
        _ => ExplorationBase::Parent,
    };
    TreeOptions {
        policy: Policy::Ucb { c: settings.number("c"), base },
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
