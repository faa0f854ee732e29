//! The `minimax` crate: iterative deepening alpha-beta, and its own Monte Carlo search.

use minimax::{
    Evaluation, Evaluator, Game, IterativeOptions, IterativeSearch, MCTSOptions,
    MonteCarloTreeSearch, RolloutPolicy, Strategy, Winner,
};
use rand::rngs::SmallRng;
use serde_json::{Value, json};

use crate::{board::Board, median_run, timed};

const TABLE_BYTES: usize = 64 << 20;

struct Connect4;

impl Game for Connect4 {
    type S = Board;
    type M = u8;

    fn generate_moves(board: &Board, moves: &mut Vec<u8>) -> Option<Winner> {
        let over = Self::get_winner(board);
        if over.is_none() {
            moves.extend(board.moves());
        }
        over
    }

    fn apply(board: &mut Board, column: u8) -> Option<Board> {
        Some(board.play(column))
    }

    fn get_winner(board: &Board) -> Option<Winner> {
        let winner = |result| if result < 0 { Winner::PlayerJustMoved } else { Winner::Draw };
        board.result().map(winner)
    }

    fn zobrist_hash(board: &Board) -> u64 {
        board.hash()
    }
}

/// Evaluation without knowledge of open positions, so that the whole cost is the search's.
struct Blind;

impl Evaluator for Blind {
    type G = Connect4;

    fn evaluate(&self, _: &Board) -> Evaluation {
        0
    }
}

/// A search to `depth` with a fresh table, which is allocated before the clock starts.
pub fn depth(board: Board, depth: u8) -> Value {
    // With only three values MTD(f) is the crate's fastest driver; it also skips the shuffling of root
    // moves that scatters the others' times.
    let options = IterativeOptions::new().with_table_byte_size(TABLE_BYTES).with_mtdf();
    let ((column, score, nodes), cpu_s) = median_run(|| {
        let mut search = IterativeSearch::new(Blind, options);
        search.set_max_depth(depth);
        let (column, cpu_s) = timed(|| search.choose_move(&board));
        ((column, search.root_value(), explored(&search.stats(&mut board.clone()))), cpu_s)
    });
    json!({
        "peer": "minimax",
        "case": format!("depth {depth}"),
        "cpu_s": cpu_s,
        "nodes_or_playouts": nodes,
        "score": score,
        "move": column.map(|column| column + 1),
    })
}

/// Node count from the crate's statistics, given only in words: "Explored 1575363 nodes to depth 18."
fn explored(stats: &str) -> Option<u64> {
    let (_, count) = stats.split_once("Explored ")?;
    count.split(' ').next()?.parse().ok()
}

/// Uniform moves without the move list that the crate's own policy fills at every step.
struct Uniform;

impl RolloutPolicy for Uniform {
    type G = Connect4;

    fn random_move(
        &self,
        board: &mut Board,
        _: &mut Vec<u8>,
        rng: &mut SmallRng,
    ) -> Result<u8, Winner> {
        Connect4::get_winner(board).map_or_else(|| Ok(board.random_move(rng)), Err)
    }
}

pub fn mcts(playouts: u32) -> Option<u8> {
    // A leaf is expanded on its second visit, as in the other crates' trees.
    let options = MCTSOptions::default().with_num_threads(1).with_rollouts_before_expanding(1);
    let mut search = MonteCarloTreeSearch::new_with_policy(options, Box::new(Uniform));
    search.set_max_rollouts(playouts);
    search.choose_move(&Board::default())
}
