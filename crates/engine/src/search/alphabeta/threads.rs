//! Parallel search: one or several searchers over one table. All of them deepen on their own; in full-width searches
//! what one of them searches, the others defer. The first one that is ready ends the search.

use std::sync::Mutex;

use super::busy::BusyMoves;
use super::engine::{NodeSearch, Searcher};
use super::options::Options;
use super::rated::search_and_rate;
use super::tt::Tables;
use crate::game::{Evaluator, Game, MoveList};
use crate::search::deepen::{Deepened, Deepening, Finding, RootMove, Roots, deepen, last_depth};
use crate::search::helpers::with_helpers;
use crate::search::report::{Report, Stats};
use crate::search::root_moves::{all_moves, listed_moves};
use crate::search::score::ScoreScale;
use crate::search::{Cancel, Clock, Job, Observer, StopReason, Table};

/// Setup of every thread.
pub(super) struct ThreadSetup<'a, E, N> {
    pub(super) evaluator: &'a E,
    pub(super) options: &'a Options,
    /// Moves to look at.
    pub(super) list: MoveList,
    pub(super) scale: ScoreScale,
    /// Makes the node search of one thread.
    pub(super) nodes: &'a (dyn Fn() -> N + Sync),
}

/// What the threads of a search have in common, and the iterations of one of them.
#[derive(Clone, Copy)]
struct Team<'a> {
    table: Option<&'a Table>,
    busy: Option<&'a BusyMoves>,
    threads: u64,
    /// Plies between the iterations of this thread, counted back from the last one.
    step: u32,
}

/// Searches with the job's number of threads.
pub(super) fn search<G: Game, E: Evaluator<G>, N: NodeSearch<G, E>>(
    job: &Job<'_, G>,
    setup: &ThreadSetup<'_, E, N>,
) -> Finding<G::Move> {
    // The table is made in the time of the search.
    let clock = Clock::start(&job.budget, &job.cancel, 1);
    let table = setup.options.own_table(job.threads, job.budget.time);
    let making = Stats { time: clock.elapsed(), ..Stats::default() };
    let (budget, cancel) = (job.budget.less(&making), job.cancel.clone());
    let job = &Job { budget, cancel, ..*job };
    let found = search_and_rate(job, &|job| together(job, setup, table.as_ref()));
    if let Some(table) = table {
        table.give_back();
    }
    found
}

/// Search of all threads over one table. Helpers need it; without one the search is single-threaded.
fn together<G: Game, E: Evaluator<G>, N: NodeSearch<G, E>>(
    job: &Job<'_, G>,
    setup: &ThreadSetup<'_, E, N>,
    table: Option<&Table>,
) -> Finding<G::Move> {
    let helpers = if table.is_some() { job.threads - 1 } else { 0 };
    let busy = (N::DEFERS && helpers > 0).then(BusyMoves::new);
    let team = Team { table, busy: busy.as_ref(), threads: helpers as u64 + 1, step: 1 };
    let enough = job.cancel.child();
    let (budget, cancel) = (job.budget.clone(), job.cancel.clone());
    // Whoever completes a depth first tells.
    let told = Mutex::new(0);
    let tell = job.observer.map(|observer| {
        let told = &told;
        move |report: &Report<G::Move>| {
            let mut told = told.lock().expect("no thread panics with the lock");
            if report.stats.depth > *told {
                *told = report.stats.depth;
                observer(report);
            }
        }
    });
    let observer = tell.as_ref().map(|tell| tell as &Observer<'_, G::Move>);
    let job = &Job { observer, budget, cancel, ..*job };
    let findings = Mutex::new(Vec::new());
    // Whoever is ready first ends the search.
    let search = |step| {
        let finding = one(job, setup, Team { step, ..team }, &enough);
        let mut findings = findings.lock().expect("no thread panics with the lock");
        enough.cancel();
        findings.push(finding);
    };
    let step = if job.budget.depth.is_some() { N::HELPER_STEP } else { 1 };
    with_helpers(helpers, &|_| search(step), &mut || search(1));
    vote(findings.into_inner().expect("no thread panics with the lock"))
}

/// The solution of the first thread to end, or else the finding of the one that searched deepest, of several the one
/// with the highest score unless another one has proved its move lost, with the statistics of all. The first one to end
/// says why the search did.
fn vote<M: Copy + PartialEq>(findings: Vec<Finding<M>>) -> Finding<M> {
    let worth = |found: &Deepened<M>| (found.depth, found.moves.first().map(|root| root.score));
    let better = |best: Finding<M>, other: Finding<M>| {
        let (stopped, mut stats) = (best.0.stopped, best.1);
        stats.absorb(&other.1);
        let first = other.0.moves.first().map(RootMove::mv);
        let is_lost = best.0.moves.iter().any(|root| Some(root.mv()) == first && root.is_lost());
        let is_better =
            stopped != StopReason::Solved && !is_lost && worth(&other.0) > worth(&best.0);
        let found = if is_better { other.0 } else { best.0 };
        (Deepened { stopped, ..found }, stats)
    };
    findings.into_iter().reduce(better).expect("the leading search has run")
}

/// Search of one thread.
fn one<G: Game, E: Evaluator<G>, N: NodeSearch<G, E>>(
    job: &Job<'_, G>,
    setup: &ThreadSetup<'_, E, N>,
    team: Team<'_>,
    cancel: &Cancel,
) -> Finding<G::Move> {
    let &ThreadSetup { evaluator, options, list, scale, nodes } = setup;
    let clock = Clock::start(&job.budget, cancel, team.threads);
    let shared = job.shared.filter(|_| options.shares());
    let mut nodes = nodes();
    let tables = Tables::new(team.table, shared, E::TUNING.share_from, nodes.is_selective());
    let mut evaluator = evaluator.clone();
    evaluator.enter(job.root);
    shared.inspect(|memory| nodes.recall(*memory));
    let mut searcher = Searcher::new(nodes, options, evaluator.clone(), job, list, clock, tables);
    searcher.busy = team.busy;
    let key = |mv| N::root_key(&evaluator, job, mv);
    let roots = listed_moves(job, &evaluator, N::root_list(list, job.wanted), key);
    let complete = roots.complete;
    let seek = |searcher: &mut _, roots| {
        search_roots(job, (&evaluator, scale), searcher, roots, team.step)
    };
    let mut found = seek(&mut searcher, roots);
    if N::TRIES_UNLISTED && !complete && found.all_lost() {
        found = seek(&mut searcher, all_moves(job, key));
    } else {
        found.doubt_unless(complete);
    }
    searcher.complete(job, &mut found);
    let mut stats = stats(&searcher);
    stats.depth = found.depth;
    shared.inspect(|memory| searcher.nodes.leave(*memory));
    (found, stats)
}

/// Statistics of one searcher.
pub(super) fn stats<G: Game, E: Evaluator<G>, N: NodeSearch<G, E>>(
    searcher: &Searcher<'_, G, E, N>,
) -> Stats {
    Stats { cutoffs: searcher.cutoffs, table_hits: searcher.table_hits, ..searcher.clock.stats() }
}

/// Iterative deepening over these root moves.
fn search_roots<G: Game, E: Evaluator<G>, N: NodeSearch<G, E>>(
    job: &Job<'_, G>,
    (evaluator, scale): (&E, ScoreScale),
    searcher: &mut Searcher<'_, G, E, N>,
    mut roots: Roots<G::Move>,
    step: u32,
) -> Deepened<G::Move> {
    let preferred: Vec<_> = roots.moves.iter().map(RootMove::mv).collect();
    searcher.resume(job, &mut roots.moves);
    let selective = searcher.nodes.is_selective();
    let next = |depth| evaluator.next_depth(job.root, depth, selective);
    let deepening = searcher.options.deepening;
    let last = last_depth(job);
    let mut depths = depths(last, searcher.reached, deepening, next)
        .filter(|&depth| (last - depth).is_multiple_of(step));
    let mut found = deepen(&Deepening::of(job, scale), roots, &mut depths, &mut |depth, roots| {
        searcher.iterate(job, depth, roots)?;
        Ok(stats(searcher))
    });
    found.prefer(&preferred);
    found
}

/// Minimum last depth at which the last but one iteration may be skipped; shallower searches need every
/// iteration for move ordering. Measured only with resumption as a whole: `cargo test --test api
/// same_question` (README.md, Figures).
const DEEP: u32 = 8;

/// Iteration depths, given the depth `reached` by an earlier search: known iterations are thinned out, and
/// if a single ply is missing, the last but one teaches nothing new.
fn depths(
    last: u32,
    reached: u32,
    deepening: bool,
    next: impl Fn(u32) -> u32,
) -> impl Iterator<Item = u32> {
    let first = if !deepening || reached >= last { last } else { 1 };
    let superfluous = move |depth: u32| {
        // Up to the known depth every fourth iteration suffices for move ordering. Measured like `DEEP`.
        let known = depth > 1 && depth < reached && !(reached - depth).is_multiple_of(4);
        let last_but_one = last >= DEEP && depth + 1 == last && depth == reached;
        known || last_but_one
    };
    let deeper = move |&depth: &u32| (depth < last).then(|| next(depth).min(last));
    std::iter::successors(Some(first), deeper)
        .filter(move |&depth| depth == last || !superfluous(depth))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Score;

    /// What a thread found at this depth: moves with scores, best first.
    fn finding(depth: u32, moves: &[(u8, Score)]) -> Finding<u8> {
        let root = |&(mv, score)| RootMove { score, rated: true, ..RootMove::unknown(mv) };
        let moves = moves.iter().map(root).collect();
        (Deepened { moves, depth, stopped: StopReason::Time }, Stats::default())
    }

    fn chosen(findings: &[Finding<u8>]) -> u8 {
        vote(findings.to_vec()).0.moves[0].mv()
    }

    #[test]
    fn the_deepest_thread_is_followed_then_the_highest_score_and_no_move_known_to_lose() {
        let (low, high) = (Score::heuristic(10), Score::heuristic(90));
        assert_eq!(chosen(&[finding(7, &[(1, high)]), finding(8, &[(2, low)])]), 2);
        assert_eq!(chosen(&[finding(8, &[(1, high)]), finding(7, &[(2, high)])]), 1);
        assert_eq!(chosen(&[finding(8, &[(1, low)]), finding(8, &[(2, high)])]), 2);
        assert_eq!(
            chosen(&[finding(8, &[(1, low)]), finding(8, &[(2, low)])]),
            1,
            "the first to end"
        );
        let refuted = finding(8, &[(1, low), (2, Score::loss(4))]);
        assert_eq!(chosen(&[refuted, finding(8, &[(2, high)])]), 1);
    }
}
