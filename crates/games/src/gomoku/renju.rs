//! Renju: the forbidden points of Black.
// CITE: the rules of the Renju International Federation of 1996, article 9, and its recursion for threes.

use super::rules::{DIRECTIONS, Gomoku, Point};
use engine::game::Side;

/// Reason for a forbidden point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foul {
    /// Six or more in a line.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two threes at once, each able to become a straight four.
    DoubleThree,
}

/// Maximum distance of two points of the same five.
const REACH: i8 = 4;
const FIVE: usize = 5;

type LineDirection = (i8, i8);

/// Reason why an empty point is forbidden to Black, if any. Five in a line is never forbidden.
pub(super) fn foul(board: &Gomoku, at: Point) -> Option<Foul> {
    if has_few_near(board, at) { None } else { foul_among(board, at) }
}

/// True if Black has too few stones near for a foul: a three takes two further stones of its line, and two fours or six of
/// one line take four.
fn has_few_near(board: &Gomoku, at: Point) -> bool {
    let near = DIRECTIONS.map(|direction| {
        let stones = (-REACH..=REACH).filter(|&n| board.has(Side::First, at.step(direction, n)));
        stones.count()
    });
    near.iter().filter(|&&stones| stones >= 2).count() < 2 && near.iter().all(|&stones| stones < 4)
}

fn foul_among(board: &Gomoku, at: Point) -> Option<Foul> {
    let with = played(board, at);
    let runs = DIRECTIONS.map(|direction| with.run(Side::First, at, direction));
    if runs.contains(&FIVE) {
        return None;
    }
    if runs.iter().any(|&run| run > FIVE) {
        return Some(Foul::Overline);
    }
    let fours = DIRECTIONS.map(|direction| fours(&with, at, direction));
    if fours.iter().sum::<usize>() >= 2 {
        return Some(Foul::DoubleFour);
    }
    let threes = DIRECTIONS.into_iter().zip(fours).filter(|&(direction, fours)| {
        fours == 0 && empty_near(&with, at, direction).any(|q| is_three(&with, at, direction, q))
    });
    (threes.count() >= 2).then_some(Foul::DoubleThree)
}

fn played(board: &Gomoku, at: Point) -> Gomoku {
    let mut with = *board;
    with.put(Side::First, at);
    with
}

/// The empty points of a line near a stone.
fn empty_near(
    board: &Gomoku,
    at: Point,
    direction: LineDirection,
) -> impl Iterator<Item = Point> + use<> {
    let board = *board;
    (-REACH..=REACH).filter_map(move |n| board.empty_at(at.step(direction, n)))
}

/// The points that complete exactly five with this stone in a line.
fn fives(
    board: &Gomoku,
    at: Point,
    direction: LineDirection,
) -> impl Iterator<Item = Point> + use<> {
    let with = *board;
    empty_near(board, at, direction)
        .filter(move |&q| played(&with, q).run(Side::First, at, direction) == FIVE)
}

/// Number of fours of a stone in a line: a straight four counts once, though two points complete
/// it.
fn fours(board: &Gomoku, at: Point, direction: LineDirection) -> usize {
    match fives(board, at, direction).count() {
        2 if is_straight(board, at, direction) => 1,
        fours => fours,
    }
}

/// True if four unbroken stones can become five at both ends.
fn is_straight(board: &Gomoku, at: Point, direction: LineDirection) -> bool {
    board.run(Side::First, at, direction) == FIVE - 1 && fives(board, at, direction).count() == 2
}

/// True if Black can make a straight four from this stone and the point `q`, without making five.
fn is_three(board: &Gomoku, at: Point, direction: LineDirection, q: Point) -> bool {
    let with = played(board, q);
    is_straight(&with, at, direction)
        && !with.makes_five(Side::First, q)
        && foul(board, q).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::GomokuRules;
    use engine::game::Rng;

    #[test]
    fn a_point_with_few_stones_near_is_never_forbidden() {
        let mut rng = Rng::new(1);
        let (mut far, mut fouls) = (0, 0);
        for game in 0..400 {
            let mut board = Gomoku::by_rules(15, GomokuRules::Renju).expect("a size");
            // Stones close together, many of them black: fouls are frequent.
            for _ in 0..20 + game % 40 {
                let at = Point { x: 4 + rng.below(8) as u8, y: 4 + rng.below(8) as u8 };
                let side = if rng.below(3) == 0 { Side::Second } else { Side::First };
                if board.stone(at).is_none() && !board.makes_five(side, at) {
                    board.put(side, at);
                }
            }
            for at in board.points().filter(|&at| board.stone(at).is_none()) {
                let foul = foul_among(&board, at);
                assert!(foul.is_none() || !has_few_near(&board, at), "{foul:?} at {at:?}");
                far += usize::from(has_few_near(&board, at));
                fouls += usize::from(foul.is_some());
            }
        }
        assert!(far > 10_000 && fouls > 500, "{far} {fouls}");
    }
}
