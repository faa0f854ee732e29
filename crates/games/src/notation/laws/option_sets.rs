//! All that a game's options can ask for, as start positions of checks.

use crate::notation::{Notation, OptionKind, OptionSpec, OptionValue, Settings, StateInput};
use engine::game::Rng;

/// Environment variable for the number of positions that a check looks at.
const POSITIONS: &str = "BESTMOVE_LAW_POSITIONS";
/// Positions where the variable does not say.
const FEW_POSITIONS: usize = 300;

/// The start position of every set of options that the game takes: the default, each option with each of its
/// words or limits, and as many random mixtures.
pub(super) fn starts<G: Notation>(rng: &mut Rng) -> Vec<(G, Settings)> {
    let start = |settings: Settings| Some((G::read(StateInput::Start, &settings).ok()?, settings));
    option_sets(G::facts().options, rng).into_iter().filter_map(start).collect()
}

/// Calls `check` for each start in turn, at least once, until the wanted number of positions is checked; it
/// returns how many it has checked.
pub(super) fn in_turn<G>(starts: &[(G, Settings)], mut check: impl FnMut(&G, &Settings) -> usize) {
    let wanted = std::env::var(POSITIONS).ok().and_then(|count| count.parse().ok());
    let wanted: usize = wanted.unwrap_or(FEW_POSITIONS);
    let mut checked = 0;
    loop {
        checked += starts.iter().map(|(start, settings)| check(start, settings)).sum::<usize>();
        assert!(checked > 0, "there is no position to check");
        if checked >= wanted {
            return;
        }
    }
}

/// The default options, each option with each of its words or limits, and as many random mixtures.
fn option_sets(specs: &[OptionSpec], rng: &mut Rng) -> Vec<Settings> {
    let defaults = || specs.iter().map(|spec| (spec.name, spec.kind.default()));
    let mut sets = vec![defaults().collect()];
    for spec in specs {
        for value in values(spec.kind) {
            sets.push(defaults().chain([(spec.name, value)]).collect());
        }
    }
    for _ in 0..sets.len() {
        sets.push(specs.iter().map(|spec| (spec.name, any_value(spec.kind, rng))).collect());
    }
    sets
}

fn values(kind: OptionKind) -> Vec<OptionValue> {
    match kind {
        OptionKind::Flag { .. } => [false, true].map(OptionValue::Flag).to_vec(),
        OptionKind::Integer { min, max, .. } => [min, max].map(OptionValue::Integer).to_vec(),
        OptionKind::Number { min, max, .. } => [min, max].map(OptionValue::Number).to_vec(),
        OptionKind::Choice(words) => words.iter().map(|word| OptionValue::Choice(word)).collect(),
    }
}

/// A random value: the default, a word, a limit, or a number between the limits.
fn any_value(kind: OptionKind, rng: &mut Rng) -> OptionValue {
    let mut values = values(kind);
    values.push(kind.default());
    let part = rng.unit();
    match kind {
        OptionKind::Integer { min, max, .. } => {
            values.push(OptionValue::Integer(min + ((max - min) as f64 * part) as i64));
        }
        OptionKind::Number { min, max, .. } => {
            values.push(OptionValue::Number(min + (max - min) * part));
        }
        OptionKind::Flag { .. } | OptionKind::Choice(_) => {}
    }
    rng.pick(&values).expect("an option has a default")
}
