//! Words of game records of xiangqi, and of chess to tell it apart.

use super::GameFile;

/// What stands for pieces, numbers, places and ways in Chinese notation.
const CHINESE: &str = "帅帥将將仕士相象马馬傌车車俥炮砲包兵卒前中后後进進平退一二三四五六七八九１２３４５６７８９123456789";
/// The ways among them.
const WAYS: &str = "进進平退";
/// Letters of pieces in WXF notation, and the signs of tandem pieces.
const WXF_HEADS: &str = "KABEHNRCPkabehnrcp+-";

/// A word with its full-width letters and signs as ASCII, unless it is in Chinese notation.
pub(super) fn half_width(word: &str) -> String {
    let half = |mark: char| match mark {
        '！'..='～' => char::from_u32(mark as u32 - 0xfee0).unwrap_or(mark),
        mark => mark,
    };
    if word.chars().any(|mark| WAYS.contains(mark)) {
        return word.to_owned();
    }
    word.chars().map(half).collect()
}

/// A word without the number of a move before it: `1.`, `1...`, `12、`.
pub(super) fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|mark: char| mark.is_ascii_digit());
    let bare = rest.trim_start_matches(['.', '．', '。', '、', '…', ':', '：']);
    let is_number = rest.len() < word.len() && bare.len() < rest.len();
    let is_ellipsis = rest.len() == word.len() && bare.is_empty();
    if is_number || is_ellipsis { bare } else { word }
}

/// True for a move in ICCS, WXF or Chinese notation, as far as one word tells.
pub(super) fn is_move(word: &str) -> bool {
    coordinates(word).is_some() || is_wxf(word) || is_chinese(word)
}

/// True for a move in Chinese notation: `炮二平五`.
fn is_chinese(word: &str) -> bool {
    let marks: Vec<_> = word.chars().collect();
    let has_way = marks.len() >= 2 && WAYS.contains(marks[marks.len() - 2]);
    (4..=5).contains(&marks.len()) && has_way && marks.iter().all(|&mark| CHINESE.contains(mark))
}

/// Moves in Chinese notation without spaces between them and their numbers: `炮二平五马８进７2.马二进三`.
pub(super) fn chinese_moves(word: &str) -> Option<Vec<String>> {
    let mut moves = Vec::new();
    let mut rest = without_number(word);
    while !rest.is_empty() {
        let (end, last) = rest.char_indices().nth(3)?;
        let (text, tail) = rest.split_at(end + last.len_utf8());
        moves.push(text.to_owned());
        if !is_chinese(text) {
            return None;
        }
        rest = without_number(tail);
    }
    (!moves.is_empty()).then_some(moves)
}

/// True for a move in WXF notation: `C2=5`, `C2.5`, `+H-4`.
fn is_wxf(word: &str) -> bool {
    let [head @ .., way, number] = word.as_bytes() else { return false };
    let is_head = |&mark: &u8| WXF_HEADS.contains(char::from(mark)) || mark.is_ascii_digit();
    matches!(way, b'+' | b'-' | b'=' | b'.')
        && number.is_ascii_digit()
        && (2..=3).contains(&head.len())
        && head.iter().all(is_head)
        && head.iter().any(|mark| !mark.is_ascii_digit())
}

/// Point of a board by its file and rank.
type FileRank = (char, usize);

/// Both points of a move in ICCS or UCI notation: `H2-E2`, `h2e2`, `b10c8`.
pub(super) fn coordinates(word: &str) -> Option<[FileRank; 2]> {
    let (from, rest) = coordinate(word)?;
    let (to, rest) = coordinate(rest.strip_prefix('-').unwrap_or(rest))?;
    rest.is_empty().then_some([from, to])
}

fn coordinate(text: &str) -> Option<(FileRank, &str)> {
    let file = text.chars().next()?.to_ascii_lowercase();
    let length = if text.get(1..3) == Some("10") { 2 } else { 1 };
    let rank = text.get(1..=length)?.parse().ok()?;
    ('a'..='i').contains(&file).then(|| ((file, rank), &text[1 + length..]))
}

/// Counts ranks from 0 in a game that counts them from 1, as some programs write.
pub(super) fn count_ranks_from_zero(file: &mut GameFile) {
    let moves: Option<Vec<_>> = file.moves.iter().map(|text| coordinates(text)).collect();
    let Some(moves) = moves else { return };
    let mut ranks = moves.iter().flatten().map(|&(_, rank)| rank);
    let counts_from_one = match file.state {
        None => moves.first().is_some_and(|&[from, _]| is_red_counted_from_one(from)),
        Some(_) => ranks.clone().any(|rank| rank == 10),
    };
    if !counts_from_one || ranks.any(|rank| rank == 0) {
        return;
    }
    let write = |(file, rank): FileRank| format!("{file}{}", rank - 1);
    file.moves = moves.into_iter().map(|[from, to]| write(from) + &write(to)).collect();
}

/// True if a red piece stands there at the start, counted from 1, and none counted from 0.
fn is_red_counted_from_one((file, rank): FileRank) -> bool {
    match rank {
        1 => true,
        3 => matches!(file, 'b' | 'h'),
        4 => matches!(file, 'a' | 'c' | 'e' | 'g' | 'i'),
        _ => false,
    }
}

/// True for a move of chess in algebraic notation that is no point and no move of xiangqi: `Nf3`, `exd5`, `O-O`.
pub(super) fn is_chess(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#', '!', '?']);
    if matches!(word, "O-O" | "O-O-O" | "0-0" | "0-0-0") {
        return true;
    }
    let word = word.split('=').next().unwrap_or_default();
    let (head, square) = word.split_at_checked(word.len().saturating_sub(2)).unwrap_or((word, ""));
    let is_square = matches!(square.as_bytes(), [b'a'..=b'i', b'0'..=b'9']);
    let head_marks = head.bytes().all(|mark| b"NBRQKCHAEPabcdefghix0123456789".contains(&mark));
    let is_piece = head.starts_with(|mark: char| "NBRQKCHAEP".contains(mark));
    is_square && head_marks && (is_piece || head.ends_with('x'))
}
