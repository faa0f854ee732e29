//! Pattern knowledge compared with actual moves, and with knowledge computed from scratch.

use super::*;
use crate::gomoku::knowledge::Duty;
use engine::game::{Rng, Turn};

/// The points where a stone of `side` wins.
fn fives(pos: &Gomoku, side: Side) -> Vec<Point> {
    let empty = pos.points().filter(|&at| pos.stone(at).is_none());
    empty.filter(|&at| pos.makes_five(side, at)).collect()
}

/// Threat of a stone, found by playing it and the next ones; threes count as quiet.
fn slow_threat(pos: &Gomoku, side: Side, at: Point) -> Threat {
    if pos.makes_five(side, at) {
        return Threat::Five;
    }
    let mut after = *pos;
    after.put(side, at);
    match fives(&after, side).len() {
        0 => Threat::Quiet,
        1 => Threat::Four,
        _ => Threat::OpenFour,
    }
}

/// A threat at the resolution of the slow method.
fn coarse(threat: Threat) -> Threat {
    match threat {
        Threat::Three | Threat::DoubleThree => Threat::Quiet,
        Threat::FourThree => Threat::Four,
        other => other,
    }
}

#[test]
fn threats_are_what_putting_the_stones_shows() {
    let mut rng = Rng::new(5);
    for rules in
        [GomokuRules::Freestyle, GomokuRules::Standard, GomokuRules::Renju, GomokuRules::Caro]
    {
        let mut fours = 0;
        for _ in 0..60 {
            let mut pos = Gomoku::by_rules(15, rules).expect("a size");
            let mut known = Knowledge::of(&pos);
            // Black plays close together, so that lines arise.
            while pos.stones() < 60 && matches!(pos.turn(), Turn::Of(_)) {
                let mut moves = pos.legal_moves();
                moves.retain(|at| at.x.abs_diff(7) + at.y.abs_diff(7) < 8);
                let Some(at) = rng.pick(&moves) else { break };
                let before = pos;
                pos.play(at);
                known.push(before.mover(), at, &pos);
            }
            for side in Side::BOTH {
                if pos.has_five() || !fives(&pos, side).is_empty() {
                    continue;
                }
                for at in pos.points().filter(|&at| pos.stone(at).is_none()) {
                    let seen = known.threat(side, at);
                    let slow = slow_threat(&pos, side, at);
                    // By renju two fours in a line are forbidden, and do not count as a four.
                    if pos.restricts(side) && known.is_suspect(at) {
                        continue;
                    }
                    assert_eq!(coarse(seen), slow, "{rules:?} {side:?} {at:?} in {pos:?}");
                    fours += u32::from(seen >= Threat::Four);
                }
            }
        }
        assert!(fours > 50, "{rules:?}: only {fours} fours were seen");
    }
}

/// Compares the bits of a stance with the result of actual moves, and counts them. Neither side has a
/// four.
fn check_stance(pos: &Gomoku, mover: Side, seen: &mut [usize; 9]) {
    let known = Knowledge::of(pos);
    let has = |side: Side, wanted: Threat| {
        let empty = pos.points().filter(|&at| pos.stone(at).is_none());
        let threat = |at| match slow_threat(pos, side, at) {
            // The slow method counts threes as quiet.
            Threat::Quiet | Threat::Four => known.threat(side, at),
            other => other,
        };
        empty.map(threat).any(|threat| threat == wanted)
    };
    let opponent = mover.other();
    let own = [Threat::Three, Threat::DoubleThree, Threat::Four, Threat::FourThree];
    let bits = own.map(|threat| has(mover, threat)).into_iter();
    let bits = bits
        .chain(own.map(|threat| has(opponent, threat)))
        .chain([has(opponent, Threat::OpenFour)]);
    let stance = known.stance(mover);
    for (n, bit) in bits.enumerate() {
        assert_eq!(stance >> (8 - n) & 1 == 1, bit, "bit {n} of {stance:b} in {pos:?}");
        seen[n] += usize::from(bit);
    }
}

#[test]
fn the_stance_says_which_threats_there_are() {
    let mut rng = Rng::new(7);
    let mut seen = [0_usize; 9];
    for _ in 0..12 {
        let mut pos = Gomoku::by_rules(15, GomokuRules::Freestyle).expect("a size");
        while let Turn::Of(mover) = pos.turn() {
            if pos.stones() > 5 && Side::BOTH.into_iter().all(|side| fives(&pos, side).is_empty()) {
                check_stance(&pos, mover, &mut seen);
            }
            let mut moves = pos.legal_moves();
            moves.retain(|at| at.x.abs_diff(7) + at.y.abs_diff(7) < 8);
            let Some(at) = rng.pick(&moves) else { break };
            pos.play(at);
        }
    }
    assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
}

/// All positions of a random game, which this knowledge of its start follows to its end.
pub(in crate::gomoku::knowledge) fn played_at_random(
    start: Gomoku,
    known: &mut Knowledge,
    rng: &mut Rng,
) -> Vec<Gomoku> {
    let (mut pos, mut line) = (start, vec![start]);
    while let Turn::Of(mover) = pos.turn() {
        let Some(at) = pos.random_move(rng, &mut Vec::new()) else { break };
        pos.play(at);
        known.push(mover, at, &pos);
        line.push(pos);
    }
    line
}

#[test]
fn what_is_known_follows_the_line() {
    let mut rng = Rng::new(6);
    for rules in [GomokuRules::Freestyle, GomokuRules::Renju] {
        let start = Gomoku::by_rules(15, rules).expect("a size");
        let mut known = Knowledge::of(&start);
        let mut line = played_at_random(start, &mut known, &mut rng);
        while let Some(pos) = line.pop() {
            let fresh = Knowledge::of(&pos);
            assert_eq!((known.counts, known.sums), (fresh.counts, fresh.sums), "{pos:?}");
            assert_eq!(known.threats, fresh.threats, "{pos:?}");
            known.pop();
        }
    }
}

#[test]
fn who_cannot_stop_two_open_threes_has_lost_in_four() {
    let mut pos = Gomoku::by_rules(15, GomokuRules::Freestyle).expect("a size");
    let threes = [(5, 7), (6, 7), (7, 7), (10, 2), (10, 3), (10, 4)];
    let elsewhere = [(0, 0), (0, 14), (14, 0), (14, 14), (2, 11)];
    for (side, stones) in [(Side::First, &threes[..]), (Side::Second, &elsewhere)] {
        for &(x, y) in stones {
            pos.put(side, Point { x, y });
        }
    }
    let pos = pos.with_mover(Side::Second);
    let empty =
        |pos: &Gomoku| -> Vec<_> { pos.points().filter(|&at| pos.stone(at).is_none()).collect() };
    // Black has no five yet; whatever white plays, black's next stone can make two.
    assert!(fives(&pos, Side::First).is_empty());
    for reply in empty(&pos) {
        let mut after = pos;
        after.put(Side::Second, reply);
        let is_open_four = |&at: &Point| {
            let mut four = after;
            four.put(Side::First, at);
            fives(&four, Side::First).len() > 1
        };
        assert!(empty(&after).iter().any(is_open_four), "{reply:?} stops both");
    }
    let duty = Knowledge::of(&pos).duty(&pos, Side::Second, &mut Vec::new());
    assert_eq!(duty, Duty::Lost(4));
}

#[test]
fn a_smoothed_value_is_the_mean_of_two_positions_in_a_row() {
    let mut rng = Rng::new(11);
    let mut apart = 0;
    for _ in 0..20 {
        let mut pos = Gomoku::new(15).expect("a size");
        let mut known = Knowledge::of(&pos);
        for _ in 0..30 {
            let mut moves = pos.legal_moves();
            moves.retain(|at| at.x.abs_diff(7) + at.y.abs_diff(7) < 6);
            let (before, Some(at)) = (pos, rng.pick(&moves)) else { break };
            pos.play(at);
            let Turn::Of(mover) = pos.turn() else { break };
            known.push(before.mover(), at, &pos);
            // Both computed from scratch; the weights of move and threats are those of the new position.
            let (then, now) = (Knowledge::of(&before), Knowledge::of(&pos));
            let points = |known: &Knowledge, mover: Side| worth::lead(&known.sums, mover);
            let mean = (points(&now, mover) - points(&then, mover.other())) / 2;
            assert_eq!(known.smoothed(mover), worth::units(mean, now.stance(mover)));
            apart += u32::from(known.smoothed(mover) != known.value(mover));
        }
    }
    assert!(apart > 400, "{apart}");
}
