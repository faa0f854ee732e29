//! EasyCard, a deterministic card duel with perfect information: a test bed for games in which a
//! side moves several times in a row.
//!
//! Each side has up to 10 hit points, a shield of up to 2, a boost, six dice a round and a hand of
//! cards. The side to move may take any number of affordable quick actions, keeping the move:
//!
//! - `focus` (a card): the boost grows by 1.
//! - `coin` (a card): one die more, up to 8.
//! - `meal` (a card, 1 die): heals 2, once a round.
//! - `guard` (1 die): the shield grows by 1, up to 2.
//!
//! or one combat action, which passes the move unless the other side has ended:
//!
//! - `attack` (3 dice): 2 damage and the boost, which is spent; the opponent's shield takes it first.
//! - `heavy` (5 dice): 4 damage and the boost, likewise.
//! - `end`: the side takes no more actions in this round.
//!
//! When both have ended, dice are reset to six and shields to 0, and the first side to end begins.
//! A side without hit points loses; after the last round more hit points win, equal ones are a
//! draw.

mod evaluator;
mod notation;
mod rules;
mod tactics;
#[cfg(test)]
mod tests;

pub use evaluator::EasyCardEvaluator;
pub use rules::{Action, EasyCard, EasyCardSetup, EasyCardSide, Hand};
