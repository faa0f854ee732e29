//! Simulations: selection, expansion, playout and backpropagation.

use super::TreeSearch;
use super::arena::{Arena, ArenaNode, Family, ROOT};
use super::options::{ExplorationBase, SelectionPolicy, TreeOptions};
use super::proof::Proof;
use super::puct::Guide;
use super::{ucb, verdict};
use crate::game::{Chance, Evaluator, Game, Rng, Turn};
use crate::search::playout::result;
use crate::search::report::Stats;
use crate::search::terminal;
use crate::search::{Clock, Job, StopReason, Stopped, Wanted};

/// Simulations before the first intermediate report; each further report comes after twice as many. Not
/// tuned.
const FIRST_NEWS: u64 = 1 << 10;

/// One simulation thread.
pub(super) struct Simulator<'a, G: Game, E> {
    tree: &'a Arena,
    method: &'a TreeSearch<E>,
    job: &'a Job<'a, G>,
    world: &'a G,
    /// What knows priors and values, for PUCT.
    guide: Option<Guide<G, E>>,
    clock: Clock,
    rng: Rng,
    path: Vec<u32>,
    moves: Vec<G::Move>,
    outcomes: Vec<(G::Move, f64)>,
    depth: u32,
    /// Simulation count of the next intermediate report.
    next_news: u64,
}

impl<'a, G: Game, E: Evaluator<G>> Simulator<'a, G, E> {
    /// A thread that grows this tree from this world.
    pub(super) fn new(
        job: &'a Job<'a, G>,
        method: &'a TreeSearch<E>,
        tree: &'a Arena,
        world: &'a G,
        clock: Clock,
        rng: Rng,
    ) -> Self {
        let guide = match method.options.policy {
            SelectionPolicy::Puct(options) => Some(Guide::new(&method.evaluator, world, options)),
            SelectionPolicy::Uniform | SelectionPolicy::Ucb => None,
        };
        Self {
            tree,
            method,
            job,
            world,
            guide,
            clock,
            rng,
            path: Vec::new(),
            moves: Vec::new(),
            outcomes: Vec::new(),
            depth: 0,
            next_news: u64::MAX,
        }
    }

    /// Makes it report to the observer of the job.
    pub(super) const fn tells(&mut self) {
        self.next_news = FIRST_NEWS;
    }

    /// Grows the tree until it is solved, the budget is spent or `most` simulations are done.
    pub(super) fn simulate(&mut self, most: Option<u64>) -> (Stats, StopReason) {
        let mut simulations = 0;
        let stopped = loop {
            if most.is_some_and(|most| simulations >= most) {
                break StopReason::Simulations;
            }
            if self.is_solved() {
                break StopReason::Solved;
            }
            if let Err(Stopped(reason)) = self.clock.tick() {
                break reason;
            }
            self.simulation();
            simulations += 1;
            if simulations == self.next_news {
                self.tell(simulations);
            }
        };
        (self.stats(simulations), stopped)
    }

    fn stats(&self, simulations: u64) -> Stats {
        Stats { depth: self.depth, simulations, ..self.clock.stats() }
    }

    #[cold]
    fn tell(&mut self, simulations: u64) {
        let (job, options, tree) =
            (self.job, &self.method.options, std::slice::from_ref(self.tree));
        self.next_news *= 2;
        if let Some(observer) = job.observer {
            let stats = self.stats(simulations);
            observer(&verdict::report(job, options, tree, stats, StopReason::Running));
        }
    }

    /// True if the wanted results are proved.
    #[inline]
    fn is_solved(&self) -> bool {
        let root = self.tree.node(ROOT);
        root.is_proved()
            && (self.job.wanted == Wanted::One
                || root.family().is_some_and(|family| {
                    self.tree.nodes(family.children).iter().all(ArenaNode::is_proved)
                }))
    }

    /// One simulation.
    fn simulation(&mut self) {
        let mut pos = self.world.clone();
        let looks_back = self.job.judge.is_some() || self.guide.is_some();
        let mut before: Option<G> = None;
        let mut at = ROOT;
        self.path.clear();
        let result = loop {
            self.path.push(at);
            let node = self.tree.node(at);
            let fresh = node.visits() == 0;
            node.visit();
            let ply = self.path.len() as u32 - 1;
            let judged = before.take().and_then(|before| self.job.judged(&before, &pos, ply));
            if let Some(outcome) = judged {
                node.prove(Proof::of(outcome));
                break result::<G, E>(outcome, &self.method.evaluator) as f32;
            }
            if node.is_proved() && at != ROOT {
                break node.proof().result().expect("a proof has a result") as f32;
            }
            let family = match node.family() {
                Some(family) => family,
                None => match self.meet(&pos, node, fresh && at != ROOT) {
                    Ok(family) => family,
                    Err(result) => break result,
                },
            };
            let (child, mv) = self.descend(&pos, node, family, at == ROOT);
            at = child;
            before = looks_back.then(|| pos.clone());
            pos.play(mv);
            if let (Some(guide), Some(before)) = (&mut self.guide, &before) {
                guide.push(before, mv, &pos);
            }
        };
        if let Some(guide) = &mut self.guide {
            guide.back();
        }
        self.back_up(result);
    }

    /// Visits a node without children: expands it, or returns its result.
    #[inline]
    fn meet(&mut self, pos: &G, node: &ArenaNode, fresh: bool) -> Result<Family, f32> {
        let turn = pos.turn();
        if let Turn::Over(outcome) = turn {
            if self.method.options.solver {
                node.prove(Proof::of(outcome));
            }
            return Err(result::<G, E>(outcome, &self.method.evaluator) as f32);
        }
        let mover = turn.mover();
        // What a guide is asked about is a position with a side to move.
        if fresh && (mover.is_some() || self.guide.is_none()) {
            return Err(self.first_look(pos, node));
        }
        let Some(mover) = mover else {
            self.chances(pos);
            let count = self.outcomes.len() as u32;
            return self.tree.expand(node, None, count, &[]).ok_or_else(|| self.estimate(pos));
        };
        let is_root = std::ptr::eq(node, self.tree.node(ROOT));
        self.list(pos, is_root);
        if self.moves.is_empty() && self.method.options.solver {
            node.prove(Proof::of(pos.stuck(mover)));
        }
        let priors = match &mut self.guide {
            None => &[][..],
            Some(guide) if is_root => guide.root_priors(pos, mover, &self.moves, &mut self.rng),
            Some(guide) => guide.priors(pos, mover, &self.moves),
        };
        let family = self.tree.expand(node, Some(mover), self.moves.len() as u32, priors);
        family.ok_or_else(|| self.estimate(pos))
    }

    /// Result of a new node.
    #[inline]
    fn first_look(&mut self, pos: &G, node: &ArenaNode) -> f32 {
        let options = &self.method.options;
        if options.solver && options.playout.terminal_search > 0 {
            let depth = options.playout.terminal_search;
            let found = terminal::search(pos, &self.method.evaluator, depth, &mut self.clock);
            // Without an answer in time nothing is proved.
            if let Ok(Some(terminal::Decided { outcome, plies })) = found {
                let proof = Proof::of(outcome).after(plies);
                node.prove(proof);
                if let Some(result) = proof.result() {
                    return result as f32;
                }
            }
        }
        self.known(pos, node).unwrap_or_else(|| self.estimate(pos))
    }

    /// Result of a new node that the guide knows without a search.
    fn known(&mut self, pos: &G, node: &ArenaNode) -> Option<f32> {
        let (guide, mover) = self.guide.as_ref().zip(pos.turn().mover())?;
        let solver = self.method.options.solver;
        self.moves.clear();
        let proof = if solver {
            guide.lookahead(pos, mover, &mut self.moves)
        } else {
            pos.moves(&mut self.moves);
            Proof::Open
        };
        if proof != Proof::Open {
            node.prove(proof);
            return proof.result().map(|result| result as f32);
        }
        let outcome = self.moves.is_empty().then(|| pos.stuck(mover))?;
        if solver {
            node.prove(Proof::of(outcome));
        }
        Some(result::<G, E>(outcome, &self.method.evaluator) as f32)
    }

    /// Estimate of the result of a position: the guide's, a playout's, or a mean of both.
    #[inline]
    fn estimate(&mut self, pos: &G) -> f32 {
        let SelectionPolicy::Puct(options) = self.method.options.policy else {
            return self.play_out(pos);
        };
        let share = options.playout_share as f32;
        let Some((guide, mover)) = self.guide.as_mut().zip(pos.turn().mover()) else {
            return self.play_out(pos);
        };
        let value = guide.value(pos, mover) as f32;
        if share > 0.0 { value + share * (self.play_out(pos) - value) } else { value }
    }

    #[inline]
    fn play_out(&mut self, pos: &G) -> f32 {
        let Self { method, clock, rng, moves, .. } = self;
        let end = method.options.playout.run(pos.clone(), &method.evaluator, clock, rng, moves);
        end.result::<G, E>(&method.evaluator) as f32
    }

    /// Lists the moves; at the root those of the job.
    #[inline]
    fn list(&mut self, pos: &G, is_root: bool) {
        self.moves.clear();
        if is_root {
            self.moves.extend_from_slice(self.job.moves);
        } else {
            pos.moves(&mut self.moves);
        }
    }

    fn chances(&mut self, pos: &G) {
        self.outcomes.clear();
        if let Turn::Chance(event) = pos.turn() {
            event.outcomes(pos, &mut self.outcomes);
        }
    }

    /// Selects a child and its move.
    #[inline]
    fn descend(
        &mut self,
        pos: &G,
        node: &ArenaNode,
        family: Family,
        is_root: bool,
    ) -> (u32, G::Move) {
        let Some(mover) = family.actor else {
            self.chances(pos);
            let n = self.rng.weighted(&self.outcomes);
            return (family.children.start + n as u32, self.outcomes[n].0);
        };
        self.list(pos, is_root);
        let start = family.children.start;
        let tree = self.tree;
        let children = tree.nodes(family.children.clone());
        // Where all moves are rated, proved ones need no more visits.
        let rates = is_root && self.job.wanted != Wanted::One;
        let skip = |child: &ArenaNode| rates && child.is_proved();
        let n = match self.method.options.policy {
            SelectionPolicy::Uniform => self.rng.below(self.moves.len()),
            SelectionPolicy::Ucb => {
                let TreeOptions { c, exploration_base, .. } = self.method.options;
                let visits = match exploration_base {
                    ExplorationBase::Parent => node.visits(),
                    ExplorationBase::Root => tree.node(ROOT).visits(),
                };
                let exploration = c as f32 * (2.0 * ucb::ln(visits)).sqrt();
                ucb::highest_bound(children, mover, exploration, skip)
            }
            SelectionPolicy::Puct(options) => {
                // A move that is rated has been visited, however small its prior.
                let unseen = children.iter().position(|child| rates && child.visits() == 0);
                let priors = tree.priors(family.children);
                unseen.unwrap_or_else(|| options.choose(node, children, priors, mover, skip))
            }
        };
        (start + n as u32, self.moves[n])
    }

    /// Backpropagates the result along the path, and proofs.
    #[inline]
    fn back_up(&mut self, mut result: f32) {
        self.depth = self.depth.max(self.path.len() as u32 - 1);
        let mut below_is_proved = false;
        for &at in self.path.iter().rev() {
            let node = self.tree.node(at);
            if below_is_proved && !node.is_proved() {
                let proof = self.proof_from_children(node);
                if let Some(proved) = proof.result() {
                    node.prove(proof);
                    result = proved as f32;
                }
            }
            below_is_proved = node.is_proved();
            if !below_is_proved {
                node.learn(result);
            }
        }
    }

    /// Proof of a node from its children.
    #[cold]
    fn proof_from_children(&self, node: &ArenaNode) -> Proof {
        let Some(family) = node.family() else { return Proof::Open };
        let proofs = self.tree.nodes(family.children).iter().map(ArenaNode::proof);
        let Some(mover) = family.actor else {
            // All outcomes are won by the same side: a win at the largest distance.
            let Some(Proof::Win(side, _)) = proofs.clone().next() else { return Proof::Open };
            let all_won = proofs.clone().all(|proof| proof.rank(side) > 0);
            let latest = proofs.min_by_key(|proof| proof.rank(side)).unwrap_or(Proof::Open);
            return if all_won { latest.one_more() } else { Proof::Open };
        };
        let best = proofs.clone().max_by_key(|proof| proof.rank(mover)).unwrap_or(Proof::Open);
        let all_proved = proofs.clone().all(|proof| proof != Proof::Open);
        if best.rank(mover) > 0 || all_proved { best.one_more() } else { Proof::Open }
    }
}
