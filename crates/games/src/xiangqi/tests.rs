mod oracle;

use serde_json::Value;

use self::oracle::Oracle;
use super::chase::threats;
use super::squares::squares;
use super::{PieceKind, SQUARES, Xiangqi, XiangqiMove, XiangqiRules};
use crate::notation::{Notation, Settings, StateInput};
use engine::game::laws::check_game;
use engine::game::{Game, Outcome, Rng, Side, Turn};

fn position(fen: &str) -> Xiangqi {
    let settings = Settings::defaults(Xiangqi::facts().options);
    Xiangqi::read(StateInput::Text(fen), &settings).unwrap_or_else(|why| panic!("{fen}: {why}"))
}

fn moves(pos: &Xiangqi) -> Vec<XiangqiMove> {
    let mut moves = Vec::new();
    pos.legal(&mut moves);
    moves
}

/// The positions with recorded moves, except an unreachable one.
fn recorded() -> Vec<Xiangqi> {
    let text = include_str!("../../../../tests/data/xiangqi_perft.json");
    let data: Value = serde_json::from_str(text).expect("JSON");
    let rows = data["positions"].as_array().expect("positions");
    let rows = rows.iter().filter(|row| row["id"] != "perft-065");
    rows.map(|row| position(row["fen"].as_str().expect("a FEN"))).collect()
}

/// Calls `check` in every position of random games from the recorded positions.
fn for_random_positions(games: u64, mut check: impl FnMut(&Xiangqi)) {
    let mut rng = Rng::new(7);
    for start in recorded() {
        for _ in 0..games {
            let mut pos = start;
            for _ in 0..150 {
                check(&pos);
                if pos.turn() == Turn::Over(Outcome::Draw) {
                    break;
                }
                let Some(step) = pos.random_move(&mut rng, &mut Vec::new()) else { break };
                pos.play(step);
            }
        }
    }
}

fn sorted(mut steps: Vec<XiangqiMove>) -> Vec<XiangqiMove> {
    steps.sort_by_key(|&step| Xiangqi::move_code(step));
    steps
}

#[test]
fn a_position_is_small_enough_to_be_copied_for_every_move() {
    assert!(size_of::<Xiangqi>() <= 320, "{} bytes", size_of::<Xiangqi>());
}

#[test]
fn the_rules_keep_the_laws() {
    check_game(&Xiangqi::default(), 3, 4);
    check_game(&position("4kab2/4a4/4b4/p3n3p/2P6/6R2/P7P/4B4/4A4/2BAK2r1 w"), 1, 10);
    check_game(&position("3ak4/9/9/9/9/9/9/9/4A4/4KC3 w"), 1, 10);
    check_game(&position("3k5/4a4/3a5/9/9/9/9/9/4K4/7C1 w"), 1, 10);
}

#[test]
fn moves_are_those_of_the_plain_board() {
    for_random_positions(3, |pos| {
        let oracle = Oracle::of(pos);
        assert_eq!(sorted(moves(pos)), sorted(oracle.moves()), "{pos:?}");
        assert_eq!(pos.in_check(), oracle.is_attacked(pos.mover()), "{pos:?}");
    });
}

#[test]
fn captures_are_the_moves_that_capture_and_checks_are_foretold() {
    for_random_positions(3, |pos| {
        let mut captures = Vec::new();
        pos.captures(&mut captures);
        let mut all = moves(pos);
        for &step in &all {
            assert_eq!(pos.gives_check(step), pos.after(step).in_check(), "{step:?}: {pos:?}");
        }
        all.retain(|&step| pos.is_capture(step));
        assert_eq!(captures, all, "{pos:?}");
    });
}

#[test]
fn attackers_are_those_of_the_plain_board() {
    for_random_positions(1, |pos| {
        for target in squares(pos.occupied()) {
            let found: Vec<_> = squares(pos.attackers_to(target, pos.occupied())).collect();
            let mut plain = Oracle::of(pos).attackers_to(target);
            plain.sort_unstable();
            assert_eq!(found, plain, "{target}: {pos:?}");
        }
    });
}

/// The position without the piece on a square, otherwise unchanged.
fn without(pos: &Xiangqi, square: u8) -> Xiangqi {
    Xiangqi::new(|n| pos.at(n).filter(|_| n != square), pos.mover(), pos.quiet(), pos.rules())
}

#[test]
fn attackers_on_a_board_with_fewer_pieces_are_those_of_that_board() {
    let mut rng = Rng::new(3);
    for_random_positions(1, |pos| {
        let general = |square| pos.kind_at(square) == Some(PieceKind::General);
        let others: Vec<_> = squares(pos.occupied()).filter(|&n| !general(n)).collect();
        let Some(gone) = rng.pick(&others) else { return };
        let fewer = without(pos, gone);
        for target in squares(fewer.occupied()) {
            let found = pos.attackers_to(target, fewer.occupied());
            assert_eq!(found, fewer.attackers_to(target, fewer.occupied()), "{target}: {pos:?}");
        }
    });
}

#[test]
fn what_is_kept_from_move_to_move_is_what_the_board_says() {
    for_random_positions(3, |pos| {
        let built = Xiangqi::new(|square| pos.at(square), pos.mover(), pos.quiet(), pos.rules());
        pos.check_same_state(&built);
    });
}

#[test]
fn a_passed_turn_is_the_same_board_with_the_other_mover() {
    for_random_positions(1, |pos| {
        let built = Xiangqi::new(|n| pos.at(n), pos.mover().other(), pos.quiet(), pos.rules());
        pos.passed().check_same_state(&built);
    });
}

/// The position after these moves.
fn played(fen: &str, moves: &[&str]) -> Xiangqi {
    moves.iter().fold(position(fen), |pos, text| {
        pos.after(pos.find_move(text).unwrap_or_else(|why| panic!("{why}")))
    })
}

#[test]
fn a_capture_begins_the_count_of_quiet_plies_anew_and_a_soldier_does_not() {
    let start = Xiangqi::default();
    let fen = start.text().expect("a FEN");
    assert_eq!(played(&fen, &["a3a4", "a6a5"]).quiet(), 2);
    assert_eq!(played(&fen, &["a3a4", "a6a5", "a4a5"]).quiet(), 0);
}

#[test]
fn checks_beyond_the_tenth_and_the_replies_to_them_are_not_counted() {
    let mut pos = position("4k4/1R7/9/9/9/9/1p7/9/9/3K5 w - - 5 1");
    let turns = [["b8b9", "e9e8"], ["b9b8", "e8e9"]];
    for check in 1_u8..=14 {
        let [attack, reply] = turns[usize::from(check + 1) % 2];
        for text in [attack, reply] {
            pos.play(pos.find_move(text).unwrap_or_else(|why| panic!("{why}")));
        }
        assert_eq!(pos.quiet(), 5 + 2 * check.min(10), "after check {check}");
    }
    // A non-checking move counts, and so do checks after a capture.
    let quiet = pos.after(pos.find_move("b8b7").expect("a legal move"));
    assert_eq!(quiet.quiet(), 26);
    for (text, count) in [("b8b3", 0), ("e9e8", 1), ("b3b8", 2), ("e8e9", 3)] {
        pos.play(pos.find_move(text).unwrap_or_else(|why| panic!("{why}")));
        assert_eq!(pos.quiet(), count, "{text}");
    }
}

/// Calls `check` for every placement of these pieces.
fn arrange(pieces: &[(Side, PieceKind)], check: &mut impl FnMut(&Xiangqi)) {
    fn put(
        left: &[(Side, PieceKind)],
        board: &mut [Option<(Side, PieceKind)>; SQUARES],
        check: &mut impl FnMut(&Xiangqi),
    ) {
        let Some((&(side, kind), rest)) = left.split_first() else {
            for mover in Side::BOTH {
                let pos = Xiangqi::new(|n| board[usize::from(n)], mover, 0, XiangqiRules::Computer);
                if !pos.passed().in_check() {
                    check(&pos);
                }
            }
            return;
        };
        for square in squares(super::squares::points(side, kind)) {
            if board[usize::from(square)].is_none() {
                board[usize::from(square)] = Some((side, kind));
                put(rest, board, check);
                board[usize::from(square)] = None;
            }
        }
    }
    let generals = Side::BOTH.map(|side| (side, PieceKind::General));
    put(&[&generals[..], pieces].concat(), &mut [None; SQUARES], check);
}

const RED_CANNON: (Side, PieceKind) = (Side::First, PieceKind::Cannon);
const RED_ELEPHANT: (Side, PieceKind) = (Side::First, PieceKind::Elephant);
const BLACK_ADVISOR: (Side, PieceKind) = (Side::Second, PieceKind::Advisor);
const BLACK_CANNON: (Side, PieceKind) = (Side::Second, PieceKind::Cannon);

#[test]
fn dead_material_is_a_draw_and_leaves_nobody_without_a_move() {
    for pieces in [
        &[][..],
        &[BLACK_ADVISOR],
        &[RED_CANNON],
        &[RED_CANNON, RED_ELEPHANT],
        &[RED_CANNON, BLACK_ADVISOR],
    ] {
        arrange(pieces, &mut |pos| {
            assert_eq!(pos.turn(), Turn::Over(Outcome::Draw), "{pos:?}");
            assert_ne!(moves(pos), [], "{pos:?}");
        });
    }
}

/// True if the mover is mated or has a mate in one, by the reference board.
fn is_decided(pos: &Xiangqi) -> bool {
    let stuck = |pos: &Xiangqi| Oracle::of(pos).moves().is_empty();
    stuck(pos) || Oracle::of(pos).moves().into_iter().any(|step| stuck(&pos.after(step)))
}

#[test]
fn nearly_dead_material_is_a_draw_unless_a_mate_is_at_hand() {
    // The reference board is slow: it verifies a sample of the positions.
    for (pieces, one_in) in [
        ([RED_CANNON, BLACK_ADVISOR, BLACK_ADVISOR], 200),
        ([RED_CANNON, RED_ELEPHANT, BLACK_ADVISOR], 300),
        ([RED_CANNON, BLACK_CANNON, RED_ELEPHANT], 6_000),
    ] {
        let mut rng = Rng::new(1);
        arrange(&pieces, &mut |pos| {
            if rng.below(one_in) == 0 {
                let drawn = pos.turn() == Turn::Over(Outcome::Draw);
                assert_eq!(drawn, !is_decided(pos), "{pos:?}");
            }
        });
    }
    for (fen, mate) in [
        ("3ak4/C3a4/9/9/9/9/9/9/9/4K4 w", true),
        ("9/9/3ak4/9/6b2/6B2/9/9/4CK3/9 w", true),
        ("3a5/3k3C1/3a5/9/9/9/9/9/4K4/9 b", false),
    ] {
        let pos = position(fen);
        assert_eq!(pos.turn(), Turn::Of(pos.mover()), "{fen}");
        assert_eq!((is_decided(&pos), !moves(&pos).is_empty()), (true, mate), "{fen}");
        let drawn = |&step: &XiangqiMove| pos.after(step).turn() == Turn::Over(Outcome::Draw);
        let over = moves(&pos).into_iter().filter(|step| !drawn(step));
        assert_eq!(over.count(), usize::from(mate), "only the mate is no draw: {fen}");
    }
}

#[test]
fn the_game_goes_on_with_material_that_can_win() {
    for fen in [
        "3k5/4a4/3a5/9/9/9/9/4B4/4K4/7C1 w",
        "3k5/9/9/9/9/9/9/9/4A4/4K2C1 w",
        "3kc4/9/9/9/9/9/9/9/4A4/4K2C1 w",
        "3k5/9/9/9/9/9/9/9/9/4K2CC w",
        "3k5/9/9/9/9/9/9/9/9/4K2N1 w",
        "3k5/9/9/9/p8/9/9/9/9/4K4 w",
    ] {
        assert_eq!(position(fen).turn(), Turn::Of(Side::First), "{fen}");
    }
}

/// The names of the pieces that Red threatens.
fn red_threats(fen: &str) -> String {
    let name = |square| format!("{:?}", XiangqiMove { from: square, to: square })[..2].to_owned();
    squares(threats(&position(fen), Side::First)).map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_threat_is_a_capture_that_wins_something() {
    for (what, fen, threatened) in [
        ("an elephant, a protected cannon", "2r2k3/9/9/9/9/2c6/9/4B4/9/3K5 w", "c4"),
        ("an elephant, a protected horse", "2r2k3/9/9/9/9/2n6/9/4B4/9/3K5 w", "c4"),
        ("an elephant, a protected soldier", "2r2k3/9/9/9/9/2p6/9/4B4/9/3K5 w", ""),
        ("an elephant, a soldier across the river", "5k3/9/9/9/9/2p6/9/4B4/9/3K5 w", "c4"),
        ("an advisor, a protected cannon", "4kr3/9/9/9/9/9/9/5c3/4A4/3K5 w", "f2"),
        ("a chariot, a soldier at home", "5k3/9/9/2p6/9/9/9/9/9/2RK5 w", ""),
        ("a chariot, a horse", "5k3/9/9/2n6/9/9/9/9/9/2RK5 w", "c6"),
        ("a chariot, a protected horse", "2r2k3/9/9/2n6/9/9/9/9/9/2RK5 w", ""),
        ("a horse, a protected chariot", "2r2k3/9/2r6/9/3N5/9/9/9/9/3K5 w", "c7"),
        ("a horse, a protected cannon", "2r2k3/9/2c6/9/3N5/9/9/9/9/3K5 w", ""),
        ("a cannon, a protected chariot", "2r2k3/2r6/9/2P6/9/9/9/9/9/2CK5 w", "c8"),
        ("a soldier and a general", "5k3/9/9/2n6/2P6/9/9/9/4c4/4K4 w", ""),
        ("the protector is pinned", "4k4/9/9/9/9/2c1r4/9/9/9/2RKR4 w", "c4"),
        ("the general protects", "4ka3/9/9/9/9/9/9/9/9/3K1R3 w", ""),
        ("the general may not", "4ka3/9/6N2/9/9/9/9/9/9/3K1R3 w", "f9"),
        ("chariots on one line", "4k4/9/9/9/R3r4/9/9/9/9/3K5 w", ""),
        ("a chariot pinned on another line", "4k4/9/9/9/R3r4/9/9/9/9/3KR4 w", "e5"),
        ("horses", "5k3/9/3n5/9/4N4/9/9/9/9/3K5 w", ""),
        ("a horse whose leg is blocked", "5k3/9/2n6/2p6/3N5/9/9/9/9/3K5 w", "c7"),
        ("a piece that shields its general", "4k4/9/9/9/4r4/9/c3R4/9/9/4K4 w", ""),
        ("the same without the need", "4k4/9/9/9/4r4/9/c3R4/9/9/3K5 w", "a3"),
    ] {
        assert_eq!(red_threats(fen), threatened, "{what}: {fen}");
        let other = Side::Second;
        let turned = position(fen).passed();
        let mirrored = |square: u8| turned.at(89 - square).map(|(side, kind)| (side.other(), kind));
        for mover in Side::BOTH {
            let pos = Xiangqi::new(mirrored, mover, 0, XiangqiRules::Computer);
            let found = threats(&pos, other).reverse_bits() >> (128 - SQUARES);
            assert_eq!(found, threats(&position(fen), Side::First), "turned round: {what}");
        }
    }
}

#[test]
fn positions_are_equal_when_board_and_mover_are() {
    let pos = Xiangqi::default();
    let (late, early) =
        (played(&pos.text().expect("a FEN"), &["a0a1", "a9a8", "a1a0", "a8a9"]), pos);
    assert!(late == early && late.quiet() != early.quiet());
    assert!(pos != pos.passed() && pos == pos.passed().passed());
}
