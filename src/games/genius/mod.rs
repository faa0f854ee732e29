//! The card duel: two sides with three characters each, dice, cards and elements that react.
//!
//! ```text
//! redraw, lead -> roll, reroll -> actions in turn -> end phase, draw 2 -> next round ... 15
//!                                  |                   |
//!                                  +- resolution <-----+   effects wait in a list of tasks and may
//!                                                          stop for a choice or for chance
//! ```
//!
//! - **Actions.** Skills, switches and the end of the round pass the turn unless the opponent has ended;
//!   cards and tuning (a card for the colour of a die) do not. Who ends first begins the next round.
//! - **Damage** is converted by infusions, reacts with the target's aura, is added to, lessened, and
//!   taken from the hit points.
//! - **Resolution.** Whatever happens is a task on a list in the position, the next at the end. When
//!   a fighter falls, his side chooses another in the middle of it; when dice or cards fall, chance
//!   acts there. An empty list means that somebody may act.
//! - **Secrets.** A side sees its hand and which cards its deck holds; of the opponent's hand the number.
//!   Which cards are drawn is chance wherever the order of a deck is not known.
//!
//! Characters, cards and statuses are rows of tables: see the README of this folder.
//!
//! - `elements`, `dice`: auras and reactions; costs and payments
//! - `characters`, `cards`, `statuses`, `effects`, `rows`: the rows and what they are made of
//! - `state`, `lists`, `spare`: a position
//! - `damage`, `apply`, `resolve`, `phases`: what happens
//! - `moves`, `rules`, `info`, `hash`, `setup`: the game
//! - `expert`, `worth`, `weights`, `fitting`: what a position is worth, and what looks promising
//! - `pruning_hints`: what a search may spare itself

mod apply;
mod cards;
mod characters;
mod damage;
mod dice;
mod effects;
mod elements;
mod expert;
mod fitting;
mod hash;
mod info;
mod lists;
mod moves;
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
mod wire;
mod worth;

pub use cards::Card;
pub use characters::Character;
pub use dice::{Cost, Dice, Need};
pub use elements::{Aura, Damage, Element, Reaction};
pub use expert::{GeniusEvaluation, GeniusEvaluator};
pub use info::{GeniusChance, GeniusView};
pub use moves::{Act, GeniusMove, Target};
pub use state::{Genius, Profile};
pub use statuses::Status;
