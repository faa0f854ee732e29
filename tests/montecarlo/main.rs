//! Methods based on playouts: convergence to known values, correct proofs, no use of hidden information,
//! and the same answer for the same seed.

#[path = "../support/secret.rs"]
#[allow(dead_code, unreachable_pub, missing_docs, reason = "every test file uses its own part")]
mod secret;
#[path = "../support/stuck.rs"]
#[allow(dead_code, unreachable_pub, missing_docs, reason = "every test file uses its own part")]
mod stuck;
#[path = "../support/mod.rs"]
mod support;

mod converge;
mod cut;
mod hidden;
mod proofs;
mod puct;
mod repeat;

use bestmove::game::{Game, Turn};
use bestmove::games::connect4::{Connect4, Connect4Evaluation, Connect4Evaluator};
use bestmove::games::tictactoe::TicTacToe;
use bestmove::search::montecarlo::{FlatMonteCarlo, FlatOptions};
use bestmove::search::tree_search::{PuctOptions, TreeOptions, TreeSearch};
use bestmove::search::{Algorithm, PlayoutStyle, Report, Value, Wanted};
use serde_json::Value as Json;
use support::{run_seeded, simulations};

const STYLES: [PlayoutStyle; 2] = [PlayoutStyle::Random, PlayoutStyle::Evaluator];
const THREATS: Connect4Evaluator = Connect4Evaluator { evaluation: Connect4Evaluation::None };

fn uct<E>(evaluator: E) -> TreeSearch<E> {
    TreeSearch { evaluator, options: TreeOptions::uct() }
}

fn puct<E>(evaluator: E) -> TreeSearch<E> {
    TreeSearch { evaluator, options: TreeOptions::puct(PuctOptions::default()) }
}

fn mcts<E>(evaluator: E) -> TreeSearch<E> {
    TreeSearch { evaluator, options: TreeOptions::mcts() }
}

fn flat<E>(evaluator: E) -> FlatMonteCarlo<E> {
    FlatMonteCarlo {
        evaluator,
        playout: PlayoutStyle::Random.into(),
        options: FlatOptions { worlds: 16 },
    }
}

/// Runs a method with a number of playouts.
fn ask<G: Game>(
    method: &impl Algorithm<G>,
    root: &G,
    playouts: u64,
    wanted: Wanted,
    seed: u64,
    threads: usize,
) -> Report<G::Move> {
    run_seeded(method, root, simulations(playouts), wanted, seed, threads)
}

/// The move chosen with a number of playouts.
fn choice<G: Game>(method: &impl Algorithm<G>, root: &G, playouts: u64) -> G::Move {
    ask(method, root, playouts, Wanted::One, 1, 1).lines[0].moves[0]
}

/// Expected result of a value, 0 to 1.
fn expected(value: Value) -> f64 {
    match value {
        Value::Win(_) => 1.0,
        Value::Loss(_) => 0.0,
        Value::Draw => 0.5,
        Value::Estimate { mean, .. } => mean,
        other => panic!("{other:?} is no result"),
    }
}

/// 1, 0 or -1 for a proved win, draw or loss.
fn proved(value: Value) -> Option<i64> {
    match value {
        Value::Win(_) => Some(1),
        Value::Draw => Some(0),
        Value::Loss(_) => Some(-1),
        _ => None,
    }
}

fn rows(file: &str) -> Vec<Json> {
    support::data(file)["positions"].as_array().expect("a list of positions").clone()
}

fn whole(json: &Json) -> i64 {
    json.as_i64().unwrap_or_else(|| panic!("{json} is no whole number"))
}

fn connect4(row: &Json) -> Connect4 {
    let columns = row["moves"].as_str().expect("columns").bytes().map(|mark| mark - b'1');
    columns.fold(Connect4::default(), |pos, column| pos.after(column))
}

/// Recorded unfinished positions of connect four with at least this many stones.
fn connect4_from(ply: i64) -> Vec<(Connect4, Json)> {
    let rows = rows("connect4_positions.json").into_iter();
    rows.filter(|row| whole(&row["ply"]) >= ply).map(|row| (connect4(&row), row)).collect()
}

/// Recorded unfinished positions of tic-tac-toe.
fn tictactoe_open() -> Vec<(TicTacToe, Json)> {
    let position = |row: &Json| {
        let board = row["board"].as_str().expect("a board");
        let stones = |wanted| {
            let cells = board.chars().enumerate().filter(|(_, mark)| *mark == wanted);
            cells.map(|(cell, _)| 1 << cell).sum()
        };
        TicTacToe::new(stones('X'), stones('O')).expect("a position that comes up")
    };
    let all = rows("tictactoe_table.json").into_iter().map(|row| (position(&row), row));
    all.filter(|(pos, _)| matches!(pos.turn(), Turn::Of(_))).collect()
}
