//! Exact win, loss or draw by memoised search of all continuations, with the distance to the end: a winner
//! takes the shortest line, a loser the longest.
// CITE: Zermelo 1913; the founding document's "SG search".

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::deepen::RootMove;
use super::report::{Line, Report, Stats};
use super::{Algorithm, Clock, Job, Score, ScoreScale, StopReason, Stopped, Value};
use crate::game::{Acyclic, Side, Turn};
use crate::options::options;

options! {
    /// The exact solver for games without chance in which no position comes up twice. Of a game that can
    /// last longer than it can follow it finds nothing out.
    #[derive(Eq)]
    pub struct Sg {
        /// States stored before the search gives up.
        max_states: u32 = 1_000_000, [1, 20_000_000];
    }
}

/// Stack of a thread for the recursion, in bytes: three quarters of a thread's default stack.
const STACK: usize = 3 << 19;

/// Maximum plies from the root on that stack. A ply takes some copies of the position and the local variables
/// of two functions.
const fn deepest<G>() -> usize {
    STACK / (4 * size_of::<G>() + 512)
}

/// Bits of a key that choose its map, once there are many states.
const SHARD_BITS: u32 = 8;
/// States in the only map before there are many maps: to move so many takes less than 0.1 ms.
const FEW: usize = 1_000;

/// States with their values, in many maps: one that grows moves all its entries, and for that time nobody looks at the
/// clock. Few states are in one map, which small searches are sooner done with.
struct KnownStates {
    shards: Vec<HashMap<u64, (Score, u16), FixedState>>,
    count: usize,
}

impl KnownStates {
    fn new() -> Self {
        Self { shards: vec![HashMap::default()], count: 0 }
    }

    /// The map of a key; hashes of positions are random in all bits.
    fn shard(&self, key: u64) -> usize {
        if self.shards.len() == 1 { 0 } else { (key >> (u64::BITS - SHARD_BITS)) as usize }
    }

    fn get(&self, key: u64) -> Option<(Score, u16)> {
        self.shards[self.shard(key)].get(&key).copied()
    }

    fn insert(&mut self, key: u64, value: (Score, u16)) {
        if self.count == FEW && self.shards.len() == 1 {
            self.distribute();
        }
        let shard = self.shard(key);
        self.count += usize::from(self.shards[shard].insert(key, value).is_none());
    }

    fn distribute(&mut self) {
        let few = std::mem::take(&mut self.shards[0]);
        self.shards.resize_with(1 << SHARD_BITS, HashMap::default);
        for (key, value) in few {
            let shard = self.shard(key);
            self.shards[shard].insert(key, value);
        }
    }
}

struct Solver<G: Acyclic> {
    clock: Clock,
    max_states: usize,
    /// Plies from the root.
    ply: usize,
    /// Value for the side to move, with distances counted from the position, and the best move.
    known: KnownStates,
    moves: Vec<G::Move>,
    table_hits: u64,
}

impl<G: Acyclic> Solver<G> {
    /// Value for `viewer`, distances counted from `pos`.
    fn value(&mut self, pos: &G, viewer: Side) -> Result<Score, Stopped> {
        match pos.turn() {
            Turn::Over(outcome) => Ok(Score::of(outcome, viewer, 0)),
            Turn::Of(mover) if mover == viewer => self.best(pos, mover),
            Turn::Of(mover) => Ok(-self.best(pos, mover)?),
        }
    }

    fn best(&mut self, pos: &G, mover: Side) -> Result<Score, Stopped> {
        let key = pos.hash();
        if let Some((score, _)) = self.known.get(key) {
            self.table_hits += 1;
            return Ok(score);
        }
        self.clock.tick()?;
        if self.known.count >= self.max_states {
            return Err(Stopped(StopReason::Nodes));
        }
        if self.ply >= deepest::<G>() {
            return Err(Stopped(StopReason::Depth));
        }
        self.ply += 1;
        let start = self.moves.len();
        pos.moves(&mut self.moves);
        let mut best = (Score::MIN, 0);
        for n in start..self.moves.len() {
            let mv = self.moves[n];
            // One ply further from the end than the position after the move.
            let score = self.value(&pos.after(mv), mover)?.relative_to_root(1);
            if score > best.0 {
                best = (score, G::move_code(mv));
            }
        }
        if self.moves.len() == start {
            best.0 = Score::of(pos.stuck(mover), mover, 0);
        }
        self.ply -= 1;
        self.moves.truncate(start);
        self.known.insert(key, best);
        Ok(best.0)
    }

    /// Line of best play after a root move.
    fn line(&self, root: &G, mv: G::Move) -> Vec<G::Move> {
        let mut line = vec![mv];
        let mut pos = root.after(mv);
        let mut moves = Vec::new();
        while let (Turn::Of(_), Some((_, best))) = (pos.turn(), self.known.get(pos.hash())) {
            moves.clear();
            pos.moves(&mut moves);
            let Some(&mv) = moves.iter().find(|&&mv| G::move_code(mv) == best) else { break };
            line.push(mv);
            pos.play(mv);
        }
        line
    }
}

impl<G: Acyclic> Algorithm<G> for Sg {
    fn run(&self, job: &Job<'_, G>) -> Report<G::Move> {
        let mut solver: Solver<G> = Solver {
            clock: Clock::start(&job.budget, &job.cancel, 1),
            max_states: self.max_states as usize,
            ply: 0,
            known: KnownStates::new(),
            moves: Vec::new(),
            table_hits: 0,
        };
        let mut stopped = StopReason::Solved;
        let mut roots: Vec<_> = job.moves.iter().map(|&mv| RootMove::unknown(mv)).collect();
        for root in &mut roots {
            solver.moves.clear();
            match solver.value(&job.root.after(root.mv()), job.mover) {
                Ok(score) => {
                    root.score = score.relative_to_root(1);
                    root.rated = true;
                    root.line = solver.line(job.root, root.mv());
                }
                Err(Stopped(reason)) => {
                    stopped = reason;
                    break;
                }
            }
        }
        roots.sort_by_key(|root| (!root.rated, -root.score));
        let best_ties = match roots.iter().filter(|root| root.rated).map(|root| root.score).max() {
            Some(best) => roots.iter().take_while(|root| root.rated && root.score == best).count(),
            None => 1,
        };
        let stats = Stats {
            depth: roots.iter().map(|root| root.line.len() as u32).max().unwrap_or(0),
            nodes: solver.clock.nodes(),
            table_hits: solver.table_hits,
            time: solver.clock.elapsed(),
            ..Stats::default()
        };
        let settled = roots.iter().all(|root| root.rated);
        // Scores of finished games alone.
        let scale = ScoreScale { payoffs: G::PAYOFFS, reach: Score::LIMIT, distances: true };
        let lines = roots.into_iter().map(|root| Line {
            value: if root.rated {
                Value::from_score(root.score, true, scale)
            } else {
                Value::Unknown
            },
            exact: root.rated,
            rated: root.rated,
            moves: root.line,
            bounded: false,
            worlds: Vec::new(),
        });
        Report { lines: lines.collect(), settled, best_ties, stats, stopped, top: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::zobrist::mix;

    #[test]
    fn states_are_known_in_one_map_and_in_many() {
        let mut known = KnownStates::new();
        let state = |n| (mix(n), (Score::MIN, n as u16));
        let states: Vec<_> = (0..3 * FEW as u64).map(state).collect();
        for (n, &(key, value)) in states.iter().enumerate() {
            known.insert(key, value);
            // What is known already counts once.
            known.insert(key, value);
            assert_eq!(known.count, n + 1);
            assert_eq!(known.shards.len() > 1, n + 1 >= FEW);
        }
        assert!(states.iter().all(|&(key, value)| known.get(key) == Some(value)));
        assert_eq!(known.shards.iter().map(HashMap::len).sum::<usize>(), states.len());
    }
}
