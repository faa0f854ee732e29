//! Quiescence search: a position is evaluated only after captures are played out; a side in check may play
//! any move.
// CITE: Shannon 1950; Harris 1975; delta pruning, Beal 1990, "A generalised quiescence search algorithm".

use super::{MOST_PLIES, SEEN_AT_ONCE, SelectiveSearcher, hundredths};
use crate::game::{Game, Lookahead, Tactics, retain_from};
use crate::search::alphabeta::engine::Node;
use crate::search::alphabeta::tt;
use crate::search::memory::Bound;
use crate::search::order::{self, NO_MOVE};
use crate::search::trace::TraceEvent;
use crate::search::{Score, Stopped, Window};

// Constants measured only with the technique as a whole: `benches/ablation.py quiescence`, docs/selective.md.

/// Sort key base of quiet moves, behind all noisy moves.
const QUIET: i64 = i64::MIN / 2;
/// Once an evasion does not lose: moves tried before quiet evasions are skipped.
const MOST_ANSWERS: usize = 3;

impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    /// Value of the position after quiescence search.
    pub(super) fn quiescence(&mut self, pos: &G, node: Node) -> Result<Score, Stopped> {
        let pressing = self.evaluator.is_pressing(pos);
        if !self.nodes.switches.quiescence || node.ply >= MOST_PLIES {
            return Ok(Score::heuristic(self.judged(pos, node.mover)));
        }
        let key = pos.hash();
        let known = self.tables.probe(key, 0, node.ply);
        if let Some(entry) = &known
            && node.window.is_null()
            && let Some(score) = self.tables.decides(entry, 0, node.ply, node.window)
        {
            self.hit();
            return Ok(score);
        }
        let remembered = known.map_or(NO_MOVE, |entry| entry.best);
        let start = self.moves.len();
        let (best, code) = if pressing {
            self.answer_threat(pos, node, remembered)?
        } else {
            self.play_out(pos, node, remembered)?
        };
        self.moves.truncate(start);
        self.keys.truncate(start);
        let bound = if best >= node.window.beta || best.is_win() {
            // There may be a shorter win.
            Bound::Lower
        } else if best <= node.window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        self.tables.store(key, 0, node.ply, tt::entry(best, bound, code, 0, node.ply, false));
        Ok(best)
    }

    /// Searches the evasions, all of them until one does not lose.
    fn answer_threat(
        &mut self,
        pos: &G,
        node: Node,
        remembered: u16,
    ) -> Result<(Score, u16), Stopped> {
        let start = self.moves.len();
        let worst = match self.lookahead(pos, Node { depth: SEEN_AT_ONCE, ..node }) {
            Lookahead::Win(plies) => return Ok((Score::win(node.ply + plies), NO_MOVE)),
            Lookahead::Loss(plies) => return Ok((Score::loss(node.ply + plies), NO_MOVE)),
            Lookahead::Open { complete: true, .. } => Score::MIN,
            Lookahead::Open { complete: false, .. } => Score::likely_loss(node.ply),
        };
        if self.moves.len() == start {
            return Ok((Score::of(pos.stuck(node.mover), node.mover, node.ply), NO_MOVE));
        }
        let before = self.nodes.stack.before(node.ply);
        for n in start..self.moves.len() {
            let mv = self.moves[n];
            let (victim, move_index) =
                (self.evaluator.victim(pos, mv), self.evaluator.move_index(pos, mv));
            let key = if G::move_code(mv) == remembered {
                i64::MAX
            } else if victim > 0 {
                (1 << 40) + self.noisy_key(pos, mv, victim)
            } else {
                let own = self.nodes.history.by_code(node.mover, G::move_code(mv));
                i64::from(own + self.nodes.history.continuation(&before, move_index))
            };
            self.keys.push(key);
        }
        self.play_through(pos, node, start, worst, |searcher, mv, best, tried| {
            let lost = best.is_decided() && best < Score::DRAW;
            !lost && tried >= MOST_ANSWERS && searcher.evaluator.victim(pos, mv) == 0
        })
    }

    /// Stand pat, captures and checks.
    fn play_out(&mut self, pos: &G, node: Node, remembered: u16) -> Result<(Score, u16), Stopped> {
        let raw = self.judged(pos, node.mover);
        let eval = self.corrected(node.mover, self.evaluator.structure_key(pos), raw);
        let stand = Score::heuristic(eval);
        if stand >= node.window.beta {
            self.trace.note(TraceEvent::Evaluated);
            return Ok((stand, NO_MOVE));
        }
        let start = self.moves.len();
        self.evaluator.noisy(pos, &mut self.moves);
        for n in start..self.moves.len() {
            let mv = self.moves[n];
            let known = G::move_code(mv) == remembered;
            let key = self.noisy_key(pos, mv, self.evaluator.victim(pos, mv));
            self.keys.push(if known { i64::MAX } else { key });
        }
        if self.nodes.stack.at(node.ply).noise < self.nodes.parameters.threat_plies {
            self.add_threats(pos, node, remembered);
        }
        let margin = eval + hundredths::<G, E>(self.nodes.parameters.quiescence_margin);
        self.play_through(pos, node, start, stand, |searcher, mv, best, _| {
            let alpha = node.window.alpha.max(best);
            let too_little = !alpha.is_decided()
                && margin + searcher.evaluator.victim_value(pos, mv) <= alpha.raw()
                && !searcher.evaluator.threatens(pos, mv);
            too_little || !searcher.evaluator.see_at_least(pos, mv, 0)
        })
    }

    /// Appends quiet moves that give check; after the first, only those that continue the mover's last one.
    fn add_threats(&mut self, pos: &G, node: Node, remembered: u16) {
        let noisy = self.moves.len();
        self.evaluator.threats(pos, &mut self.moves);
        let stack = &self.nodes.stack;
        let last = if stack.at(node.ply).noise < 2 { None } else { stack.at(node.ply - 2).mv };
        let evaluator = &self.evaluator;
        retain_from(&mut self.moves, noisy, |mv| {
            last.is_none_or(|last| evaluator.continues_threat(pos, last, mv))
                && evaluator.victim(pos, mv) == 0
        });
        for n in noisy..self.moves.len() {
            let mv = self.moves[n];
            let order = i64::from(self.evaluator.order(pos, node.mover, mv));
            self.keys.push(if G::move_code(mv) == remembered { i64::MAX } else { QUIET + order });
        }
    }

    /// Searches the moves from `start` on and returns the best score, at least `best`, with the code of its
    /// move. `skips` prunes moves by the best score so far and the number of moves tried.
    fn play_through(
        &mut self,
        pos: &G,
        node: Node,
        start: usize,
        mut best: Score,
        skips: impl Fn(&Self, G::Move, Score, usize) -> bool,
    ) -> Result<(Score, u16), Stopped> {
        let Window { alpha, beta } = node.window;
        let mut alpha = alpha.max(best);
        let mut code = NO_MOVE;
        let mut tried = 0;
        let end = self.moves.len();
        for n in start..end {
            order::pick(&mut self.moves[start..end], &mut self.keys[start..end], n - start);
            let mv = self.moves[n];
            if skips(self, mv, best, tried) {
                continue;
            }
            tried += 1;
            let noise = self.nodes.stack.at(node.ply).noise;
            self.nodes.stack.at_mut(node.ply + 1).noise = noise + 1;
            let window = Window::new(alpha, beta);
            let score = self.after(pos, mv, node.ask(0, window))?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    code = G::move_code(mv);
                    if !node.window.is_null() {
                        self.pv.set(node.ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        Ok((best, code))
    }
}
