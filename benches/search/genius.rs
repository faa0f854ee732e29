//! The card duel: random games with all moves listed for every choice, smoothness of its evaluations along
//! them, and depth reached by searches of recorded positions.

use std::io::Read;
use std::time::{Duration, Instant};

use bestmove::game::{Chance, Evaluator, Game, Outcome, Rng, Turn};
use bestmove::games::genius::{Genius, GeniusEvaluation, GeniusEvaluator};
use bestmove::notation::{Notation, Settings, StateInput};
use bestmove::search::alphabeta::{ChanceOptions, McAlphaBeta, Options};
use bestmove::search::{Budget, Wanted};
use serde_json::Value;

const GAMES: u64 = 4_000;
/// Games to compare evaluations along.
const COMPARED: u64 = 1_000;

/// Prints the speed of random games.
pub(super) fn figures() {
    let teams = [["Kaeya", "Diluc", "Sucrose"], ["Fischl", "Collei", "Kaeya"]];
    let core = Genius::core(teams).expect("these are characters");
    played("core", |_| core);
    played("full", Genius::deal);
    smoothness("guessed", GeniusEvaluator { evaluation: GeniusEvaluation::Guessed });
    smoothness("fitted", GeniusEvaluator { evaluation: GeniusEvaluation::Fitted });
    let richest = recorded();
    own_turns(&richest);
    star1(&richest);
}

/// Recorded positions to search, and the time for each.
const SEARCHED: usize = 200;
const TIME: Duration = Duration::from_millis(500);
/// Dice at the beginning of a round.
const DICE: usize = 8;
const CARDS: usize = 5;

/// Positions of recorded games in the action phase, nearest to a full hand of cards and dice.
fn recorded() -> Vec<Genius> {
    let packed: &[u8] = include_bytes!("../../tests/data/gitcg-traces.json.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).expect("gzip");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let settings = Settings::defaults(Genius::facts().options);
    let games = file["games"].as_array().expect("games");
    let mut found = Vec::new();
    for step in games.iter().flat_map(|game| game["steps"].as_array().expect("steps")) {
        let state = &step["state"];
        let turn = state["turn"].as_u64().expect("a seat") as usize;
        let player = &state["players"][turn];
        if state["phase"] != "action" {
            continue;
        }
        let dice = player["dice"].as_object().expect("dice").values();
        let dice: u64 = dice.map(|count| count.as_u64().expect("a count")).sum();
        let cards = player["hand"].as_array().expect("cards").len();
        let Ok(pos) = Genius::read(StateInput::Json(state), &settings) else { continue };
        let off = DICE.abs_diff(dice as usize) + CARDS.abs_diff(cards);
        found.push((off, pos));
    }
    found.sort_by_key(|(off, _)| *off);
    let last = found[SEARCHED - 1].0;
    println!(
        "genius: {SEARCHED} recorded positions, at most {last} off {DICE} dice and {CARDS} cards"
    );
    found.truncate(SEARCHED);
    found.into_iter().map(|(_, pos)| pos).collect()
}

/// Prints the share of searches that reach the end of the mover's turn, if the mover plays by searches of
/// the same kind.
fn own_turns(positions: &[Genius]) {
    let engine = McAlphaBeta::new(GeniusEvaluator::default());
    let budget = |time| Budget { time: Some(time), ..Budget::default() };
    let (mut seen, mut plies, mut depths) = (0, 0, 0);
    for root in positions {
        let report = super::run(&engine, root, budget(TIME), Wanted::One);
        let (mut pos, mut mv, mut own) = (*root, report.lines[0].moves[0], 1);
        loop {
            pos.play(mv);
            if pos.turn() != root.turn() {
                break;
            }
            own += 1;
            mv = super::run(&engine, &pos, budget(TIME / 10), Wanted::One).lines[0].moves[0];
        }
        seen += u32::from(report.stats.depth >= own);
        plies += own;
        depths += report.stats.depth;
    }
    let count = positions.len() as u32;
    println!(
        "genius, mc_alphabeta, {TIME:?}: the completed depth reaches the end of the own turn in {seen} of {count} \
         ({:.1} %); mean depth {:.1}, own turn {:.1} plies",
        100.0 * f64::from(seen) / f64::from(count),
        f64::from(depths) / f64::from(count),
        f64::from(plies) / f64::from(count),
    );
}

/// Prints the share of nodes left with bounds through chance nodes (Star1).
fn star1(positions: &[Genius]) {
    const POSITIONS: usize = 24;
    let nodes = |star1: bool| -> u64 {
        let whole = McAlphaBeta::new(GeniusEvaluator::default());
        let chance_options = ChanceOptions { samples: 4, chance_depth: 0, ..whole.chance_options };
        let options = Options { star1, ..whole.options };
        let engine = McAlphaBeta { options, chance_options, ..whole };
        let budget = Budget { depth: Some(5), ..Budget::default() };
        let step = positions.len() / POSITIONS;
        let each = positions.iter().step_by(step);
        each.map(|pos| super::run(&engine, pos, budget.clone(), Wanted::One).stats.nodes).sum()
    };
    let (with, without) = (nodes(true), nodes(false));
    println!(
        "genius, depth 5, four samples: {with} nodes with Star1, {without} without: {:.2}",
        with as f64 / without as f64
    );
}

/// Value for the first side, in units and as a win probability; `None` at chance nodes.
fn stands(pos: &Genius, evaluator: &mut GeniusEvaluator) -> Option<(f64, f64)> {
    let bound = f64::from(evaluator.bound());
    Some(match pos.turn() {
        Turn::Over(Outcome::Win(side)) => {
            let sign = f64::from(side.sign());
            (sign * bound, 0.5 + 0.5 * sign)
        }
        Turn::Over(_) => (0.0, 0.5),
        Turn::Chance(_) => return None,
        Turn::Of(mover) => {
            let value = f64::from(mover.sign() * evaluator.evaluate(pos, mover));
            (value, evaluator.win_probability(value))
        }
    })
}

/// Prints the change of an evaluation from choice to choice, and to the end of the game.
fn smoothness(name: &str, mut evaluator: GeniusEvaluator) {
    let (mut rng, mut moves) = (Rng::new(2), Vec::new());
    let (mut steps, mut ends) = (Vec::new(), Vec::new());
    for seed in 0..COMPARED {
        let mut pos = Genius::deal_any(seed);
        let mut last = stands(&pos, &mut evaluator);
        while !matches!(pos.turn(), Turn::Over(_)) {
            let mv = match pos.turn() {
                Turn::Chance(luck) => luck.sample(&pos, &mut rng),
                _ => evaluator.playout_move(&pos, &mut rng, &mut moves).expect("there is a move"),
            };
            pos.play(mv);
            let Some(now) = stands(&pos, &mut evaluator) else { continue };
            if let Some(last) = last.replace(now) {
                let change = ((now.0 - last.0).abs(), (now.1 - last.1).abs());
                let is_end = matches!(pos.turn(), Turn::Over(_));
                (if is_end { &mut ends } else { &mut steps }).push(change);
            }
        }
    }
    for (what, changes) in [("a choice", steps), ("the end", ends)] {
        let (units, odds): (Vec<_>, Vec<_>) = changes.into_iter().unzip();
        let (units, odds) = (quantiles(units), quantiles(odds));
        println!(
            "genius, {name} evaluation: {what} changes it by {:.2} / {:.2} / {:.2} hit points, by {:.1} / {:.1} \
             / {:.1} % of a win (quantiles of 50 / 95 / 99 %)",
            units[0] / 100.0,
            units[1] / 100.0,
            units[2] / 100.0,
            100.0 * odds[0],
            100.0 * odds[1],
            100.0 * odds[2],
        );
    }
}

fn quantiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [0.5, 0.95, 0.99].map(|share| values[(share * (values.len() - 1) as f64) as usize])
}

fn played(profile: &str, start: impl Fn(u64) -> Genius) {
    let (mut rng, mut moves) = (Rng::new(1), Vec::new());
    let (mut chosen, mut fallen) = (0_u64, 0_u64);
    let begun = Instant::now();
    for seed in 0..GAMES {
        let mut pos = start(seed);
        loop {
            match pos.turn() {
                Turn::Over(_) => break,
                Turn::Chance(luck) => {
                    pos.play(luck.sample(&pos, &mut rng));
                    fallen += 1;
                }
                Turn::Of(_) => {
                    let mv = pos.random_move(&mut rng, &mut moves);
                    pos.play(mv.expect("who is to act has a move"));
                    chosen += 1;
                }
            }
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let rate = |count: u64| count as f64 / seconds / 1e6;
    println!(
        "genius, {profile}: {:.2} M choices/s, listed and played, and {:.2} M dice/s beside them; \
         {:.0} games/s, {} choices a game",
        rate(chosen),
        rate(fallen),
        GAMES as f64 / seconds,
        chosen / GAMES
    );
}
