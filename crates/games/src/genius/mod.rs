//! The card duel: two sides with three characters each, dice, cards and elemental reactions.
//!
//! ```text
//! redraw, lead -> roll, reroll -> actions in turn -> end phase, draw 2 -> next round ... 15
//!                                  |                   |
//!                                  +- resolution <-----+   effects are queued as tasks; a task may
//!                                                          stop for a choice or a chance event
//! ```
//!
//! - **Actions.** Skills, switches and ending the round pass the turn unless the opponent has
//!   ended; cards and tuning (a card to change the colour of a die) do not. The first side to end
//!   begins the next round.
//! - **Damage** is converted by infusions, reacts with the target's aura, is increased, reduced,
//!   and subtracted from the hit points.
//! - **Resolution.** Pending events are a stack of tasks in the position. When a fighter falls, its
//!   side chooses another during resolution; dice rolls and card draws are chance nodes there. With
//!   an empty stack a player may act.
//! - **Hidden information.** A side sees its hand and the set of cards in its deck; of the
//!   opponent's hand only the size. A draw is a chance event if the order of the deck is unknown.
//!
//! Characters, cards and statuses are rows of tables: see the README of this folder.
//!
//! - `elements`, `dice`: auras and reactions; costs and payments
//! - `characters`, `cards`, `statuses`, `effects`, `rows`: the tables and their building blocks
//! - `state`, `lists`, `spare`: the position
//! - `damage`, `apply`, `resolve`, `phases`: execution of effects and phases
//! - `moves`, `rules`, `info`, `hash`, `setup`: the game interface
//! - `evaluator`, `worth`, `weights`, `fitting`, `network`: evaluation and move ordering
//! - `pruning_hints`: pruning for the search

mod apply;
mod cards;
mod characters;
mod damage;
mod dice;
mod effects;
mod elements;
mod evaluator;
mod fitting;
mod hash;
mod info;
mod lists;
mod moves;
mod network;
mod notation;
mod phases;
mod pruning_hints;
mod resolve;
mod rows;
mod rules;
mod setup;
mod spare;
mod state;
mod statuses;
#[cfg(test)]
mod tests;
mod weights;
mod worth;

pub use cards::Card;
pub use characters::Character;
pub use dice::{Cost, Dice, Need};
pub use elements::{Aura, Damage, Element, Reaction};
pub use evaluator::{GeniusEvaluation, GeniusEvaluator};
pub use info::{GeniusChance, GeniusView};
pub use moves::{Act, GeniusMove, Target};
pub use network::{GENIUS_HIDDEN, GeniusInput};
pub use setup::DeckName;
pub use state::{Genius, Profile};
pub use statuses::Status;
