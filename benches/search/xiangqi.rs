//! Xiangqi: perft, and positions with a forced mate or a single best move.

use std::time::{Duration, Instant};

use bestmove::SharedTable;
use bestmove::game::{Evaluator, Game, Rng};
use bestmove::games::xiangqi::{Xiangqi, XiangqiEvaluation, XiangqiEvaluator, XiangqiMove};
use bestmove::notation::{Notation, Settings, StateInput};
use bestmove::search::alphabeta::Selective;
use bestmove::search::{Budget, Wanted};
use serde_json::Value as Json;

use super::{median, run, run_with};

const TACTICS: &str = include_str!("../../tests/data/xiangqi_tactics.json");

/// Positions asked about twice, with and without the table of the one before.
const PLIES_OF_GAME: u32 = 16;

/// Figures of every run; `speed` on the command line runs only the first three.
pub(super) fn figures() {
    perft();
    nodes_per_second();
    for evaluation in [XiangqiEvaluation::Network, XiangqiEvaluation::Hand] {
        time_of_an_evaluation(evaluation);
    }
    if std::env::args().any(|arg| arg == "speed") {
        return;
    }
    let nodes = |nodes| Budget { nodes: Some(nodes), ..Budget::default() };
    tactics("10,000 nodes", &nodes(10_000));
    tactics("100,000 nodes", &nodes(100_000));
    let time = Some(Duration::from_millis(200));
    tactics("200 ms", &Budget { time, ..Budget::default() });
    let budget = Budget { time: Some(Duration::from_secs(1)), ..Budget::default() };
    let report = run(&engine(), &Xiangqi::default(), budget, Wanted::All);
    println!("xiangqi, every first move rated in 1 s: depth {}", report.stats.depth);
    one_ply_later();
}

/// Time of a move on the evaluator's stack and of the evaluation after it, along random games.
fn time_of_an_evaluation(evaluation: XiangqiEvaluation) {
    const GAMES: usize = 500;
    let mut evaluator = XiangqiEvaluator::new(evaluation);
    let mut rng = Rng::new(1);
    let (mut times, mut sum) = (Vec::new(), 0);
    for _ in 0..GAMES {
        let mut line = vec![Xiangqi::default()];
        let mut moves = Vec::new();
        while let pos = line[line.len() - 1]
            && line.len() < 120
            && let Some(mv) = pos.random_move(&mut rng, &mut Vec::new())
        {
            moves.push(mv);
            line.push(pos.after(mv));
        }
        evaluator.enter(&line[0]);
        let begun = Instant::now();
        for (n, &mv) in moves.iter().enumerate() {
            evaluator.push(&line[n], mv, &line[n + 1]);
            sum += evaluator.evaluate(&line[n + 1], line[n + 1].mover());
        }
        times.push(begun.elapsed() / moves.len() as u32);
    }
    println!(
        "xiangqi, a move and its {evaluation:?} evaluation: {:.0?} (sum {sum})",
        median(times)
    );
}

fn to_depth(depth: u32) -> Budget {
    Budget { depth: Some(depth), ..Budget::default() }
}

fn nodes_per_second() {
    let rates = (0..7).map(|_| {
        let report = run(&engine(), &Xiangqi::default(), to_depth(12), Wanted::One);
        (report.stats.time, report.stats.nodes)
    });
    let rates: Vec<_> = rates.collect();
    let time = median(rates.iter().map(|(time, _)| *time).collect());
    let rate = rates[0].1 as f64 / time.as_secs_f64() / 1e3;
    println!("xiangqi from the start to depth 12: {time:.0?}, {rate:.0} k nodes/s");
}

/// Cost of the question after the best move with a table that knows the position before, in total over some
/// plies of a game.
fn one_ply_later() {
    for depth in [8, 10, 12] {
        let mut pos = Xiangqi::default();
        let (mut warm, mut cold) = (0, 0);
        for _ in 0..PLIES_OF_GAME {
            let table = SharedTable::new(1 << 22);
            let report = run_with(&engine(), &pos, to_depth(depth), Wanted::One, Some(&table));
            pos = pos.after(report.lines[0].moves[0]);
            cold += run(&engine(), &pos, to_depth(depth), Wanted::One).stats.nodes;
            let report = run_with(&engine(), &pos, to_depth(depth), Wanted::One, Some(&table));
            warm += report.stats.nodes;
        }
        let share = 100.0 * warm as f64 / cold as f64;
        println!("xiangqi a ply later to depth {depth}: {warm} nodes for {cold}, {share:.0} %");
    }
}

fn engine() -> Selective<XiangqiEvaluator> {
    Selective::new(XiangqiEvaluator::default())
}

fn leaves(pos: &Xiangqi, plies: u32, moves: &mut Vec<XiangqiMove>) -> u64 {
    let start = moves.len();
    pos.moves(moves);
    let end = moves.len();
    let sum = if plies == 1 {
        (end - start) as u64
    } else {
        (start..end).map(|n| leaves(&pos.after(moves[n]), plies - 1, moves)).sum()
    };
    moves.truncate(start);
    sum
}

fn perft() {
    let times = (0..3).map(|_| {
        let begun = Instant::now();
        assert_eq!(leaves(&Xiangqi::default(), 5, &mut Vec::new()), 133_312_995);
        begun.elapsed()
    });
    let rate = 133.313 / median(times.collect()).as_secs_f64();
    println!("xiangqi perft 5: median {rate:.0} M leaves/s");
}

/// Number of positions solved by one of the best moves (for mates: one of the shortest), and of wins kept.
fn tactics(name: &str, budget: &Budget) {
    let data: Json = serde_json::from_str(TACTICS).expect("JSON");
    let settings = Settings::defaults(Xiangqi::facts().options);
    let rows = data["positions"].as_array().expect("positions");
    let (mut solved, mut kept, mut short, mut short_solved, mut nodes) = (0, 0, 0, 0, 0);
    for row in rows {
        let fen = row["fen"].as_str().expect("a FEN");
        let pos = Xiangqi::read(StateInput::Text(fen), &settings).expect("a position");
        // With an empty shared table, as in the service.
        let table = SharedTable::new(1 << 20);
        let report = run_with(&engine(), &pos, budget.clone(), Wanted::One, Some(&table));
        let mv = Json::from(pos.move_text(report.lines[0].moves[0]));
        let listed = |list: &Json| list.as_array().is_some_and(|moves| moves.contains(&mv));
        let best = listed(&row["best_moves"]);
        let is_short = row["mate_in"].as_u64().is_some_and(|moves| moves <= 3);
        solved += u32::from(best);
        kept += u32::from(best || listed(&row["also_mates"]["moves"]));
        short += u32::from(is_short);
        short_solved += u32::from(is_short && best);
        nodes += report.stats.nodes;
    }
    let count = rows.len();
    println!(
        "xiangqi tactics, {name}: {solved} of {count} by a best move, {kept} wins kept; mates in 1 \
         to 3: {short_solved} of {short}; {nodes} nodes"
    );
}
