//! Chance nodes within a world.

use super::ChanceOptions;
use crate::game::{Chance, Evaluator, Game, KINDS, Rng, Turn, zobrist};
use crate::search::alphabeta::chance::Expectation;
use crate::search::alphabeta::engine::Query;
use crate::search::alphabeta::full_width::FullWidthSearcher;
use crate::search::{Score, Stopped, Window};

/// Number of sampled events on the current line, by kind.
type Draws = [u8; KINDS];

/// Enumeration or sampling of chance events; only in searches with chance or hidden information.
pub(in crate::search::alphabeta) struct ChanceSampling<G: Game> {
    pub(super) chance_options: ChanceOptions,
    /// Index of the current world.
    pub(super) world: u64,
    draws: Draws,
    /// True if anything was sampled since the search began.
    pub(super) has_sampled: bool,
    /// Stacks of the samples on the current line and of their moves.
    samples: Vec<ChanceSample>,
    steps: Vec<G::Move>,
    /// Seed of all samples.
    seed: u64,
}

/// One sample of the chance events up to the next decision.
#[derive(Clone, Copy)]
struct ChanceSample {
    /// Range of its moves in `steps`.
    from: usize,
    to: usize,
    /// Multiplicity: number of equal samples.
    count: u32,
    /// Hash of the resulting position.
    hash: u64,
    draws: Draws,
}

impl<G: Game> ChanceSampling<G> {
    pub(super) fn new(chance_options: ChanceOptions, seed: u64) -> Self {
        Self {
            chance_options,
            world: 0,
            draws: [0; KINDS],
            has_sampled: false,
            samples: Vec::new(),
            steps: Vec::new(),
            seed,
        }
    }

    /// Random numbers of an event. Independent of the position: the same ones whatever the players do, so
    /// that a difference between two moves is due to the moves.
    // CITE: common random numbers, Glasserman and Yao 1992.
    fn event_rng(&self, sample: u32, kind: usize, time: u8, number: u8) -> Rng {
        Self::numbers(self.seed ^ self.world << 48, sample, kind, time, number)
    }

    /// Random numbers by the world's seed, the sample, and the event's place on the line.
    pub(super) fn numbers(seed: u64, sample: u32, kind: usize, time: u8, number: u8) -> Rng {
        let event = u64::from(sample) << 24
            | (kind as u64) << 16
            | u64::from(time) << 8
            | u64::from(number);
        Rng::new(zobrist::mix(zobrist::mix(seed) ^ event))
    }

    /// Clears the current line.
    pub(in crate::search::alphabeta) fn clear(&mut self) {
        self.draws = [0; KINDS];
        self.samples.clear();
        self.steps.clear();
    }

    /// Table salt: a value depends on the samples still to come, which differ between worlds and after other
    /// draws.
    #[inline]
    pub(in crate::search::alphabeta) fn salt(&self) -> u64 {
        let line = u64::from(u32::from_le_bytes(self.draws)) | self.world << 32;
        if line == 0 { 0 } else { zobrist::mix(line) }
    }

    /// Merges equivalent outcomes of `outcomes[start..]` into their canonical representative, or all into the
    /// typical one.
    pub(in crate::search::alphabeta) fn merge_outcomes<E: Evaluator<G>>(
        &self,
        evaluator: &E,
        pos: &G,
        outcomes: &mut Vec<(G::Move, f64)>,
        start: usize,
    ) {
        if let Turn::Chance(event) = pos.turn()
            && let Some(mv) = self.typical(pos, event)
        {
            outcomes.truncate(start);
            outcomes.push((mv, 1.0));
            return;
        }
        let Some(hints) = evaluator.pruning_hints().filter(|_| self.chance_options.buckets) else {
            return;
        };
        let mut kept = start;
        for n in start..outcomes.len() {
            let (mv, p) = outcomes[n];
            let mv = hints.canonical_outcome(pos, mv);
            match outcomes[start..kept].iter_mut().find(|(other, _)| *other == mv) {
                Some((_, sum)) => *sum += p,
                None => {
                    outcomes[kept] = (mv, p);
                    kept += 1;
                }
            }
        }
        outcomes.truncate(kept);
    }
}

impl<G: Game, E: Evaluator<G>> FullWidthSearcher<'_, G, E> {
    /// Sampling state of this search.
    pub(super) fn sampling(&self) -> &ChanceSampling<G> {
        self.nodes.sampling.as_ref().expect("a search over worlds samples chance")
    }

    pub(super) fn sampling_mut(&mut self) -> &mut ChanceSampling<G> {
        self.nodes.sampling.as_mut().expect("a search over worlds samples chance")
    }

    /// True if chance was sampled since the search began.
    pub(super) fn has_sampled(&self) -> bool {
        self.sampling().has_sampled
    }

    /// Value of a chance node: the exact expectation over few outcomes, the mean over samples otherwise.
    pub(in crate::search::alphabeta) fn mean_of_chance(
        &mut self,
        pos: &G,
        event: G::Chance,
        query: Query,
    ) -> Result<Score, Stopped> {
        self.nodes.pruning.wake(query.ply);
        let most = i64::from(self.sampling().chance_options.enumerate);
        let mut left = most;
        if self.has_few(pos, event, &mut left) {
            // A typical roll alone is no chance.
            let is_settled = most - left == 1 && self.sampling().typical(pos, event).is_some();
            self.expected(pos, event, self.through_chance(query, !is_settled))
        } else {
            self.sampled(pos, query)
        }
    }

    /// Query for the position after a chance event, which costs depth.
    fn through_chance(&self, query: Query, is_chance: bool) -> Query {
        let cost = self.sampling().chance_options.chance_depth;
        Query { depth: query.depth.saturating_sub(if is_chance { cost } else { 0 }), ..query }
    }

    /// True if the chance events up to the next decision have at most `left` outcomes and none is guessed; `left`
    /// is lowered by their number.
    fn has_few(&mut self, pos: &G, event: G::Chance, left: &mut i64) -> bool {
        if self.is_guessed(pos, event) {
            return false;
        }
        let is_settled = self.sampling().typical(pos, event).is_some();
        self.sampling_mut().has_sampled |= is_settled;
        let start = self.outcomes.len();
        self.list(pos, event);
        let end = self.outcomes.len();
        // Each outcome leads to one result at least: mostly this settles the count at once.
        *left -= (end - start) as i64;
        let mut few = *left >= 0;
        for n in start..end {
            let next = pos.after(self.outcomes[n].0);
            if few && let Turn::Chance(event) = next.turn() {
                *left += 1;
                few = self.has_few(&next, event, left);
            }
        }
        self.outcomes.truncate(start);
        few
    }

    /// Mean over samples of the chance events up to the next decision.
    fn sampled(&mut self, pos: &G, query: Query) -> Result<Score, Stopped> {
        let start = self.sampling().samples.len();
        let is_chance = self.draw(pos);
        let query = self.through_chance(query, is_chance);
        let &ChanceSampling { chance_options, draws, .. } = self.sampling();
        let prunes = self.prunes(query.window);
        let mut tally = Expectation::new(self.bound);
        let mut cut = None;
        for n in start..self.sampling().samples.len() {
            let sample = self.sampling().samples[n];
            let p = f64::from(sample.count) / f64::from(chance_options.samples.max(1));
            let inner = if prunes { tally.window(p, query.window) } else { Window::FULL };
            self.sampling_mut().draws = sample.draws;
            let score = self.through(pos, sample, Query { window: inner, ..query })?;
            cut = tally.count(score, p, inner);
            if cut.is_some() {
                self.cut();
                break;
            }
        }
        let steps = self.sampling().samples[start].from;
        let sampling = self.sampling_mut();
        sampling.draws = draws;
        sampling.steps.truncate(steps);
        sampling.samples.truncate(start);
        self.pv.clear(query.ply);
        // A result in all samples is not a proof.
        Ok(cut.unwrap_or_else(|| tally.value().without_proof()))
    }

    /// Appends the samples of a position; equal samples are merged. True if any event was left to chance.
    fn draw(&mut self, pos: &G) -> bool {
        self.sampling_mut().has_sampled = true;
        let (start, draws) = (self.sampling().samples.len(), self.sampling().draws);
        let mut is_chance = false;
        for number in 0..self.sampling().chance_options.samples.max(1) {
            let from = self.sampling().steps.len();
            let mut next = pos.clone();
            let (mut draws, mut seen) = (draws, [0_u8; KINDS]);
            while let Turn::Chance(event) = next.turn() {
                let kind = event.kind() % KINDS;
                let is_new = seen[kind] == 0;
                draws[kind] = draws[kind].wrapping_add(u8::from(is_new));
                seen[kind] = seen[kind].saturating_add(1);
                let (mv, is_left) = self.drawn(&next, event, number, draws[kind], seen[kind]);
                is_chance |= is_left;
                self.sampling_mut().steps.push(mv);
                next.play(mv);
            }
            let (hash, sampling) = (next.hash(), self.sampling_mut());
            let same = |other: &&mut ChanceSample| (other.hash, other.draws) == (hash, draws);
            if let Some(other) = sampling.samples[start..].iter_mut().find(same) {
                other.count += 1;
                sampling.steps.truncate(from);
            } else {
                let to = sampling.steps.len();
                sampling.samples.push(ChanceSample { from, to, count: 1, hash, draws });
            }
        }
        is_chance
    }

    /// Outcome of an event in a sample, and true if it was left to chance. `time` and `number` are its place on
    /// the line and since the last decision, by kind.
    fn drawn(
        &self,
        pos: &G,
        event: G::Chance,
        sample: u32,
        time: u8,
        number: u8,
    ) -> (G::Move, bool) {
        let (sampling, kind) = (self.sampling(), event.kind() % KINDS);
        if let Some(mv) = sampling.typical(pos, event) {
            return (mv, false);
        }
        let is_guessed = self.is_guessed(pos, event);
        let mut rng = if is_guessed {
            ChanceSampling::<G>::guess_rng(kind, time, number)
        } else {
            sampling.event_rng(sample, kind, time, number)
        };
        let mv = event.sample(pos, &mut rng);
        let hints = self.evaluator.pruning_hints().filter(|_| sampling.chance_options.buckets);
        (hints.map_or(mv, |hints| hints.canonical_outcome(pos, mv)), !is_guessed)
    }

    /// Value of the position after a sample.
    fn through(&mut self, pos: &G, sample: ChanceSample, query: Query) -> Result<Score, Stopped> {
        let mut at = pos.clone();
        let mut last = None;
        for n in sample.from..sample.to {
            let mv = self.sampling().steps[n];
            let next = at.after(mv);
            self.evaluator.push(&at, mv, &next);
            (at, last) = (next, Some(G::move_code(mv)));
        }
        // Of several events in a row a trace has no positions.
        let single = sample.to - sample.from == 1;
        self.traced_move = single.then(|| self.sampling().steps[sample.from]);
        let score = self.value(&at, query, last)?;
        (sample.from..sample.to).for_each(|_| self.evaluator.pop());
        Ok(score)
    }
}
