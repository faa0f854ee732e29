//! Writer of engine output.

use serde::{Deserialize, Serialize};

use super::options::{Declared, OptionType};
use catalog::TableProbe;
use catalog::answer::{Answer, ScoreAnswer};
use engine::search::Bound;

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// Protocol of chess programs.
    Uci,
    /// Protocol of xiangqi programs.
    Ucci,
}

/// Mate score of UCCI, which has only numbers; less one per ply.
// CITE: ElephantEye, xqbase 2004.
const MATE: i64 = 10_000;
/// Largest scores other than mates: of UCCI, and of UCI, in hundredths.
const LARGEST: i64 = 9_000;
const LARGEST_CP: i64 = 30_000;

impl Dialect {
    /// Word that ends the introduction.
    pub(super) fn introduced(self) -> &'static str {
        match self {
            Self::Uci => "uciok",
            Self::Ucci => "ucciok",
        }
    }

    /// Declaration of an option.
    pub(super) fn option(self, option: &Declared) -> String {
        let Declared { name, kind } = option;
        let (kind, range, default) = match kind {
            OptionType::Check(default) => ("check", String::new(), Some(default.to_string())),
            OptionType::Spin { min, max, default } => {
                ("spin", format!(" min {min} max {max}"), Some(default.to_string()))
            }
            OptionType::Combo { words, default } => {
                let words: String = words.iter().map(|word| format!(" var {word}")).collect();
                ("combo", words, Some(default.clone()))
            }
            OptionType::Text(default) => ("string", String::new(), Some(default.clone())),
            OptionType::Button => ("button", String::new(), None),
        };
        let default = default.map_or(String::new(), |default| format!(" default {default}"));
        match self {
            Self::Uci => format!("option name {name} type {kind}{default}{range}"),
            Self::Ucci => format!("option {name} type {kind}{range}{default}"),
        }
    }

    /// Human-readable message.
    pub(super) fn message(self, text: &str) -> String {
        let text = text.replace(['\r', '\n'], " ");
        match self {
            Self::Uci => format!("info string {text}"),
            Self::Ucci => format!("info message {text}"),
        }
    }

    /// Search information on the `count` best moves.
    pub(super) fn known(self, answer: &Answer, count: usize) -> Vec<String> {
        let stats = &answer.stats;
        let whole = (answer.score.as_ref(), &answer.principal_variation);
        let rated =
            answer.ratings.iter().map(|rated| (Some(&rated.score), &rated.principal_variation));
        let lines: Vec<_> =
            if answer.ratings.is_empty() { vec![whole] } else { rated.take(count).collect() };
        let (depth, nodes, time) = (stats.depth, stats.nodes, stats.time_ms);
        let speed = (nodes * 1_000).checked_div(time);
        let speed = speed.map_or(String::new(), |speed| format!(" nps {speed}"));
        let line = |(n, (score, moves)): (usize, (Option<&ScoreAnswer>, &Vec<String>))| {
            let score = score.map_or(String::new(), |score| self.score(score));
            let moves = moves.join(" ");
            match self {
                Self::Uci => format!(
                    "info depth {depth} multipv {}{score} nodes {nodes}{speed} time {time} pv {moves}",
                    n + 1
                ),
                Self::Ucci if count > 1 => {
                    format!("info depth {depth} multipv {}{score} pv {moves}", n + 1)
                }
                Self::Ucci => format!("info depth {depth}{score} pv {moves}"),
            }
        };
        let lines = lines.into_iter().enumerate().map(line);
        let figures = (self == Self::Ucci).then(|| format!("info time {time} nodes {nodes}"));
        figures.into_iter().chain(lines).collect()
    }

    /// Score for the side to move, after a space; empty where unknown.
    pub(super) fn score(self, score: &ScoreAnswer) -> String {
        let value = score.value();
        let plies = score.plies().map_or(0, i64::from);
        match (self, score.kind(), value) {
            (Self::Uci, "win", _) => format!(" score mate {}", (plies + 1) / 2),
            (Self::Uci, "loss", _) => format!(" score mate -{}", (plies + 1) / 2),
            (Self::Ucci, "win", _) => format!(" score {}", MATE - plies),
            (Self::Ucci, "loss", _) => format!(" score {}", plies - MATE),
            (_, "draw", _) => self.centi(0.0),
            (_, "heuristic" | "payoff", Some(value)) => self.centi(value),
            (_, "estimate", Some(mean)) => self.centi(elo(mean)),
            _ => String::new(),
        }
    }

    /// Heuristic value, clamped below mate scores: a likely but unproved win exceeds any evaluation, and
    /// clients would take it for a mate or could not show it.
    fn centi(self, value: f64) -> String {
        let value = value.round() as i64;
        match self {
            Self::Uci => format!(" score cp {}", value.clamp(-LARGEST_CP, LARGEST_CP)),
            Self::Ucci => format!(" score {}", value.clamp(-LARGEST, LARGEST)),
        }
    }

    /// Table entry of a position, which only UCCI asks for.
    pub(super) fn remembered(self, known: Option<&TableProbe>) -> String {
        let Some(known) = known else { return "pophash".into() };
        let best = known.best_move.as_ref().map_or(String::new(), |mv| format!(" bestmove {mv}"));
        let score = self.score(&known.score);
        let value = score.split(' ').next_back().unwrap_or_default();
        let bound = |name, without| {
            if known.bound == without {
                String::new()
            } else {
                format!(" {name} {value} depth {}", known.depth)
            }
        };
        let (lower, upper) = (bound("lowerbound", Bound::Upper), bound("upperbound", Bound::Lower));
        format!("pophash{best}{lower}{upper}")
    }

    /// Best move and expected reply; without an answer, no move.
    pub(super) fn best(self, answer: Option<&Answer>) -> String {
        let best = answer.and_then(|answer| answer.best_move.as_ref().zip(Some(answer)));
        let Some((best, answer)) = best else {
            return match self {
                Self::Uci => "bestmove (none)".into(),
                Self::Ucci => "nobestmove".into(),
            };
        };
        match answer.principal_variation.get(1) {
            Some(reply) => format!("bestmove {best} ponder {reply}"),
            None => format!("bestmove {best}"),
        }
    }
}

/// Elo difference that explains an expected result from 0 to 1.
// CITE: Elo 1978.
fn elo(mean: f64) -> f64 {
    let mean = mean.clamp(1e-3, 1.0 - 1e-3);
    400.0 * (mean / (1.0 - mean)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn win(plies: u32) -> ScoreAnswer {
        ScoreAnswer::Win { plies }
    }

    const fn loss(plies: u32) -> ScoreAnswer {
        ScoreAnswer::Loss { plies }
    }

    fn heuristic(value: i64) -> ScoreAnswer {
        ScoreAnswer::Heuristic { value: value.into(), stderr: None, unit: "a pawn".into() }
    }

    #[test]
    fn mates_are_counted_in_moves_of_the_mover() {
        let uci = |score| Dialect::Uci.score(&score);
        let lines = [uci(win(1)), uci(win(3)), uci(loss(2)), uci(loss(4))];
        assert_eq!(lines, [1, 2, -1, -2].map(|moves| format!(" score mate {moves}")));
        let ucci = |score| Dialect::Ucci.score(&score);
        assert_eq!([ucci(win(3)), ucci(loss(2))], [" score 9997", " score -9998"]);
    }

    #[test]
    fn what_is_not_known_is_not_said() {
        assert_eq!(Dialect::Uci.score(&ScoreAnswer::Unknown), "");
        assert_eq!(Dialect::Uci.score(&ScoreAnswer::Draw), " score cp 0");
        assert_eq!(Dialect::Ucci.score(&heuristic(-35)), " score -35");
        let sure = ScoreAnswer::Estimate { value: 1.into(), simulations: 9, stderr: 0.0 };
        assert_eq!(Dialect::Uci.score(&sure), " score cp 1200");
        let likely = heuristic(-1_000_000_000);
        assert_eq!(Dialect::Uci.score(&likely), " score cp -30000");
        assert_eq!(Dialect::Ucci.score(&likely), " score -9000");
    }
}
