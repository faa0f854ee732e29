//! What each method is: its description, what it needs, its options.

use std::sync::LazyLock;

use engine::game::{Plain, SelectiveParameters};
use engine::options::{OptionSet, OptionSpec};
use engine::search::Playout;
use engine::search::alphabeta::{McAlphaBeta, Options, ProbCutOptions, Selective};
use engine::search::montecarlo::FlatOptions;
use engine::search::rollout_minimax::RolloutOptions;
use engine::search::sg::Sg;
use engine::search::textbook::TextbookOptions;
use engine::search::tree_search::{PuctOptions, TreeOptions};

use super::{Capabilities, MethodInfo};

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

fn probcut() -> Vec<OptionSpec> {
    [ProbCutOptions::default().specs(), alphabeta()].concat()
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

fn puct() -> Vec<OptionSpec> {
    let options = TreeOptions::puct(PuctOptions::default());
    let shared = pick(&options, &["solver", "final", "worlds", "tree_mib"]);
    [PuctOptions::default().specs(), shared, options.playout.specs()].concat()
}

fn rollout_minimax() -> Vec<OptionSpec> {
    [RolloutOptions::default().specs(), Playout::default().specs()].concat()
}

const DEEPENING: &[&str] = &["time_ms", "depth", "nodes"];
const PLAYING_OUT: &[&str] = &["time_ms", "nodes", "simulations"];

/// A search by iterative deepening that needs this of a game; without name, description, options and source.
fn deepening(needs: Capabilities) -> MethodInfo {
    MethodInfo {
        name: "",
        about: "",
        needs,
        budgets: DEEPENING,
        needs_budget: true,
        evaluates: true,
        estimates: false,
        sees_history: true,
        traces: true,
        grows_tree: false,
        options: Vec::new(),
        source: "",
    }
}

/// Every method, the exact ones first.
pub static METHODS: LazyLock<[MethodInfo; 16]> = LazyLock::new(|| {
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
            options: TextbookOptions::default().specs(),
            source: "Shannon 1950; Edwards and Hart 1961",
            ..deepening(Capabilities::DETERMINISTIC)
        },
        MethodInfo {
            name: "negamax",
            about: "textbook minimax in one function for both sides, with or without the cutoffs of alpha-beta; searches the given depth once, deepens where none is given",
            options: TextbookOptions::default().specs(),
            source: "Knuth and Moore 1975",
            ..deepening(Capabilities::DETERMINISTIC)
        },
        MethodInfo {
            name: "alphabeta",
            about: "the value of minimax at the same depth, only faster: deepening, tables, zero windows, aspiration, killers, history, evaluator ordering",
            options: alphabeta(),
            source: "Knuth and Moore 1975; Marsland and Campbell 1982",
            ..deepening(Capabilities::DETERMINISTIC)
        },
        MethodInfo {
            name: "probcut",
            about: "alphabeta that cuts a position where a shallower search says that its value will be outside the window, by the errors of such forecasts in the game; without measured errors, alphabeta",
            options: probcut(),
            source: "Buro 1995; Buro 1997",
            ..deepening(Capabilities::DETERMINISTIC)
        },
        MethodInfo {
            name: "selective",
            about: "alphabeta that leaves out or searches less deep what is unlikely to matter, and deeper what is forced; plies of wins are upper bounds",
            options: selective(),
            source: "Shannon 1950, type B; Donninger 1993; Romstad 2006",
            ..deepening(Capabilities::TACTICAL)
        },
        MethodInfo {
            name: "expectiminimax",
            about: "alphabeta with the exact expectation where chance acts, cut by Star1 bounds",
            options: alphabeta(),
            source: "Michie 1966; Ballard 1983",
            ..deepening(Capabilities::OPEN)
        },
        MethodInfo {
            name: "mc_alphabeta",
            about: "alphabeta with dice, draws and hidden cards: few outcomes all, many by samples that all moves share, hidden cards by worlds; values are means over the worlds, with standard errors",
            options: mc_alphabeta(),
            source: "Ballard 1983; Ginsberg 2001",
            ..deepening(Capabilities::NONE)
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
            name: "puct",
            about: "tree search with the evaluator's order of moves as priors and its value in place of playouts",
            needs: Capabilities::NONE,
            budgets: PLAYING_OUT,
            needs_budget: true,
            evaluates: true,
            estimates: true,
            sees_history: true,
            traces: false,
            grows_tree: true,
            options: puct(),
            source: "Rosin 2011; Silver et al. 2017",
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
