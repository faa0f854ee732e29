//! Pruning hints of the card duel for the search.

use super::cards::{Card, CardTarget};
use super::dice::{Cost, FACES, OMNI};
use super::effects::Effect;
use super::moves::{Act, GeniusMove, Target};
use super::state::{Genius, Seat, Task};
use super::statuses::Status;
use engine::game::{Independence, Side};

/// Canonical representative of a roll: among the useless faces the first with the same count among
/// the side's dice, or the first of all if nothing depends on the count of a face.
pub(super) fn canonical_outcome(pos: &Genius, outcome: GeniusMove) -> GeniusMove {
    match (pos.tasks.next(), outcome.act) {
        (Some(Task::Roll(side, _)), Act::Roll(face)) => {
            Act::Roll(pos.seat(side).face_for(face)).into()
        }
        _ => outcome,
    }
}

/// Dice left that make a pass patient, and with Vanarana, which keeps two of them.
// CITE: the founding document's rating: three dice or more without Liben, more than five with Vanarana.
const SAVED: u8 = 3;
const SAVED_BESIDE_VANARANA: u8 = 6;

impl Seat {
    /// True if to end the round now saves dice for nothing but patience: no support collects them.
    pub(super) fn ends_patiently(&self) -> bool {
        let has = |what: Status| self.supports.as_slice().iter().any(|slot| slot.what == what);
        let least = if has(Status::Vanarana) { SAVED_BESIDE_VANARANA } else { SAVED };
        !has(Status::Liben) && self.dice.total() >= least
    }

    /// Ignores cards still in the deck: dice last for one round.
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

    /// True if a support in play or a card in the hand depends on the count of one face.
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

/// 90 % quantile of the gain over the evaluation found at depth 1, and its growth with the
/// logarithm of the depth: `bestmove calibrate --game genius --deal deal_seed --positions 600
/// --depth 6 --seed 2`.
const HOPE: i32 = 323;
const HOPE_GROWS: f64 = 104.0;
/// Dice given up in the handicap position.
const GIVEN_UP: u8 = 2;

/// Razoring margin: expected maximum gain over the evaluation at this depth.
pub(super) fn razor_margin(depth: u32) -> i32 {
    HOPE + (HOPE_GROWS * f64::from(depth).ln()) as i32
}

/// The position with two dice fewer for the mover: the two least needed.
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

/// Removes the tunings of all dice except those of the least needed face, ties broken by rarity:
/// tunings, multiplied by every card in the hand, are most of the moves.
pub(super) fn remove_dominated(seat: &Seat, moves: &mut Vec<GeniusMove>, start: usize) -> bool {
    let need = seat.need();
    let own = need.active as u8;
    let tunable = (1..FACES).filter(|&face| face != own && seat.dice.count(face) > 0);
    let least = tunable.min_by_key(|&face| (need.of(face), seat.dice.count(face)));
    let is_outdone =
        |mv: &mut GeniusMove| matches!(mv.act, Act::Tune(_, face) if Some(face) != least);
    moves.extract_if(start.., is_outdone).count() > 0
}

/// True if two actions commute: tunings, and free cards that only create a status or heal.
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

/// True for the cards that make the next switch cheap or fast.
fn helps_switch(card: Card) -> bool {
    let helps = |effect: &Effect| {
        matches!(effect, Effect::Create(Status::LeaveItToMe | Status::ChangingShifts))
    };
    card.row().effects.iter().any(helps)
}

/// Independence of a card: whatever else is done before the next switch, cards for it do the same, though a second
/// copy does nothing; wildcard dice are worth the same or more the earlier they come. Food, supports, equipment,
/// draws, rerolls and all other actions are dependent.
pub(super) fn independence(act: Act) -> Independence {
    match act {
        Act::Play(card, _) if helps_switch(card) => Independence::Ordinary,
        Act::Play(card, _) if matches!(card.row().effects, [Effect::Omni(_)]) => {
            Independence::Strong
        }
        _ => Independence::Dependent,
    }
}

/// True if a side is down to its last fighter: a round may end the game. Not tuned.
pub(super) fn is_endgame(pos: &Genius) -> bool {
    let is_alone = |seat: &Seat| seat.fighters.iter().filter(|fighter| fighter.alive).count() < 2;
    pos.seats.iter().any(is_alone)
}

/// Bonus for a switch after an action that makes it cheap or fast; malus after a tuning, which is for the active
/// fighter, unless Liben in play collects the dice of other elements.
pub(super) fn continuation_bonus(pos: &Genius, previous: u16, act: Act) -> i32 {
    const SWITCH_WANTED: i32 = 300;
    const SWITCH_UNLIKELY: i32 = -100;
    let collects = || {
        pos.seat(pos.decider()).supports.as_slice().iter().any(|slot| slot.what == Status::Liben)
    };
    match (act, Act::card_of(previous)) {
        (Act::Switch(_), Some(card)) if helps_switch(card) => SWITCH_WANTED,
        (Act::Switch(_), None) if Act::is_tuning(previous) && !collects() => SWITCH_UNLIKELY,
        _ => 0,
    }
}
