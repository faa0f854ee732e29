//! The node itself: from what is known at once to the loop over the moves.

use super::extensions::Extension;
use super::ordering::Band;
use super::{MOST_PLIES, Picky, SEEN_AT_ONCE, Sight};
use crate::game::{Game, Side, Survey, Tactics, Verdict};
use crate::search::alphabeta::engine::Node;
use crate::search::alphabeta::recall;
use crate::search::memory::{Bound, Entry};
use crate::search::order::NO_MOVE;
use crate::search::{Score, Stopped, Window};

/// Nodes without a remembered move are searched a ply less deep from this depth on.
// CITE: internal iterative reductions, Schröder 2020 (Rebel).
const REDUCE_UNKNOWN_FROM: u32 = 4;
/// The sort key of a move that had its turn and was not searched.
pub(super) const UNTRIED: i64 = i64::MIN;

/// The moves of a node: where they lie in the common list.
#[derive(Clone, Copy)]
pub(super) struct Listed {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether none that was left out can be better.
    pub(super) complete: bool,
    /// Whether some were left out that have been looked at elsewhere, and were not better.
    pub(super) passed_over: bool,
}

/// A move whose turn it is.
#[derive(Clone, Copy)]
pub(super) struct Try<M> {
    pub(super) mv: M,
    /// Counted from 1.
    pub(super) number: usize,
    pub(super) band: Band,
    /// Whether it is the one that a table remembers.
    pub(super) remembered: bool,
    /// Whether it threatens to win at once.
    pub(super) threatens: bool,
}

impl<G: Game, E: Tactics<G>> Picky<'_, G, E> {
    pub(super) fn selective(&mut self, pos: &G, node: Node) -> Result<Score, Stopped> {
        // Nothing that is left out is ever taken for certain.
        self.horizons += 1;
        if let Some(score) = self.by_course(pos, node) {
            return Ok(score);
        }
        if let Some(plies) = self.expert.wins_in(pos, node.mover) {
            return Ok(Score::win(node.ply + plies));
        }
        if node.depth == 0 || node.ply >= MOST_PLIES {
            return self.quiescence(pos, node);
        }
        let excluded = self.nodes.frames.at(node.ply).excluded.is_some();
        let key = pos.hash();
        let known = if excluded { None } else { self.recall.probe(key, node.depth, node.ply) };
        if let Some(entry) = &known
            && node.window.is_null()
            && let Some(score) = self.recall.decides(entry, node.depth, node.ply, node.window)
        {
            self.table_hits += 1;
            return Ok(score);
        }
        // Before the look: it searches another position at this ply.
        if node.window.is_null()
            && !excluded
            && let Some(score) = self.even_poorer(pos, node)?
        {
            self.cutoffs += 1;
            return Ok(score);
        }
        let mut sight = self.look(pos, node, known, excluded);
        if let Some(score) = self.without_moves(pos, &sight)? {
            return Ok(score);
        }
        sight.node.depth = self.less_deep(pos, &sight);
        let start = self.moves.len();
        let score = self.with_moves(pos, &mut sight, key)?;
        self.moves.truncate(start);
        self.keys.truncate(start);
        Ok(score)
    }

    /// What rules that look back say. The other way to the same position may not lead to it, so that
    /// it is no proof.
    #[inline]
    pub(super) fn by_course(&self, pos: &G, node: Node) -> Option<Score> {
        let lost = Score::likely_loss(node.ply);
        Some(match self.expert.verdict(pos)? {
            Verdict::Draw => Score::DRAW,
            Verdict::Win => -lost,
            Verdict::Loss => lost,
        })
    }

    /// Looks at the position without playing anything.
    fn look(&mut self, pos: &G, node: Node, known: Option<Entry>, excluded: bool) -> Sight {
        let threatened = self.expert.threatened(pos);
        let raw = if threatened { 0 } else { self.judged(pos, node.mover) };
        let structure = self.expert.structure(pos);
        let eval = self.corrected(node.mover, structure, raw);
        let frames = &mut self.nodes.frames;
        let cut = frames.at(node.ply).cut;
        frames.at_mut(node.ply).eval = (!threatened).then_some(eval);
        frames.at_mut(node.ply + 2).killers = [None; 2];
        frames.at_mut(node.ply + 2).cutoffs = 0;
        frames.at_mut(node.ply + 1).noise = 0;
        frames.at_mut(node.ply + 1).doubled = frames.at(node.ply).doubled;
        let improving = !threatened && frames.improving(node.ply, eval);
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
        Sight {
            node,
            pv,
            cut: cut && !pv,
            threatened,
            raw,
            eval,
            guess,
            improving,
            structure,
            known,
            known_is_noisy: false,
            excluded,
        }
    }

    /// What the position is worth to the mover if nothing more is searched.
    #[inline]
    pub(super) fn judged(&mut self, pos: &G, mover: Side) -> i32 {
        match self.nodes.switches.smoothing {
            true => self.expert.smoothed(pos, mover),
            false => self.expert.evaluate(pos, mover),
        }
    }

    #[inline]
    pub(super) fn corrected(&self, mover: Side, structure: u64, raw: i32) -> i32 {
        if !self.nodes.switches.correction {
            return raw;
        }
        let reach = self.expert.reach();
        (raw + self.nodes.correction.of(mover, structure)).clamp(-reach, reach)
    }

    /// The depth to which the moves of a node are searched.
    fn less_deep(&mut self, pos: &G, sight: &Sight) -> u32 {
        let node = sight.node;
        if sight.excluded {
            return node.depth;
        }
        let unknown = self.nodes.switches.internal_reductions
            && sight.known.is_none_or(|entry| entry.best == NO_MOVE)
            && (sight.pv || sight.cut)
            && node.depth >= REDUCE_UNKNOWN_FROM;
        let node = Node { depth: node.depth - u32::from(unknown), ..node };
        if sight.pv || sight.threatened { node.depth } else { self.razored(pos, node) }
    }

    /// What decides the node before any of its moves is looked at.
    fn without_moves(&mut self, pos: &G, sight: &Sight) -> Result<Option<Score>, Stopped> {
        if sight.threatened || sight.excluded || sight.pv {
            return Ok(None);
        }
        // What is searched below before the moves have their turn has no sisters.
        self.nodes.saving.sleep.wake(sight.node.ply + 1);
        if let Some(score) = self.razor(pos, sight)? {
            return Ok(Some(score));
        }
        if let Some(score) = self.reverse_futility(sight) {
            return Ok(Some(score));
        }
        if let Some(score) = self.null_move(pos, sight)? {
            return Ok(Some(score));
        }
        self.probcut(pos, sight)
    }

    fn with_moves(&mut self, pos: &G, sight: &mut Sight, key: u64) -> Result<Score, Stopped> {
        let node = sight.node;
        let start = self.moves.len();
        match self.survey(pos, Node { depth: node.depth.max(SEEN_AT_ONCE), ..node }) {
            Survey::Win(plies) => Ok(Score::win(node.ply + plies)),
            Survey::Loss(plies) => Ok(Score::loss(node.ply + plies)),
            Survey::Open { complete, win_from, loss_from } => {
                if let Some(score) = self.foreseen(node, win_from, loss_from) {
                    return Ok(score);
                }
                if self.moves.len() == start {
                    return Ok(Score::of(pos.stuck(node.mover), node.mover, node.ply));
                }
                let passed_over = self.pass_over(node, start);
                let remembered = sight.known.map_or(NO_MOVE, |entry| entry.best);
                sight.known_is_noisy = self.order_moves(pos, sight, start, remembered);
                let listed = Listed { start, end: self.moves.len(), complete, passed_over };
                self.loop_over(pos, sight, key, listed, remembered)
            }
        }
    }

    /// The best of the listed moves, remembered.
    fn loop_over(
        &mut self,
        pos: &G,
        sight: &Sight,
        key: u64,
        mut listed: Listed,
        remembered: u16,
    ) -> Result<Score, Stopped> {
        let node = sight.node;
        let Window { mut alpha, beta } = node.window;
        let mut best = match () {
            () if listed.passed_over => alpha,
            () if listed.complete => Score::MIN,
            () => Score::likely_loss(node.ply),
        };
        let mut best_at = None;
        let mut number = 0;
        let mut enough_quiet = false;
        let mut n = listed.start;
        while n < listed.end {
            let band = self.pick_move(pos, listed, n);
            if enough_quiet && band == Band::Quiet {
                listed = self.without_quiet(listed, n);
                continue;
            }
            let mv = self.moves[n];
            n += 1;
            if self.nodes.frames.at(node.ply).excluded == Some(mv) {
                continue;
            }
            number += 1;
            let threatens = self.expert.threatens(pos, mv);
            let remembered = G::move_code(mv) == remembered;
            let this = Try { mv, number, band, remembered, threatens };
            // Where a win or a loss is at stake nothing is left out.
            let at_stake = alpha.is_decided() && alpha > Score::DRAW
                || best.is_decided() && best < Score::DRAW;
            if !at_stake {
                enough_quiet |= self.has_enough_quiet(sight, number);
                if self.is_futile(pos, sight, &this, alpha) {
                    self.keys[n - 1] = UNTRIED;
                    continue;
                }
            }
            let extension = match self.extension(pos, sight, &this)? {
                Extension::Plies(plies) => plies,
                Extension::Cutoff(score) => return Ok(score),
            };
            let depth = (node.depth as i32 - 1 + extension).max(0) as u32;
            self.turn_to(pos, node, listed.start, n - 1);
            let score = self.search_move(pos, sight, &this, depth, Window::new(alpha, beta))?;
            if score <= best {
                continue;
            }
            best = score;
            if score <= alpha {
                continue;
            }
            best_at = Some(n - 1);
            if sight.pv {
                self.lines.set(node.ply, mv);
            }
            if score >= beta {
                break;
            }
            alpha = score;
        }
        if best == Score::MIN {
            // Only with the best move left out: the others do not exist.
            return Ok(node.window.alpha);
        }
        if best >= beta {
            self.cutoffs += 1;
            self.nodes.frames.at_mut(node.ply).cutoffs += 1;
        }
        if let Some(n) = best_at {
            self.learn_moves(pos, sight, listed, n);
        }
        if !sight.excluded {
            let bound = match () {
                () if best >= beta => Bound::Lower,
                () if best <= node.window.alpha || !sight.pv => Bound::Upper,
                () if listed.passed_over => Bound::Lower,
                () => Bound::Exact,
            };
            self.conclude(pos, sight, key, (best, bound), best_at.map(|n| self.moves[n]));
        }
        Ok(best)
    }

    /// Remembers what came out, and how wrong the evaluation was.
    fn conclude(
        &mut self,
        pos: &G,
        sight: &Sight,
        key: u64,
        (best, bound): (Score, Bound),
        mv: Option<G::Move>,
    ) {
        let node = sight.node;
        // What failed low has no best move; the one that was remembered may still be good.
        let code = mv.map_or(sight.known.map_or(NO_MOVE, |entry| entry.best), G::move_code);
        let entry = recall::entry(best, bound, code, node.depth, node.ply, false);
        self.recall.store(key, node.depth, node.ply, entry);
        let error = best.raw().saturating_sub(sight.eval);
        let telling = match bound {
            Bound::Exact => true,
            Bound::Lower => error > 0,
            Bound::Upper => error < 0,
        };
        if self.nodes.switches.correction
            && telling
            && !sight.threatened
            && !best.is_decided()
            && mv.is_none_or(|mv| self.expert.loot(pos, mv) == 0)
        {
            let error = best.raw() - sight.raw;
            self.nodes.correction.learn(node.mover, sight.structure, node.depth, error);
        }
    }

    /// Searches a move: first, if it comes late, less deep; then whether it is better at all; then how
    /// good it is.
    fn search_move(
        &mut self,
        pos: &G,
        sight: &Sight,
        this: &Try<G::Move>,
        depth: u32,
        mut window: Window,
    ) -> Result<Score, Stopped> {
        let node = sight.node;
        let ply = node.ply + 1;
        let scout = Window::above(window.alpha);
        let first = this.number == 1;
        let reduced = if first { depth } else { self.reduced(pos, sight, this, depth) };
        if reduced < depth {
            self.nodes.frames.at_mut(ply).cut = true;
            let score = self.after(pos, this.mv, node.ask(reduced, scout))?;
            if score <= window.alpha {
                return Ok(score);
            }
        }
        let mut won = Score::MIN;
        if !sight.pv || !first {
            self.nodes.frames.at_mut(ply).cut = !sight.cut;
            let score = self.after(pos, this.mv, node.ask(depth, scout))?;
            if !sight.pv || !window.holds(score) {
                return Ok(score);
            }
            if score.is_win() {
                // Only shorter wins are of interest.
                won = score;
                window.alpha = Window::at_least(score).alpha;
            }
        }
        self.nodes.frames.at_mut(ply).cut = false;
        Ok(self.after(pos, this.mv, node.ask(depth, window))?.max(won))
    }
}
