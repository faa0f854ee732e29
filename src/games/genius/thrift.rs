//! What a search of the card duel may spare itself.

use super::cards::Card;
use super::dice::{FACES, OMNI};
use super::effects::Effect;
use super::moves::{Act, Move};
use super::state::{Genius, Seat, Task};
use super::statuses::Status;

/// The outcome that stands for this one: of the faces that a side has no use for, the first that is as
/// frequent among its dice, or the first of all where nothing looks at how many there are of a kind.
pub(super) fn stand_in(pos: &Genius, outcome: Move) -> Move {
    match (pos.tasks.next(), outcome.act) {
        (Some(Task::Roll(side, _)), Act::Roll(face)) => {
            Act::Roll(pos.seat(side).face_for(face)).into()
        }
        _ => outcome,
    }
}

impl Seat {
    /// Cards still in the deck are not looked at: dice last for a round.
    fn face_for(&self, face: u8) -> u8 {
        let team = self.need().team;
        let is_useless = |face: u8| face != OMNI && team >> face & 1 == 0;
        if !is_useless(face) {
            return face;
        }
        let counts = self.counts_faces();
        let like = |&other: &u8| {
            is_useless(other) && (!counts || self.dice.count(other) == self.dice.count(face))
        };
        (1..FACES).find(like).unwrap_or(face)
    }

    /// Whether something on the table or in the hand looks at how many dice there are of one face.
    fn counts_faces(&self) -> bool {
        let collects = |what: Status| matches!(what, Status::Liben | Status::Vanarana);
        let by_card = |card: &Card| {
            let row = card.row();
            let creates =
                |effect: &Effect| matches!(effect, Effect::Create(what) if collects(*what));
            row.cost.same > 1 || row.effects.iter().any(creates)
        };
        self.hand.as_slice().iter().any(by_card)
            || self.supports.as_slice().iter().any(|slot| collects(slot.what))
    }
}
