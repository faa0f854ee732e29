//! Parallel search: one or several searchers over one shared table.
// CITE: lazy SMP, Oestensen 2016.

use super::engine::{NodeSearch, Searcher};
use super::options::{Options, TableUse};
use super::root::{all_moves, root_moves};
use super::tt::Tables;
use crate::game::{Evaluator, Game};
use crate::search::deepen::{Deepened, Deepening, RootMove, Roots, deepen, last_depth};
use crate::search::helpers::with_helpers;
use crate::search::report::Stats;
use crate::search::{Cancel, Clock, Job};

/// Setup of every thread.
pub(super) struct ThreadSetup<'a, E, N> {
    pub(super) evaluator: &'a E,
    pub(super) options: &'a Options,
    /// Makes the node search of one thread.
    pub(super) nodes: &'a (dyn Fn() -> N + Sync),
}

/// Searches with the job's number of threads. Helpers need a shared table; without one the search is
/// single-threaded.
pub(super) fn search<G: Game, E: Evaluator<G>, N: NodeSearch<G, E>>(
    job: &Job<'_, G>,
    setup: &ThreadSetup<'_, E, N>,
) -> (Deepened<G::Move>, Stats) {
    let helpers = match job.shared {
        Some(_) if setup.options.tables() == TableUse::Shared => job.threads.saturating_sub(1),
        _ => 0,
    };
    let enough = Cancel::default();
    let (budget, cancel) = (job.budget.clone(), job.cancel.clone());
    let silent = &Job { observer: None, budget, cancel, ..*job };
    let help = |index| one(silent, setup, index, helpers + 1, &enough).1;
    let mut found = None;
    let others = with_helpers(helpers, &help, &mut || {
        found = Some(one(job, setup, 0, helpers + 1, &job.cancel));
        enough.cancel();
    });
    let (found, mut stats) = found.expect("the leading search has run");
    for work in others {
        stats.absorb(&Stats { depth: 0, ..work });
    }
    (found, stats)
}

/// Search of one thread. Helpers start at different depths to diversify.
fn one<G: Game, E: Evaluator<G>, N: NodeSearch<G, E>>(
    job: &Job<'_, G>,
    setup: &ThreadSetup<'_, E, N>,
    index: usize,
    threads: usize,
    cancel: &Cancel,
) -> (Deepened<G::Move>, Stats) {
    let ThreadSetup { evaluator, options, nodes } = setup;
    let clock = Clock::start(&job.budget, cancel, threads as u64);
    let tables = Tables::new(
        options.tables(),
        options.table_mib as usize,
        job.shared,
        E::TUNING.share_from,
        N::DEEPER_COUNTS,
    );
    let mut evaluator = (*evaluator).clone();
    evaluator.enter(job.root);
    let mut searcher = Searcher::new(nodes(), options, evaluator.clone(), job.mover, clock, tables);
    let roots = root_moves(job, &evaluator);
    let complete = roots.complete;
    let mut found = search_roots(job, &evaluator, index, &mut searcher, roots);
    if !complete && found.moves.iter().all(RootMove::is_lost) {
        // All candidates lose: the other moves may not.
        let all = all_moves(job, &evaluator);
        found = search_roots(job, &evaluator, index, &mut searcher, all);
    } else if !complete {
        found.doubt();
    }
    searcher.complete(job, &mut found);
    (found, stats(&searcher))
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
    evaluator: &E,
    index: usize,
    searcher: &mut Searcher<'_, G, E, N>,
    mut roots: Roots<G::Move>,
) -> Deepened<G::Move> {
    let preferred: Vec<_> = roots.moves.iter().map(RootMove::mv).collect();
    searcher.resume(job, &mut roots.moves);
    let next = |depth| evaluator.next_depth(job.root, depth);
    let deepening = searcher.options.deepening;
    let mut depths = depths(last_depth(job), searcher.reached, deepening, next).skip(index % 2);
    let mut found = deepen(&Deepening::of(job), roots, &mut depths, &mut |depth, roots| {
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
