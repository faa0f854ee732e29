//! Hidden hands: the possible cards of hand and deck.

use crate::genius::cards::Card;
use crate::genius::effects::Effect;
use crate::genius::lists::Pile;
use crate::genius::spare::Spare;
use crate::genius::state::Seat;
use crate::genius::statuses::Status;
use crate::notation::Fault;

/// The possible cards of hand and deck, in card order.
pub(super) fn names(seat: &Seat) -> Vec<&'static str> {
    let mut pool: Vec<_> = seat.pool().collect();
    pool.sort_unstable();
    pool.into_iter().map(Card::name).collect()
}

/// Information about the cards of a side with a hidden hand.
pub(super) enum Known {
    /// The exact pool of hand and deck.
    Unseen(Vec<Card>),
    /// The original deck, part of which is in play.
    Deck(Vec<Card>),
    /// None: two copies of each card playable by the team.
    Nothing,
}

/// Deals a hand and a deck of these sizes from the known pool, in card order.
pub(super) fn deal(seat: &mut Seat, hand: usize, deck: usize, known: Known) -> Result<(), Fault> {
    let mut pool = match known {
        Known::Unseen(pool) => pool,
        Known::Deck(list) => without_table(seat, list),
        Known::Nothing => without_table(seat, playable(seat)),
    };
    pool.sort_unstable();
    if pool.len() < hand + deck {
        return Err(Fault::position(format!(
            "{hand} cards in the hand and {deck} in the deck, but only {} possible cards",
            pool.len()
        )));
    }
    seat.unseen = true;
    seat.shuffled = true;
    seat.hand = Pile::from_cards(pool[..hand].iter().copied());
    seat.deck = Pile::from_cards(pool[hand..hand + deck].iter().copied());
    seat.spare = Spare::default();
    pool[hand + deck..].iter().for_each(|&card| seat.spare.add(card));
    Ok(())
}

/// Two copies of each card usable by this team.
fn playable(seat: &Seat) -> Vec<Card> {
    let team = || seat.fighters.iter().map(|fighter| fighter.who);
    let cards = Card::all().filter(|card| card.serves(team()));
    cards.flat_map(|card| [card, card]).collect()
}

/// A deck without the cards in play.
fn without_table(seat: &Seat, mut list: Vec<Card>) -> Vec<Card> {
    let attached = seat.fighters.iter().flat_map(|fighter| fighter.attached.as_slice());
    for slot in attached.chain(seat.supports.as_slice()) {
        let is_worn = slot.what.row().zone.is_worn() || !matches!(slot.what, Status::Satiated);
        if let Some(place) = list.iter().position(|&card| is_worn && creates(card, slot.what)) {
            list.remove(place);
        }
    }
    list
}

fn creates(card: Card, what: Status) -> bool {
    let creates = |effect: &Effect| matches!(effect, Effect::Create(status) if *status == what);
    card.row().effects.iter().any(creates)
}
