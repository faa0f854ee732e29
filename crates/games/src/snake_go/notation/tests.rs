use serde_json::{Value, json};

use crate::notation::laws::{check_forms, check_refused};
use crate::notation::{FaultKind, Notation, Settings, StateInput};
use crate::snake_go::cells::SIDE;
use crate::snake_go::items::MOST_ITEMS;
use crate::snake_go::{SnakeGo, SnakeGoEvaluation, SnakeGoEvaluator, SnakeGoRules, generate};
use engine::game::{Evaluator, Game, Rng};

fn settings() -> Settings {
    Settings::defaults(SnakeGo::facts().options)
}

fn read(state: &Value) -> SnakeGo {
    SnakeGo::read(StateInput::Json(state), &settings()).expect("a position")
}

/// Serialization round trip of a position.
fn check_written(pos: &SnakeGo) {
    let again = read(&pos.json());
    assert_eq!((again.json(), again.hash()), (pos.json(), pos.hash()));
    check_forms(pos, &settings());
}

#[test]
fn long_games_keep_the_laws_of_writing() {
    let mut rng = Rng::new(3);
    for seed in 1..4 {
        let mut pos = SnakeGo::new(SnakeGoRules::default(), &generate(seed, SIDE, 512));
        let evaluator = SnakeGoEvaluator::new(SnakeGoEvaluation::Score, &pos);
        while let Some(op) = evaluator.playout_move(&pos, &mut rng, &mut Vec::new()) {
            pos.play(op);
            if rng.below(40) == 0 {
                check_written(&pos);
            }
        }
        check_written(&pos);
    }
}

/// Plays operations from a state and checks the serialized last position.
fn check_after(state: &Value, ops: &[&str]) -> SnakeGo {
    let mut pos = read(state);
    for op in ops {
        pos.play(pos.find_move(op).expect("a legal operation"));
    }
    check_written(&pos);
    pos
}

#[test]
fn what_is_written_at_the_edges_is_read_again() {
    let snakes = |id: u16, bank: u16| {
        json!([
            { "id": 0, "camp": 0, "body": [[3, 3], [3, 4]] },
            { "id": id, "camp": 1, "body": [[9, 9], [9, 8]], "bank": bank },
        ])
    };
    // The half is over; no round begins in which the item would appear under a snake.
    let last = json!({
        "max_round": 9, "round": 9, "snakes": snakes(1, 0),
        "items": [{ "x": 4, "y": 3, "time": 10, "type": 2 }],
    });
    check_after(&last, &["+x", "+y"]);
    let ids = check_after(&json!({ "round": 9, "snakes": snakes(40_000, 0) }), &["+x", "split"]);
    assert_eq!(ids.json()["next_id"], 40_002);
    let rich = json!({
        "round": 9, "snakes": snakes(1, 9_999),
        "items": [{ "x": 9, "y": 10, "time": 8, "type": 0, "param": 5 }],
    });
    // One cell of length is used to grow on the way to the item.
    let bank = check_after(&rich, &["+x", "+y"]).json()["snakes"][1]["bank"].clone();
    assert_eq!(bank, 9_999);
}

#[test]
fn malformed_states_are_refused_with_a_reason() {
    let shape = |state, pointer: &str, words: &str| {
        check_refused::<SnakeGo>(&state, FaultKind::Shape, pointer, words);
    };
    shape(json!("1 3 4"), "", "it has no text form");
    shape(json!([1]), "", "expected an object");
    shape(json!({ "size": 17 }), "/size", "a whole number from 4 to 16, got 17");
    shape(json!({ "max_round": 0 }), "/max_round", "from 1 to 4096");
    shape(json!({ "enclosure": "inside" }), "/enclosure", "`border` or `sides`");
    shape(json!({ "walls": [] }), "/walls", "not allowed without `snakes`");
    shape(json!({ "snakes": 1 }), "/snakes", "expected a list, got 1");
    shape(json!({ "snakes": [], "round": 9999 }), "/round", "from 1 to 4097");
    shape(json!({ "snakes": [], "walls": [[1, 2]] }), "/walls/0", "expected a list of 3, got 2");
    shape(json!({ "snakes": [], "walls": [[1, 16, 0]] }), "/walls/0/1", "from 0 to 15, got 16");
    let snake = |snake: Value, pointer, words| {
        shape(json!({ "snakes": [snake] }), &format!("/snakes/0{pointer}"), words);
    };
    snake(json!({ "camp": 0, "body": [[1, 1]] }), "/id", "missing field `id`");
    snake(json!({ "id": 0, "camp": 2, "body": [[1, 1]] }), "/camp", "from 0 to 1, got 2");
    snake(json!({ "id": 0, "camp": 0, "body": [] }), "/body", "at least one cell");
    snake(json!({ "id": 0, "camp": 0, "body": [[1, 99]] }), "/body/0/1", "from 0 to 15");
    snake(json!({ "id": 0, "camp": 0, "body": [[1, 1]], "ray": 1 }), "/ray", "true or false");
    snake(json!({ "id": 0, "camp": 0, "body": [[1, 1]], "bank": -1 }), "/bank", "0 to 9999");
    snake(json!({ "id": 0, "camp": 0, "cells": [] }), "/cells", "unknown field `cells`");
    let item = |item: Value, pointer, words| {
        shape(json!({ "items": [item] }), &format!("/items/0{pointer}"), words);
    };
    item(json!({ "x": 16, "y": 0, "time": 1, "type": 2 }), "/x", "from 0 to 15, got 16");
    item(json!({ "x": 1, "y": 0, "time": 0, "type": 2 }), "/time", "from 1 to 4096");
    item(json!({ "x": 1, "y": 0, "time": 1, "type": 1 }), "/type", "0 (length) or 2 (melt ray)");
    item(json!({ "x": 1, "y": 0, "time": 1, "type": 0, "param": 6 }), "/param", "from 1 to 5");
    let ray = |time: u16| json!({ "x": 1, "y": 0, "time": time, "type": 2 });
    shape(json!({ "items": [ray(9), ray(5)] }), "/items/1/time", "in the order in which");
    shape(json!({ "items": vec![ray(1); MOST_ITEMS + 1] }), "/items", "at most 256");
    shape(json!({ "snakes": [], "eaten": [0] }), "/eaten/0", "the number of an item");
}

#[test]
fn positions_that_cannot_come_up_are_refused_with_a_reason() {
    let refuse = |state, pointer: &str, words: &str| {
        check_refused::<SnakeGo>(&state, FaultKind::Position, pointer, words);
    };
    let one = |id: u16, camp: u8, body: Value| json!({ "id": id, "camp": camp, "body": body });
    let both = |first: Value, second: Value| json!({ "snakes": [first, second], "round": 30 });
    let corner = || one(1, 1, json!([[15, 0]]));
    let first = |body: Value, pointer, words| {
        refuse(both(one(0, 0, body), corner()), &format!("/snakes/0{pointer}"), words);
    };
    first(json!([[1, 1], [1, 3]]), "/body/1", "[1, 3] is not a neighbour");
    first(json!([[1, 1], [2, 2]]), "/body/1", "the snake is broken");
    first(json!([[1, 1], [1, 2], [1, 1]]), "/body/2", "belongs to this snake twice");
    let on_corner = one(2, 1, json!([[14, 0], [15, 0]]));
    refuse(both(corner(), on_corner), "/snakes/1/body/1", "also belongs to another snake");
    refuse(both(corner(), one(1, 1, json!([[3, 3]]))), "/snakes/1/id", "two snakes have the id 1");
    refuse(both(one(1, 0, json!([[3, 3]])), corner()), "/snakes/0/id", "the second's");
    let five: Vec<_> = (2..7).map(|id| one(id, 0, json!([[id, 1]]))).collect();
    refuse(json!({ "snakes": five }), "/snakes/4", "more than 4 snakes");
    let with = |key: &str, value: Value| {
        let mut state = both(one(0, 0, json!([[3, 3], [3, 4]])), corner());
        state["items"] = json!([
            { "x": 3, "y": 4, "time": 25, "type": 2 }, { "x": 9, "y": 9, "time": 40, "type": 2 }
        ]);
        state["eaten"] = json!([0]);
        state[key] = value;
        state
    };
    refuse(with("walls", json!([[3, 4, 1]])), "/snakes/0/body/1", "[3, 4] is a wall");
    refuse(with("walls", json!([[5, 4, 1], [5, 4, 0]])), "/walls/1", "duplicate wall on [5, 4]");
    refuse(with("eaten", json!([])), "/eaten", "item 0 lies under a snake on [3, 4]");
    refuse(with("eaten", json!([0, 0])), "/eaten/1", "duplicate item 0");
    refuse(with("eaten", json!([0, 1])), "/eaten/1", "appears in round 40, after round 30");
    refuse(with("acting", json!([1])), "/acting", "the last ones of the player's list [0]");
    refuse(with("acting", json!([])), "/acting", "at least one");
    refuse(with("max_round", json!(20)), "/round", "the half ends after round 20");
    let two = json!({
        "snakes": [one(4, 0, json!([[3, 3]])), one(0, 0, json!([[5, 5]]))], "acting": [0, 4]
    });
    refuse(two, "/acting", "the last ones of the player's list [4, 0]");
    let late = json!({ "snakes": [one(5, 0, json!([[3, 3]]))], "next_id": 3 });
    refuse(late, "/next_id", "snake 5 exists already; the next id is 6 or more");
    let alone = json!({ "snakes": [one(1, 1, json!([[3, 3]]))] });
    refuse(alone, "/player", "player 0 has no snake and is skipped; it is the turn of player 1");
    let over = json!({ "max_round": 9, "round": 10, "snakes": [corner()], "player": 1 });
    refuse(over, "/player", "after round 9 the half is over");
    let done = json!({ "max_round": 9, "round": 10, "snakes": [corner()], "acting": [1] });
    refuse(done, "/acting", "no snake acts");
    let crowd = json!({ "items": [
        { "x": 5, "y": 5, "time": 3, "type": 2 }, { "x": 5, "y": 5, "time": 18, "type": 2 }
    ] });
    refuse(crowd, "/items/1", "item 0 may still lie on [5, 5]");
}
