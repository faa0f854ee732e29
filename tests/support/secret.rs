//! A toy with a secret. The second player holds a number below three, hidden from the first. The first may
//! guess it at once or ask; asked, the second must name a number other than the secret, and then the first
//! has to guess among the other two. A right guess wins, so asking is worth a half and guessing at once a
//! third.

use std::convert::Infallible;

use bestmove::game::{Game, Info, Outcome, Rng, Side, Turn, zobrist};

pub const NUMBERS: u8 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Secret {
    pub hidden: u8,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Open,
    Asked,
    Denied(u8),
    Guessed(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Guess(u8),
    Ask,
    Deny(u8),
}

impl Secret {
    pub fn new(hidden: u8) -> Self {
        Self { hidden, stage: Stage::Open }
    }

    fn stage_code(&self) -> u64 {
        match self.stage {
            Stage::Open => 0,
            Stage::Asked => 1,
            Stage::Denied(n) => 2 + u64::from(n),
            Stage::Guessed(n) => 8 + u64::from(n),
        }
    }
}

impl Game for Secret {
    type Move = Act;
    type Chance = Infallible;
    type Info = Sight;

    fn turn(&self) -> Turn<Infallible> {
        match self.stage {
            Stage::Open | Stage::Denied(_) => Turn::Of(Side::First),
            Stage::Asked => Turn::Of(Side::Second),
            Stage::Guessed(n) if n == self.hidden => Turn::Over(Outcome::Win(Side::First)),
            Stage::Guessed(_) => Turn::Over(Outcome::Win(Side::Second)),
        }
    }

    fn moves(&self, out: &mut Vec<Act>) {
        let without = |number: u8| (0..NUMBERS).filter(move |&n| n != number);
        match self.stage {
            // Guesses first: a method that knows the number would take one of them.
            Stage::Open => out.extend((0..NUMBERS).map(Act::Guess).chain([Act::Ask])),
            Stage::Asked => out.extend(without(self.hidden).map(Act::Deny)),
            Stage::Denied(number) => out.extend(without(number).map(Act::Guess)),
            Stage::Guessed(_) => {}
        }
    }

    fn play(&mut self, mv: Act) {
        self.stage = match mv {
            Act::Guess(n) => Stage::Guessed(n),
            Act::Ask => Stage::Asked,
            Act::Deny(n) => Stage::Denied(n),
        };
    }

    fn hash(&self) -> u64 {
        zobrist::mix(self.stage_code() << 8 | u64::from(self.hidden))
    }

    fn move_code(mv: Act) -> u16 {
        match mv {
            Act::Guess(n) => u16::from(n),
            Act::Ask => 16,
            Act::Deny(n) => 32 + u16::from(n),
        }
    }
}

/// The second player sees everything, the first all but the number until the guess.
#[derive(Clone, Copy, Debug)]
pub enum Sight {}

impl Sight {
    fn sees_all(pos: &Secret, viewer: Side) -> bool {
        viewer == Side::Second || matches!(pos.stage, Stage::Guessed(_))
    }
}

impl Info<Secret> for Sight {
    const HIDDEN: bool = true;

    fn world(pos: &Secret, viewer: Side, rng: &mut Rng) -> Secret {
        if Self::sees_all(pos, viewer) {
            return *pos;
        }
        let possible: Vec<u8> = (0..NUMBERS).filter(|&n| pos.stage != Stage::Denied(n)).collect();
        let hidden = rng.pick(&possible).expect("only one number is denied");
        Secret { hidden, stage: pos.stage }
    }

    fn view(pos: &Secret, viewer: Side) -> u64 {
        let number = if Self::sees_all(pos, viewer) { 1 + u64::from(pos.hidden) } else { 0 };
        zobrist::mix(pos.stage_code() << 8 | number)
    }
}
