//! ProbCut: cut if a noisy move is good enough by a margin at a smaller depth.
// CITE: Buro 1995, "ProbCut: an effective selective extension of the alpha-beta algorithm".

use super::{NodeInfo, SelectiveSearcher, hundredths};
use crate::game::{Game, Tactics};
use crate::search::alphabeta::engine::Node;
use crate::search::alphabeta::tt;
use crate::search::memory::Bound;
use crate::search::{Score, Stopped, Window};

// Constants measured only with the technique as a whole: `benches/ablation.py probcut`, docs/selective.md.

/// Minimum depth.
const FROM: u32 = 5;
/// Depth reduction of the shallow search, in plies.
const REDUCTION: u32 = 4;
/// Safety margin on the regressions, in standard deviations of their error.
// CITE: 1.5 in Othello, Buro 1997, "Experiments with Multi-ProbCut".
const DOUBT: f64 = 1.5;

impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    /// Score that the shallow search must reach: by a measured regression, otherwise beta plus the margin;
    /// `None` if out of reach.
    fn goal(&self, node: Node, improving: bool) -> Option<Score> {
        let beta = node.window.beta.raw();
        let depths = (node.depth - REDUCTION, node.depth);
        let measured = self.nodes.pairs.iter().find(|pair| (pair.shallow, pair.deep) == depths);
        let Some(pair) = measured else {
            let by = &self.nodes.parameters;
            let less = if improving { by.probcut_improving } else { 0 };
            let margin = hundredths::<G, E>(by.probcut_margin - less);
            return Some(Score::heuristic(beta + margin));
        };
        let reach = f64::from(self.evaluator.reach());
        let needed = pair.needed(beta, DOUBT)?.ceil();
        (needed <= reach).then(|| Score::heuristic(needed.max(-reach) as i32))
    }

    pub(super) fn probcut(&mut self, pos: &G, info: &NodeInfo) -> Result<Option<Score>, Stopped> {
        let node = info.node;
        let beta = node.window.beta;
        if !self.nodes.switches.probcut || node.depth < FROM || beta.is_decided() {
            return Ok(None);
        }
        let Some(goal) = self.goal(node, info.improving) else { return Ok(None) };
        let shallow = node.depth - REDUCTION;
        let known_to_fail =
            info.known.is_some_and(|known| u32::from(known.depth) > shallow && known.score < goal);
        if known_to_fail {
            return Ok(None);
        }
        let start = self.moves.len();
        self.evaluator.noisy(pos, &mut self.moves);
        let end = self.moves.len();
        self.keys.resize(end, 0);
        let window = Window::new(Score::heuristic(goal.raw() - 1), goal);
        let ply = node.ply + 1;
        let mut found = None;
        for n in start..end {
            let mv = self.moves[n];
            if !self.evaluator.see_at_least(pos, mv, goal.raw() - info.eval) {
                continue;
            }
            self.nodes.stack.at_mut(ply).cut = !info.cut;
            let mut score = self.after(pos, mv, node.ask(0, window))?;
            if score >= goal && shallow > 1 {
                self.nodes.stack.at_mut(ply).cut = !info.cut;
                score = self.after(pos, mv, node.ask(shallow - 1, window))?;
            }
            if score >= goal {
                let code = G::move_code(mv);
                let entry = tt::entry(score, Bound::Lower, code, shallow, node.ply, false);
                self.tables.store(pos.hash(), shallow, node.ply, entry);
                found = Some(score.max(beta));
                break;
            }
        }
        self.moves.truncate(start);
        self.keys.truncate(start);
        Ok(found)
    }
}
