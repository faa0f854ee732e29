//! Exhaustive search near the end of the game.
// CITE: the founding document on Monte-Carlo search, "special case at the end of the game".

use super::{Clock, Stopped};
use crate::game::{Evaluator, Game, Info, Lookahead, MoveList, Outcome, Side, Turn};

/// A result with best play, and its distance in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decided {
    pub(super) outcome: Outcome,
    pub(super) plies: u32,
}

impl Decided {
    fn won_by(side: Side, plies: u32) -> Self {
        Self { outcome: Outcome::Win(side), plies }
    }

    /// Rank for a side, larger is better: a short win, a draw, a long loss.
    fn rank(self, side: Side) -> i64 {
        let worth = i64::from(u32::MAX) - i64::from(self.plies);
        match self.outcome {
            Outcome::Win(winner) if winner == side => worth,
            Outcome::Win(_) => -worth,
            _ => 0,
        }
    }
}

/// Result of the game with best play, if it is decided within `depth` plies. Payoffs, chance and hidden
/// information are not searched.
pub(super) fn search<G: Game, E: Evaluator<G>>(
    pos: &G,
    evaluator: &E,
    depth: u32,
    clock: &mut Clock,
) -> Result<Option<Decided>, Stopped> {
    let mover = match pos.turn() {
        Turn::Over(Outcome::Payoff(_)) | Turn::Chance(_) => return Ok(None),
        Turn::Over(outcome) => return Ok(Some(Decided { outcome, plies: 0 })),
        Turn::Of(mover) => mover,
    };
    if depth == 0 || G::Info::HIDDEN || G::PAYOFFS {
        return Ok(None);
    }
    clock.tick()?;
    let mut moves = Vec::new();
    match evaluator.lookahead(pos, mover, depth, MoveList::Expert, &mut moves) {
        Lookahead::Win(plies) => return Ok(Some(Decided::won_by(mover, plies))),
        Lookahead::Loss(plies) => return Ok(Some(Decided::won_by(mover.other(), plies))),
        Lookahead::Open { complete: false, .. } => return Ok(None),
        Lookahead::Open { win_from, loss_from, .. } if depth < win_from.min(loss_from) => {
            return Ok(None);
        }
        Lookahead::Open { .. } => {}
    }
    if moves.is_empty() {
        return Ok(Some(Decided { outcome: pos.stuck(mover), plies: 0 }));
    }
    let mut best: Option<Decided> = None;
    let mut open = false;
    for mv in moves {
        let found = search(&pos.after(mv), evaluator, depth - 1, clock)?;
        let Some(found) = found.map(|found| Decided { plies: found.plies + 1, ..found }) else {
            open = true;
            continue;
        };
        if found.rank(mover) > 0 {
            return Ok(Some(found));
        }
        if best.is_none_or(|best| found.rank(mover) > best.rank(mover)) {
            best = Some(found);
        }
    }
    Ok(best.filter(|_| !open))
}
