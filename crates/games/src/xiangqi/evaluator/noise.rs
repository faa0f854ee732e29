//! Small random preferences in the opening, for variety.

use super::super::pieces::PieceKind;
use super::super::rules::{Xiangqi, XiangqiMove};
use super::super::squares::{SQUARES, squares};
use super::{OPENING, terms};
use engine::game::{Rng, Side};

/// Piece kinds with preferences.
const OFFICERS: [PieceKind; 3] = [PieceKind::Horse, PieceKind::Chariot, PieceKind::Cannon];
/// Maximum preference for a piece on a square, in hundredths of a soldier.
const MOST: i32 = 50;
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

    /// Preference for Red's officers minus that for Black's at this stage.
    pub(super) fn of(&self, pos: &Xiangqi, stage: i32) -> i32 {
        let fresh = freshness(stage);
        if fresh == 0 {
            return 0;
        }
        let mut sum = 0;
        for (liked, kind) in self.0.iter().zip(OFFICERS) {
            for side in Side::BOTH {
                for square in squares(pos.pieces(side, kind)) {
                    sum += side.sign() * i32::from(liked[terms::seen_by(side, square)]);
                }
            }
        }
        sum * fresh / OVER
    }

    /// Change of preference by a move.
    pub(super) fn gain(&self, side: Side, kind: PieceKind, step: XiangqiMove, stage: i32) -> i32 {
        let officer = OFFICERS.iter().position(|&officer| officer == kind);
        officer.map_or(0, |n| {
            let liked = |square| i32::from(self.0[n][terms::seen_by(side, square)]);
            (liked(step.to) - liked(step.from)) * freshness(stage) / OVER
        })
    }
}
