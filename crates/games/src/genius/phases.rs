//! Phases of a game: deals, rolls, rounds and their ends.

use super::dice::{Dice, OMNI};
use super::lists::GeniusSlots;
use super::state::{DICE_A_ROUND, Genius, LAST_ROUND, Profile, Task};
use super::statuses::Lasts;
use engine::game::{Outcome, Side};

/// Cards drawn at the end of a round.
const DRAWN: u8 = 2;

impl Genius {
    /// Ends the round of a side. The second call ends the round.
    pub(super) fn declare_end(&mut self, side: Side) {
        let opponent = side.other();
        self.seat_mut(side).ended = true;
        if !self.seat(opponent).ended {
            self.first = side;
            self.mover = opponent;
            return;
        }
        for task in [
            Task::NextRound,
            Task::Draw(side, DRAWN),
            Task::Draw(opponent, DRAWN),
            Task::End(side),
            Task::End(opponent),
        ] {
            self.tasks.push(task);
        }
    }

    /// Starts the next round, if there is one.
    pub(super) fn next_round(&mut self) {
        if self.round == LAST_ROUND {
            self.outcome = Some(Outcome::Draw);
            return;
        }
        self.round += 1;
        for seat in &mut self.seats {
            seat.ended = false;
            seat.dice = Dice::NONE;
        }
        self.begin_round();
    }

    /// Rolls dice, expires round-limited statuses, and lets the first side act.
    pub(super) fn begin_round(&mut self) {
        self.mover = self.first;
        if self.profile == Profile::Core {
            self.age();
            for seat in &mut self.seats {
                seat.dice = Dice::of(OMNI, DICE_A_ROUND);
            }
            return;
        }
        self.push_actions();
        for task in [
            Task::Reroll(Side::Second, 1),
            Task::Reroll(Side::First, 1),
            Task::Roll(Side::Second, DICE_A_ROUND),
            Task::Roll(Side::First, DICE_A_ROUND),
        ] {
            self.tasks.push(task);
        }
    }

    /// Queues the tasks between the dice and the first action.
    pub(super) fn push_actions(&mut self) {
        self.tasks.push(Task::Begin(self.first.other()));
        self.tasks.push(Task::Begin(self.first));
        self.tasks.push(Task::Age);
    }

    /// Expires the statuses of the last round.
    pub(super) fn age(&mut self) {
        for seat in &mut self.seats {
            age(&mut seat.team);
            age(&mut seat.supports);
            for fighter in &mut seat.fighters {
                fighter.skills = 0;
                age(&mut fighter.attached);
            }
        }
    }
}

/// Ages a list of statuses by one round.
fn age<const N: usize>(slots: &mut GeniusSlots<N>) {
    let mut place = 0;
    while let Some(slot) = slots.as_mut_slice().get_mut(place) {
        let row = slot.what.row();
        let is_gone = match row.lasts {
            Lasts::Rounds => {
                slot.n -= 1;
                slot.n == 0
            }
            Lasts::Round | Lasts::Once => true,
            Lasts::Refilled => {
                slot.n = row.uses;
                false
            }
            Lasts::Uses | Lasts::Ever => false,
        };
        if is_gone {
            slots.remove(place);
        } else {
            place += 1;
        }
    }
}
