//! Piece kinds, mailbox codes, and hash keys.

use super::squares::SQUARES;
use engine::game::{Side, zobrist};

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
    /// All kinds, in numeric order.
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

/// Mailbox code of a piece: kind from 1, plus 8 for Black. An empty square is 0.
pub(super) type Code = u8;

/// An empty square.
pub(super) const EMPTY: Code = 0;

/// The code of a piece.
#[inline]
pub(super) const fn code(side: Side, kind: PieceKind) -> Code {
    (side as u8) << 3 | (kind as u8 + 1)
}

/// Kind of a piece, if any.
#[inline]
pub(super) fn kind_of(code: Code) -> Option<PieceKind> {
    PieceKind::ALL.get(usize::from(code & 7).wrapping_sub(1)).copied()
}

/// Zobrist keys by piece code and square.
static KEYS: [u64; 16 * SQUARES] = zobrist::keys(0x5849_414E_4751_4900);

/// Zobrist key of a piece on a square.
#[inline]
pub(super) fn key(code: Code, square: u8) -> u64 {
    KEYS[(code as usize & 15) * SQUARES + square as usize]
}
