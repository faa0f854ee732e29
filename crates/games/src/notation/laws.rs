//! Laws of [`Notation`] as checks for tests: written forms can be read back.

mod bounds;
mod option_sets;
mod read_back;

use std::collections::BTreeSet;

use serde_json::{Value, json};

pub use bounds::check_bounds;
pub use read_back::{check_same_game, check_same_game_from};

use super::{FaultKind, Notation, Settings, StateInput, choices};
use engine::game::{Chance, Rng, Turn};

/// Plays `games` random games from `start` and checks in every position that each written form reads back
/// to the same position.
///
/// # Panics
/// Where a law is broken.
pub fn check_notation<G: Notation>(start: &G, settings: &Settings, seed: u64, games: usize) {
    check_facts::<G>();
    walk(start, seed, games, |pos| {
        check_forms(pos, settings);
        for (form, read) in forms(pos, settings) {
            assert_eq!(read.hash(), pos.hash(), "read back from {form}");
        }
    });
}

/// Calls `check` in every position of `games` random games, finished ones included.
pub fn walk<G: Notation>(start: &G, seed: u64, games: usize, check: impl Fn(&G)) {
    let mut rng = Rng::new(seed);
    for _ in 0..games {
        let mut pos = start.clone();
        loop {
            check(&pos);
            let mv = match pos.standing() {
                Turn::Over(_) => break,
                Turn::Chance(event) => event.sample(&pos, &mut rng),
                Turn::Of(_) => pos
                    .random_move(&mut rng, &mut Vec::new())
                    .expect("a mover who is not stuck has a move"),
            };
            pos.play(mv);
        }
    }
}

/// Written forms of a position, each with the position read back from it.
fn forms<G: Notation>(pos: &G, settings: &Settings) -> Vec<(String, G)> {
    let json = pos.json();
    let mut forms = vec![(json.to_string(), StateInput::Json(&json))];
    let text = pos.text();
    forms.extend(text.iter().map(|text| (text.clone(), StateInput::Text(text))));
    let read = |input| G::read(input, settings);
    forms
        .into_iter()
        .map(|(form, input)| match read(input) {
            Ok(pos) => (form, pos),
            Err(fault) => panic!("what was written cannot be read: {form}: {fault}"),
        })
        .collect()
}

/// Checks that a position read back has the same forms, standing and moves. For games whose hash covers more
/// than the written form, the hash cannot be compared.
///
/// # Panics
/// Where a law is broken.
pub fn check_forms<G: Notation>(pos: &G, settings: &Settings) {
    let names =
        |pos: &G| -> Vec<String> { choices(pos).into_iter().map(|mv| pos.move_text(mv)).collect() };
    for (form, read) in forms(pos, settings) {
        assert_eq!(read.json(), pos.json(), "written again after {form}");
        assert_eq!(read.text(), pos.text(), "written again after {form}");
        assert_eq!(read.standing(), pos.standing(), "who is to move in {form}");
        assert_eq!(names(&read), names(pos), "the moves of {form}");
    }
    for mv in choices(pos) {
        let text = pos.move_text(mv);
        assert_eq!(pos.find_move(&text).ok(), Some(mv), "the move written {text}");
    }
    for notation in G::NOTATIONS {
        check_human(pos, notation);
    }
    let fault = pos.find_move("no such move").expect_err("nonsense is no move");
    assert_eq!(fault.kind, FaultKind::Move, "{fault}");
    if let Turn::Over(outcome) = pos.standing() {
        assert!(G::END_REASONS.contains(&pos.reason(outcome)), "a reason for {outcome:?}");
    }
    check_unknown_member(pos, settings);
}

/// Checks that every move reads back from this notation, and that no two are written alike.
///
/// # Panics
/// Where a law is broken.
pub fn check_human<G: Notation>(pos: &G, notation: &str) {
    let mut seen = BTreeSet::new();
    for mv in choices(pos) {
        let text = pos.human(mv, notation);
        assert_eq!(pos.find_move(&text).ok(), Some(mv), "the move written {text} in {notation}");
        assert!(seen.insert(text.clone()), "two moves written {text} in {notation}");
    }
}

/// Checks that an unknown member, most likely a misspelling, is refused with its pointer.
fn check_unknown_member<G: Notation>(pos: &G, settings: &Settings) {
    let mut state = pos.json();
    if let Value::Object(map) = &mut state {
        map.insert("no~such/member".into(), json!(1));
        let fault = G::read(StateInput::Json(&state), settings).err();
        let fault = fault.unwrap_or_else(|| panic!("{state} is read"));
        assert_eq!(fault.kind, FaultKind::Shape, "{fault}");
        assert_eq!(fault.pointer, "/no~0such~1member", "{fault}");
    }
}

/// Checks that the start and the example request of the facts are valid states of this game, not over.
fn check_facts<G: Notation>() {
    let facts = G::facts();
    let settings = Settings::defaults(facts.options);
    assert_eq!(facts.example["game"], facts.name, "the example is of another game");
    assert_ne!(G::SIDES[0], G::SIDES[1], "the sides share a name");
    assert!(facts.scale > 0 && facts.point > 0.0, "scales are positive");
    for input in [StateInput::Start, StateInput::read(facts.example.get("state"))] {
        let pos = G::read(input, &settings).unwrap_or_else(|fault| panic!("{input:?}: {fault}"));
        let standing = pos.standing();
        assert!(!matches!(standing, Turn::Over(_)), "{input:?} is over: {standing:?}");
    }
}

/// Checks that a state of a request is refused with this kind of fault, this pointer and a detail that
/// contains `words`.
///
/// # Panics
/// When it is accepted, or refused with another fault.
pub fn check_refused<G: Notation>(state: &Value, kind: FaultKind, pointer: &str, words: &str) {
    let settings = Settings::defaults(G::facts().options);
    let fault = G::read(StateInput::read(Some(state)), &settings).err();
    let fault = fault.unwrap_or_else(|| panic!("{state} is read"));
    assert_eq!((fault.kind, &fault.pointer[..]), (kind, pointer), "{state}: {fault}");
    assert!(fault.detail.contains(words), "{state}: `{}` does not contain `{words}`", fault.detail);
}
