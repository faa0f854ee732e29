//! Combination of the four lines through a point.

use std::sync::LazyLock;

use super::lines::LineKind;
use super::worth;

/// Threat of a stone. Larger is stronger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(in crate::gomoku) enum Threat {
    /// No immediate threat.
    #[default]
    Quiet,
    /// Threatens an open four.
    Three,
    /// Threatens an open four in two lines.
    DoubleThree,
    /// Threatens five at one point.
    Four,
    /// A four, and a three in another line.
    FourThree,
    /// Threatens five at several points.
    OpenFour,
    /// Wins.
    Five,
}

impl Threat {
    /// Number of threats.
    pub(super) const COUNT: usize = Self::Five as usize + 1;
}

/// Combination of four line kinds, regardless of their order.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
pub(super) struct Combination {
    /// Value for the side to move (0) and for the opponent (1), in fractions of a unit.
    pub(super) worth: [i16; 2],
    /// Its number, or [`UNSEEN`].
    row: u16,
    pub(super) threat: Threat,
    /// True if renju may forbid it.
    pub(super) suspect: bool,
}

/// Row of what a network does not see.
const UNSEEN: u16 = u16::MAX;

impl Combination {
    /// Row of the network; none where no stone is near, so that most points cost nothing.
    #[inline]
    pub(super) fn row(self) -> Option<u16> {
        (self.row != UNSEEN).then_some(self.row)
    }

    fn new(kinds: [LineKind; 4], number: usize) -> Self {
        let count = |from: LineKind, to: LineKind| {
            kinds.iter().filter(|&&kind| from <= kind && kind <= to).count()
        };
        let threes = count(LineKind::OpenThree, LineKind::WideThree);
        let fours = count(LineKind::Four, LineKind::OpenFour);
        let fives = count(LineKind::Five, LineKind::Five);
        let threat = match (fives, fours, threes) {
            (1.., _, _) => Threat::Five,
            (_, 2.., _) => Threat::OpenFour,
            (_, 1, _) if kinds.contains(&LineKind::OpenFour) => Threat::OpenFour,
            (_, 1, 1..) => Threat::FourThree,
            (_, 1, _) => Threat::Four,
            (_, _, 2..) => Threat::DoubleThree,
            (_, _, 1) => Threat::Three,
            _ => Threat::Quiet,
        };
        let suspect = fives == 0 && (threes > 1 || fours > 1 || kinds.contains(&LineKind::Foul));
        let is_seen = kinds.iter().any(|&kind| kind > LineKind::OpenOne);
        let row = if is_seen { number as u16 } else { UNSEEN };
        Self { worth: [0, 1].map(|role| worth::of(number, role)), row, threat, suspect }
    }
}

/// Combination numbers indexed by the kinds of the four lines (four bits each), and the
/// combinations.
pub(super) struct Codes {
    numbers: Box<[u16; 1 << 16]>,
    combinations: Box<[Combination; MOST]>,
    /// The kinds of each combination, best first.
    kinds: Vec<[LineKind; 4]>,
}

/// Upper bound on the number of combinations.
const MOST: usize = 1 << 11;

/// All combinations.
pub(super) static CODES: LazyLock<Codes> = LazyLock::new(Codes::new);

impl Codes {
    fn new() -> Self {
        let descending = |kinds: &[LineKind; 4]| kinds.is_sorted_by(|a, b| a >= b);
        let mut sorted: Vec<_> = (0..1 << 16).filter_map(unpack).filter(descending).collect();
        sorted.sort_unstable();
        let number = |packed| {
            let mut kinds = unpack(packed)?;
            kinds.sort_unstable_by(|a, b| b.cmp(a));
            sorted.binary_search(&kinds).ok().map(|number| number as u16)
        };
        let mut numbers = Box::new([0; 1 << 16]);
        for (packed, slot) in numbers.iter_mut().enumerate() {
            *slot = number(packed).unwrap_or_default();
        }
        let mut combinations = Box::new([Combination::new([LineKind::Nothing; 4], 0); MOST]);
        for (number, &kinds) in sorted.iter().enumerate() {
            combinations[number] = Combination::new(kinds, number);
        }
        Self { numbers, combinations, kinds: sorted }
    }

    /// The number of the combination of these kinds.
    #[inline]
    pub(super) fn number(&self, packed: u16) -> u16 {
        self.numbers[usize::from(packed)]
    }

    /// The combination of these kinds.
    #[inline]
    pub(super) fn of(&self, packed: u16) -> Combination {
        self.combinations[usize::from(self.number(packed)) % MOST]
    }

    /// The kinds of a combination, best first.
    pub(super) fn kinds(&self, number: usize) -> [LineKind; 4] {
        self.kinds[number]
    }
}

/// Unpacks four kinds of four bits each; `None` if one is invalid.
fn unpack(packed: usize) -> Option<[LineKind; 4]> {
    let kind = |n: usize| LineKind::ALL.get(packed >> (4 * n) & 15).copied();
    Some([kind(0)?, kind(1)?, kind(2)?, kind(3)?])
}
