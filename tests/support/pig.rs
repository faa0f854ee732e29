//! Pig: a toy with dice and consecutive moves. The mover rolls a die as often as they like; a 1 loses the
//! turn's total and the turn, anything else adds to the total; holding banks the total and ends the turn.
//! The first player with enough banked, or held, to reach the target wins.

use bestmove::game::{Chance, Game, Outcome, Perfect, Rng, Side, Turn, zobrist};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pig {
    pub target: u8,
    pub banked: [u8; 2],
    pub total: u8,
    pub mover: Side,
    pub rolling: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Roll,
    Hold,
    Die(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Die;

/// The roll that stands for all.
pub const TYPICAL: Act = Act::Die(4);

impl Pig {
    pub fn new(target: u8) -> Self {
        Self { target, banked: [0; 2], total: 0, mover: Side::First, rolling: false }
    }

    fn pass(&mut self) {
        self.total = 0;
        self.mover = self.mover.other();
    }
}

impl Game for Pig {
    type Move = Act;
    type Chance = Die;
    type Info = Perfect;

    fn turn(&self) -> Turn<Die> {
        let winner = Side::BOTH.into_iter().find(|side| self.banked[side.index()] >= self.target);
        match winner {
            Some(side) => Turn::Over(Outcome::Win(side)),
            None if self.rolling => Turn::Chance(Die),
            None => Turn::Of(self.mover),
        }
    }

    fn moves(&self, out: &mut Vec<Act>) {
        if matches!(self.turn(), Turn::Of(_)) {
            out.extend([Act::Roll, Act::Hold]);
        }
    }

    fn play(&mut self, mv: Act) {
        match mv {
            Act::Roll => self.rolling = true,
            Act::Hold => {
                self.banked[self.mover.index()] += self.total;
                self.pass();
            }
            Act::Die(1) => {
                self.rolling = false;
                self.pass();
            }
            Act::Die(pips) => {
                self.rolling = false;
                // A total beyond the target is worth no more than the target.
                let left = self.target - self.banked[self.mover.index()];
                self.total = (self.total + pips).min(left);
            }
        }
    }

    fn hash(&self) -> u64 {
        let [first, second] = self.banked.map(u64::from);
        let flags = u64::from(self.rolling) << 1 | self.mover as u64;
        zobrist::mix(
            first << 32
                | second << 24
                | u64::from(self.total) << 16
                | flags << 8
                | u64::from(self.target),
        )
    }

    fn move_code(mv: Act) -> u16 {
        match mv {
            Act::Roll => 0,
            Act::Hold => 1,
            Act::Die(pips) => 2 + u16::from(pips),
        }
    }
}

impl Chance<Pig> for Die {
    const EXISTS: bool = true;

    fn outcomes(self, _: &Pig, out: &mut Vec<(Act, f64)>) {
        out.extend((1..=6).map(|pips| (Act::Die(pips), 1.0 / 6.0)));
    }

    fn sample(self, _: &Pig, rng: &mut Rng) -> Act {
        Act::Die(1 + rng.below(6) as u8)
    }

    fn side(self, pos: &Pig) -> Option<Side> {
        Some(pos.mover)
    }

    fn typical(self, _: &Pig) -> Option<Act> {
        Some(TYPICAL)
    }
}
