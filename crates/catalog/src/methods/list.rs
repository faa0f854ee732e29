//! All methods: descriptions and constructors. The requirements of a method are stated twice: by the trait
//! bounds of the functions below, so that an invalid pair does not compile, and by [`Capabilities`] for the
//! description; a test checks that both agree.

use std::sync::{Arc, LazyLock, OnceLock};

use engine::game::{
    Acyclic, Deterministic, Game, Indexed, Perfect, Plain, SelectiveParameters, Tactics,
};
use engine::options::{OptionSet, OptionSpec, Settings};
use engine::search::Playout;
use engine::search::alphabeta::{AlphaBeta, McAlphaBeta, Options, Selective};
use engine::search::greedy::Greedy;
use engine::search::montecarlo::{FlatMonteCarlo, FlatOptions, Random};
use engine::search::rollout_minimax::{RolloutMinimax, RolloutOptions};
use engine::search::sg::Sg;
use engine::search::tablebase::{Lookup, Tablebase};
use engine::search::textbook::TextbookOptions;
use engine::search::textbook::minimax::Minimax;
use engine::search::textbook::negamax::Negamax;
use engine::search::tree_search::{TreeOptions, TreeSearch};
use games::notation::Served;

use super::{Capabilities, MethodInfo, Offer, offer};

/// Options with these names from a set, in this order.
fn pick(set: &impl OptionSet, names: &[&str]) -> Vec<OptionSpec> {
    let spec = |name: &&str| set.spec(name).unwrap_or_else(|| panic!("no option `{name}`"));
    names.iter().map(spec).collect()
}

/// Options of `alphabeta` and `expectiminimax`, which always uses Star1.
fn alphabeta() -> Vec<OptionSpec> {
    let mut specs = Options::default().specs();
    specs.retain(|spec| spec.name != "star1");
    specs
}

fn selective() -> Vec<OptionSpec> {
    let method = Selective::new(Plain);
    let shared = pick(&method.options, &["deepening", "table", "table_mib", "aspiration"]);
    [shared, method.switches.specs(), SelectiveParameters::DEFAULT.specs()].concat()
}

fn mc_alphabeta() -> Vec<OptionSpec> {
    let method = McAlphaBeta::new(Plain);
    let names = ["moves", "star1", "pvs", "deepening", "ordering", "table_mib", "aspiration"];
    let shared = pick(&method.options, &names);
    let pruning = [method.forward_pruning.specs(), method.variants.specs()].concat();
    [method.chance_options.specs(), pruning, shared].concat()
}

fn flat_mc() -> Vec<OptionSpec> {
    [Playout::default().specs(), FlatOptions::default().specs()].concat()
}

fn mcts() -> Vec<OptionSpec> {
    let options = TreeOptions::mcts();
    [options.playout.specs(), pick(&options, &["final", "worlds", "tree_mib"])].concat()
}

fn uct() -> Vec<OptionSpec> {
    let options = TreeOptions::uct();
    [options.specs(), options.playout.specs()].concat()
}

fn rollout_minimax() -> Vec<OptionSpec> {
    [RolloutOptions::default().specs(), Playout::default().specs()].concat()
}

const DEEPENING: &[&str] = &["time_ms", "depth", "nodes"];
const PLAYING_OUT: &[&str] = &["time_ms", "nodes", "simulations"];

/// Every method, the exact ones first.
pub static METHODS: LazyLock<[MethodInfo; 14]> = LazyLock::new(|| {
    [
        MethodInfo {
            name: "sg",
            about: "exact win, loss or draw of the position and of every move with the plies to the end, by memoised search of all that can happen",
            needs: Capabilities::ACYCLIC,
            budgets: &["time_ms", "nodes"],
            needs_budget: true,
            evaluates: true,
            estimates: false,
            sees_history: false,
            traces: false,
            grows_tree: false,
            options: Sg::default().specs(),
            source: "Zermelo 1913",
        },
        MethodInfo {
            name: "tablebase",
            about: "looks the position up in a table of all positions, computed backwards from the ends",
            needs: Capabilities::INDEXED,
            budgets: &[],
            needs_budget: false,
            evaluates: true,
            estimates: false,
            sees_history: false,
            traces: false,
            grows_tree: false,
            options: Vec::new(),
            source: "Stroehlein 1970",
        },
        MethodInfo {
            name: "minimax",
            about: "textbook minimax in two functions, with or without the cutoffs of alpha-beta; searches the given depth once, deepens where none is given",
            needs: Capabilities::DETERMINISTIC,
            budgets: DEEPENING,
            needs_budget: true,
            evaluates: true,
            estimates: false,
            sees_history: true,
            traces: true,
            grows_tree: false,
            options: TextbookOptions::default().specs(),
            source: "Shannon 1950; Edwards and Hart 1961",
        },
        MethodInfo {
            name: "negamax",
            about: "textbook minimax in one function for both sides, with or without the cutoffs of alpha-beta; searches the given depth once, deepens where none is given",
            needs: Capabilities::DETERMINISTIC,
            budgets: DEEPENING,
            needs_budget: true,
            evaluates: true,
            estimates: false,
            sees_history: true,
            traces: true,
            grows_tree: false,
            options: TextbookOptions::default().specs(),
            source: "Knuth and Moore 1975",
        },
        MethodInfo {
            name: "alphabeta",
            about: "the value of minimax at the same depth, only faster: deepening, tables, zero windows, aspiration, killers, history, evaluator ordering",
            needs: Capabilities::DETERMINISTIC,
            budgets: DEEPENING,
            needs_budget: true,
            evaluates: true,
            estimates: false,
            sees_history: true,
            traces: true,
            grows_tree: false,
            options: alphabeta(),
            source: "Knuth and Moore 1975; Marsland and Campbell 1982",
        },
        MethodInfo {
            name: "selective",
            about: "alphabeta that leaves out or searches less deep what is unlikely to matter, and deeper what is forced; plies of wins are upper bounds",
            needs: Capabilities::TACTICAL,
            budgets: DEEPENING,
            needs_budget: true,
            evaluates: true,
            estimates: false,
            sees_history: true,
            traces: true,
            grows_tree: false,
            options: selective(),
            source: "Shannon 1950, type B; Donninger 1993; Romstad 2006",
        },
        MethodInfo {
            name: "expectiminimax",
            about: "alphabeta with the exact expectation where chance acts, cut by Star1 bounds",
            needs: Capabilities::OPEN,
            budgets: DEEPENING,
            needs_budget: true,
            evaluates: true,
            estimates: false,
            sees_history: true,
            traces: true,
            grows_tree: false,
            options: alphabeta(),
            source: "Michie 1966; Ballard 1983",
        },
        MethodInfo {
            name: "mc_alphabeta",
            about: "alphabeta with dice, draws and hidden cards: few outcomes all, many by samples that all moves share, hidden cards by worlds; values are means over the worlds, with standard errors",
            needs: Capabilities::NONE,
            budgets: DEEPENING,
            needs_budget: true,
            evaluates: true,
            estimates: false,
            sees_history: true,
            traces: true,
            grows_tree: false,
            options: mc_alphabeta(),
            source: "Ballard 1983; Ginsberg 2001",
        },
        MethodInfo {
            name: "rollout_minimax",
            about: "minimax whose leaves are judged by the mean of playouts",
            needs: Capabilities::OPEN,
            budgets: DEEPENING,
            needs_budget: true,
            evaluates: true,
            estimates: false,
            sees_history: true,
            traces: false,
            grows_tree: false,
            options: rollout_minimax(),
            source: "Abramson 1990",
        },
        MethodInfo {
            name: "flat_mc",
            about: "the same number of playouts for every move",
            needs: Capabilities::NONE,
            budgets: PLAYING_OUT,
            needs_budget: true,
            evaluates: true,
            estimates: true,
            sees_history: false,
            traces: false,
            grows_tree: false,
            options: flat_mc(),
            source: "Abramson 1990",
        },
        MethodInfo {
            name: "mcts",
            about: "Monte-Carlo tree search that goes down to any child, all equally likely",
            needs: Capabilities::NONE,
            budgets: PLAYING_OUT,
            needs_budget: true,
            evaluates: true,
            estimates: true,
            sees_history: true,
            traces: false,
            grows_tree: true,
            options: mcts(),
            source: "Coulom 2006",
        },
        MethodInfo {
            name: "uct",
            about: "Monte-Carlo tree search by upper confidence bounds, with proved nodes",
            needs: Capabilities::NONE,
            budgets: PLAYING_OUT,
            needs_budget: true,
            evaluates: true,
            estimates: true,
            sees_history: true,
            traces: false,
            grows_tree: true,
            options: uct(),
            source: "Kocsis and Szepesvari 2006; Winands, Bjornsson and Saito 2008",
        },
        MethodInfo {
            name: "greedy",
            about: "looks one move ahead: the move after which the evaluator likes the position best, by 32 draws where chance acts or something is hidden",
            needs: Capabilities::NONE,
            budgets: &[],
            needs_budget: false,
            evaluates: true,
            estimates: false,
            sees_history: false,
            traces: false,
            grows_tree: false,
            options: Vec::new(),
            source: "baseline",
        },
        MethodInfo {
            name: "random",
            about: "a legal move by seed",
            needs: Capabilities::NONE,
            budgets: &[],
            needs_budget: false,
            evaluates: false,
            estimates: false,
            sees_history: false,
            traces: false,
            grows_tree: false,
            options: Vec::new(),
            source: "baseline",
        },
    ]
});

/// Option set from the settings.
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
            method.variants.apply(settings);
            method.calibration = calibration.clone();
            method
        }),
    ]
}

fn tree_search<E>(evaluator: E, options: TreeOptions, settings: &Settings) -> TreeSearch<E> {
    let playout = with(options.playout, settings);
    TreeSearch { evaluator, options: TreeOptions { playout, ..with(options, settings) } }
}

/// Methods for games of perfect information.
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

/// Methods for acyclic games, in which no position repeats.
pub fn for_acyclic<G: Served + Acyclic>() -> Vec<Offer<G>> {
    vec![offer("sg", |_, settings, _| with(Sg::default(), settings))]
}

/// Methods for deterministic games of perfect information.
pub fn for_deterministic<G: Served + Deterministic>() -> Vec<Offer<G>> {
    vec![
        offer("minimax", |evaluator, settings, _| Minimax {
            evaluator,
            options: with(TextbookOptions::default(), settings),
        }),
        offer("negamax", |evaluator, settings, _| Negamax {
            evaluator,
            options: with(TextbookOptions::default(), settings),
        }),
        offer("alphabeta", |evaluator, settings, _| AlphaBeta {
            evaluator,
            options: with(Options::default(), settings),
        }),
    ]
}

/// Methods for games whose evaluators know captures and threats.
pub fn for_tactical<G: Served + Deterministic>() -> Vec<Offer<G>>
where
    G::Evaluator: Tactics<G>,
{
    vec![offer("selective", |evaluator, settings, calibration| {
        let mut method = Selective::new(evaluator);
        method.options.apply(settings);
        method.switches.apply(settings);
        method.parameters = Some(with(SelectiveParameters::DEFAULT, settings));
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
