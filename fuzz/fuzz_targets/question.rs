//! The body of `/v1/bestmove`: it is refused or answered with a legal move.

#![no_main]

use std::time::{Duration, Instant};

use bestmove_fuzz::CATALOG;
use catalog::question::{PositionQuestion, Question};
use catalog::{Allowance, Context};
use engine::SharedTable;
use libfuzzer_sys::fuzz_target;
use serde_json::Map;

const TIME: Duration = Duration::from_millis(1);
const TABLE_ENTRIES: usize = 1 << 12;

fuzz_target!(|body: &[u8]| {
    let Ok(mut question) = serde_json::from_slice::<Question>(body) else { return };
    limit(&mut question);
    let allowance = Allowance { default_time: TIME, max_threads: 2, ..Allowance::unlimited() };
    let Ok(plan) = CATALOG.plan(&question, &allowance, Instant::now()) else { return };
    let table = SharedTable::new(TABLE_ENTRIES);
    let answer = (plan.run)(&Context { patience: TIME, ..Context::alone(&table) });
    serde_json::to_string(&answer).expect("an answer can be written");

    let position = CATALOG.position(&position_of(&question)).expect("it has been planned");
    let is_legal = |mv: &String| position.legal_moves.contains(mv);
    assert!(answer.best_move.iter().all(is_legal), "{:?} is illegal", answer.best_move);
    assert_eq!(answer.best_move.is_none(), position.outcome.is_some(), "a move until the end");
    assert!(answer.ratings.iter().all(|rated| is_legal(&rated.mv)), "{:?}", answer.ratings);
});

/// Options that cost memory by themselves.
fn limit(question: &mut Question) {
    for name in ["table_mib", "max_states"] {
        if question.options.get(name).and_then(|value| value.as_f64()) > Some(1.0) {
            question.options.insert(name.to_owned(), 1.into());
        }
    }
}

/// The position of a question, with those options that belong to the game.
fn position_of(question: &Question) -> PositionQuestion {
    let game = CATALOG.game(&question.game).expect("it has been planned");
    let names = game.describe().options.into_iter().map(|option| option.name);
    let given = |name: &str| Some((name.to_owned(), question.options.get(name)?.clone()));
    PositionQuestion {
        game: question.game.clone(),
        state: question.state.clone(),
        moves: question.moves.clone(),
        options: names.filter_map(given).collect::<Map<_, _>>(),
        perspective: question.perspective,
    }
}
