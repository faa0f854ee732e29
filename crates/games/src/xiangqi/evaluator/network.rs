//! What the network of xiangqi sees: every piece on its point, by where the viewer's own general stands.

use std::sync::LazyLock;

use super::super::pieces::PieceKind;
use super::super::rules::{Xiangqi, XiangqiMove};
use super::super::squares::{FILES, SQUARES, squares};
use super::terms::seen_by;
use super::{EvaluatorStackEntry, stage_of};
use engine::game::Side;
use engine::network::{Accumulator, Network, NetworkInput};

/// Sums of the first layer per view.
pub const XIANGQI_HIDDEN: usize = 64;

/// The network in the program.
static NETWORK: LazyLock<Network<XIANGQI_HIDDEN>> = LazyLock::new(|| {
    let file = include_bytes!("../../../networks/xiangqi.network");
    Network::read::<Xiangqi, XiangqiInput>(file).expect("the file fits its input")
});

/// Kinds of pieces, own ones first.
const PIECES: usize = 14;
/// Places of the own general told apart: on the middle file or beside it, on the back rank or before it. Those on the
/// middle file come first.
const KING_BUCKETS: usize = 4;
/// King buckets on the middle file, where the mirror image has the same bucket.
const MIDDLE_BUCKETS: usize = 2;
/// Rows per king bucket.
const BUCKET_ROWS: usize = PIECES * SQUARES;
/// The middle file.
const MIDDLE: usize = FILES / 2;
/// Game stages per output bucket; see [`stage_of`].
const BUCKET_STAGES: usize = 4;

/// Rows of a position as both sides see it.
// CITE: pieces relative to the own king, Nasu 2018, "Efficiently updatable neural-network-based evaluation functions
// for computer shogi"; boards mirrored by the king's wing, Stockfish 2021.
#[derive(Debug)]
pub struct XiangqiInput;

/// What the own general's place decides for all rows of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Orientation {
    /// Below [`KING_BUCKETS`].
    king_bucket: usize,
    /// True if the general stands right of the middle: the board is seen in the mirror.
    mirrored: bool,
}

impl Orientation {
    #[inline]
    fn of(pos: &Xiangqi, view: Side) -> Self {
        let seen = seen_by(view, pos.general(view));
        let (file, rank) = (seen % FILES, seen / FILES);
        let king_bucket = MIDDLE_BUCKETS * usize::from(file != MIDDLE) + usize::from(rank != 0);
        Self { king_bucket, mirrored: file > MIDDLE }
    }

    /// Row of a piece as `view` sees it.
    #[inline]
    fn row(self, view: Side, (side, kind): (Side, PieceKind), square: u8) -> u32 {
        let seen = seen_by(view, square);
        let seen = if self.mirrored { in_mirror(seen) } else { seen };
        let piece = PieceKind::ALL.len() * usize::from(side != view) + kind.index();
        (self.king_bucket * BUCKET_ROWS + piece * SQUARES + seen) as u32
    }
}

/// The point on the other wing.
#[inline]
const fn in_mirror(square: usize) -> usize {
    square + FILES - 1 - 2 * (square % FILES)
}

fn each_row(pos: &Xiangqi, view: Side, orientation: Orientation, mut see: impl FnMut(u32)) {
    for square in squares(pos.occupied()) {
        if let Some(piece) = pos.at(square) {
            see(orientation.row(view, piece, square));
        }
    }
}

/// Sums of the first layer for one view.
#[derive(Clone, Copy, Debug)]
struct ViewAccumulator {
    sums: Accumulator<XIANGQI_HIDDEN>,
    orientation: Orientation,
}

impl ViewAccumulator {
    fn of(pos: &Xiangqi, view: Side) -> Self {
        let network = &*NETWORK;
        let mut own = Self { sums: network.empty(), orientation: Orientation::of(pos, view) };
        each_row(pos, view, own.orientation, |row| network.add(&mut own.sums, row));
        own
    }

    #[inline]
    fn play(&mut self, view: Side, before: &Xiangqi, step: XiangqiMove, after: &Xiangqi) {
        if Orientation::of(after, view) != self.orientation {
            *self = Self::of(after, view);
            return;
        }
        let network = &*NETWORK;
        let moved = before.at(step.from).expect("a piece moves");
        if let Some(captured) = before.at(step.to) {
            network.remove(&mut self.sums, self.orientation.row(view, captured, step.to));
        }
        network.remove(&mut self.sums, self.orientation.row(view, moved, step.from));
        network.add(&mut self.sums, self.orientation.row(view, moved, step.to));
    }
}

/// Sums of the first layer for both views of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accumulators([ViewAccumulator; 2]);

impl Accumulators {
    pub(super) fn of(pos: &Xiangqi) -> Self {
        Self(Side::BOTH.map(|view| ViewAccumulator::of(pos, view)))
    }

    /// Turns the sums before a move into those after it.
    #[inline]
    pub(super) fn play(&mut self, before: &Xiangqi, step: XiangqiMove, after: &Xiangqi) {
        for view in Side::BOTH {
            self.0[view.index()].play(view, before, step, after);
        }
    }

    /// What the network adds to the hand-made evaluation for the side to move, in hundredths of a soldier.
    #[inline]
    pub(super) fn correction(&self, mover: Side, stage: i32) -> i32 {
        let views = [mover, mover.other()].map(|view| &self.0[view.index()].sums);
        NETWORK.value(&views, output_bucket(stage))
    }
}

#[inline]
fn output_bucket(stage: i32) -> usize {
    (stage as usize / BUCKET_STAGES).min(XiangqiInput::BUCKETS - 1)
}

impl NetworkInput<Xiangqi> for XiangqiInput {
    const FEATURES: &str = "xiangqi-pieces-by-general-1";
    const ROWS: usize = KING_BUCKETS * BUCKET_ROWS;
    const VIEWS: usize = 2;
    const BUCKETS: usize = 8;
    const SHARED_ROWS: usize = BUCKET_ROWS;
    // That of the hand-made terms when the network was trained; another one would change its values.
    const SCALE: i32 = 439;

    fn rows(pos: &Xiangqi, view: Side, out: &mut Vec<u32>) {
        each_row(pos, view, Orientation::of(pos, view), |row| out.push(row));
    }

    fn bucket(pos: &Xiangqi) -> usize {
        output_bucket(stage_of(pos))
    }

    fn base(pos: &Xiangqi, mover: Side) -> i32 {
        mover.sign() * EvaluatorStackEntry::of(pos).hand(pos)
    }

    fn mirrored(row: u32) -> u32 {
        let (first, seen) = (row as usize / SQUARES * SQUARES, row as usize % SQUARES);
        if first < MIDDLE_BUCKETS * BUCKET_ROWS { (first + in_mirror(seen)) as u32 } else { row }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::XiangqiRules;
    use engine::game::{Game, Rng};
    use engine::network::ReferenceNetwork;

    /// A point by file and rank.
    type Point = (usize, usize);

    /// The board as a side sees it: its own back rank first, its general never right of the middle.
    fn board_of(pos: &Xiangqi, view: Side) -> Vec<(Point, (Side, PieceKind))> {
        let turned = |square: usize| {
            let (file, rank) = (square % 9, square / 9);
            if view == Side::First { (file, rank) } else { (file, 9 - rank) }
        };
        let mut board: Vec<_> = (0..SQUARES)
            .filter_map(|square| Some((turned(square), pos.at(square as u8)?)))
            .collect();
        if general_of(&board, view).0 > 4 {
            board.iter_mut().for_each(|((file, _), _)| *file = 8 - *file);
        }
        board
    }

    fn general_of(board: &[(Point, (Side, PieceKind))], view: Side) -> Point {
        let own = board.iter().find(|(_, piece)| *piece == (view, PieceKind::General));
        own.expect("every side has a general").0
    }

    /// Active rows by looking at one point after the other.
    fn slow(pos: &Xiangqi, view: Side) -> Vec<u32> {
        let board = board_of(pos, view);
        let king_bucket = match general_of(&board, view) {
            (4, 0) => 0,
            (4, _) => 1,
            (_, 0) => 2,
            _ => 3,
        };
        let row = |&((file, rank), (side, kind)): &(Point, (Side, PieceKind))| {
            let piece = kind.index() + if side == view { 0 } else { 7 };
            (90 * (14 * king_bucket + piece) + 9 * rank + file) as u32
        };
        let mut rows: Vec<_> = board.iter().map(row).collect();
        rows.sort_unstable();
        rows
    }

    fn sorted(mut rows: Vec<u32>) -> Vec<u32> {
        rows.sort_unstable();
        rows
    }

    /// Calls `see` with every position of random games, and the position and the move before it.
    fn in_random_games(games: usize, mut see: impl FnMut(&Xiangqi, XiangqiMove, &Xiangqi)) {
        let mut rng = Rng::new(3);
        for _ in 0..games {
            let mut pos = Xiangqi::default();
            for _ in 0..150 {
                let Some(mv) = pos.random_move(&mut rng, &mut Vec::new()) else { break };
                let next = pos.after(mv);
                see(&pos, mv, &next);
                pos = next;
            }
        }
    }

    #[test]
    fn rows_are_those_that_the_points_show() {
        let mut king_buckets = [0; KING_BUCKETS];
        in_random_games(100, |_, _, pos| {
            for view in Side::BOTH {
                let mut rows = Vec::new();
                XiangqiInput::rows(pos, view, &mut rows);
                assert_eq!(sorted(rows), slow(pos, view), "{pos:?}");
                king_buckets[Orientation::of(pos, view).king_bucket] += 1;
            }
            assert!(XiangqiInput::bucket(pos) < XiangqiInput::BUCKETS);
        });
        assert!(king_buckets.iter().all(|&seen| seen > 500), "{king_buckets:?}");
    }

    #[test]
    fn mirrored_rows_are_those_of_the_mirror() {
        in_random_games(50, |_, _, pos| {
            let piece = |square: u8| pos.at(in_mirror(square.into()) as u8);
            let mirror = Xiangqi::new(piece, pos.mover(), 0, XiangqiRules::Computer);
            for view in Side::BOTH {
                let image = slow(pos, view).into_iter().map(XiangqiInput::mirrored).collect();
                assert_eq!(sorted(image), slow(&mirror, view), "{pos:?}");
            }
        });
    }

    #[test]
    fn values_along_a_line_are_those_of_slow_sums() {
        let file = include_bytes!("../../../networks/xiangqi.network");
        let reference = ReferenceNetwork::read::<Xiangqi, XiangqiInput>(file, XIANGQI_HIDDEN);
        let (mut line, mut compared) = (Accumulators::of(&Xiangqi::default()), 0);
        in_random_games(crate::games_of_test(100), |before, mv, pos| {
            if *before == Xiangqi::default() {
                line = Accumulators::of(before);
            }
            line.play(before, mv, pos);
            let mover = pos.mover();
            let seen = [mover, mover.other()].map(|view| slow(pos, view));
            let value = reference.value(&seen, XiangqiInput::bucket(pos));
            assert_eq!(line.correction(mover, stage_of(pos)), value, "{pos:?}");
            compared += 1;
        });
        assert!(compared > 10_000, "{compared}");
    }
}
