//! The moves of a win that has been found.

use super::Aim;
use crate::game::{Game, Tactics, Turn};
use crate::search::Stopped;
use crate::search::alphabeta::selective::Picky;

impl<G: Game, E: Tactics<G>> Picky<'_, G, E> {
    /// The line of a win within so many plies, the foe holding out as long as he can.
    pub(super) fn line_of_threats(
        &mut self,
        root: &G,
        mut aim: Aim,
    ) -> Result<Vec<G::Move>, Stopped> {
        let mut line = Vec::new();
        let mut pos = root.clone();
        self.nodes.threats.until = u64::MAX;
        self.nodes.threats.given_up = false;
        while aim.plies > 0 {
            let mut moves = Vec::new();
            let attacks = pos.turn() == Turn::Of(aim.attacker);
            if attacks {
                self.expert.threats(&pos, &mut moves);
            }
            let loud = moves.len();
            match attacks {
                true if aim.quiet > 0 => self.expert.plans(&pos, &mut moves),
                true => {}
                false => pos.moves(&mut moves),
            }
            // Any way to win will do; a defender holds out as long as he can.
            let mut found: Option<(G::Move, G, Aim)> = None;
            for (n, mv) in moves.into_iter().enumerate() {
                let is_quiet = attacks && n >= loud;
                let next = pos.after(mv);
                let then = Aim { quiet: aim.quiet - usize::from(is_quiet), ..aim.later() };
                self.expert.push(&pos, mv, &next);
                let after =
                    if attacks { self.defend(&next, then)? } else { self.attack(&next, then)? };
                self.expert.pop();
                let Some(plies) = after else { continue };
                if found.as_ref().is_none_or(|(_, _, then)| plies > then.plies) {
                    found = Some((mv, next, Aim { plies, ..then }));
                }
                if attacks {
                    break;
                }
            }
            let Some((mv, next, then)) = found else { break };
            self.expert.push(&pos, mv, &next);
            line.push(mv);
            (pos, aim) = (next, then);
        }
        for _ in &line {
            self.expert.pop();
        }
        Ok(line)
    }
}
