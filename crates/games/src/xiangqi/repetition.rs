//! Verdict on a threefold repetition.
// CITE: the "computer rule" of xiangqi engines, in the form that Pikafish plays by.

use super::chase::chases;
use super::rules::{QUIET_PLIES, Xiangqi, XiangqiRules};
use engine::game::{History, Outcome, Side};

/// Verdict on a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RepetitionVerdict {
    /// The result.
    pub(super) outcome: Outcome,
    /// Reason code.
    pub(super) reason: &'static str,
}

/// Judges a repetition: `cycle` holds its positions, the first equal to the last, without a capture
/// in between. At the third occurrence of a position this is the rule; at an earlier one it
/// predicts the verdict of continued repetition.
pub(super) fn judge(cycle: &[Xiangqi], rules: XiangqiRules) -> RepetitionVerdict {
    let reached = &cycle[1..];
    let checks = |side: Side| {
        // After a move the opponent is to move.
        reached.iter().filter(|pos| pos.mover() != side).all(Xiangqi::in_check)
    };
    match Side::BOTH.map(checks) {
        [false, false] => {}
        wrong => return against(wrong, ["perpetual_check", "mutual_perpetual_check"]),
    }
    let quiet = !reached.iter().any(Xiangqi::in_check);
    if rules == XiangqiRules::Computer && quiet {
        let wrong = Side::BOTH.map(|side| chases(cycle, side));
        if wrong != [false, false] {
            return against(wrong, ["perpetual_chase", "mutual_perpetual_chase"]);
        }
    }
    RepetitionVerdict { outcome: Outcome::Draw, reason: "threefold_repetition" }
}

/// The side that alone violates the rule loses; both: a draw. `reasons` for one side and for both.
fn against(wrong: [bool; 2], [alone, mutual]: [&'static str; 2]) -> RepetitionVerdict {
    match wrong {
        [true, true] => RepetitionVerdict { outcome: Outcome::Draw, reason: mutual },
        [by_first, _] => {
            let winner = if by_first { Side::Second } else { Side::First };
            RepetitionVerdict { outcome: Outcome::Win(winner), reason: alone }
        }
    }
}

impl History for Xiangqi {
    fn is_irreversible(&self, next: &Self) -> bool {
        self.occupied().count_ones() != next.occupied().count_ones()
    }

    fn adjudicate(history: &[Self]) -> Option<(Outcome, &'static str)> {
        let last = history.last()?;
        let mut earlier = (0..history.len() - 1).filter(|&n| history[n] == *last);
        if let (Some(first), Some(_)) = (earlier.next(), earlier.next()) {
            let RepetitionVerdict { outcome, reason } = judge(&history[first..], last.rules());
            return Some((outcome, reason));
        }
        (last.quiet() >= QUIET_PLIES).then_some((Outcome::Draw, "sixty_moves"))
    }

    // A third occurrence needs a position that occurred twice before: a forced win never repeats
    // its own positions.
    fn history_may_change_result(history: &[Self], plies: u32) -> bool {
        let quiet = history.last().map_or(0, |pos| u32::from(pos.quiet()));
        let twice = |(n, pos)| history[..n].contains(pos);
        quiet + plies > u32::from(QUIET_PLIES) || history.iter().enumerate().any(twice)
    }
}
