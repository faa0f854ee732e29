//! Driver of exact solvers: the value of the root and of each of its moves, and their lines to the end of the
//! game.

use super::deepen::{Deepened, Finding, RootMove, sort_by_keys};
use super::report::Stats;
use super::{Clock, Job, Score, StopReason, Stopped, Wanted};
use crate::game::{Evaluator, ExactSolver, Game, Side, Solution, Turn};

/// Part of the budget after which an unsolved root is left to the ordinary search, as a divisor. Not tuned.
const SHARE: u32 = 2;

/// The ordinary search of a job.
type OrdinarySearch<'a, G> = dyn Fn(&Job<'_, G>) -> Finding<<G as Game>::Move> + 'a;

/// Answers a job by the game's exact solver; where it has none, where the depth limit is a horizon, or where
/// the root is not solved within its share of the budget, by `search` with what is left.
pub(super) fn solve_or<G: Game, E: Evaluator<G>>(
    job: &Job<'_, G>,
    evaluator: &E,
    search: &OrdinarySearch<'_, G>,
) -> Finding<G::Move> {
    let reaches_end = |longest: u32| job.budget.depth.is_none_or(|depth| depth >= longest);
    // A trace shows the nodes of the ordinary search.
    let solver = evaluator.solver().filter(|_| job.trace.is_none());
    let Some(mut solver) = solver.filter(|solver| reaches_end(solver.longest(job.root))) else {
        return search(job);
    };
    let clock = Clock::start(&job.budget.part(SHARE), &job.cancel, 1);
    let mut solving = Solving { solver: &mut *solver, clock, viewer: job.mover };
    let first = solving.first(job);
    let spent = solving.clock.stats();
    let (budget, cancel) = (job.budget.less(&spent), job.cancel.clone());
    let rest = &Job { budget, cancel, ..*job };
    let (found, stats) = match first {
        Ok(first) => {
            let share = if job.wanted == Wanted::One { 1 } else { SHARE };
            solving.clock = Clock::start(&rest.budget.part(share), &rest.cancel, 1);
            let found = solving.finish(rest, first);
            rate_unsolved(rest, found, &solving.clock.stats(), search)
        }
        Err(Stopped(_)) => search(rest),
    };
    (found, stats.after(&spent))
}

/// Rates the moves that the solver had no time for by the ordinary search. None is better than the solved best move.
fn rate_unsolved<G: Game>(
    job: &Job<'_, G>,
    mut found: Deepened<G::Move>,
    spent: &Stats,
    search: &OrdinarySearch<'_, G>,
) -> Finding<G::Move> {
    let unsolved: Vec<_> =
        found.moves.iter().filter(|root| !root.rated).map(RootMove::mv).collect();
    if job.wanted == Wanted::One || unsolved.is_empty() {
        return (found, *spent);
    }
    let (budget, cancel) = (job.budget.less(spent), job.cancel.clone());
    let others = Job { moves: &unsolved, named: true, budget, cancel, observer: None, ..*job };
    let (rated, stats) = search(&others);
    let most = found.moves[0].score;
    found.moves.retain(|root| root.rated);
    let capped =
        |root: RootMove<G::Move>| if root.score > most { root.at_most(most) } else { root };
    found.moves.extend(rated.moves.into_iter().map(capped));
    found.stopped = rated.stopped;
    sort_by_keys(&mut found.moves, |root| (!root.rated, -root.score));
    (found, stats.after(spent))
}

/// A solver at work for the side to move at the root.
struct Solving<'a, G: Game> {
    solver: &'a mut dyn ExactSolver<G>,
    clock: Clock,
    viewer: Side,
}

impl<G: Game> Solving<'_, G> {
    fn solution(&mut self, pos: &G) -> Result<Solution<G::Move>, Stopped> {
        let mut stopped = Stopped(StopReason::Solved);
        let clock = &mut self.clock;
        let go_on = &mut || clock.tick().map_err(|why| stopped = why).is_ok();
        self.solver.solve(pos, go_on).ok_or(stopped)
    }

    /// Value of a position `ply` plies from the root.
    fn value(&mut self, pos: &G, ply: u32) -> Result<Score, Stopped> {
        match pos.turn() {
            Turn::Over(outcome) => Ok(Score::of(outcome, self.viewer, ply)),
            _ => {
                let Solution { outcome, plies, .. } = self.solution(pos)?;
                Ok(Score::of(outcome, self.viewer, ply + plies))
            }
        }
    }

    /// A best move of the job: that of the root, or if the job excludes it, the best of all others.
    fn first(&mut self, job: &Job<'_, G>) -> Result<RootMove<G::Move>, Stopped> {
        let Solution { outcome, plies, best } = self.solution(job.root)?;
        if job.moves.contains(&best) {
            return Ok(solved(best, Score::of(outcome, self.viewer, plies)));
        }
        let mut moves = Vec::new();
        for &mv in job.moves {
            moves.push(solved(mv, self.value(&job.root.after(mv), 1)?));
        }
        Ok(moves.into_iter().max_by_key(|root| root.score).expect("a job has moves"))
    }

    /// The best move, then the others as far as they are wanted, then their lines; whatever the clock allows.
    fn finish(&mut self, job: &Job<'_, G>, first: RootMove<G::Move>) -> Deepened<G::Move> {
        let (best, most) = (first.mv(), first.score);
        // No other move is better.
        let bounded = |mv| RootMove { score: most, resolved: true, ..RootMove::unknown(mv) };
        let others = job.moves.iter().filter(|&&mv| mv != best);
        let moves = std::iter::once(first).chain(others.map(|&mv| bounded(mv))).collect();
        let depth = self.solver.longest(job.root);
        let mut found = Deepened { moves, depth, stopped: StopReason::Solved };
        if let Err(Stopped(reason)) = self.rate(job, &mut found.moves) {
            let rated = found.moves.iter().filter(|root| root.rated).count();
            if rated < job.wanted.of(found.moves.len()) {
                found.stopped = reason;
            }
        }
        // A move without a value is at most as good as the best.
        sort_by_keys(&mut found.moves, |root| (!root.rated, -root.score));
        found
    }

    fn rate(&mut self, job: &Job<'_, G>, moves: &mut [RootMove<G::Move>]) -> Result<(), Stopped> {
        self.play_out(job.root, &mut moves[0])?;
        if job.wanted == Wanted::One {
            return Ok(());
        }
        for root in &mut moves[1..] {
            *root = solved(root.mv(), self.value(&job.root.after(root.mv()), 1)?);
        }
        moves[1..].iter_mut().try_for_each(|root| self.play_out(job.root, root))
    }

    /// Extends a line by best moves to the end of the game.
    fn play_out(&mut self, root: &G, line: &mut RootMove<G::Move>) -> Result<(), Stopped> {
        let mut pos = root.after(line.mv());
        while let Turn::Of(_) = pos.turn() {
            let best = self.solution(&pos)?.best;
            line.line.push(best);
            pos.play(best);
        }
        Ok(())
    }
}

fn solved<M: Copy>(mv: M, score: Score) -> RootMove<M> {
    RootMove { score, resolved: true, rated: true, ..RootMove::unknown(mv) }
}
