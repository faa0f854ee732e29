//! What the network of gomoku sees: what a stone on each empty point would make in its four lines, for both sides.

use std::sync::LazyLock;

use super::board::Knowledge;
use super::codes::Combination;
use super::worth::COMBINATIONS;
use crate::gomoku::evaluator::{GomokuEvaluation, GomokuEvaluator};
use crate::gomoku::rules::{Gomoku, GomokuRules, Point};
use engine::game::{Evaluator, Side};
use engine::network::{Accumulator, MoveRows, Network, NetworkInput};

/// Sums of the first layer per view.
pub const GOMOKU_HIDDEN: usize = 32;

/// The network in the program.
static NETWORK: LazyLock<Network<GOMOKU_HIDDEN>> = LazyLock::new(|| {
    let file = include_bytes!("../../../networks/gomoku.network");
    Network::read::<Gomoku, GomokuInput>(file).expect("the file fits its input")
});

/// Stones per output bucket, and the buckets of each set of rules.
const BUCKET_STONES: usize = 16;
const STAGES: usize = 4;

/// Rows of a position as both sides see it: the combinations of line kinds on the empty points, own ones first.
// CITE: a learned code of what the four lines through a point look like, summed over the board: "mixed" networks of
// gomoku programs, arXiv 2503.13178.
#[derive(Debug)]
pub struct GomokuInput;

impl NetworkInput<Gomoku> for GomokuInput {
    const FEATURES: &str = "gomoku-line-combinations-2";
    const ROWS: usize = 2 * COMBINATIONS;
    const VIEWS: usize = 2;
    const BUCKETS: usize = 5 * STAGES;
    const MOVE_ROWS: usize = 2 * COMBINATIONS;
    // That of the patterns when the network was trained; another one would change its values.
    const SCALE: i32 = 100;

    fn rows(pos: &Gomoku, view: Side, out: &mut Vec<u32>) {
        Knowledge::of(pos).for_each_combination(|side, combination| {
            out.extend(row_of(view, side, combination));
        });
    }

    fn bucket(pos: &Gomoku) -> usize {
        output_bucket(pos.rules(), pos.mover(), pos.stones().into())
    }

    fn choices(pos: &Gomoku, mover: Side) -> Vec<(Point, MoveRows)> {
        let evaluator = GomokuEvaluator::new(GomokuEvaluation::Patterns);
        let (known, mut points) = (Knowledge::of(pos), Vec::new());
        evaluator.candidates(pos, mover, &mut points);
        points.into_iter().map(|at| (at, known.move_rows(mover, at))).collect()
    }

    fn base(pos: &Gomoku, mover: Side) -> i32 {
        Knowledge::of(pos).value(mover)
    }
}

/// Bucket by the rules and the number of stones; in renju the sides play by different rules.
#[inline]
fn output_bucket(rules: GomokuRules, mover: Side, stones: usize) -> usize {
    let rules = match (rules, mover) {
        (GomokuRules::Freestyle, _) => 0,
        (GomokuRules::Standard, _) => 1,
        (GomokuRules::Caro, _) => 2,
        (GomokuRules::Renju, Side::First) => 3,
        (GomokuRules::Renju, Side::Second) => 4,
    };
    rules * STAGES + (stones / BUCKET_STONES).min(STAGES - 1)
}

/// Row of what a stone of `side` would make, as `view` sees it; none where it makes hardly anything.
#[inline]
fn row_of(view: Side, side: Side, combination: Combination) -> Option<u32> {
    let row = usize::from(combination.row()?) + COMBINATIONS * usize::from(side != view);
    Some(row as u32)
}

/// What the policy head reads of a position.
pub(in crate::gomoku) type Activations = Accumulator<GOMOKU_HIDDEN>;

/// How likely a move is the best one, as a logit in hundredths.
#[inline]
pub(super) fn logit(active: &Activations, rows: MoveRows) -> i32 {
    NETWORK.logit(active, rows)
}

/// Sums of the first layer for both views of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CombinationSums([Accumulator<GOMOKU_HIDDEN>; 2]);

impl CombinationSums {
    pub(super) fn of(known: &Knowledge) -> Self {
        let mut sums = Self([NETWORK.empty(); 2]);
        known.for_each_combination(|side, combination| sums.change(side, None, Some(combination)));
        sums
    }

    /// Replaces what a stone of `side` would make on a point; `None` where no stone can be put.
    #[inline]
    pub(super) fn change(
        &mut self,
        side: Side,
        old: Option<Combination>,
        new: Option<Combination>,
    ) {
        let network = &*NETWORK;
        for view in Side::BOTH {
            let sums = &mut self.0[view.index()];
            let row = |made: Option<Combination>| row_of(view, side, made?);
            match (row(old), row(new)) {
                (Some(old), Some(new)) => network.replace(sums, old, new),
                (Some(old), None) => network.remove(sums, old),
                (None, Some(new)) => network.add(sums, new),
                (None, None) => {}
            }
        }
    }

    /// What the policy head reads.
    #[inline]
    pub(super) fn activations(&self, mover: Side) -> Activations {
        Network::activations(&self.0[mover.index()])
    }

    /// What the network adds to the value by patterns for the side to move, in units.
    #[inline]
    pub(super) fn correction(&self, rules: GomokuRules, mover: Side, stones: usize) -> i32 {
        let views = [mover, mover.other()].map(|view| &self.0[view.index()]);
        NETWORK.value(&views, output_bucket(rules, mover, stones))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::gomoku::knowledge::board::tests::played_at_random;
    use engine::game::{Game, Rng};
    use engine::network::ReferenceNetwork;

    const ALL_RULES: [GomokuRules; 4] =
        [GomokuRules::Freestyle, GomokuRules::Standard, GomokuRules::Renju, GomokuRules::Caro];

    #[test]
    fn values_and_logits_along_a_line_are_those_of_slow_sums() {
        let file = include_bytes!("../../../networks/gomoku.network");
        let reference = ReferenceNetwork::read::<Gomoku, GomokuInput>(file, GOMOKU_HIDDEN);
        let (mut rng, mut seen, mut logits) = (Rng::new(4), BTreeSet::new(), BTreeSet::new());
        for game in 0..crate::games_of_test(40) {
            let start = Gomoku::by_rules(15, ALL_RULES[game % 4]).expect("a size");
            let mut known = Knowledge::new(&start, true);
            let mut line = played_at_random(start, &mut known, &mut rng);
            while let Some(pos) = line.pop() {
                let (mover, stones) = (pos.mover(), usize::from(pos.stones()));
                let slow =
                    reference.value(&GomokuInput::seen(&pos, mover), GomokuInput::bucket(&pos));
                assert_eq!(known.correction(mover, stones), slow, "{pos:?}");
                seen.insert(slow);
                let rows = &GomokuInput::seen(&pos, mover)[0];
                let active = known.activations(mover).expect("a network");
                for (at, of_move) in GomokuInput::choices(&pos, mover) {
                    let slow = reference.logit(rows, of_move);
                    assert_eq!(known.logit(&active, mover, at), slow, "{at:?} in {pos:?}");
                    logits.insert(slow);
                }
                known.pop();
            }
        }
        assert!(seen.len() > 100, "{} values", seen.len());
        assert!(logits.len() > 100, "{} logits", logits.len());
    }

    #[test]
    fn a_smoothed_correction_is_the_mean_of_two_positions_in_a_row() {
        let mut pos = Gomoku::new(15).expect("a size");
        let mut known = Knowledge::new(&pos, true);
        assert_eq!(known.smoothed_correction(Side::First, 0), known.correction(Side::First, 0));
        for (x, y) in [(7, 7), (8, 8), (7, 8), (7, 9), (6, 7), (8, 7)] {
            let (mut before, mover) = (known.clone(), pos.mover());
            pos.play(Point { x, y });
            known.push(mover, Point { x, y }, &pos);
            let mean = (known.correction(pos.mover(), 9) - before.correction(mover, 9)) / 2;
            assert_eq!(known.smoothed_correction(pos.mover(), 9), mean);
        }
    }

    #[test]
    fn every_sixteen_stones_have_outputs_of_their_own() {
        let bucket = |stones| output_bucket(GomokuRules::Freestyle, Side::First, stones);
        assert_eq!([0, 15, 16, 47, 48, 400].map(bucket), [0, 0, 1, 2, 3, 3]);
    }

    #[test]
    fn rules_have_outputs_of_their_own_and_renju_has_them_for_each_side() {
        let [freestyle, standard, renju, caro] =
            ALL_RULES.map(|rules| Side::BOTH.map(|mover| output_bucket(rules, mover, 0)));
        for one in [freestyle, standard, caro] {
            assert_eq!(one[0], one[1], "both sides play by the same rules");
        }
        let own = BTreeSet::from([freestyle[0], standard[0], caro[0], renju[0], renju[1]]);
        assert_eq!(own.into_iter().collect::<Vec<_>>(), [0, 4, 8, 12, 16]);
    }

    #[test]
    fn points_far_from_stones_are_no_rows() {
        let rows = |pos: &Gomoku| {
            GomokuInput::seen(pos, pos.mover()).iter().map(Vec::len).collect::<Vec<_>>()
        };
        let mut pos = Gomoku::new(15).expect("a size");
        assert_eq!(rows(&pos), [0, 0]);
        pos.play(Point { x: 7, y: 7 });
        // Eight rays of four points, on each of which a stone of black's would make two in a line.
        assert_eq!(rows(&pos), [32, 32]);
    }
}
