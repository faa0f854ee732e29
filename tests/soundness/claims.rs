//! What is claimed is true: results where they are proved, distances where they are exact, and no distance is
//! shorter than the truth.

use bestmove::catalog::answer::{Answer, ScoreAnswer, StoppedBy};
use bestmove::game::Rng;
use serde_json::{Map, Value, json};

use crate::questions::{Setup, random, with};
use crate::{Service, setting};

/// States that the exact solver may store: positions that need more are left out.
const STATES: u64 = 30_000;

/// The true value of a position and of each move, if it is near enough to the end.
fn truth(service: &Service, setup: &Setup, question: &Value) -> Option<Answer> {
    let method = match setup.game {
        "two_eat_one" => "tablebase",
        "xiangqi" | "gomoku_swap2" => return None,
        _ => "sg",
    };
    let members = json!({ "algorithm": method });
    let mut options = Map::new();
    if method == "sg" {
        options.insert("max_states".into(), json!(STATES));
    }
    let answer = service.ask(&with(question, &members, &options), false);
    (answer.exact && answer.ratings.iter().all(|rated| rated.exact)).then_some(answer)
}

fn result(score: &ScoreAnswer) -> (&'static str, Option<f64>) {
    (score.kind(), score.value())
}

/// Compares a claim with the truth.
fn check(claim: &ScoreAnswer, exact: bool, truth: &ScoreAnswer, what: &str) {
    if !["win", "loss", "draw", "payoff"].contains(&claim.kind()) {
        assert!(!exact, "{what}: {claim:?} is called exact");
        return;
    }
    assert_eq!(result(claim), result(truth), "{what}");
    if exact {
        assert_eq!(claim.plies(), truth.plies(), "{what}: the exact distance");
    }
    assert!(claim.plies() >= truth.plies(), "{what}: {claim:?} is shorter than {truth:?}");
}

/// Asks a random method for a position with a known value.
fn hold(service: &Service, setup: &Setup, question: &Value, truth: &Answer, rng: &mut Rng) {
    let info = service.catalog.game(setup.game).expect("the game is known").describe();
    let claiming = [
        "selective",
        "alphabeta",
        "mc_alphabeta",
        "uct",
        "puct",
        "mcts",
        "minimax",
        "rollout_minimax",
        "flat_mc",
    ];
    let offered: Vec<_> =
        claiming.into_iter().filter(|name| info.algorithms.contains(name)).collect();
    let method = offered[rng.below(offered.len())];
    let budget = match method {
        "uct" | "puct" | "mcts" | "flat_mc" => json!({ "simulations": 10 << rng.below(8) }),
        _ => json!({ "nodes": 50 << rng.below(8) }),
    };
    let ratings = [json!("all"), json!("none"), json!(2)];
    let members = json!({
        "algorithm": method,
        "budget": budget,
        "ratings": ratings[rng.below(3)],
    });
    let mut options = Map::new();
    if ["uct", "puct", "mcts", "flat_mc"].contains(&method) {
        options.insert("terminal_search".into(), json!(rng.below(3)));
        let words = ["random", "expert"];
        options.insert("playout".into(), json!(words[rng.below(2)]));
    }
    let asked = with(question, &members, &options);
    let answer = service.ask(&asked, rng.below(2) == 0);
    let what = format!("{asked}");
    let (best, known) = (answer.score.as_ref(), truth.score.as_ref());
    check(best.expect("a score"), answer.exact, known.expect("a score"), &what);
    let is_claim = ["win", "loss", "draw", "payoff"].contains(&best.expect("a score").kind());
    assert!(!answer.proved || is_claim, "{what}: proved");
    for rated in &answer.ratings {
        let known = truth.ratings.iter().find(|other| other.mv == rated.mv).expect("a legal move");
        check(&rated.score, rated.exact, &known.score, &format!("{} in {what}", rated.mv));
    }
    if answer.stats.stopped_by == StoppedBy::Solved {
        assert!(answer.exact, "{what}: solved");
    }
    service.assert_replays(&asked, &setup.options, &answer);
}

#[test]
fn what_is_claimed_is_true() {
    let service = Service::new();
    let mut rng = Rng::new(setting("BESTMOVE_SEED", 2));
    let (mut asked, wanted) = (0, setting("BESTMOVE_QUESTIONS", 1_000));
    while asked < wanted {
        let (setup, question) = random(&service, &mut rng);
        let Some(truth) = truth(&service, &setup, &question) else { continue };
        for _ in 0..4 {
            hold(&service, &setup, &question, &truth, &mut rng);
            asked += 1;
        }
    }
}

#[test]
fn the_distance_of_a_win_by_selective_search_is_a_bound() {
    // Three in a line, open at both ends: a four, and then five.
    let question = json!({
        "game": "gomoku", "moves": ["h8", "a1", "i8", "c1", "j8", "e1"],
        "algorithm": "selective", "budget": { "depth": 4 }, "options": {},
    });
    for ratings in [json!("all"), json!("none")] {
        let asked = with(&question, &json!({ "ratings": ratings }), &Map::new());
        let answer = Service::new().ask(&asked, false);
        let plies = answer.score.as_ref().and_then(ScoreAnswer::plies);
        assert_eq!((plies, answer.proved, answer.exact), (Some(3), true, false), "{asked}");
        assert_ne!(answer.stats.stopped_by, StoppedBy::Solved, "{asked}");
    }
}
