//! Lines of a file of positions.

use std::fmt::Write as _;

/// A position of a game with the score of its search.
#[derive(Debug)]
pub struct PlayedPosition {
    /// Text of the state, or its JSON.
    pub state: String,
    /// The score.
    pub score: PlayedScore,
    /// The best move of the search, if moves are told.
    pub best_move: Option<String>,
}

/// What the search of a position says about its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlayedScore {
    /// For the first side, in the game's units.
    Units(f64),
    /// None in units.
    None,
    /// The next move changes too much: a static evaluation of the position means little.
    Unquiet,
}

/// Marks of a missing score.
const NOTHING: &str = "-";
const UNQUIET: &str = "*";

impl PlayedScore {
    /// The score in units.
    pub fn units(self) -> Option<f64> {
        match self {
            Self::Units(units) => Some(units),
            Self::None | Self::Unquiet => None,
        }
    }

    fn read(text: &str) -> Result<Self, String> {
        match text {
            NOTHING => Ok(Self::None),
            UNQUIET => Ok(Self::Unquiet),
            units => finite(units)
                .map(Self::Units)
                .ok_or_else(|| format!("`{units}` is not a score in units")),
        }
    }
}

impl std::fmt::Display for PlayedScore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Units(units) => units.fmt(f),
            Self::None => f.write_str(NOTHING),
            Self::Unquiet => f.write_str(UNQUIET),
        }
    }
}

fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// The lines of a game: one per position, an empty line at the end.
///
/// ```text
/// r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C4NC1/9/RNBAKAB1R w - - 2 3 | 0.5 | 31
/// r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C4NC1/9/RNBAKAB1R w - - 2 3 | 0.5 | 31 | a0a1
/// ```
/// The state, the result of its game and the score of the search, both for the first side, the score in the
/// game's units, `-` where there is none, `*` where the position is not quiet; the best move, if moves are told.
pub fn written(samples: &[PlayedPosition], result: f64, most: usize) -> String {
    let mut text = String::new();
    let every = samples.len().div_ceil(most).max(1);
    for PlayedPosition { state, score, best_move } in samples.iter().step_by(every) {
        write!(text, "{state} | {result} | {score}").expect("a string takes any text");
        if let Some(best_move) = best_move {
            write!(text, " | {best_move}").expect("a string takes any text");
        }
        text.push('\n');
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// What a line of a file of positions tells about the games below it, in JSON; `None` for the line of a position.
pub fn terms_of(line: &str) -> Option<&str> {
    line.strip_prefix("# ").map(str::trim).filter(|json| json.starts_with('{'))
}

/// A line of a file of positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionLine<'a> {
    /// Text of the state, or its JSON.
    pub state: &'a str,
    /// Result of the game for the first side, 0 to 1.
    pub result: f64,
    /// Score of the search.
    pub score: PlayedScore,
    /// Best move of the search, if told.
    pub best_move: Option<&'a str>,
}

impl<'a> PositionLine<'a> {
    /// Reads a line: `state | result | score`, or `state | result | score | move`.
    ///
    /// # Errors
    /// When the line is not of that form.
    pub fn read(line: &'a str) -> Result<Self, String> {
        let parts: Vec<_> = line.split('|').map(str::trim).collect();
        let (state, result, score, best_move) = match parts[..] {
            [state, result, score] => (state, result, score, None),
            [state, result, score, best_move] => (state, result, score, Some(best_move)),
            _ => {
                return Err(format!(
                    "expected `state | result | score` or `state | result | score | move`, got `{line}`"
                ));
            }
        };
        let result = finite(result)
            .filter(|result| (0.0..=1.0).contains(result))
            .ok_or_else(|| format!("`{result}` is not a result from 0 to 1"))?;
        Ok(Self { state, result, score: PlayedScore::read(score)?, best_move })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for score in [PlayedScore::Units(-3.5), PlayedScore::None, PlayedScore::Unquiet] {
            for best_move in [None, Some("a1 b2")] {
                let position = PlayedPosition {
                    state: "x o".into(),
                    score,
                    best_move: best_move.map(str::to_owned),
                };
                let text = written(&[position], 0.5, 1);
                let read = PositionLine::read(text.trim_end()).expect("a line");
                assert_eq!(read, PositionLine { state: "x o", result: 0.5, score, best_move });
            }
        }
    }

    #[test]
    fn of_a_long_game_some_positions_are_kept_from_its_first_to_its_end() {
        for (played, kept) in [(0, 0), (1, 1), (40, 40), (41, 21), (120, 40), (200, 40)] {
            let sample = |n| PlayedPosition {
                state: format!("{n}"),
                score: PlayedScore::Units(0.0),
                best_move: None,
            };
            let text = written(&(0..played).map(sample).collect::<Vec<_>>(), 0.5, 40);
            let states: Vec<usize> =
                text.lines().filter_map(|line| line.split(' ').next()?.parse().ok()).collect();
            assert_eq!(states.len(), kept, "of {played}");
            let step = states.get(1).map_or(1, |second| second - states[0]);
            assert!(states.iter().enumerate().all(|(n, &state)| state == n * step), "{states:?}");
            assert!(states.is_empty() || played - states[kept - 1] <= step, "{states:?}");
        }
    }
}
