//! Record of a match and its summary.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::elo::{PairScores, Sprt};

/// A finished game.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MatchRecord {
    /// Number of its pair, from 0.
    pub pair: u64,
    /// Side of the first engine.
    pub first_plays: String,
    /// Result for the first engine: 1, 0.5 or 0.
    pub result: f64,
    /// Winning side, or `draw`.
    pub outcome: String,
    /// Reason for the end of the game; `illegal_move`, `crash` and `timeout` are a program's own fault.
    pub reason: String,
    /// The illegal move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub illegal: Option<String>,
    /// Start state, where it is not the start position of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Value>,
    /// All moves, dice included; written in one line.
    #[serde(serialize_with = "in_one_line", deserialize_with = "of_one_line")]
    #[schema(value_type = String)]
    pub moves: Vec<String>,
    /// Thinking time of both engines in ms.
    pub time_ms: [u64; 2],
    /// Processor time of both engines in ms, where known.
    pub cpu_ms: [Option<u64>; 2],
}

fn in_one_line<S: serde::Serializer>(moves: &[String], out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(&moves.join(" "))
}

fn of_one_line<'de, D: Deserializer<'de>>(text: D) -> Result<Vec<String>, D::Error> {
    let text = String::deserialize(text)?;
    Ok(text.split_whitespace().map(str::to_owned).collect())
}

/// Results so far.
#[derive(Clone, Debug, Default)]
pub struct MatchTally {
    /// The games, pair by pair.
    pub records: Vec<MatchRecord>,
    /// Pairs by their results.
    pub pairs: PairScores,
}

impl MatchTally {
    /// Games with this result.
    pub fn count(&self, result: f64) -> usize {
        self.records.iter().filter(|record| record.result == result).count()
    }

    /// Counts a pair.
    pub fn add(&mut self, pair: [MatchRecord; 2]) {
        self.pairs.add([pair[0].result, pair[1].result]);
        self.records.extend(pair);
    }

    /// Thinking time of both engines in all games, in ms.
    pub fn time_ms(&self) -> [u64; 2] {
        [0, 1].map(|n| self.records.iter().map(|record| record.time_ms[n]).sum())
    }

    /// Processor time of both engines in all games, in ms, where known for all.
    pub fn cpu_ms(&self) -> [Option<u64>; 2] {
        [0, 1].map(|n| self.records.iter().map(|record| record.cpu_ms[n]).sum())
    }

    /// One-line summary of the standing.
    pub fn summary(&self, test: Option<Sprt>) -> String {
        let [wins, draws, losses] = [1.0, 0.5, 0.0].map(|result| self.count(result));
        let Some(strength) = self.pairs.strength() else { return "no games".into() };
        let (score, error) = (100.0 * strength.score, 100.0 * strength.score_error);
        let elo = match (strength.elo, strength.elo_error) {
            (Some(elo), Some(error)) => format!("{elo:+.0} +- {error:.0}"),
            _ => "beyond measure".into(),
        };
        let evidence = test.map_or(String::new(), |test| {
            let evidence = self.pairs.evidence(test);
            let Sprt { elo0, elo1 } = test;
            format!("; sprt {elo0},{elo1}: llr {:.2}, {}", evidence.llr, evidence.state)
        });
        format!(
            "{} games: +{wins} ={draws} -{losses}, {score:.1} % +- {error:.1}, elo {elo}{evidence}",
            self.records.len()
        )
    }
}
