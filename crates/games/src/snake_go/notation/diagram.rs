//! The map as rows of characters.

use crate::notation::display::PieceMark;
use crate::snake_go::cells::SIDE;
use crate::snake_go::rules::SnakeGo;
use crate::snake_go::setup::Described;
use engine::game::Side;

/// Head, body and wall of both sides, and an item.
pub(super) const MARKS: [PieceMark; 7] = [
    PieceMark::of(0, 'A', "Head", "蛇头"),
    PieceMark::of(0, 'a', "Body", "蛇身"),
    PieceMark::of(0, 'x', "Wall", "墙"),
    PieceMark::of(1, 'B', "Head", "蛇头"),
    PieceMark::of(1, 'b', "Body", "蛇身"),
    PieceMark::of(1, 'y', "Wall", "墙"),
    PieceMark::common('*', "Item", "道具"),
];

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
