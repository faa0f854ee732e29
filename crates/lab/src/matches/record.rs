//! Record of a match and its summary.

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::elo::{PairScores, Sprt};

/// A finished game.
#[derive(Debug, Serialize)]
pub(super) struct MatchRecord {
    pub(super) pair: u64,
    /// Side of the first engine.
    pub(super) first_plays: &'static str,
    /// Result for the first engine: 1, 0.5 or 0.
    pub(super) result: f64,
    /// Winning side, or `draw`.
    pub(super) outcome: String,
    /// Reason for the end of the game; `illegal_move`, `crash` and `timeout` are a program's own fault.
    pub(super) reason: &'static str,
    /// The illegal move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) illegal: Option<String>,
    /// Start state, where it is not the start position of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<Value>,
    #[serde(serialize_with = "in_one_line")]
    pub(super) moves: Vec<String>,
    /// Thinking time of both engines in ms.
    #[serde(serialize_with = "in_ms")]
    pub(super) time_ms: [Duration; 2],
    /// Processor time of both engines in ms, where known.
    #[serde(serialize_with = "known_in_ms")]
    pub(super) cpu_ms: [Option<Duration>; 2],
}

fn in_one_line<S: serde::Serializer>(moves: &[String], out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(&moves.join(" "))
}

fn in_ms<S: serde::Serializer>(times: &[Duration; 2], out: S) -> Result<S::Ok, S::Error> {
    times.map(|time| time.as_millis() as u64).serialize(out)
}

fn known_in_ms<S: serde::Serializer>(
    times: &[Option<Duration>; 2],
    out: S,
) -> Result<S::Ok, S::Error> {
    times.map(|time| time.map(|time| time.as_millis() as u64)).serialize(out)
}

/// Results so far.
#[derive(Default)]
pub(super) struct MatchTally {
    pub(super) records: Vec<MatchRecord>,
    pub(super) pairs: PairScores,
}

impl MatchTally {
    pub(super) fn count(&self, result: f64) -> usize {
        self.records.iter().filter(|record| record.result == result).count()
    }

    pub(super) fn add(&mut self, pair: [MatchRecord; 2]) {
        self.pairs.add([pair[0].result, pair[1].result]);
        self.records.extend(pair);
    }

    /// Thinking time of both engines in all games, in ms.
    pub(super) fn time_ms(&self) -> [u64; 2] {
        let sum = |n: usize| self.records.iter().map(|record| record.time_ms[n]).sum::<Duration>();
        [0, 1].map(|n| sum(n).as_millis() as u64)
    }

    /// Processor time of both engines in all games, in ms, where known for all.
    pub(super) fn cpu_ms(&self) -> [Option<u64>; 2] {
        let sum = |n: usize| {
            let all = self.records.iter().map(|record| record.cpu_ms[n]);
            all.sum::<Option<Duration>>()
        };
        [0, 1].map(|n| sum(n).map(|time| time.as_millis() as u64))
    }

    /// One-line summary of the standing.
    pub(super) fn summary(&self, test: Option<Sprt>) -> String {
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
