//! The original evaluation of gomoku, against values of the program it was published with; the forbidden
//! points of renju, against boards on which two programs and a judge agree.

use bestmove::game::{Evaluator, Game, Side};
use bestmove::games::gomoku::shapes::{LineCell, evaluation};
use bestmove::games::gomoku::{Foul, Gomoku, GomokuRules, Point};
use bestmove::notation::{Notation, Served, StateInput, take_options};
use serde_json::{Value as Json, json};

use crate::support::data;
use crate::{list, number, whole, word};

const SIZE: i8 = 15;

fn stones(json: &Json) -> Vec<Point> {
    let at = |n: &Json| whole(n) as u8;
    list(json).iter().map(|pair| Point { x: at(&pair[0]), y: at(&pair[1]) }).collect()
}

/// The evaluation with empty points beyond the edge, and with a wall there.
fn evaluations(own: &[Point], enemy: &[Point]) -> (f64, f64) {
    let wall = |(x, y): (i8, i8)| {
        let on = 0..SIZE;
        if on.contains(&x) && on.contains(&y) { LineCell::Empty } else { LineCell::Wall }
    };
    (evaluation(own, enemy, |_| LineCell::Empty), evaluation(own, enemy, wall))
}

#[test]
fn the_evaluation_is_the_one_recorded() {
    let data = data("gomoku_eval.json");
    assert_eq!(list(&data).len(), 120);
    for row in list(&data) {
        let (own, enemy) = (stones(&row["me"]), stones(&row["opp"]));
        let recorded = (number(&row["eval"]), number(&row["eval_edge15"]));
        assert_eq!(evaluations(&own, &enemy), recorded, "{row}");
    }
}

/// Positions of the record that are games in turn, with whoever is to move as `me`: played as moves, the whole
/// evaluator says what the program said.
#[test]
fn games_played_have_the_recorded_value() {
    let mut options = json!({ "evaluation": "seed", "stones": "played" });
    let options = options.as_object_mut().expect("an object");
    let settings = take_options(Gomoku::facts().options, options).expect("known options");
    let mut seen = 0;
    for row in list(&data("gomoku_eval.json")) {
        let (own, enemy) = (stones(&row["me"]), stones(&row["opp"]));
        let won = row["me_five"] == true || row["opp_five"] == true;
        let (black, white) = if own.len() == enemy.len() { (own, enemy) } else { (enemy, own) };
        if won || !(0..=1).contains(&(black.len() as i32 - white.len() as i32)) {
            continue;
        }
        let mut pos = Gomoku::read(StateInput::Start, &settings).expect("a start");
        for n in 0..black.len() {
            black.get(n).into_iter().chain(white.get(n)).for_each(|&at| pos.play(at));
        }
        let value = pos.evaluator(&settings).evaluate(&pos, pos.mover());
        assert_eq!(f64::from(value), number(&row["eval"]), "{row}");
        seen += 1;
    }
    assert!(seen >= 10, "{seen} games");
}

#[test]
fn fives_are_where_they_are_recorded() {
    let data = data("gomoku_eval.json");
    for row in list(&data) {
        for (side, stones_of, five) in
            [(Side::First, "me", "me_five"), (Side::Second, "opp", "opp_five")]
        {
            let mut pos = Gomoku::new(SIZE as u8).expect("in range");
            let mut found = false;
            for point in stones(&row[stones_of]) {
                found |= pos.put(side, point);
            }
            assert_eq!(Some(found), row[five].as_bool(), "{five} of {row}");
        }
    }
}

/// Own stones `x` and enemy stones `o` on the eighth rank, from the given file on, left to right.
fn on_a_rank(marks: &str, from: u8) -> (Vec<Point>, Vec<Point>) {
    let stones = |wanted| {
        let found = (from..).zip(marks.chars()).filter(|(_, mark)| *mark == wanted);
        found.map(|(x, _)| Point { x, y: 7 }).collect()
    };
    (stones('x'), stones('o'))
}

#[test]
fn each_shape_has_its_worth() {
    for (marks, worth) in [
        ("x", 0.0),
        ("xx", 50.0),
        ("xxx", 5_000.0),
        ("oxxx", 500.0),
        ("xxxo", 500.0),
        ("x.xx", 5_000.0),
        ("xx.x", 5_000.0),
        ("xxxx", 50_000.0),
        ("oxxxx", 5_000.0),
        ("xx.xx", 5_000.0),
        ("xxxxx", 99_999_999.0),
        ("xxxxxx", 1_199_999_988.0),
    ] {
        let (own, enemy) = on_a_rank(marks, 5);
        let (seed, edge) = evaluations(&own, &enemy);
        assert_eq!((seed, edge), (worth, worth), "{marks}");
    }
}

#[test]
fn a_four_on_the_edge_is_open_only_where_the_edge_is_no_wall() {
    let (own, _) = on_a_rank("xxxx", 0);
    assert_eq!(evaluations(&own, &[]), (50_000.0, 5_000.0));
}

#[test]
fn shapes_that_cross_count_again_for_the_point_they_share() {
    let points =
        |pairs: &[(u8, u8)]| -> Vec<Point> { pairs.iter().map(|&(x, y)| Point { x, y }).collect() };
    let threes = points(&[(7, 7), (8, 7), (9, 7), (7, 8), (7, 9)]);
    assert_eq!(evaluations(&threes, &[]).0, 30_150.0);
    let (own, enemy) = (points(&[(7, 7), (8, 8), (6, 8)]), points(&[(7, 8), (6, 7)]));
    assert_eq!(evaluations(&own, &enemy).0, 195.0, "200 less a tenth of 50");
    assert_eq!(evaluations(&enemy, &own).0, 30.0, "50 less a tenth of 200");
}

/// Points forbidden to Black by this foul, by name in alphabetical order.
fn fouls(pos: &Gomoku, wanted: Foul) -> Vec<String> {
    let empty = pos.points().filter(|&at| pos.stone(at).is_none());
    let mut names: Vec<_> = empty
        .filter(|&at| pos.foul(at) == Some(wanted))
        .map(|at| format!("{}{}", char::from(b'a' + at.x), at.y + 1))
        .collect();
    names.sort();
    names
}

#[test]
fn the_forbidden_points_of_renju_are_those_recorded() {
    let data = data("renju_forbidden.json");
    let rows = list(&data["positions"]);
    assert_eq!(rows.len(), 75);
    for row in rows {
        let mut pos = Gomoku::by_rules(15, GomokuRules::Renju).expect("a size for renju");
        for (rank, text) in (0..15).rev().zip(list(&row["board"])) {
            for (file, mark) in (0..15).zip(text.as_str().expect("a row").chars()) {
                match mark {
                    'x' => pos.put(Side::First, Point { x: file, y: rank }),
                    'o' => pos.put(Side::Second, Point { x: file, y: rank }),
                    _ => false,
                };
            }
        }
        let kinds =
            [("33", Foul::DoubleThree), ("44", Foul::DoubleFour), ("overline", Foul::Overline)];
        let mut forbidden = 0;
        for (kind, foul) in kinds {
            let mut names: Vec<_> = list(&row["forbidden"][kind]).iter().map(word).collect();
            names.sort();
            assert_eq!(fouls(&pos, foul), names, "{kind}: {row}");
            forbidden += names.len();
        }
        let mut legal = pos.legal_moves();
        assert_eq!(legal.len(), 225 - usize::from(pos.stones()) - forbidden, "{row}");
        legal.clear();
        pos.with_mover(Side::Second).moves(&mut legal);
        assert_eq!(legal.len(), 225 - usize::from(pos.stones()), "White may play anywhere: {row}");
    }
}
