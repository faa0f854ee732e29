//! What the service writes is valid by the schemas that it gives, and what they forbid is refused.

use bestmove::catalog::{AnyPosition, Catalog};
use bestmove::game::Rng;
use bestmove::notation::StateInput;
use jsonschema::Validator;
use serde_json::{Map, Value, json};

fn validator(schema: &Value) -> Validator {
    jsonschema::validator_for(schema).unwrap_or_else(|why| panic!("{why}: {schema}"))
}

fn assert_valid(validator: &Validator, value: &Value, what: &str) {
    if let Err(why) = validator.validate(value) {
        panic!("{what}: {why}: {value}");
    }
}

/// Calls `check` in every position of some random games.
fn walk(catalog: &Catalog, game: &str, seed: u64, mut check: impl FnMut(&dyn AnyPosition)) {
    let mut rng = Rng::new(seed);
    let game = catalog.game(game).expect("the game is known");
    for _ in 0..4 {
        let opened = game.open(StateInput::Start, &[], &mut Map::new());
        let mut position = opened.expect("a game has a start");
        for _ in 0..200 {
            check(&*position);
            let legal = position.describe().legal_moves;
            let Some(mv) = legal.get(rng.below(legal.len().max(1))) else { break };
            position.play(mv).expect("it is legal");
        }
    }
}

#[test]
fn states_and_moves_that_are_written_are_valid_by_their_schemas() {
    let catalog = Catalog::default();
    for game in catalog.games() {
        let info = game.describe();
        let (state, mv) = (validator(&info.state_schema), validator(&info.move_schema));
        walk(&catalog, info.name, 5, |position| {
            let position = position.describe();
            assert_valid(&state, &position.state.json, info.name);
            for legal in position.legal_moves {
                assert_valid(&mv, &json!(legal), info.name);
            }
        });
    }
}

#[test]
fn a_state_that_its_schema_forbids_is_refused() {
    let catalog = Catalog::default();
    let mut forbidden = 0;
    for game in catalog.games() {
        let info = game.describe();
        let schema = validator(&info.state_schema);
        for broken in mutants(&info.start.json) {
            if schema.is_valid(&broken) {
                continue;
            }
            forbidden += 1;
            let read = game.open(StateInput::read(Some(&broken)), &[], &mut Map::new());
            // A null stands for a member that is left out.
            if read.is_ok() && !broken.to_string().contains("null") {
                panic!("{}: {broken} is read", info.name);
            }
        }
    }
    assert!(forbidden > 300, "{forbidden} states are forbidden by their schemas");
}

/// The value with one of its parts replaced or a member added.
fn mutants(value: &Value) -> Vec<Value> {
    let mut found = vec![json!(true), json!(-1), json!("zugzwang"), json!(1e12)];
    match value {
        Value::Object(map) => {
            for (key, part) in map {
                found.extend(mutants(part).into_iter().map(|part| {
                    let mut whole = map.clone();
                    whole.insert(key.clone(), part);
                    Value::Object(whole)
                }));
            }
            let mut more = map.clone();
            more.insert("zugzwang".into(), json!(1));
            found.push(Value::Object(more));
        }
        Value::Array(list) => {
            for (n, part) in list.iter().enumerate().take(3) {
                found.extend(mutants(part).into_iter().map(|part| {
                    let mut whole = list.clone();
                    whole[n] = part;
                    Value::Array(whole)
                }));
            }
            found.push(Value::Array(list.iter().skip(1).cloned().collect()));
        }
        _ => {}
    }
    found
}

#[test]
fn any_name_of_a_node_is_a_move() {
    let catalog = Catalog::default();
    let tree = catalog.game("tree").expect("the game is known").describe();
    for name in ["", "two\nlines", " é "] {
        assert_valid(&validator(&tree.move_schema), &json!(name), "tree");
    }
}

#[test]
fn defaults_of_options_are_valid_by_their_schemas() {
    let catalog = Catalog::default();
    for game in catalog.games() {
        let info = game.describe();
        let defaults: Map<String, Value> =
            info.options.iter().map(|o| (o.name.to_owned(), o.default.clone())).collect();
        assert_valid(&validator(&info.options_schema), &Value::Object(defaults), info.name);
    }
    for method in catalog.algorithms() {
        let schema = validator(&method.options_schema);
        let defaults: Map<String, Value> =
            method.options.iter().map(|o| (o.name.to_owned(), o.default.clone())).collect();
        assert_valid(&schema, &Value::Object(defaults), method.name);
        assert!(!schema.is_valid(&json!({ "zugzwang": 1 })), "{}", method.name);
    }
}
