//! Recorded halves of Snake Go to the last cell, and counts of operations.

use bestmove::game::Game;
use bestmove::games::snake_go::{Enclosure, SnakeGo, SnakeGoRules};
use bestmove::notation::{Notation, Settings};

use crate::support::data;

#[test]
fn recorded_halves_go_the_same_way_to_the_last_cell() {
    let settings = Settings::defaults(SnakeGo::facts().options);
    let games = SnakeGo::recordings(&data("snakego_traces.json"), &settings);
    let games = games.expect("the file has the recorded form");
    let (mut moves, mut seen) = (0, 0);
    for (n, game) in games.iter().enumerate() {
        let replayed = game.replay();
        assert_eq!(replayed.difference, None, "game {n} after {} moves", replayed.moves);
        moves += replayed.moves;
        seen += replayed.seen;
    }
    assert_eq!((games.len(), moves, seen), (12, 8_912, 241));
}

/// Sequences of `plies` operations; a half that ends earlier counts once.
fn perft(pos: &SnakeGo, plies: usize) -> u64 {
    let moves = pos.legal_moves();
    if plies == 0 || moves.is_empty() {
        return 1;
    }
    moves.into_iter().map(|op| perft(&pos.after(op), plies - 1)).sum()
}

fn check(start: &SnakeGo, recorded: &[u64], what: &str) {
    for (plies, &count) in recorded.iter().enumerate() {
        assert_eq!(perft(start, plies), count, "{what}: {plies} plies");
    }
}

#[test]
fn perft_of_snake_go_is_that_of_another_program() {
    let full = SnakeGo::new(SnakeGoRules::default(), &[]);
    check(&full, &[1, 4, 16, 52, 172, 616, 2_200, 8_156, 30_636, 114_992], "16x16");
    let rules =
        SnakeGoRules { size: 4, max_round: 6, growth_rounds: 8, enclosure: Enclosure::Border };
    let small = SnakeGo::new(rules, &[]);
    check(&small, &[1, 4, 16, 52, 172, 616, 2_176, 7_940, 27_440, 81_148], "4x4, 6 rounds");
    let hungry = SnakeGo::new(SnakeGoRules { growth_rounds: 0, ..rules }, &[]);
    let counts = [1, 4, 16, 52, 172, 568, 1_912, 6_460, 14_656, 36_172];
    check(&hungry, &counts, "4x4, 6 rounds, no growth");
}
