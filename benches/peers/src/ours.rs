//! This project's own searches on the same tasks.

use std::path::Path;

use engine::game::{Evaluator, Game, Turn};
use engine::search::alphabeta::{AlphaBeta, Options, TableUse};
use engine::search::tree_search::{TreeOptions, TreeSearch};
use engine::search::{Algorithm, Budget, Job, Report, Wanted};
use games::connect4::{Connect4, Connect4Evaluation, Connect4Evaluator, Connect4Solver};
use games::othello::{Othello, OthelloEvaluator};
use serde_json::{Value as Json, json};

use crate::positions::{self, Solved};
use crate::{median_run, timed};

const TABLE_MIB: u32 = 64;

fn position(moves: &str) -> Option<Connect4> {
    let mut pos = Connect4::default();
    for mark in moves.chars() {
        let column = mark.to_digit(10).filter(|column| (1..=7).contains(column))?;
        pos.play(column as u8 - 1);
    }
    matches!(pos.turn(), Turn::Of(_)).then_some(pos)
}

fn search<G: Game>(method: &impl Algorithm<G>, root: &G, budget: Budget) -> Report<G::Move> {
    let moves = root.legal_moves();
    method.run(&Job { wanted: Wanted::One, seed: 1, ..Job::new(root, &moves, budget) })
}

fn engine(deepening: bool) -> AlphaBeta<Connect4Evaluator> {
    let options =
        Options { table: TableUse::Private, table_mib: TABLE_MIB, deepening, ..Options::default() };
    AlphaBeta { evaluator: Connect4Evaluator { evaluation: Connect4Evaluation::None }, options }
}

/// Iterative deepening to `depth` without evaluation.
pub fn depth(moves: &str, depth: u32) -> Option<Json> {
    let root = position(moves)?;
    let engine = engine(true);
    let budget = Budget { depth: Some(depth), ..Budget::default() };
    let (report, cpu_s) = median_run(|| timed(|| search(&engine, &root, budget.clone())));
    Some(json!({
        "peer": "bestmove",
        "case": format!("depth {depth}"),
        "cpu_s": cpu_s,
        "nodes_or_playouts": report.stats.nodes,
        "score": format!("{:?}", report.lines[0].value),
        "move": report.lines[0].moves[0] + 1,
    }))
}

/// UCT from the empty board.
pub fn uct(playouts: u64) -> Json {
    let evaluator = Connect4Evaluator { evaluation: Connect4Evaluation::None };
    playing_out(evaluator, &Connect4::default(), playouts)
}

/// UCT from the start of Othello.
pub fn othello(playouts: u64) -> Json {
    playing_out(OthelloEvaluator::default(), &Othello::default(), playouts)
}

fn playing_out<G: Game, E: Evaluator<G>>(evaluator: E, root: &G, playouts: u64) -> Json {
    let method = TreeSearch { evaluator, options: TreeOptions::uct() };
    let budget = Budget { simulations: Some(playouts), ..Budget::default() };
    let (report, cpu_s) = median_run(|| timed(|| search(&method, root, budget.clone())));
    json!({
        "peer": "bestmove",
        "case": format!("uct {playouts}"),
        "cpu_s": cpu_s,
        "nodes_or_playouts": report.stats.simulations,
        "move": format!("{:?}", report.lines[0].moves[0]),
    })
}

/// The positions of a file solved to the end, without the table of early positions.
pub fn exact(file: &Path, min_ply: usize) -> Json {
    positions::solve("bestmove", file, min_ply, |moves| {
        let root = position(moves).expect("the file holds positions");
        let mut solver = Connect4Solver::without_openings();
        let mut nodes = 0;
        let mut count = || {
            nodes += 1;
            true
        };
        let (score, cpu_s) = timed(|| solver.score(&root, &mut count).expect("nothing stops it"));
        Solved { score, nodes, cpu_s }
    })
}
