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

/// Strength of a player against the one whose Elo is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rated {
    pub(super) elo: f64,
    /// Standard error of this difference; infinite without a match between them.
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
    let others: Vec<_> = strength.keys().copied().filter(|&name| name != zero).collect();
    let variances = inverse_diagonal(information(&pairs, &strength, &others));
    let stderr = |name: &str| {
        let place = others.iter().position(|&other| other == name);
        place.map_or(0.0, |place| ELO * variances[place].sqrt())
    };
    let rated = |(&name, value): (&&str, &f64)| {
        (name.to_owned(), Rated { elo: ELO * value.ln(), stderr: stderr(name) })
    };
    strength.iter().map(rated).collect()
}

/// Fisher information of the logarithms of these players' strengths, those of all others being known.
fn information(
    pairs: &[(&str, &str, [f64; 2])],
    strength: &BTreeMap<&str, f64>,
    players: &[&str],
) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; players.len()]; players.len()];
    for &(a, b, [wins, losses]) in pairs {
        let p = strength[a] / (strength[a] + strength[b]);
        let weight = (wins + losses) * p * (1.0 - p);
        let [one, other] = [a, b].map(|name| players.iter().position(|&player| player == name));
        for place in [one, other].into_iter().flatten() {
            matrix[place][place] += weight;
        }
        if let Some((one, other)) = one.zip(other) {
            matrix[one][other] -= weight;
            matrix[other][one] -= weight;
        }
    }
    matrix
}

/// Diagonal of the inverse of a positive definite matrix, by Gauss and Jordan. Infinite where the matrix is singular.
fn inverse_diagonal(mut matrix: Vec<Vec<f64>>) -> Vec<f64> {
    let size = matrix.len();
    for (place, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|column| f64::from(u8::from(column == place))));
    }
    for place in 0..size {
        let pivot = matrix[place][place];
        matrix[place].iter_mut().for_each(|value| *value /= pivot);
        let own = matrix[place].clone();
        for (other, row) in matrix.iter_mut().enumerate() {
            let factor = if other == place { 0.0 } else { row[place] };
            row.iter_mut().zip(&own).for_each(|(value, own)| *value -= factor * own);
        }
    }
    let diagonal = (0..size).map(|place| matrix[place][size + place]);
    diagonal.map(|value| if value.is_finite() { value } else { f64::INFINITY }).collect()
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
        // 1 / sqrt(p (1 - p) n) of one match: 1 / 136.9, in units of 173.7 Elo; variances of matches in a row add up.
        let error = 1.268;
        assert_eq!(rated["1"].stderr, 0.0);
        assert!((rated["2"].stderr - error).abs() < 0.01, "{rated:?}");
        assert!((rated["3"].stderr - error * 2_f64.sqrt()).abs() < 0.01, "{rated:?}");
    }

    #[test]
    fn more_matches_make_the_error_smaller() {
        let score =
            |names: &str| (names.to_owned(), PairScore { games: 200, score: 0.5, stderr: 0.0 });
        let chain = [score("2 1"), score("3 2")];
        let round_robin = [score("2 1"), score("3 2"), score("3 1")];
        // Of equal players: in the round the chain of two stands beside one match, 1 / (1 + 1/2).
        let [chain, round] = [&chain[..], &round_robin[..]]
            .map(|scores| ratings(&scores.iter().cloned().collect(), "1")["3"].stderr);
        assert!((round * round / (chain * chain) - 1.0 / 3.0).abs() < 0.001, "{chain} {round}");
    }

    #[test]
    fn scores_are_means_over_pairs() {
        let score = PairScore::of(&[[1.0, 0.0], [1.0, 1.0], [1.0, 1.0], [1.0, 0.0]]);
        assert_eq!((score.games, score.score), (8, 0.75));
        assert_eq!(score.stderr, 0.125, "pairs of 0.5 and 1");
    }
}
