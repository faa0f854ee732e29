//! The complete table of two eat one, against counts and values computed elsewhere.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use bestmove::game::{Game, Indexed, Outcome, Turn};
use bestmove::games::two_eat_one::{TwoEatOne, TwoEatOneEvaluation, TwoEatOneEvaluator};
use bestmove::notation::{Notation, Settings, StateInput};
use bestmove::search::alphabeta::AlphaBeta;
use bestmove::search::depth_study::{Census, DepthRow, StateSpace};
use bestmove::search::tablebase::{Lookup, TableValue, Tablebase};
use bestmove::search::textbook::minimax::Minimax;
use bestmove::search::{Budget, Value, Wanted};

use crate::support::{data, depth, random_position, run};
use crate::{list, whole};

static TABLE: LazyLock<Arc<Tablebase<TwoEatOne>>> = LazyLock::new(|| Arc::new(Tablebase::build()));

/// The position with this code; black is to move.
fn coded(code: i64) -> TwoEatOne {
    let settings = Settings::defaults(TwoEatOne::facts().options);
    let text = code.to_string();
    TwoEatOne::read(StateInput::Text(&text), &settings).expect("a position")
}

/// Every reachable position, once for both sides to move.
fn reachable() -> Vec<TwoEatOne> {
    let start = TwoEatOne::default();
    let mut seen = vec![false; TwoEatOne::STATES];
    seen[start.index()] = true;
    let mut all = vec![start];
    let mut next = 0;
    while let Some(pos) = all.get(next).copied() {
        for mv in pos.legal_moves() {
            let after = pos.after(mv);
            if !std::mem::replace(&mut seen[after.index()], true) {
                all.push(after);
            }
        }
        next += 1;
    }
    all
}

/// Verdict on any position, finished ones included.
fn verdict(pos: &TwoEatOne) -> TableValue {
    match pos.turn() {
        Turn::Over(_) => TableValue::Loss(0),
        Turn::Of(_) => TABLE.verdict(pos),
    }
}

/// Can four stones not beat three? They mostly do: wins, draws and losses of the side to move by the stones of both
/// sides (docs/seeds.md).
#[test]
fn four_stones_beat_three() {
    let mut counts = BTreeMap::new();
    for pos in reachable() {
        let Turn::Of(mover) = pos.turn() else { continue };
        let stones = [mover, mover.other()].map(|side| pos.stones(side).count_ones());
        let [wins, draws, losses] = counts.entry(stones).or_insert([0, 0, 0]);
        *match verdict(&pos) {
            TableValue::Win(_) => wins,
            TableValue::Draw => draws,
            TableValue::Loss(_) => losses,
        } += 1;
    }
    assert_eq!(counts[&[4, 3]], [374_416, 18_020, 3_784], "four against three");
    assert_eq!(counts[&[3, 4]], [44_480, 70_240, 283_192], "three against four");
}

#[test]
fn the_published_counts_come_out() {
    let all = reachable();
    let (mut wins, mut losses, mut draws) = (0, 0, 0);
    let (mut longest_win, mut longest_loss) = (Vec::new(), 0);
    let (mut over, mut blocked) = (0, 0);
    for pos in &all {
        match verdict(pos) {
            TableValue::Draw => draws += 1,
            TableValue::Win(plies) => {
                wins += 1;
                assert!(plies <= 53, "{:?} takes {plies} plies", pos.text());
                if plies == 53 {
                    longest_win.push(pos.code());
                }
            }
            TableValue::Loss(plies) => {
                losses += 1;
                longest_loss = longest_loss.max(plies);
                over += u32::from(matches!(pos.turn(), Turn::Over(_)));
                blocked += u32::from(plies == 0 && matches!(pos.turn(), Turn::Of(_)));
            }
        }
    }
    assert_eq!((all.len(), wins, losses, draws), (2_188_959, 1_152_375, 653_308, 383_276));
    assert_eq!((over, blocked, longest_loss), (15_465, 218, 54));
    longest_win.sort_unstable();
    let known = [
        2_482_476, 10_460_490, 12_232_086, 12_584_196, 17_727_926, 19_149_476, 36_851_050,
        36_864_076,
    ];
    assert_eq!(longest_win, known);
    assert_eq!(TABLE.verdict(&TwoEatOne::default()), TableValue::Draw);
}

#[test]
fn counts_by_material_come_out() {
    let mut found = std::collections::BTreeMap::new();
    for pos in reachable() {
        let counts = [pos.mover(), pos.mover().other()].map(|side| pos.stones(side).count_ones());
        let [total, wins, losses, draws] = found.entry(counts).or_insert([0_u32; 4]);
        *total += 1;
        match verdict(&pos) {
            TableValue::Win(_) => *wins += 1,
            TableValue::Loss(_) => *losses += 1,
            TableValue::Draw => *draws += 1,
        }
    }
    let known = [
        ([0, 3], [20, 0, 20, 0]),
        ([0, 4], [157, 0, 157, 0]),
        ([1, 2], [288, 0, 288, 0]),
        ([1, 3], [2_808, 0, 2_808, 0]),
        ([1, 4], [12_192, 0, 12_192, 0]),
        ([2, 2], [10_528, 2_456, 430, 7_642]),
        ([2, 3], [43_576, 240, 36_944, 6_392]),
        ([2, 4], [119_556, 0, 119_380, 176]),
        ([3, 2], [41_568, 40_944, 4, 620]),
        ([3, 3], [159_320, 80_132, 27_004, 52_184]),
        ([3, 4], [397_912, 44_480, 283_192, 70_240]),
        ([4, 2], [112_990, 112_990, 0, 0]),
        ([4, 3], [396_220, 374_416, 3_784, 18_020]),
        ([4, 4], [891_824, 496_717, 167_105, 228_002]),
    ];
    assert!(found.into_iter().eq(known));
}

#[test]
fn every_recorded_state_has_its_value_and_distance() {
    let data = data("two_eat_one_values.json");
    let rows = list(&data["data"]);
    assert_eq!(rows.len(), 619);
    for row in rows {
        let [code, value, plies] = [0, 1, 2].map(|n| whole(&row[n]));
        let known = match value {
            1 => TableValue::Win(plies as u8),
            -1 => TableValue::Loss(plies as u8),
            _ => TableValue::Draw,
        };
        assert_eq!(verdict(&coded(code)), known, "state {code}");
    }
}

#[test]
fn the_hard_positions_are_solved() {
    use TableValue::{Draw, Loss, Win};
    let known = [
        (611, Win(19)),
        (637, Loss(26)),
        (1_835, Loss(32)),
        (1_852, Loss(28)),
        (615, Win(23)),
        (2_773, Win(27)),
        (4_094, Draw),
        (16_640, Win(43)),
        (90_326, Win(39)),
        (32_610, Win(37)),
        (368_538, Win(37)),
    ];
    for (code, verdict) in known {
        assert_eq!(TABLE.verdict(&coded(code)), verdict, "state {code}");
    }
}

#[test]
fn every_won_state_tried_is_won_in_as_many_plies_as_the_table_says() {
    let lookup = Lookup(Arc::clone(&TABLE));
    let longest = reachable().into_iter().filter(|pos| verdict(pos) == TableValue::Win(53));
    for start in longest {
        let (mut pos, mut seen) = (start, Vec::new());
        for played in 0..53 {
            assert!(!seen.contains(&pos), "a circle after {played} plies from {}", start.code());
            seen.push(pos);
            let report = run(&lookup, &pos, depth(1), Wanted::All);
            assert_eq!(report.lines.len(), pos.legal_moves().len(), "every move is rated");
            let left = 53 - played;
            let value = if played % 2 == 0 { Value::Win(left) } else { Value::Loss(left) };
            assert_eq!(report.lines[0].value, value, "after {played} plies from {}", start.code());
            assert!(report.lines.iter().all(|line| line.exact));
            pos.play(report.lines[0].moves[0]);
        }
        let won = Turn::Over(Outcome::Win(start.mover()));
        assert_eq!(pos.standing(), won, "from {}", start.code());
    }
}

/// Equality does not cut at the root, but does below it; and a move cut off never joins the best.
#[test]
fn the_moves_that_tie_for_best_are_those_of_the_unpruned_search() {
    let mut rng = bestmove::game::Rng::new(8);
    let (mut checked, mut ties) = (0, 0);
    while checked < 3_000 {
        let plies = rng.below(60);
        let Some(pos) = random_position(&TwoEatOne::default(), plies, &mut rng) else { continue };
        for evaluation in [TwoEatOneEvaluation::Stones, TwoEatOneEvaluation::None] {
            let evaluator = TwoEatOneEvaluator::new(evaluation);
            let depth = depth(1 + checked % 4);
            let plain = run(&Minimax::new(evaluator), &pos, depth.clone(), Wanted::All);
            let engine = run(&AlphaBeta::new(evaluator), &pos, depth, Wanted::All);
            let best = |report: &bestmove::search::Report<_>| {
                let tied = report.lines[..report.best_ties].iter();
                let mut codes: Vec<_> =
                    tied.map(|line| TwoEatOne::move_code(line.moves[0])).collect();
                codes.sort_unstable();
                codes
            };
            assert_eq!(best(&engine), best(&plain), "{:?}", pos.text());
            ties += u32::from(plain.best_ties > 1);
        }
        checked += 1;
    }
    assert!(ties > 1_000, "ties are frequent: {ties}");
}

/// A stopped search knows the value of its best move, not that none is better; and it plays no move known
/// to lose while another is unknown.
#[test]
fn what_is_called_exact_is_exact_wherever_a_search_is_stopped() {
    let mut rng = bestmove::game::Rng::new(9);
    let (mut checked, mut exact, mut lost) = (0, 0, 0);
    while checked < 1_500 {
        let plies = rng.below(60);
        let Some(pos) = random_position(&TwoEatOne::default(), plies, &mut rng) else { continue };
        for nodes in [5, 20, 60, 200, 800] {
            let budget = Budget { nodes: Some(nodes), ..Budget::default() };
            let evaluator = TwoEatOneEvaluator::new(TwoEatOneEvaluation::Stones);
            let report = run(&AlphaBeta::new(evaluator), &pos, budget, Wanted::One);
            let best = &report.lines[0];
            let known = match best.value {
                Value::Win(plies) => TableValue::Win(plies as u8),
                Value::Loss(plies) => TableValue::Loss(plies as u8),
                _ => TableValue::Draw,
            };
            if best.exact {
                assert_eq!(known, TABLE.verdict(&pos), "{:?} after {nodes} nodes", pos.text());
                exact += 1;
            }
            let loses = |value| matches!(value, Value::Loss(_));
            let all_lose = report.lines.iter().all(|line| loses(line.value));
            assert!(!loses(best.value) || all_lose, "{:?} after {nodes} nodes", pos.text());
            lost += u32::from(loses(best.value));
        }
        checked += 1;
    }
    assert!(exact > 200 && lost > 50, "{exact} exact, {lost} lost");
}

/// Rows of a file written by another program: errors of searches of each depth that evaluate by stones
/// (`dist`) or not at all (`zero`).
fn recorded_rows(variant: &str) -> Vec<DepthRow> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/two_eat_one_depth_dist_zero.txt");
    let text = std::fs::read_to_string(path).expect("the recorded rows");
    let part = text.split("== variant ").find(|part| part.starts_with(variant));
    let lines = part.expect("the variant").lines().filter(|line| line.starts_with("depth"));
    let row = |line: &str| {
        let words: Vec<_> =
            line.split([' ', ',', '(', ')', '=']).filter(|w| !w.is_empty()).collect();
        let after = |name: &str| words.iter().position(|word| *word == name).map(|n| words[n + 1]);
        let number =
            |word: Option<&str>| word.and_then(|word| word.parse().ok()).expect("a number");
        let ties: Vec<_> = words.iter().enumerate().filter(|(_, w)| **w == "tie").collect();
        let count = |n: usize| number(Some(words[ties[n].0 + 1]));
        DepthRow {
            depth: number(after("depth")) as u32,
            blunders: count(0),
            first_blunders: count(1),
            mislabelled: number(after("mislabelled")),
            // The word `first` stands before `tie` too.
            safe: [words[words.len() - 5], words[words.len() - 2]].map(|word| word == "True"),
        }
    };
    lines.map(row).collect()
}

/// Rows of the file in `docs` about an evaluation.
fn documented_rows(name: &str) -> Vec<DepthRow> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/two-eat-one-depth.json");
    let text = std::fs::read_to_string(path).expect("the study");
    let study: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let all = list(&study["evaluations"]);
    let found = all.iter().find(|found| found["evaluation"] == name).expect("the evaluation");
    let row = |row: &serde_json::Value| {
        let number = |name: &str| whole(&row[name]) as u64;
        DepthRow {
            depth: number("depth") as u32,
            blunders: number("blunders"),
            first_blunders: number("first_blunders"),
            mislabelled: number("mislabelled"),
            safe: ["safe_first", "safe_second"].map(|seat| row[seat] == true),
        }
    };
    list(&found["rows"]).iter().map(row).collect()
}

#[test]
fn the_study_of_depths_says_what_another_program_found() {
    let space = StateSpace::new(TwoEatOne::default(), &TABLE);
    let census = Census { states: 2_188_959, wins: 1_152_375, losses: 653_308, draws: 383_276 };
    assert_eq!(space.census(), census);
    for (evaluation, variant, name) in [
        (TwoEatOneEvaluation::Stones, "dist", "stones"),
        (TwoEatOneEvaluation::None, "zero", "none"),
    ] {
        let recorded = recorded_rows(variant);
        assert_eq!(recorded.len(), 54);
        // All depths take half a minute; those kept in the documentation were computed once.
        assert_eq!(space.rows(&TwoEatOneEvaluator::new(evaluation), 6), recorded[..6]);
        assert_eq!(documented_rows(name), recorded);
    }
}
