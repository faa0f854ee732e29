//! Elo of players by maximum likelihood of their scores.
// CITE: Bradley and Terry 1952; Zermelo 1929 for the iteration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Score of a player against another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PairScore {
    pub(super) games: u64,
    /// Mean result, 0 to 1.
    pub(super) score: f64,
    /// Standard error by pairs of games, of which the games are not independent.
    pub(super) stderr: f64,
}

/// Strength of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rated {
    pub(super) elo: f64,
    pub(super) stderr: f64,
}

/// Elo of one natural logarithm of odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// Rounds of the iteration, far beyond its convergence.
const ROUNDS: usize = 20_000;

impl PairScore {
    /// The score of both games of each pair.
    pub(super) fn of(pairs: &[[f64; 2]]) -> Self {
        let count = pairs.len() as f64;
        let means: Vec<_> = pairs.iter().map(|[one, two]| 0.5 * (one + two)).collect();
        let score = means.iter().sum::<f64>() / count;
        let variance = means.iter().map(|mean| (mean - score).powi(2)).sum::<f64>() / count;
        Self { games: 2 * pairs.len() as u64, score, stderr: (variance / count).sqrt() }
    }

    /// Wins and losses; half a win more of each, so that nobody is infinitely better.
    fn wins(self) -> [f64; 2] {
        let games = self.games as f64;
        [self.score * games + 0.5, (1.0 - self.score) * games + 0.5]
    }
}

/// Elo of all players, that of `zero` being 0. Names of a pair are separated by a space.
pub(super) fn ratings(scores: &BTreeMap<String, PairScore>, zero: &str) -> BTreeMap<String, Rated> {
    let pairs: Vec<_> = scores
        .iter()
        .filter_map(|(names, score)| names.split_once(' ').map(|(a, b)| (a, b, score.wins())))
        .collect();
    let mut strength: BTreeMap<&str, f64> =
        pairs.iter().flat_map(|&(a, b, _)| [a, b]).map(|name| (name, 1.0)).collect();
    for _ in 0..ROUNDS {
        let before = strength.clone();
        for (name, value) in &mut strength {
            let (mut won, mut expected) = (0.0, 0.0);
            for &(a, b, [wins, losses]) in &pairs {
                if a == *name || b == *name {
                    won += if a == *name { wins } else { losses };
                    expected += (wins + losses) / (before[a] + before[b]);
                }
            }
            *value = won / expected;
        }
        let scale = strength.get(zero).copied().unwrap_or(1.0);
        strength.values_mut().for_each(|value| *value /= scale);
    }
    let rated = |(name, value): (&&str, &f64)| {
        let information: f64 = pairs
            .iter()
            .filter(|(a, b, _)| a == name || b == name)
            .map(|(a, b, [wins, losses])| {
                let p = strength[a] / (strength[a] + strength[b]);
                (wins + losses) * p * (1.0 - p)
            })
            .sum();
        let rated = Rated { elo: ELO * value.ln(), stderr: ELO / information.sqrt() };
        ((*name).to_owned(), rated)
    };
    strength.iter().map(rated).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_are_191_elo_and_add_up() {
        let score = |score| PairScore { games: 100_000, score, stderr: 0.001 };
        let scores = [("2 1".to_owned(), score(0.75)), ("3 2".to_owned(), score(0.75))];
        let rated = ratings(&scores.into(), "1");
        assert_eq!(rated["1"].elo, 0.0);
        assert!((rated["2"].elo - 190.85).abs() < 0.1, "{rated:?}");
        assert!((rated["3"].elo - 381.7).abs() < 0.2, "{rated:?}");
        // sqrt(p (1 - p) n) of one pair: 1 / 136.9, in units of 173.7 Elo.
        assert!((rated["1"].stderr - 1.268).abs() < 0.01, "{rated:?}");
    }

    #[test]
    fn scores_are_means_over_pairs() {
        let score = PairScore::of(&[[1.0, 0.0], [1.0, 1.0], [1.0, 1.0], [1.0, 0.0]]);
        assert_eq!((score.games, score.score), (8, 0.75));
        assert_eq!(score.stderr, 0.125, "pairs of 0.5 and 1");
    }
}
