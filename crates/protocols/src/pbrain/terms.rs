//! Settings of a manager by `INFO`: rules, clocks, limits.

use std::time::Duration;

use crate::timing::{Remaining, allot};

/// All settings. `INFO` has no answer, so an unreadable one changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct ManagerInfo {
    /// Number of the rules.
    rule: i64,
    /// Time per move in ms; 0 means as fast as possible.
    turn_ms: Option<u64>,
    /// Time per game in ms; 0 means no limit.
    match_ms: u64,
    /// Time left in the game in ms.
    left_ms: Option<i64>,
    /// Positions that a search may visit.
    pub(super) nodes: Option<u64>,
    /// Maximum search depth in plies.
    pub(super) depth: Option<u64>,
    /// Memory limit of the process in bytes.
    pub(super) memory: Option<u64>,
    /// Search threads.
    pub(super) threads: Option<u64>,
}

/// Value of `time_left` where nothing limits the game.
const UNLIMITED: i64 = i32::MAX as i64;
/// Time per move in ms where the manager sets no limit.
const BY_DEFAULT: u64 = 1_000;
/// Time per move in ms where it is to be as fast as possible.
const FASTEST: u64 = 10;
/// Overhead of the round trip to the manager: in ms, and as a part of the time for a move.
const MARGIN: u64 = 50;
const MARGIN_PART: u64 = 8;

impl ManagerInfo {
    /// Sets a key. Keys irrelevant to a search are ignored.
    pub(super) fn set(&mut self, key: &str, value: &str) {
        let Ok(number) = value.parse::<i64>() else { return };
        // A limit of 0 means no limit.
        let limit = u64::try_from(number).ok().filter(|&number| number > 0);
        match key {
            "rule" => self.rule = number,
            "timeout_turn" => self.turn_ms = Some(limit.unwrap_or(0)),
            "timeout_match" => self.match_ms = limit.unwrap_or(0),
            "time_left" => self.left_ms = Some(number),
            "max_node" => self.nodes = limit,
            "max_depth" => self.depth = limit,
            "max_memory" => self.memory = limit,
            "thread_num" => self.threads = limit,
            _ => {}
        }
    }

    /// Starts a new game: the time left of the last one is void.
    pub(super) fn renew(&mut self) {
        self.left_ms = None;
    }

    /// Name of the rules in this program.
    ///
    /// # Errors
    /// When they are unknown here.
    pub(super) fn rules(&self) -> Result<&'static str, String> {
        match self.rule {
            0 => Ok("freestyle"),
            1 => Ok("standard"),
            // Yixin's number is 2.
            2 | 4 => Ok("renju"),
            8 => Ok("caro"),
            other => Err(format!(
                "unknown INFO rule {other}; known: 0 (freestyle), 1 (standard), 4 (renju), 8 (caro)"
            )),
        }
    }

    /// Time for the move in ms, if there is any limit; `spent` was used earlier in this game.
    pub(super) fn time_ms(&self, spent: Duration) -> Option<u64> {
        let turn = self.turn_ms.map(|ms| match ms {
            0 => FASTEST,
            ms => (ms - MARGIN.min(ms / MARGIN_PART)).max(1),
        });
        let by_match = || match self.match_ms {
            0 => None,
            ms => Some(ms.saturating_sub(spent.as_millis() as u64)),
        };
        let left = match self.left_ms {
            Some(UNLIMITED) => None,
            // An expired clock may be given as a negative time.
            Some(ms) => Some(ms.max(0).unsigned_abs()),
            None => by_match(),
        };
        let share = left.map(|left| allot(Remaining { left, increment: 0, moves_to_go: None }));
        let time = [turn, share].into_iter().flatten().min();
        let is_limited = self.nodes.is_some() || self.depth.is_some();
        time.or(if is_limited { None } else { Some(BY_DEFAULT) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(lines: &[(&str, &str)]) -> ManagerInfo {
        let mut terms = ManagerInfo::default();
        lines.iter().for_each(|(key, value)| terms.set(key, value));
        terms
    }

    fn time(lines: &[(&str, &str)]) -> Option<u64> {
        terms(lines).time_ms(Duration::from_millis(500))
    }

    #[test]
    fn a_move_takes_the_time_of_the_turn_or_its_share_of_what_is_left() {
        assert_eq!(time(&[]), Some(1_000));
        assert_eq!(time(&[("timeout_turn", "5000")]), Some(4_950));
        assert_eq!(time(&[("timeout_turn", "80")]), Some(70));
        assert_eq!(time(&[("timeout_turn", "1")]), Some(1));
        assert_eq!(time(&[("timeout_turn", "0")]), Some(10), "as fast as possible");
        let unlimited = ("time_left", "2147483647");
        assert_eq!(time(&[("timeout_turn", "5000"), unlimited]), Some(4_950));
        assert_eq!(time(&[("timeout_turn", "5000"), ("time_left", "25050")]), Some(1_000));
        assert_eq!(time(&[("timeout_turn", "5000"), ("time_left", "20")]), Some(1));
        assert_eq!(time(&[("timeout_turn", "5000"), ("time_left", "-300")]), Some(1));
        assert_eq!(time(&[("timeout_turn", "99999"), ("timeout_match", "50550")]), Some(2_000));
        assert_eq!(time(&[("timeout_turn", "5000"), ("timeout_match", "0")]), Some(4_950));
    }

    #[test]
    fn a_search_that_is_limited_otherwise_needs_no_time() {
        assert_eq!(time(&[("max_node", "4000")]), None);
        assert_eq!(time(&[("max_depth", "4"), ("time_left", "2147483647")]), None);
        assert_eq!(time(&[("max_node", "0")]), Some(1_000));
        assert_eq!(time(&[("max_node", "4000"), ("timeout_turn", "8000")]), Some(7_950));
    }

    #[test]
    fn what_cannot_be_read_changes_nothing() {
        let wrong = ["", "x", "1.5", "99999999999999999999", "0x10"];
        for value in wrong {
            assert_eq!(terms(&[("rule", value), ("timeout_turn", value)]), ManagerInfo::default());
        }
        assert_eq!(terms(&[("folder", "9"), ("evaluate", "3")]), ManagerInfo::default());
    }

    #[test]
    fn rules_have_numbers() {
        let rules = |number: &str| terms(&[("rule", number)]).rules();
        let known = ["0", "1", "2", "4", "8"].map(rules);
        assert_eq!(known, ["freestyle", "standard", "renju", "renju", "caro"].map(Ok));
        for number in ["9", "3", "-1", "16"] {
            assert!(rules(number).is_err_and(|why| why.contains("unknown INFO rule")), "{number}");
        }
    }
}
