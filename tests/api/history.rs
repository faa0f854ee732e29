//! The rules on the history of a game, over a socket: repetition, perpetual checks and chases, the clock of quiet
//! moves.

use serde_json::json;

use crate::{position, server};

#[test]
fn a_repetition_ends_the_game_that_is_played_and_not_the_search() {
    let server = server();
    let round = ["a1a2", "a4a3", "a2a1", "a3a4"];
    let played = |moves: usize| {
        let moves = &round.repeat(3)[..moves];
        json!({ "game": "two_eat_one", "moves": moves })
    };
    let position = |moves| server.post("/v1/position", &played(moves).to_string()).json();
    assert_eq!(position(7)["outcome"], json!(null));
    assert!(server.best_move(&played(7))["best_move"].is_string());
    let over = position(8);
    assert_eq!(over["outcome"], json!({ "result": "draw", "reason": "threefold_repetition" }));
    assert_eq!((&over["side_to_move"], &over["legal_moves"]), (&json!(null), &json!([])));
    assert_eq!(server.best_move(&played(8))["best_move"], json!(null));
    let beyond = server.post("/v1/position", &played(9).to_string()).json();
    assert_eq!(beyond["errors"][0]["pointer"], "/moves/8");
}

#[test]
fn who_alone_checks_or_chases_all_the_time_has_lost_the_game() {
    let server = server();
    let ask = |path: &str, state: &str, moves: &[&str], rules: &str| {
        let budget = json!({ "depth": 2 });
        let mut question = json!({
            "game": "xiangqi", "state": state, "moves": moves, "options": { "rules": rules },
        });
        if path == "/v1/bestmove" {
            question["budget"] = budget;
        }
        server.post(path, &question.to_string()).json()
    };
    let checks = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w";
    let checking = ["h8h9", "f9f8", "h9h8", "f8f9"].repeat(3);
    let chases = "4k4/9/4n4/9/3c5/9/4N4/9/9/3K5 w";
    let chasing = ["d0e0", "e7c8", "e0d0", "c8e7"].repeat(3);
    for (state, moves, rules, result, reason) in [
        (checks, &checking, "computer", "black", "perpetual_check"),
        (checks, &checking, "check_only", "black", "perpetual_check"),
        (chases, &chasing, "computer", "black", "perpetual_chase"),
        (chases, &chasing, "check_only", "draw", "threefold_repetition"),
    ] {
        let outcome = json!({ "result": result, "reason": reason });
        let before = ask("/v1/position", state, &moves[..7], rules);
        assert_eq!(before["outcome"], json!(null));
        let over = ask("/v1/position", state, &moves[..8], rules);
        assert_eq!((&over["outcome"], &over["legal_moves"]), (&outcome, &json!([])));
        let answer = ask("/v1/bestmove", state, &moves[..8], rules);
        assert_eq!((&answer["outcome"], &answer["best_move"]), (&outcome, &json!(null)));
        let beyond = ask("/v1/bestmove", state, &moves[..9], rules);
        assert_eq!(beyond["errors"][0]["pointer"], "/moves/8");
        // Before the last move, its rating gives the result.
        let answer = ask("/v1/bestmove", state, &moves[..7], rules);
        let ratings = answer["ratings"].as_array().expect("ratings");
        let last = ratings.iter().find(|rating| rating["move"] == moves[7]).expect("a legal move");
        let kind = if result == "draw" { "draw" } else { "win" };
        assert_eq!(last["score"]["kind"], kind, "{answer}");
    }
}

#[test]
fn the_clock_and_the_material_of_xiangqi_end_games() {
    let server = server();
    let outcome = |state: &str, moves: &[&str]| {
        let question = json!({ "game": "xiangqi", "state": state, "moves": moves });
        position(&server, &question)["outcome"].clone()
    };
    let late = "4kab2/4a4/4b4/p7p/9/6R2/P7P/4B4/4A4/2BAK4 w - - 118 60";
    assert_eq!(outcome(late, &["g4g5"]), json!(null));
    let drawn = |reason| json!({ "result": "draw", "reason": reason });
    assert_eq!(outcome(late, &["g4g5", "e8d7"]), drawn("sixty_moves"));
    let taking = "4k4/9/9/9/9/9/9/9/3p5/3K5 w - - 0 60";
    assert_eq!(outcome(taking, &["d0d1"]), drawn("dead_material"));
    let mate = "2b2aR2/2N1k4/3a5/9/3Cp4/4P1P2/9/4B4/4A4/2B1KA3 w - - 119 60";
    assert_eq!(outcome(mate, &["g9g8"]), json!({ "result": "red", "reason": "checkmate" }));
    let stuck = "3k5/9/R8/9/9/9/9/9/9/4K4 w - - 0 60";
    assert_eq!(outcome(stuck, &["a7a8"]), json!({ "result": "red", "reason": "stalemate" }));
}

#[test]
fn what_the_course_of_a_game_can_still_change_is_not_called_exact() {
    let server = server();
    // A lost position that has stood twice, and its winner about to move: the score is of the position.
    let round = ["a1a2", "a4a3", "a2a1", "a3a4"];
    let played = |moves: usize| {
        let moves = &round.repeat(3)[..moves];
        server.best_move(&json!({ "game": "two_eat_one", "moves": moves }))
    };
    let (once, twice) = (played(3), played(7));
    assert_eq!(once["score"], twice["score"]);
    assert_eq!((&once["exact"], &once["warnings"]), (&json!(true), &json!([])));
    assert_eq!(twice["exact"], false);
    assert!(twice["warnings"][0].as_str().is_some_and(|why| why.contains("repetition")));
    let ratings = twice["ratings"].as_array().expect("ratings");
    let back = ratings.iter().find(|rating| rating["move"] == "a3a4").expect("the way back");
    assert_eq!(back["score"], json!({ "kind": "draw" }), "it brings the third time");
}
