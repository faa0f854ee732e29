//! The history of the game counts at the root moves and the replies, whatever the table remembers.

use bestmove::catalog::answer::StoppedBy;
use bestmove::catalog::question::PositionQuestion;
use serde_json::json;

use crate::Service;

/// A game of xiangqi in which `a2c1 d3c3` would be the third occurrence: White loses by perpetual chase.
const GAME: &str = "b2d2 a9a8 i0i2 d9e8 b0a2 b7f7 a0b0 b9c7 h2e2 a8d8 f0e1 h9g7 i2f2 f7e7 g3g4 i9h9 b0b4 e7e3 b4e4 d8d3 \
                    f2f8 e6e5 e4e5 g7e6 a2c1 d3c3 c1a2 c3d3 a2c1 d3c3 c1a2 c3d3";

/// Winner after these moves, if the game is over.
fn winner(service: &Service, moves: &[&str]) -> Option<String> {
    let position = json!({ "game": "xiangqi", "moves": moves });
    let position: PositionQuestion = serde_json::from_value(position).expect("it is one");
    let answer = service.catalog.position(&position).expect("the moves are legal");
    answer.outcome.map(|outcome| outcome.result)
}

#[test]
fn a_reply_that_ends_the_game_by_its_history_is_not_overlooked() {
    let moves: Vec<_> = GAME.split(' ').collect();
    let lost = [&moves[..], &["a2c1", "d3c3"]].concat();
    assert_eq!(
        winner(&Service::new(), &lost).as_deref(),
        Some("black"),
        "the game as it was played"
    );
    for nodes in [8_000, 30_000] {
        // The table of alpha-beta remembers the same positions without their history; trees are new for each question.
        for (method, before) in [("selective", 10), ("alphabeta", 10), ("uct", 0), ("puct", 0)] {
            let service = Service::new();
            for count in (moves.len() - before)..=moves.len() {
                let question = json!({
                    "game": "xiangqi", "moves": moves[..count], "algorithm": method, "ratings": "none",
                    "budget": { "nodes": nodes },
                });
                let answer = service.ask(&question, true);
                if count == moves.len() {
                    let best = answer.best_move.expect("a move");
                    assert_ne!(best, "a2c1", "{method} with {nodes} nodes");
                }
            }
        }
    }
}

/// A search that is stopped before its first iteration ends plays what its order puts first, and that gives nothing
/// away: not the cannon for a horse that is protected.
#[test]
fn a_search_stopped_at_once_gives_nothing_away() {
    let question = json!({
        "game": "xiangqi", "algorithm": "selective", "ratings": "none", "budget": { "nodes": 1 },
    });
    let best = Service::new().ask(&question, false).best_move.expect("a move");
    assert!(!["b2b9", "h2h9"].contains(&&best[..]), "{best}");
}

/// Moves that one thread puts off for another are dropped with their kind: the loop over moves ends.
#[test]
fn two_threads_reach_their_depth() {
    for (game, algorithm, depth) in
        [("xiangqi", "selective", 9), ("gomoku", "selective", 8), ("othello", "alphabeta", 8)]
    {
        let question = json!({
            "game": game, "algorithm": algorithm, "ratings": "none", "threads": 2,
            "budget": { "depth": depth, "time_ms": 60_000 }, "options": { "table": "private" },
        });
        let answer = Service::new().ask(&question, false);
        assert_eq!(answer.stats.stopped_by, StoppedBy::Depth, "{game}");
        assert_eq!(answer.stats.depth, depth, "{game}");
    }
}
