mod notation;

use serde_json::{Value, json};

use super::shapes::{LineCell, evaluation};
use super::{BoardEdge, Foul, Gomoku, GomokuEvaluation, GomokuEvaluator, GomokuRules, Point};
use crate::notation::laws::{
    check_bounds, check_notation, check_refused, check_same_game, check_same_game_from,
};
use crate::notation::{FaultKind, Notation, Served, Settings, StateInput, take_options};
use engine::game::laws::{check_evaluator, check_fitted, check_game};
use engine::game::{Evaluator, Game, Outcome, Rng, Side, Turn};

fn empty(size: u8) -> Gomoku {
    Gomoku::new(size).expect("a size in range")
}

fn settings() -> Settings {
    Settings::defaults(Gomoku::facts().options)
}

/// The position after these moves on a board of 15 points a side.
fn played(moves: &[&str]) -> Gomoku {
    played_by("freestyle", moves)
}

fn candidates(pos: &Gomoku) -> (Vec<String>, bool) {
    let mut moves = Vec::new();
    let complete = GomokuEvaluator::new(GomokuEvaluation::Shapes(BoardEdge::Wall)).candidates(
        pos,
        pos.mover(),
        &mut moves,
    );
    let mut names: Vec<_> = moves.into_iter().map(|mv| pos.move_text(mv)).collect();
    names.sort();
    (names, complete)
}

#[test]
fn gomoku_keeps_the_laws() {
    for (stones, ratio) in [("played", 1.0), ("board", 0.0), ("played", 100.0)] {
        let by = with_options(&json!({
            "size": 6, "evaluation": "seed", "stones": stones, "ratio": ratio
        }));
        let start = Gomoku::read(StateInput::Start, &by).expect("a start");
        check_game(&start, 8, 4);
        check_evaluator(&start, &start.evaluator(&by), 2, 9, 4);
    }
    for edge in [BoardEdge::Wall, BoardEdge::Empty] {
        check_evaluator(&empty(5), &GomokuEvaluator::new(GomokuEvaluation::Shapes(edge)), 2, 1, 12);
        check_evaluator(&empty(20), &GomokuEvaluator::new(GomokuEvaluation::Shapes(edge)), 1, 2, 1);
    }
    for rules in [GomokuRules::Standard, GomokuRules::Renju, GomokuRules::Caro] {
        check_game(&Gomoku::by_rules(15, rules).expect("a size"), 7, 1);
    }
    let patterns = GomokuEvaluator::new(GomokuEvaluation::Patterns);
    for (rules, size, depth, games) in [
        (GomokuRules::Freestyle, 6, 4, 8),
        (GomokuRules::Freestyle, 9, 2, 4),
        (GomokuRules::Standard, 7, 3, 4),
        (GomokuRules::Renju, 15, 1, 1),
        (GomokuRules::Caro, 7, 3, 3),
    ] {
        let start = Gomoku::by_rules(size, rules).expect("a size");
        check_evaluator(&start, &patterns, depth, 3, games);
    }
    check_fitted(&empty(15), &patterns, 5, 2);
    check_game(&empty(5), 3, 20);
    check_game(&empty(15), 4, 2);
    check_notation(&empty(6), &settings(), 5, 8);
    check_notation(&empty(20), &settings(), 6, 1);
}

#[test]
fn no_evaluation_is_beyond_its_bound() {
    check_bounds::<Gomoku>(1);
}

#[test]
fn a_state_read_back_is_the_same_game() {
    check_same_game::<Gomoku>(1);
    // One stone short of six in a line, which wins by some rules, and of five blocked at both ends.
    let (six, shut) = ("xx.xxx...oo.ooo", "oxx.xxo.xoo.oox");
    let rows: Vec<_> = [six, shut, six, shut, six].iter().flat_map(|row| [row, GAP, GAP]).collect();
    let text = rows.join("/");
    let starts = ["freestyle", "standard", "renju", "caro"].map(|rules| {
        let by = by_rules(rules);
        (Gomoku::read(StateInput::Text(&text), &by).expect("a board"), by)
    });
    check_same_game_from(&starts, 2, Gomoku::hash);
}

#[test]
fn who_has_won_on_a_board_is_seen_from_all_its_stones() {
    let winner = |rules, row: &str, rest: &str| {
        let rows: Vec<_> = [row, rest].into_iter().chain([GAP; 13]).collect();
        Gomoku::read(StateInput::Text(&rows.join("/")), &by_rules(rules)).expect("a board").turn()
    };
    let (black, open) = (Turn::Over(Outcome::Win(Side::First)), Turn::Of(Side::Second));
    let six = ("xxxxxx.........", "o.o.o.o.o......");
    for (rules, (row, rest), wanted) in [
        ("freestyle", six, black),
        ("standard", six, open),
        ("caro", six, black),
        ("standard", (".xxxxx.x.......", six.1), black),
        ("caro", (".xxxxx.x.......", six.1), black),
        ("caro", ("..oxxxxxo......", "o.o............"), open),
        ("standard", ("..oxxxxxo......", "o.o............"), black),
    ] {
        assert_eq!(winner(rules, row, rest), wanted, "{rules}: {row}");
    }
}

/// A rank of fifteen empty points.
const GAP: &str = "...............";

/// The settings with this set of rules.
fn by_rules(rules: &str) -> Settings {
    with_options(&json!({ "rules": rules }))
}

/// Rules by which the stones `x` on a rank win for each side once the stone at `X` is played; `o` is
/// the opponent's, `|` the left edge.
#[test]
fn what_wins_is_a_matter_of_the_rules() {
    use GomokuRules::{Caro, Freestyle, Renju, Standard};
    let (black, white) = (Side::First, Side::Second);
    let cases: [(&str, &[GomokuRules], &[GomokuRules]); 8] = [
        ("..xxXx..", &[], &[]),
        ("..xxXxx..", &[Freestyle, Standard, Renju, Caro], &[Freestyle, Standard, Renju, Caro]),
        (".oxxXxx..", &[Freestyle, Standard, Renju, Caro], &[Freestyle, Standard, Renju, Caro]),
        (".oxxXxxo.", &[Freestyle, Standard, Renju], &[Freestyle, Standard, Renju]),
        (".oxxXxx.o", &[Freestyle, Standard, Renju, Caro], &[Freestyle, Standard, Renju, Caro]),
        ("|xxXxxo.", &[Freestyle, Standard, Renju, Caro], &[Freestyle, Standard, Renju, Caro]),
        ("..xxXxxx..", &[Freestyle, Caro], &[Freestyle, Renju, Caro]),
        (".oxxxXxxxo", &[Freestyle, Caro], &[Freestyle, Renju, Caro]),
    ];
    for (marks, by_black, by_white) in cases {
        for (side, winning) in [(black, by_black), (white, by_white)] {
            for rules in [Freestyle, Standard, Renju, Caro] {
                let mut pos = Gomoku::by_rules(15, rules).expect("a size");
                let from = u8::from(!marks.starts_with('|'));
                let mut last = None;
                for (x, mark) in (from..).zip(marks.trim_start_matches('|').chars()) {
                    let at = Point { x, y: 7 };
                    match mark {
                        'x' => drop(pos.put(side, at)),
                        'o' => drop(pos.put(side.other(), at)),
                        'X' => last = Some(at),
                        _ => {}
                    }
                }
                let won = pos.put(side, last.expect("a stone to play"));
                assert_eq!(won, winning.contains(&rules), "{side:?} by {rules:?}: {marks}");
            }
        }
    }
}

#[test]
fn a_forbidden_point_is_refused_with_its_name_and_reason() {
    let mut options = json!({ "rules": "renju" }).as_object().expect("an object").clone();
    let renju = take_options(Gomoku::facts().options, &mut options).expect("known options");
    // Threes on the rank and on the file meet in h8.
    let state = json!({ "moves": ["g8", "a1", "i8", "c1", "h7", "a3", "h9", "c3", "h8"] });
    let fault = Gomoku::read(StateInput::Json(&state), &renju).expect_err("two threes");
    let wanted = "h8 is forbidden to black: it makes two threes at once";
    assert!(fault.detail.contains(wanted), "{fault}");
    assert_eq!(fault.pointer, "/moves/8", "{fault}");
    let state = json!({ "moves": ["g8", "a1", "i8", "c1", "h7", "a3", "h9", "c3", [7, 7]] });
    let fault = Gomoku::read(StateInput::Json(&state), &renju).expect_err("two threes");
    assert!(fault.detail.contains(wanted), "{fault}");
    let small = json!({ "size": 13 });
    let fault = Gomoku::read(StateInput::Json(&small), &renju).expect_err("too small");
    assert!(fault.detail.contains("15 points a side"), "{fault}");
}

/// The position after these moves by other rules, on 15 points a side.
fn played_by(rules: &str, moves: &[&str]) -> Gomoku {
    let mut options = json!({ "rules": rules }).as_object().expect("an object").clone();
    let settings = take_options(Gomoku::facts().options, &mut options).expect("known options");
    Gomoku::read(StateInput::Json(&json!({ "moves": moves })), &settings).expect("legal moves")
}

/// An engine for renju was reported to hang here: White has a four, and the point that stops it is a
/// forbidden double three for Black.
#[test]
fn a_point_that_is_forbidden_stops_no_four() {
    let moves = ["h8", "g6", "f6", "g5", "f7", "g4", "h7", "g3", "g2", "a1"];
    let block = Point { x: 6, y: 6 };
    let pos = played_by("renju", &moves);
    assert_eq!(pos.foul(block), Some(Foul::DoubleThree));
    let (names, _) = candidates(&pos);
    assert!(!names.is_empty() && !names.contains(&"g7".into()), "{names:?}");
    assert_eq!(candidates(&played_by("freestyle", &moves)), (vec!["g7".into()], true));
    assert_eq!(pos.with_mover(Side::Second).foul(block), None);
}

/// By caro rules a five blocked at both ends does not win: a four can be stopped at other points than
/// those of the five.
#[test]
fn a_four_may_be_stopped_at_its_end_by_the_rules_of_caro() {
    let moves = ["d8", "a1", "e8", "c8", "f8", "a3", "g8"];
    let mut pos = played_by("caro", &moves);
    assert!(!candidates(&pos).1, "White has more than h8");
    pos.play(Point { x: 8, y: 7 });
    pos.play(Point { x: 7, y: 7 });
    assert!(matches!(pos.turn(), Turn::Of(Side::Second)), "a five between c8 and i8");
    assert_eq!(candidates(&played_by("freestyle", &moves)), (vec!["h8".into()], true));
}

#[test]
fn boards_have_five_to_twenty_points_a_side() {
    for size in [0, 4, 21, 255] {
        assert_eq!(Gomoku::new(size), None);
    }
    for size in 5..=20 {
        assert_eq!(empty(size).points().count(), usize::from(size).pow(2));
    }
}

/// The result after Black has played the points of a line in order, and White elsewhere.
fn line(points: &[(u8, u8)]) -> Turn<std::convert::Infallible> {
    let mut pos = empty(15);
    let on_line = |point: &Point| points.contains(&(point.x, point.y));
    let mut white = pos.points().filter(|point| !on_line(point)).step_by(7);
    for (n, &(x, y)) in points.iter().enumerate() {
        pos.play(Point { x, y });
        if n + 1 < points.len() {
            pos.play(white.next().expect("enough points"));
        }
    }
    pos.turn()
}

#[test]
fn five_or_more_in_each_direction_win() {
    let won = Turn::Over(Outcome::Win(Side::First));
    for (dx, dy) in [(0_i8, 1_i8), (1, 0), (1, 1), (-1, 1)] {
        let at = |n: i8| ((7 + n * dx) as u8, (7 + n * dy) as u8);
        assert_eq!(line(&[-2, -1, 0, 2, 1].map(at)), won, "five along {dx} {dy}");
        assert_eq!(line(&[-3, -2, -1, 1, 2, 0].map(at)), won, "six along {dx} {dy}");
        assert_eq!(line(&[-2, -1, 0, 1].map(at)), Turn::Of(Side::Second), "four along {dx} {dy}");
        assert_eq!(line(&[-2, -1, 0, 2, 3].map(at)), Turn::Of(Side::Second), "a gap {dx} {dy}");
    }
}

#[test]
fn a_line_does_not_run_around_the_edge() {
    let across = [(12, 3), (13, 3), (14, 3), (0, 4), (1, 4)];
    assert_eq!(line(&across), Turn::Of(Side::Second));
}

#[test]
fn five_are_seen_wherever_they_lie() {
    // Against a count from the other end: runs along every line of the board.
    let mut rng = Rng::new(6);
    for _ in 0..60 {
        let mut pos = empty(7);
        while let Turn::Of(mover) = pos.turn() {
            let mv = pos.random_move(&mut rng, &mut Vec::new()).expect("a point is empty");
            pos.play(mv);
            let five = [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(dx, dy): (i32, i32)| {
                pos.points().any(|from| {
                    (0..5).all(|n| {
                        let (x, y) = (i32::from(from.x) + n * dx, i32::from(from.y) + n * dy);
                        let on = (0..7).contains(&x) && (0..7).contains(&y);
                        on && pos.stone(Point { x: x as u8, y: y as u8 }) == Some(mover)
                    })
                })
            });
            assert_eq!(pos.turn() == Turn::Over(Outcome::Win(mover)), five, "{:?}", pos.text());
        }
    }
}

#[test]
fn a_full_board_without_five_is_a_draw() {
    let rows = ["xxoox", "ooxxo", "xxoox", "ooxxo", "xxoox"];
    let board = json!({ "board": rows });
    let pos = Gomoku::read(StateInput::Json(&board), &settings()).expect("counts agree");
    assert_eq!(pos.turn(), Turn::Over(Outcome::Draw));
}

#[test]
fn the_first_move_goes_to_the_centre() {
    assert_eq!(candidates(&empty(15)), (vec!["h8".to_owned()], false));
    assert_eq!(candidates(&empty(10)), (vec!["f6".to_owned()], false));
}

#[test]
fn candidates_are_the_points_next_to_a_stone() {
    let (near, complete) = candidates(&played(&["h8"]));
    assert_eq!(near, ["g7", "g8", "g9", "h7", "h9", "i7", "i8", "i9"]);
    assert!(!complete, "a better move may lie elsewhere");
    assert_eq!(candidates(&played(&["a1"])).0, ["a2", "b1", "b2"]);
}

#[test]
fn a_five_is_taken_and_the_opponents_five_is_stopped() {
    let fours = ["h8", "a1", "i8", "b1", "j8", "c1", "k8"];
    // White has no five and must stop one of black's two.
    assert_eq!(candidates(&played(&fours)), (vec!["g8".into(), "l8".into()], true));
    // Black completes five regardless of White's threats.
    let both = [&fours[..], &["d1"]].concat();
    let (own, complete) = candidates(&played(&both));
    assert!(complete && own.len() == 1 && ["g8", "l8"].contains(&&own[0][..]), "{own:?}");
}

#[test]
fn the_value_of_a_position_does_not_depend_on_the_order_of_moves() {
    let value = |moves: &[&str]| {
        let pos = played(moves);
        GomokuEvaluator::new(GomokuEvaluation::Shapes(BoardEdge::Wall)).evaluate(&pos, pos.mover())
    };
    assert_eq!(value(&["h8", "a1", "h9", "c5"]), value(&["h9", "c5", "h8", "a1"]));
}

/// The settings with these options.
fn with_options(options: &Value) -> Settings {
    let mut options = options.as_object().expect("an object").clone();
    take_options(Gomoku::facts().options, &mut options).expect("known options")
}

/// Against the sum over stones in the order played, which `tests/truth/gomoku.rs` holds against values of the
/// published program.
#[test]
fn stones_count_in_the_order_played_if_asked() {
    let by =
        |stones: &str| with_options(&json!({ "evaluation": "seed", "stones": stones, "size": 9 }));
    let value = |pos: &Gomoku| pos.evaluator(&by("played")).evaluate(pos, pos.mover());
    let mut rng = Rng::new(11);
    let (mut seen, mut differing) = (0, 0);
    for _ in 0..300 {
        let [mut pos, mut plain] = ["played", "board"]
            .map(|way| Gomoku::read(StateInput::Start, &by(way)).expect("start"));
        let mut stones = [Vec::new(), Vec::new()];
        while let Turn::Of(mover) = pos.turn()
            && pos.stones() < 30
        {
            let (own, enemy) = (&stones[mover.index()], &stones[mover.other().index()]);
            let wanted = evaluation(own, enemy, |_| LineCell::Empty);
            assert_eq!(f64::from(value(&pos)), wanted, "{:?}", pos.text());
            let again = pos.text().expect("rows");
            let again = Gomoku::read(StateInput::Text(&again), &by("played")).expect("rows");
            assert_eq!(value(&again), value(&pos));
            seen += 1;
            differing += i32::from(value(&plain) != value(&pos));
            let at = pos.random_move(&mut rng, &mut Vec::new()).expect("an empty point");
            stones[mover.index()].push(at);
            pos.play(at);
            plain.play(at);
        }
    }
    assert!(seen > 5_000 && differing > 50, "{differing} of {seen} depend on the order");
}

#[test]
fn the_order_of_stones_belongs_to_the_position_only_where_it_counts() {
    let [one, other] = [["h8", "a1", "h9", "c5"], ["h9", "c5", "h8", "a1"]];
    let hash = |moves: [&str; 4], stones: &str| {
        let state = json!({ "moves": moves });
        let settings = with_options(&json!({ "stones": stones }));
        Gomoku::read(StateInput::Json(&state), &settings).expect("legal moves").hash()
    };
    assert_eq!(hash(one, "board"), hash(other, "board"));
    assert_ne!(hash(one, "played"), hash(other, "played"));
}

#[test]
fn the_weight_of_defence_counts_the_opponents_shapes() {
    // Three of White's stones in a row, open: 5000; Black has none.
    let pos = played(&["a1", "h8", "c1", "h9", "o15", "h10"]);
    let value = |ratio: f64| {
        let settings = with_options(&json!({ "evaluation": "seed", "ratio": ratio }));
        pos.evaluator(&settings).evaluate(&pos, Side::First)
    };
    assert_eq!([0.0, 1.0, 2.0, 10.0].map(value), [0, -500, -1_000, -5_000]);
}

#[test]
fn the_edge_blocks_a_four_or_does_not_as_was_asked() {
    let mut pos = empty(15);
    for y in 4..8 {
        pos.put(Side::First, Point { x: 0, y });
    }
    let along: Vec<_> = (0..4).map(|x| Point { x, y: 0 }).collect();
    let mut low = empty(15);
    for &point in &along {
        low.put(Side::First, point);
    }
    let value = |edge, pos: &Gomoku| {
        GomokuEvaluator::new(GomokuEvaluation::Shapes(edge)).evaluate(pos, Side::First)
    };
    assert_eq!((value(BoardEdge::Empty, &low), value(BoardEdge::Wall, &low)), (50_000, 5_000));
    assert_eq!((value(BoardEdge::Empty, &pos), value(BoardEdge::Wall, &pos)), (50_000, 50_000));
}

#[test]
fn seeds_have_small_preferences_of_their_own() {
    let pos = played(&["h8", "i9", "h9"]);
    let value = |seed| {
        let mut evaluator = GomokuEvaluator::new(GomokuEvaluation::Patterns);
        assert_eq!(evaluator.randomize(seed), seed != 0);
        evaluator.enter(&pos);
        assert_eq!(evaluator.evaluate(&pos, pos.mover()), evaluator.evaluate(&pos, pos.mover()));
        evaluator.evaluate(&pos, pos.mover())
    };
    let values: std::collections::BTreeSet<_> = (1..20).map(value).collect();
    assert!(values.len() > 2, "{values:?}");
    assert!(values.iter().all(|other| (other - value(0)).abs() <= 4), "{values:?}");
}
