//! Legal move generation.
//!
//! Most moves cannot expose the own general. Once per position, pinned pieces and check evasion
//! squares are computed; only moves of the pinned pieces and of the general are verified
//! individually.

use super::attacks::is_one;
use super::leaps::{elephant_attacks, horse_attacks, horse_attacks_to, horse_leg};
use super::lines::{BETWEEN, CROSS, cannon_captures, chariot_attacks};
use super::pieces::PieceKind;
use super::rules::{Xiangqi, XiangqiMove};
use super::squares::{ADVISOR, BOARD, GENERAL, SOLDIER, SOLDIER_FROM, bit, has, squares};

/// Constraints on moves from the safety of the mover's general.
struct Guard {
    /// Own pieces whose departure may expose the general or end a cannon's check.
    suspects: u128,
    /// Allowed targets for all other pieces: outside an open line from a cannon to the general, and
    /// on squares that end all checks.
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

    /// A cannon attacks over exactly one screen. With one screen, another piece on either side of
    /// it ends the check, and so may a move of the screen; with two, each may be pinned; with none,
    /// interposing is illegal.
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
    /// Pseudo-legal targets of the piece on a square, excluding `blocked`.
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

    /// Generates the legal moves regardless of material draws.
    #[inline]
    pub fn legal(&self, out: &mut Vec<XiangqiMove>) {
        self.legal_onto(!self.of(self.mover()), out);
    }

    /// Generates the legal captures.
    pub fn captures(&self, out: &mut Vec<XiangqiMove>) {
        self.legal_onto(self.of(self.mover().other()), out);
    }

    /// Generates the legal moves to squares of `wanted`, which must not contain own pieces.
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

    /// True if the mover has a legal move, regardless of draws.
    pub(super) fn can_move(&self) -> bool {
        let mut moves = Vec::new();
        self.legal(&mut moves);
        !moves.is_empty()
    }
}
