//! Threat-space search: wins in which nearly every move of the winner threatens to win at once. The few moves
//! per side make them visible far ahead. A search of its own at the root, with a share of the nodes.
//!
//! - `attack`: the recursion over attacker and defender
//! - `line`: the principal variation of a win
// CITE: threat sequences, Allis, van den Herik and Huntjens 1993, "Go-Moku and threat-space search";
// orders of threats, Thomsen 2000, "Lambda-search in game trees".

mod attack;
mod line;

use super::{SelectiveSearcher, hundredths};
use crate::game::{Game, Side, Tactics, Turn, zobrist};
use crate::search::alphabeta::engine::FoundWin;
use crate::search::{Score, Stopped};

// Constants measured only with the technique as a whole: `benches/ablation.py threats`, docs/selective.md, a
// table older than `AT_ONCE`, `MOST_AT_ONCE` and `SHORTER`; solved positions: `cargo bench --bench search --
// --xiangqi` and `-- --gomoku`, README.md (Figures).

/// Threat search gets one node in this many.
const SHARE: u64 = 10;
/// From this score on, in hundredths, a win is likely. Then threat search gets one more node in
/// `SHARE_LIKELY`, and at first twice the nodes of all else, at most `AT_FIRST` and one in `MOST_AT_FIRST` of
/// the node limit.
const LIKELY: i32 = 200;
const SHARE_LIKELY: u64 = 10;
const AT_FIRST: u64 = 4_000;
const MOST_AT_FIRST: u64 = 4;
/// Nodes for the first kind before all else, at most one in `MOST_AT_ONCE` of the node limit: this kind is
/// soon exhausted.
const AT_ONCE: u64 = 20_000;
const MOST_AT_ONCE: u64 = 16;
/// Where a win is known: node budget for a shorter one, as a multiple of all nodes so far.
const SHORTER: u64 = 10;
/// Maximum length of a threat sequence in plies.
const MOST_PLIES: u32 = 41;
/// Key salt of threat entries.
const AS_THREATS: u64 = zobrist::mix(0x5448_5245_4154);

/// A class of wins by threats.
struct ThreatKind {
    /// Maximum quiet moves of the winner: moves that do not threaten to win at once.
    quiet: usize,
    /// Maximum quiet moves in the win that a quiet move threatens.
    after_pass: usize,
    /// Divisor of the node budget: nodes left by one kind pass to the next.
    part: u64,
    /// Minimum node budget for an attempt.
    least: u64,
}

/// Kinds in the order of the search.
const KINDS: [ThreatKind; 4] = [
    ThreatKind { quiet: 0, after_pass: 0, part: 6, least: 20 },
    ThreatKind { quiet: 1, after_pass: 0, part: 2, least: 200 },
    ThreatKind { quiet: 3, after_pass: 0, part: 1, least: 800 },
    ThreatKind { quiet: 3, after_pass: 2, part: 1, least: 0 },
];
/// First kind searched only once a win is known, for a shorter one.
const THOROUGH: usize = 3;

/// Progress of one kind at the root.
#[derive(Clone, Copy, Debug, Default)]
struct ThreatProgress {
    /// No win within this many plies.
    none_within: u32,
    /// Nodes spent so far, and nodes of the last aborted attempt.
    spent: u64,
    in_vain: u64,
}

/// State of threat search at the root.
#[derive(Debug)]
pub(super) struct ThreatSearch<M> {
    levels: [ThreatProgress; KINDS.len()],
    /// Shortest win so far.
    won: Option<FoundWin<M>>,
    /// Last refutations by maximum plies of the goal; the last slot holds all longer ones, as for a win found
    /// otherwise.
    foils: [Option<M>; MOST_PLIES as usize + 1],
    /// Node count at which the attempt is aborted.
    until: u64,
    given_up: bool,
    /// Count of searches cut by the goal.
    horizons: u64,
}

impl<M: Copy> Default for ThreatSearch<M> {
    fn default() -> Self {
        let levels = [ThreatProgress::default(); KINDS.len()];
        Self {
            levels,
            won: None,
            foils: [None; MOST_PLIES as usize + 1],
            until: 0,
            given_up: false,
            horizons: 0,
        }
    }
}

impl<M> ThreatSearch<M> {
    /// Slot of the last refutation of a goal of this many plies.
    fn foil(&mut self, plies: u32) -> &mut Option<M> {
        &mut self.foils[plies.min(MOST_PLIES) as usize]
    }
}

/// Goal of a threat search: a win within `plies`, with at most `quiet` quiet moves.
#[derive(Clone, Copy)]
struct ThreatGoal {
    attacker: Side,
    plies: u32,
    quiet: usize,
    after_pass: usize,
}

impl ThreatGoal {
    /// The goal one ply later.
    fn later(self) -> Self {
        Self { plies: self.plies - 1, ..self }
    }

    fn key<G: Game>(self, pos: &G) -> u64 {
        pos.hash() ^ AS_THREATS.rotate_left((self.quiet + 8 * self.after_pass) as u32)
    }
}

impl<G: Game, E: Tactics<G>> SelectiveSearcher<'_, G, E> {
    /// Shortest win of the mover by threats found within the node budget, if not longer than a known win.
    pub(super) fn win_by_threats(
        &mut self,
        root: &G,
        attacker: Side,
        so_far: Score,
    ) -> Result<Option<FoundWin<G::Move>>, Stopped> {
        let before = self.clock.nodes();
        let share = self.share_of_threats(so_far);
        let mut known = so_far.is_win().then(|| so_far.plies());
        if let Some(won) = &self.nodes.threats.won {
            known = Some(known.map_or(won.plies, |plies| plies.min(won.plies)));
        }
        for (kind, ThreatKind { part, .. }) in KINDS.iter().enumerate() {
            let levels = &self.nodes.threats.levels[..=kind];
            let spent: u64 = levels.iter().map(|level| level.spent).sum();
            let found = match known {
                None if kind >= THOROUGH => None,
                None => {
                    let at_once = AT_ONCE.min(self.clock.max_nodes() / MOST_AT_ONCE);
                    let share = (share / part).max(if kind == 0 { at_once } else { 0 });
                    let left = share.saturating_sub(spent);
                    self.deepen_threats(root, attacker, kind, left, MOST_PLIES)?
                }
                // A win is known: only a shorter one matters. Out of budget, the long one stays.
                Some(plies) => {
                    let shorter = plies.saturating_sub(2).min(MOST_PLIES);
                    let found =
                        self.deepen_threats(root, attacker, kind, SHORTER * before, shorter);
                    let Ok(found) = found else {
                        self.evaluator.enter(root);
                        break;
                    };
                    found
                }
            };
            if let Some(seen) = found {
                known = Some(seen.plies);
                self.nodes.threats.won = Some(seen);
            }
        }
        let won = self.nodes.threats.won.as_ref();
        Ok(won.filter(|won| Some(won.plies) == known).cloned())
    }

    /// Nodes that threat search may have spent by now.
    fn share_of_threats(&self, so_far: Score) -> u64 {
        let before = self.clock.nodes();
        if so_far.raw() < hundredths::<G, E>(LIKELY) {
            return before / SHARE;
        }
        let at_first = (2 * before).min(AT_FIRST).min(self.clock.max_nodes() / MOST_AT_FIRST);
        before / SHARE + at_first + before / SHARE_LIKELY
    }

    /// Iterative deepening for wins of one kind.
    fn deepen_threats(
        &mut self,
        root: &G,
        attacker: Side,
        kind: usize,
        nodes: u64,
        most: u32,
    ) -> Result<Option<FoundWin<G::Move>>, Stopped> {
        let ThreatKind { quiet, after_pass, least, .. } = KINDS[kind];
        // A budget little above the last aborted attempt would be spent in vain.
        if nodes < least.max(3 * self.nodes.threats.levels[kind].in_vain / 2) {
            return Ok(None);
        }
        let begun = self.clock.nodes();
        self.nodes.threats.until = begun + nodes;
        self.nodes.threats.given_up = false;
        let mut won = None;
        while won.is_none() {
            // Fewer plies leave no room for more quiet moves than the kinds before.
            let shortest = 2 * quiet.min(2) as u32 + 1;
            let plies = (self.nodes.threats.levels[kind].none_within + 1).max(shortest);
            if plies > most {
                break;
            }
            let aim = ThreatGoal { attacker, plies, quiet, after_pass };
            let before = self.clock.nodes();
            let horizons = self.nodes.threats.horizons;
            won = self.attack(root, aim)?.map(|plies| ThreatGoal { plies, ..aim });
            let exhausted = self.nodes.threats.horizons == horizons;
            let level = &mut self.nodes.threats.levels[kind];
            if self.nodes.threats.given_up {
                level.in_vain = self.clock.nodes() - before;
                break;
            }
            level.in_vain = 0;
            if won.is_none() {
                level.none_within = if exhausted { MOST_PLIES } else { plies + 1 };
            }
        }
        self.nodes.threats.levels[kind].spent += self.clock.nodes() - begun;
        let seen = |aim: ThreatGoal| {
            Ok(FoundWin { plies: aim.plies, line: self.line_of_threats(root, aim)? })
        };
        won.map(seen).transpose()
    }

    /// Line of a win within `plies`, with either side to move.
    pub(super) fn threats_to_end(
        &mut self,
        pos: &G,
        attacker: Side,
        plies: u32,
    ) -> Result<Option<Vec<G::Move>>, Stopped> {
        self.nodes.threats.until = u64::MAX;
        self.nodes.threats.given_up = false;
        for &ThreatKind { quiet, after_pass, .. } in &KINDS[..THOROUGH] {
            let aim = ThreatGoal { attacker, plies, quiet, after_pass };
            let attacks = pos.turn() == Turn::Of(attacker);
            let won = if attacks { self.attack(pos, aim)? } else { self.defend(pos, aim)? };
            if let Some(plies) = won {
                return self.line_of_threats(pos, ThreatGoal { plies, ..aim }).map(Some);
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line may be requested for a win found otherwise, longer than any goal of threat search.
    #[test]
    fn answers_to_wins_of_any_length_have_a_place() {
        let mut threats = ThreatSearch::<u16>::default();
        for plies in [0, MOST_PLIES - 1, MOST_PLIES, MOST_PLIES + 1, 10 * MOST_PLIES] {
            *threats.foil(plies) = Some(7);
            assert_eq!(*threats.foil(plies), Some(7));
        }
    }
}
