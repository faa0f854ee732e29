//! The law that a state read back is the same game: it stands alike and goes on alike.

use serde_json::Value;

use super::forms;
use super::option_sets::{in_turn, starts};
use crate::notation::{Notation, Settings, choices};
use engine::game::{Chance, History, Outcome, Rng, Turn};

/// Of the positions of a random game one in this number is checked, and the last.
const ONE_IN: usize = 6;
/// Random plies that are played on from a checked position.
const PLIES: usize = 10;

/// Checks random games from the start position of every set of options: each option with each of its words
/// or limits, and as many random mixtures. Sets that the game refuses are passed over.
///
/// # Panics
/// Where a state read back is another game.
pub fn check_same_game<G: Notation + History>(seed: u64) {
    check_same_game_from(&starts::<G>(&mut Rng::new(seed)), seed, G::hash);
}

/// [`check_same_game`] from these positions with their options. Positions that are the same have the same
/// `key`, which is the hash unless it covers more than the written form.
///
/// # Panics
/// Where a state read back is another game.
pub fn check_same_game_from<G: Notation + History>(
    starts: &[(G, Settings)],
    seed: u64,
    key: fn(&G) -> u64,
) {
    let mut rng = Rng::new(seed);
    in_turn(starts, |start, settings| check_random_game(start, settings, &mut rng, key));
}

/// Plays a random game and checks some of its positions; returns their number.
fn check_random_game<G: Notation + History>(
    start: &G,
    settings: &Settings,
    rng: &mut Rng,
    key: fn(&G) -> u64,
) -> usize {
    let mut pos = start.clone();
    let mut checked = 0;
    loop {
        let mv = random_successor(&pos, rng);
        if mv.is_none() || rng.below(ONE_IN) == 0 {
            for (form, read) in forms(&pos, settings) {
                check_futures(&pos, &read, &form, rng, key);
            }
            checked += 1;
        }
        let Some(mv) = mv else { return checked };
        pos.play(mv);
    }
}

/// A random move or chance outcome; `None` when the game is over.
pub(super) fn random_successor<G: Notation>(pos: &G, rng: &mut Rng) -> Option<G::Move> {
    match pos.standing() {
        Turn::Over(_) => None,
        Turn::Chance(event) => Some(event.sample(pos, rng)),
        Turn::Of(_) => pos.random_move(rng, &mut Vec::new()),
    }
}

/// Plays on at random from a position and from the one read from its form, side by side.
fn check_futures<G: Notation + History>(
    pos: &G,
    read: &G,
    form: &str,
    rng: &mut Rng,
    key: fn(&G) -> u64,
) {
    let (mut course, mut again) = (vec![pos.clone()], vec![read.clone()]);
    let mut line = Vec::new();
    for _ in 0..=PLIES {
        let (pos, read) = (&course[course.len() - 1], &again[again.len() - 1]);
        let there = || format!("read from {form}, after {line:?}");
        assert_eq!(Appearance::of(&again), Appearance::of(&course), "{}", there());
        assert_eq!(key(read), key(pos), "the hash {}", there());
        let Some(mv) = random_successor(pos, rng) else { return };
        let text = pos.move_text(mv);
        let same = choices(read).into_iter().find(|&mv| read.move_text(mv) == text);
        let same = same.unwrap_or_else(|| panic!("{text} is no move {}", there()));
        let (pos, read) = (pos.after(mv), read.after(same));
        line.push(text);
        course.push(pos);
        again.push(read);
    }
}

/// All that a client can see of a position: result and reason, moves with their chances, written forms.
#[derive(Debug, PartialEq)]
struct Appearance {
    standing: String,
    reason: Option<&'static str>,
    ruling: Option<(Outcome, &'static str)>,
    moves: Vec<String>,
    chances: Vec<f64>,
    json: Value,
    text: Option<String>,
}

impl Appearance {
    /// The appearance at the end of a course.
    fn of<G: Notation + History>(course: &[G]) -> Self {
        let pos = &course[course.len() - 1];
        let standing = pos.standing();
        let mut outcomes = Vec::new();
        if let Turn::Chance(event) = standing {
            event.outcomes(pos, &mut outcomes);
        }
        Self {
            standing: format!("{standing:?}"),
            reason: match standing {
                Turn::Over(outcome) => Some(pos.reason(outcome)),
                _ => None,
            },
            ruling: G::adjudicate(course),
            moves: choices(pos).into_iter().map(|mv| pos.move_text(mv)).collect(),
            chances: outcomes.into_iter().map(|(_, chance)| chance).collect(),
            json: pos.json(),
            text: pos.text(),
        }
    }
}
