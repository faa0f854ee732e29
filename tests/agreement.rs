//! Every exact method agrees with plain minimax on random positions and random trees, with an evaluator
//! that makes ties frequent.

mod support;

use bestmove::SharedTable;
use bestmove::game::{Evaluator, Game, MoveList, Perfect, Plain, Rng, Turn};
use bestmove::games::connect4::{Connect4, Connect4Evaluation, Connect4Evaluator};
use bestmove::games::gomoku::{self, BoardEdge, Gomoku, GomokuEvaluator};
use bestmove::games::gomoku_swap2::{GomokuSwap2, Swap2Evaluator};
use bestmove::games::nim::{Nim, NimEvaluator};
use bestmove::games::othello::{Othello, OthelloEvaluator};
use bestmove::games::snake_go::{self, SnakeGo, SnakeGoEvaluator};
use bestmove::games::tictactoe::TicTacToe;
use bestmove::games::tree::{Nature, Tree, TreeEvaluator};
use bestmove::games::two_eat_one::{self, TwoEatOne, TwoEatOneEvaluator};
use bestmove::search::alphabeta::{AlphaBeta, Options, Ordering, Pruning, TableUse};
use bestmove::search::greedy::Greedy;
use bestmove::search::sg::Sg;
use bestmove::search::textbook::TextbookOptions;
use bestmove::search::textbook::minimax::Minimax;
use bestmove::search::textbook::negamax::Negamax;
use bestmove::search::{Algorithm, Job, Line, Report, Value, Wanted};
use support::pig::Pig;
use support::{Hashed, TreeShape, depth, random_position, random_tree, run, unproved};

/// Values by move, in the order of the moves' codes.
fn values<G: Game>(report: &Report<G::Move>) -> Vec<(u16, Value)> {
    let value = |line: &Line<G::Move>| (G::move_code(line.moves[0]), unproved(line.value));
    let mut values: Vec<_> = report.lines.iter().map(value).collect();
    values.sort_by_key(|(code, _)| *code);
    values
}

/// Asserts equal values and proofs of all moves by the oracle and by a method.
fn assert_agree<G: Game>(oracle: &Report<G::Move>, other: &Report<G::Move>, what: &str) {
    assert_eq!(values::<G>(oracle), values::<G>(other), "{what}");
    let best = [oracle, other].map(|report| unproved(report.lines[0].value));
    assert_eq!(best[0], best[1], "{what}: the best value");
    assert_eq!(oracle.best_ties, other.best_ties, "{what}: the moves that tie for best");
}

/// Engine options from the plainest to the full set.
fn option_sets() -> Vec<Options> {
    let full = Options { table: TableUse::Private, ..Options::default() };
    let plain = Options {
        deepening: false,
        ordering: Ordering::None,
        table: TableUse::Off,
        pvs: false,
        aspiration: false,
        ..full
    };
    vec![
        full,
        plain,
        Options { pruning: Pruning::None, ..full },
        Options { pruning: Pruning::Alpha, ..plain },
        Options { pruning: Pruning::Beta, ..full },
        Options { ordering: Ordering::Static, aspiration: false, ..full },
        Options { ordering: Ordering::Reversed, ..full },
        Options { ordering: Ordering::Shuffled, ..plain },
        Options { killers: false, history: false, ..full },
        Options { continuation_history: false, table_move: false, static_order: false, ..full },
        Options { pvs: false, ..full },
        Options { deepening: false, table_mib: 0, ..full },
    ]
}

fn check_engine<G: Game<Info = Perfect>, E: Evaluator<G>>(
    evaluator: &E,
    pos: &G,
    plies: u32,
    what: &str,
) {
    for moves in [MoveList::All, MoveList::Expert] {
        check_list(evaluator, pos, plies, moves, what);
    }
}

fn check_list<G: Game<Info = Perfect>, E: Evaluator<G>>(
    evaluator: &E,
    pos: &G,
    plies: u32,
    moves: MoveList,
    what: &str,
) {
    // All points of a board are too many for deep oracles.
    let plies = if moves == MoveList::All && !E::LISTS_ALL { plies.min(2) } else { plies };
    let plain = TextbookOptions { moves, ..TextbookOptions::default() };
    let oracle = Minimax { evaluator: evaluator.clone(), options: plain };
    let oracle = run(&oracle, pos, depth(plies), Wanted::All);
    for options in option_sets() {
        let options = Options { moves, ..options };
        let engine = AlphaBeta { evaluator: evaluator.clone(), options };
        let what = format!("{what} at depth {plies} with {options:?}");
        let all = run(&engine, pos, depth(plies), Wanted::All);
        assert_agree::<G>(&oracle, &all, &what);
        let one = run(&engine, pos, depth(plies), Wanted::One);
        let best = [&oracle, &one].map(|report| unproved(report.lines[0].value));
        assert_eq!(best[0], best[1], "{what}, one move wanted");
        for line in all.lines.iter().chain(&one.lines) {
            let mut pos = pos.clone();
            for &mv in &line.moves {
                assert!(pos.legal_moves().contains(&mv), "{what}: the line replays");
                pos.play(mv);
            }
        }
    }
}

/// Random positions of a game, with its own evaluator and with the hashed evaluator.
fn check_game<G: Game<Info = Perfect>, E: Evaluator<G>>(
    start: &G,
    evaluator: &E,
    longest: usize,
    plies: u32,
    count: usize,
) {
    let mut rng = Rng::new(1);
    let mut checked = 0;
    while checked < count {
        let length = rng.below(longest + 1);
        let Some(pos) = random_position(start, length, &mut rng) else { continue };
        let plies = 1 + rng.below(plies as usize) as u32;
        check_engine(&Hashed(evaluator.clone()), &pos, plies, "hashed");
        check_engine(&Hashed(Plain), &pos, plies.min(3), "hashed, nothing left out");
        check_engine(evaluator, &pos, plies, "own evaluator");
        checked += 1;
    }
}

#[test]
fn the_engine_agrees_with_minimax_on_nim() {
    for misere in [false, true] {
        let start = Nim::new(&[3, 2, 4], misere).expect("three heaps");
        check_game(&start, &NimEvaluator, 5, 5, 150);
    }
}

#[test]
fn the_engine_agrees_with_minimax_on_tictactoe() {
    check_game(&TicTacToe::default(), &Plain, 6, 7, 150);
}

#[test]
fn the_engine_agrees_with_minimax_on_connect4() {
    let threats = Connect4Evaluator { evaluation: Connect4Evaluation::Threats };
    check_game(&Connect4::default(), &threats, 36, 5, 150);
    let none = Connect4Evaluator { evaluation: Connect4Evaluation::None };
    check_game(&Connect4::default(), &none, 36, 6, 60);
}

/// A game with cycles: a position may repeat on the path to it.
#[test]
fn the_engine_agrees_with_minimax_on_two_eat_one() {
    for evaluation in
        [two_eat_one::TwoEatOneEvaluation::Stones, two_eat_one::TwoEatOneEvaluation::None]
    {
        check_game(&TwoEatOne::default(), &TwoEatOneEvaluator::new(evaluation), 60, 5, 60);
    }
}

#[test]
fn the_engine_agrees_with_minimax_on_othello() {
    check_game(&Othello::default(), &OthelloEvaluator::default(), 58, 4, 60);
}

/// To the end and beyond, and short of it: where ends are known at once and where they are not.
#[test]
fn the_engine_agrees_with_minimax_on_the_ends_of_othello() {
    let mut rng = Rng::new(9);
    let mut checked = 0;
    while checked < 60 {
        let Some(pos) = random_position(&Othello::default(), 52 + rng.below(8), &mut rng) else {
            continue;
        };
        let empties = pos.empty().count_ones();
        if empties <= 6 {
            let plies = 1 + rng.below(2 * empties as usize + 2) as u32;
            check_engine(&Hashed(OthelloEvaluator::default()), &pos, plies, "hashed");
            check_engine(&OthelloEvaluator::default(), &pos, plies, "own evaluator");
            checked += 1;
        }
    }
}

#[test]
fn the_engine_agrees_with_minimax_on_gomoku() {
    for size in [5, 7] {
        let start = Gomoku::new(size).expect("a size in range");
        check_game(
            &start,
            &GomokuEvaluator::new(gomoku::GomokuEvaluation::Shapes(BoardEdge::Wall)),
            18,
            2,
            25,
        );
        check_game(&start, &GomokuEvaluator::new(gomoku::GomokuEvaluation::Patterns), 18, 3, 25);
    }
}

#[test]
fn the_engine_agrees_with_minimax_on_the_opening_swap2() {
    let start = GomokuSwap2::new(Gomoku::new(5).expect("a size in range"));
    check_game(&start, &Swap2Evaluator::default(), 9, 2, 25);
}

/// A small half of Snake Go with items: most plies are followed by another of the same side.
fn small_half() -> SnakeGo {
    let rules = snake_go::SnakeGoRules { size: 6, max_round: 14, ..Default::default() };
    SnakeGo::new(rules, &snake_go::generate(3, rules.size, rules.max_round))
}

#[test]
fn the_engine_agrees_with_minimax_on_snake_go() {
    for evaluation in [snake_go::SnakeGoEvaluation::Territory, snake_go::SnakeGoEvaluation::Score] {
        let start = small_half();
        check_game(&start, &SnakeGoEvaluator::new(evaluation, &start), 40, 4, 60);
    }
}

#[test]
fn the_engine_agrees_with_minimax_on_pig() {
    check_game(&Pig::new(12), &Plain, 8, 4, 60);
}

#[test]
fn the_engine_agrees_with_minimax_on_random_trees() {
    let mut rng = Rng::new(2);
    for n in 0..3_000 {
        let shape =
            TreeShape { repeated_movers: n % 2 == 0, chance: n % 3 == 0, levels: 2 + n % 5 };
        let nodes = random_tree(shape, &mut rng);
        let plies = 1 + rng.below(8) as u32;
        let what = format!("tree {n}");
        let pos: Tree<Nature> = Tree::new(nodes.clone()).expect("chance is allowed");
        let face = TreeEvaluator::of(&pos);
        check_engine(&face, &pos, plies, &what);
        check_engine(&Hashed(face), &pos, plies, &what);
        if let Some(pos) = Tree::new(nodes) {
            let pos: Tree<std::convert::Infallible> = pos;
            let oracle = run(&Minimax::new(face), &pos, depth(plies), Wanted::All);
            let negamax = run(&Negamax::new(face), &pos, depth(plies), Wanted::All);
            assert_agree::<Tree<std::convert::Infallible>>(&oracle, &negamax, &what);
            let to_the_end = run(&Minimax::new(face), &pos, depth(20), Wanted::All);
            let solved = run(&Sg { max_states: 1_000_000 }, &pos, depth(20), Wanted::All);
            assert_agree::<Tree<std::convert::Infallible>>(&to_the_end, &solved, &what);
        }
    }
}

/// A table without size is none: the same nodes as without a table. Even one bucket would change the move order.
#[test]
fn a_table_of_no_size_is_no_table() {
    let start = TicTacToe::default();
    let search = |table_mib, table| {
        let options = Options { table_mib, table, ..Options::default() };
        run(&AlphaBeta { evaluator: Plain, options }, &start, depth(9), Wanted::All).stats
    };
    let [empty, none] = [(0, TableUse::Private), (1, TableUse::Off)]
        .map(|(table_mib, table)| search(table_mib, table));
    assert_eq!((empty.nodes, empty.table_hits), (none.nodes, 0));
    assert!(search(1, TableUse::Private).table_hits > 0);
}

/// Greedy equals minimax of depth 1 in games without chance.
#[test]
fn greedy_is_minimax_of_depth_1() {
    fn check<G: Game<Info = Perfect>, E: Evaluator<G>>(start: &G, evaluator: &E, longest: usize) {
        let mut rng = Rng::new(5);
        for _ in 0..100 {
            let Some(pos) = random_position(start, rng.below(longest + 1), &mut rng) else {
                continue;
            };
            let oracle = run(&Minimax::new(evaluator.clone()), &pos, depth(1), Wanted::All);
            let greedy = run(&Greedy(evaluator.clone()), &pos, depth(1), Wanted::All);
            assert_agree::<G>(&oracle, &greedy, "one move ahead");
        }
    }
    check(&Connect4::default(), &Hashed(Plain), 30);
    check(&Connect4::default(), &Connect4Evaluator { evaluation: Connect4Evaluation::Threats }, 30);
    check(&Othello::default(), &OthelloEvaluator::default(), 56);
    check(&TicTacToe::default(), &Plain, 8);
    let stones = TwoEatOneEvaluator::new(two_eat_one::TwoEatOneEvaluation::Stones);
    check(&TwoEatOne::default(), &stones, 60);
}

/// Entries of earlier searches in the shared table change the work, never the values: questions of all
/// depths, repeated, and about successors, in one table.
#[test]
fn what_searches_share_changes_no_value() {
    fn check<G: Game<Info = Perfect>, E: Evaluator<G>>(
        start: &G,
        evaluator: &E,
        longest: usize,
        deepest: usize,
    ) {
        let table = SharedTable::new(200_000);
        let mut rng = Rng::new(4);
        for _ in 0..40 {
            let Some(mut pos) = random_position(start, rng.below(longest + 1), &mut rng) else {
                continue;
            };
            for _ in 0..6 {
                if !matches!(pos.turn(), Turn::Of(_)) {
                    break;
                }
                let moves = pos.legal_moves();
                let plies = 1 + rng.below(deepest) as u32;
                let oracle = run(&Minimax::new(evaluator.clone()), &pos, depth(plies), Wanted::All);
                let shared = AlphaBeta::new(evaluator.clone()).run(&Job {
                    seed: 1,
                    threads: 1 + rng.below(2),
                    shared: Some(&table),
                    ..Job::new(&pos, &moves, depth(plies))
                });
                assert_agree::<G>(&oracle, &shared, "with a shared table");
                if rng.below(2) == 0 {
                    pos.play(shared.lines[0].moves[0]);
                }
            }
        }
    }
    check(&Connect4::default(), &Hashed(Plain), 30, 6);
    check(
        &Connect4::default(),
        &Connect4Evaluator { evaluation: Connect4Evaluation::Threats },
        30,
        6,
    );
    check(&Othello::default(), &Hashed(OthelloEvaluator::default()), 56, 4);
    let stones = TwoEatOneEvaluator::new(two_eat_one::TwoEatOneEvaluation::Stones);
    check(&TwoEatOne::default(), &Hashed(stones), 60, 5);
    check(&TwoEatOne::default(), &stones, 60, 6);
    check(&Othello::default(), &OthelloEvaluator::default(), 56, 4);
    check(&TicTacToe::default(), &Hashed(Plain), 3, 8);
    check(&Nim::new(&[3, 3, 3], false).expect("heaps"), &Hashed(NimEvaluator), 2, 6);
    check(
        &Gomoku::new(6).expect("size"),
        &Hashed(GomokuEvaluator::new(gomoku::GomokuEvaluation::Shapes(BoardEdge::Wall))),
        10,
        2,
    );
}

/// Two snakes move to and fro for thousands of plies: a test's thread, like one of the service, has no
/// stack for that.
#[test]
fn sg_gives_up_a_game_that_lasts_longer_than_it_can_follow() {
    let rules = snake_go::SnakeGoRules {
        size: 4,
        max_round: 4_096,
        growth_rounds: 0,
        ..Default::default()
    };
    let start = SnakeGo::new(rules, &[]);
    let report = run(&Sg { max_states: 100_000 }, &start, depth(1), Wanted::All);
    assert_eq!(report.stopped, bestmove::search::StopReason::Depth);
    assert_eq!(report.lines[0].value, Value::Unknown);
}

#[test]
fn negamax_and_sg_agree_with_minimax_on_every_game() {
    fn check<G: bestmove::game::Acyclic, E: Evaluator<G>>(
        start: &G,
        evaluator: &E,
        longest: usize,
        plies: u32,
        ends: u32,
    ) {
        let mut rng = Rng::new(3);
        for _ in 0..100 {
            let Some(pos) = random_position(start, rng.below(longest + 1), &mut rng) else {
                continue;
            };
            let hashed = Hashed(evaluator.clone());
            let oracle = run(&Minimax::new(hashed.clone()), &pos, depth(plies), Wanted::All);
            let negamax = run(&Negamax::new(hashed), &pos, depth(plies), Wanted::All);
            assert_agree::<G>(&oracle, &negamax, "negamax");
            let Some(pos) = random_position(start, longest, &mut rng) else { continue };
            let oracle = run(&Minimax::new(Plain), &pos, depth(ends), Wanted::All);
            let solved = run(&Sg { max_states: 1_000_000 }, &pos, depth(ends), Wanted::All);
            assert_agree::<G>(&oracle, &solved, "sg");
        }
    }
    check(&TicTacToe::default(), &Plain, 4, 4, 9);
    check(&Nim::new(&[2, 3, 2], true).expect("heaps"), &NimEvaluator, 2, 4, 9);
    check(&Connect4::default(), &Plain, 36, 4, 42);
    check(&Othello::default(), &OthelloEvaluator::default(), 57, 3, 14);
    check(
        &Gomoku::new(5).expect("size"),
        &GomokuEvaluator::new(gomoku::GomokuEvaluation::Shapes(BoardEdge::Wall)),
        20,
        2,
        25,
    );
    let brief = snake_go::SnakeGoRules { size: 4, max_round: 3, ..Default::default() };
    let brief = SnakeGo::new(brief, &[]);
    check(&brief, &SnakeGoEvaluator::new(snake_go::SnakeGoEvaluation::Territory, &brief), 2, 4, 20);
}
