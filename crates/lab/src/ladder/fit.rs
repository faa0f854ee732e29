//! Losses of levels by stochastic approximation: more where a level wins too often, less where too rarely.
// CITE: Robbins and Monro 1951.

use std::io::Write;

use super::{Ladder, LadderRecord, say};
use crate::matches::Match;
use catalog::TOP_LEVEL;

/// Games of a step.
const GAMES: u64 = 8;
/// First step of ln(loss) for a whole win too much, and after how many matches it is half as large. Not tuned.
const STEP: f64 = 3.0;
const HALVED_AFTER: f64 = 8.0;
/// Bounds of a loss.
const LOSSES: (f64, f64) = (0.000_1, 0.6);

impl Ladder {
    /// Fits the losses of all levels that are not fitted yet: level 1 against random play, each other one against
    /// the one below it.
    pub(super) fn fit(
        &self,
        score: f64,
        record: &mut LadderRecord,
        out: &mut impl Write,
    ) -> Result<(), String> {
        for level in record.fitted + 1..TOP_LEVEL {
            let loss = match self.first_loss.filter(|_| level == 1) {
                Some(given) => given,
                None => self.fit_level(level, score, record)?,
            };
            record.levels[level as usize - 1].loss = loss;
            record.fitted = level;
            self.write(record)?;
            say(out, &format!("level {level}: loss {loss}"))?;
        }
        Ok(())
    }

    fn fit_level(&self, level: u64, score: f64, record: &mut LadderRecord) -> Result<f64, String> {
        let place = level as usize - 1;
        let below = if level == 1 { "random".to_owned() } else { (level - 1).to_string() };
        // Between 80 %, which level 1 must have against random play, and what a greedy player has.
        let wanted = if level == 1 { score.max(0.87) } else { score };
        if level > 1 {
            record.levels[place].loss = record.levels[place - 1].loss * 0.7;
        }
        // The mean of the second half counts.
        let steps = (self.fit_games / GAMES).max(2);
        let mut sum = 0.0;
        for step in 0..steps {
            let engines = [self.player(&level.to_string(), record), self.player(&below, record)];
            let seed = self.seed + 1_000 * level + step;
            let games = Match::between(GAMES, seed, self.deal.clone(), self.jobs);
            let results = games.results(engines)?;
            let mean = results.iter().flatten().sum::<f64>() / (2 * results.len()) as f64;
            let length = STEP / (1.0 + step as f64 / HALVED_AFTER);
            let loss = record.levels[place].loss * (length * (mean - wanted)).exp();
            record.levels[place].loss = loss.clamp(LOSSES.0, LOSSES.1);
            if step >= steps / 2 {
                sum += record.levels[place].loss.ln();
            }
        }
        let loss = (sum / (steps - steps / 2) as f64).exp();
        Ok((loss * 1e4).round() / 1e4)
    }
}
