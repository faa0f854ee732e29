//! `bestmove bench`: a fixed set of searches. Their total node count is the signature of the program's
//! behaviour; nodes and playouts per second measure its speed here.

use std::io::{self, Write};
use std::time::Instant;

use serde_json::{Value, json};

use catalog::question::Question;
use catalog::{Allowance, Catalog};

/// A question for each method and each game, with budgets independent of time.
const QUESTIONS: &[(&str, &str, &str)] = &[
    ("sg", "nim", r#"{ "state": "1;3;5;7", "budget": { "nodes": 1000000 } }"#),
    ("tablebase", "tictactoe", r#"{ "state": "x.o/.x./..o x" }"#),
    ("minimax", "connect4", r#"{ "state": "4455", "budget": { "depth": 7 } }"#),
    ("negamax", "connect4", r#"{ "state": "4455", "budget": { "depth": 7 } }"#),
    ("alphabeta", "connect4", r#"{ "state": "44", "budget": { "depth": 14 } }"#),
    (
        "alphabeta",
        "gomoku",
        r#"{ "moves": ["h8", "i9"], "ratings": "none", "budget": { "depth": 5 } }"#,
    ),
    ("expectiminimax", "connect4", r#"{ "state": "44", "budget": { "depth": 10 } }"#),
    ("rollout_minimax", "connect4", r#"{ "state": "44", "budget": { "depth": 3 } }"#),
    ("flat_mc", "connect4", r#"{ "budget": { "simulations": 200000 } }"#),
    ("mcts", "connect4", r#"{ "budget": { "simulations": 200000 } }"#),
    ("uct", "connect4", r#"{ "budget": { "simulations": 200000 } }"#),
    ("random", "gomoku", "{}"),
    ("tablebase", "two_eat_one", r#"{ "state": 2482476 }"#),
    ("alphabeta", "two_eat_one", r#"{ "budget": { "depth": 11 } }"#),
    ("alphabeta", "othello", r#"{ "budget": { "depth": 8 } }"#),
    ("probcut", "othello", r#"{ "budget": { "depth": 10 } }"#),
    ("uct", "othello", r#"{ "budget": { "simulations": 20000 } }"#),
    (
        "alphabeta",
        "snake_go",
        r#"{ "options": { "items_seed": 1 }, "ratings": "none", "budget": { "depth": 8 } }"#,
    ),
    (
        "uct",
        "snake_go",
        r#"{ "options": { "items_seed": 1, "playout": "expert", "playout_depth": 32 },
             "budget": { "simulations": 5000 } }"#,
    ),
    ("alphabeta", "xiangqi", r#"{ "ratings": "none", "budget": { "depth": 5 } }"#),
    ("selective", "xiangqi", r#"{ "ratings": "none", "budget": { "depth": 10 } }"#),
    (
        "selective",
        "gomoku",
        r#"{ "state": { "moves": ["h8", "i9", "h9"] }, "ratings": "none", "budget": { "depth": 8 } }"#,
    ),
    ("uct", "xiangqi", r#"{ "budget": { "simulations": 2000 } }"#),
    ("puct", "xiangqi", r#"{ "budget": { "simulations": 5000 } }"#),
    ("alphabeta", "easycard", r#"{ "budget": { "depth": 12 } }"#),
    ("selective", "easycard", r#"{ "ratings": "none", "budget": { "depth": 16 } }"#),
    ("mc_alphabeta", "easycard", r#"{ "ratings": "none", "budget": { "depth": 12 } }"#),
    ("uct", "genius", r#"{ "budget": { "simulations": 1000 } }"#),
    ("greedy", "genius", r#"{ "options": { "evaluation": "guessed" } }"#),
    ("mc_alphabeta", "tree", CHANCY),
    ("mc_alphabeta", "genius", DUEL),
];

/// A tree with chance nodes.
const CHANCY: &str = r#"{ "budget": { "depth": 4 }, "state": { "name": "a", "children": [
    { "name": "b", "mover": "chance", "children": [
        { "name": "c", "children": [{ "name": "d", "value": 4 }, { "name": "e", "value": -2 }] },
        { "name": "f", "value": 1 }
    ] },
    { "name": "g", "children": [{ "name": "h", "value": 2 }, { "name": "i", "value": 3 }] }
] } }"#;

/// A card duel in its third round.
const DUEL: &str = r#"{ "budget": { "depth": 4 }, "state": {
    "round": 3, "phase": "action", "turn": 0, "players": [
        {
            "active": 0, "dice": { "omni": 2, "pyro": 3, "cryo": 1 },
            "hand": ["Strategize", "Starsigns"], "deck": ["Paimon", "Sweet Madame", "Toss-Up"],
            "chars": [{ "name": "Diluc", "hp": 6 }, { "name": "Kaeya", "hp": 9 }, { "name": "Sucrose", "hp": 8 }]
        },
        {
            "active": 1, "dice": { "electro": 4, "omni": 1 }, "hand": 2, "deck": 20,
            "chars": [{ "name": "Xiangling", "hp": 9 }, { "name": "Fischl", "hp": 7 }, { "name": "Collei", "hp": 5 }]
        }
    ]
} }"#;

/// Measurements of one search.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The method.
    pub algorithm: &'static str,
    /// Name of the game.
    pub game: &'static str,
    /// Positions visited.
    pub nodes: u64,
    /// Playouts run.
    pub simulations: u64,
    /// Chosen move.
    pub best_move: String,
    /// Duration in seconds.
    pub seconds: f64,
}

fn question(algorithm: &str, game: &str, rest: &str) -> Question {
    let mut body: Value = serde_json::from_str(rest).expect("the questions are JSON");
    body["game"] = game.into();
    body["algorithm"] = algorithm.into();
    body["reproducible"] = true.into();
    serde_json::from_value(body).expect("the questions have the right shape")
}

/// Runs all searches in sequence.
pub fn figures() -> Vec<Figure> {
    let catalog = Catalog::default();
    let run = |&(algorithm, game, rest): &(&'static str, &'static str, &str)| {
        let question = question(algorithm, game, rest);
        let plan = catalog.plan(&question, &Allowance::unlimited(), Instant::now());
        let plan = plan.expect("the questions can be answered");
        let begun = Instant::now();
        let answer = arena::search::search(&plan);
        Figure {
            algorithm,
            game,
            nodes: answer.stats.nodes,
            simulations: answer.stats.simulations,
            best_move: answer.best_move.unwrap_or_default(),
            seconds: begun.elapsed().as_secs_f64(),
        }
    };
    QUESTIONS.iter().map(run).collect()
}

/// Prints the figures as a table or as JSON.
///
/// # Errors
/// When nothing can be written.
pub fn print(as_json: bool, out: &mut impl Write) -> io::Result<()> {
    let figures = figures();
    let signature: u64 = figures.iter().map(|figure| figure.nodes).sum();
    let rate = |figure: &Figure| figure.nodes.max(figure.simulations) as f64 / figure.seconds;
    if as_json {
        let rows: Vec<_> = figures
            .iter()
            .map(|figure| {
                json!({
                    "algorithm": figure.algorithm,
                    "game": figure.game,
                    "nodes": figure.nodes,
                    "simulations": figure.simulations,
                    "best_move": figure.best_move,
                    "per_second": rate(figure),
                })
            })
            .collect();
        return writeln!(out, "{}", json!({ "signature": signature, "searches": rows }));
    }
    writeln!(
        out,
        "{:<16} {:<11} {:>10} {:>12} {:>6}",
        "algorithm", "game", "nodes", "nodes/s", "move"
    )?;
    for figure in &figures {
        let Figure { algorithm, game, nodes, best_move, .. } = figure;
        writeln!(
            out,
            "{algorithm:<16} {game:<11} {nodes:>10} {:>12.0} {best_move:>6}",
            rate(figure)
        )?;
    }
    writeln!(out, "signature {signature}")
}
