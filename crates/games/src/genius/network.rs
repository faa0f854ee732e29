//! What the network of the card duel sees: fighters, dice, cards and statuses of both sides.

use std::sync::LazyLock;

use super::cards;
use super::characters::{self, MOST_HP};
use super::dice::{FACES, MOST_DICE, Need, Purse};
use super::elements::Element;
use super::lists::{DECK, MOST_HAND, Slot};
use super::state::{FIGHTERS, Fighter, Genius, LAST_ROUND, Seat};
use super::statuses;
use super::weights::SCALE;
use super::worth::FITTED;
use engine::game::{Game, Side, Turn};
use engine::network::{Network, NetworkInput};

/// Sums of the first layer.
pub const GENIUS_HIDDEN: usize = 32;

/// The network in the program.
static NETWORK: LazyLock<Network<GENIUS_HIDDEN>> = LazyLock::new(|| {
    let file = include_bytes!("../../networks/genius.network");
    Network::read::<Genius, GeniusInput>(file).expect("the file fits its input")
});

/// Rows of a position as the side to move sees it: those of its own seat, of the other seat, then of the round.
#[derive(Debug)]
pub struct GeniusInput;

/// Fighters on the bench have rows of their own.
const ROLES: usize = 2;
/// Numbers of uses of a status told apart, the largest for all above.
const USES: usize = 4;
/// Energy told apart: what a fighter lacks for its burst.
const LACKING: usize = 4;

/// First row of each feature of a seat. Per role: hit points, character, energy, aura, status by uses.
const HP: usize = 0;
const WHO: usize = HP + ROLES * (MOST_HP as usize + 1);
const ENERGY: usize = WHO + ROLES * characters::ROWS.len();
const AURA: usize = ENERGY + ROLES * LACKING;
const STATUS: usize = AURA + ROLES * Element::ALL.len();
/// Living fighters.
const ALIVE: usize = STATUS + ROLES * statuses::ROWS.len() * USES;
/// Dice in all, and dice of use to the active fighter; after the end of the round, that it has ended.
const DICE: usize = ALIVE + FIGHTERS as usize + 1;
const FITTING: usize = DICE + MOST_DICE as usize + 1;
const ENDED: usize = FITTING + MOST_DICE as usize + 1;
/// Skills that the active fighter can pay for.
const SKILL: usize = ENDED + 1;
/// Cards in the hand: their number, and the kinds.
const HAND: usize = SKILL + 3;
const CARD: usize = HAND + MOST_HAND + 1;
/// Cards in the deck.
const DECK_SIZE: usize = CARD + cards::ROWS.len();
/// Rows of a seat.
const SEAT: usize = DECK_SIZE + DECK + 1;

/// Who begins the next round, if that is settled.
const NEXT: usize = 2 * SEAT;
const ROUND: usize = NEXT + 2;

impl NetworkInput<Genius> for GeniusInput {
    const FEATURES: &str = "genius-seats-1";
    const ROWS: usize = ROUND + LAST_ROUND as usize + 1;
    const VIEWS: usize = 1;
    // Living fighters of either side.
    const BUCKETS: usize = FIGHTERS as usize * FIGHTERS as usize;
    const SCALE: i32 = SCALE as i32;

    fn rows(pos: &Genius, view: Side, out: &mut Vec<u32>) {
        each_row(pos, view, |row| out.push(row as u32));
    }

    fn bucket(pos: &Genius) -> usize {
        let Turn::Of(mover) = pos.turn() else { return 0 };
        output_bucket(pos, mover)
    }

    fn base(pos: &Genius, mover: Side) -> i32 {
        FITTED.value(pos, mover)
    }
}

fn living(seat: &Seat) -> usize {
    seat.fighters.iter().filter(|fighter| fighter.alive).count()
}

fn output_bucket(pos: &Genius, view: Side) -> usize {
    let [own, other] = [view, view.other()].map(|side| living(pos.seat(side)).saturating_sub(1));
    usize::from(FIGHTERS) * own + other
}

/// Calls `see` with every active row.
#[inline]
fn each_row(pos: &Genius, view: Side, mut see: impl FnMut(usize)) {
    for (first, side) in [(0, view), (SEAT, view.other())] {
        each_row_of_seat(pos.seat(side), |row| see(first + row));
    }
    if pos.seats.iter().any(|seat| seat.ended) {
        see(NEXT + usize::from(pos.first != view));
    }
    see(ROUND + usize::from(pos.round.min(LAST_ROUND)));
}

#[inline]
fn each_row_of_seat(seat: &Seat, mut see: impl FnMut(usize)) {
    for (place, fighter) in (0..).zip(&seat.fighters) {
        if fighter.alive {
            each_row_of_fighter(fighter, usize::from(place != seat.active), &mut see);
        }
    }
    see(ALIVE + living(seat));
    if seat.ended {
        see(ENDED);
    } else {
        each_row_of_dice(seat, &mut see);
    }
    let hand = seat.hand.as_slice();
    see(HAND + hand.len());
    hand.iter().for_each(|card| see(CARD + usize::from(card.0)));
    see(DECK_SIZE + seat.deck.len());
    let lists = [seat.team.as_slice(), seat.summons.as_slice(), seat.supports.as_slice()];
    lists.into_iter().flatten().for_each(|slot| see(status(slot, 0)));
}

#[inline]
fn each_row_of_fighter(fighter: &Fighter, role: usize, see: &mut impl FnMut(usize)) {
    let row = fighter.who.row();
    see(HP + role * (MOST_HP as usize + 1) + usize::from(fighter.hp));
    see(WHO + role * characters::ROWS.len() + usize::from(fighter.who.0));
    let lacking = usize::from(row.energy.saturating_sub(fighter.energy));
    see(ENERGY + role * LACKING + lacking.min(LACKING - 1));
    for element in fighter.aura.elements() {
        see(AURA + role * Element::ALL.len() + element as usize - 1);
    }
    fighter.attached.as_slice().iter().for_each(|slot| see(status(slot, role)));
}

fn status(slot: &Slot, role: usize) -> usize {
    let kind = role * statuses::ROWS.len() + slot.what as usize;
    STATUS + kind * USES + usize::from(slot.n).min(USES - 1)
}

#[inline]
fn each_row_of_dice(seat: &Seat, see: &mut impl FnMut(usize)) {
    let need = seat.need();
    let fits = |face: &u8| need.of(*face) >= Need::ACTIVE;
    let fitting: u8 = (0..FACES).filter(fits).map(|face| seat.dice.count(face)).sum();
    let most = MOST_DICE.into();
    see(DICE + usize::from(seat.dice.total()).min(most));
    see(FITTING + usize::from(fitting).min(most));
    let purse = Purse::new(seat.dice);
    for number in 0..3 {
        if seat.can_pay(purse, seat.skill_cost(number)) {
            see(SKILL + usize::from(number));
        }
    }
}

/// What the network adds to the linear evaluation for `mover`, in hundredths of a hit point. The side to move is whose
/// view it learned, so the other one's value is the opposite.
#[inline]
pub(super) fn correction(pos: &Genius, mover: Side) -> i32 {
    let view = match pos.turn() {
        Turn::Of(side) => side,
        _ => mover,
    };
    let network = &*NETWORK;
    let mut sums = network.empty();
    each_row(pos, view, |row| network.add(&mut sums, row as u32));
    let value = network.value(&[&sums], output_bucket(pos, view));
    if view == mover { value } else { -value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genius::tests::{core, random_play, read, state};
    use engine::game::Rng;
    use engine::network::ReferenceNetwork;
    use serde_json::{Value, json};

    fn rows(pos: &Genius, view: Side) -> Vec<usize> {
        let mut rows = Vec::new();
        each_row(pos, view, |row| rows.push(row));
        rows
    }

    /// Positions of random games with cards and without.
    fn positions(games: usize) -> impl Iterator<Item = Genius> {
        (0..crate::games_of_test(games)).flat_map(|game| {
            let mut rng = Rng::new(game as u64);
            let start = if game % 3 == 0 { core() } else { Genius::deal(game as u64) };
            std::iter::successors(Some(start), move |pos| {
                let over = matches!(pos.turn(), Turn::Over(_));
                (!over).then(|| random_play(pos, 1, &mut rng))
            })
            .collect::<Vec<_>>()
        })
    }

    #[test]
    fn values_are_those_of_slow_sums_and_opposite_for_the_sides() {
        let file = include_bytes!("../../networks/genius.network");
        let reference = ReferenceNetwork::read::<Genius, GeniusInput>(file, GENIUS_HIDDEN);
        let mut seen = std::collections::BTreeSet::new();
        for pos in positions(60) {
            let Turn::Of(mover) = pos.turn() else { continue };
            let slow = reference.value(&GeniusInput::seen(&pos, mover), GeniusInput::bucket(&pos));
            assert_eq!(correction(&pos, mover), slow, "{pos:?}");
            assert_eq!(correction(&pos, mover.other()), -slow, "{pos:?}");
            seen.insert(slow);
        }
        assert!(seen.len() > 100, "{} values", seen.len());
    }

    #[test]
    fn the_other_view_has_the_seats_exchanged() {
        for pos in positions(10) {
            let exchanged = |row: usize| match row {
                0..SEAT => row + SEAT,
                SEAT..NEXT => row - SEAT,
                NEXT..ROUND => 2 * NEXT + 1 - row,
                _ => row,
            };
            let mut image: Vec<_> = rows(&pos, Side::First).into_iter().map(exchanged).collect();
            let mut other = rows(&pos, Side::Second);
            image.sort_unstable();
            other.sort_unstable();
            assert_eq!(image, other);
            assert!(other.iter().all(|&row| row < GeniusInput::ROWS));
        }
    }

    #[test]
    fn rows_tell_every_fact_of_a_position() {
        let start = state(["Kaeya", "Diluc", "Sucrose"], ["Fischl", "Collei", "Kaeya"]);
        let told = rows(&read(&start), Side::First);
        let changes: [fn(&mut Value); 12] = [
            |state| state["players"][0]["chars"][0]["hp"] = json!(7),
            |state| state["players"][0]["chars"][1]["hp"] = json!(7),
            |state| state["players"][1]["chars"][2]["energy"] = json!(1),
            |state| state["players"][1]["chars"][0]["aura"] = json!(["hydro"]),
            |state| state["players"][0]["active"] = json!(1),
            |state| state["players"][1]["dice"] = json!({ "omni": 7 }),
            |state| state["players"][1]["dice"] = json!({ "omni": 7, "geo": 1 }),
            |state| state["players"][0]["dice"] = json!({ "omni": 2 }),
            |state| state["players"][0]["hand"] = json!(["Paimon"]),
            |state| state["players"][0]["deck"] = json!(["Paimon"]),
            |state| state["players"][0]["summons"] = json!([{ "name": "Oz", "n": 2 }]),
            |state| state["players"][1]["ended"] = json!(true),
        ];
        let mut all = vec![told];
        for change in changes {
            let mut other = start.clone();
            change(&mut other);
            all.push(rows(&read(&other), Side::First));
        }
        let different: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(different.len(), all.len());
    }
}
