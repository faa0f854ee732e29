//! Retrograde analysis of a whole state space: win, draw or loss of every state with the plies to
//! the end, cycles included.
// CITE: Stroehlein 1970; Thompson 1986, "Retrograde analysis of certain endgames".

use std::sync::Arc;

use super::deepen::RootMove;
use super::report::{Line, Report, Stats};
use super::{Algorithm, Clock, Job, Score, StopReason, Value};
use crate::game::{Indexed, Outcome, Side, Turn};

/// What is known of a state, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No position has this number, or it is finished and decided by the rules alone.
    None,
    /// Neither side can force the end.
    Draw,
    /// The side to move wins in this many plies.
    Win(u8),
    /// The side to move loses in this many plies.
    Loss(u8),
}

/// The verdict of every state of the game `G`.
#[derive(Clone, Debug)]
pub struct Tablebase<G: Indexed> {
    verdicts: Vec<Verdict>,
    game: std::marker::PhantomData<fn() -> G>,
}

/// A move's value for the mover, as far as the states after it are decided.
fn judge(outcome: Option<Outcome>, verdict: Verdict, mover: Side, next: Side) -> Option<Score> {
    match (outcome, verdict) {
        (Some(outcome), _) => Some(Score::of(outcome, mover, 1)),
        (None, Verdict::None) => None,
        (None, Verdict::Draw) => Some(Score::DRAW),
        (None, Verdict::Win(plies)) => {
            let score = Score::win(u32::from(plies) + 1);
            Some(if next == mover { score } else { -score })
        }
        (None, Verdict::Loss(plies)) => {
            let score = Score::loss(u32::from(plies) + 1);
            Some(if next == mover { score } else { -score })
        }
    }
}

impl<G: Indexed> Tablebase<G> {
    /// Computes the table. Each sweep decides the states that end one ply later than those of the
    /// sweep before, the first those whose mover has no move; what no sweep decides is a draw.
    pub fn build() -> Self {
        let mut table =
            Self { verdicts: vec![Verdict::None; G::STATES], game: std::marker::PhantomData };
        let mut open: Vec<usize> = (0..G::STATES)
            .filter(|&index| G::at(index).is_some_and(|pos| matches!(pos.turn(), Turn::Of(_))))
            .collect();
        for plies in 0..=u8::MAX {
            let decided: Vec<(usize, Verdict)> = open
                .iter()
                .filter_map(|&index| Some((index, table.decide(index, plies)?)))
                .collect();
            // A loser's moves may all be decided only when the winner's longest way is known, so an
            // empty sweep is the end.
            if decided.is_empty() && plies > 0 {
                break;
            }
            for (index, verdict) in decided {
                table.verdicts[index] = verdict;
            }
            open.retain(|&index| table.verdicts[index] == Verdict::None);
        }
        for index in open {
            table.verdicts[index] = Verdict::Draw;
        }
        table
    }

    /// The verdict of an open state if it ends in exactly `plies`.
    fn decide(&self, index: usize, plies: u8) -> Option<Verdict> {
        let pos = G::at(index)?;
        let Turn::Of(mover) = pos.turn() else { return None };
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        if moves.is_empty() {
            return Some(match Score::of(pos.stuck(mover), mover, 0) {
                Score::DRAW => Verdict::Draw,
                score if score < Score::DRAW => Verdict::Loss(0),
                _ => Verdict::Win(0),
            });
        }
        let mut longest = 0;
        let mut all_lost = true;
        for mv in moves {
            match self.value_after(&pos, mv, mover) {
                Some(score) if score.is_proved() && score > Score::DRAW => {
                    if score.plies() == u32::from(plies) {
                        return Some(Verdict::Win(plies));
                    }
                    all_lost = false;
                }
                Some(score) if score.is_proved() => longest = longest.max(score.plies()),
                _ => all_lost = false,
            }
        }
        (all_lost && longest == u32::from(plies)).then_some(Verdict::Loss(plies))
    }

    /// The value for `mover` of playing `mv`, `None` while undecided.
    fn value_after(&self, pos: &G, mv: G::Move, mover: Side) -> Option<Score> {
        let next = pos.after(mv);
        match next.turn() {
            Turn::Over(outcome) => judge(Some(outcome), Verdict::None, mover, mover),
            Turn::Of(side) => judge(None, self.verdicts[next.index()], mover, side),
        }
    }

    /// The verdict of a position in which somebody is to move.
    pub fn verdict(&self, pos: &G) -> Verdict {
        self.verdicts[pos.index()]
    }

    /// All verdicts by index.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }

    /// The best move of a position, the first of those that are equally good.
    fn best(&self, pos: &G, mover: Side) -> Option<G::Move> {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let mut best = None;
        for mv in moves {
            let score = self.value_after(pos, mv, mover)?;
            if best.is_none_or(|(other, _)| score > other) {
                best = Some((score, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }

    /// Best play after a move, at most as long as a draw deserves.
    fn line(&self, root: &G, mv: G::Move) -> Vec<G::Move> {
        const DRAWN_LINE: usize = 16;
        let mut line = vec![mv];
        let mut pos = root.after(mv);
        while let Turn::Of(mover) = pos.turn() {
            if line.len() >= DRAWN_LINE && self.verdict(&pos) == Verdict::Draw {
                break;
            }
            let Some(mv) = self.best(&pos, mover) else { break };
            line.push(mv);
            pos.play(mv);
        }
        line
    }
}

/// Looks moves up in a table that is shared by all searches.
#[derive(Clone, Debug)]
pub struct Lookup<G: Indexed>(pub Arc<Tablebase<G>>);

impl<G: Indexed> Algorithm<G> for Lookup<G> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let mut clock = Clock::start(&job.limits, &job.cancel, 1);
        let mut roots: Vec<_> = job
            .moves
            .iter()
            .map(|&mv| RootMove {
                line: self.0.line(job.root, mv),
                score: self.0.value_after(job.root, mv, job.mover).unwrap_or(Score::DRAW),
                resolved: true,
                rated: true,
            })
            .collect();
        for _ in &roots {
            // A look-up is never cut short; the clock only counts it.
            let _ = clock.tick();
        }
        roots.sort_by_key(|root| -root.score);
        let best_ties = roots.iter().take_while(|root| root.score == roots[0].score).count();
        let stats = Stats {
            depth: roots[0].line.len() as u32,
            nodes: clock.nodes(),
            time: clock.elapsed(),
            ..Stats::default()
        };
        let lines = roots.into_iter().map(|root| Line {
            value: Value::from_score(root.score, true, false),
            exact: true,
            rated: true,
            moves: root.line,
        });
        Report { lines: lines.collect(), best_ties, stats, stopped: StopReason::Solved }
    }
}
