//! The body of `/v1/position`: it is refused, or the canonical state of the answer is read to the same answer.

#![no_main]

use bestmove_fuzz::CATALOG;
use catalog::question::PositionQuestion;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|body: &[u8]| {
    let Ok(question) = serde_json::from_slice::<PositionQuestion>(body) else { return };
    let Ok(mut answer) = CATALOG.position(&question) else { return };
    if !question.moves.is_empty() && answer.outcome.is_some() {
        // A state has no past: what repetition has ended goes on.
        answer = read_again(&question, &answer.state.json);
    }
    // Nor does it know the moves that led to it.
    answer.played.clear();
    for state in answer.state.text.clone().map(Value::String).iter().chain([&answer.state.json]) {
        assert_eq!(read_again(&question, state), answer, "read from {state}");
    }
});

/// The answer to the same question about this state.
fn read_again(question: &PositionQuestion, state: &Value) -> catalog::answer::PositionAnswer {
    let state = Some(state.clone());
    let again = PositionQuestion { state, moves: Vec::new(), ..question.clone() };
    CATALOG.position(&again).unwrap_or_else(|why| panic!("{why}: {:?}", again.state))
}
