//! Immediate wins and forced answers.

use super::board::Knowledge;
use super::codes::Threat;
use super::points::Points;
use crate::gomoku::rules::{Gomoku, GomokuRules, Point};
use engine::game::{Side, retain_from};

/// Obligation of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gomoku) enum Duty {
    /// None.
    Free,
    /// To play one of the listed points: any other move loses, and not later than these. Likely but
    /// unproven if `sure` is false.
    Answer {
        /// True if proven.
        sure: bool,
    },
    /// Lost in this number of plies after any move; the plausible answers are listed.
    Lost(u32),
}

impl Knowledge {
    /// Plies to an immediately visible win of the side to move: 1 or 3.
    pub(in crate::gomoku) fn wins_in(&self, pos: &Gomoku, mover: Side) -> Option<u32> {
        if self.number(mover, Threat::Five) > 0 {
            return Some(1);
        }
        self.open_four(pos, mover).map(|_| 3)
    }

    /// A point where the side to move makes an unstoppable four, if nothing is more urgent.
    // By caro rules the opponent can stop such a four at its end.
    pub(in crate::gomoku) fn open_four(&self, pos: &Gomoku, mover: Side) -> Option<Point> {
        let urgent =
            self.number(mover.other(), Threat::Five) > 0 || self.rules() == GomokuRules::Caro;
        if urgent || self.number(mover, Threat::OpenFour) == 0 {
            return None;
        }
        self.points(mover, Threat::OpenFour).find(|&at| self.allows(pos, mover, at))
    }

    /// Lower bounds on the plies to a win and to a loss of the side to move.
    // A win in three needs an open-four point, or rules by which some fours cannot be stopped; a
    // loss in four needs the same of the opponent, whose lines a stone of the mover never improves.
    pub(in crate::gomoku) fn earliest(&self, mover: Side) -> (u32, u32) {
        if self.number(mover, Threat::Five) > 0 {
            return (1, 2);
        }
        let opponent = mover.other();
        let free = matches!(self.rules(), GomokuRules::Freestyle | GomokuRules::Standard);
        let quiet = |side| free && self.number(side, Threat::OpenFour) == 0;
        match self.number(opponent, Threat::Five) {
            0 => (if quiet(mover) { 5 } else { 3 }, if quiet(opponent) { 6 } else { 4 }),
            _ => (3, 2),
        }
    }

    /// True if the empty point is legal for the side to move.
    #[inline]
    pub(in crate::gomoku) fn allows(&self, pos: &Gomoku, mover: Side, at: Point) -> bool {
        !pos.restricts(mover) || !self.is_suspect(at) || pos.foul(at).is_none()
    }

    /// Generates the answers to the opponent's threats; the side to move has no immediate win.
    pub(in crate::gomoku) fn duty(&self, pos: &Gomoku, mover: Side, out: &mut Vec<Point>) -> Duty {
        let opponent = mover.other();
        if self.rules() == GomokuRules::Caro {
            return Duty::Free;
        }
        match self.number(opponent, Threat::Five) {
            0 if self.number(opponent, Threat::OpenFour) == 0 => Duty::Free,
            0 => self.answer_open_four(pos, mover, out),
            fives => {
                let start = out.len();
                out.extend(
                    self.points(opponent, Threat::Five).filter(|&at| self.allows(pos, mover, at)),
                );
                let stopped = fives == 1 && out.len() > start;
                if stopped { Duty::Answer { sure: true } } else { Duty::Lost(2) }
            }
        }
    }

    /// Answers to an unstoppable four threatened by the opponent: own fours, and the points that
    /// refute all its open-four points.
    fn answer_open_four(&self, pos: &Gomoku, mover: Side, out: &mut Vec<Point>) -> Duty {
        let start = out.len();
        let opponent = mover.other();
        // A stone of the mover may change the opponent's forbidden points in either direction.
        let sure = !pos.restricts(opponent);
        for threat in [Threat::OpenFour, Threat::FourThree, Threat::Four] {
            out.extend(self.points(mover, threat));
        }
        let mut foils: Option<Points> = None;
        for at in self.points(opponent, Threat::OpenFour) {
            let mut foiled = Points::default();
            foiled.toggle(at);
            self.for_each_answer(opponent, at, |answer, threat| {
                if threat < Threat::OpenFour {
                    foiled.toggle(answer);
                }
            });
            foils = Some(foils.map_or(foiled, |foils| foils.and(&foiled)));
        }
        let fours = out.len();
        for at in foils.unwrap_or_default().iter() {
            if !out[start..fours].contains(&at) {
                out.push(at);
            }
        }
        retain_from(out, start, |at| self.allows(pos, mover, at));
        match (out.len() == start, sure) {
            (false, sure) => Duty::Answer { sure },
            (true, true) => {
                let open = self.points(opponent, Threat::OpenFour);
                out.extend(open.filter(|&at| self.allows(pos, mover, at)));
                Duty::Lost(4)
            }
            (true, false) => Duty::Free,
        }
    }

    /// Generates the points where the side to move makes five or a four. Against an opponent's four
    /// only the point that stops it; with a win only one winning point.
    pub(in crate::gomoku) fn fours(&self, pos: &Gomoku, mover: Side, out: &mut Vec<Point>) {
        if let Some(five) = self.points(mover, Threat::Five).next() {
            out.push(five);
            return;
        }
        if let Some(at) = self.open_four(pos, mover) {
            out.push(at);
            return;
        }
        let four =
            |&at: &Point| self.threat(mover, at) >= Threat::Four && self.allows(pos, mover, at);
        let opponent = mover.other();
        if self.number(opponent, Threat::Five) > 0 && self.rules() != GomokuRules::Caro {
            if self.number(opponent, Threat::Five) == 1 {
                out.extend(self.points(opponent, Threat::Five).filter(four));
            }
            return;
        }
        for threat in [Threat::OpenFour, Threat::FourThree, Threat::Four] {
            out.extend(self.points(mover, threat).filter(four));
        }
    }

    /// Generates the points where the side to move threatens an open four, if nothing is more
    /// urgent.
    pub(in crate::gomoku) fn threes(&self, pos: &Gomoku, mover: Side, out: &mut Vec<Point>) {
        if self.must_answer(mover) {
            return;
        }
        for threat in [Threat::DoubleThree, Threat::Three] {
            out.extend(self.points(mover, threat).filter(|&at| self.allows(pos, mover, at)));
        }
    }

    /// True if the opponent threatens to win with the next stone.
    #[inline]
    pub(in crate::gomoku) fn must_stop_five(&self, mover: Side) -> bool {
        self.rules() != GomokuRules::Caro && self.number(mover.other(), Threat::Five) > 0
    }

    /// True if the opponent threatens to win with the next stones.
    #[inline]
    pub(in crate::gomoku) fn must_answer(&self, mover: Side) -> bool {
        let open_four =
            self.rules() != GomokuRules::Caro && self.number(mover.other(), Threat::OpenFour) > 0;
        open_four || self.must_stop_five(mover)
    }

    /// Counts of the threat points, two bits each.
    pub(in crate::gomoku) fn structure_key(&self) -> u64 {
        let threats = [Threat::Three, Threat::DoubleThree, Threat::Four, Threat::FourThree];
        let numbers = Side::BOTH.into_iter().flat_map(|side| threats.map(|threat| (side, threat)));
        numbers
            .fold(0, |all, (side, threat)| all << 2 | u64::from(self.number(side, threat).min(3)))
    }
}
