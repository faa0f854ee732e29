use std::cell::Cell;

use serde_json::Value;

use super::Tandem;
use crate::notation::laws::{check_human, walk};
use crate::notation::{Fault, FaultKind, Notation, Settings, StateInput};
use crate::xiangqi::{Xiangqi, XiangqiMove};
use engine::game::Game;

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";

fn position(fen: &str) -> Xiangqi {
    let settings = Settings::defaults(Xiangqi::facts().options);
    Xiangqi::read(StateInput::Text(fen), &settings).unwrap_or_else(|why| panic!("{fen}: {why}"))
}

/// Soldiers and other pieces on the same files, in every number that a set allows.
const CROWDED: &[&str] = &[
    START,
    "1P3k3/1P7/1P7/1P7/1P7/9/9/9/9/3K5 w",
    "3k5/9/9/9/9/7p1/7p1/7p1/7p1/4K2p1 b",
    "4k4/2P6/2P6/2P3P2/6P2/9/9/9/9/3K5 w",
    "4k4/9/9/9/9/2p6/2p3p2/2p6/6p2/3K5 b",
    "4k4/P6P1/P6P1/8P/9/9/9/9/9/3K5 w",
    "3k5/9/9/9/9/p1p6/p1p6/8p/9/4K4 b",
    "3k1r3/5r3/2c6/2c3n2/2R3n2/2R6/2C6/2C1B4/4A4/2B1KA3 w",
    "2bk1a3/9/5a3/9/1rbn5/1r1n5/3C5/3CB4/4A4/3K1AB2 b",
    "3k5/P3R4/P7C/P2N4C/P2N5/2B6/9/9/4A4/2B1KA3 w",
];

#[test]
fn every_move_reads_back_and_no_two_are_written_alike() {
    let checked = Cell::new([0; 2]);
    for (seed, fen) in CROWDED.iter().enumerate() {
        walk(&position(fen), seed as u64, 6, |pos| {
            for notation in Xiangqi::NOTATIONS {
                check_human(pos, notation);
            }
            let [positions, moves] = checked.get();
            checked.set([positions + 1, moves + pos.legal_moves().len()]);
        });
    }
    let [positions, moves] = checked.get();
    assert!(positions > 5_000, "{positions} positions, {moves} moves");
}

/// How a move is written in Chinese and in WXF.
fn written(pos: &Xiangqi, step: XiangqiMove) -> [String; 2] {
    ["chinese", "wxf"].map(|notation| pos.human(step, notation))
}

#[test]
fn single_pieces_are_written_with_their_file() {
    let mut pos = position(START);
    for (text, chinese, wxf) in [
        ("h2e2", "炮二平五", "C2=5"),
        ("h9g7", "马８进７", "H8+7"),
        ("h0g2", "马二进三", "H2+3"),
        ("i9h9", "车９平８", "R9=8"),
        ("i0i1", "车一进一", "R1+1"),
        ("g9e7", "象７进５", "E7+5"),
        ("d0e1", "仕六进五", "A6+5"),
        ("c6c5", "卒３进１", "P3+1"),
        ("i1i0", "车一退一", "R1-1"),
        ("e9e8", "将５进１", "K5+1"),
        ("g2h0", "马三退二", "H3-2"),
    ] {
        let step = pos.find_move(text).expect("a legal move");
        assert_eq!(written(&pos, step), [chinese, wxf]);
        pos.play(step);
    }
}

fn all_written(fen: &str, steps: &[&str]) -> Vec<[String; 2]> {
    let pos = position(fen);
    steps.iter().map(|text| written(&pos, pos.find_move(text).expect("a legal move"))).collect()
}

#[test]
fn several_on_a_file_are_written_by_their_place() {
    let five = all_written(CROWDED[1], &["b9c9", "b8c8", "b7c7", "b6c6", "b5c5"]);
    assert_eq!(five.concat()[..4], ["一兵平七", "++=7", "二兵平七", "P+=7"]);
    assert_eq!(five.concat()[4..], ["三兵平七", "P8=7", "四兵平七", "P-=7", "五兵平七", "--=7"]);
    let four = all_written(CROWDED[9], &["a8b8", "a7b7", "a6b6", "a5a6"][..3]);
    assert_eq!(four.concat(), ["一兵平八", "++=8", "二兵平八", "P+=8", "三兵平八", "P-=8"]);
    let three = all_written("4k4/2P6/2P6/2P3P2/9/9/9/9/9/3K5 w", &["c8d8", "c7d7", "c6d6", "g6f6"]);
    assert_eq!(three.concat()[..4], ["前兵平六", "P+=6", "中兵平六", "P7=6"]);
    assert_eq!(three.concat()[4..], ["后兵平六", "P-=6", "兵三平四", "P3=4"]);
    // The side of the black soldiers: the front is below.
    let two = all_written("4k4/9/9/9/9/2p6/2p6/9/9/3K5 b", &["c3c2", "c4b4"]);
    assert_eq!(two.concat(), ["前卒进１", "P++1", "后卒平２", "P-=2"]);
}

#[test]
fn soldiers_on_two_files_are_written_with_their_file() {
    let steps = ["c2c1", "c3d3", "c4d4", "g1f1", "g3f3"];
    let black = all_written(CROWDED[4], &steps);
    assert_eq!(black.concat()[..4], ["前卒３进１", "3++1", "中卒３平４", "33=4"]);
    assert_eq!(
        black.concat()[4..],
        ["后卒３平４", "3-=4", "前卒７平６", "7+=6", "后卒７平６", "7-=6"]
    );
}

#[test]
fn advisors_and_elephants_on_a_file_are_told_by_their_way() {
    let steps = ["d2e1", "d0e1", "c4a2", "c0a2"];
    let red = all_written("4k4/9/9/9/9/2B6/9/3A5/9/2BA1K2R w", &steps);
    assert_eq!(red.concat()[..4], ["仕六退五", "A6-5", "仕六进五", "A6+5"]);
    assert_eq!(red.concat()[4..], ["相七退九", "E7-9", "相七进九", "E7+9"]);
}

fn assert_reads(fen: &str, wire: &str, texts: &[&str]) {
    let pos = position(fen);
    for text in texts {
        let step = pos.find_move(text).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(pos.move_text(step), wire, "{text}");
    }
}

#[test]
fn forms_that_are_not_written_are_read() {
    let texts =
        ["炮二平五", "砲二平五", "包2平5", "炮２平５", " 炮 二平五 ", "C2=5", "c2.5", "C二平五"];
    assert_reads(START, "h2e2", &texts);
    assert_reads(START, "h0g2", &["馬二進三", "马2进3", "傌二进三", "H2+3", "n2+3"]);
    assert_reads(START, "g0e2", &["相三进五", "象三進五", "E3+5", "b3+5"]);
    assert_reads(START, "d0e1", &["仕六进五", "士6進5", "A6+5"]);
    assert_reads(START, "i0i1", &["車一進一", "俥一进一", "R1+1"]);
    assert_reads(START, "e0e1", &["帥五進一", "將五进1", "帅５进１", "k5+1"]);
    assert_reads(START, "e3e4", &["兵五进一", "卒5進1", "P5+1"]);
    let cannons = "4k4/9/9/9/9/9/9/7C1/7C1/3K5 w";
    assert_reads(cannons, "h1e1", &["後炮平五", "炮后平五", "后炮二平五", "C-=5", "-C=5", "C–.5"]);
    let (five, two) = (CROWDED[1], CROWDED[3]);
    assert_reads(five, "b9c9", &["前兵平七", "1兵平七", "++=7", "++.7"]);
    assert_reads(five, "b5c5", &["后兵平七", "五兵平7", "--.7"]);
    assert_reads(five, "b7c7", &["中兵平七", "三卒平七", "P8=7"]);
    // By the standard for programs the count goes from the right file to the left.
    assert_reads(two, "g6f6", &["一兵平四", "前三平四", "前兵三平四", "3+=4"]);
    assert_reads(two, "c7b7", &["四兵平八", "中七平八", "中兵平八", "77=8"]);
    assert_reads(two, "c8b8", &["三兵平八", "一兵七平八"]);
}

#[test]
fn a_text_that_fits_one_legal_move_needs_no_place() {
    // The rear cannon has no way to the side.
    assert_reads("4k4/9/9/9/9/9/9/7C1/6NCN/3K5 w", "h2e2", &["炮二平五", "C2=5"]);
}

#[test]
fn a_text_that_fits_several_moves_is_refused_with_them() {
    let fault = position("4k4/9/9/9/9/9/9/7C1/7C1/3K5 w").find_move("砲二平五").expect_err("two");
    assert_eq!(fault.kind, FaultKind::Move);
    let why = "`砲二平五` is ambiguous here; it may mean `h1e1` (后炮平五, C-=5) or `h2e2` (前炮平五, C+=5)";
    assert_eq!(fault.detail, why);
    let fault = position(CROWDED[3]).find_move("前兵进一").expect_err("two");
    assert!(fault.detail.contains("`c8c9` (前兵七进一, 7++1)"), "{}", fault.detail);
    assert!(fault.detail.contains("`g6g7` (前兵三进一, 3++1)"), "{}", fault.detail);
}

#[test]
fn a_text_that_fits_no_legal_move_is_told_why() {
    let refused = |fen: &str, text: &str, words: &str| {
        let fault = position(fen).find_move(text).expect_err("it is not legal");
        let said = format!("`{text}` is not a legal move here; {words}; legal: ");
        assert!(fault.detail.starts_with(&said), "{}", fault.detail);
    };
    refused(START, "炮三平五", "red has no such cannon");
    refused(START, "前炮平五", "red has no such cannon");
    refused(START, "C2=8", "the cannon on h2 cannot go there");
    refused(START, "车一平二", "a piece of the same side stands on h0");
    refused(START, "R1=1", "the chariot on i0 cannot go there");
    let five = "1P3k3/1P7/1P7/1P7/1P7/9/9/9/9/3K5 w";
    refused(five, "P8+1", "a piece of the same side stands on b8");
    let pinned = "3k5/9/9/9/4r4/9/9/9/r3R4/4K4 w";
    refused(pinned, "车五平四", "it leaves the general attacked by the chariot on e5");
    let words = "moves are written as file and rank of both points";
    for text in
        ["炮二平", "炮二平十", "二二", "炮平二五", "前前炮平五", "C2x5", "Q2=5", "兵前中平五"]
    {
        let fault = position(START).find_move(text).expect_err("it is no move");
        assert!(fault.detail.contains(words), "{}", fault.detail);
    }
}

/// `cchess` tells soldiers on two files apart no further than 前 and 后, and has 前 and 后 for the ends of four and five;
/// the standard has 一 to 五. `pyffish` leaves the place out where one piece alone can go that way, and counts three and
/// more soldiers, and all on two files, as 1 to 5 with their file, unlike the federations. Where they differ, their
/// Chinese is read all the same.
#[test]
fn moves_are_written_as_other_programs_write_them() {
    let text = include_str!("../../../../../../tests/data/xiangqi_notation.json");
    let data: Value = serde_json::from_str(text).expect("JSON");
    let (mut all, mut chinese, mut wxf) = (0, 0, 0);
    for game in data["games"].as_array().expect("games") {
        let mut pos = position(game["state"].as_str().expect("a FEN"));
        for row in game["moves"].as_str().expect("moves").split(',') {
            let forms: Vec<_> = row.split(' ').collect();
            let step = pos.find_move(forms[0]).unwrap_or_else(|why| panic!("{why}"));
            let kind = pos.kind_at(step.from).expect("a piece");
            let tandem = Tandem::of(&pos, pos.mover(), kind, step.from);
            all += 1;
            chinese += usize::from(is_chinese_alike(&pos, step, tandem, forms[1]));
            wxf += usize::from(is_wxf_alike(&pos, step, tandem, forms[2]));
            pos.play(step);
        }
    }
    assert_eq!((all, chinese, wxf), (3511, 3442, 3328));
}

/// Checks a recorded Chinese text; false if it is told apart by another rule.
fn is_chinese_alike(pos: &Xiangqi, step: XiangqiMove, tandem: Tandem, text: &str) -> bool {
    let read = pos.find_move(text);
    let wire = format!("`{}`", pos.move_text(step));
    let is_several = |why: &Fault| why.detail.contains("ambiguous") && why.detail.contains(&wire);
    assert!(read.as_ref().map_or_else(is_several, |&read| read == step), "{text}: {read:?}");
    let is_settled = tandem.count() == 1 || (tandem.count() < 4 && tandem.files == 1);
    let own = pos.human(step, "chinese");
    assert!(own == text || !is_settled, "{own} for {text}");
    own == text
}

/// Checks a recorded WXF text; false if it is told apart by another rule.
fn is_wxf_alike(pos: &Xiangqi, step: XiangqiMove, tandem: Tandem, text: &str) -> bool {
    let own = pos.human(step, "wxf");
    let is_settled = tandem.count() == 1 || (tandem.count() < 3 && tandem.files == 1);
    if is_settled {
        assert_eq!(pos.find_move(text).ok(), Some(step), "{text}");
        let is_without_place = text.as_bytes()[1].is_ascii_digit() && tandem.count() == 2;
        assert!(own == text || is_without_place, "{own} for {text}");
    }
    own == text
}
