//! Reference implementation of the rules of movement on a plain board, independent of the game's code:
//! slow, and easy to compare with the book.

use crate::xiangqi::{PieceKind, Xiangqi, XiangqiMove};
use engine::game::Side;

pub(super) struct Oracle {
    board: [[Option<(Side, PieceKind)>; 10]; 9],
    mover: Side,
}

type Point = (i32, i32);

impl Oracle {
    pub(super) fn of(pos: &Xiangqi) -> Self {
        let mut board = [[None; 10]; 9];
        for square in 0..90 {
            board[usize::from(square % 9)][usize::from(square / 9)] = pos.at(square);
        }
        Self { board, mover: pos.mover() }
    }

    fn at(&self, (file, rank): Point) -> Option<(Side, PieceKind)> {
        self.board[file as usize][rank as usize]
    }

    fn points() -> impl Iterator<Item = Point> {
        (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)))
    }

    /// Pieces strictly between two points of a line, `None` if they share none.
    fn between(&self, from: Point, to: Point) -> Option<usize> {
        let (df, dr) = (to.0 - from.0, to.1 - from.1);
        if (df == 0) == (dr == 0) {
            return None;
        }
        let steps = df.abs().max(dr.abs());
        let way = (1..steps).map(|n| (from.0 + n * df.signum(), from.1 + n * dr.signum()));
        Some(way.filter(|&point| self.at(point).is_some()).count())
    }

    /// True if a piece of `side` and `kind` can move from `from` to `to`, pseudo-legally.
    fn goes(&self, side: Side, kind: PieceKind, from: Point, to: Point) -> bool {
        let (df, dr) = (to.0 - from.0, to.1 - from.1);
        let (short, long) = (df.abs().min(dr.abs()), df.abs().max(dr.abs()));
        // Ranks counted from the own back rank.
        let own_rank = |rank: i32| if side == Side::First { rank } else { 9 - rank };
        let in_palace = (3..=5).contains(&to.0) && own_rank(to.1) <= 2;
        let forward = if side == Side::First { dr } else { -dr };
        let middle = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
        match kind {
            PieceKind::General => (short, long) == (0, 1) && in_palace,
            PieceKind::Advisor => (short, long) == (1, 1) && in_palace,
            PieceKind::Elephant => {
                (short, long) == (2, 2) && own_rank(to.1) <= 4 && self.at(middle).is_none()
            }
            PieceKind::Horse => {
                let leg = (from.0 + df / 2, from.1 + dr / 2);
                (short, long) == (1, 2) && self.at(leg).is_none()
            }
            PieceKind::Chariot => self.between(from, to) == Some(0),
            PieceKind::Cannon => {
                let screens = usize::from(self.at(to).is_some());
                self.between(from, to) == Some(screens)
            }
            PieceKind::Soldier => {
                let crossed = own_rank(from.1) >= 5;
                (short, long) == (0, 1) && (forward == 1 || crossed && dr == 0)
            }
        }
    }

    fn general(&self, side: Side) -> Point {
        let is_it = |&point: &Point| self.at(point) == Some((side, PieceKind::General));
        Self::points().find(is_it).expect("a general")
    }

    /// True if `side`'s general is attacked.
    pub(super) fn is_attacked(&self, side: Side) -> bool {
        let target = self.general(side);
        let other = self.general(side.other());
        let facing = other.0 == target.0 && self.between(other, target) == Some(0);
        facing || self.attackers(target).any(|(attacker, _)| attacker == side.other())
    }

    /// Sides and points of the pieces that could move to a point, regardless of the side to move.
    fn attackers(&self, target: Point) -> impl Iterator<Item = (Side, Point)> {
        Self::points().filter_map(move |from| {
            let (side, kind) = self.at(from)?;
            (from != target && self.goes(side, kind, from, target)).then_some((side, from))
        })
    }

    /// The squares of the pieces that attack an occupied square.
    pub(super) fn attackers_to(&self, square: u8) -> Vec<u8> {
        let target = (i32::from(square % 9), i32::from(square / 9));
        self.attackers(target).map(|(_, (file, rank))| (rank * 9 + file) as u8).collect()
    }

    fn after(&self, from: Point, to: Point) -> Self {
        let mut next = Self { board: self.board, mover: self.mover.other() };
        let piece = next.board[from.0 as usize][from.1 as usize].take();
        next.board[to.0 as usize][to.1 as usize] = piece;
        next
    }

    /// The legal moves.
    pub(super) fn moves(&self) -> Vec<XiangqiMove> {
        let mut moves = Vec::new();
        for from in Self::points() {
            let Some((side, kind)) = self.at(from).filter(|(side, _)| *side == self.mover) else {
                continue;
            };
            for to in Self::points() {
                let own = self.at(to).is_some_and(|(other, _)| other == side);
                if from != to
                    && !own
                    && self.goes(side, kind, from, to)
                    && !self.after(from, to).is_attacked(side)
                {
                    let square = |(file, rank): Point| (rank * 9 + file) as u8;
                    moves.push(XiangqiMove { from: square(from), to: square(to) });
                }
            }
        }
        moves
    }
}
