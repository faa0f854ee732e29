//! The map as rows of characters.

use crate::notation::display::{Paint, PieceForm, PieceMark};
use crate::snake_go::cells::SIDE;
use crate::snake_go::rules::SnakeGo;
use crate::snake_go::setup::Described;
use engine::game::Side;

/// Head, body and wall of both sides, and an item.
pub(super) const MARKS: [PieceMark; 7] = [
    block(0, 'A', "Head", "蛇头").written("●"),
    block(0, 'a', "Body", "蛇身"),
    block(0, 'x', "Wall", "墙").written("▦"),
    block(1, 'B', "Head", "蛇头").written("●"),
    block(1, 'b', "Body", "蛇身"),
    block(1, 'y', "Wall", "墙").written("▦"),
    PieceMark::common('*', "Item", "道具", "★"),
];

/// A block in the side's colour.
const fn block(side: usize, mark: char, en: &'static str, zh: &'static str) -> PieceMark {
    let paint = if side == 0 { Paint::Blue } else { Paint::Red };
    PieceMark::of(side, mark, en, zh).drawn(PieceForm::Block, paint)
}

/// Rows from the top, columns from the left.
pub(super) fn rows(pos: &SnakeGo) -> Vec<String> {
    let mut cells = ['.'; 256];
    for item in pos.lying.iter() {
        cells[usize::from(item)] = '*';
    }
    for side in Side::BOTH {
        let [head, body, wall] = [0, 1, 2].map(|n| MARKS[3 * side.index() + n].mark);
        for cell in pos.walls[side.index()].iter() {
            cells[usize::from(cell)] = wall;
        }
        for &place in pos.snakes_of(side) {
            let Described { body: links, .. } = pos.describe(place);
            for (n, cell) in links.into_iter().enumerate() {
                cells[usize::from(cell)] = if n == 0 { head } else { body };
            }
        }
    }
    let size = usize::from(pos.rules.size);
    let rows = cells.chunks(usize::from(SIDE)).take(size);
    rows.rev().map(|row| row[..size].iter().collect()).collect()
}
