//! Boards read from diagrams: who is to move, and whether the position can come up.

use super::notation::empty;
use super::rules::{DIRECTIONS, Gomoku, GomokuRules, Point};
use crate::notation::board::Written;
use crate::notation::{Fault, Notation};
use engine::game::Side;

/// The position of a diagram. `course` is the order of its stones, where that counts: `None` where it does not,
/// and empty where it is not known, so that the stones count by rank from the bottom.
pub(super) fn from_board(
    written: &Written,
    rules: GomokuRules,
    course: Option<&[Point]>,
) -> Result<Gomoku, Fault> {
    let size = written.rows.len();
    let in_board = |fault| written.at("board", fault);
    let board = empty(size as i64, rules).map_err(in_board)?;
    if let Some(index) = written.rows.iter().position(|row| row.len() != size) {
        let (row, cells) = (index + 1, written.rows[index].len());
        let why = format!("row {row} has {cells} points; a board of {size} rows has {size}");
        return Err(in_board(Fault::shape(why)));
    }
    let stone = |at: Point| written.rows[size - 1 - usize::from(at.y)][usize::from(at.x)];
    let stones: Vec<_> = board.points().filter_map(|at| Some((stone(at)?, at))).collect();
    let pos = match course {
        None => board.with_stones(&stones),
        Some([]) => board.keeping_order().with_stones(&stones),
        Some(course) => {
            let ordered = in_order(&stones, course).map_err(|fault| written.at("order", fault))?;
            board.keeping_order().with_stones(&ordered)
        }
    };
    let mover = mover_of(written).map_err(in_board)?;
    check_ended(&pos, mover).and_then(|()| check_allowed(&pos)).map_err(in_board)?;
    if written.mover.is_some_and(|named| named != mover) {
        let right = Gomoku::side_name(mover);
        let why = format!("by the number of stones it is {right}'s turn");
        return Err(written.at("turn", Fault::position(why)));
    }
    Ok(pos.with_mover(mover))
}

/// The stones in the order of a course, in which black and white alternate.
fn in_order(stones: &[(Side, Point)], course: &[Point]) -> Result<Vec<(Side, Point)>, Fault> {
    let sides = Side::BOTH.into_iter().cycle();
    let ordered: Vec<_> = sides.zip(course.iter().copied()).collect();
    let is_complete = ordered.len() == stones.len();
    if is_complete && stones.iter().all(|stone| ordered.contains(stone)) {
        return Ok(ordered);
    }
    Err(Fault::position(format!(
        "the order names {} points for {} stones; expected each stone of the board once, black and white in \
         turn",
        course.len(),
        stones.len()
    )))
}

/// Side to move by the number of stones.
fn mover_of(written: &Written) -> Result<Side, Fault> {
    let count = |side| written.rows.iter().flatten().filter(|cell| **cell == Some(side)).count();
    let (black, white) = (count(Side::First), count(Side::Second));
    match black.checked_sub(white) {
        Some(0) => Ok(Side::First),
        Some(1) => Ok(Side::Second),
        _ => Err(Fault::position(format!(
            "{black} black and {white} white stones; black moves first, so there are as many black \
             as white, or one more"
        ))),
    }
}

/// Names a winning line.
pub(super) fn has_five(pos: &Gomoku, side: Side, at: Point) -> String {
    format!("{} has five in a line through {}", Gomoku::side_name(side), pos.move_text(at))
}

/// Rejects positions with moves after a win.
fn check_ended(pos: &Gomoku, mover: Side) -> Result<(), Fault> {
    match (pos.five_of(mover), pos.five_of(mover.other())) {
        (Some(at), Some(other)) => Err(Fault::position(format!(
            "both sides have five in a line, through {} and {}",
            pos.move_text(at),
            pos.move_text(other)
        ))),
        (Some(at), None) => {
            let five = has_five(pos, mover, at);
            Err(Fault::position(format!("{five}, and yet the other side has moved since")))
        }
        _ => Ok(()),
    }
}

/// Rejects renju positions with a black line of six or more, unless the last stone also made five.
fn check_allowed(pos: &Gomoku) -> Result<(), Fault> {
    let black = Side::First;
    let in_overline = |at: &Point| {
        pos.stone(*at) == Some(black) && DIRECTIONS.iter().any(|&d| pos.run(black, *at, d) > 5)
    };
    let long: Vec<_> = pos.points().filter(in_overline).collect();
    match long.first() {
        Some(&at) if pos.restricts(black) && !long.iter().any(|&at| pos.makes_five(black, at)) => {
            Err(Fault::position(format!(
                "black has six or more in a line through {}, which renju forbids",
                pos.move_text(at)
            )))
        }
        _ => Ok(()),
    }
}
