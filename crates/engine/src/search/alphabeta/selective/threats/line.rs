//! Principal variation of a win by threats.

use super::ThreatGoal;
use crate::game::{Game, Tactics, Turn};
use crate::search::Stopped;
use crate::search::alphabeta::selective::SelectiveSearcher;

impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    /// Line of a win within the goal, with the longest defence.
    pub(super) fn line_of_threats(
        &mut self,
        root: &G,
        mut aim: ThreatGoal,
    ) -> Result<Vec<G::Move>, Stopped> {
        let mut line = Vec::new();
        let mut pos = root.clone();
        self.nodes.threats.until = u64::MAX;
        self.nodes.threats.given_up = false;
        while aim.plies > 0 {
            let mut moves = Vec::new();
            let attacks = pos.turn() == Turn::Of(aim.attacker);
            if attacks {
                self.evaluator.threats(&pos, &mut moves);
            } else {
                pos.moves(&mut moves);
            }
            let loud = moves.len();
            if attacks && aim.quiet > 0 {
                self.evaluator.quiet_preparations(&pos, &mut moves);
            }
            // The first winning move will do; the defender takes the longest defence.
            let mut found: Option<(G::Move, G, ThreatGoal)> = None;
            for (n, mv) in moves.into_iter().enumerate() {
                let is_quiet = attacks && n >= loud;
                let next = pos.after(mv);
                let then = ThreatGoal { quiet: aim.quiet - usize::from(is_quiet), ..aim.later() };
                self.evaluator.push(&pos, mv, &next);
                let after =
                    if attacks { self.defend(&next, then)? } else { self.attack(&next, then)? };
                self.evaluator.pop();
                let Some(plies) = after else { continue };
                if found.as_ref().is_none_or(|(_, _, then)| plies > then.plies) {
                    found = Some((mv, next, ThreatGoal { plies, ..then }));
                }
                if attacks {
                    break;
                }
            }
            let Some((mv, next, then)) = found else { break };
            self.evaluator.push(&pos, mv, &next);
            line.push(mv);
            (pos, aim) = (next, then);
        }
        for _ in &line {
            self.evaluator.pop();
        }
        Ok(line)
    }
}
