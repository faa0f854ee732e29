//! If a noisy move is good enough by a margin at a smaller depth, it will be good enough.
// CITE: Buro 1995, "ProbCut: an effective selective extension of the alpha-beta algorithm".

use super::{Picky, Sight, hundredths};
use crate::game::{Game, Tactics};
use crate::search::alphabeta::recall;
use crate::search::memory::Bound;
use crate::search::{Score, Stopped, Window};

const FROM: u32 = 5;
/// The shallow search is so much less deep.
const REDUCTION: u32 = 4;
/// In hundredths; less where things are getting better.
const MARGIN: i32 = 130;
const MARGIN_IMPROVING: i32 = 95;

impl<G: Game, E: Tactics<G>> Picky<'_, G, E> {
    pub(super) fn probcut(&mut self, pos: &G, sight: &Sight) -> Result<Option<Score>, Stopped> {
        let node = sight.node;
        let beta = node.window.beta;
        if !self.nodes.switches.probcut || node.depth < FROM || beta.is_decided() {
            return Ok(None);
        }
        let margin = if sight.improving { MARGIN_IMPROVING } else { MARGIN };
        let goal = Score::heuristic(beta.raw() + hundredths::<G, E>(margin));
        let shallow = node.depth - REDUCTION;
        let known_to_fail =
            sight.known.is_some_and(|known| u32::from(known.depth) > shallow && known.score < goal);
        if known_to_fail {
            return Ok(None);
        }
        let start = self.moves.len();
        self.expert.noisy(pos, &mut self.moves);
        let end = self.moves.len();
        self.keys.resize(end, 0);
        let window = Window::new(Score::heuristic(goal.raw() - 1), goal);
        let ply = node.ply + 1;
        let mut found = None;
        for n in start..end {
            let mv = self.moves[n];
            if !self.expert.exchange(pos, mv, goal.raw() - sight.eval) {
                continue;
            }
            self.nodes.frames.at_mut(ply).cut = !sight.cut;
            let mut score = self.after(pos, mv, node.ask(0, window))?;
            if score >= goal && shallow > 1 {
                self.nodes.frames.at_mut(ply).cut = !sight.cut;
                score = self.after(pos, mv, node.ask(shallow - 1, window))?;
            }
            if score >= goal {
                let code = G::move_code(mv);
                let entry = recall::entry(score, Bound::Lower, code, shallow, node.ply, false);
                self.recall.store(pos.hash(), shallow, node.ply, entry);
                found = Some(score);
                break;
            }
        }
        self.moves.truncate(start);
        self.keys.truncate(start);
        Ok(found)
    }
}
