//! The selective node, up to the loop over its moves.

use super::move_loop::Listed;
use super::{MOST_PLIES, NodeInfo, SEEN_AT_ONCE, SelectiveSearcher};
use crate::game::{Game, Lookahead, Side, Tactics, Verdict};
use crate::search::alphabeta::engine::Node;
use crate::search::memory::{Bound, TableEntry};
use crate::search::order::NO_MOVE;
use crate::search::trace::TraceEvent;
use crate::search::{Score, Stopped};

/// Minimum depth for a reduction by one ply without a table move. Measured only with the technique as a
/// whole: `benches/ablation.py internal_reductions`, docs/selective.md.
// CITE: internal iterative reductions, Schröder 2020 (Rebel).
const REDUCE_UNKNOWN_FROM: u32 = 4;
impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    pub(super) fn selective(&mut self, pos: &G, node: Node) -> Result<Score, Stopped> {
        // Selective results are never resolved: moves may have been pruned.
        self.horizons += 1;
        if let Some(score) = self.by_history(pos, node) {
            self.trace.note(TraceEvent::History);
            return Ok(score);
        }
        if let Some(plies) = self.evaluator.wins_in(pos, node.mover) {
            self.trace.note(TraceEvent::Lookahead);
            return Ok(Score::win(node.ply + plies));
        }
        if node.depth == 0 || node.ply >= MOST_PLIES {
            return self.quiescence(pos, node);
        }
        let excluded = self.nodes.stack.at(node.ply).excluded.is_some();
        let key = pos.hash();
        let past = excluded || self.is_judged(node.ply);
        let known = if past { None } else { self.tables.probe(key, node.depth, node.ply) };
        if let Some(entry) = &known
            && node.window.is_null()
            && let Some(score) = self.tables.decides(entry, node.depth, node.ply, node.window)
        {
            self.hit();
            return Ok(score);
        }
        // Before `inspect`: self-loss searches another position at this ply.
        if node.window.is_null()
            && !excluded
            && let Some(score) = self.handicap_cutoff(pos, node)?
        {
            self.cutoffs += 1;
            self.trace.cut(TraceEvent::SelfLoss);
            return Ok(score);
        }
        let mut info = self.inspect(pos, node, known, excluded);
        if let Some(score) = self.without_moves(pos, &info)? {
            return Ok(score);
        }
        info.node.depth = self.less_deep(pos, &info);
        let start = self.moves.len();
        let score = self.with_moves(pos, &mut info, key)?;
        self.moves.truncate(start);
        self.keys.truncate(start);
        Ok(score)
    }

    /// The best reply that ends the game by its history, with its score for the mover.
    pub(super) fn reply_by_history(&self, pos: &G, node: Node) -> Option<(Score, G::Move)> {
        let ended = |mv: G::Move| {
            let outcome = self.job.judged(pos, &pos.after(mv), node.ply + 1)?;
            let (mover, ply) = (node.mover, node.ply + 1);
            Some((self.job.ended(outcome, &self.evaluator, mover, ply), mv))
        };
        pos.legal_moves().into_iter().filter_map(ended).max_by_key(|(score, _)| *score)
    }

    /// Score by the history rules. Not a proof: the same position by another path may have another result.
    #[inline]
    pub(super) fn by_history(&self, pos: &G, node: Node) -> Option<Score> {
        let lost = Score::likely_loss(node.ply);
        Some(match self.evaluator.verdict(pos)? {
            Verdict::Draw => Score::DRAW,
            Verdict::Win => -lost,
            Verdict::Loss => lost,
        })
    }

    /// Static properties of the node.
    fn inspect(
        &mut self,
        pos: &G,
        node: Node,
        known: Option<TableEntry>,
        excluded: bool,
    ) -> NodeInfo {
        let threatened = self.evaluator.threatened(pos);
        let raw = if threatened { 0 } else { self.judged(pos, node.mover) };
        let structure_key = self.evaluator.structure_key(pos);
        let eval = self.corrected(node.mover, structure_key, raw);
        if !threatened && !excluded {
            self.learn_gain(node, eval);
        }
        let stack = &mut self.nodes.stack;
        let cut = stack.at(node.ply).cut;
        stack.at_mut(node.ply).eval = (!threatened).then_some(eval);
        stack.at_mut(node.ply + 2).killers = [None; 2];
        stack.at_mut(node.ply + 2).cutoffs = 0;
        stack.at_mut(node.ply + 1).noise = 0;
        stack.at_mut(node.ply + 1).doubled = stack.at(node.ply).doubled;
        let improving = !threatened && stack.improving(node.ply, eval);
        let guess = known.filter(|entry| !entry.score.is_decided()).map_or(eval, |entry| {
            let score = entry.score.raw();
            let better = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score > eval,
                Bound::Upper => score < eval,
            };
            if better { score } else { eval }
        });
        let pv = !node.window.is_null();
        NodeInfo {
            node,
            pv,
            cut: cut && !pv,
            threatened,
            raw,
            eval,
            guess,
            improving,
            structure_key,
            known,
            known_is_noisy: false,
            excluded,
        }
    }

    /// Static evaluation for the mover, smoothed if switched on.
    #[inline]
    pub(super) fn judged(&mut self, pos: &G, mover: Side) -> i32 {
        if self.nodes.switches.smoothing {
            self.evaluator.smoothed(pos, mover)
        } else {
            self.evaluator.evaluate(pos, mover)
        }
    }

    #[inline]
    pub(super) fn corrected(&self, mover: Side, structure_key: u64, raw: i32) -> i32 {
        if !self.nodes.switches.correction {
            return raw;
        }
        let reach = self.evaluator.reach();
        (raw + self.nodes.correction.of(mover, structure_key)).clamp(-reach, reach)
    }

    /// Depth of the node after internal reductions and razoring.
    fn less_deep(&mut self, pos: &G, info: &NodeInfo) -> u32 {
        let node = info.node;
        if info.excluded {
            return node.depth;
        }
        let unknown = self.nodes.switches.internal_reductions
            && info.known.is_none_or(|entry| entry.best == NO_MOVE)
            && (info.pv || info.cut)
            && node.depth >= REDUCE_UNKNOWN_FROM;
        let node = Node { depth: node.depth - u32::from(unknown), ..node };
        if info.pv || info.threatened { node.depth } else { self.razored(pos, node) }
    }

    /// Score of the node if it is cut before its moves are tried.
    fn without_moves(&mut self, pos: &G, info: &NodeInfo) -> Result<Option<Score>, Stopped> {
        if info.threatened || info.excluded || info.pv {
            return Ok(None);
        }
        // Searches below this node before the move loop have no siblings.
        self.nodes.pruning.sleep.wake(info.node.ply + 1);
        if let Some(score) = self.razor(pos, info)? {
            return Ok(self.pruned(TraceEvent::Razor, score));
        }
        if let Some(score) = self.reverse_futility(info) {
            return Ok(self.pruned(TraceEvent::ReverseFutility, score));
        }
        if let Some(score) = self.null_move(pos, info)? {
            return Ok(self.pruned(TraceEvent::NullMove, score));
        }
        let score = self.probcut(pos, info)?;
        Ok(score.and_then(|score| self.pruned(TraceEvent::Probcut, score)))
    }

    /// The score of a node that a technique prunes.
    #[inline]
    fn pruned(&mut self, technique: TraceEvent, score: Score) -> Option<Score> {
        self.trace.note(technique);
        Some(score)
    }

    fn with_moves(&mut self, pos: &G, info: &mut NodeInfo, key: u64) -> Result<Score, Stopped> {
        let node = info.node;
        let start = self.moves.len();
        match self.lookahead(pos, Node { depth: node.depth.max(SEEN_AT_ONCE), ..node }) {
            Lookahead::Win(plies) => Ok(Score::win(node.ply + plies)),
            Lookahead::Loss(plies) => Ok(Score::loss(node.ply + plies)),
            Lookahead::Open { complete, win_from, loss_from } => {
                if let Some(score) = self.mate_distance_bound(node, win_from, loss_from) {
                    return Ok(score);
                }
                if self.moves.len() == start {
                    return Ok(Score::of(pos.stuck(node.mover), node.mover, node.ply));
                }
                // Razoring may have evaluated the position before.
                self.trace.undecided();
                let passed_over = self.remove_sleeping(node, start);
                let remembered = info.known.map_or(NO_MOVE, |entry| entry.best);
                info.known_is_noisy = self.order_moves(pos, info, start, remembered);
                let listed = Listed { start, end: self.moves.len(), complete, passed_over };
                self.best_of_listed(pos, info, key, listed, remembered)
            }
        }
    }
}
