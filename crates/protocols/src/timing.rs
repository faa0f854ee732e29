//! Time management: thinking time per move under a clock.

/// A player's clock, in ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Remaining {
    /// Time left.
    pub(super) left: u64,
    /// Increment after the move.
    pub(super) increment: u64,
    /// Moves to the next time control; `None` if there is none.
    pub(super) moves_to_go: Option<u64>,
}

/// Overhead of the round trip to the client, in ms.
const MARGIN: u64 = 50;
/// Moves to divide the time among where no number is given.
const MOVES: u64 = 25;

/// Time for this move in ms, at least 1: at most the time left less the margin, and at most half of that
/// while further moves must be played.
pub(super) fn allot(clock: Remaining) -> u64 {
    let usable = clock.left.saturating_sub(MARGIN);
    let moves = clock.moves_to_go.unwrap_or(MOVES).clamp(1, MOVES);
    let most = if clock.moves_to_go == Some(1) { usable } else { usable / 2 };
    let wish = (usable / moves).saturating_add(clock.increment / 4 * 3);
    wish.min(most).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(left: u64, increment: u64, moves_to_go: Option<u64>) -> u64 {
        allot(Remaining { left, increment, moves_to_go })
    }

    #[test]
    fn time_lasts_for_the_whole_game() {
        assert_eq!(time(60_050, 0, None), 2_400);
        assert_eq!(time(60_050, 1_000, None), 3_150, "most of what is added is spent");
        assert_eq!(time(60_050, 0, Some(10)), 6_000);
        assert_eq!(time(60_050, 0, Some(1)), 60_000, "more comes after this move");
        assert_eq!(time(60_050, 0, Some(40)), 2_400, "a game may end before");
    }

    #[test]
    fn a_clock_never_runs_out() {
        for left in (0..5_000).step_by(7) {
            for increment in [0, 10, 5_000, u64::MAX] {
                for moves in [None, Some(0), Some(1), Some(2), Some(u64::MAX)] {
                    let time = time(left, increment, moves);
                    assert!(time == 1 || time + MARGIN <= left, "{left} {increment} {moves:?}");
                }
            }
        }
        assert_eq!(time(u64::MAX, u64::MAX, Some(1)), u64::MAX - MARGIN);
    }

    #[test]
    fn a_game_played_by_it_ends_in_time() {
        let mut left = 10_000;
        for _ in 0..120 {
            // Two for the round trip to the client.
            let spent = time(left, 0, None) + 2;
            assert!(spent < left, "{left} ms left");
            left -= spent;
        }
    }
}
