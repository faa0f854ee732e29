//! Line kinds: effect of a stone in one line, by table lookup over the five cells on either side.
//! The table is derived from the definition of a winning line alone.

use std::sync::LazyLock;

use crate::gomoku::rules::GomokuRules;

/// Relevant cells on each side of a point: a line longer than five starts there.
pub(super) const REACH: usize = 5;
/// The same if longer lines also win.
pub(super) const SHORT_REACH: usize = 4;
/// Cells of a line around a point, without the point.
const AROUND: usize = 2 * REACH;
/// Bit of the point itself.
const CENTRE: usize = REACH;
/// Number of line keys: two bits per cell.
const KEYS: usize = 1 << (2 * AROUND);

/// Digit of a cell beyond the edge; an empty cell is 0.
pub(super) const WALL: u32 = 3;

/// Result of a side's stone in one line: missing stones and number of ways to add them. Larger is
/// better, except for forbidden lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum LineKind {
    /// Cannot become five.
    Nothing,
    /// Four stones short of five.
    One,
    /// Three stones short of an open four.
    OpenOne,
    /// Three stones short of five.
    Two,
    /// Two stones short of an open four, in one or two ways.
    OpenTwo,
    /// Two stones short of an open four, in more than two ways.
    WideTwo,
    /// Two stones short of five.
    Three,
    /// One stone short of an open four, at one point.
    OpenThree,
    /// One stone short of an open four, at several points.
    WideThree,
    /// One stone short of five, at one point.
    Four,
    /// One stone short of five, at several points.
    OpenFour,
    /// A winning line.
    Five,
    /// Renju: six or more, or two fours in one line.
    Foul,
}

impl LineKind {
    /// All kinds, in numeric order.
    pub(super) const ALL: [Self; 13] = [
        Self::Nothing,
        Self::One,
        Self::OpenOne,
        Self::Two,
        Self::OpenTwo,
        Self::WideTwo,
        Self::Three,
        Self::OpenThree,
        Self::WideThree,
        Self::Four,
        Self::OpenFour,
        Self::Five,
        Self::Foul,
    ];

    /// The kind without the distinction by number of ways.
    fn in_one_way(self) -> Self {
        match self {
            Self::WideTwo => Self::OpenTwo,
            Self::WideThree => Self::OpenThree,
            _ => self,
        }
    }

    /// Kind of a line whose best single stone leads to this kind, in `ways` ways.
    fn before(self, ways: usize) -> Self {
        match self {
            Self::Five if ways > 1 => Self::OpenFour,
            Self::Five => Self::Four,
            Self::OpenFour if ways > 1 => Self::WideThree,
            Self::OpenFour => Self::OpenThree,
            Self::Four => Self::Three,
            Self::OpenThree if ways > 2 => Self::WideTwo,
            Self::OpenThree => Self::OpenTwo,
            Self::Three => Self::Two,
            Self::OpenTwo => Self::OpenOne,
            Self::Two => Self::One,
            _ => Self::Nothing,
        }
    }
}

/// Line kinds of both sides by line key. Irrelevant cells may be left empty in the key.
pub(super) struct LineTable {
    /// Two kinds per byte; Black's in the lower half.
    kinds: Box<[u8]>,
    /// True if cells five steps away are irrelevant.
    pub(super) short: bool,
}

impl LineTable {
    /// The table for these rules.
    pub(super) fn by(rules: GomokuRules) -> &'static Self {
        static FREESTYLE: LazyLock<LineTable> = LazyLock::new(|| LineTable::new([Law::AtLeast; 2]));
        static STANDARD: LazyLock<LineTable> = LazyLock::new(|| LineTable::new([Law::Exactly; 2]));
        static RENJU: LazyLock<LineTable> =
            LazyLock::new(|| LineTable::new([Law::Renju, Law::AtLeast]));
        static CARO: LazyLock<LineTable> = LazyLock::new(|| LineTable::new([Law::Caro; 2]));
        match rules {
            GomokuRules::Freestyle => &FREESTYLE,
            GomokuRules::Standard => &STANDARD,
            GomokuRules::Renju => &RENJU,
            GomokuRules::Caro => &CARO,
        }
    }

    /// Numbers of the kinds for Black and White.
    #[inline]
    pub(super) fn kinds(&self, key: u32) -> [u8; 2] {
        let both = self.kinds[key as usize & (KEYS - 1)];
        [both & 15, both >> 4]
    }

    fn new(laws: [Law; 2]) -> Self {
        let mut table = vec![[0; 2]; KEYS].into_boxed_slice();
        let fill = |slot: usize, law: Law, table: &mut [[u8; 2]]| {
            for left in 0..=REACH {
                for right in 0..=REACH {
                    Stretch { left, right, law }.fill(slot, table);
                }
            }
        };
        fill(0, laws[0], &mut table);
        fill(1, laws[1], &mut table);
        let kinds = table.iter().map(|[black, white]| black | white << 4).collect();
        Self { kinds, short: laws == [Law::AtLeast; 2] }
    }
}

/// Winning condition of a side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Law {
    AtLeast,
    Exactly,
    /// Exactly five; longer lines are forbidden.
    Renju,
    Caro,
}

/// A line with `left` and `right` board cells on either side of its centre, which holds a stone of
/// the side.
#[derive(Clone, Copy)]
struct Stretch {
    left: usize,
    right: usize,
    law: Law,
}

impl Stretch {
    fn cells(self) -> usize {
        self.left + self.right
    }

    /// Bit of a cell within the line.
    fn bit(self, cell: usize) -> usize {
        let at = CENTRE - self.left + cell;
        if at < CENTRE { at } else { at + 1 }
    }

    /// Fills in the kinds of all lines of this extent for a side, 0 or 1. Lines are numbered in
    /// base 3, one digit per cell: 0 empty, 1 opponent, 2 own; adding a stone increases the number.
    fn fill(self, side: usize, table: &mut [[u8; 2]]) {
        let count = 3_usize.pow(self.cells() as u32);
        let mut kinds = vec![LineKind::Nothing; count];
        for number in (0..count).rev() {
            kinds[number] = self.kind(number, &kinds);
            table[self.key(number, side)][side] = kinds[number] as u8;
        }
    }

    fn kind(self, number: usize, kinds: &[LineKind]) -> LineKind {
        let (mut own, mut opponent) = (1_u16 << CENTRE, 0_u16);
        let mut best = (LineKind::Nothing, 0);
        let (mut rest, mut weight) = (number, 1);
        for cell in 0..self.cells() {
            match rest % 3 {
                0 => {
                    let next = kinds[number + 2 * weight].in_one_way();
                    match next {
                        LineKind::Foul => {}
                        _ if next > best.0 => best = (next, 1),
                        _ => best.1 += usize::from(next == best.0),
                    }
                }
                1 => opponent |= 1 << self.bit(cell),
                _ => own |= 1 << self.bit(cell),
            }
            rest /= 3;
            weight *= 3;
        }
        let before = (own << (16 - CENTRE)).leading_ones() as usize;
        let after = (own >> (CENTRE + 1)).trailing_ones() as usize;
        let run = before + after + 1;
        let shut = before < CENTRE
            && after < CENTRE
            && opponent >> (CENTRE - before - 1) & 1 == 1
            && opponent >> (CENTRE + after + 1) & 1 == 1;
        match (self.law, run) {
            (Law::AtLeast, 5..) | (Law::Exactly | Law::Renju, 5) | (Law::Caro, 6..) => {
                LineKind::Five
            }
            (Law::Caro, 5) if !shut => LineKind::Five,
            (Law::Exactly, 6..) => LineKind::Nothing,
            (Law::Renju, 6..) => LineKind::Foul,
            // Two fours in one line, other than a straight four.
            (Law::Renju, _) if best.0 == LineKind::Five && best.1 > 1 && run != 4 => LineKind::Foul,
            _ => best.0.before(best.1),
        }
    }

    /// The key of a line; own stones belong to `side`.
    fn key(self, number: usize, side: usize) -> usize {
        let digits = if side == 0 { [0, 2, 1] } else { [0, 1, 2] };
        let mut key = 0;
        let mut rest = number;
        for at in (0..=AROUND).filter(|&at| at != CENTRE) {
            let outside = at < CENTRE - self.left || at > CENTRE + self.right;
            let digit = if outside {
                WALL as usize
            } else {
                let digit = digits[rest % 3];
                rest /= 3;
                digit
            };
            key |= digit << shift(at.abs_diff(CENTRE), at > CENTRE);
        }
        key
    }
}

/// Shift of a neighbour's digit in the line key: `distance` (1 to 5) steps ahead or behind. Nearest
/// cells are lowest, so that short lines have small keys.
#[inline]
pub(super) const fn shift(distance: usize, ahead: bool) -> usize {
    4 * (distance - 1) + if ahead { 2 } else { 0 }
}

/// The key with a stone of Black (0) or White (1) added on an empty cell.
#[inline]
pub(super) const fn with_stone(key: u32, shift: usize, side: usize) -> u32 {
    key | (side as u32 + 1) << shift
}

/// The key with the cell emptied.
#[inline]
pub(super) const fn without_stone(key: u32, shift: usize) -> u32 {
    key & !(3 << shift)
}

/// True if the kind with this number makes five with the next stone.
#[inline]
pub(super) const fn is_four(kind: u16) -> bool {
    kind == LineKind::Four as u16 || kind == LineKind::OpenFour as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Black's kind for a diagram of the line; the point is `*`.
    fn kind(rules: GomokuRules, picture: &str) -> LineKind {
        let centre = picture.find('*').expect("a point") as isize;
        let cells = picture.as_bytes();
        let mut key = 0;
        for distance in 1..=REACH {
            for ahead in [false, true] {
                let at = centre + if ahead { distance as isize } else { -(distance as isize) };
                let cell = usize::try_from(at).ok().and_then(|at| cells.get(at));
                let digit = cell.map_or(WALL, |cell| match cell {
                    b'x' => 1,
                    b'o' => 2,
                    _ => 0,
                });
                key |= digit << shift(distance, ahead);
            }
        }
        let [black, _] = LineTable::by(rules).kinds(key);
        LineKind::ALL[usize::from(black)]
    }

    #[test]
    fn lines_are_what_the_books_call_them() {
        let free = |picture| kind(GomokuRules::Freestyle, picture);
        assert_eq!(free(".....*....."), LineKind::OpenOne);
        assert_eq!(free("....*"), LineKind::One);
        assert_eq!(free("o..*.o"), LineKind::Nothing);
        assert_eq!(free("....x*....."), LineKind::WideTwo);
        assert_eq!(free("....x..*...."), LineKind::OpenTwo);
        assert_eq!(free("ox*..."), LineKind::Two);
        assert_eq!(free("...x*x..."), LineKind::WideThree);
        assert_eq!(free("..x.*x.."), LineKind::OpenThree);
        assert_eq!(free("oxx*.."), LineKind::Three);
        assert_eq!(free(".x.*.x."), LineKind::Three);
        assert_eq!(free("oxx*x."), LineKind::Four);
        assert_eq!(free("xx*.x"), LineKind::Four);
        assert_eq!(free(".xx*x."), LineKind::OpenFour);
        assert_eq!(free("x.x*x.x"), LineKind::OpenFour);
        assert_eq!(free("oxx*xxo"), LineKind::Five);
        assert_eq!(free("xxx*xx"), LineKind::Five);
    }

    #[test]
    fn what_is_too_long_depends_on_the_rules() {
        assert_eq!(kind(GomokuRules::Standard, "xxx*xx"), LineKind::Nothing);
        assert_eq!(
            kind(GomokuRules::Standard, "x.xx*x.x"),
            LineKind::Nothing,
            "either end makes six"
        );
        assert_eq!(kind(GomokuRules::Freestyle, "x.xx*x.x"), LineKind::OpenFour);
        assert_eq!(kind(GomokuRules::Renju, "xxx*xx"), LineKind::Foul);
        assert_eq!(kind(GomokuRules::Renju, "x.x*x.x"), LineKind::Foul, "two fours in one line");
        assert_eq!(kind(GomokuRules::Renju, ".xx*x."), LineKind::OpenFour);
        assert_eq!(kind(GomokuRules::Caro, "oxx*xxo"), LineKind::Nothing);
        assert_eq!(kind(GomokuRules::Caro, "xx*xxo"), LineKind::Five, "the edge shuts nothing");
        assert_eq!(kind(GomokuRules::Caro, "oxxx*xxo"), LineKind::Five);
    }
}
