//! Root moves of a search: all moves of the job, or those that the evaluator lists.

use super::Job;
use super::deepen::{Roots, sort_by_keys};
use crate::game::{Evaluator, Game, MoveList};

/// All moves of the job, largest key first, ties in their order.
pub(super) fn all_moves<G: Game>(job: &Job<'_, G>, key: impl Fn(G::Move) -> i64) -> Roots<G::Move> {
    let mut moves = job.moves.to_vec();
    sort_by_keys(&mut moves, |&mv| std::cmp::Reverse(key(mv)));
    Roots::all(moves)
}

/// The moves of the job that a list has, largest key first. If the request names moves, or the list has none
/// of them, all.
pub(super) fn listed_moves<G: Game, E: Evaluator<G>>(
    job: &Job<'_, G>,
    evaluator: &E,
    list: MoveList,
    key: impl Fn(G::Move) -> i64,
) -> Roots<G::Move> {
    let mut roots = all_moves(job, key);
    if list == MoveList::All || job.named {
        return roots;
    }
    let mut candidates = Vec::new();
    let complete = evaluator.candidates(job.root, job.mover, &mut candidates);
    if candidates.iter().any(|mv| job.moves.contains(mv)) {
        roots.moves.retain(|root| candidates.contains(&root.mv()));
        roots.complete = complete;
    }
    roots
}
