//! Simulations: selection, expansion, playout and backpropagation.

use super::TreeSearch;
use super::arena::{Arena, ArenaNode, Family, ROOT};
use super::options::{ExplorationBase, SelectionPolicy, TreeOptions};
use super::proof::Proof;
use super::verdict;
use crate::game::{Chance, Evaluator, Game, Rng, Side, Turn};
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
    /// A thread that grows this tree; reports to the observer of the job if `tells`.
    pub(super) fn new(
        job: &'a Job<'a, G>,
        method: &'a TreeSearch<E>,
        tree: &'a Arena,
        clock: Clock,
        rng: Rng,
        tells: bool,
    ) -> Self {
        Self {
            tree,
            method,
            job,
            clock,
            rng,
            path: Vec::new(),
            moves: Vec::new(),
            outcomes: Vec::new(),
            depth: 0,
            next_news: if tells { FIRST_NEWS } else { u64::MAX },
        }
    }

    /// Grows the tree until it is solved, the budget is spent or `most` simulations are done.
    pub(super) fn simulate(&mut self, world: &G, most: Option<u64>) -> (Stats, StopReason) {
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
            self.simulation(world);
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
    fn simulation(&mut self, world: &G) {
        let mut pos = world.clone();
        let judges = self.job.judge.is_some();
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
            before = judges.then(|| pos.clone());
            pos.play(mv);
        };
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
        if fresh {
            return Err(self.first_look(pos, node));
        }
        let (actor, count) = match turn {
            Turn::Of(mover) => {
                self.list(pos, std::ptr::eq(node, self.tree.node(ROOT)));
                if self.moves.is_empty() && self.method.options.solver {
                    node.prove(Proof::of(pos.stuck(mover)));
                }
                (Some(mover), self.moves.len())
            }
            _ => {
                self.chances(pos);
                (None, self.outcomes.len())
            }
        };
        self.tree.expand(node, actor, count as u32).ok_or_else(|| self.play_out(pos))
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
        self.play_out(pos)
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
        let n = match self.method.options.policy {
            SelectionPolicy::Uniform => self.rng.below(self.moves.len()),
            SelectionPolicy::Ucb => {
                let TreeOptions { c, exploration_base, .. } = self.method.options;
                let visits = match exploration_base {
                    ExplorationBase::Parent => node.visits(),
                    ExplorationBase::Root => self.tree.node(ROOT).visits(),
                };
                let exploration = c as f32 * (2.0 * ln(visits)).sqrt();
                let children = self.tree.nodes(family.children);
                // Where all moves are rated, proved ones need no more visits.
                if is_root && self.job.wanted != Wanted::One {
                    highest_bound(children, mover, exploration, ArenaNode::is_proved)
                } else {
                    highest_bound(children, mover, exploration, |_| false)
                }
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

/// Natural logarithm with a relative error of about 1 %, far less than the uncertainty of the exploration
/// constant; fast, and with the same bits on every machine.
#[inline]
fn ln(n: u32) -> f32 {
    let bits = (n.max(1) as f32).to_bits();
    let exponent = (bits >> 23) as f32 - 127.0;
    let mantissa = f32::from_bits(bits & 0x007F_FFFF | 0x3F80_0000);
    let log2 = exponent + (2.0 - mantissa / 3.0) * mantissa - 5.0 / 3.0;
    log2 * std::f32::consts::LN_2
}

/// Child with the highest upper confidence bound for the mover; an unvisited child comes first, and a proved
/// loss, by its mean, last.
// CITE: UCB1, Auer, Cesa-Bianchi and Fischer 2002.
#[inline]
fn highest_bound(
    children: &[ArenaNode],
    mover: Side,
    exploration: f32,
    skip: impl Fn(&ArenaNode) -> bool,
) -> usize {
    let sign = mover.sign() as f32;
    let (mut best, mut highest) = (0, f32::NEG_INFINITY);
    for (n, child) in children.iter().enumerate() {
        let visits = child.visits();
        if visits == 0 {
            return n;
        }
        let bound = sign * child.mean() + exploration / (visits as f32).sqrt();
        if bound > highest && !skip(child) {
            (best, highest) = (n, bound);
        }
    }
    best
}
