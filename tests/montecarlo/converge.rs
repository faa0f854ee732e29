//! Convergence: with enough playouts the best move and the right value are found.

use bestmove::game::{Game, Outcome, Plain, Rng, Side, Turn};
use bestmove::games::tree::{Nature, NodeKind, Tree, TreeEvaluator, TreeNodes};
use bestmove::search::rollout_minimax::{RolloutMinimax, RolloutOptions};
use bestmove::search::textbook::minimax::Minimax;
use bestmove::search::tree_search::{FinalChoice, TreeOptions, TreeSearch};
use bestmove::search::{PlayoutStyle, Value, Wanted};
use serde_json::Value as Json;

use crate::support::pig::{Act, Pig};
use crate::support::{TreeShape, depth, random_tree, run};
use crate::{
    STYLES, THREATS, ask, choice, connect4_from, expected, flat, mcts, puct, rows, tictactoe_open,
    uct, whole,
};

/// UCT with and without proofs, with either kind of playouts; PUCT.
fn variants<E: Clone>(evaluator: &E) -> Vec<TreeSearch<E>> {
    let all = [true, false].into_iter().flat_map(|solver| {
        STYLES.map(|playout| TreeSearch {
            evaluator: evaluator.clone(),
            options: TreeOptions { solver, playout: playout.into(), ..TreeOptions::uct() },
        })
    });
    all.chain([puct(evaluator.clone())]).collect()
}

/// The best moves by result alone.
fn best_results(moves: &[(u8, i64)]) -> Vec<u8> {
    let best = moves.iter().map(|(_, result)| *result).max();
    moves.iter().filter(|(_, result)| Some(*result) == best).map(|(mv, _)| *mv).collect()
}

#[test]
fn tree_searches_find_the_only_best_move_of_tictactoe() {
    let mut checked = 0;
    for (pos, row) in tictactoe_open() {
        let moves = row["moves"].as_object().expect("values by move");
        let moves: Vec<_> = moves
            .iter()
            .map(|(cell, value)| (cell.parse().expect("a cell"), whole(&value[0])))
            .collect();
        let best = best_results(&moves);
        if best.len() != 1 || moves.len() == 1 {
            continue;
        }
        checked += 1;
        if checked % 16 == 0 {
            for method in variants(&Plain) {
                let found = choice(&method, &pos, 3_000);
                assert_eq!(found, best[0], "{row} with {:?}", method.options);
            }
        }
    }
    assert!(checked > 1_000, "{checked} positions with one best move");
}

#[test]
fn tree_searches_keep_the_result_of_connect4() {
    for (pos, row) in connect4_from(28) {
        let scores = row["move_scores"].as_array().expect("scores").iter().enumerate();
        let moves: Vec<_> = scores
            .filter_map(|(column, score)| Some((column as u8, score.as_i64()?.signum())))
            .collect();
        let best = best_results(&moves);
        for method in variants(&THREATS) {
            let found = choice(&method, &pos, 10_000);
            assert!(best.contains(&found), "{found} in {row} with {:?}", method.options);
        }
    }
}

#[test]
fn every_method_takes_a_win_in_one() {
    let mut checked = 0;
    for (pos, row) in connect4_from(8) {
        if row["win_in_one"] != true {
            continue;
        }
        let rollouts = RolloutMinimax {
            evaluator: THREATS,
            playout: PlayoutStyle::Random.into(),
            options: RolloutOptions { playouts: 4, depth: 1, ..RolloutOptions::default() },
        };
        let found = [
            choice(&flat(THREATS), &pos, 700),
            choice(&mcts(THREATS), &pos, 1_500),
            choice(&uct(THREATS), &pos, 700),
            choice(&puct(THREATS), &pos, 700),
            choice(&rollouts, &pos, 700),
        ];
        for (n, mv) in found.into_iter().enumerate() {
            let won = Turn::Over(Outcome::Win(pos.mover()));
            assert_eq!(pos.after(mv).turn(), won, "method {n} plays {mv} in {row}");
        }
        checked += 1;
    }
    assert!(checked > 20, "{checked} positions");
}

/// A random tree whose leaves are spread over the whole range of values.
fn spread(mut nodes: TreeNodes) -> TreeNodes {
    for node in &mut nodes {
        if let NodeKind::Leaf(value) = &mut node.kind {
            *value *= 100;
        }
    }
    nodes
}

/// Value of a tree by definition, in thousandths for MAX.
fn value(tree: &Tree<Nature>) -> f64 {
    let after = |child: &u16| value(&tree.after(*child));
    match &tree.node().kind {
        NodeKind::Leaf(value) => f64::from(*value),
        NodeKind::Nature(children) => children.iter().map(|(child, p)| p * after(child)).sum(),
        NodeKind::Choice(Side::First, children) => {
            children.iter().map(after).fold(f64::MIN, f64::max)
        }
        NodeKind::Choice(Side::Second, children) => {
            children.iter().map(after).fold(f64::MAX, f64::min)
        }
    }
}

#[test]
fn tree_searches_converge_to_the_expectation_of_trees_with_chance() {
    let mut rng = Rng::new(3);
    for n in 0..60 {
        let shape = TreeShape { repeated_movers: n % 2 == 0, chance: true, levels: 3 };
        let tree: Tree<Nature> = Tree::new(spread(random_tree(shape, &mut rng))).expect("chance");
        let evaluator = TreeEvaluator::of(&tree);
        let truth =
            bestmove::game::Evaluator::<Tree<Nature>>::win_probability(&evaluator, value(&tree));
        let largest = f64::from(bestmove::game::Evaluator::<Tree<Nature>>::bound(&evaluator));
        for method in [uct(evaluator), puct(evaluator)] {
            let report = ask(&method, &tree, 60_000, Wanted::One, 5, 1);
            let what = format!("tree {n} with {:?}", method.options.policy);
            let found = expected(report.lines[0].value);
            assert!((found - truth).abs() < 0.03, "{what}: {found}, not {truth}");
            let best = value(&tree.after(report.lines[0].moves[0]));
            assert!(value(&tree) - best < 0.06 * largest, "{what}: the move loses {best}");
        }
    }
}

#[test]
fn uct_answers_the_textbook_tree_as_minimax_does() {
    use bestmove::notation::{Notation, Settings, StateInput};
    let tree = Tree::<Nature>::read(StateInput::Start, &Settings::default()).expect("a tree");
    let evaluator = TreeEvaluator::of(&tree);
    let truth = run(&Minimax::new(evaluator), &tree, depth(4), Wanted::All).lines[0].moves[0];
    assert_eq!(choice(&uct(evaluator), &tree, 5_000), truth);
}

#[test]
fn uct_plays_pig_rightly_where_it_is_clear() {
    let mut checked = 0;
    for row in rows("pig_values.json") {
        let number = |name: &str| row[name].as_f64().expect("a probability");
        if whole(&row["target"]) != 10 || (number("roll") - number("hold")).abs() < 0.15 {
            continue;
        }
        let pos = pig(&row);
        let best = if row["best"] == "roll" { Act::Roll } else { Act::Hold };
        let report = ask(&uct(Plain), &pos, 10_000, Wanted::One, 1, 1);
        assert_eq!(report.lines[0].moves[0], best, "{row}");
        let found = expected(report.lines[0].value);
        assert!((found - number("value")).abs() < 0.12, "{found} in {row}");
        checked += 1;
    }
    assert!(checked > 20, "{checked} clear rows");
}

fn pig(row: &Json) -> Pig {
    let at = |name: &str| whole(&row[name]) as u8;
    Pig { banked: [at("me"), at("opp")], total: at("turn"), ..Pig::new(at("target")) }
}

#[test]
fn each_final_choice_takes_the_move_it_names() {
    let key = |choice: FinalChoice, value: Value| match (choice, value) {
        (FinalChoice::Robust, Value::Estimate { simulations, .. }) => simulations as f64,
        (FinalChoice::Max, Value::Estimate { mean, .. }) => mean,
        (FinalChoice::Lcb, Value::Estimate { mean, stderr, .. }) => mean - 2.0 * stderr,
        (_, other) => panic!("{other:?} is no estimate"),
    };
    for final_choice in [FinalChoice::Robust, FinalChoice::Max, FinalChoice::Lcb] {
        let options = TreeOptions { final_choice, solver: false, ..TreeOptions::uct() };
        for (pos, row) in connect4_from(8).into_iter().step_by(5) {
            let report =
                ask(&TreeSearch { evaluator: THREATS, options }, &pos, 500, Wanted::All, 2, 1);
            let keys: Vec<_> =
                report.lines.iter().map(|line| key(final_choice, line.value)).collect();
            assert!(keys.iter().all(|key| *key <= keys[0]), "{final_choice:?}: {keys:?} in {row}");
            let means: Vec<_> = report.lines.iter().map(|line| expected(line.value)).collect();
            assert!(means.is_sorted_by(|a, b| a >= b), "{final_choice:?}: {means:?} in {row}");
        }
    }
}
