//! Counts of move sequences and of positions.

use bestmove::game::Game;
use bestmove::games::connect4::Connect4;
use bestmove::games::gomoku::Gomoku;
use bestmove::games::nim::Nim;
use bestmove::games::othello::Othello;
use bestmove::games::tictactoe::TicTacToe;
use bestmove::games::two_eat_one::TwoEatOne;

use crate::counts;
use crate::support::data;

/// Sequences of exactly `plies` moves; a game that has ended is not continued.
fn perft<G: Game>(pos: &G, plies: u32, list: &mut Vec<G::Move>) -> u64 {
    if plies == 0 {
        return 1;
    }
    let start = list.len();
    pos.moves(list);
    let count = if plies == 1 {
        (list.len() - start) as u64
    } else {
        (start..list.len()).map(|n| perft(&pos.after(list[n]), plies - 1, list)).sum()
    };
    list.truncate(start);
    count
}

pub(crate) fn check<G: Game>(start: &G, recorded: &[u64], what: &str) {
    for (plies, &count) in (0..).zip(recorded) {
        assert_eq!(perft(start, plies, &mut Vec::new()), count, "{what}: {plies} plies");
    }
}

#[test]
fn perft_of_tictactoe_is_that_recorded() {
    let data = data("tictactoe_table.json");
    check(&TicTacToe::default(), &counts(&data["meta"]["counts"]["perft"]), "tictactoe");
}

#[test]
fn perft_of_connect4_is_that_recorded() {
    let data = data("perft_own.json");
    check(&Connect4::default(), &counts(&data["connect4_perft"]), "connect4");
}

#[test]
fn perft_of_othello_is_that_recorded() {
    let data = data("perft_own.json");
    let recorded = counts(&data["othello_perft_pass_counts_as_a_ply"]);
    assert_eq!(recorded.len(), 10, "to depth 9");
    check(&Othello::default(), &recorded, "othello");
}

#[test]
fn connect4_has_as_many_positions_as_recorded() {
    let data = data("perft_own.json");
    let mut layer = vec![Connect4::default()];
    for (ply, count) in counts(&data["connect4_unique_positions_by_ply"]).into_iter().enumerate() {
        assert_eq!(layer.len() as u64, count, "after {ply} plies");
        let mut seen = std::collections::HashSet::new();
        let next =
            layer.iter().flat_map(|pos| pos.legal_moves().into_iter().map(|mv| pos.after(mv)));
        layer = next.filter(|pos| seen.insert(pos.hash())).collect();
    }
}

#[test]
fn perft_of_gomoku_counts_the_empty_points() {
    for (size, recorded) in [(10, [1, 100, 9_900, 970_200]), (15, [1, 225, 50_400, 11_239_200])] {
        check(&Gomoku::new(size).expect("in range"), &recorded, "gomoku");
    }
}

#[test]
fn perft_of_nim_is_that_of_another_library() {
    let start = Nim::new(&[1, 3, 5, 7], true).expect("few heaps");
    check(&start, &[1, 16, 206, 2_116, 17_338, 113_912], "nim");
}

#[test]
fn perft_of_two_eat_one_is_that_recorded() {
    let recorded = [1, 4, 16, 124, 906, 6_256, 41_644, 306_458, 2_195_582, 15_158_916];
    check(&TwoEatOne::default(), &recorded, "two_eat_one");
}
