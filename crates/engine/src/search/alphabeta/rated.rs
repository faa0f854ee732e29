//! The best move and a rating of all: most of the budget goes into one move, what is left rates the others at
//! one smaller depth, out of the tables that the search has filled.

use crate::game::Game;
use crate::search::deepen::{Deepened, Finding, RootMove, sort_by_keys};
use crate::search::report::Stats;
use crate::search::{Budget, Job, StopReason, Wanted};

/// Part of the budget for the ratings, as a divisor. Games at 100 ms a move against a search without ratings: with 4
/// gomoku scored 43.5 % +- 6.2 of 100, xiangqi 38.5 % +- 8.1 of 96; with 6 43.5 % +- 8.8 of 100 and 40.8 % +- 7.6 of
/// 92. The moves were those of the search alone: what is lost is time.
const RATINGS: u32 = 10;
/// Part of these for a second look at moves that only the ratings have seen, as a divisor. Not tuned.
const SECOND_LOOK: u32 = 5;

/// A search of a job.
type OneSearch<'a, G> = dyn Fn(&Job<'_, G>) -> Finding<<G as Game>::Move> + 'a;

/// Searches for the best move, and rates all moves if that is wanted.
pub(super) fn search_and_rate<G: Game>(
    job: &Job<'_, G>,
    search: &OneSearch<'_, G>,
) -> Finding<G::Move> {
    // A trace shows one search.
    if job.wanted != Wanted::All || job.moves.len() == 1 || job.trace.is_some() {
        return search(job);
    }
    let with = |wanted, budget| Job { wanted, budget, cancel: job.cancel.clone(), ..*job };
    let silent = |wanted, budget| Job { observer: None, ..with(wanted, budget) };
    let (mut best, mut stats) = search(&with(Wanted::One, job.budget.without(RATINGS)));
    let time = stats.time;
    let depth = match best.stopped {
        StopReason::Solved => job.budget.depth,
        _ => Some(best.depth.max(1)),
    };
    let left = |stats: &Stats| Budget { depth, ..job.budget.less(stats) };
    let (list, effort) = search(&silent(Wanted::All, left(&stats).without(SECOND_LOOK)));
    stats = effort.after(&stats);
    let unseen = unseen(&best, &list);
    if !unseen.is_empty() {
        let moves: Vec<_> = std::iter::once(best.moves[0].mv()).chain(unseen).collect();
        let again = Job { moves: &moves, named: true, ..silent(Wanted::One, left(&stats)) };
        let (mut found, effort) = search(&again);
        stats = effort.after(&stats);
        if found.depth >= best.depth {
            best.moves.insert(0, found.moves.swap_remove(0));
        }
    }
    let rated_depth = list.depth;
    // The budget may have been too small for one iteration, and what was left enough; it is the budget that ended it.
    let found = if best.depth == 0 && list.depth > 0 {
        Deepened { stopped: best.stopped, ..list }
    } else {
        agreed(&best, list)
    };
    (found, Stats { rated_depth, rating_time: stats.time - time, ..stats })
}

/// Moves that the ratings call better than the best one, and that the search for it has not looked at.
fn unseen<M: Copy + PartialEq>(best: &Deepened<M>, list: &Deepened<M>) -> Vec<M> {
    let first = best.moves[0].score;
    let is_seen = |mv| best.moves.iter().any(|root| root.mv() == mv);
    let better = list.moves.iter().filter(|root| root.rated && root.score > first);
    better.map(RootMove::mv).filter(|&mv| !is_seen(mv)).collect()
}

/// The ratings, held against the search for the best move, which went deeper: no other move is better than the
/// first, and what is proved stays proved.
fn agreed<M: Copy + PartialEq>(best: &Deepened<M>, list: Deepened<M>) -> Deepened<M> {
    let ties = list.depth == best.depth && list.moves[0].score == best.moves[0].score;
    // At the same depth the list knows all that tie, in the order of preference.
    let first = if ties { &list.moves[0] } else { better_for_sure(found(best, &list), &list) };
    let first = first.clone();
    let other = |root: RootMove<M>| {
        let deeper = best.moves.iter().find(|deeper| deeper.mv() == root.mv());
        match deeper {
            Some(deeper) if deeper.is_lost() && !root.score.is_proved() => {
                RootMove { rated: true, bounded: true, ..deeper.clone() }
            }
            _ if root.score > first.score => root.at_most(first.score),
            _ if root.score == first.score && list.depth < best.depth && !root.resolved => {
                root.at_most(first.score)
            }
            _ => root,
        }
    };
    let list_depth = list.depth;
    let others = list.moves.into_iter().filter(|root| root.mv() != first.mv());
    let mut moves: Vec<_> = others.map(other).collect();
    sort_by_keys(&mut moves, |root| (!root.rated, -root.score));
    moves.insert(0, first);
    let stopped = match best.stopped {
        StopReason::Depth | StopReason::Solved => list.stopped,
        stopped => stopped,
    };
    Deepened { moves, depth: best.depth.max(list_depth), stopped }
}

/// The move that the search for the best one has found. If time ran out when it had only found out that moves lose,
/// the ratings know more of the others.
fn found<'a, M: Copy + PartialEq>(best: &'a Deepened<M>, list: &'a Deepened<M>) -> &'a RootMove<M> {
    let is_lost = |mv| best.moves.iter().any(|root| root.mv() == mv && root.is_lost());
    let known = || list.moves.iter().find(|root| root.rated && !is_lost(root.mv()));
    let first = &best.moves[0];
    if first.rated { first } else { known().unwrap_or(first) }
}

/// The first move, or one of the list with a greater value that no greater depth can change.
fn better_for_sure<'a, M: Copy>(first: &'a RootMove<M>, list: &'a Deepened<M>) -> &'a RootMove<M> {
    let is_sure = |root: &&RootMove<M>| root.rated && (root.resolved || root.score.is_win());
    let sure = list.moves.iter().filter(is_sure);
    sure.fold(first, |first, root| if root.score > first.score { root } else { first })
}
