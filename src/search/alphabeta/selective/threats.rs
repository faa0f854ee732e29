//! Wins in which every move of the winner threatens to win at once: few moves a side, so that it is seen
//! far ahead. A search of its own at the root, with a share of the nodes.
// CITE: threat sequences, Allis, van den Herik and Huntjens 1993, "Go-Moku and threat-space search".

use super::Picky;
use crate::game::{Game, Side, Tactics, Turn, zobrist};
use crate::search::memory::{Bound, Entry};
use crate::search::order::NO_MOVE;
use crate::search::{Score, Stopped};

/// One node in this many is spent on it, and some at the start.
const SHARE: u64 = 6;
const AT_ONCE: u64 = 300;
/// No sequence is longer.
const MOST_PLIES: u32 = 41;
/// Keys of what is known here.
const AS_THREATS: u64 = zobrist::mix(0x5448_5245_4154);

/// How far threats have been looked into from the root.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Threats {
    /// No win by threats takes so few plies.
    none_within: u32,
    /// Nodes spent so far.
    spent: u64,
    /// The node count at which to give up for now.
    until: u64,
    given_up: bool,
}

impl<G: Game, E: Tactics<G>> Picky<'_, G, E> {
    /// A win of the mover by threats alone, the shortest that there is, if it is found with the nodes
    /// that may be spent by now.
    pub(super) fn win_by_threats(
        &mut self,
        root: &G,
        mover: Side,
    ) -> Result<Option<Vec<G::Move>>, Stopped> {
        let before = self.clock.nodes();
        let share = before / SHARE + AT_ONCE;
        let left = share.saturating_sub(self.nodes.threats.spent);
        self.nodes.threats.until = before + left;
        self.nodes.threats.given_up = false;
        let mut line = None;
        while line.is_none() && self.nodes.threats.none_within < MOST_PLIES {
            let plies = self.nodes.threats.none_within + 1;
            let found = self.attack(root, mover, plies)?;
            if self.nodes.threats.given_up {
                break;
            }
            if found.is_some() {
                line = Some(self.line_of_threats(root, mover, plies)?);
            } else {
                self.nodes.threats.none_within = plies + 1;
            }
        }
        self.nodes.threats.spent += self.clock.nodes() - before;
        Ok(line)
    }

    /// The plies in which the mover wins by threats, if within `plies`.
    fn attack(&mut self, pos: &G, mover: Side, plies: u32) -> Result<Option<u32>, Stopped> {
        self.clock.tick()?;
        let threats = &mut self.nodes.threats;
        threats.given_up |= self.clock.nodes() > threats.until;
        if self.nodes.threats.given_up || plies == 0 || pos.turn() != Turn::Of(mover) {
            return Ok(None);
        }
        let key = pos.hash() ^ AS_THREATS;
        let known = self.recall.probe_private(key);
        if let Some(entry) = known {
            if entry.score.is_proved() {
                let needed = entry.score.plies();
                if needed <= plies {
                    return Ok(Some(needed));
                }
            } else if u32::from(entry.depth) >= plies {
                return Ok(None);
            }
        }
        let start = self.moves.len();
        pos.moves(&mut self.moves);
        let end = self.moves.len();
        let mut won = None;
        for n in start..end {
            let mv = self.moves[n];
            if !self.expert.threatens(pos, mv) {
                continue;
            }
            let next = pos.after(mv);
            self.expert.push(pos, mv, &next);
            let lost = self.defend(&next, mover, plies - 1)?;
            self.expert.pop();
            if let Some(after) = lost {
                won = Some((after + 1, G::move_code(mv)));
                break;
            }
        }
        self.moves.truncate(start);
        if !self.nodes.threats.given_up || won.is_some() {
            let (score, best) =
                won.map_or((Score::DRAW, NO_MOVE), |(n, code)| (Score::win(n), code));
            let depth = plies.min(255) as u8;
            let entry = Entry { score, bound: Bound::Exact, depth, resolved: false, best };
            self.recall.store_private(key, entry);
        }
        Ok(won.map(|(plies, _)| plies))
    }

    /// The plies in which the foe of `attacker`, who is to move, has lost whatever he does, if within
    /// `plies`.
    fn defend(&mut self, pos: &G, attacker: Side, plies: u32) -> Result<Option<u32>, Stopped> {
        self.clock.tick()?;
        let start = self.moves.len();
        let won = |outcome| Score::of(outcome, attacker, 0) == Score::win(0);
        let defender = match pos.turn() {
            Turn::Of(side) if side != attacker => side,
            Turn::Over(outcome) => return Ok(won(outcome).then_some(0)),
            _ => return Ok(None),
        };
        pos.moves(&mut self.moves);
        let end = self.moves.len();
        if start == end {
            return Ok(won(pos.stuck(defender)).then_some(0));
        }
        let mut longest = Some(0);
        if plies < 2 {
            longest = None;
        }
        for n in start..end {
            if longest.is_none() {
                break;
            }
            let mv = self.moves[n];
            let next = pos.after(mv);
            self.expert.push(pos, mv, &next);
            let lost = self.attack(&next, attacker, plies - 1)?;
            self.expert.pop();
            longest = match (longest, lost) {
                (Some(longest), Some(plies)) => Some(plies.max(longest)),
                _ => None,
            };
        }
        self.moves.truncate(start);
        Ok(longest.map(|plies| if start == end { 0 } else { plies + 1 }))
    }

    /// The line of a win by threats in exactly `plies`, the foe holding out as long as he can.
    fn line_of_threats(
        &mut self,
        root: &G,
        attacker: Side,
        plies: u32,
    ) -> Result<Vec<G::Move>, Stopped> {
        let mut line = Vec::new();
        let mut pos = root.clone();
        let mut left = plies;
        self.nodes.threats.until = u64::MAX;
        while left > 0 {
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            let attacks = pos.turn() == Turn::Of(attacker);
            let mut found = None;
            for mv in moves {
                if attacks && !self.expert.threatens(&pos, mv) {
                    continue;
                }
                let next = pos.after(mv);
                let after = if attacks {
                    self.defend(&next, attacker, left - 1)?
                } else {
                    self.attack(&next, attacker, left - 1)?
                };
                if after == Some(left - 1) {
                    found = Some((mv, next));
                    break;
                }
            }
            let Some((mv, next)) = found else { break };
            line.push(mv);
            pos = next;
            left -= 1;
        }
        Ok(line)
    }
}
