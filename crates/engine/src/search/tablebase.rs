//! Retrograde analysis of a whole state space: win, draw or loss of every state with the distance to the end
//! in plies, cycles included.
// CITE: Stroehlein 1970; Thompson 1986, "Retrograde analysis of certain endgames".

use std::sync::Arc;

use super::deepen::RootMove;
use super::rank_index::RankIndex;
use super::report::{Line, Report, Stats};
use super::{Algorithm, Clock, Job, Score, ScoreScale, StopReason, Value};
use crate::game::{Indexed, Outcome, Side, Turn};

/// Value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableValue {
    /// Neither side can force the end, or the end is a draw.
    Draw,
    /// The side to move wins in this many plies.
    Win(u8),
    /// The side to move loses in this many plies.
    Loss(u8),
}

impl TableValue {
    fn of(outcome: Outcome, mover: Side) -> Self {
        match Score::of(outcome, mover, 0) {
            Score::DRAW => Self::Draw,
            score if score < Score::DRAW => Self::Loss(0),
            _ => Self::Win(0),
        }
    }

    /// The score, with distances counted from the position.
    pub fn score(self) -> Score {
        match self {
            Self::Draw => Score::DRAW,
            Self::Win(plies) => Score::win(u32::from(plies)),
            Self::Loss(plies) => Score::loss(u32::from(plies)),
        }
    }
}

/// Value of every position of the game `G` with a side to move, one per symmetry class.
#[derive(Clone, Debug)]
pub struct Tablebase<G: Indexed> {
    classes: RankIndex,
    verdicts: Vec<TableValue>,
    game: std::marker::PhantomData<fn() -> G>,
}

/// State of the retrograde analysis, from the ends backwards one ply at a time.
struct Analysis {
    /// Start of the moves to each place in `origins`.
    starts: Vec<u32>,
    /// Origin of each move; the lowest bit is set if the same side moves again after it.
    origins: Vec<u32>,
    verdicts: Vec<Option<TableValue>>,
    /// Number of moves of each place not known to lose.
    hopes: Vec<u8>,
}

impl Analysis {
    fn new<G: Indexed>(classes: &RankIndex) -> Self {
        let count = classes.len();
        let mut analysis = Self {
            starts: vec![0; count + 1],
            origins: Vec::new(),
            verdicts: vec![None; count],
            hopes: vec![0; count],
        };
        // Two passes over the moves, to count and to store them: growing lists would take several times the
        // memory.
        each_place::<G>(classes, |place, pos, mover, moves| {
            analysis.open(place, pos, mover, moves, classes);
        });
        for place in 0..count {
            analysis.starts[place + 1] += analysis.starts[place];
        }
        analysis.origins = vec![0; analysis.starts[count] as usize];
        let mut next = analysis.starts.clone();
        each_place::<G>(classes, |place, pos, mover, moves| {
            for (to, again) in targets(pos, mover, moves, classes) {
                let origin = (place as u32) << 1 | u32::from(again);
                analysis.origins[next[to] as usize] = origin;
                next[to] += 1;
            }
        });
        analysis
    }

    /// Counts the moves of a position at their targets, and decides the position if one move or none
    /// suffices.
    fn open<G: Indexed>(
        &mut self,
        place: usize,
        pos: &G,
        mover: Side,
        moves: &[G::Move],
        classes: &RankIndex,
    ) {
        if moves.is_empty() {
            self.verdicts[place] = Some(TableValue::of(pos.stuck(mover), mover));
            return;
        }
        let mut hopes = 0;
        for (to, _) in targets(pos, mover, moves, classes) {
            self.starts[to + 1] += 1;
            hopes += 1;
        }
        let mut wins = false;
        for &mv in moves {
            if let Turn::Over(outcome) = pos.after(mv).turn() {
                match TableValue::of(outcome, mover) {
                    TableValue::Win(_) => wins = true,
                    TableValue::Loss(_) => {}
                    TableValue::Draw => hopes += 1,
                }
            }
        }
        self.hopes[place] = hopes;
        if wins {
            self.verdicts[place] = Some(TableValue::Win(1));
        } else if hopes == 0 {
            self.verdicts[place] = Some(TableValue::Loss(1));
        }
    }

    /// Decides the positions one ply further from the end, level by level.
    fn run(mut self) -> Vec<TableValue> {
        let decided_in = |plies: u8, verdicts: &[Option<TableValue>]| -> Vec<usize> {
            let ends = [Some(TableValue::Win(plies)), Some(TableValue::Loss(plies))];
            (0..verdicts.len()).filter(|&place| ends.contains(&verdicts[place])).collect()
        };
        let mut level = decided_in(0, &self.verdicts);
        let mut next = decided_in(1, &self.verdicts);
        let mut plies = 0_u8;
        while !level.is_empty() || plies == 0 {
            plies = plies.checked_add(1).expect("games with tables last at most 255 plies");
            for place in level {
                self.go_back(place, plies, &mut next);
            }
            level = std::mem::take(&mut next);
        }
        // Positions that no end reaches are draws.
        self.verdicts.into_iter().map(|verdict| verdict.unwrap_or(TableValue::Draw)).collect()
    }

    /// Updates the predecessors of a decided position; those decided by it end in `plies`.
    fn go_back(&mut self, place: usize, plies: u8, decided: &mut Vec<usize>) {
        let won = matches!(self.verdicts[place], Some(TableValue::Win(_)));
        for n in self.starts[place]..self.starts[place + 1] {
            let origin = self.origins[n as usize];
            let (before, moves_on) = ((origin >> 1) as usize, origin & 1 == 1);
            if self.verdicts[before].is_some() {
                continue;
            }
            if won == moves_on {
                self.verdicts[before] = Some(TableValue::Win(plies));
                decided.push(before);
                continue;
            }
            self.hopes[before] -= 1;
            if self.hopes[before] == 0 {
                self.verdicts[before] = Some(TableValue::Loss(plies));
                decided.push(before);
            }
        }
    }
}

/// Calls `look` with each place, its position, side to move and moves.
fn each_place<G: Indexed>(classes: &RankIndex, mut look: impl FnMut(usize, &G, Side, &[G::Move])) {
    let mut moves = Vec::new();
    for (place, index) in classes.members().enumerate() {
        let pos = G::at(index).expect("members are positions");
        let Turn::Of(mover) = pos.turn() else { unreachable!("members are not over") };
        moves.clear();
        pos.moves(&mut moves);
        look(place, &pos, mover, &moves);
    }
}

/// Target places of moves that do not end the game; true if the same side moves there.
fn targets<G: Indexed>(
    pos: &G,
    mover: Side,
    moves: &[G::Move],
    classes: &RankIndex,
) -> impl Iterator<Item = (usize, bool)> {
    moves.iter().filter_map(move |&mv| {
        let next = pos.after(mv);
        match next.turn() {
            Turn::Over(_) => None,
            Turn::Of(side) => Some((classes.place(next.class()), side == mover)),
        }
    })
}

impl<G: Indexed> Tablebase<G> {
    /// Computes the table.
    pub fn build() -> Self {
        let open = |index: &usize| {
            G::at(*index)
                .is_some_and(|pos| matches!(pos.turn(), Turn::Of(_)) && pos.class() == *index)
        };
        let classes = RankIndex::new(G::STATES, (0..G::STATES).filter(open));
        let verdicts = Analysis::new::<G>(&classes).run();
        Self { classes, verdicts, game: std::marker::PhantomData }
    }

    /// Value of a position with a side to move.
    #[inline]
    pub fn verdict(&self, pos: &G) -> TableValue {
        self.verdicts[self.classes.place(pos.class())]
    }

    /// Memory of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.classes.bytes() + size_of_val(&self.verdicts[..])
    }

    /// Value for `mover` of playing `mv`.
    fn value_after(&self, pos: &G, mv: G::Move, mover: Side) -> Score {
        let next = pos.after(mv);
        match next.turn() {
            Turn::Over(outcome) => Score::of(outcome, mover, 1),
            Turn::Of(side) => {
                let score = self.verdict(&next).score().relative_to_root(1);
                if side == mover { score } else { -score }
            }
        }
    }

    /// Best move of a position, the first among ties.
    fn best(&self, pos: &G, mover: Side) -> Option<G::Move> {
        let moves = pos.legal_moves();
        // Among ties `max_by_key` takes the last.
        moves.into_iter().rev().max_by_key(|&mv| self.value_after(pos, mv, mover))
    }

    /// Line of best play after a move; a drawn line is cut short.
    fn line(&self, root: &G, mv: G::Move) -> Vec<G::Move> {
        /// Maximum moves of a drawn line. Not tuned.
        const DRAWN_LINE: usize = 16;
        let mut line = vec![mv];
        let mut pos = root.after(mv);
        while let Turn::Of(mover) = pos.turn() {
            if line.len() >= DRAWN_LINE && self.verdict(&pos) == TableValue::Draw {
                break;
            }
            let Some(mv) = self.best(&pos, mover) else { break };
            line.push(mv);
            pos.play(mv);
        }
        line
    }
}

/// Search by look-up in a table shared by all searches.
#[derive(Clone, Debug)]
pub struct Lookup<G: Indexed>(pub Arc<Tablebase<G>>);

impl<G: Indexed> Algorithm<G> for Lookup<G> {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let mut clock = Clock::start(&job.budget, &job.cancel, 1);
        let mut roots: Vec<_> = job
            .moves
            .iter()
            .map(|&mv| RootMove {
                line: self.0.line(job.root, mv),
                score: self.0.value_after(job.root, mv, job.mover),
                resolved: true,
                rated: true,
                ..RootMove::unknown(mv)
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
        let scale = ScoreScale { payoffs: false, reach: 0, distances: true };
        let lines = roots.into_iter().map(|root| Line {
            value: Value::from_score(root.score, true, scale),
            exact: true,
            rated: true,
            moves: root.line,
            bounded: false,
            worlds: Vec::new(),
        });
        let (lines, stopped) = (lines.collect(), StopReason::Solved);
        Report { lines, settled: true, best_ties, stats, stopped, top: Vec::new() }
    }
}
