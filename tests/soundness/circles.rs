//! A side that has won does not walk in circles until the game is drawn.

use bestmove::catalog::answer::Answer;
use bestmove::game::Rng;
use serde_json::{Value, json};

use crate::{Service, setting};

/// Plies of the wins to be played: beyond the depth of most searches.
const WINS: std::ops::RangeInclusive<u32> = 9..=29;

fn ask(service: &Service, state: &str, moves: &[String], members: &Value) -> Answer {
    let mut question = json!({ "game": "two_eat_one", "state": state, "moves": moves });
    let members = members.as_object().cloned().unwrap_or_default();
    question.as_object_mut().expect("an object").extend(members);
    service.ask(&question, false)
}

/// Random positions that the side to move wins by the table, as text.
fn won(service: &Service, count: usize, rng: &mut Rng) -> Vec<String> {
    let game = service.catalog.game("two_eat_one").expect("it is known");
    let mut found = Vec::new();
    while found.len() < count {
        let start = bestmove::notation::StateInput::Start;
        let mut position = game.open(start, &[], &mut Default::default()).expect("the start");
        for _ in 0..20 + rng.below(60) {
            let legal = position.describe().legal_moves;
            let Some(mv) = legal.get(rng.below(legal.len().max(1))) else { break };
            position.play(mv).expect("it is legal");
        }
        let text = position.describe().state.text.expect("it has a text");
        let table = json!({ "algorithm": "tablebase", "ratings": "none" });
        let score = ask(service, &text, &[], &table).score;
        let wins = score.is_some_and(|score| {
            score.kind() == "win" && score.plies().is_some_and(|plies| WINS.contains(&plies))
        });
        if wins {
            found.push(text);
        }
    }
    found
}

/// How a game between a search of this depth, to move in a won position, and the table ends; or that the search gives
/// the win away, which deeper ones do not.
fn played(service: &Service, state: &str, depth: u64) -> String {
    let search = json!({
        "algorithm": "alphabeta", "ratings": "none", "budget": { "depth": depth },
        "options": { "table": "private" },
    });
    let table = json!({ "algorithm": "tablebase", "ratings": "none" });
    let mut moves = Vec::new();
    loop {
        let members = if moves.len() % 2 == 0 { &search } else { &table };
        let answer = ask(service, state, &moves, members);
        let lost = answer.score.as_ref().is_some_and(|score| score.kind() == "loss");
        if moves.len() % 2 == 1 && !lost && answer.outcome.is_none() {
            return "the win is given away".to_owned();
        }
        if let Some(outcome) = answer.outcome {
            return format!("{} ({}) after {}", outcome.result, outcome.reason, moves.join(" "));
        }
        moves.push(answer.best_move.expect("somebody is to move"));
    }
}

/// All depths by `BESTMOVE_DEEPEST=16`.
#[test]
fn a_won_position_is_not_drawn_by_repetition() {
    let service = Service::new();
    let mut rng = Rng::new(setting("BESTMOVE_SEED", 3));
    let deepest = setting("BESTMOVE_DEEPEST", 7);
    let mut drawn = Vec::new();
    for state in won(&service, 30, &mut rng) {
        for depth in 6..=deepest {
            let end = played(&service, &state, depth);
            if end.contains("repetition") {
                drawn.push(format!("{state} at depth {depth}: {end}"));
            }
        }
    }
    assert!(drawn.is_empty(), "{} drawn: {drawn:#?}", drawn.len());
}
