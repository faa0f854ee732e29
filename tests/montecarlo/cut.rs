//! Truncated playouts with an evaluation at the cut.

use bestmove::game::{Evaluator, Game, Plain, Side, Turn};
use bestmove::games::connect4::{Connect4, Connect4Evaluation, Connect4Evaluator};
use bestmove::games::snake_go::{self, SnakeGo, SnakeGoEvaluator};
use bestmove::search::montecarlo::{FlatMonteCarlo, FlatOptions};
use bestmove::search::tree_search::{TreeOptions, TreeSearch};
use bestmove::search::{Playout, PlayoutStyle, Wanted};

use crate::stuck::Heap;
use crate::support::pig::Pig;
use crate::{ask, connect4_from, expected};

fn cut(style: PlayoutStyle, depth: u32) -> Playout {
    Playout { style, depth: Some(depth), ..Playout::default() }
}

fn flat<E>(evaluator: E, playout: Playout) -> FlatMonteCarlo<E> {
    FlatMonteCarlo { evaluator, playout, options: FlatOptions { worlds: 1 } }
}

/// Without a single playout move the estimate of a root move is the evaluation of the next position.
fn check_judgement<G: Game, E: Evaluator<G>>(root: &G, evaluator: &E) {
    let Turn::Of(mover) = root.turn() else { panic!("nobody is to move") };
    let report =
        ask(&flat(evaluator.clone(), cut(PlayoutStyle::Random, 0)), root, 64, Wanted::All, 1, 1);
    for line in &report.lines {
        let next = root.after(line.moves[0]);
        let Turn::Of(to_move) = next.standing() else { continue };
        let mut judge = evaluator.clone();
        judge.enter(&next);
        let value = judge.evaluate(&next, to_move);
        let p = judge.win_probability(f64::from(value));
        let of_mover = if to_move == mover { p } else { 1.0 - p };
        assert!((expected(line.value) - of_mover).abs() < 1e-9, "{line:?}: {of_mover}");
    }
}

#[test]
fn a_playout_of_no_moves_is_the_judgement_of_the_expert() {
    let threats = Connect4Evaluator { evaluation: Connect4Evaluation::Threats };
    for (pos, _) in connect4_from(12).iter().step_by(5) {
        if matches!(pos.turn(), Turn::Of(_)) {
            check_judgement(pos, &threats);
        }
    }
    let mut pos = SnakeGo::new(snake_go::SnakeGoRules::default(), &[]);
    let keeper = SnakeGoEvaluator::new(snake_go::SnakeGoEvaluation::Territory, &pos);
    for op in [3, 2, 3, 2, 3].map(|n| snake_go::Op::ALL[n]) {
        pos.play(op);
        check_judgement(&pos, &keeper);
    }
}

#[test]
fn a_cut_beyond_the_end_of_the_game_changes_nothing() {
    let whole = PlayoutStyle::Evaluator.into();
    let long = cut(PlayoutStyle::Evaluator, 42);
    let threats = Connect4Evaluator { evaluation: Connect4Evaluation::Threats };
    let lines = |playout| {
        let flat = ask(&flat(threats, playout), &Connect4::default(), 500, Wanted::All, 3, 1);
        let uct = TreeSearch {
            evaluator: threats,
            options: TreeOptions { playout, ..TreeOptions::uct() },
        };
        let uct = ask(&uct, &Connect4::default(), 500, Wanted::All, 3, 1);
        (flat.lines, uct.lines)
    };
    assert_eq!(lines(whole), lines(long));
}

#[test]
fn a_game_that_is_over_where_the_playout_is_cut_is_not_judged() {
    // Two stones are left after the first move, none after the second: the side then to move is stuck and
    // has won. The evaluator would call it even.
    let report =
        ask(&flat(Plain, cut(PlayoutStyle::Random, 1)), &Heap::<1>::new(4), 40, Wanted::All, 1, 1);
    let take_two = report.lines.iter().find(|line| line.moves[0] == 2).expect("it is legal");
    assert_eq!(expected(take_two.value), 1.0);
    let Turn::Of(Side::First) = Heap::<1>::new(4).turn() else { panic!("the first side begins") };
}

#[test]
fn dice_do_not_count_as_moves_of_the_players() {
    // An evaluator that calls everything even does so in a truncated game of dice too.
    let report =
        ask(&flat(Plain, cut(PlayoutStyle::Random, 2)), &Pig::new(100), 200, Wanted::All, 1, 1);
    for line in &report.lines {
        assert_eq!(expected(line.value), 0.5, "{line:?}");
    }
}
