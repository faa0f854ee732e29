//! Numbers of a search, tuned together by games between values on either side.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::spsa::{Spsa, Trial, TunedNumber};
use crate::progress::CommandProgress;
use crate::threads;
use arena::opening::{Balance, JUDGED_BY, Openings};
use arena::pairing::Pairing;
use arena::player::Own;
use catalog::question::Question;
use catalog::{AnyGame, Catalog, MethodInfo};
use engine::options::{OptionKind, OptionSpec};

/// Pairs of games between two moves of the numbers, so that the number of threads has no say in the result.
const BATCH: u64 = 16;
/// Random plies at the beginning of a game.
const OPENING: usize = 6;
/// Largest value of an opening for either side, in points.
const BALANCE: f64 = 1.0;
/// Width of a number's last trials as a share of its value, and the least one of a whole number. Not tuned.
const WIDTH: f64 = 0.1;
const LEAST_WIDTH: f64 = 1.0;

/// The search whose numbers are tuned, and its games.
pub(super) struct SearchTuning<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) game: &'a dyn AnyGame,
    /// Both sides of every game, but for the numbers.
    pub(super) question: Question,
    /// Option of the game that receives a seed per pair, in place of random moves.
    pub(super) deal: Option<String>,
    /// Threads.
    pub(super) jobs: usize,
}

/// A line of the file: a batch of games, and where the numbers stand after it.
#[derive(Debug, Serialize, Deserialize)]
struct Batch {
    /// Pairs of games so far.
    pairs: u64,
    /// Games that the first sets of this batch won more than they lost.
    won_more: f64,
    values: BTreeMap<String, f64>,
}

impl SearchTuning<'_> {
    /// Tunes these options, as `name` or `name:width`, by so many pairs of games, and goes on where the file ends.
    ///
    /// # Errors
    /// When an option is none of the search's, a question is wrong, or the file is not one of theirs.
    pub(super) fn run(
        &self,
        options: &[String],
        [games, seed]: [u64; 2],
        path: &Path,
        out: &mut impl Write,
    ) -> Result<(), String> {
        let named = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let numbers = options.iter().map(|text| self.number(text));
        let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
        let is_twice = |at: usize| numbers[..at].iter().any(|one| one.name == numbers[at].name);
        if let Some(at) = (0..numbers.len()).find(|&at| is_twice(at)) {
            return Err(format!("`{}` is named twice: name it once", numbers[at].name));
        }
        let before = numbers.clone();
        let mut spsa = Spsa { numbers, pairs: games.div_ceil(2), seed };
        let done = go_on(&mut spsa, path).map_err(|why| named(&why))?;
        let file = File::options().create(true).append(true).open(path);
        let mut file = file.map_err(|why| named(&why))?;
        let progress = CommandProgress::new(spsa.pairs, "pairs");
        progress.advance(done);
        let mut first = done;
        while first < spsa.pairs {
            let last = (first + BATCH).min(spsa.pairs);
            let trials: Vec<_> = (first..last).map(|pair| (pair, spsa.trial(pair))).collect();
            let results = self.play(&spsa, &trials)?;
            for ((_, trial), won_more) in trials.iter().zip(&results) {
                spsa.learn(trial, *won_more);
            }
            let values = spsa.numbers.iter().map(|one| (one.name.to_owned(), one.value)).collect();
            let line = Batch { pairs: last, won_more: results.iter().sum(), values };
            writeln!(file, "{}", json!(line)).map_err(|why| named(&why))?;
            progress.advance(last - first);
            first = last;
        }
        drop(progress);
        print(&before, &spsa, self.question.game.as_str(), out)
            .map_err(|why| format!("cannot print: {why}"))
    }

    /// The option with this name, at its value in the question or else in the game.
    fn number(&self, text: &str) -> Result<TunedNumber, String> {
        let (name, width) =
            text.split_once(':').map_or((text, None), |(name, width)| (name, Some(width)));
        let info = self.game.describe();
        let method = self.method()?;
        let tunable = || method.options.iter().filter_map(tunable);
        let Some(mut number) = tunable().find(|known| known.name == name) else {
            let names: Vec<_> = tunable().map(|known| known.name).collect();
            let (game, method, names) = (info.name, method.name, names.join(", "));
            return Err(format!(
                "`{name}` is no number of `{method}` in {game}; expected one of: {names}"
            ));
        };
        let given = self.question.options.get(name).or_else(|| info.defaults.get(name));
        number.value = given.and_then(Value::as_f64).unwrap_or(number.value);
        number.width = usual_width(&number);
        let most = number.range[1] - number.range[0];
        let width = width.map_or(Ok(number.width), str::parse);
        number.width = width.ok().filter(|width| 0.0 < *width && *width <= most).ok_or_else(|| {
            let usual = (10.0 * number.width).round() / 10.0;
            format!("`{text}`: expected a width up to {most} after the colon, such as {name}:{usual}")
        })?;
        Ok(number)
    }

    /// The method of the question.
    fn method(&self) -> Result<&'static MethodInfo, String> {
        let (info, asked) = (self.game.describe(), self.question.algorithm.as_str());
        let name = if asked == "auto" { info.default_algorithm } else { asked };
        let methods = self.game.methods();
        methods.into_iter().find(|method| method.name == name).ok_or_else(|| {
            let offered = info.algorithms.join(", ");
            format!("`{name}` is no method of {}; expected one of: {offered}", info.name)
        })
    }

    /// Beginnings of games: random moves, balanced where the method can say so.
    fn openings(&self) -> Result<Openings, String> {
        let method = self.method()?;
        let has_units = method.evaluates && !method.estimates && !self.game.describe().chance;
        let is_dealt = self.deal.is_some();
        let most = BALANCE * self.game.point();
        let balance = || Balance::new(most, self.question.clone(), JUDGED_BY);
        Ok(Openings {
            beginnings: Vec::new(),
            plies: if is_dealt { 0 } else { OPENING },
            balance: (has_units && !is_dealt).then(balance),
        })
    }

    /// Plays the pairs of these trials: the games that each first set won more than it lost.
    fn play(&self, spsa: &Spsa, trials: &[(u64, Trial)]) -> Result<Vec<f64>, String> {
        let pairing = Pairing {
            game: self.question.game.clone(),
            basis: Some(self.question.clone()),
            openings: self.openings()?,
            deal: self.deal.clone(),
            seed: spsa.seed,
        };
        let next = AtomicUsize::new(0);
        let results = Mutex::new(vec![0.0; trials.len()]);
        threads::side_by_side(self.jobs, || {
            while let at = next.fetch_add(1, Ordering::Relaxed)
                && let Some((pair, trial)) = trials.get(at)
            {
                let mut players = [1.0, -1.0]
                    .map(|sign| Own::new(self.asked(&spsa.numbers, &spsa.values(trial, sign))));
                let games = pairing.play_pair(self.catalog, &mut players, *pair)?;
                let won_more = games.iter().map(|game| 2.0 * game.result - 1.0).sum();
                results.lock().expect("no panic while locked")[at] = won_more;
            }
            Ok(())
        })?;
        Ok(results.into_inner().expect("no panic while locked"))
    }

    /// The question with these values.
    fn asked(&self, numbers: &[TunedNumber], values: &[f64]) -> Question {
        let mut question = self.question.clone();
        for (number, value) in numbers.iter().zip(values) {
            question.options.insert(number.name.to_owned(), written(number, *value));
        }
        question
    }
}

/// Sets the numbers to where the file ends; the pairs played until then.
fn go_on(spsa: &mut Spsa, path: &Path) -> Result<u64, String> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        Err(why) => return Err(why.to_string()),
    };
    let Some(line) = text.lines().last() else { return Ok(0) };
    let Batch { pairs, mut values, .. } = serde_json::from_str(line)
        .map_err(|why| format!("expected lines of an earlier tuning of a search: {why}"))?;
    for number in &mut spsa.numbers {
        let value = values.remove(number.name);
        number.value = value.ok_or_else(|| format!("it has no `{}`", number.name))?;
    }
    match values.keys().next() {
        None => Ok(pairs),
        Some(other) => Err(format!("it tunes `{other}`, too: name it, or take another file")),
    }
}

/// The option as a number at its default, if it is one.
fn tunable(spec: &OptionSpec) -> Option<TunedNumber> {
    let ([least, most, value], is_whole) = match spec.kind {
        OptionKind::Integer { min, max, default } => ([min, max, default].map(|n| n as f64), true),
        OptionKind::Number { min, max, default } => ([min, max, default], false),
        OptionKind::Flag { .. } | OptionKind::Choice(_) => return None,
    };
    Some(TunedNumber { name: spec.name, range: [least, most], is_whole, width: 0.0, value })
}

fn usual_width(number: &TunedNumber) -> f64 {
    let width = WIDTH * number.value.abs();
    if number.is_whole { width.max(LEAST_WIDTH) } else { width }
}

/// A value of a number as an option.
fn written(number: &TunedNumber, value: f64) -> Value {
    if number.is_whole { json!(value.round() as i64) } else { json!(value) }
}

/// Prints where the numbers went, and the options to try them by.
fn print(
    before: &[TunedNumber],
    spsa: &Spsa,
    game: &str,
    out: &mut impl Write,
) -> std::io::Result<()> {
    writeln!(out, "{:<24} {:>9} {:>9} {:>9}", "option", "before", "now", "widths")?;
    for (old, new) in before.iter().zip(&spsa.numbers) {
        let (name, old, new, width) = (new.name, old.value, new.value, new.width);
        writeln!(out, "{name:<24} {old:>9.1} {new:>9.1} {:>+9.1}", (new - old) / width)?;
    }
    let options: serde_json::Map<_, _> =
        spsa.numbers.iter().map(|one| (one.name.to_owned(), written(one, one.value))).collect();
    writeln!(out, "\n{}", json!({ "game": game, "options": options }))
}
