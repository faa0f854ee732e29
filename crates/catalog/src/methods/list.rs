//! What there is: every method with its options.

use super::{Capabilities, MethodInfo};
use games::notation::{OptionKind, OptionSpec};

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
    "moves after which a playout is judged by the evaluator's evaluation; 0 plays to the end",
);
const WORLDS: OptionSpec =
    integer("worlds", [1, 16, 256], "worlds drawn where something is hidden");
const TREE_MIB: OptionSpec =
    integer("tree_mib", [1, 128, 1_024], "memory for the tree in MiB; when full, it stops growing");
const TERMINAL: OptionSpec =
    integer("terminal_search", [0, 0, 8], "plies that a new node is searched exhaustively");

const DEEPEN: OptionSpec =
    flag("deepening", true, "search depth 1, 2, 3 and so on, not the last depth at once");
const TABLE: OptionSpec =
    choice("table", &["shared", "private", "off"], "which tables remember positions");
const ORDERING: OptionSpec = choice(
    "ordering",
    &["full", "static", "none"],
    "moves tried first: by table, killers, history and evaluator; by the evaluator; as listed",
);
const ASPIRATION: OptionSpec =
    flag("aspiration", true, "look for a root move's value near its last one first");

const PVS: OptionSpec =
    flag("pvs", true, "ask of later moves first whether they are better at all");

const fn table_mib(default: i64) -> OptionSpec {
    integer("table_mib", [1, default, 256], "size of the private table in MiB")
}

const ENGINE: &[OptionSpec] = &[
    choice(
        "pruning",
        &["both", "alpha", "beta", "none"],
        "which bounds cut: both, only those of the root side's opponent, only those of the root side, none",
    ),
    DEEPEN,
    ORDERING,
    TABLE,
    table_mib(4),
    PVS,
    ASPIRATION,
];

const SELF_LOSS: OptionSpec =
    flag("self_loss", false, "what is good enough even with a resource less is good enough");
const PROBABILISTIC: OptionSpec = flag(
    "probabilistic",
    true,
    "razor and self-loss with a probability that falls from 1 to 0.9 where they are least sure",
);
const fn order_independence(default: bool) -> OptionSpec {
    flag("order_independence", default, "try moves whose order does not matter in one order only")
}

const SELECTIVE: &[OptionSpec] = &[
    DEEPEN,
    TABLE,
    table_mib(16),
    ASPIRATION,
    flag("smoothing", true, "judge a position together with the one before it, in gomoku"),
    flag("quiescence", true, "play captures out before a position is judged"),
    flag("null_move", true, "what is good enough even after a pass is good enough"),
    flag(
        "razor",
        true,
        "positions that stand far too low are only played out, or searched less deep",
    ),
    flag("reverse_futility", true, "positions that stand far too high are not searched"),
    flag("futility", true, "leave out quiet moves that cannot reach what is needed"),
    flag("late_move_pruning", true, "leave out the rest after many quiet moves"),
    flag("exchange_pruning", true, "leave out moves that lose material, near the leaves"),
    flag("late_move_reductions", true, "search later moves less deep first"),
    flag("internal_reductions", true, "search less deep where no move is remembered"),
    flag("probcut", true, "captures that are good enough by a margin at a smaller depth suffice"),
    flag("singular_extensions", true, "search a move deeper that is better than all others by far"),
    flag("check_extensions", true, "search moves deeper that threaten to win at once"),
    flag("killers", true, "try early what refuted sisters of a position or the move before"),
    flag("history", true, "try early what cut off before"),
    flag(
        "continuation_history",
        true,
        "the same, after the moves just played, and what the evaluator says should follow",
    ),
    flag("threats", true, "look for wins by threats alone at the root"),
    flag("correction", true, "correct the evaluation by what searches of like positions found"),
    SELF_LOSS,
    PROBABILISTIC,
    order_independence(true),
];

const MC_ALPHABETA: &[OptionSpec] = &[
    integer(
        "enumerate",
        [0, 12, 1_000],
        "chance with at most so many outcomes until somebody decides again is searched with all of them",
    ),
    integer("samples", [1, 1, 64], "samples of any other chance, the same for all moves"),
    integer("chance_depth", [0, 1, 4], "plies that chance costs"),
    flag("buckets", true, "take outcomes for one that nothing can tell apart"),
    integer(
        "worlds",
        [0, 0, 64],
        "worlds drawn where something is hidden or sampled; a value is the mean over them; 0: one for a move alone, four where moves are rated",
    ),
    choice(
        "determinization",
        &["sampled", "fixed"],
        "several worlds, or one guess that stands for all that is unknown",
    ),
    flag("star1", true, "cut chance short when the rest of it cannot matter"),
    PVS,
    flag("razor", false, "search less deep what stands so low that a search hardly helps"),
    SELF_LOSS,
    PROBABILISTIC,
    order_independence(false),
    flag("continuation", true, "try early what the evaluator says should follow the move before"),
    flag("dominance", true, "leave out moves that another one outdoes"),
    DEEPEN,
    ORDERING,
    integer("table_mib", [0, 16, 256], "size of the private table in MiB; 0: none"),
    ASPIRATION,
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
pub static METHODS: [MethodInfo; 14] = [
    MethodInfo {
        name: "sg",
        about: "exact win, loss or draw of the position and of every move with the plies to the end, by memoised search of all that can happen",
        needs: Capabilities::ACYCLIC,
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
        needs: Capabilities::INDEXED,
        budgets: &[],
        options: &[],
        source: "Stroehlein 1970",
    },
    MethodInfo {
        name: "minimax",
        about: "textbook minimax with two functions and no pruning; deepens when no depth is given",
        needs: Capabilities::DETERMINISTIC,
        budgets: DEEPENING,
        options: &[],
        source: "Shannon 1950",
    },
    MethodInfo {
        name: "negamax",
        about: "textbook minimax with one function for both sides and no pruning",
        needs: Capabilities::DETERMINISTIC,
        budgets: DEEPENING,
        options: &[],
        source: "Knuth and Moore 1975",
    },
    MethodInfo {
        name: "alphabeta",
        about: "the value of minimax at the same depth, only faster: deepening, tables, zero windows, aspiration, killers, history, evaluator ordering",
        needs: Capabilities::DETERMINISTIC,
        budgets: DEEPENING,
        options: ENGINE,
        source: "Knuth and Moore 1975; Marsland and Campbell 1982",
    },
    MethodInfo {
        name: "selective",
        about: "alphabeta that leaves out or searches less deep what is unlikely to matter, and deeper what is forced; plies of wins are upper bounds",
        needs: Capabilities::TACTICAL,
        budgets: DEEPENING,
        options: SELECTIVE,
        source: "Shannon 1950, type B; Donninger 1993; Romstad 2006",
    },
    MethodInfo {
        name: "expectiminimax",
        about: "alphabeta with the exact expectation where chance acts, cut by Star1 bounds",
        needs: Capabilities::OPEN,
        budgets: DEEPENING,
        options: ENGINE,
        source: "Michie 1966; Ballard 1983",
    },
    MethodInfo {
        name: "mc_alphabeta",
        about: "alphabeta with dice, draws and hidden cards: few outcomes all, many by samples that all moves share, hidden cards by worlds; values are means over the worlds, with standard errors",
        needs: Capabilities::NONE,
        budgets: DEEPENING,
        options: MC_ALPHABETA,
        source: "Ballard 1983; Ginsberg 2001",
    },
    MethodInfo {
        name: "rollout_minimax",
        about: "minimax whose leaves are judged by the mean of playouts",
        needs: Capabilities::OPEN,
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
        needs: Capabilities::NONE,
        budgets: PLAYING_OUT,
        options: &[PLAYOUT, PLAYOUT_DEPTH, WORLDS],
        source: "Abramson 1990",
    },
    MethodInfo {
        name: "mcts",
        about: "Monte-Carlo tree search that goes down to any child, all equally likely",
        needs: Capabilities::NONE,
        budgets: PLAYING_OUT,
        options: &[PLAYOUT, PLAYOUT_DEPTH, WORLDS, TREE_MIB],
        source: "Coulom 2006",
    },
    MethodInfo {
        name: "uct",
        about: "Monte-Carlo tree search by upper confidence bounds, with proved nodes",
        needs: Capabilities::NONE,
        budgets: PLAYING_OUT,
        options: UCT,
        source: "Kocsis and Szepesvari 2006; Winands, Bjornsson and Saito 2008",
    },
    MethodInfo {
        name: "greedy",
        about: "looks one move ahead: the move after which the evaluator likes the position best, by 32 draws where chance acts or something is hidden",
        needs: Capabilities::NONE,
        budgets: &[],
        options: &[],
        source: "baseline",
    },
    MethodInfo {
        name: "random",
        about: "a legal move by seed",
        needs: Capabilities::NONE,
        budgets: &[],
        options: &[],
        source: "baseline",
    },
];
