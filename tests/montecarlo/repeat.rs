//! The same seed gives the same answer, every move gets its share, and threads agree on the rules.

use std::sync::Arc;

use bestmove::game::{Game, Plain};
use bestmove::games::connect4::Connect4;
use bestmove::games::tictactoe::TicTacToe;
use bestmove::search::alphabeta::{AlphaBeta, Options, TableUse};
use bestmove::search::montecarlo::Random;
use bestmove::search::rollout_minimax::{RolloutMinimax, RolloutOptions};
use bestmove::search::sg::Sg;
use bestmove::search::tablebase::{Lookup, Tablebase};
use bestmove::search::textbook::minimax::Minimax;
use bestmove::search::textbook::negamax::Negamax;
use bestmove::search::{Algorithm, Budget, PlayoutStyle, Report, StopReason, Value, Wanted};

use crate::secret::Secret;
use crate::support::pig::Pig;
use crate::support::{random_position, run_seeded};
use crate::{THREATS, ask, connect4_from, flat, mcts, puct, uct};

/// A run limited in depth and playouts.
fn limited<G: Game>(method: &impl Algorithm<G>, root: &G, seed: u64) -> Report<G::Move> {
    let budget = Budget { depth: Some(4), simulations: Some(600), ..Budget::default() };
    run_seeded(method, root, budget, Wanted::All, seed, 1)
}

fn assert_repeats<G: Game>(method: &impl Algorithm<G>, root: &G, name: &str) {
    for seed in [1, 2] {
        let (first, second) = (limited(method, root, seed), limited(method, root, seed));
        assert_eq!(first.lines, second.lines, "{name} with the seed {seed}");
        assert_eq!(first.best_ties, second.best_ties, "{name} with the seed {seed}");
        assert_eq!(first.stopped, second.stopped, "{name} with the seed {seed}");
        let work = |report: &Report<G::Move>| {
            let stats = report.stats;
            (stats.depth, stats.nodes, stats.simulations, stats.cutoffs, stats.table_hits)
        };
        assert_eq!(work(&first), work(&second), "{name} with the seed {seed}");
    }
}

fn rollouts<E>(evaluator: E) -> RolloutMinimax<E> {
    RolloutMinimax {
        evaluator,
        playout: PlayoutStyle::Random.into(),
        options: RolloutOptions { playouts: 4, depth: 2, ..RolloutOptions::default() },
    }
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    let private = Options { table: TableUse::Private, ..Options::default() };
    for (pos, _) in connect4_from(20).into_iter().step_by(12) {
        assert_repeats(&Random, &pos, "random");
        assert_repeats(&flat(THREATS), &pos, "flat");
        assert_repeats(&rollouts(THREATS), &pos, "rollouts");
        assert_repeats(&mcts(THREATS), &pos, "mcts");
        assert_repeats(&uct(THREATS), &pos, "uct");
        assert_repeats(&puct(THREATS), &pos, "puct");
        assert_repeats(&AlphaBeta { evaluator: THREATS, options: private }, &pos, "alphabeta");
        assert_repeats(&Minimax::new(THREATS), &pos, "minimax");
        assert_repeats(&Negamax::new(THREATS), &pos, "negamax");
        assert_repeats(&Sg { max_states: 5_000 }, &pos, "sg");
    }
    assert_repeats(&Lookup(Arc::new(Tablebase::build())), &TicTacToe::default(), "tablebase");
    assert_repeats(&uct(Plain), &Pig::new(10), "uct with dice");
    assert_repeats(&flat(Plain), &Secret::new(0), "flat with secrets");
    assert_repeats(&mcts(Plain), &Secret::new(0), "mcts with secrets");
}

#[test]
fn another_seed_gives_another_sample() {
    let start = Connect4::default();
    let lines = |seed| ask(&uct(THREATS), &start, 500, Wanted::All, seed, 1).lines;
    assert_ne!(lines(1), lines(2));
    let order = |seed| limited(&Random, &start, seed).lines;
    assert!((2..20).any(|seed| order(seed) != order(1)), "every seed draws the same move");
}

fn visits(value: Value) -> u64 {
    match value {
        Value::Estimate { simulations, .. } => simulations,
        other => panic!("{other:?} is no estimate"),
    }
}

#[test]
fn where_all_moves_are_wanted_each_is_visited() {
    for (pos, row) in connect4_from(8).into_iter().step_by(7) {
        let count = pos.legal_moves().len();
        for report in [
            ask(&uct(THREATS), &pos, 200, Wanted::All, 1, 1),
            ask(&puct(THREATS), &pos, count as u64, Wanted::All, 1, 1),
            ask(&mcts(THREATS), &pos, 200, Wanted::All, 1, 1),
            ask(&flat(THREATS), &pos, 200, Wanted::All, 1, 1),
        ] {
            assert_eq!(report.lines.len(), count, "{row}");
            assert!(report.lines.iter().all(|line| line.rated), "{row}");
        }
    }
}

#[test]
fn no_more_playouts_are_run_than_asked_for() {
    let start = Connect4::default();
    for budget in [1, 6, 7, 8, 1_000] {
        for report in [
            ask(&uct(THREATS), &start, budget, Wanted::All, 1, 1),
            ask(&puct(THREATS), &start, budget, Wanted::All, 1, 1),
            ask(&mcts(THREATS), &start, budget, Wanted::All, 1, 1),
            ask(&flat(THREATS), &start, budget, Wanted::All, 1, 1),
        ] {
            assert_eq!(report.stats.simulations, budget);
            assert_eq!(report.stopped, StopReason::Simulations);
            let rated = report.lines.iter().filter(|line| line.rated);
            let sum: u64 = rated.map(|line| visits(line.value)).sum();
            assert_eq!(sum, budget, "each playout is that of one move");
        }
    }
}

#[test]
fn flat_monte_carlo_gives_every_move_the_same_share() {
    let report = ask(&flat(THREATS), &Connect4::default(), 700, Wanted::All, 1, 1);
    assert!(report.lines.iter().all(|line| visits(line.value) == 100));
}

#[test]
fn two_threads_give_legal_answers() {
    let mut rng = bestmove::game::Rng::new(9);
    for n in 0..40 {
        let Some(pos) = random_position(&Connect4::default(), n % 30, &mut rng) else { continue };
        for method in [uct(THREATS), puct(THREATS), mcts(THREATS)] {
            let report = ask(&method, &pos, 2_000, Wanted::All, n as u64, 2);
            let mut found: Vec<_> = report.lines.iter().map(|line| line.moves[0]).collect();
            found.sort_unstable();
            assert_eq!(found, pos.legal_moves(), "every move once");
            for line in &report.lines {
                let mut at = pos;
                for &mv in &line.moves {
                    assert!(at.legal_moves().contains(&mv), "{:?} is legal", line.moves);
                    at.play(mv);
                }
            }
        }
    }
}

#[test]
fn one_seed_does_for_a_whole_random_game() {
    let mut pos = Connect4::default();
    let mut columns = Vec::new();
    for _ in 0..20 {
        let moves = pos.legal_moves();
        let chosen = limited(&Random, &pos, 1).lines[0].moves[0];
        columns.push(moves.iter().position(|&mv| mv == chosen).expect("a legal move"));
        let next = pos.after(chosen);
        let bestmove::game::Turn::Of(_) = next.turn() else { break };
        pos = next;
    }
    columns.sort_unstable();
    columns.dedup();
    assert!(columns.len() >= 3, "{columns:?}");
}
