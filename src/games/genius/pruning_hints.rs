//! What a search of the card duel may spare itself.

use super::cards::{Card, CardTarget};
use super::dice::{Cost, FACES, OMNI};
use super::effects::Effect;
use super::moves::{Act, GeniusMove, Target};
use super::state::{Genius, Seat, Task};
use super::statuses::Status;
use crate::game::Side;

/// The outcome that stands for this one: of the faces that a side has no use for, the first that is as
/// frequent among its dice, or the first of all where nothing looks at how many there are of a kind.
pub(super) fn canonical_outcome(pos: &Genius, outcome: GeniusMove) -> GeniusMove {
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

/// What a search of one ply finds at most, nine times in ten, and how that grows with the logarithm of the
/// depth: `bestmove calibrate --game genius --deal deal_seed --positions 600 --depth 6 --seed 2`.
const HOPE: i32 = 323;
const HOPE_GROWS: f64 = 104.0;
/// Dice that are given up to see whether the rest is good enough.
const GIVEN_UP: u8 = 2;

/// What a search may hope to find beyond the evaluation.
pub(super) fn razor_margin(depth: u32) -> i32 {
    HOPE + (HOPE_GROWS * f64::from(depth).ln()) as i32
}

/// The position with two of the mover's dice less, those that he needs least.
pub(super) fn handicap(pos: &Genius, mover: Side) -> Option<Genius> {
    let seat = pos.seat(mover);
    if pos.tasks.next().is_some() || seat.dice.total() < GIVEN_UP {
        return None;
    }
    let paid = Cost::any(GIVEN_UP).payment(seat.dice, seat.need());
    let mut handicap = *pos;
    handicap.seat_mut(mover).dice = seat.dice.minus(paid);
    Some(handicap)
}

/// Takes out the tunings of all dice but those of the face that is needed least, and of these the rarest:
/// with every card in the hand they are most of the moves.
pub(super) fn remove_dominated(seat: &Seat, moves: &mut Vec<GeniusMove>, start: usize) -> bool {
    let need = seat.need();
    let own = need.active as u8;
    let tunable = (1..FACES).filter(|&face| face != own && seat.dice.count(face) > 0);
    let least = tunable.min_by_key(|&face| (need.of(face), seat.dice.count(face)));
    let is_outdone =
        |mv: &mut GeniusMove| matches!(mv.act, Act::Tune(_, face) if Some(face) != least);
    moves.extract_if(start.., is_outdone).count() > 0
}

/// Whether the order of two acts does not matter: of tunings and of cards that cost nothing and leave a
/// status or heal.
pub(super) fn commutes(a: Act, b: Act) -> bool {
    let is_plain = |act: Act| match act {
        Act::Tune(..) => true,
        Act::Play(card, Target::Nothing | Target::Fighter(_)) => is_small(card),
        _ => false,
    };
    is_plain(a) && is_plain(b)
}

fn is_small(card: Card) -> bool {
    let row = card.row();
    let is_small = |effect: &Effect| matches!(effect, Effect::Create(_) | Effect::Heal(_));
    row.cost == Cost::FREE
        && !matches!(row.aim, CardTarget::Support)
        && row.effects.iter().all(is_small)
}

/// A switch follows what makes it cheap or quick, and not a tuning: that was for the one who is active.
pub(super) fn continuation_bonus(previous: u16, act: Act) -> i32 {
    const SWITCH_WANTED: i32 = 300;
    const SWITCH_UNLIKELY: i32 = -100;
    let helps = |effect: &Effect| {
        matches!(effect, Effect::Create(Status::LeaveItToMe | Status::ChangingShifts))
    };
    match (act, Act::card_of(previous)) {
        (Act::Switch(_), Some(card)) if card.row().effects.iter().any(helps) => SWITCH_WANTED,
        (Act::Switch(_), None) if Act::is_tuning(previous) => SWITCH_UNLIKELY,
        _ => 0,
    }
}
