//! A position that is good enough even if the mover passes is good enough.
// CITE: Donninger 1993, "Null move and deep search"; verification, Tabibi and Netanyahu 2002.

use super::{NodeInfo, SelectiveSearcher, hundredths};
use crate::game::{Game, Tactics};
use crate::search::alphabeta::engine::Node;
use crate::search::{Score, Stopped};

/// From here on it pays.
const FROM: u32 = 2;
/// A pass is searched this much less deep, and a third of the depth, and a ply for each
/// `PLY_FOR_LEAD` hundredths above what is needed, at most `MOST_FOR_LEAD`.
const REDUCTION: u32 = 3;
const PLY_FOR_LEAD: i32 = 150;
const MOST_FOR_LEAD: i32 = 3;
/// The evaluation may lack this many hundredths for each ply, since deep searches find the rest.
const SLACK: i32 = 8;
/// Cutoffs at this depth and beyond are verified by a search without passes.
const VERIFY_FROM: u32 = 12;

impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    pub(super) fn null_move(&mut self, pos: &G, info: &NodeInfo) -> Result<Option<Score>, Stopped> {
        let node = info.node;
        let beta = node.window.beta;
        let stack = &self.nodes.stack;
        let just_passed = node.ply > 0 && stack.at(node.ply - 1).mv.is_none();
        let forbidden =
            self.nodes.no_pass.is_some_and(|(side, until)| side == node.mover && node.ply < until);
        if !self.nodes.switches.null_move
            || node.depth < FROM
            || beta.is_decided()
            || just_passed
            || forbidden
            || info.guess < beta.raw()
            || info.eval + hundredths::<G, E>(SLACK) * (node.depth as i32) < beta.raw()
        {
            return Ok(None);
        }
        let Some(next) = self.evaluator.pass(pos, node.mover) else { return Ok(None) };
        let lead = (info.guess - beta.raw()) / hundredths::<G, E>(PLY_FOR_LEAD);
        let less = REDUCTION + node.depth / 3 + lead.min(MOST_FOR_LEAD) as u32;
        let depth = node.depth.saturating_sub(less);
        let entry = self.nodes.stack.at_mut(node.ply);
        (entry.mv, entry.move_index) = (None, None);
        self.nodes.stack.at_mut(node.ply + 1).cut = !info.cut;
        self.evaluator.push_pass(&next);
        let score = self.value(&next, node.ask(depth, node.window), None)?;
        self.evaluator.pop();
        if score < beta {
            return Ok(None);
        }
        // What follows a pass is no proof.
        let score = if score.is_decided() { beta } else { score };
        if node.depth < VERIFY_FROM || self.nodes.no_pass.is_some() {
            return Ok(Some(score));
        }
        self.nodes.no_pass = Some((node.mover, node.ply + 3 * depth / 4));
        let verified = self.selective(pos, Node { depth, ..node })?;
        self.nodes.no_pass = None;
        Ok((verified >= beta).then_some(score))
    }
}
