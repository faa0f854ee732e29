//! The rough evaluation: values of the pieces, wherever they stand.

use super::super::pieces::PieceKind;
use super::super::rules::Xiangqi;
use super::super::squares::HALVES;
use engine::game::Side;

/// Values by kind, in hundredths of a soldier; a general is never lost.
// CITE: Lau 1985, "Chinese Chess", pages 28 to 30, the usual scale: chariot 9, cannon 4 1/2, horse 4, elephant
// and advisor 2, soldier 1, beyond the river 2.
const VALUES: [(PieceKind, i32); 6] = [
    (PieceKind::Advisor, 200),
    (PieceKind::Elephant, 200),
    (PieceKind::Horse, 400),
    (PieceKind::Chariot, 900),
    (PieceKind::Cannon, 450),
    (PieceKind::Soldier, 100),
];
/// What a soldier gains by crossing the river.
const CROSSED: i32 = 100;

/// Red's pieces less Black's.
pub(super) fn balance(pos: &Xiangqi) -> i32 {
    let of = |side: Side| -> i32 {
        let crossed = pos.pieces(side, PieceKind::Soldier) & HALVES[side.other().index()];
        let pieces = VALUES.iter().map(|&(kind, worth)| worth * count(pos.pieces(side, kind)));
        pieces.sum::<i32>() + CROSSED * count(crossed)
    };
    of(Side::First) - of(Side::Second)
}

fn count(set: u128) -> i32 {
    set.count_ones() as i32
}
