//! Small random preferences in the opening, for variety.

use super::super::pieces::PieceKind;
use super::super::rules::{Xiangqi, XiangqiMove};
use super::super::squares::{SQUARES, squares};
use super::{OPENING, terms};
use engine::game::{Rng, Side};

/// Piece kinds with preferences.
const OFFICERS: [PieceKind; 3] = [PieceKind::Horse, PieceKind::Chariot, PieceKind::Cannon];
/// Maximum preference for a piece on a square, in hundredths of a soldier. Varies games as much as 50 (30 seeds, 5,000
/// nodes a move: 29 different lines of 8 plies, with 50 all 30), which cost 118 ± 62 Elo at 10,000 nodes a move.
const MOST: i32 = 5;
/// Decrease of the stage from its initial value after which the opening is over.
const OVER: i32 = 8;

/// Preference for each officer kind on each square, from its own side.
#[derive(Clone, Debug)]
pub(super) struct EvalNoise(Box<[[i8; SQUARES]; OFFICERS.len()]>);

/// Remaining share of the opening, at most [`OVER`].
fn freshness(stage: i32) -> i32 {
    (stage.min(OPENING) - (OPENING - OVER)).max(0)
}

impl EvalNoise {
    pub(super) fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut liked = || (rng.below(2 * MOST as usize + 1) as i32 - MOST) as i8;
        Self(Box::new([(); OFFICERS.len()].map(|()| [(); SQUARES].map(|()| liked()))))
    }

    /// Preference for Red's officers minus that for Black's, at full strength.
    pub(super) fn of(&self, pos: &Xiangqi) -> i32 {
        let mut sum = 0;
        for kind in OFFICERS {
            for side in Side::BOTH {
                let squares = squares(pos.pieces(side, kind));
                sum += squares.map(|square| self.for_red(side, kind, square)).sum::<i32>();
            }
        }
        sum
    }

    /// Change of that preference by a move.
    #[inline]
    pub(super) fn change(&self, pos: &Xiangqi, step: XiangqiMove) -> i32 {
        let worth = |piece: Option<(Side, PieceKind)>, square| {
            piece.map_or(0, |(side, kind)| self.for_red(side, kind, square))
        };
        let piece = pos.at(step.from);
        worth(piece, step.to) - worth(piece, step.from) - worth(pos.at(step.to), step.to)
    }

    #[inline]
    fn for_red(&self, side: Side, kind: PieceKind, square: u8) -> i32 {
        let officer = OFFICERS.iter().position(|&officer| officer == kind);
        officer.map_or(0, |n| side.sign() * i32::from(self.0[n][terms::seen_by(side, square)]))
    }
}

/// A preference at this stage: less and less as the opening goes by.
#[inline]
pub(super) fn at(liked: i32, stage: i32) -> i32 {
    liked * freshness(stage) / OVER
}
