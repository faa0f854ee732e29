//! Levels of strength: how much a player gives away, how far it looks ahead, and what it overlooks.
//!
//! A level below the greatest rates every move by a short search and draws one of them, better ones more often, so
//! that a move loses this much expected result in the mean. Lower levels search every move to one depth, which is fair to
//! each; upper ones search the best move deeper, which is stronger. One meaning for all games; how much makes one level
//! stronger than the next is the game's, measured by `bestmove ladder`.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::answer::{Answer, MoveRating, ScoreAnswer};
use engine::game::{Rng, zobrist};

/// The greatest level: the full strength of the game's default algorithm.
pub const TOP_LEVEL: u64 = 10;
/// Level from which on a win in one move is always played.
const SEES_WINS_IN_ONE: u64 = 3;
/// Level from which on a proved win is never given up. Of several the shortest is played: among all of them it could be
/// put off for ever.
const KEEPS_WINS: u64 = 7;
/// Level from which on nothing is overlooked.
const SEES_ALL: u64 = 5;
/// Level from which on the best move is searched deeper than the others. With one depth for all moves, which costs
/// several plies, level 9 had 1 to 10 % of the points against level 10 in gomoku, xiangqi and connect four (`bestmove
/// ladder`).
const SEARCHES_DEEP: u64 = 8;
/// Kinds of replies: one in so many is overlooked where something is.
const REPLY_KINDS: u64 = 4;

/// A level of strength in one game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LevelInfo {
    /// From 1 to 10, the full strength.
    pub level: u64,
    /// Expected result that a move gives away in the mean, 0 to 1, where the position allows it.
    pub loss: f64,
    /// Plies that it looks ahead; null without a limit.
    pub depth: Option<u64>,
    /// Thinking time in ms; null for that of a question without a budget.
    pub time_ms: Option<u64>,
    /// Strength against level 1 in Elo, by `bestmove ladder`; null where it has not been measured.
    pub elo: Option<f64>,
    /// Standard error of the Elo difference.
    pub elo_stderr: Option<f64>,
}

/// The levels of a game, the least first. Games without measurements have those of most.
pub(super) fn levels(game: &str) -> Vec<LevelInfo> {
    static TABLE: LazyLock<Value> = LazyLock::new(|| {
        serde_json::from_str(include_str!("../data/levels.json")).expect("the file is valid JSON")
    });
    let own = TABLE.get(game).or_else(|| TABLE.get("default"));
    let levels = own.map(|levels| Vec::deserialize(levels).expect("the file has levels"));
    levels.unwrap_or_default()
}

/// The move that a level plays: a place among the ratings whose loss is known. `short` are the ratings of a search of one ply, for those
/// that overlook replies.
pub(super) fn choose(
    level: &LevelInfo,
    ratings: &[MoveRating],
    short: &[MoveRating],
    rng: &mut Rng,
) -> usize {
    let is_win_in_one = |rating: &&MoveRating| rating.score == ScoreAnswer::Win { plies: 1 };
    if level.level >= SEES_WINS_IN_ONE
        && let Some(place) = ratings.iter().position(|rating| is_win_in_one(&rating))
    {
        return place;
    }
    let win = |rating: &MoveRating| match rating.score {
        ScoreAnswer::Win { plies } if !rating.bounded => Some(plies),
        _ => None,
    };
    let shortest_win = ratings.iter().filter_map(win).min();
    let kept = shortest_win.filter(|_| level.level >= KEEPS_WINS);
    let overlooked = overlooks(level).then(|| rng.bits() % REPLY_KINDS);
    let seen = |rating: &MoveRating| -> Option<f64> {
        let known = rating.win_probability?;
        let kind = rating.principal_variation.get(1).map(|reply| reply_kind(reply));
        if kind.is_none() || kind != overlooked {
            return Some(known);
        }
        let unaware = short.iter().find(|other| other.mv == rating.mv);
        unaware
            .and_then(|other| other.win_probability)
            .map(|value| value.max(known))
            .or(Some(known))
    };
    let values: Vec<_> = ratings
        .iter()
        .map(|one| seen(one).filter(|_| !one.bounded && (kept.is_none() || win(one) == kept)))
        .collect();
    drawn(&values, level.loss, rng)
}

/// True if a player of this level overlooks replies.
pub(super) fn overlooks(level: &LevelInfo) -> bool {
    level.level < SEES_ALL
}

/// True if this level searches its best move deeper than the others.
pub(super) fn searches_deep(level: &LevelInfo) -> bool {
    level.level >= SEARCHES_DEEP
}

/// Kind of a reply, by where it goes: the same in every position.
fn reply_kind(reply: &str) -> u64 {
    reply.bytes().fold(0, |hash, byte| zobrist::mix(hash ^ u64::from(byte))) % REPLY_KINDS
}

/// Draws one of these values, better ones more often, so that it is `loss` below the best in the mean; as far below
/// as all are in the mean where that is less. Unknown values are not drawn.
fn drawn(values: &[Option<f64>], loss: f64, rng: &mut Rng) -> usize {
    const HALVINGS: usize = 50;
    let best = values.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    let losses: Vec<_> = values.iter().map(|value| value.map(|value| best - value)).collect();
    let weights = |sharpness: f64| -> Vec<f64> {
        losses.iter().map(|loss| loss.map_or(0.0, |loss| (-loss * sharpness).exp())).collect()
    };
    let mean = |weights: &[f64]| {
        let sum = weights.iter().zip(&losses).map(|(weight, loss)| weight * loss.unwrap_or(0.0));
        sum.sum::<f64>() / weights.iter().sum::<f64>()
    };
    // The mean falls as the weights become sharper.
    let (mut low, mut high) = (0.0, 1e4);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        *(if mean(&weights(middle)) > loss { &mut low } else { &mut high }) = middle;
    }
    let weights = weights(high);
    let mut left = rng.unit() * weights.iter().sum::<f64>();
    let last = weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0);
    for (place, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 && *weight > 0.0 {
            return place;
        }
    }
    last
}

/// Random numbers of a level in a position.
pub(super) fn rng(position: u64, seed: u64) -> Rng {
    Rng::new(zobrist::mix(position ^ zobrist::mix(seed)))
}

/// The answer with this rated move in place of the best one; `shown` ratings are kept.
pub(super) fn played(answer: Answer, place: usize, level: u64, shown: usize) -> Answer {
    let chosen = answer.ratings[place].clone();
    let best = answer.ratings.first().map(|best| best.mv.clone());
    let is_best = best.as_ref() == Some(&chosen.mv);
    let mut ratings = answer.ratings;
    ratings.truncate(shown);
    Answer {
        best_moves: if is_best { answer.best_moves } else { vec![chosen.mv.clone()] },
        best_move: Some(chosen.mv),
        principal_variation: chosen.principal_variation,
        notations: chosen.notations,
        exact: chosen.exact && answer.exact,
        proved: answer.proved && is_best,
        score: Some(chosen.score),
        win_probability: chosen.win_probability,
        level: Some(level),
        scheme: answer.scheme.filter(|_| shown > 0),
        ratings,
        ..answer
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_mean_loss_is_that_of_the_level() {
        let values = [0.8, 0.7, 0.5, 0.1].map(Some);
        for loss in [0.02, 0.1, 0.2] {
            let mut rng = Rng::new(1);
            let mut sum = 0.0;
            for _ in 0..20_000 {
                sum += 0.8 - values[drawn(&values, loss, &mut rng)].expect("a value");
            }
            assert!((sum / 20_000.0 - loss).abs() < 0.01, "{loss}: {}", sum / 20_000.0);
        }
    }

    fn rating(mv: &str, p: f64, bounded: bool) -> MoveRating {
        MoveRating {
            mv: mv.into(),
            score: ScoreAnswer::Unknown,
            exact: false,
            win_probability: Some(p),
            loss: None,
            class: None,
            points: None,
            bonus: Vec::new(),
            label: None,
            stable: None,
            principal_variation: vec![mv.into()],
            notations: BTreeMap::new(),
            bounded,
        }
    }

    #[test]
    fn of_several_wins_the_shortest_is_played_above_level_six() {
        let win = |mv, plies, bounded| MoveRating {
            score: ScoreAnswer::Win { plies },
            ..rating(mv, 1.0, bounded)
        };
        let ratings = [win("a", 9, false), win("b", 5, false), win("c", 3, true)];
        for (number, wanted) in [(6, [true, true]), (7, [false, true])] {
            let level = LevelInfo { level: number, loss: 1.0, ..levels("gomoku")[8] };
            let mut rng = Rng::new(1);
            let mut seen = [false; 3];
            (0..100).for_each(|_| seen[choose(&level, &ratings, &[], &mut rng)] = true);
            assert_eq!(seen, [wanted[0], wanted[1], false], "level {number}");
        }
    }

    #[test]
    fn a_move_of_unknown_loss_is_not_drawn() {
        let ratings = [rating("a", 0.6, false), rating("b", 0.6, true), rating("c", 0.5, false)];
        let level = LevelInfo { level: 9, loss: 1.0, ..levels("gomoku")[8] };
        let mut rng = Rng::new(1);
        let mut seen = [0; 3];
        (0..300).for_each(|_| seen[choose(&level, &ratings, &[], &mut rng)] += 1);
        assert!(seen[0] > 100 && seen[1] == 0 && seen[2] > 100, "{seen:?}");
    }

    /// The refutation of `a` is overlooked in one position of four, and by lower levels only.
    #[test]
    fn one_kind_of_reply_is_overlooked_at_low_levels() {
        let line = |rating: MoveRating, reply: &str| MoveRating {
            principal_variation: vec![rating.mv.clone(), reply.to_owned()],
            ..rating
        };
        let seen = [rating("b", 0.5, false), line(rating("a", 0.1, false), "c4c5")];
        let unaware = [rating("a", 0.9, false), rating("b", 0.5, false)];
        let plays = |number: u64, position: u64| {
            let level = LevelInfo { level: number, loss: 0.0, ..levels("gomoku")[0] };
            choose(&level, &seen, &unaware, &mut rng(position, 7))
        };
        let falls = |number| (0..400).filter(|&position| plays(number, position) == 1).count();
        for number in 1..=4 {
            let count = falls(number);
            assert!((70..=130).contains(&count), "level {number}: {count} of 400");
        }
        assert_eq!((falls(5), falls(9)), (0, 0));
        // Replies of other kinds are seen in the positions where this one is not.
        let other = ["a1", "a2", "a3", "a4", "a5", "a6"]
            .into_iter()
            .find(|other| reply_kind(other) != reply_kind("c4c5"));
        let elsewhere = [
            seen[0].clone(),
            line(rating("a", 0.1, false), other.expect("a reply of another kind")),
        ];
        let level = LevelInfo { loss: 0.0, ..levels("gomoku")[0] };
        let fallen = (0..400).filter(|&position| plays(1, position) == 1);
        for position in fallen {
            assert_eq!(choose(&level, &elsewhere, &unaware, &mut rng(position, 7)), 0);
        }
    }

    #[test]
    fn who_may_lose_nothing_plays_the_best_and_who_may_lose_all_plays_any() {
        let values = [None, Some(0.3), Some(0.3), Some(0.2), None];
        let mut rng = Rng::new(1);
        let places = |loss, rng: &mut Rng| {
            let mut seen = [0; 5];
            (0..3_000).for_each(|_| seen[drawn(&values, loss, rng)] += 1);
            seen
        };
        let best = places(0.0, &mut rng);
        assert_eq!([best[0], best[3], best[4]], [0, 0, 0]);
        assert!(best[1] > 1_300 && best[2] > 1_300, "{best:?}");
        let any = places(1.0, &mut rng);
        assert!(any[1..4].iter().all(|&count| count > 850), "{any:?}");
        assert_eq!(drawn(&[Some(0.5)], 0.3, &mut rng), 0);
    }
}
