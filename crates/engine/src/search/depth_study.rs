//! How deep a search must look: what searches of every depth do wrong over a whole state space.
//!
//! A search of some depth keeps every best move of a position. It blunders in a position that is not
//! lost if one of them gives the opponent a won position.

use super::Score;
use super::rank_index::RankIndex;
use super::tablebase::{TableValue, Tablebase};
use crate::game::{Evaluator, Indexed, Side, Turn};

/// Every position that can come up, with its moves.
pub struct StateSpace<G: Indexed> {
    start: G,
    /// Positions in which somebody is to move, by index.
    open: RankIndex,
    /// Positions in which the game is over: won, lost and drawn for the opponent of who moved last.
    over: [usize; 3],
    /// Where the moves of each position begin.
    starts: Vec<u32>,
    edges: Vec<Successor>,
    truth: Vec<TableValue>,
}

/// A move: what it leads to.
#[derive(Clone, Copy)]
enum Successor {
    /// The end of the game, as the mover sees it.
    End(Score),
    /// A position of the opponent, or with `again` of the mover.
    To { place: u32, again: bool },
}

/// What the searches of one depth do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthRow {
    /// Plies they look ahead.
    pub depth: u32,
    /// Positions in which one of the best moves is a blunder.
    pub blunders: u64,
    /// Positions in which the first of the best moves is one.
    pub first_blunders: u64,
    /// Positions taken for something else than the win, loss or draw they are.
    pub mislabelled: u64,
    /// Whether it keeps the draw or win of the start position as the first and as the second player,
    /// whichever of its best moves it plays and whatever the opponent does.
    pub safe: [bool; 2],
}

/// How many positions there are, and what they are worth for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Census {
    /// All.
    pub states: usize,
    /// Won ones.
    pub wins: usize,
    /// Lost ones.
    pub losses: usize,
    /// The others.
    pub draws: usize,
}

impl<G: Indexed> StateSpace<G> {
    /// Everything that can come up from `start`.
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

    /// The counts.
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

    /// What a move is worth when the positions after it have these values.
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

    /// Whether a move gives the opponent a won position.
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

    /// The values of a search without depth: those of the evaluator.
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

    /// What searches of depth 1 to `deepest` do, judged at their leaves by `evaluator`.
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

    /// The values of searches one ply deeper than those given, and what these do wrong.
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

    /// Whether who chooses by these values of the positions after his moves never leaves the start
    /// position's value, playing this seat against everything.
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

/// Which of the three it is: won, lost, drawn.
fn kind(score: Score) -> usize {
    match score {
        Score::DRAW => 2,
        score => usize::from(score < Score::DRAW),
    }
}

/// The positions that come up in which somebody is to move, and how many others of each kind.
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
