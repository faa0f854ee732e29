//! Draws by insufficient material.
// CITE: the rules of material draws are those of the Pikafish engine.

use super::pieces::PieceKind;
use super::rules::Xiangqi;
use engine::game::{Game, Side};

/// Classification of the remaining material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Material {
    /// Not a draw.
    Open,
    /// A draw, unless the mover has no legal move, or a move that leaves the opponent without one.
    Nearly,
    /// A draw; stalemate is impossible.
    Dead,
}

impl Material {
    pub(super) fn of(pos: &Xiangqi) -> Self {
        let cannons = pos.both(PieceKind::Cannon);
        let attackers = pos.both(PieceKind::Horse) | pos.both(PieceKind::Chariot) | cannons;
        if pos.both(PieceKind::Soldier) != 0 || attackers != cannons {
            return Self::Open;
        }
        let count = |side: Side, kind: PieceKind| pos.pieces(side, kind).count_ones();
        match Side::BOTH.map(|side| count(side, PieceKind::Cannon)) {
            [0, 0] => Self::Dead,
            [1, 0] => Self::of_lone_cannon(Side::First, count),
            [0, 1] => Self::of_lone_cannon(Side::Second, count),
            [1, 1] if pos.both(PieceKind::Advisor) == 0 => match pos.both(PieceKind::Elephant) {
                0 => Self::Dead,
                _ => Self::Nearly,
            },
            _ => Self::Open,
        }
    }

    /// One cannon is the only piece that can cross the river: it needs screens.
    fn of_lone_cannon(side: Side, count: impl Fn(Side, PieceKind) -> u32) -> Self {
        if count(side, PieceKind::Advisor) != 0 {
            return Self::Open;
        }
        let has_elephant = count(side, PieceKind::Elephant) != 0;
        match (count(side.other(), PieceKind::Advisor), has_elephant) {
            (0, _) | (1, false) => Self::Dead,
            (1, true) | (_, false) => Self::Nearly,
            (_, true) => Self::Open,
        }
    }

    /// True if a position with this material is a draw.
    pub(super) fn is_drawn(self, pos: &Xiangqi) -> bool {
        match self {
            Self::Open => false,
            Self::Dead => true,
            Self::Nearly => {
                let mut moves = Vec::new();
                pos.legal(&mut moves);
                !moves.is_empty() && moves.iter().all(|&step| pos.after(step).can_move())
            }
        }
    }
}
