//! Recursion of threat-space search: the attacker's win or the defender's loss within a number of plies.

use super::ThreatGoal;
use crate::game::{Game, Lookahead, Side, Tactics, Turn};
use crate::search::alphabeta::selective::SelectiveSearcher;
use crate::search::memory::{Bound, TableEntry};
use crate::search::order::NO_MOVE;
use crate::search::{Score, Stopped};

impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    /// Plies in which the attacker, to move, wins; `None` if not within the goal.
    pub(super) fn attack(&mut self, pos: &G, aim: ThreatGoal) -> Result<Option<u32>, Stopped> {
        self.clock.tick()?;
        let threats = &mut self.nodes.threats;
        threats.given_up |= self.clock.nodes() > threats.until;
        if pos.turn() != Turn::Of(aim.attacker) {
            return Ok(None);
        }
        // A result by the history rules is not a win by threats.
        if threats.given_up || aim.plies == 0 || self.evaluator.verdict(pos).is_some() {
            self.nodes.threats.horizons += 1;
            return Ok(None);
        }
        if let Some(plies) = self.evaluator.wins_in(pos, aim.attacker) {
            let enough = plies <= aim.plies;
            self.nodes.threats.horizons += u64::from(!enough);
            return Ok(enough.then_some(plies));
        }
        let key = aim.key(pos);
        if let Some(entry) = self.tables.probe_private(key) {
            if entry.score.is_proved() {
                let needed = entry.score.plies();
                if needed <= aim.plies {
                    return Ok(Some(needed));
                }
            } else if entry.resolved || u32::from(entry.depth) >= aim.plies {
                self.nodes.threats.horizons += u64::from(!entry.resolved);
                return Ok(None);
            }
        }
        let horizons = self.nodes.threats.horizons;
        let start = self.moves.len();
        self.evaluator.threats(pos, &mut self.moves);
        let mut won = self.attack_by(pos, aim, start, true)?;
        self.moves.truncate(start);
        if won.is_none() && aim.quiet > 0 {
            if aim.plies >= 3 {
                self.evaluator.quiet_preparations(pos, &mut self.moves);
                won =
                    self.attack_by(pos, ThreatGoal { quiet: aim.quiet - 1, ..aim }, start, false)?;
                self.moves.truncate(start);
            } else {
                self.nodes.threats.horizons += 1;
            }
        }
        if !self.nodes.threats.given_up || won.is_some() {
            let (score, best) =
                won.map_or((Score::DRAW, NO_MOVE), |(n, code)| (Score::win(n), code));
            let depth = aim.plies.min(255) as u8;
            let resolved = won.is_none() && self.nodes.threats.horizons == horizons;
            let entry = TableEntry { score, bound: Bound::Exact, depth, resolved, best };
            self.tables.store_private(key, entry);
        }
        Ok(won.map(|(plies, _)| plies))
    }

    /// First of the moves from `start` on that reaches the goal: plies and move code. The moves either all
    /// give check or all do not.
    fn attack_by(
        &mut self,
        pos: &G,
        aim: ThreatGoal,
        start: usize,
        threatening: bool,
    ) -> Result<Option<(u32, u16)>, Stopped> {
        for n in start..self.moves.len() {
            let mv = self.moves[n];
            let next = pos.after(mv);
            self.evaluator.push(pos, mv, &next);
            let idle = !threatening && !self.wins_if_passed(&next, aim.later())?;
            let lost = if idle { None } else { self.defend(&next, aim.later())? };
            self.evaluator.pop();
            if let Some(after) = lost {
                return Ok(Some((after + 1, G::move_code(mv))));
            }
        }
        Ok(None)
    }

    /// True if a quiet move threatens anything: a win after a pass with at most `after_pass` further quiet
    /// moves. A move that the opponent could ignore is not a threat.
    fn wins_if_passed(&mut self, pos: &G, aim: ThreatGoal) -> Result<bool, Stopped> {
        let Some(passed) = self.evaluator.pass(pos, aim.attacker.other()) else { return Ok(true) };
        self.evaluator.push_pass(&passed);
        let quiet = aim.quiet.min(aim.after_pass);
        let won = self.attack(&passed, ThreatGoal { quiet, ..aim.later() })?;
        self.evaluator.pop();
        Ok(won.is_some())
    }

    /// Plies in which the defender, to move, has lost against every defence; `None` if not within the goal.
    pub(super) fn defend(&mut self, pos: &G, aim: ThreatGoal) -> Result<Option<u32>, Stopped> {
        self.clock.tick()?;
        let won = |outcome| Score::of(outcome, aim.attacker, 0) == Score::win(0);
        let defender = match pos.turn() {
            Turn::Of(side) if side != aim.attacker => side,
            Turn::Over(outcome) => return Ok(won(outcome).then_some(0)),
            _ => return Ok(None),
        };
        let start = self.moves.len();
        if let Some(lost) = self.list_answers(pos, defender, aim.plies) {
            self.moves.truncate(start);
            return Ok(lost);
        }
        let end = self.moves.len();
        if start == end {
            return Ok(won(pos.stuck(defender)).then_some(0));
        }
        if aim.plies < 2 || self.evaluator.verdict(pos).is_some() {
            self.nodes.threats.horizons += 1;
            self.moves.truncate(start);
            return Ok(None);
        }
        let mut longest = Some(1);
        let foil = *self.nodes.threats.foil(aim.plies);
        if let Some(n) = (start..end).find(|&n| Some(self.moves[n]) == foil) {
            self.moves.swap(start, n);
        }
        for n in start..end {
            let Some(so_far) = longest else { break };
            let mv = self.moves[n];
            let next = pos.after(mv);
            self.evaluator.push(pos, mv, &next);
            let lost = self.attack(&next, aim.later())?;
            self.evaluator.pop();
            longest = lost.map(|plies| so_far.max(plies + 1));
            if longest.is_none() {
                *self.nodes.threats.foil(aim.plies) = Some(mv);
            }
        }
        self.moves.truncate(start);
        Ok(longest)
    }

    /// Appends the defender's moves, without those that lose sooner; or returns the result of the static
    /// lookahead: plies to the loss, or `None` for no loss.
    fn list_answers(&mut self, pos: &G, defender: Side, plies: u32) -> Option<Option<u32>> {
        let start = self.moves.len();
        match self.evaluator.lookahead(pos, defender, plies, self.list, &mut self.moves) {
            Lookahead::Win(_) => return Some(None),
            Lookahead::Loss(plies) => return Some(Some(plies)),
            Lookahead::Open { complete: true, .. } => {}
            Lookahead::Open { complete: false, .. } => {
                self.moves.truncate(start);
                pos.moves(&mut self.moves);
            }
        }
        None
    }
}
