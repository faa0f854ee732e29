//! The legal moves.
//!
//! Most moves cannot expose the own general. Once a position it is found which of the mover's pieces
//! hold something back, and where a piece must go in answer to a check; only moves of the former, and
//! of the general, are tried out one by one.

use super::attacks::is_one;
use super::leaps::{elephant_attacks, horse_attacks, horse_attacks_to, horse_leg};
use super::lines::{BETWEEN, CROSS, cannon_captures, chariot_attacks};
use super::pieces::PieceKind;
use super::rules::{Xiangqi, XiangqiMove};
use super::squares::{ADVISOR, BOARD, GENERAL, SOLDIER, SOLDIER_FROM, bit, has, squares};

/// What the safety of the mover's general asks of moves.
struct Guard {
    /// Own pieces whose leaving may expose the general, or may end a check of a cannon.
    suspects: u128,
    /// Where every other piece may go: away from a cannon's open line to the general, and onto a
    /// square that ends all checks.
    goals: u128,
}

impl Guard {
    #[inline]
    fn of(pos: &Xiangqi) -> Self {
        let (own, opponent) = (pos.mover(), pos.mover().other());
        let general = pos.general(own);
        let g = usize::from(general);
        let occupied = pos.occupied();
        let mut guard = Self { suspects: 0, goals: BOARD };
        let cannons = pos.pieces(opponent, PieceKind::Cannon);
        let straight =
            pos.pieces(opponent, PieceKind::Chariot) | pos.pieces(opponent, PieceKind::General);
        for hunter in squares((straight | cannons) & CROSS[g]) {
            let path = BETWEEN[g][usize::from(hunter)];
            let screens = path & occupied;
            if has(cannons, hunter) {
                guard.face_cannon(path, screens, bit(hunter));
            } else if screens == 0 {
                guard.goals &= path | bit(hunter);
            } else if is_one(screens) {
                guard.suspects |= screens;
            }
        }
        for horse in squares(pos.pieces(opponent, PieceKind::Horse) & horse_attacks_to(general, 0))
        {
            let leg = horse_leg(horse, general);
            if leg & occupied == 0 {
                guard.goals &= leg | bit(horse);
            } else {
                guard.suspects |= leg;
            }
        }
        for soldier in
            squares(pos.pieces(opponent, PieceKind::Soldier) & SOLDIER_FROM[opponent.index()][g])
        {
            guard.goals &= bit(soldier);
        }
        guard
    }

    /// A cannon attacks over one screen. A piece more between ends the check, be it before or behind
    /// the screen, and so may the screen by leaving; with two, each may have to stay; with none,
    /// nobody may come between.
    #[inline]
    fn face_cannon(&mut self, path: u128, screens: u128, cannon: u128) {
        if screens == 0 {
            self.goals &= !path;
        } else if is_one(screens) {
            self.goals &= path ^ screens | cannon;
            self.suspects |= screens;
        } else if is_one(screens & (screens - 1)) {
            self.suspects |= screens;
        }
    }
}

impl Xiangqi {
    /// Where the piece on a square may go as far as its own way of moving tells: not onto `blocked`.
    #[inline]
    pub(super) fn reach(&self, from: u8, kind: PieceKind) -> u128 {
        let n = usize::from(from);
        match kind {
            PieceKind::General => GENERAL[n],
            PieceKind::Advisor => ADVISOR[n],
            PieceKind::Elephant => elephant_attacks(from, self.occupied()),
            PieceKind::Horse => horse_attacks(from, self.occupied()),
            PieceKind::Chariot => chariot_attacks(from, self.cross(from)),
            PieceKind::Cannon => {
                let (occupied, cross) = (self.occupied(), self.cross(from));
                chariot_attacks(from, cross) & !occupied | cannon_captures(from, cross)
            }
            PieceKind::Soldier => SOLDIER[self.mover().index()][n],
        }
    }

    /// Appends the legal moves as if no material were dead: even where the game is drawn.
    #[inline]
    pub fn legal(&self, out: &mut Vec<XiangqiMove>) {
        self.legal_onto(!self.of(self.mover()), out);
    }

    /// Appends the legal moves that capture.
    pub fn captures(&self, out: &mut Vec<XiangqiMove>) {
        self.legal_onto(self.of(self.mover().other()), out);
    }

    /// Appends the legal moves onto squares of `wanted`, where no own piece may stand.
    #[inline]
    fn legal_onto(&self, wanted: u128, out: &mut Vec<XiangqiMove>) {
        let own = self.mover();
        let guard = Guard::of(self);
        let goals = guard.goals & wanted;
        for kind in PieceKind::ALL {
            for from in squares(self.pieces(own, kind)) {
                let reach = self.reach(from, kind);
                if kind == PieceKind::General || has(guard.suspects, from) {
                    let tried = squares(reach & wanted).map(|to| XiangqiMove { from, to });
                    out.extend(tried.filter(|&step| self.is_safe(step)));
                } else {
                    squares(reach & goals).for_each(|to| out.push(XiangqiMove { from, to }));
                }
            }
        }
    }

    /// Whether the mover has a legal move, drawn or not.
    pub(super) fn can_move(&self) -> bool {
        let mut moves = Vec::new();
        self.legal(&mut moves);
        !moves.is_empty()
    }
}
