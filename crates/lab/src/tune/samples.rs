//! File of positions with the results of their games: one per line, an empty line after each game.
//!
//! ```text
//! r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C4NC1/9/RNBAKAB1R w - - 2 3 | 0.5 | 31
//! ```
//! The state, the result of its game and the score of the search, both for the first side, the score in the
//! game's units; `-` where there is none in units.

use std::fmt::Write;

use super::regression::Observations;
use catalog::Linear;

/// A position of a game.
pub(super) struct TrainingSample {
    pub(super) state: String,
    pub(super) score: Option<f64>,
}

/// Mark of a missing score.
const NOTHING: &str = "-";

/// Maximum number of positions kept of a game, evenly spread over it: they share its result, and long games
/// would weigh more than others.
const MOST_OF_A_GAME: usize = 40;

/// The lines of a game.
pub(super) fn written(samples: &[TrainingSample], result: f64) -> String {
    let mut text = String::new();
    let every = samples.len().div_ceil(MOST_OF_A_GAME).max(1);
    for TrainingSample { state, score } in samples.iter().step_by(every) {
        let score = score.map_or(NOTHING.into(), |score| score.to_string());
        writeln!(text, "{state} | {result} | {score}").expect("a string takes any text");
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// One game in this many is held out.
const HELD_OUT: usize = 10;

/// Reads all games of a file: the training set, and the held-out set to check what was learned.
///
/// # Errors
/// Names the faulty line and the expected form.
pub(super) fn read(text: &str, linear: &dyn Linear) -> Result<[Observations; 2], String> {
    let mut read = [Observations::default(), Observations::default()];
    let (mut games, mut inside) = (0, false);
    for (n, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            inside = false;
            continue;
        }
        games += usize::from(!inside);
        let part = &mut read[usize::from(games % HELD_OUT == 0)];
        if !inside {
            part.begin();
        }
        inside = true;
        let (state, result, score) = fields(line).map_err(|why| format!("{}: {why}", n + 1))?;
        let factors = linear.factors(state).map_err(|why| format!("{}: {why}", n + 1))?;
        part.add(&factors, result, score.map(|score| score * linear.unit()));
    }
    if read.iter().any(|part| part.len() == 0) {
        return Err(format!(" {games} games are too few; expected at least {HELD_OUT}"));
    }
    Ok(read)
}

fn fields(line: &str) -> Result<(&str, f64, Option<f64>), String> {
    let mut parts = line.rsplitn(3, '|').map(str::trim);
    let (Some(score), Some(result), Some(state)) = (parts.next(), parts.next(), parts.next())
    else {
        return Err(format!("expected `state | result | score`, got `{line}`"));
    };
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    let result = number(result)
        .filter(|result| (0.0..=1.0).contains(result))
        .ok_or_else(|| format!("`{result}` is not a result from 0 to 1"))?;
    if score == NOTHING {
        return Ok((state, result, None));
    }
    let score = number(score).ok_or_else(|| format!("`{score}` is not a score in units"))?;
    Ok((state, result, Some(score)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_game_some_positions_are_kept_from_its_first_to_its_end() {
        for (played, kept) in [(0, 0), (1, 1), (40, 40), (41, 21), (120, 40), (200, 40)] {
            let sample = |n| TrainingSample { state: format!("{n}"), score: Some(0.0) };
            let text = written(&(0..played).map(sample).collect::<Vec<_>>(), 0.5);
            let states: Vec<usize> =
                text.lines().filter_map(|line| line.split(' ').next()?.parse().ok()).collect();
            assert_eq!(states.len(), kept, "of {played}");
            let step = states.get(1).map_or(1, |second| second - states[0]);
            assert!(states.iter().enumerate().all(|(n, &state)| state == n * step), "{states:?}");
            assert!(states.is_empty() || played - states[kept - 1] <= step, "{states:?}");
        }
    }
}
