//! The toys satisfy the contract too, and the exact methods agree where a game ends by running out of
//! moves.

use std::sync::Arc;

use bestmove::game::laws::{check_evaluator, check_game, check_indexed};
use bestmove::game::{Plain, Side};
use bestmove::search::alphabeta::AlphaBeta;
use bestmove::search::sg::Sg;
use bestmove::search::tablebase::{Lookup, Tablebase};
use bestmove::search::textbook::minimax::Minimax;
use bestmove::search::textbook::negamax::Negamax;
use bestmove::search::{Algorithm, Value, Wanted};

use crate::secret::{NUMBERS, Secret};
use crate::stuck::Heap;
use crate::support::pig::Pig;
use crate::support::{depth, run};

#[test]
fn the_toys_keep_the_laws() {
    check_game(&Pig::new(12), 1, 60);
    check_evaluator(&Pig::new(8), &Plain, 2, 2, 10);
    for hidden in 0..NUMBERS {
        check_game(&Secret::new(hidden), 3, 30);
    }
    check_game(&Heap::<-1>::new(20), 4, 30);
    check_indexed(&Heap::<-1>::new(20), 5, 30);
    check_evaluator(&Heap::<-1>::new(20), &Plain, 4, 6, 20);
    check_evaluator(&Heap::<0>::new(20), &Plain, 4, 7, 20);
    check_evaluator(&Heap::<1>::new(20), &Plain, 4, 8, 20);
}

/// Value of a heap by definition.
fn value(stones: u8, stuck: i8) -> Value {
    if stones < 2 {
        return [Value::Loss(0), Value::Draw, Value::Win(0)][(stuck + 1) as usize];
    }
    let after = [2, 3].into_iter().filter(|&take| take <= stones);
    let seen = after.map(|take| match value(stones - take, stuck) {
        Value::Win(plies) => Value::Loss(plies + 1),
        Value::Loss(plies) => Value::Win(plies + 1),
        other => other,
    });
    let rank = |value: &Value| match *value {
        Value::Win(plies) => 1_000 - i64::from(plies),
        Value::Loss(plies) => i64::from(plies) - 1_000,
        _ => 0,
    };
    seen.max_by_key(rank).expect("two stones can be taken")
}

fn check_stuck<const RESULT: i8>() {
    for stones in 2..20 {
        for mover in Side::BOTH {
            let pos = Heap { mover, ..Heap::<RESULT>::new(stones) };
            check_method("minimax", &Minimax::new(Plain), &pos);
            check_method("negamax", &Negamax::new(Plain), &pos);
            check_method("alphabeta", &AlphaBeta::new(Plain), &pos);
            check_method("sg", &Sg { max_states: 1_000 }, &pos);
            check_method("tablebase", &Lookup(Arc::new(Tablebase::build())), &pos);
        }
    }
}

fn check_method<const RESULT: i8>(
    name: &str,
    method: &impl Algorithm<Heap<RESULT>>,
    pos: &Heap<RESULT>,
) {
    let best = &run(method, pos, depth(20), Wanted::All).lines[0];
    assert_eq!(best.value, value(pos.stones, RESULT), "{name}: {pos:?}");
    assert!(best.exact, "{name}: {pos:?}");
}

#[test]
fn who_cannot_move_has_lost_won_or_drawn_as_the_game_says() {
    check_stuck::<-1>();
    check_stuck::<1>();
    check_stuck::<0>();
}
