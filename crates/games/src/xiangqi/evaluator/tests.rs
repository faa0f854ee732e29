use super::see;
use super::weights::SCALE;
use super::{PieceKind, SQUARES, Xiangqi, XiangqiEvaluation, XiangqiEvaluator, XiangqiMove};
use crate::notation::{Notation, Settings, StateInput};
use crate::xiangqi::XiangqiRules;
use engine::game::laws::{check_evaluator, check_fitted};
use engine::game::{Evaluator, Fitted, Game, Rng, Side, Tactics, Verdict};

fn position(fen: &str) -> Xiangqi {
    let settings = Settings::defaults(Xiangqi::facts().options);
    Xiangqi::read(StateInput::Text(fen), &settings).unwrap_or_else(|why| panic!("{fen}: {why}"))
}

fn step(pos: &Xiangqi, text: &str) -> XiangqiMove {
    pos.find_move(text).unwrap_or_else(|why| panic!("{why}"))
}

/// Positions of random games.
fn some_positions(games: usize) -> Vec<Xiangqi> {
    let mut rng = Rng::new(7);
    let mut found = Vec::new();
    for _ in 0..games {
        let mut pos = Xiangqi::default();
        for _ in 0..120 {
            let Some(mv) = pos.random_move(&mut rng, &mut Vec::new()) else { break };
            pos.play(mv);
            found.push(pos);
        }
    }
    found
}

#[test]
fn the_strategist_keeps_the_laws() {
    let material = XiangqiEvaluator::new(XiangqiEvaluation::Material);
    check_evaluator(&Xiangqi::default(), &material, 1, 13, 4);
    check_evaluator(&Xiangqi::default(), &XiangqiEvaluator::new(XiangqiEvaluation::Hand), 1, 11, 6);
    check_evaluator(&Xiangqi::default(), &XiangqiEvaluator::default(), 1, 11, 6);
}

/// Against the scale of the option's description, piece by piece.
#[test]
fn material_is_the_sum_of_the_pieces_wherever_they_stand() {
    let worth = |pos: &Xiangqi, square: u8| {
        let Some((side, kind)) = pos.at(square) else { return 0 };
        let rank = square / 9;
        let crossed = if side == Side::First { rank >= 5 } else { rank < 5 };
        side.sign()
            * match kind {
                PieceKind::General => 0,
                PieceKind::Advisor | PieceKind::Elephant => 200,
                PieceKind::Horse => 400,
                PieceKind::Chariot => 900,
                PieceKind::Cannon => 450,
                PieceKind::Soldier if crossed => 200,
                PieceKind::Soldier => 100,
            }
    };
    let mut evaluator = XiangqiEvaluator::new(XiangqiEvaluation::Material);
    assert!(!evaluator.randomize(5), "a seed adds no preferences");
    for pos in some_positions(30) {
        let balance: i32 = (0..SQUARES as u8).map(|square| worth(&pos, square)).sum();
        for side in Side::BOTH {
            assert_eq!(evaluator.evaluate(&pos, side), side.sign() * balance, "{pos:?}");
        }
    }
}

#[test]
fn preferences_are_small_belong_to_the_seed_and_end_with_the_opening() {
    let evaluator = |seed| {
        let mut evaluator = XiangqiEvaluator::default();
        assert_eq!(evaluator.randomize(seed), seed != 0, "seed {seed}");
        evaluator
    };
    let value = |seed, pos: &Xiangqi| evaluator(seed).evaluate(pos, Side::First);
    let mut differing = 0;
    for pos in some_positions(20) {
        let (plain, liked) = (value(0, &pos), value(5, &pos));
        assert_eq!(liked, value(5, &pos), "{pos:?}");
        assert_eq!(liked, -value(5, &changed(&pos, true)), "{pos:?}");
        let officers =
            pos.both(PieceKind::Horse) | pos.both(PieceKind::Chariot) | pos.both(PieceKind::Cannon);
        // A twentieth of a soldier for a piece, and nothing once a chariot and two others a side are gone.
        let most = if officers.count_ones() <= 6 { 0 } else { 5 * officers.count_ones() as i32 };
        assert!((liked - plain).abs() <= most, "{plain} {liked} {pos:?}");
        differing += i32::from(liked != value(6, &pos));
    }
    assert!(differing > 500, "{differing}");
    check_evaluator(&Xiangqi::default(), &evaluator(3), 1, 12, 3);
}

#[test]
fn an_evaluation_is_the_sum_of_its_weights_by_how_often_they_come_up() {
    check_fitted(&Xiangqi::default(), &XiangqiEvaluator::new(XiangqiEvaluation::Hand), 3, 60);
}

#[test]
fn weights_that_have_not_changed_are_written_as_they_stand() {
    let evaluator = XiangqiEvaluator::default();
    let mut weights = evaluator.weights();
    assert_eq!(evaluator.source(&weights, SCALE), include_str!("weights.rs"));
    weights[2 * 9 + 1] = -1_234.6;
    let other = evaluator.source(&weights, SCALE + 0.54);
    let was = include_str!("weights.rs");
    let changed: Vec<_> = was.lines().zip(other.lines()).filter(|(old, new)| old != new).collect();
    let [(_, scale), (_, row)] = changed[..] else { panic!("{changed:?}") };
    assert_eq!(scale, format!("pub(super) const SCALE: f64 = {:.1};", SCALE + 0.54));
    assert!(row.ends_with(", -1235],"), "the fifth pair of its line: {row}");
}

#[test]
fn a_move_from_another_position_than_the_last_is_valued_like_its_position() {
    let mut rng = Rng::new(9);
    for pos in some_positions(20) {
        let mut evaluator = XiangqiEvaluator::default();
        evaluator.enter(&Xiangqi::default());
        let Some(mv) = pos.random_move(&mut rng, &mut Vec::new()) else { continue };
        let after = pos.after(mv);
        evaluator.push(&pos, mv, &after);
        let fresh = XiangqiEvaluator::default().evaluate(&after, after.mover());
        assert_eq!(evaluator.evaluate(&after, after.mover()), fresh, "{after:?}");
    }
}

#[test]
fn a_line_with_a_pass_is_valued_like_its_positions() {
    let fresh = |pos: &Xiangqi| XiangqiEvaluator::default().evaluate(pos, pos.mover());
    let (mut rng, mut passes) = (Rng::new(8), 0);
    for root in some_positions(20) {
        let mut evaluator = XiangqiEvaluator::default();
        evaluator.enter(&root);
        let Some(mv) = root.random_move(&mut rng, &mut Vec::new()) else { continue };
        let pos = root.after(mv);
        evaluator.push(&root, mv, &pos);
        let Some(passed) = evaluator.pass(&pos, pos.mover()) else { continue };
        evaluator.push_pass(&passed);
        let Some(reply) = passed.random_move(&mut rng, &mut Vec::new()) else { continue };
        let after = passed.after(reply);
        evaluator.push(&passed, reply, &after);
        for (n, pos) in [after, passed, pos, root].iter().enumerate() {
            assert_eq!(evaluator.evaluate(pos, pos.mover()), fresh(pos), "{n} taken back\n{pos:?}");
            evaluator.pop();
        }
        passes += 1;
    }
    assert!(passes > 1_000, "{passes}");
}

/// The board rotated with the sides exchanged, or mirrored left to right.
fn changed(pos: &Xiangqi, turn: bool) -> Xiangqi {
    let seen = |square: u8| {
        let (file, rank) = (square % 9, square / 9);
        if turn { (9 - rank) * 9 + file } else { rank * 9 + 8 - file }
    };
    let piece = |square: u8| {
        let (side, kind) = pos.at(seen(square))?;
        Some((if turn { side.other() } else { side }, kind))
    };
    let mover = if turn { pos.mover().other() } else { pos.mover() };
    Xiangqi::new(piece, mover, pos.quiet(), XiangqiRules::Computer)
}

#[test]
fn an_evaluation_does_not_depend_on_colour_and_by_hand_not_on_the_wing() {
    let mut hand = XiangqiEvaluator::new(XiangqiEvaluation::Hand);
    let mut network = XiangqiEvaluator::default();
    for pos in some_positions(20) {
        let value = hand.evaluate(&pos, pos.mover());
        for turn in [false, true] {
            let other = changed(&pos, turn);
            assert_eq!(hand.evaluate(&other, other.mover()), value, "{pos:?}");
        }
        let other = changed(&pos, true);
        let value = network.evaluate(&pos, pos.mover());
        assert_eq!(network.evaluate(&other, other.mover()), value, "{pos:?}");
    }
}

/// Exhaustive static exchange value on a square, both sides free to stop: all capture orders with the
/// cheapest piece first, ignoring pins.
fn brought(pos: &Xiangqi, step: XiangqiMove) -> i32 {
    fn answer(pos: &Xiangqi, square: u8, occupied: u128, side: Side, standing: i32) -> i32 {
        let all = pos.attackers_to(square, occupied) & !(1 << square);
        let worth = |from: u8| see::value_of(pos.kind_at(from));
        let own = (0..SQUARES as u8).filter(|&from| all & pos.of(side) & (1 << from) != 0);
        let Some(from) = own.min_by_key(|&from| worth(from)) else { return 0 };
        if pos.kind_at(from) == Some(PieceKind::General) && all & pos.of(side.other()) != 0 {
            return 0;
        }
        let left = occupied & !(1 << from);
        (standing - answer(pos, square, left, side.other(), worth(from))).max(0)
    }
    let occupied = pos.occupied() & !(1 << step.from) | 1 << step.to;
    let standing = see::value_of(pos.kind_at(step.from));
    let gain = see::value_of(pos.kind_at(step.to));
    gain - answer(pos, step.to, occupied, pos.mover().other(), standing)
}

#[test]
fn an_exchange_brings_what_taking_and_stopping_at_will_brings() {
    let mut compared = 0;
    for pos in some_positions(30) {
        let moves = pos.legal_moves();
        for step in moves {
            let brought = brought(&pos, step);
            for least in [brought - 1, brought, brought + 1, 0] {
                let enough = see::brings(&pos, step, least);
                assert_eq!(enough, brought >= least, "{step:?} brings {brought}, {least}\n{pos:?}");
            }
            compared += 1;
        }
    }
    assert!(compared > 50_000, "{compared}");
}

/// Verdict of the evaluator after a sequence of moves.
fn said(fen: &str, moves: &str, history: usize) -> Option<Verdict> {
    let mut pos = position(fen);
    let mut evaluator = XiangqiEvaluator::default();
    let mut game = vec![pos];
    let moves: Vec<_> = moves.split(' ').collect();
    for text in &moves[..history] {
        pos.play(step(&pos, text));
        game.push(pos);
    }
    evaluator.set_history(&game);
    evaluator.enter(&pos);
    for text in &moves[history..] {
        let mv = step(&pos, text);
        let next = pos.after(mv);
        evaluator.push(&pos, mv, &next);
        pos = next;
    }
    evaluator.verdict(&pos)
}

#[test]
fn a_line_that_comes_back_is_judged_at_once_and_the_game_at_the_third_time() {
    // Perpetual check by the chariot: the checking side loses.
    let fen = "3k5/9/9/9/9/9/9/4R4/9/5K3 w - - 0 1";
    let round = "e2d2 d9e9 d2e2 e9d9";
    let twice = format!("{round} {round}");
    let longer = format!("{round} e2d2 d9e9");
    assert_eq!(said(fen, &longer, 0), Some(Verdict::Loss), "the line has come back to itself");
    assert_eq!(said(fen, round, 0), None, "back at the root once");
    assert_eq!(said(fen, &twice, 4), Some(Verdict::Loss), "the third time in the game");
    assert_eq!(said(fen, "e2d2 d9e9 d2d3 e9e8", 0), None);
}
