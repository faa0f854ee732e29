//! What the card duel knows about itself.

use super::effects::{Effect, Rule, When};
use super::moves::{Act, Move};
use super::state::{Fighter, Genius, Seat};
use super::statuses::Status;
use crate::game::{Expert, Game, Rng, Side};

/// Hit points, energy, auras, dice, cards and what lies on the table, added up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Duelist;

/// One hit point.
const HP: i32 = 100;
/// A living character beyond its hit points: who has fallen acts no more.
const LIFE: i32 = 300;
const ENERGY: i32 = 60;
/// An aura invites a reaction.
const AURA: i32 = -40;
/// A die that can still be spent in this round.
const DIE: i32 = 50;
const CARD: i32 = 50;
/// A status that helps.
const STATUS: i32 = 70;
const FROZEN: i32 = -150;
/// Of the damage that a summon will deal.
const SUMMON: i32 = 70;
/// The lead that makes a win e times as likely as a loss.
const DOUBT: f64 = 700.0;
/// No side is worth more: three fighters, their statuses and those of the side, dice and cards.
const MOST: i32 = 12_000;

fn fighter(fighter: &Fighter) -> i32 {
    if !fighter.alive {
        return 0;
    }
    let attached = fighter.attached.as_slice().iter().map(|slot| match slot.what {
        Status::Frozen => FROZEN,
        Status::Satiated => 0,
        _ => STATUS,
    });
    LIFE + HP * i32::from(fighter.hp)
        + ENERGY * i32::from(fighter.energy)
        + AURA * i32::from(fighter.aura.bits() != 0)
        + attached.sum::<i32>()
}

/// The damage of a summon at the end of a round.
fn damage(what: Status) -> i32 {
    let hits = what.row().rules.iter().map(|rule| match rule {
        Rule::On { when: When::End, effect: Effect::Hit(_, n) | Effect::HitAsTaken(n), .. } => {
            i32::from(*n)
        }
        _ => 0,
    });
    hits.sum()
}

fn worth(seat: &Seat) -> i32 {
    let dice = if seat.ended { 0 } else { i32::from(seat.dice.total()) };
    let summons = seat.summons.as_slice().iter().map(|slot| damage(slot.what) * i32::from(slot.n));
    let standing = seat.team.len() + seat.supports.len();
    seat.fighters.iter().map(fighter).sum::<i32>()
        + DIE * dice
        + CARD * seat.hand.len() as i32
        + STATUS * i32::from(standing)
        + SUMMON * summons.sum::<i32>()
}

/// How promising an act looks: cards that help first, then damage, then the rest; the end last.
fn promise(pos: &Genius, side: Side, act: Act) -> i32 {
    match act {
        Act::Play(card, _) => 200 - i32::from(card.row().cost.dice()),
        Act::Skill(number) => {
            let skill = &pos.seat(side).active().who.row().skills[usize::from(number)];
            let hits = skill.effects.iter().map(|effect| match effect {
                Effect::Hit(_, n)
                | Effect::HitNth { amount: n, .. }
                | Effect::HitBeside { amount: n, .. } => 10 * i32::from(*n),
                _ => 5,
            });
            100 + hits.sum::<i32>()
        }
        Act::Switch(_) => 50,
        Act::Tune(..) => 20,
        Act::End => -100,
        Act::Reroll(dice) => i32::from(dice.total()),
        _ => 0,
    }
}

impl Expert<Genius> for Duelist {
    fn bound(&self) -> i32 {
        MOST
    }

    fn evaluate(&mut self, pos: &Genius, mover: Side) -> i32 {
        let lead = worth(pos.seat(mover)) - worth(pos.seat(mover.other()));
        lead.clamp(-MOST, MOST)
    }

    fn order(&self, pos: &Genius, mover: Side, mv: Move) -> i32 {
        promise(pos, mover, mv.act)
    }

    /// Mostly a skill or a card; the end only when there is nothing better to do.
    fn playout_move(&self, pos: &Genius, rng: &mut Rng, scratch: &mut Vec<Move>) -> Option<Move> {
        scratch.clear();
        pos.moves(scratch);
        let is_useful = |mv: &Move| matches!(mv.act, Act::Skill(_) | Act::Play(..));
        if scratch.iter().any(is_useful) && rng.below(4) > 0 {
            scratch.retain(is_useful);
        }
        rng.pick(scratch)
    }

    fn hope(&self, depth: u32) -> Option<i32> {
        Some(super::thrift::hope(depth))
    }

    fn poorer(&self, pos: &Genius, mover: Side) -> Option<Genius> {
        super::thrift::poorer(pos, mover)
    }

    fn independent(&self, _: &Genius, a: Move, b: Move) -> bool {
        super::thrift::independent(a.act, b.act)
    }

    fn follows(&self, _: &Genius, previous: u16, mv: Move) -> i32 {
        super::thrift::follows(previous, mv.act)
    }

    fn stand_in(&self, pos: &Genius, outcome: Move) -> Move {
        super::thrift::stand_in(pos, outcome)
    }

    fn win_probability(&self, value: f64) -> f64 {
        1.0 / (1.0 + (-value / DOUBT).exp())
    }
}
