//! EasyCard, a card duel without luck and without secrets, made to try methods on a game in which a
//! side moves several times in a row.
//!
//! Each side has up to 10 hit points, a shield of up to 2, a boost, six dice a round and a hand of
//! cards. Who is to move may act quickly as often as he can pay, and keeps the move:
//!
//! - `focus` (a card): the boost grows by 1.
//! - `coin` (a card): one die more, up to 8.
//! - `meal` (a card, 1 die): heals 2, once a round.
//! - `guard` (1 die): the shield grows by 1, up to 2.
//!
//! or fights, which passes the move unless the other side has ended:
//!
//! - `attack` (3 dice): 2 damage and the boost, which is spent; the opponent's shield takes it first.
//! - `heavy` (5 dice): 4 damage and the boost, likewise.
//! - `end`: no more of this side in this round.
//!
//! When both have ended, dice are six and shields are nothing again, and the side that ended first
//! begins. Who has no hit points left has lost; after the last round more hit points win, and equal
//! ones are a draw.

mod evaluator;
mod notation;
mod rules;
mod tactics;
#[cfg(test)]
mod tests;

pub use evaluator::EasyCardEvaluator;
pub use rules::{Action, EasyCard, EasyCardSetup, EasyCardSide, Hand};
