//! Pig, solved by value iteration through the contract of a game alone.

use std::collections::HashMap;

use bestmove::game::{Chance, Game, Outcome, Plain, Side, Turn};
use bestmove::search::alphabeta::AlphaBeta;
use bestmove::search::{Value, Wanted};
use serde_json::Value as Json;

use crate::support::pig::{Act, Pig};
use crate::support::{data, depth, run};
use crate::{list, number, value_of, whole};

/// Kind of a state: a result, a choice or a chance event, with the numbers of its successors.
enum Kind {
    Over(f64),
    Choice(Side, Vec<usize>),
    Event(Vec<(usize, f64)>),
}

/// Win probability of the first side, for every state reachable from some starts, by hash.
fn solve<G: Game>(starts: Vec<G>) -> HashMap<u64, f64> {
    let mut numbers: HashMap<u64, usize> = HashMap::new();
    let mut states: Vec<G> = Vec::new();
    let mut number = |pos: G, states: &mut Vec<G>| {
        *numbers.entry(pos.hash()).or_insert_with(|| {
            states.push(pos);
            states.len() - 1
        })
    };
    for start in starts {
        number(start, &mut states);
    }
    let mut kinds = Vec::new();
    while let Some(pos) = states.get(kinds.len()).cloned() {
        kinds.push(match pos.turn() {
            Turn::Over(Outcome::Win(side)) => Kind::Over(f64::from(u8::from(side == Side::First))),
            Turn::Over(_) => Kind::Over(0.5),
            Turn::Of(mover) => {
                let after = pos.legal_moves().into_iter();
                let after = after.map(|mv| number(pos.after(mv), &mut states)).collect();
                Kind::Choice(mover, after)
            }
            Turn::Chance(event) => {
                let mut outcomes = Vec::new();
                event.outcomes(&pos, &mut outcomes);
                let after =
                    outcomes.into_iter().map(|(mv, p)| (number(pos.after(mv), &mut states), p));
                Kind::Event(after.collect())
            }
        });
    }
    let values = iterate(&kinds);
    states.iter().map(G::hash).zip(values).collect()
}

fn iterate(kinds: &[Kind]) -> Vec<f64> {
    let mut values = vec![0.5; kinds.len()];
    loop {
        let mut change: f64 = 0.0;
        // Backwards: successors were numbered later.
        for (n, kind) in kinds.iter().enumerate().rev() {
            let value = match kind {
                Kind::Over(value) => *value,
                Kind::Choice(Side::First, after) => {
                    after.iter().map(|&next| values[next]).fold(0.0, f64::max)
                }
                Kind::Choice(Side::Second, after) => {
                    after.iter().map(|&next| values[next]).fold(1.0, f64::min)
                }
                Kind::Event(after) => after.iter().map(|&(next, p)| p * values[next]).sum(),
            };
            change = change.max((value - values[n]).abs());
            values[n] = value;
        }
        if change < 1e-13 {
            return values;
        }
    }
}

/// The recorded position, the first side to move.
fn position(row: &Json) -> Pig {
    let at = |name: &str| whole(&row[name]) as u8;
    Pig { banked: [at("me"), at("opp")], total: at("turn"), ..Pig::new(at("target")) }
}

#[test]
fn value_iteration_over_the_contract_solves_pig_as_recorded() {
    let data = data("pig_values.json");
    let rows = list(&data["positions"]);
    let values = solve(rows.iter().map(position).collect());
    for row in rows {
        let pos = position(row);
        let value = |pos: Pig| values[&pos.hash()];
        let acts = [("roll", value(pos.after(Act::Roll))), ("hold", value(pos.after(Act::Hold)))];
        for (name, value) in acts.into_iter().chain([("value", value(pos))]) {
            let difference = (value - number(&row[name])).abs();
            assert!(difference < 1e-9, "{name}: {value} in {row}");
        }
        let best = if acts[0].1 > acts[1].1 { "roll" } else { "hold" };
        let tie = (acts[0].1 - acts[1].1).abs() < 1e-9;
        assert!(tie || row["best"] == best, "{best} in {row}");
    }
    for (target, recorded) in data["meta"]["initial"].as_object().expect("values by target") {
        let start = Pig::new(target.parse().expect("a target"));
        let difference = (values[&start.hash()] - number(recorded)).abs();
        assert!(difference < 1e-6, "the start of {target}");
    }
}

/// The expected result for the first side, +1 or -1, with an even result beyond `depth` moves.
fn looked_ahead(pos: &Pig, depth: u32, known: &mut HashMap<(u64, u32), f64>) -> f64 {
    if let Some(&value) = known.get(&(pos.hash(), depth)) {
        return value;
    }
    let value = match pos.turn() {
        Turn::Over(Outcome::Win(side)) => f64::from(side.sign()),
        Turn::Over(_) => 0.0,
        Turn::Chance(event) => {
            let mut outcomes = Vec::new();
            event.outcomes(pos, &mut outcomes);
            let values = outcomes.into_iter();
            values.map(|(mv, p)| p * looked_ahead(&pos.after(mv), depth, known)).sum()
        }
        Turn::Of(_) if depth == 0 => 0.0,
        Turn::Of(mover) => {
            let values: Vec<_> = pos
                .legal_moves()
                .into_iter()
                .map(|mv| looked_ahead(&pos.after(mv), depth - 1, known))
                .collect();
            let sign = f64::from(mover.sign());
            sign * values.into_iter().map(|value| sign * value).fold(-1.0, f64::max)
        }
    };
    known.insert((pos.hash(), depth), value);
    value
}

#[test]
fn expectiminimax_is_value_iteration_cut_off_at_a_depth() {
    let data = data("pig_values.json");
    let engine = AlphaBeta::new(Plain);
    let mut known = HashMap::new();
    let rows = list(&data["positions"]).iter().filter(|row| whole(&row["target"]) == 10);
    for (n, row) in rows.enumerate() {
        let pos = position(row);
        let plies = 1 + n as u32 % 5;
        let report = run(&engine, &pos, depth(plies), Wanted::All);
        for mv in [Act::Roll, Act::Hold] {
            let ours = match value_of::<Pig>(&report, mv) {
                Value::Win(_) => 1.0,
                Value::Loss(_) => -1.0,
                Value::Heuristic(value) => value / 1e9,
                Value::Payoff(value) => f64::from(value) / 1e9,
                other => panic!("{other:?}"),
            };
            let expected = looked_ahead(&pos.after(mv), plies - 1, &mut known);
            assert!((ours - expected).abs() < 1e-6, "{mv:?} at {plies}: {ours}, {expected}, {row}");
        }
    }
}

#[test]
fn expectiminimax_plays_pig_rightly_where_the_end_is_near() {
    // Both sides need little: play beyond eight moves hardly counts.
    let data = data("pig_values.json");
    let engine = AlphaBeta::new(Plain);
    let mut checked = 0;
    for row in list(&data["positions"]) {
        let pos = position(row);
        let gap = (number(&row["roll"]) - number(&row["hold"])).abs();
        if whole(&row["target"]) != 10 || gap < 0.05 {
            continue;
        }
        let report = run(&engine, &pos, depth(7), Wanted::One);
        let best = if row["best"] == "roll" { Act::Roll } else { Act::Hold };
        assert_eq!(report.lines[0].moves[0], best, "{row}");
        checked += 1;
    }
    assert!(checked > 20, "{checked} clear rows");
}
