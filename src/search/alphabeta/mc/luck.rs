//! Chance inside of a world.

use super::Dealing;
use crate::game::{Chance, Expert, Game, KINDS, Rng, Turn, zobrist};
use crate::search::alphabeta::chance::Tally;
use crate::search::alphabeta::engine::{Asked, Node};
use crate::search::alphabeta::sound::{Policy, Sound, Sounding};
use crate::search::alphabeta::thrift::{Saving, Thrifty};
use crate::search::{Score, Stopped, Window};

/// How often each kind of chance was sampled on the line at hand.
type Fallen = [u8; KINDS];

/// Meets chance by enumeration or by samples.
pub(super) struct Luck<G: Game> {
    pub(super) dealing: Dealing,
    /// The number of the world that is searched.
    pub(super) world: u64,
    fallen: Fallen,
    /// Whether anything was sampled since the search began.
    pub(super) has_sampled: bool,
    /// The samples of all chance on the line, and what happens in them.
    samples: Vec<Sample>,
    steps: Vec<G::Move>,
    saving: Saving<G::Move>,
}

/// What chance may bring until a player decides again.
#[derive(Clone, Copy)]
struct Sample {
    /// Where its steps begin and end.
    from: usize,
    to: usize,
    /// How many of the samples it stands for.
    count: u32,
    /// Of the position it leads to.
    hash: u64,
    fallen: Fallen,
}

impl<G: Game> Luck<G> {
    pub(super) fn new(dealing: Dealing, saving: Saving<G::Move>) -> Self {
        Self {
            dealing,
            world: 0,
            fallen: [0; KINDS],
            has_sampled: false,
            samples: Vec::new(),
            steps: Vec::new(),
            saving,
        }
    }

    /// The generator for an event. It does not depend on the position: whatever the players do, the luck
    /// is the same, so that what is left of a difference between two moves is their own.
    // CITE: common random numbers, Glasserman and Yao 1992.
    fn fate(&self, sample: u32, kind: usize, time: u8, number: u8) -> Rng {
        let world = zobrist::mix(self.saving.seed ^ self.world << 48);
        let event = u64::from(sample) << 24
            | (kind as u64) << 16
            | u64::from(time) << 8
            | u64::from(number);
        Rng::new(zobrist::mix(world ^ event))
    }
}

impl<G: Game, E: Expert<G>> Thrifty<G, E> for Sound<G::Move, Luck<G>> {
    #[inline]
    fn saving(&mut self) -> &mut Saving<G::Move> {
        &mut self.policy.saving
    }
}

impl<G: Game, E: Expert<G>> Policy<G, E> for Luck<G> {
    fn enter(&mut self) {
        self.fallen = [0; KINDS];
        self.samples.clear();
        self.steps.clear();
        self.saving.clear();
    }

    /// A value depends on the samples still to come, which another world or other luck before do not
    /// share.
    #[inline]
    fn salt(&self) -> u64 {
        let line = u64::from(u32::from_le_bytes(self.fallen)) | self.world << 32;
        if line == 0 { 0 } else { zobrist::mix(line) }
    }

    fn chance(
        searcher: &mut Sounding<'_, G, E, Self>,
        pos: &G,
        event: G::Chance,
        asked: Asked,
    ) -> Result<Score, Stopped> {
        let luck = &mut searcher.nodes.policy;
        // What comes after chance has not been looked at elsewhere.
        luck.saving.sleep.wake(asked.ply);
        let Dealing { enumerate, chance_depth, .. } = luck.dealing;
        let asked = Asked { depth: asked.depth.saturating_sub(chance_depth), ..asked };
        if searcher.has_few(pos, event, &mut i64::from(enumerate)) {
            searcher.expected(pos, event, asked)
        } else {
            searcher.sampled(pos, asked)
        }
    }

    fn depth(searcher: &mut Sounding<'_, G, E, Self>, pos: &G, node: Node) -> u32 {
        searcher.razored(pos, node)
    }

    fn suffices(
        searcher: &mut Sounding<'_, G, E, Self>,
        pos: &G,
        node: Node,
    ) -> Result<Option<Score>, Stopped> {
        searcher.even_poorer(pos, node)
    }

    fn prior(&self, expert: &E, pos: &G, node: Node, mv: G::Move) -> i32 {
        self.saving.prior(expert, pos, node, mv)
    }

    fn leave_out(
        searcher: &mut Sounding<'_, G, E, Self>,
        pos: &G,
        node: Node,
        start: usize,
    ) -> bool {
        let Sounding { nodes, moves, expert, .. } = searcher;
        nodes.policy.saving.thrift.dominance && expert.drop_outdone(pos, node.mover, moves, start)
    }

    fn pass_over(searcher: &mut Sounding<'_, G, E, Self>, node: Node, start: usize) -> bool {
        let Sounding { nodes, moves, .. } = searcher;
        nodes.policy.saving.sleep.pass_over(node, moves, start)
    }

    fn turn_to(
        searcher: &mut Sounding<'_, G, E, Self>,
        pos: &G,
        node: Node,
        start: usize,
        n: usize,
    ) {
        // Leaves have no moves that could sleep.
        let Sounding { nodes, moves, expert, .. } = searcher;
        let Saving { thrift, sleep, .. } = &mut nodes.policy.saving;
        if thrift.order_independence && node.depth > 1 {
            sleep.turn_to(expert, pos, node, moves[start..n].iter().copied(), moves[n]);
        }
    }

    fn merge(searcher: &mut Sounding<'_, G, E, Self>, pos: &G, start: usize) {
        if !searcher.nodes.policy.dealing.buckets {
            return;
        }
        let outcomes = &mut searcher.outcomes;
        let mut kept = start;
        for n in start..outcomes.len() {
            let (mv, p) = outcomes[n];
            let mv = searcher.expert.stand_in(pos, mv);
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

impl<G: Game, E: Expert<G>> Sounding<'_, G, E, Luck<G>> {
    /// Whether chance brings no more than `left` different things until a player decides again; `left` is
    /// lowered by as many as there are.
    fn has_few(&mut self, pos: &G, event: G::Chance, left: &mut i64) -> bool {
        let start = self.outcomes.len();
        self.list(pos, event);
        let end = self.outcomes.len();
        // Each outcome leads to one thing at least: mostly this is known to be too much at once.
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

    /// The mean over samples of what chance may bring until a player decides again.
    fn sampled(&mut self, pos: &G, asked: Asked) -> Result<Score, Stopped> {
        let start = self.nodes.policy.samples.len();
        self.draw(pos);
        let Luck { dealing, fallen, .. } = self.nodes.policy;
        let prunes = self.prunes(asked.window);
        let mut tally = Tally::new(self.expert.bound());
        let mut cut = None;
        for n in start..self.nodes.policy.samples.len() {
            let sample = self.nodes.policy.samples[n];
            let p = f64::from(sample.count) / f64::from(dealing.samples.max(1));
            let inner = if prunes { tally.window(p, asked.window) } else { Window::FULL };
            self.nodes.policy.fallen = sample.fallen;
            let score = self.through(pos, sample, Asked { window: inner, ..asked })?;
            cut = tally.count(score, p, inner);
            if cut.is_some() {
                self.cutoffs += 1;
                break;
            }
        }
        let steps = self.nodes.policy.samples[start].from;
        let luck = &mut self.nodes.policy;
        luck.fallen = fallen;
        luck.steps.truncate(steps);
        luck.samples.truncate(start);
        self.lines.clear(asked.ply);
        // What holds in all samples may not hold in the next.
        Ok(cut.unwrap_or_else(|| tally.value().without_proof()))
    }

    /// Appends the samples for a position, equal ones as one.
    fn draw(&mut self, pos: &G) {
        let Self { nodes, expert, .. } = self;
        let luck = &mut nodes.policy;
        luck.has_sampled = true;
        let start = luck.samples.len();
        for number in 0..luck.dealing.samples.max(1) {
            let from = luck.steps.len();
            let mut next = pos.clone();
            let (mut fallen, mut seen) = (luck.fallen, [0_u8; KINDS]);
            while let Turn::Chance(event) = next.turn() {
                let kind = event.kind() % KINDS;
                let is_new = seen[kind] == 0;
                fallen[kind] = fallen[kind].wrapping_add(u8::from(is_new));
                seen[kind] = seen[kind].saturating_add(1);
                let mut rng = luck.fate(number, kind, fallen[kind], seen[kind]);
                let mut mv = event.sample(&next, &mut rng);
                if luck.dealing.buckets {
                    mv = expert.stand_in(&next, mv);
                }
                luck.steps.push(mv);
                next.play(mv);
            }
            let hash = next.hash();
            let same = |other: &&mut Sample| (other.hash, other.fallen) == (hash, fallen);
            if let Some(other) = luck.samples[start..].iter_mut().find(same) {
                other.count += 1;
                luck.steps.truncate(from);
            } else {
                let to = luck.steps.len();
                luck.samples.push(Sample { from, to, count: 1, hash, fallen });
            }
        }
    }

    /// The value of the position that a sample leads to.
    fn through(&mut self, pos: &G, sample: Sample, asked: Asked) -> Result<Score, Stopped> {
        let mut at = pos.clone();
        let mut last = None;
        for n in sample.from..sample.to {
            let mv = self.nodes.policy.steps[n];
            let next = at.after(mv);
            self.expert.push(&at, mv, &next);
            (at, last) = (next, Some(G::move_code(mv)));
        }
        let score = self.value(&at, asked, last)?;
        (sample.from..sample.to).for_each(|_| self.expert.pop());
        Ok(score)
    }
}
