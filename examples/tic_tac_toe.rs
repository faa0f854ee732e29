//! A game on the engine library alone: the rules of tic-tac-toe, and two searches of them.
//!
//! `cargo run --package bestmove-engine --example tic_tac_toe`

use std::convert::Infallible;

use bestmove_engine::game::{Game, Outcome, Perfect, Plain, Side, Turn};
use bestmove_engine::search::alphabeta::AlphaBeta;
use bestmove_engine::search::tree_search::{TreeOptions, TreeSearch};
use bestmove_engine::search::{Algorithm, Budget, Job, Value};

/// One bit a square, from the top left, for each side.
#[derive(Clone)]
struct TicTacToe {
    stones: [u16; 2],
    mover: Side,
}

const LINES: [u16; 8] = [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124];

impl Game for TicTacToe {
    type Move = u8;
    type Chance = Infallible;
    type Info = Perfect;

    fn turn(&self) -> Turn<Infallible> {
        let last = self.mover.other();
        if LINES.iter().any(|line| self.stones[last.index()] & line == *line) {
            Turn::Over(Outcome::Win(last))
        } else if self.stones[0] | self.stones[1] == 0o777 {
            Turn::Over(Outcome::Draw)
        } else {
            Turn::Of(self.mover)
        }
    }

    fn moves(&self, out: &mut Vec<u8>) {
        let taken = self.stones[0] | self.stones[1];
        out.extend((0..9).filter(|square| taken >> square & 1 == 0));
    }

    fn play(&mut self, square: u8) {
        self.stones[self.mover.index()] |= 1 << square;
        self.mover = self.mover.other();
    }

    fn hash(&self) -> u64 {
        u64::from(self.stones[0]) << 32 | u64::from(self.stones[1]) << 1 | self.mover.index() as u64
    }

    fn move_code(square: u8) -> u16 {
        square.into()
    }
}

fn main() {
    // x at 0 and 4, o at 1: x wins by completing the diagonal, which o must block at 8.
    let start = TicTacToe { stones: [0, 0], mover: Side::First };
    let fork = [0, 1, 4].into_iter().fold(start, |pos, square| pos.after(square));
    let moves = fork.legal_moves();

    let exact = Job::new(&fork, &moves, Budget { depth: Some(9), ..Budget::default() });
    let report = AlphaBeta::new(Plain).run(&exact);
    println!("alpha-beta: {:?}, {:?}", report.lines[0].moves, report.lines[0].value);
    assert_eq!(report.lines[0].value, Value::Loss(4));

    let sampled = Job::new(&fork, &moves, Budget { simulations: Some(2_000), ..Budget::default() });
    let report = TreeSearch { evaluator: Plain, options: TreeOptions::uct() }.run(&sampled);
    println!("UCT: {:?}, {:?}", report.lines[0].moves, report.lines[0].value);
}
