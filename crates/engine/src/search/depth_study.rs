//! Required search depth: errors of searches of every depth over a whole state space.
//!
//! A search of some depth keeps every best move of a position. It blunders in a position that is not
//! lost if one of them gives the opponent a won position.

use super::Score;
use super::rank_index::RankIndex;
use super::tablebase::{TableValue, Tablebase};
use crate::game::{Evaluator, Indexed, Side, Turn};

/// The reachable positions with their moves.
pub struct StateSpace<G: Indexed> {
    start: G,
    /// Positions with a side to move, by index.
    open: RankIndex,
    /// Finished positions: won, lost and drawn for the opponent of the last mover.
    over: [usize; 3],
    /// Start of the moves of each position in `edges`.
    starts: Vec<u32>,
    edges: Vec<Successor>,
    truth: Vec<TableValue>,
}

/// Result of a move.
#[derive(Clone, Copy)]
enum Successor {
    /// End of the game, in the mover's perspective.
    End(Score),
    /// A position of the opponent, or with `again` of the mover.
    To { place: u32, again: bool },
}

/// Errors of the searches of one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthRow {
    /// Search depth in plies.
    pub depth: u32,
    /// Positions in which one of the best moves is a blunder.
    pub blunders: u64,
    /// Positions in which the first of the best moves is a blunder.
    pub first_blunders: u64,
    /// Positions valued as another result than their win, loss or draw.
    pub mislabelled: u64,
    /// True if the search keeps the draw or win of the start position, as the first and as the second player,
    /// with any of its best moves against every defence.
    pub safe: [bool; 2],
}

/// Number of positions by game-theoretic value for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Census {
    /// All positions.
    pub states: usize,
    /// Won positions.
    pub wins: usize,
    /// Lost positions.
    pub losses: usize,
    /// Drawn positions.
    pub draws: usize,
}

impl<G: Indexed> StateSpace<G> {
    /// The state space reachable from `start`.
    pub fn new(start: G, table: &Tablebase<G>) -> Self {
        let (open, over) = reachable(&start);
        let mut space = Self {
            start,
            over,
            starts: vec![0],
            edges: Vec::new(),
            truth: Vec::with_capacity(open.len()),
            open,
        };
        let mut moves = Vec::new();
        for index in space.open.members() {
            let pos = G::at(index).expect("members are positions");
            let Turn::Of(mover) = pos.turn() else { unreachable!("members are not over") };
            moves.clear();
            pos.moves(&mut moves);
            space.edges.extend(moves.iter().map(|&mv| {
                let next = pos.after(mv);
                match next.turn() {
                    Turn::Over(outcome) => Successor::End(Score::of(outcome, mover, 1)),
                    Turn::Of(side) => {
                        let place = space.open.place(next.index()) as u32;
                        Successor::To { place, again: side == mover }
                    }
                }
            }));
            space.starts.push(space.edges.len() as u32);
            space.truth.push(table.verdict(&pos));
        }
        space
    }

    /// The counts by value.
    pub fn census(&self) -> Census {
        let mut counts = self.over;
        for verdict in &self.truth {
            counts[kind(verdict.score())] += 1;
        }
        let [wins, losses, draws] = counts;
        Census { states: wins + losses + draws, wins, losses, draws }
    }

    #[inline]
    fn edges_of(&self, place: usize) -> &[Successor] {
        &self.edges[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// Value of a move, given the values of the positions after it.
    #[inline]
    fn worth(edge: Successor, values: &[Score]) -> Score {
        match edge {
            Successor::End(score) => score,
            Successor::To { place, again } => {
                let score = values[place as usize].relative_to_root(1);
                if again { score } else { -score }
            }
        }
    }

    /// True if a move gives the opponent a won position.
    #[inline]
    fn loses(&self, edge: Successor) -> bool {
        match edge {
            Successor::End(score) => score < Score::DRAW,
            Successor::To { place, again: false } => {
                matches!(self.truth[place as usize], TableValue::Win(_))
            }
            Successor::To { place, again: true } => {
                matches!(self.truth[place as usize], TableValue::Loss(_))
            }
        }
    }

    /// Values at depth 0: static evaluations.
    fn leaves<E: Evaluator<G>>(&self, evaluator: &mut E) -> Vec<Score> {
        let value = |(place, index): (usize, usize)| {
            let pos = G::at(index).expect("members are positions");
            let Turn::Of(mover) = pos.turn() else { unreachable!("members are not over") };
            if self.edges_of(place).is_empty() {
                return Score::of(pos.stuck(mover), mover, 0);
            }
            evaluator.enter(&pos);
            Score::heuristic(evaluator.evaluate(&pos, mover))
        };
        self.open.members().enumerate().map(value).collect()
    }

    /// Rows for depths 1 to `deepest`, with leaves evaluated by `evaluator`.
    pub fn rows<E: Evaluator<G>>(&self, evaluator: &E, deepest: u32) -> Vec<DepthRow> {
        let mut values = self.leaves(&mut evaluator.clone());
        let row = |depth| {
            let (next, mut row) = self.deeper(&values, depth);
            row.safe = Side::BOTH.map(|seat| self.is_safe(seat, &values));
            values = next;
            row
        };
        (1..=deepest).map(row).collect()
    }

    /// Values of searches one ply deeper than those given, and their errors.
    fn deeper(&self, values: &[Score], depth: u32) -> (Vec<Score>, DepthRow) {
        let mut row =
            DepthRow { depth, blunders: 0, first_blunders: 0, mislabelled: 0, safe: [false; 2] };
        let value = |place: usize| {
            let edges = self.edges_of(place);
            if edges.is_empty() {
                return values[place];
            }
            let mut best = Score::MIN;
            let (mut blunder, mut first_blunder) = (false, false);
            for &edge in edges {
                let score = Self::worth(edge, values);
                if score > best {
                    best = score;
                    first_blunder = self.loses(edge);
                    blunder = first_blunder;
                } else if score == best {
                    blunder |= self.loses(edge);
                }
            }
            let truth = self.truth[place];
            if !matches!(truth, TableValue::Loss(_)) {
                row.blunders += u64::from(blunder);
                row.first_blunders += u64::from(first_blunder);
            }
            let right = match truth {
                TableValue::Win(_) => best.is_win(),
                TableValue::Loss(_) => best.is_proved() && best < Score::DRAW,
                TableValue::Draw => !best.is_proved(),
            };
            row.mislabelled += u64::from(!right);
            best
        };
        let next = (0..self.truth.len()).map(value).collect();
        (next, row)
    }

    /// True if a player who chooses by these values of the successors never leaves the start position's value
    /// in this seat, against every defence.
    fn is_safe(&self, seat: Side, values: &[Score]) -> bool {
        let Turn::Of(first) = self.start.turn() else { return true };
        let start = (self.open.place(self.start.index()), first == seat);
        let mut seen = vec![[false; 2]; self.truth.len()];
        let mut stack = vec![start];
        while let Some((place, chooses)) = stack.pop() {
            if std::mem::replace(&mut seen[place][usize::from(chooses)], true) {
                continue;
            }
            let edges = self.edges_of(place);
            let best = edges.iter().map(|&edge| Self::worth(edge, values)).max();
            for &edge in edges {
                if chooses && Some(Self::worth(edge, values)) != best {
                    continue;
                }
                if chooses && self.loses(edge) {
                    return false;
                }
                if let Successor::To { place, again } = edge {
                    stack.push((place as usize, chooses == again));
                }
            }
        }
        true
    }
}

/// Class of a score: 0 won, 1 lost, 2 drawn.
fn kind(score: Score) -> usize {
    match score {
        Score::DRAW => 2,
        score => usize::from(score < Score::DRAW),
    }
}

/// Reachable positions with a side to move, and the number of finished ones by class.
fn reachable<G: Indexed>(start: &G) -> (RankIndex, [usize; 3]) {
    let mut seen = vec![false; G::STATES];
    let mut over = [0; 3];
    let mut stack = vec![start.clone()];
    let mut moves = Vec::new();
    seen[start.index()] = true;
    let mut open = vec![start.index()];
    while let Some(pos) = stack.pop() {
        let Turn::Of(mover) = pos.turn() else { unreachable!("only open positions are kept") };
        moves.clear();
        pos.moves(&mut moves);
        for &mv in &moves {
            let next = pos.after(mv);
            let index = next.index();
            if std::mem::replace(&mut seen[index], true) {
                continue;
            }
            match next.turn() {
                Turn::Over(outcome) => over[kind(Score::of(outcome, mover.other(), 0))] += 1,
                Turn::Of(_) => {
                    open.push(index);
                    stack.push(next);
                }
            }
        }
    }
    (RankIndex::new(G::STATES, open.into_iter()), over)
}
