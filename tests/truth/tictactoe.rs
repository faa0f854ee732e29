//! The complete table of tic-tac-toe.

use std::collections::HashSet;
use std::sync::Arc;

use bestmove::game::{Game, Outcome, Side, Turn};
use bestmove::games::tictactoe::TicTacToe;
use bestmove::search::sg::Sg;
use bestmove::search::tablebase::{Lookup, Tablebase};
use bestmove::search::{Algorithm, Report, Value, Wanted};
use serde_json::Value as Json;

use crate::support::{data, depth, run};
use crate::{check_first_moves, counts, list, reachable, recorded_states, side, sign, whole};

fn position(row: &Json) -> TicTacToe {
    let board = row["board"].as_str().expect("a board");
    let stones = |wanted| {
        let cells = board.chars().enumerate().filter(|(_, mark)| *mark == wanted);
        cells.map(|(cell, _)| 1 << cell).sum()
    };
    TicTacToe::new(stones('X'), stones('O')).expect("a position that comes up")
}

/// Value in the table's form: the winner, and the plies to the end.
fn value(row: &Json, plies: &Json) -> Value {
    let plies = whole(plies) as u32;
    match whole(row) {
        1 => Value::Win(plies),
        -1 => Value::Loss(plies),
        _ => Value::Draw,
    }
}

fn check_row(row: &Json, pos: &TicTacToe, report: &Report<u8>) {
    let recorded = row["moves"].as_object().expect("values by move");
    assert_eq!(report.lines.len(), recorded.len(), "the moves of {row}");
    assert_eq!(report.lines[0].value, value(&row["value"], &row["plies"]), "the value of {row}");
    let best = report.lines.iter().filter(|line| line.value == report.lines[0].value).count();
    assert_eq!(report.best_ties, best, "equal best moves of {row}");
    for line in &report.lines {
        let mv = &recorded[&line.moves[0].to_string()];
        assert_eq!(line.value, value(&mv[0], &mv[1]), "move {} of {row}", line.moves[0]);
        assert!(line.exact && line.rated, "nothing is left open in {row}");
        assert_eq!(line.moves.len() as i64, whole(&mv[1]), "best play lasts so long in {row}");
        let end = line.moves.iter().fold(*pos, |pos, &mv| pos.after(mv));
        assert!(matches!(end.turn(), Turn::Over(_)), "best play ends in {row}");
    }
}

fn check_all(method: &impl Algorithm<TicTacToe>) {
    let data = data("tictactoe_table.json");
    let rows = list(&data["positions"]);
    assert_eq!(rows.len(), 5_478);
    for row in rows {
        let pos = position(row);
        match pos.turn() {
            Turn::Over(outcome) => {
                let lost = outcome == Outcome::Win(side(&row["side"]).other());
                assert_eq!(whole(&row["value"]), -i64::from(lost), "{row}");
                assert!(lost || outcome == Outcome::Draw, "{row}");
            }
            Turn::Of(mover) => {
                assert_eq!(mover, side(&row["side"]), "{row}");
                check_row(row, &pos, &run(method, &pos, depth(9), Wanted::All));
            }
        }
    }
}

#[test]
fn the_tablebase_knows_every_state_of_tictactoe() {
    check_all(&Lookup(Arc::new(Tablebase::build())));
}

#[test]
fn sg_solves_every_state_of_tictactoe() {
    check_all(&Sg { max_states: 10_000 });
}

#[test]
fn the_counts_of_tictactoe_are_those_recorded() {
    let data = data("tictactoe_table.json");
    let recorded = &data["meta"]["counts"];
    let states = reachable(&TicTacToe::default());
    let count =
        |of: &dyn Fn(&TicTacToe) -> bool| states.iter().filter(|pos| of(pos)).count() as i64;
    let ended = |with: Outcome| count(&|pos| pos.turn() == Turn::Over(with));
    assert_eq!(states.len() as i64, whole(&recorded["reachable_states"]));
    let wins = Side::BOTH.map(|side| ended(Outcome::Win(side)));
    assert_eq!(wins, ["x_win_states", "o_win_states"].map(|name| whole(&recorded[name])));
    assert_eq!(ended(Outcome::Draw), whole(&recorded["draw_states"]));
    let stones =
        |pos: &TicTacToe| (pos.stones(Side::First) | pos.stones(Side::Second)).count_ones();
    let by_ply: Vec<_> = (0..10).map(|ply| count(&|pos| stones(pos) == ply) as u64).collect();
    assert_eq!(by_ply, counts(&recorded["states_by_ply"]));
    let shapes: HashSet<_> = states.iter().map(up_to_symmetry).collect();
    assert_eq!(shapes.len() as i64, whole(&recorded["states_up_to_symmetry"]));
    let ends = states.iter().filter(|pos| matches!(pos.turn(), Turn::Over(_)));
    let shapes: HashSet<_> = ends.map(up_to_symmetry).collect();
    assert_eq!(shapes.len() as i64, whole(&recorded["terminal_up_to_symmetry"]));
}

/// Smallest of the eight symmetric images of a position.
fn up_to_symmetry(pos: &TicTacToe) -> [u16; 2] {
    let turn = |cells: u16| (0..9).map(|n| (cells >> n & 1) << (n % 3 * 3 + 2 - n / 3)).sum();
    let flip = |cells: u16| (0..9).map(|n| (cells >> n & 1) << (n / 3 * 3 + 2 - n % 3)).sum();
    let mut pictures = vec![Side::BOTH.map(|side| pos.stones(side))];
    for _ in 0..3 {
        pictures.push(pictures[pictures.len() - 1].map(turn));
    }
    let flipped: Vec<[u16; 2]> = pictures.iter().map(|picture| picture.map(flip)).collect();
    pictures.into_iter().chain(flipped).min().expect("eight pictures")
}

#[test]
fn the_games_of_tictactoe_are_those_recorded() {
    /// Finished games by result (x, o, neither), and all nodes.
    fn walk(pos: TicTacToe, games: &mut [i64; 3], nodes: &mut i64) {
        *nodes += 1;
        if let Turn::Over(outcome) = pos.turn() {
            let place = match outcome {
                Outcome::Win(side) => side.index(),
                _ => 2,
            };
            games[place] += 1;
        }
        pos.legal_moves().into_iter().for_each(|mv| walk(pos.after(mv), games, nodes));
    }
    let data = data("tictactoe_table.json");
    let recorded = &data["meta"]["counts"];
    let (mut games, mut nodes) = ([0; 3], 0);
    walk(TicTacToe::default(), &mut games, &mut nodes);
    assert_eq!(games, ["games_x", "games_o", "games_draw"].map(|name| whole(&recorded[name])));
    assert_eq!(games.iter().sum::<i64>(), whole(&recorded["games"]));
    assert_eq!(nodes, whole(&recorded["tree_nodes"]));
}

#[test]
fn wins_losses_and_draws_of_tictactoe_are_as_many_as_recorded() {
    let data = data("tictactoe_table.json");
    let recorded = &data["meta"]["counts"];
    let table = Lookup(Arc::new(Tablebase::build()));
    // Win, draw, loss of the side to move, which in a finished game has lost or drawn.
    let mut found = [0; 3];
    for pos in reachable(&TicTacToe::default()) {
        let sign = match pos.turn() {
            Turn::Over(Outcome::Draw) => 0,
            Turn::Over(_) => -1,
            Turn::Of(_) => sign(run(&table, &pos, depth(9), Wanted::All).lines[0].value),
        };
        found[(1 - sign) as usize] += 1;
    }
    let names = ["win_states_to_move", "draw_value_states", "loss_states_to_move"];
    assert_eq!(found, names.map(|name| whole(&recorded[name])));
}

#[test]
fn another_solver_agrees_about_tictactoe() {
    let start = TicTacToe::default();
    let report = run(&Sg { max_states: 10_000 }, &start, depth(9), Wanted::All);
    let cell = |name: &str| {
        let digits: Vec<_> = name.chars().filter_map(|mark| mark.to_digit(10)).collect();
        (3 * digits[0] + digits[1]) as u8
    };
    for spec in ["tic_tac_toe", "mnk(m=3,n=3,k=3)"] {
        check_first_moves::<TicTacToe>(spec, &report, cell);
        let states = reachable(&start);
        let open = states.iter().filter(|pos| matches!(pos.turn(), Turn::Of(_))).count();
        assert_eq!(open as i64, recorded_states(spec), "{spec}");
    }
}
