use super::expert::CELL;
use super::rules::SnakeGo;

pub(super) fn worth(pos: &SnakeGo) -> [i32; 2] {
    pos.score().map(|cells| CELL * cells as i32)
}
