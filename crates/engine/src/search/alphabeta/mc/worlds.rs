//! Root moves over all worlds: a chance node above the root.

use crate::game::{Evaluator, Game, Info, MoveList};
use crate::search::alphabeta::full_width::FullWidthSearcher;
use crate::search::alphabeta::threads::stats;
use crate::search::deepen::{Deepened, Deepening, RootMove, Roots, deepen, last_depth};
use crate::search::root_moves::listed_moves;
use crate::search::score::ScoreScale;
use crate::search::textbook::minimax;
use crate::search::{Job, Report, Score, Stopped, Window};

/// The worlds of a search, as jobs.
struct Worlds<'a, G: Game> {
    jobs: Vec<Job<'a, G>>,
    /// True if all worlds are equal positions, distinguished only by their random numbers.
    alike: bool,
}

/// Result for a root move.
enum Worth {
    /// Value in every world.
    Values(Vec<Score>),
    /// Upper bound.
    AtMost(Score),
}

impl<G: Game, E: Evaluator<G>> FullWidthSearcher<'_, G, E> {
    /// Searches the root moves of a job over its worlds.
    pub(super) fn over_worlds(&mut self, job: &Job<'_, G>) -> Report<G::Move> {
        let count = self.sampling().chance_options.worlds(job.wanted);
        let positions = self.positions(job, count);
        let alike = positions.iter().all(|world| world.hash() == positions[0].hash());
        let (budget, cancel) = (&job.budget, &job.cancel);
        let of_world = |root| Job { root, budget: budget.clone(), cancel: cancel.clone(), ..*job };
        let worlds = Worlds { jobs: positions.iter().map(of_world).collect(), alike };
        let first = &worlds.jobs[0];
        let mut evaluator = self.evaluator.clone();
        evaluator.enter(first.root);
        let key = |mv| evaluator.order(first.root, job.mover, mv).into();
        let roots = listed_moves(first, &evaluator, self.list, key);
        let complete = roots.complete;
        let keeps = self.nodes.pruning.keeps_distances();
        let distances = self.list == MoveList::All && keeps;
        let scale = ScoreScale { distances, ..ScoreScale::of::<G, E>(&evaluator) };
        let mut found = self.search_worlds(&worlds, scale, roots);
        found.doubt_unless(complete);
        if self.is_sure() {
            self.complete(first, &mut found);
        }
        self.trace.hand_over(job);
        let stats = stats(self);
        found.report(stats, scale)
    }

    fn search_worlds(
        &mut self,
        worlds: &Worlds<'_, G>,
        scale: ScoreScale,
        roots: Roots<G::Move>,
    ) -> Deepened<G::Move> {
        let preferred: Vec<_> = roots.moves.iter().map(RootMove::mv).collect();
        let job = &worlds.jobs[0];
        let first = if self.options.deepening { 1 } else { last_depth(job) };
        let next = |&depth: &u32| (depth < last_depth(job)).then(|| depth + 1);
        let mut depths = std::iter::successors(Some(first), next);
        let mut found =
            deepen(&Deepening::of(job, scale), roots, &mut depths, &mut |depth, roots| {
                self.iterate_worlds(worlds, depth, roots)?;
                Ok(stats(self))
            });
        found.prefer(&preferred);
        found
    }

    /// One iteration over the root moves.
    fn iterate_worlds(
        &mut self,
        worlds: &Worlds<'_, G>,
        depth: u32,
        roots: &mut [RootMove<G::Move>],
    ) -> Result<(), Stopped> {
        let wanted = worlds.jobs[0].wanted.of(roots.len());
        // Values of the best moves so far, best first: a further move matters only if it beats the last of
        // the wanted ones.
        let mut found: Vec<(Score, Vec<Score>)> = Vec::new();
        for root in roots {
            let before = self.horizons;
            let worth = match found.get(wanted - 1) {
                None => Worth::Values(self.values(worlds, root, depth)?),
                Some((_, rival)) if wanted > 1 => {
                    // A move equal to the last of several wanted ones shares its rank.
                    let rival: Vec<_> = rival.iter().map(|score| score.just_below()).collect();
                    self.beats_in_worlds(worlds, root, depth, &rival)?
                }
                Some((_, rival)) => self.beats_in_worlds(worlds, root, depth, rival)?,
            };
            // What was sampled is not proved, however deep the search.
            root.resolved = self.horizons == before && self.is_sure();
            self.write_down(root, &worth);
            if let Worth::Values(values) = worth {
                let place = found.partition_point(|&(other, _)| other >= root.score);
                found.insert(place, (root.score, values));
            }
        }
        Ok(())
    }

    /// True if values are not estimates: nothing hidden and nothing sampled.
    fn is_sure(&self) -> bool {
        !G::Info::HIDDEN && !self.has_sampled()
    }

    /// Number of distinct worlds to search: one if they do not differ.
    fn different(&self, worlds: &Worlds<'_, G>) -> usize {
        if worlds.alike && !self.has_sampled() { 1 } else { worlds.jobs.len() }
    }

    /// Switches to a world.
    fn enter_world<'w, 'j>(&mut self, worlds: &'w Worlds<'j, G>, number: usize) -> &'w Job<'j, G> {
        let job = &worlds.jobs[number];
        self.sampling_mut().world = number as u64;
        self.reset(job.root);
        job
    }

    /// Value of a root move in one world, with an aspiration window around its last value there.
    fn value_in(
        &mut self,
        worlds: &Worlds<'_, G>,
        root: &RootMove<G::Move>,
        depth: u32,
        number: usize,
    ) -> Result<Score, Stopped> {
        let last = root.worlds.get(number).map(|&value| Score::heuristic(value.round() as i32));
        let job = self.enter_world(worlds, number);
        self.near(job, root.mv(), last.unwrap_or(root.score), depth)
    }

    /// Value of a root move in each world.
    fn values(
        &mut self,
        worlds: &Worlds<'_, G>,
        root: &RootMove<G::Move>,
        depth: u32,
    ) -> Result<Vec<Score>, Stopped> {
        let mut values = Vec::new();
        while values.len() < self.different(worlds) {
            values.push(self.value_in(worlds, root, depth, values.len())?);
        }
        Ok(values)
    }

    /// Value of a root move if it is better than the rival. Null window searches test first, world by world,
    /// if it is better there: cheap to refute for a move that is better nowhere.
    fn beats_in_worlds(
        &mut self,
        worlds: &Worlds<'_, G>,
        root: &RootMove<G::Move>,
        depth: u32,
        rival: &[Score],
    ) -> Result<Worth, Stopped> {
        let bound = self.bound;
        // Values that depend on no sample are the same in every world.
        let of_rival = |number: usize| rival[number.min(rival.len() - 1)];
        let mut most: Vec<(Score, bool)> = Vec::new();
        while most.len() < self.different(worlds) {
            let alpha = of_rival(most.len());
            let job = self.enter_world(worlds, most.len());
            let guess = self.root_value(job, root.mv(), depth, Window::above(alpha))?;
            let is_better = guess > alpha;
            let score = if is_better {
                self.root_value(job, root.mv(), depth, Window::new(alpha, Score::MAX))?
            } else {
                guess
            };
            most.push((score, is_better));
        }
        let to_beat = mean((0..most.len()).map(of_rival), bound);
        loop {
            let limit = mean(most.iter().map(|(score, _)| *score), bound);
            if limit <= to_beat {
                return Ok(Worth::AtMost(limit));
            }
            let Some(number) = most.iter().position(|(_, is_exact)| !is_exact) else {
                return Ok(Worth::Values(most.into_iter().map(|(score, _)| score).collect()));
            };
            most[number] = (self.value_in(worlds, root, depth, number)?, true);
        }
    }

    /// Writes the result to the root move.
    fn write_down(&self, root: &mut RootMove<G::Move>, worth: &Worth) {
        let bound = self.bound;
        let said = |score: Score| if self.is_sure() { score } else { score.without_proof() };
        root.line.truncate(1);
        root.worlds.clear();
        match worth {
            Worth::AtMost(score) => (root.score, root.rated) = (said(*score), false),
            Worth::Values(values) => {
                root.score = said(mean(values.iter().copied(), bound));
                root.rated = true;
                if self.is_sure() {
                    root.line.extend_from_slice(self.pv.get(1));
                } else {
                    root.worlds.extend(values.iter().map(|value| value.squashed(bound)));
                }
            }
        }
    }
}

/// Mean over equally likely worlds.
fn mean(scores: impl Iterator<Item = Score>, bound: i32) -> Score {
    let scores: Vec<_> = scores.collect();
    let share = 1.0 / scores.len() as f64;
    if let [score] = scores[..] {
        score
    } else {
        minimax::mean(&scores.iter().map(|&score| (score, share)).collect::<Vec<_>>(), bound)
    }
}
