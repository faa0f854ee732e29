//! Trees of a search: one per world, grown by all threads.

use super::TreeSearch;
use super::arena::Arena;
use super::options::SelectionPolicy;
use super::simulation::Simulator;
use super::verdict;
use crate::game::{Evaluator, Game, Info, Rng};
use crate::search::helpers::with_helpers;
use crate::search::report::Stats;
use crate::search::worlds::worlds;
use crate::search::{Budget, Cancel, Clock, Job, StopReason};

/// A finished tree search: one tree per world.
pub(super) struct Found {
    pub(super) trees: Vec<Arena>,
    pub(super) stats: Stats,
    pub(super) stopped: StopReason,
}

/// Grows one tree per world, each with an equal share of the budget.
pub(super) fn run<G: Game, E: Evaluator<G>>(job: &Job<'_, G>, method: &TreeSearch<E>) -> Found {
    let mut whole = Clock::start(&job.budget, &job.cancel, 1);
    // A tree takes a chunk at least.
    let node = match method.options.policy {
        SelectionPolicy::Puct(_) => Arena::NODE_WITH_PRIOR,
        SelectionPolicy::Uniform | SelectionPolicy::Ucb => Arena::NODE,
    };
    let most = Arena::chunks(method.options.tree_mib as usize, node);
    let worlds = worlds(job.root, job.mover, most.min(method.options.worlds as usize), job.seed);
    let count = worlds.len() as u64;
    let share = |total: Option<u64>| total.map(|total| total.div_ceil(count));
    let budget = Budget {
        nodes: share(job.budget.nodes),
        simulations: share(job.budget.simulations),
        time: job.budget.time.map(|time| time / count as u32),
        ..job.budget.clone()
    };
    let mut found =
        Found { trees: Vec::new(), stats: Stats::default(), stopped: StopReason::Solved };
    for (index, world) in worlds.iter().enumerate() {
        let seed = job.seed.wrapping_add(index as u64 * 0x9E37_79B9);
        let tree = Arena::new(most / worlds.len());
        let (stats, stopped) = grow(job, method, world, &tree, &budget, seed);
        let time = found.stats.time + stats.time;
        found.stats.absorb(&stats);
        found.stats.time = time;
        found.stopped = stopped;
        found.trees.push(tree);
        // A tree's first nodes may take longer than its share.
        if whole.look().is_err() {
            break;
        }
        if let Some(observer) = job.observer.filter(|_| count > 1) {
            let (trees, stopped) = (&found.trees, StopReason::Running);
            observer(&verdict::report(job, &method.options, trees, found.stats, stopped));
        }
    }
    found
}

/// Grows one tree with all threads of the job.
fn grow<G: Game, E: Evaluator<G>>(
    job: &Job<'_, G>,
    method: &TreeSearch<E>,
    world: &G,
    tree: &Arena,
    budget: &Budget,
    seed: u64,
) -> (Stats, StopReason) {
    let threads = job.threads as u64;
    let budget = Budget {
        simulations: budget.simulations.map(|all| all.div_ceil(threads)),
        ..budget.clone()
    };
    // No intermediate reports from within one of several worlds.
    let observed = job.observer.is_some() && !G::Info::HIDDEN;
    let work = |index: u64, cancel: &Cancel| {
        let clock = Clock::start(&budget, cancel, threads);
        let rng = Rng::new(seed ^ index.wrapping_mul(0xD134_2543_DE82_EF95));
        let mut simulator = Simulator::new(job, method, tree, world, clock, rng);
        if observed && index == 0 {
            simulator.tells();
        }
        simulator.simulate(budget.simulations)
    };
    let enough = Cancel::default();
    let help = |index| work(index as u64, &enough).0;
    let mut lead = (Stats::default(), StopReason::Solved);
    let others = with_helpers(job.threads - 1, &help, &mut || {
        lead = work(0, &job.cancel);
        // With a simulation budget every thread does its share; otherwise all stop together.
        if lead.1 != StopReason::Simulations {
            enough.cancel();
        }
    });
    let (mut stats, stopped) = lead;
    for work in &others {
        stats.absorb(work);
    }
    (stats, stopped)
}
