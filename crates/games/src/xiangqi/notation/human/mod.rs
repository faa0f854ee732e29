//! Moves as players write them: the piece, its file, its way and how far. Each side counts the files from its own
//! right.
//!
//! - `chinese`: 炮二平五, after the standard for programs: 中国象棋电脑应用规范(二)：着法表示, section 4, 2006,
//!   <https://www.xqbase.com/protocol/cchess_move.htm>. Like it, and like the program `cchess`, Black's numbers are
//!   full-width digits. It tells soldiers on two files by one count over both (一兵 to 五兵); that is read, but written
//!   is the form with the file that books use, 前兵九平八, which needs no counting.
//! - `wxf`: C2=5, after the notation of the Asian and World Xiangqi Federations,
//!   <http://www.wxf.org/xq/computer/wxf_notation.html>. It has a point for a level move; `=` is more usual.

mod read;
#[cfg(test)]
mod tests;
mod write;

pub(super) use read::{meant_by, objection};
pub(super) use write::{chinese, wxf};

use crate::xiangqi::pieces::PieceKind;
use crate::xiangqi::rules::{Xiangqi, XiangqiMove};
use crate::xiangqi::squares::{FILES, file_of, rank_of, squares};
use engine::game::Side;

/// The direction of a move, seen from its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heading {
    Forward,
    Level,
    Back,
}

/// A file's number from 1, counted from the side's right.
fn file_number(side: Side, square: u8) -> u8 {
    let file = file_of(square);
    if side == Side::First { FILES as u8 - file } else { file + 1 }
}

/// Heading and number of a move: ranks for one along the file, else the target's file.
fn stroke(pos: &Xiangqi, step: XiangqiMove) -> (Heading, u8) {
    let side = pos.mover();
    let ranks = lead(side, step.to) - lead(side, step.from);
    let way = match ranks.signum() {
        1 => Heading::Forward,
        0 => Heading::Level,
        _ => Heading::Back,
    };
    let is_along = file_of(step.from) == file_of(step.to);
    (way, if is_along { ranks.unsigned_abs() } else { file_number(side, step.to) })
}

/// Grows towards the opponent.
fn lead(side: Side, square: u8) -> i8 {
    let rank = rank_of(square) as i8;
    if side == Side::First { rank } else { -rank }
}

/// Where a piece stands among those of its side and kind.
#[derive(Clone, Copy, Debug)]
struct Tandem {
    /// Pieces before it on its file.
    before: u8,
    /// Pieces behind it on its file.
    behind: u8,
    /// Files with two or more.
    files: usize,
    /// Pieces of such files to the right of its own.
    right: u8,
}

impl Tandem {
    fn of(pos: &Xiangqi, side: Side, kind: PieceKind, square: u8) -> Self {
        let mut counts = [0; FILES + 1];
        let (mut before, mut behind) = (0, 0);
        let own = file_number(side, square);
        for other in squares(pos.pieces(side, kind)) {
            let file = file_number(side, other);
            counts[usize::from(file)] += 1;
            if file == own {
                before += u8::from(lead(side, other) > lead(side, square));
                behind += u8::from(lead(side, other) < lead(side, square));
            }
        }
        let shared = |counts: &[u8]| -> Vec<u8> {
            counts.iter().copied().filter(|&count| count > 1).collect()
        };
        let right = shared(&counts[..usize::from(own)]).iter().sum();
        Self { before, behind, files: shared(&counts).len(), right }
    }

    /// Pieces on its file.
    const fn count(self) -> u8 {
        self.before + 1 + self.behind
    }
}

/// True if two on a file need no telling apart, as only one of them can go forward and only the other back.
const fn is_told_by_its_way(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Advisor | PieceKind::Elephant)
}
