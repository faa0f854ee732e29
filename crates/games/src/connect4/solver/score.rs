//! Scores of the solver: the stones that the winner has left.

use crate::connect4::{HEIGHT, WIDTH};

/// Cells of the board.
pub(super) const CELLS: i32 = (WIDTH * HEIGHT) as i32;

/// Lower and upper bound of a score, for the side to move.
///
/// A score is the number of stones that the winner has left after the game, plus one, if each side starts with
/// 21; negative if the opponent wins, 0 for a draw. So it tells the distance to the end too.
// CITE: Pons, "Solving Connect Four: how to build a perfect AI", part 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) least: i32,
    pub(super) most: i32,
}

/// Score of the winner if the game ends `plies` plies from a board with this number of stones.
#[inline]
pub(super) fn winning(stones: u32, plies: u32) -> i32 {
    (CELLS + 2 - (stones + plies) as i32) / 2
}

/// Plies from a board with this number of stones to the end of a game with this score for the mover; of a
/// draw, to the full board.
pub(super) fn plies(stones: u32, score: i32) -> u32 {
    let left = (CELLS - stones as i32) as u32;
    // The mover makes the first, third, ... of the plies to come, the opponent the others.
    let stones_of_winner = 2 * score.unsigned_abs();
    match score {
        1.. => left + 2 - stones_of_winner - (left + 1) % 2,
        0 => left,
        _ => left + 2 - stones_of_winner - left % 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_is_the_one_of_the_score() {
        for stones in 0..CELLS as u32 {
            for distance in 1..=CELLS as u32 - stones {
                let score = winning(stones, distance);
                let score = if distance % 2 == 1 { score } else { -score };
                assert_eq!(plies(stones, score), distance, "{stones} stones, {score}");
            }
        }
    }
}
