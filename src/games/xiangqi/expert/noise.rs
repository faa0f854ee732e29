//! Small preferences in the opening, so that not every game is the same.

use super::super::pieces::PieceKind;
use super::super::rules::{Xiangqi, XiangqiMove};
use super::super::squares::{SQUARES, squares};
use super::{OPENING, terms};
use crate::game::{Rng, Side};

/// The pieces that openings are about.
const OFFICERS: [PieceKind; 3] = [PieceKind::Horse, PieceKind::Chariot, PieceKind::Cannon];
/// A piece on a square is liked or disliked by at most this, in hundredths of a soldier.
const MOST: i32 = 50;
/// Once this much less is left to attack with than at the start, the opening is over.
const OVER: i32 = 8;

/// How much each officer is liked on each square, seen from its own side.
#[derive(Clone, Debug)]
pub(super) struct EvalNoise(Box<[[i8; SQUARES]; OFFICERS.len()]>);

/// How much of the opening is left, at most [`OVER`].
fn freshness(stage: i32) -> i32 {
    (stage.min(OPENING) - (OPENING - OVER)).max(0)
}

impl EvalNoise {
    pub(super) fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut liked = || (rng.below(2 * MOST as usize + 1) as i32 - MOST) as i8;
        Self(Box::new([(); OFFICERS.len()].map(|()| [(); SQUARES].map(|()| liked()))))
    }

    /// How much Red's officers are liked more than Black's at this stage of the game.
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

    /// How much more a piece is liked after a step.
    pub(super) fn gain(&self, side: Side, kind: PieceKind, step: XiangqiMove, stage: i32) -> i32 {
        let officer = OFFICERS.iter().position(|&officer| officer == kind);
        officer.map_or(0, |n| {
            let liked = |square| i32::from(self.0[n][terms::seen_by(side, square)]);
            (liked(step.to) - liked(step.from)) * freshness(stage) / OVER
        })
    }
}
