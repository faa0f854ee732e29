//! The pieces: their kinds, their codes in a mailbox, their part of the hash.

use super::squares::SQUARES;
use crate::game::{Side, zobrist};

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the words are those of the game")]
pub enum PieceKind {
    General,
    Advisor,
    Elephant,
    Horse,
    Chariot,
    Cannon,
    Soldier,
}

impl PieceKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 7] = [
        Self::General,
        Self::Advisor,
        Self::Elephant,
        Self::Horse,
        Self::Chariot,
        Self::Cannon,
        Self::Soldier,
    ];

    /// 0 to 6: an index into arrays by kind.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A piece in the mailbox: its kind from 1 on, and 8 more for Black's. An empty square is 0.
pub(super) type Code = u8;

/// Nothing stands there.
pub(super) const EMPTY: Code = 0;

/// The code of a piece.
#[inline]
pub(super) const fn code(side: Side, kind: PieceKind) -> Code {
    (side as u8) << 3 | (kind as u8 + 1)
}

/// The kind of a piece, if there is one.
#[inline]
pub(super) fn kind_of(code: Code) -> Option<PieceKind> {
    PieceKind::ALL.get(usize::from(code & 7).wrapping_sub(1)).copied()
}

/// Keys by piece code and square.
static KEYS: [u64; 16 * SQUARES] = zobrist::keys(0x5849_414E_4751_4900);

/// The key of a piece on a square.
#[inline]
pub(super) fn key(code: Code, square: u8) -> u64 {
    KEYS[(code as usize & 15) * SQUARES + square as usize]
}
