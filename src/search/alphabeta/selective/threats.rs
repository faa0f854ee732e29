//! Wins in which nearly every move of the winner threatens to win at once: few moves a side, so that they
//! are seen far ahead. A search of its own at the root, with a share of the nodes.
// CITE: threat sequences, Allis, van den Herik and Huntjens 1993, "Go-Moku and threat-space search";
// orders of threats, Thomsen 2000, "Lambda-search in game trees".

use super::{Picky, hundredths};
use crate::game::{Game, Side, Tactics, Turn, zobrist};
use crate::search::alphabeta::engine::Seen;
use crate::search::memory::{Bound, Entry};
use crate::search::order::NO_MOVE;
use crate::search::{Score, Stopped};

/// One node in this many is spent on it.
const SHARE: u64 = 20;
/// Where the position seems to be worth so much, in hundredths, a win is likely: one more in so many,
/// and at first as many nodes as for all else, up to this number.
const LIKELY: i32 = 200;
const SHARE_LIKELY: u64 = 5;
const AT_FIRST: u64 = 4_000;
/// ... and to one in so many of all that may be spent.
const MOST_AT_FIRST: u64 = 4;
/// No sequence is longer.
const MOST_PLIES: u32 = 41;
/// Of the winner's moves at most this many do not threaten to win at once.
const MOST_QUIET: usize = 2;
/// One in this many of these nodes for wins with so few quiet moves: what some leave is for the next.
const PARTS: [u64; MOST_QUIET + 1] = [6, 2, 1];
/// Keys of what is known here.
const AS_THREATS: u64 = zobrist::mix(0x5448_5245_4154);

/// How far wins with at most so many quiet moves have been looked for from the root.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// There is none in so few plies.
    none_within: u32,
    /// Nodes spent so far, and by the last try that had to be given up.
    spent: u64,
    in_vain: u64,
}

/// How far threats have been looked into from the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threats<M> {
    levels: [Level; MOST_QUIET + 1],
    /// The last answers that foiled a win, by the plies that it might have taken.
    foils: [Option<M>; MOST_PLIES as usize],
    /// The node count at which to give up for now.
    until: u64,
    given_up: bool,
}

impl<M: Copy> Default for Threats<M> {
    fn default() -> Self {
        let levels = [Level::default(); MOST_QUIET + 1];
        Self { levels, foils: [None; MOST_PLIES as usize], until: 0, given_up: false }
    }
}

/// What is asked about a position: a win within so many plies, with so many quiet moves.
#[derive(Clone, Copy)]
struct Aim {
    attacker: Side,
    plies: u32,
    quiet: usize,
}

impl Aim {
    /// The same, a ply later.
    fn later(self) -> Self {
        Self { plies: self.plies - 1, ..self }
    }

    fn key<G: Game>(self, pos: &G) -> u64 {
        pos.hash() ^ AS_THREATS.rotate_left(self.quiet as u32)
    }
}

impl<G: Game, E: Tactics<G>> Picky<'_, G, E> {
    /// A win of the mover by threats, the shortest that there is with so few quiet moves, if it is found
    /// with the nodes that may be spent by now.
    pub(super) fn win_by_threats(
        &mut self,
        root: &G,
        attacker: Side,
        so_far: Score,
    ) -> Result<Option<Seen<G::Move>>, Stopped> {
        let before = self.clock.nodes();
        let is_likely = so_far.raw() >= hundredths::<G, E>(LIKELY);
        let at_first = before.min(AT_FIRST).min(self.clock.max_nodes() / MOST_AT_FIRST);
        let more = if is_likely { at_first + before / SHARE_LIKELY } else { 0 };
        let share = before / SHARE + more;
        let mut known = so_far.is_win().then(|| so_far.plies());
        let mut won = None;
        for quiet in 0..=MOST_QUIET {
            let levels = &self.nodes.threats.levels[..=quiet];
            let spent: u64 = levels.iter().map(|level| level.spent).sum();
            let left = (share / PARTS[quiet]).saturating_sub(spent);
            let found = match known {
                // Little more than the last time would be spent in vain again.
                None if left <= 3 * levels[quiet].in_vain / 2 => None,
                None => self.deepen_threats(root, attacker, quiet, left, MOST_PLIES)?,
                // There is a win; a shorter one is worth as much as everything up to now. If there is
                // no time for that, the long one must do.
                Some(plies) => {
                    let shorter = plies.saturating_sub(2).min(MOST_PLIES);
                    let found = self.deepen_threats(root, attacker, quiet, before, shorter);
                    let Ok(found) = found else { break };
                    found
                }
            };
            if let Some(seen) = found {
                known = Some(seen.plies);
                won = Some(seen);
            }
        }
        Ok(won)
    }

    /// Looks for ever longer wins with this many quiet moves.
    fn deepen_threats(
        &mut self,
        root: &G,
        attacker: Side,
        quiet: usize,
        nodes: u64,
        most: u32,
    ) -> Result<Option<Seen<G::Move>>, Stopped> {
        let begun = self.clock.nodes();
        self.nodes.threats.until = begun + nodes;
        self.nodes.threats.given_up = false;
        let mut won = None;
        while won.is_none() {
            let none_within = self.nodes.threats.levels[quiet].none_within;
            // Each quiet move is followed by another one.
            let plies = (none_within + 1).max(2 * quiet as u32 + 1);
            if plies > most {
                break;
            }
            let aim = Aim { attacker, plies, quiet };
            let before = self.clock.nodes();
            won = self.attack(root, aim)?.map(|plies| Aim { plies, ..aim });
            let level = &mut self.nodes.threats.levels[quiet];
            if self.nodes.threats.given_up {
                level.in_vain = self.clock.nodes() - before;
                break;
            }
            (level.none_within, level.in_vain) = (plies + 1, 0);
        }
        self.nodes.threats.levels[quiet].spent += self.clock.nodes() - begun;
        let seen = |aim: Aim| Ok(Seen { plies: aim.plies, line: self.line_of_threats(root, aim)? });
        won.map(seen).transpose()
    }

    /// The plies in which the attacker, who is to move, wins, if as few as wanted.
    fn attack(&mut self, pos: &G, aim: Aim) -> Result<Option<u32>, Stopped> {
        self.clock.tick()?;
        let threats = &mut self.nodes.threats;
        threats.given_up |= self.clock.nodes() > threats.until;
        let gives_up = self.nodes.threats.given_up;
        if gives_up || aim.plies == 0 || pos.turn() != Turn::Of(aim.attacker) {
            return Ok(None);
        }
        // What the course of the game decides is no win by threats.
        if self.expert.verdict(pos).is_some() {
            return Ok(None);
        }
        let key = aim.key(pos);
        if let Some(entry) = self.recall.probe_private(key) {
            if entry.score.is_proved() {
                let needed = entry.score.plies();
                if needed <= aim.plies {
                    return Ok(Some(needed));
                }
            } else if u32::from(entry.depth) >= aim.plies {
                return Ok(None);
            }
        }
        let start = self.moves.len();
        pos.moves(&mut self.moves);
        let mut won = self.attack_by(pos, aim, start, true)?;
        if won.is_none() && aim.quiet > 0 && aim.plies >= 3 {
            won = self.attack_by(pos, Aim { quiet: aim.quiet - 1, ..aim }, start, false)?;
        }
        self.moves.truncate(start);
        if !self.nodes.threats.given_up || won.is_some() {
            let (score, best) =
                won.map_or((Score::DRAW, NO_MOVE), |(n, code)| (Score::win(n), code));
            let depth = aim.plies.min(255) as u8;
            let entry = Entry { score, bound: Bound::Exact, depth, resolved: false, best };
            self.recall.store_private(key, entry);
        }
        Ok(won.map(|(plies, _)| plies))
    }

    /// The first of the listed moves that wins as wanted, with its plies: of those that threaten to win
    /// at once, or of the others.
    fn attack_by(
        &mut self,
        pos: &G,
        aim: Aim,
        start: usize,
        threatening: bool,
    ) -> Result<Option<(u32, u16)>, Stopped> {
        for n in start..self.moves.len() {
            let mv = self.moves[n];
            if self.expert.threatens(pos, mv) != threatening {
                continue;
            }
            let next = pos.after(mv);
            self.expert.push(pos, mv, &next);
            let idle = !threatening && !self.wins_if_passed(&next, aim.later())?;
            let lost = if idle { None } else { self.defend(&next, aim.later())? };
            self.expert.pop();
            if let Some(after) = lost {
                return Ok(Some((after + 1, G::move_code(mv))));
            }
        }
        Ok(None)
    }

    /// Whether a quiet move threatens anything: what the foe could ignore is no threat.
    fn wins_if_passed(&mut self, pos: &G, aim: Aim) -> Result<bool, Stopped> {
        let Some(passed) = self.expert.pass(pos, aim.attacker.other()) else { return Ok(true) };
        self.expert.push_pass(&passed);
        let won = self.attack(&passed, aim.later())?;
        self.expert.pop();
        Ok(won.is_some())
    }

    /// The plies in which the foe of the attacker, who is to move, has lost whatever he does, if as few
    /// as wanted.
    fn defend(&mut self, pos: &G, aim: Aim) -> Result<Option<u32>, Stopped> {
        self.clock.tick()?;
        let won = |outcome| Score::of(outcome, aim.attacker, 0) == Score::win(0);
        let defender = match pos.turn() {
            Turn::Of(side) if side != aim.attacker => side,
            Turn::Over(outcome) => return Ok(won(outcome).then_some(0)),
            _ => return Ok(None),
        };
        let start = self.moves.len();
        pos.moves(&mut self.moves);
        let end = self.moves.len();
        if start == end {
            return Ok(won(pos.stuck(defender)).then_some(0));
        }
        if aim.plies < 2 || self.expert.verdict(pos).is_some() {
            self.moves.truncate(start);
            return Ok(None);
        }
        let mut longest = Some(1);
        let foil = self.nodes.threats.foils[aim.plies as usize];
        if let Some(n) = (start..end).find(|&n| Some(self.moves[n]) == foil) {
            self.moves.swap(start, n);
        }
        for n in start..end {
            let Some(so_far) = longest else { break };
            let mv = self.moves[n];
            let next = pos.after(mv);
            self.expert.push(pos, mv, &next);
            let lost = self.attack(&next, aim.later())?;
            self.expert.pop();
            longest = lost.map(|plies| so_far.max(plies + 1));
            if longest.is_none() {
                self.nodes.threats.foils[aim.plies as usize] = Some(mv);
            }
        }
        self.moves.truncate(start);
        Ok(longest)
    }

    /// The line of a win in exactly so many plies, the foe holding out as long as he can. It breaks off
    /// where a table knows a shorter way.
    fn line_of_threats(&mut self, root: &G, mut aim: Aim) -> Result<Vec<G::Move>, Stopped> {
        let mut line = Vec::new();
        let mut pos = root.clone();
        self.nodes.threats.until = u64::MAX;
        self.nodes.threats.given_up = false;
        while aim.plies > 0 {
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            let attacks = pos.turn() == Turn::Of(aim.attacker);
            let mut found = None;
            for mv in moves {
                let is_quiet = attacks && !self.expert.threatens(&pos, mv);
                if is_quiet && aim.quiet == 0 {
                    continue;
                }
                let next = pos.after(mv);
                let then = Aim { quiet: aim.quiet - usize::from(is_quiet), ..aim.later() };
                self.expert.push(&pos, mv, &next);
                let after =
                    if attacks { self.defend(&next, then)? } else { self.attack(&next, then)? };
                self.expert.pop();
                if after == Some(then.plies) {
                    found = Some((mv, next, then));
                    break;
                }
            }
            let Some((mv, next, then)) = found else { break };
            line.push(mv);
            (pos, aim) = (next, then);
        }
        Ok(line)
    }
}
