//! Writes moves in human notation.

use super::{Heading, Tandem, file_number, is_told_by_its_way, stroke};
use crate::xiangqi::notation::LETTERS;
use crate::xiangqi::rules::{Xiangqi, XiangqiMove};

/// Pieces of each side in kind order.
const NAMES: [[char; 7]; 2] =
    [['帅', '仕', '相', '马', '车', '炮', '兵'], ['将', '士', '象', '马', '车', '炮', '卒']];
/// Numbers from 1 as each side writes them.
const NUMBERS: [[char; 9]; 2] = [
    ['一', '二', '三', '四', '五', '六', '七', '八', '九'],
    ['１', '２', '３', '４', '５', '６', '７', '８', '９'],
];

/// 炮二平五.
pub(in crate::xiangqi::notation) fn chinese(pos: &Xiangqi, step: XiangqiMove) -> String {
    let side = pos.mover();
    let Some(kind) = pos.kind_at(step.from) else { return String::new() };
    let name = NAMES[side.index()][kind.index()];
    let number = |count: u8| NUMBERS[side.index()][usize::from(count) - 1];
    let file = number(file_number(side, step.from));
    let tandem = Tandem::of(pos, side, kind, step.from);
    let place = match (tandem.before, tandem.behind) {
        // The number of a place is Chinese for both sides.
        (before, _) if tandem.count() > 3 => NUMBERS[0][usize::from(before)],
        (0, _) => '前',
        (_, 0) => '后',
        _ => '中',
    };
    let (way, count) = stroke(pos, step);
    let way = match way {
        Heading::Forward => '进',
        Heading::Level => '平',
        Heading::Back => '退',
    };
    let count = number(count);
    if tandem.count() == 1 || is_told_by_its_way(kind) {
        format!("{name}{file}{way}{count}")
    } else if tandem.files > 1 {
        format!("{place}{name}{file}{way}{count}")
    } else {
        format!("{place}{name}{way}{count}")
    }
}

/// C2=5.
pub(in crate::xiangqi::notation) fn wxf(pos: &Xiangqi, step: XiangqiMove) -> String {
    let side = pos.mover();
    let Some(kind) = pos.kind_at(step.from) else { return String::new() };
    let letter = match char::from(LETTERS.as_bytes()[kind.index()]) {
        'B' => 'E',
        'N' => 'H',
        letter => letter,
    };
    let file = char::from(b'0' + file_number(side, step.from));
    let tandem = Tandem::of(pos, side, kind, step.from);
    let place = match (tandem.before, tandem.behind) {
        _ if is_told_by_its_way(kind) => file,
        (before, behind) if before < behind => '+',
        (before, behind) if before > behind => '-',
        _ => file,
    };
    let is_end = tandem.count() > 3 && (tandem.before == 0 || tandem.behind == 0);
    let piece = match tandem.files {
        _ if tandem.count() == 1 || is_told_by_its_way(kind) => letter,
        2.. => file,
        _ if is_end => place,
        _ => letter,
    };
    let (way, count) = stroke(pos, step);
    let way = match way {
        Heading::Forward => '+',
        Heading::Level => '=',
        Heading::Back => '-',
    };
    format!("{piece}{place}{way}{count}")
}
