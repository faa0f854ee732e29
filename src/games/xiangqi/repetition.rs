//! What comes of a position that stands for the third time.
// CITE: the "computer rule" of xiangqi engines, in the form that Pikafish plays by.

use super::chase::chases;
use super::rules::{Xiangqi, XiangqiRules};
use crate::game::{Outcome, Side};

/// What a repetition leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RepetitionVerdict {
    /// The result.
    pub(super) outcome: Outcome,
    /// Why, in one word.
    pub(super) reason: &'static str,
}

/// Judges play that came back to where it began: `cycle` holds its positions, the first of which
/// equals the last; nothing was captured on the way. At the third occurrence of a position this is
/// the rule; at an earlier one it tells what going on like this would bring.
pub(super) fn judge(cycle: &[Xiangqi], rules: XiangqiRules) -> RepetitionVerdict {
    let reached = &cycle[1..];
    let checks = |side: Side| {
        // After a move of one side the other is to move.
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

/// Who alone did wrong loses; `reasons` for one side and for both.
fn against(wrong: [bool; 2], [alone, mutual]: [&'static str; 2]) -> RepetitionVerdict {
    match wrong {
        [true, true] => RepetitionVerdict { outcome: Outcome::Draw, reason: mutual },
        [by_first, _] => {
            let winner = if by_first { Side::Second } else { Side::First };
            RepetitionVerdict { outcome: Outcome::Win(winner), reason: alone }
        }
    }
}
