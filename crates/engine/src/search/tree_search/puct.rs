//! PUCT: the evaluator's order of moves is the prior of each, its value stands in for a playout.
// CITE: Rosin 2011, "Multi-armed bandits with episode context"; Silver et al. 2017, "Mastering the game of Go without
// human knowledge".

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::arena::ArenaNode;
use super::proof::Proof;
use crate::game::{Evaluator, Game, Lookahead, MoveList, Outcome, Rng, Side, Turn};
use crate::options::options;
use crate::search::playout::seen_by;

// `c_puct`: 0.5 has 53 %, 63 % and 65 % of 80 games of gomoku, othello and xiangqi against 0.7, and 56 %, 51 % and 43 %
// against 0.35, in gomoku before its policy, by which it has 53 % of 60 against 1; `fpu`: 0 has 55 %, 56 % and 72 % of 40
// games against 0.1, with `c_puct` 1: docs/figures.md.
options! {
    /// Options of PUCT.
    pub struct PuctOptions {
        /// Factor of the exploration term c P sqrt(N) / (1 + n), P the prior of a move.
        c_puct: f64 = 0.5, [0, 10];
        /// First play urgency: how much less than its parent's mean a move is expected to bring before its first visit.
        fpu: f64 = 0.0, [0, 1];
        /// Share of a playout in the value of a new node; the rest is the evaluator's.
        playout_share: f64 = 0.0, [0, 1];
        /// Share of Dirichlet noise in the priors of the root, drawn by the seed.
        noise: f64 = 0.0, [0, 1];
    }
}

/// Plies of a static lookahead: more than any evaluator looks ahead.
const STATIC: u32 = 64;
/// The concentration of the noise is this by the number of moves.
// CITE: Silver et al. 2018 (AlphaZero): 0.3, 0.15 and 0.03 for about 35, 90 and 250 moves.
const CONCENTRATION: f64 = 10.0;

/// An evaluator that goes along the line of a simulation.
pub(super) struct Guide<G: Game, E> {
    evaluator: E,
    options: PuctOptions,
    /// Moves since the root.
    plies: u32,
    /// The evaluator's candidates, where it does not list all moves.
    listed: Vec<G::Move>,
    /// Places of moves, by whether they are listed and by what the evaluator thinks of them.
    ranked: Vec<((bool, i32), usize)>,
    priors: Vec<f32>,
}

impl<G: Game, E: Evaluator<G>> Guide<G, E> {
    /// A guide from this root.
    pub(super) fn new(evaluator: &E, root: &G, options: PuctOptions) -> Self {
        let mut evaluator = evaluator.clone();
        evaluator.enter(root);
        let (listed, ranked, priors) = (Vec::new(), Vec::new(), Vec::new());
        Self { evaluator, options, plies: 0, listed, ranked, priors }
    }

    #[inline]
    pub(super) fn push(&mut self, before: &G, mv: G::Move, after: &G) {
        self.evaluator.push(before, mv, after);
        self.plies += 1;
    }

    /// Goes back to the root.
    pub(super) fn back(&mut self) {
        (0..std::mem::take(&mut self.plies)).for_each(|_| self.evaluator.pop());
    }

    /// Expected result for the first side, 0 to 1.
    pub(super) fn value(&mut self, pos: &G, mover: Side) -> f64 {
        let value = self.evaluator.evaluate(pos, mover);
        seen_by(mover, self.evaluator.win_probability(f64::from(value)))
    }

    /// What the evaluator knows without a search. Appends moves, at least one where there is one, unless it is a result.
    pub(super) fn lookahead(&self, pos: &G, mover: Side, moves: &mut Vec<G::Move>) -> Proof {
        match self.evaluator.lookahead(pos, mover, STATIC, MoveList::Expert, moves) {
            Lookahead::Win(plies) => Proof::Win(mover, plies),
            Lookahead::Loss(plies) => Proof::Win(mover.other(), plies),
            Lookahead::Open { .. } => Proof::Open,
        }
    }

    /// Priors of these moves, by the evaluator's policy or by its order: they sum up to 1.
    pub(super) fn priors(&mut self, pos: &G, mover: Side, moves: &[G::Move]) -> &[f32] {
        self.listed.clear();
        if !E::LISTS_ALL {
            self.evaluator.candidates(pos, mover, &mut self.listed);
        }
        self.priors.clear();
        if self.evaluator.policy(pos, mover, moves, &mut self.priors) {
            self.shares(moves);
        } else {
            self.priors_by_rank(pos, mover, moves);
        }
        &self.priors
    }

    /// Makes priors of logits. What is no candidate the policy was not asked about when it was trained: all such moves
    /// together are as unlikely as the last candidate.
    fn shares(&mut self, moves: &[G::Move]) {
        let Self { listed, priors, .. } = self;
        let is_listed = |mv| E::LISTS_ALL || listed.contains(mv);
        let logits = || moves.iter().zip(&*priors).filter(|&(mv, _)| is_listed(mv));
        let most = logits().map(|(_, &logit)| logit).fold(f32::NEG_INFINITY, f32::max);
        let least = logits().map(|(_, &logit)| logit).fold(most, f32::min);
        let others = (moves.len() - logits().count()) as f32;
        for (mv, prior) in moves.iter().zip(priors.iter_mut()) {
            *prior = if most == f32::NEG_INFINITY {
                1.0
            } else if is_listed(mv) {
                (*prior - most).exp()
            } else {
                (least - most).exp() / others
            };
        }
        let all: f32 = priors.iter().sum();
        priors.iter_mut().for_each(|prior| *prior /= all);
    }

    /// Priors that fall with the rank r of a move, from 1, as r^-1.5. Candidates come before other moves; moves that the
    /// evaluator likes equally share their priors. The exponent is not tuned.
    fn priors_by_rank(&mut self, pos: &G, mover: Side, moves: &[G::Move]) {
        let Self { evaluator, listed, ranked, priors, .. } = self;
        let order = |mv| (E::LISTS_ALL || listed.contains(&mv), evaluator.order(pos, mover, mv));
        ranked.clear();
        ranked.extend(moves.iter().enumerate().map(|(n, &mv)| (order(mv), n)));
        ranked.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        priors.resize(moves.len(), 0.0);
        let weight = |rank: usize| 1.0 / ((rank as f32).sqrt() * rank as f32);
        let all: f32 = (1..=moves.len()).map(weight).sum();
        let mut rank = 1;
        for equal in ranked.chunk_by(|a, b| a.0 == b.0) {
            let next = rank + equal.len();
            let share = (rank..next).map(weight).sum::<f32>() / (all * equal.len() as f32);
            equal.iter().for_each(|&(_, n)| priors[n] = share);
            rank = next;
        }
    }

    /// The same at the root, with noise; a win in one comes before all others, longer ones that are known included.
    pub(super) fn root_priors(
        &mut self,
        pos: &G,
        mover: Side,
        moves: &[G::Move],
        rng: &mut Rng,
    ) -> &[f32] {
        self.priors(pos, mover, moves);
        let share = self.options.noise as f32;
        if share > 0.0 {
            let noise = rng.dirichlet(CONCENTRATION / moves.len() as f64, moves.len());
            for (prior, noise) in self.priors.iter_mut().zip(noise) {
                *prior += share * (noise as f32 - *prior);
            }
        }
        let won = Turn::Over(Outcome::Win(mover));
        if let Some(win) = moves.iter().position(|&mv| pos.after(mv).standing() == won) {
            self.priors.fill(0.0);
            self.priors[win] = 1.0;
        }
        &self.priors
    }
}

impl PuctOptions {
    /// Place of the child with the highest bound for the mover: Q + c P sqrt(N) / (1 + n).
    #[inline]
    pub(super) fn choose(
        &self,
        parent: &ArenaNode,
        children: &[ArenaNode],
        priors: &[AtomicU32],
        mover: Side,
        skip: impl Fn(&ArenaNode) -> bool,
    ) -> usize {
        let sign = mover.sign() as f32;
        let unvisited = sign * parent.mean() - self.fpu as f32;
        let exploration = self.c_puct as f32 * (parent.visits() as f32).sqrt();
        let (mut best, mut highest) = (0, f32::NEG_INFINITY);
        for (n, (child, prior)) in children.iter().zip(priors).enumerate() {
            let visits = child.visits();
            let mean = if visits == 0 { unvisited } else { sign * child.mean() };
            let prior = f32::from_bits(prior.load(Relaxed));
            let bound = mean + exploration * prior / (1 + visits) as f32;
            if bound > highest && !skip(child) {
                (best, highest) = (n, bound);
            }
        }
        best
    }
}
