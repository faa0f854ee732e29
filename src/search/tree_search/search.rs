//! Simulations: down the tree, one new node, a playout, and the result back up.

use super::TreeSearch;
use super::arena::{Arena, Node, ROOT, UNIT};
use super::options::{ExplorationBase, Policy};
use super::proof::Proof;
use crate::game::{Chance, Expert, Game, Info, Rng, Side, Turn};
use crate::search::playout::{playout, result};
use crate::search::report::Stats;
use crate::search::worlds::worlds;
use crate::search::{Cancel, Clock, Job, Limits, StopReason, Stopped, Wanted};

/// A finished tree search: one tree for each world.
pub(super) struct Found {
    pub(super) trees: Vec<Arena>,
    pub(super) stats: Stats,
    pub(super) stopped: StopReason,
}

/// Grows a tree for every world, each with its share of the budget.
pub(super) fn run<G: Game, E: Expert<G>>(job: &Job<'_, G>, method: &TreeSearch<E>) -> Found {
    let worlds = worlds(job.root, job.mover, method.options.worlds, job.seed);
    let count = worlds.len() as u64;
    let share = |total: Option<u64>| total.map(|total| total.div_ceil(count));
    let limits = Limits {
        nodes: share(job.limits.nodes),
        simulations: share(job.limits.simulations),
        time: job.limits.time.map(|time| time / count as u32),
        ..job.limits.clone()
    };
    let mut found = Found { trees: Vec::new(), stats: Stats::default(), stopped: StopReason::Solved };
    for (index, world) in worlds.iter().enumerate() {
        let seed = job.seed.wrapping_add(index as u64 * 0x9E37_79B9);
        let tree = Arena::new(method.options.tree_mib / worlds.len());
        let (stats, stopped) = grow(job, method, world, &tree, &limits, seed);
        let time = found.stats.time + stats.time;
        found.stats.absorb(&stats);
        found.stats.time = time;
        found.stopped = stopped;
        found.trees.push(tree);
    }
    found
}

/// Grows one tree with all threads of the job.
fn grow<G: Game, E: Expert<G>>(
    job: &Job<'_, G>,
    method: &TreeSearch<E>,
    world: &G,
    tree: &Arena,
    limits: &Limits,
    seed: u64,
) -> (Stats, StopReason) {
    let threads = job.threads as u64;
    let limits = Limits { simulations: limits.simulations.map(|all| all.div_ceil(threads)), ..limits.clone() };
    let work = |index: u64, cancel: &Cancel| {
        let mut simulator = Simulator {
            tree,
            method,
            job,
            clock: Clock::start(&limits, cancel, threads),
            rng: Rng::new(seed ^ index.wrapping_mul(0xD134_2543_DE82_EF95)),
            path: Vec::new(),
            moves: Vec::new(),
            outcomes: Vec::new(),
            depth: 0,
        };
        simulator.simulate(world, limits.simulations)
    };
    let enough = Cancel::default();
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads)
            .map(|index| {
                let (enough, work) = (enough.clone(), &work);
                scope.spawn(move || work(index, &enough))
            })
            .collect();
        let (mut stats, stopped) = work(0, &job.cancel);
        // With a budget of simulations every thread does its share; otherwise all end together.
        if stopped != StopReason::Simulations {
            enough.cancel();
        }
        for helper in helpers {
            let (work, _) = helper.join().expect("a helper panics only where the search would");
            stats.absorb(&work);
        }
        (stats, stopped)
    })
}

/// One thread.
struct Simulator<'a, G: Game, E> {
    tree: &'a Arena,
    method: &'a TreeSearch<E>,
    job: &'a Job<'a, G>,
    clock: Clock,
    rng: Rng,
    path: Vec<(u32, Option<Side>)>,
    moves: Vec<G::Move>,
    outcomes: Vec<(G::Move, f64)>,
    depth: u32,
}

impl<G: Game, E: Expert<G>> Simulator<'_, G, E> {
    fn simulate(&mut self, world: &G, most: Option<u64>) -> (Stats, StopReason) {
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
        };
        let stats = Stats {
            depth: self.depth,
            nodes: self.clock.nodes(),
            simulations,
            time: self.clock.elapsed(),
            ..Stats::default()
        };
        (stats, stopped)
    }

    /// Whether nothing is left to find out about what is wanted.
    #[inline]
    fn is_solved(&self) -> bool {
        let root = self.tree.node(ROOT);
        if root.proof() == Proof::Open {
            return false;
        }
        self.job.wanted == Wanted::One
            || root.children().is_some_and(|children| {
                self.tree.nodes(children).iter().all(|child| child.proof() != Proof::Open)
            })
    }

    /// One way down and up again.
    fn simulation(&mut self, world: &G) {
        let mut pos = world.clone();
        let mut at = ROOT;
        self.path.clear();
        let result = loop {
            let node = self.tree.node(at);
            let turn = pos.turn();
            let mover = if let Turn::Of(mover) = turn { Some(mover) } else { None };
            self.path.push((at, mover));
            let fresh = node.visits() == 0;
            node.visit();
            if let Turn::Over(outcome) = turn {
                if self.method.options.solver {
                    node.prove(Proof::of(outcome));
                }
                break result::<G, E>(outcome);
            }
            if at != ROOT {
                if let Some(result) = node.proof().result() {
                    break result;
                }
                if fresh {
                    break self.first_look(&pos, node);
                }
            }
            match self.descend(&pos, node, turn, at == ROOT) {
                Some((child, mv)) => {
                    at = child;
                    pos.play(mv);
                }
                None => break self.play_out(&pos, turn),
            }
        };
        self.back_up(result);
    }

    /// The result of a node that is met for the first time.
    fn first_look(&mut self, pos: &G, node: &Node) -> f64 {
        let depth = self.method.options.terminal_search;
        if depth > 0 && self.method.options.solver {
            let proof = settle(pos, &self.method.expert, depth);
            node.prove(proof);
            if let Some(result) = proof.result() {
                return result;
            }
        }
        self.play_out(pos, pos.turn())
    }

    fn play_out(&mut self, pos: &G, turn: Turn<G::Chance>) -> f64 {
        if let Turn::Over(outcome) = turn {
            return result::<G, E>(outcome);
        }
        let Self { method, rng, moves, .. } = self;
        playout(pos.clone(), &method.expert, method.options.playout, rng, moves)
    }

    /// The child to go to, with the move. `None` when the node has no children and gets none.
    #[inline]
    fn descend(&mut self, pos: &G, node: &Node, turn: Turn<G::Chance>, is_root: bool) -> Option<(u32, G::Move)> {
        if let Turn::Chance(event) = turn {
            self.outcomes.clear();
            event.outcomes(pos, &mut self.outcomes);
            let count = self.outcomes.len() as u32;
            let children = node.children().or_else(|| self.tree.expand(node, count))?;
            let n = self.rng.weighted(&self.outcomes);
            return Some((children.start + n as u32, self.outcomes[n].0));
        }
        let Turn::Of(mover) = turn else { return None };
        self.moves.clear();
        if is_root {
            self.moves.extend_from_slice(self.job.moves);
        } else {
            pos.moves(&mut self.moves);
        }
        let count = self.moves.len() as u32;
        let children = node.children().or_else(|| self.tree.expand(node, count))?;
        let n = match self.method.options.policy {
            Policy::Uniform => self.rng.below(self.moves.len()),
            Policy::Ucb { c, base } => {
                let visits = match base {
                    ExplorationBase::Parent => node.visits(),
                    ExplorationBase::Root => self.tree.node(ROOT).visits(),
                };
                // Where all moves are to be rated, proved ones need no more visits.
                let skip_proved = is_root && self.job.wanted != Wanted::One;
                highest_bound(self.tree.nodes(children.clone()), mover, visits, c as f32, skip_proved)
            }
        };
        Some((children.start + n as u32, self.moves[n]))
    }

    /// Adds the result to every node of the path and carries proofs up.
    #[inline]
    fn back_up(&mut self, result: f64) {
        self.depth = self.depth.max(self.path.len() as u32 - 1);
        let mut units = (result * UNIT) as i64;
        let mut below_is_proved = false;
        for &(at, mover) in self.path.iter().rev() {
            let node = self.tree.node(at);
            if below_is_proved {
                let proof = self.proof_from_children(node, mover);
                if let Some(result) = proof.result() {
                    node.prove(proof);
                    units = (result * UNIT) as i64;
                }
            }
            below_is_proved = self.method.options.solver && node.proof() != Proof::Open;
            node.add(units);
        }
    }

    /// What the children prove about their parent, where `mover` chooses (or chance, `None`).
    #[cold]
    fn proof_from_children(&self, node: &Node, mover: Option<Side>) -> Proof {
        let Some(children) = node.children() else { return node.proof() };
        let proofs = self.tree.nodes(children).iter().map(Node::proof);
        let Some(mover) = mover else {
            // Whatever chance brings: the same side wins, at the latest after so many plies.
            let Some(first) = proofs.clone().next() else { return Proof::Open };
            let Proof::Win(side, _) = first else { return Proof::Open };
            let all_won = proofs.clone().all(|proof| proof.rank(side) > 0);
            let latest = proofs.min_by_key(|proof| proof.rank(side)).unwrap_or(Proof::Open);
            return if all_won { latest.one_more() } else { Proof::Open };
        };
        let best = proofs.clone().max_by_key(|proof| proof.rank(mover)).unwrap_or(Proof::Open);
        let is_won = best.rank(mover) > 0;
        if is_won || proofs.clone().all(|proof| proof != Proof::Open) {
            best.one_more()
        } else {
            Proof::Open
        }
    }
}

/// The child with the highest upper confidence bound for the mover; a child never visited comes
/// first of all, a child proved lost last.
// CITE: UCB1, Auer, Cesa-Bianchi and Fischer 2002.
#[inline]
fn highest_bound(children: &[Node], mover: Side, visits: u32, c: f32, skip_proved: bool) -> usize {
    let exploration = c * (visits as f32).ln().max(0.0).sqrt();
    let (sign, offset) = match mover {
        Side::First => (1.0 / UNIT as f32, 0.0),
        Side::Second => (-1.0 / UNIT as f32, 1.0),
    };
    let (mut best, mut highest) = (0, f32::NEG_INFINITY);
    for (n, child) in children.iter().enumerate() {
        let visits = child.visits();
        let proof = child.proof();
        if proof != Proof::Open && (skip_proved || proof.rank(mover) < 0) {
            continue;
        }
        if visits == 0 {
            return n;
        }
        let share = 1.0 / visits as f32;
        let bound = offset + sign * child.sum() as f32 * share + exploration * share.sqrt();
        if bound > highest {
            (best, highest) = (n, bound);
        }
    }
    best
}

/// Searches everything `depth` plies deep and returns what that proves.
fn settle<G: Game, E: Expert<G>>(pos: &G, expert: &E, depth: u32) -> Proof {
    use crate::game::Survey;
    let mover = match pos.turn() {
        Turn::Over(outcome) => return Proof::of(outcome),
        Turn::Chance(_) => return Proof::Open,
        Turn::Of(mover) => mover,
    };
    if depth == 0 || G::Info::HIDDEN {
        return Proof::Open;
    }
    let mut moves = Vec::new();
    match expert.survey(pos, mover, depth, &mut moves) {
        Survey::Win(plies) => return Proof::Win(mover, plies),
        Survey::Loss(plies) => return Proof::Win(mover.other(), plies),
        Survey::Open { complete: false, .. } => return Proof::Open,
        Survey::Open { win_from, loss_from, .. } if depth < win_from.min(loss_from) => {
            return Proof::Open;
        }
        Survey::Open { .. } => {}
    }
    if moves.is_empty() {
        return Proof::of(pos.stuck(mover));
    }
    let mut best = Proof::Win(mover.other(), 0);
    let mut open = false;
    for mv in moves {
        let proof = settle(&pos.after(mv), expert, depth - 1).one_more();
        if proof.rank(mover) > 0 {
            return proof;
        }
        open |= proof == Proof::Open;
        best = if proof.rank(mover) > best.rank(mover) { proof } else { best };
    }
    if open { Proof::Open } else { best }
}
