//! Search benchmarks: `cargo bench --bench search`. Single-threaded; other load on the machine shows, so
//! read the ratios and shares, or run it twice. `-- --opening` solves the earliest positions of connect
//! four, which takes long. `-- --swap2` searches for even openings of gomoku. `-- --genius`, `-- --gomoku`,
//! `-- --othello`, `-- --snake` and `-- --xiangqi` run the part of that game only, and `-- --ffo FILE
//! [--from 1] [--to 59] [--limit-s 30]` solves an FFO endgame suite: JSON with `positions`, each with `no`,
//! `board`, `side`, `empties`, `score` and the `best` moves.

#[path = "search/genius.rs"]
mod genius;
#[path = "search/gomoku.rs"]
mod gomoku;
#[path = "search/gomoku_swap2.rs"]
mod gomoku_swap2;
#[path = "search/othello.rs"]
mod othello;
#[path = "search/xiangqi.rs"]
mod xiangqi;

use std::time::{Duration, Instant};

use bestmove::game::{Evaluator, Game, Perfect, Rng, Side};
use bestmove::games::connect4::{Connect4, Connect4Evaluation, Connect4Evaluator};
use bestmove::games::gomoku::{self as gomoku_game, BoardEdge, Gomoku, GomokuEvaluator};
use bestmove::games::nim::Nim;
use bestmove::games::snake_go::{self, Op, SnakeGo, SnakeGoEvaluator};
use bestmove::search::alphabeta::{AlphaBeta, Options, TableUse};
use bestmove::search::sg::Sg;
use bestmove::search::tree_search::{TreeOptions, TreeSearch};
use bestmove::search::{Algorithm, Budget, Job, Observer, Report, SharedMemory, Value, Wanted};
use serde_json::Value as Json;

const POSITIONS: &str = include_str!("../tests/data/connect4_positions.json");
const CELLS: u32 = 42;

fn main() {
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    if let Some(file) = argument("--ffo") {
        let number = |name: &str, default: u64| {
            let given = argument(name);
            given.map_or(default, |text| text.parse().expect("a whole number"))
        };
        let limit = Duration::from_secs(number("--limit-s", 30));
        return othello::ffo(&file, [number("--from", 1), number("--to", 59)], limit);
    }
    if std::env::args().any(|arg| arg == "--othello") {
        return othello::figures();
    }
    let positions: Json = serde_json::from_str(POSITIONS).expect("the file is JSON");
    let positions = positions["positions"].as_array().expect("positions").clone();
    if std::env::args().any(|arg| arg == "--opening") {
        return opening(&positions);
    }
    if std::env::args().any(|arg| arg == "--xiangqi") {
        return xiangqi::figures();
    }
    if std::env::args().any(|arg| arg == "--gomoku") {
        return gomoku::figures();
    }
    if std::env::args().any(|arg| arg == "--swap2") {
        return gomoku_swap2::openings();
    }
    if std::env::args().any(|arg| arg == "--snake") {
        return snake_go();
    }
    if std::env::args().any(|arg| arg == "--genius") {
        return genius::figures();
    }
    perft();
    solve_nim();
    nodes_per_second();
    playouts_per_second();
    exact(&positions);
    kept(&positions);
    othello::figures();
    xiangqi::figures();
    snake_go();
    genius::figures();
}

/// Command-line word after this one.
fn argument(name: &str) -> Option<String> {
    let mut args = std::env::args();
    args.find(|arg| arg == name)?;
    args.next()
}

fn run<G: Game>(
    method: &impl Algorithm<G>,
    root: &G,
    budget: Budget,
    wanted: Wanted,
) -> Report<G::Move> {
    run_with(method, root, budget, wanted, None)
}

fn run_with<G: Game>(
    method: &impl Algorithm<G>,
    root: &G,
    budget: Budget,
    wanted: Wanted,
    shared: Option<&dyn SharedMemory>,
) -> Report<G::Move> {
    run_watched(method, root, budget, wanted, shared, &|_| ())
}

fn run_watched<G: Game>(
    method: &impl Algorithm<G>,
    root: &G,
    budget: Budget,
    wanted: Wanted,
    shared: Option<&dyn SharedMemory>,
    observer: &Observer<'_, G::Move>,
) -> Report<G::Move> {
    method.run(&Job {
        wanted,
        seed: 1,
        shared,
        observer: Some(observer),
        ..Job::new(root, &root.legal_moves(), budget)
    })
}

fn leaves<G: Game>(pos: &G, plies: u32, moves: &mut Vec<G::Move>) -> u64 {
    if plies == 0 {
        return 1;
    }
    let start = moves.len();
    pos.moves(moves);
    let mut sum = 0;
    for n in start..moves.len() {
        sum += leaves(&pos.after(moves[n]), plies - 1, moves);
    }
    moves.truncate(start);
    sum
}

fn perft() {
    let begun = Instant::now();
    let count = leaves(&Connect4::default(), 9, &mut Vec::new());
    assert_eq!(count, 39_394_572);
    println!(
        "connect4 perft 9: {:.0} M leaves/s",
        count as f64 / begun.elapsed().as_secs_f64() / 1e6
    );
}

fn solve_nim() {
    let root = Nim::new(&[1, 3, 5, 7], false).expect("four heaps");
    let times: Vec<_> = (0..101)
        .map(|_| {
            let begun = Instant::now();
            run(&Sg { max_states: 1_000_000 }, &root, Budget::default(), Wanted::All);
            begun.elapsed()
        })
        .collect();
    println!("sg on nim 1;3;5;7: median {:?}", median(times));
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn rate<G: Game<Info = Perfect>, E: Evaluator<G>>(name: &str, evaluator: E, root: &G) {
    let engine = AlphaBeta {
        evaluator,
        options: Options { table: TableUse::Private, table_mib: 64, ..Options::default() },
    };
    // The depth is a horizon, so that no exact solver is asked.
    let time = Some(Duration::from_secs(2));
    let budget = Budget { time, depth: Some(40), ..Budget::default() };
    let report = run(&engine, root, budget, Wanted::One);
    let rate = report.stats.nodes as f64 / report.stats.time.as_secs_f64() / 1e6;
    println!("alphabeta on {name}: {rate:.2} M nodes/s, depth {} in 2 s", report.stats.depth);
}

fn nodes_per_second() {
    rate(
        "connect4",
        Connect4Evaluator { evaluation: Connect4Evaluation::Threats },
        &Connect4::default(),
    );
    let mut pos = Gomoku::new(15).expect("a size in range");
    for (x, y) in [(7, 7), (8, 8), (7, 8)] {
        pos.play(bestmove::games::gomoku::Point { x, y });
    }
    rate(
        "gomoku",
        GomokuEvaluator::new(gomoku_game::GomokuEvaluation::Shapes(BoardEdge::Wall)),
        &pos,
    );
}

fn playouts_per_second() {
    let uct = TreeSearch {
        evaluator: Connect4Evaluator { evaluation: Connect4Evaluation::None },
        options: TreeOptions::uct(),
    };
    let budget = Budget { simulations: Some(200_000), ..Budget::default() };
    let times =
        (0..7).map(|_| run(&uct, &Connect4::default(), budget.clone(), Wanted::One).stats.time);
    let time = median(times.collect());
    println!("uct on connect4: {:.2} M playouts/s over 200,000", 0.2 / time.as_secs_f64());
}

fn position(row: &Json) -> Connect4 {
    let mut pos = Connect4::default();
    for mark in row["moves"].as_str().expect("moves").bytes() {
        pos.play(mark - b'1');
    }
    pos
}

/// Score of a value in the file's convention: the winner's stones left over plus one.
fn file_score(pos: &Connect4, value: Value) -> i64 {
    let left = |plies: u32| i64::from((CELLS - pos.stones() - plies) / 2 + 1);
    match value {
        Value::Win(plies) => left(plies),
        Value::Loss(plies) => -left(plies),
        Value::Draw => 0,
        other => panic!("{other:?} is not solved"),
    }
}

fn exact(positions: &[Json]) {
    let engine = AlphaBeta {
        evaluator: Connect4Evaluator { evaluation: Connect4Evaluation::None },
        options: Options { table: TableUse::Private, table_mib: 64, ..Options::default() },
    };
    for (from, wanted, what) in [
        (8, Wanted::One, "the position"),
        (14, Wanted::One, "the position"),
        (14, Wanted::All, "every move"),
        (18, Wanted::One, "the position"),
        (18, Wanted::All, "every move"),
    ] {
        let rows = positions.iter().filter(|row| row["ply"].as_u64() >= Some(from));
        let (mut right, mut count, mut time) = (0, 0, Duration::ZERO);
        for row in rows {
            let pos = position(row);
            let budget = Budget { depth: Some(CELLS), ..Budget::default() };
            let report = run(&engine, &pos, budget, wanted);
            time += report.stats.time;
            count += 1;
            let of_move = |column: u8| row["move_scores"][usize::from(column)].as_i64();
            // With one move wanted, values of the others are not guaranteed.
            let rated = report.lines.iter().take(wanted.of(report.lines.len()));
            let all_right = rated
                .map(|line| (file_score(&pos, line.value), of_move(line.moves[0])))
                .all(|(found, known)| Some(found) == known);
            let best = file_score(&pos, report.lines[0].value);
            right += u32::from(all_right && row["score"].as_i64() == Some(best));
        }
        let mean = time.as_secs_f64() * 1e3 / f64::from(count);
        println!(
            "exact connect4, {what}, plies >= {from}: {right} of {count} right, mean {mean:.2} ms"
        );
    }
}

/// `-- --opening`: positions with fewer than eight stones, the latest first. The empty board comes last,
/// and takes longest.
fn opening(positions: &[Json]) {
    let options = Options { table: TableUse::Private, table_mib: 256, ..Options::default() };
    let engine = AlphaBeta {
        evaluator: Connect4Evaluator { evaluation: Connect4Evaluation::None },
        options,
    };
    for row in positions.iter().rev().filter(|row| row["ply"].as_u64() < Some(8)) {
        let pos = position(row);
        let budget = Budget { depth: Some(CELLS), ..Budget::default() };
        let report = run(&engine, &pos, budget, Wanted::One);
        let found = file_score(&pos, report.lines[0].value);
        let verdict = if row["score"] == found { "right" } else { "WRONG" };
        println!("{} score {found} {verdict} {:.1?}", row["moves"], report.stats.time);
    }
}

fn kept(positions: &[Json]) {
    let uct = TreeSearch {
        evaluator: Connect4Evaluator { evaluation: Connect4Evaluation::None },
        options: TreeOptions::uct(),
    };
    let (mut kept, mut count) = (0, 0);
    for row in positions {
        let ply = row["ply"].as_u64().expect("a ply");
        if !(8..=20).contains(&ply) || row["win_in_one"] == true {
            continue;
        }
        let budget = Budget { simulations: Some(10_000), ..Budget::default() };
        let report = run(&uct, &position(row), budget, Wanted::All);
        let column = usize::from(report.lines[0].moves[0]);
        let after = row["move_scores"][column].as_i64().expect("a legal move has a score");
        kept += u32::from(after.signum() == row["score"].as_i64().expect("a score").signum());
        count += 1;
    }
    println!(
        "uct, 10,000 simulations, plies 8 to 20: the result is kept in {kept} of {count} ({:.0} %)",
        100.0 * f64::from(kept) / f64::from(count)
    );
}

/// Complete halves of Snake Go with items from the start, and the evaluation of their positions.
fn snake_go() {
    let mut keeper =
        SnakeGoEvaluator::new(snake_go::SnakeGoEvaluation::Territory, &snake_go_start(1));
    snake_go_halves("random", SnakeGo::random_move);
    snake_go_halves("expert", |pos, rng, moves| keeper.playout_move(pos, rng, moves));
    let (mut rng, mut moves, mut met) = (Rng::new(1), Vec::new(), Vec::new());
    for seed in 1..=20 {
        let mut pos = snake_go_start(seed);
        while let Some(op) = keeper.playout_move(&pos, &mut rng, &mut moves) {
            met.push(pos);
            pos.play(op);
        }
    }
    let begun = Instant::now();
    let sum: i64 = met.iter().map(|pos| i64::from(keeper.evaluate(pos, Side::First))).sum();
    let each = begun.elapsed().as_secs_f64() * 1e9 / met.len() as f64;
    let mean = sum / met.len() as i64;
    println!("snake_go: {each:.0} ns an evaluation, of {} positions (mean {mean})", met.len());
    rate("snake_go", keeper, &snake_go_start(1));
}

fn snake_go_start(seed: u64) -> SnakeGo {
    let rules = snake_go::SnakeGoRules::default();
    SnakeGo::new(rules, &snake_go::generate(seed, rules.size, rules.max_round))
}

fn snake_go_halves(style: &str, choose: impl Fn(&SnakeGo, &mut Rng, &mut Vec<Op>) -> Option<Op>) {
    const HALVES: u64 = 5_000;
    let (mut rng, mut moves, mut ops) = (Rng::new(1), Vec::new(), 0_u64);
    let starts: Vec<_> = (1..=50).map(snake_go_start).collect();
    let begun = Instant::now();
    for mut pos in starts.iter().copied().cycle().take(HALVES as usize) {
        while let Some(op) = choose(&pos, &mut rng, &mut moves) {
            pos.play(op);
            ops += 1;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "snake_go, {style} playouts: {:.1} M operations/s, {:.0} halves/s of {} operations",
        ops as f64 / seconds / 1e6,
        HALVES as f64 / seconds,
        ops / HALVES
    );
}
