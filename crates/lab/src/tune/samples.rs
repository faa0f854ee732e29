//! Positions of self-play games to learn from.

use super::regression::Observations;
use crate::self_play::{PlayedScore, PositionLine, terms_of};
use catalog::Linear;

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
        if terms_of(line).is_some() {
            continue;
        }
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
        let line = PositionLine::read(line).map_err(|why| format!("{}: {why}", n + 1))?;
        if line.score == PlayedScore::Unquiet {
            continue;
        }
        let factors = linear.factors(line.state).map_err(|why| format!("{}: {why}", n + 1))?;
        part.add(&factors, line.result, line.score.units().map(|score| score * linear.unit()));
    }
    if read.iter().any(|part| part.len() == 0) {
        return Err(format!(" {games} games are too few; expected at least {HELD_OUT}"));
    }
    Ok(read)
}
