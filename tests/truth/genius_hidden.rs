//! The opponent's hand and the order of the decks change no answer of a card duel.

use bestmove::SharedTable;
use bestmove::catalog::{Allowance, Catalog, Context};
use serde_json::{Value, json};

/// Position with cards on both sides; hand and deck of the second are given.
fn state(hand: &Value, deck: &Value) -> Value {
    let team = |names: [&str; 3]| names.map(|name| json!({ "name": name, "hp": 6, "energy": 1 }));
    json!({
        "round": 3, "phase": "action", "turn": 0,
        "players": [
            {
                "active": 0, "dice": { "omni": 2, "pyro": 3, "cryo": 1 },
                "hand": ["Strategize", "Starsigns"], "deck": ["Paimon", "Sweet Madame", "Toss-Up"],
                "chars": team(["Diluc", "Kaeya", "Sucrose"])
            },
            {
                "active": 1, "dice": { "electro": 4, "omni": 1 }, "hand": hand, "deck": deck,
                "chars": team(["Xiangling", "Fischl", "Collei"])
            }
        ]
    })
}

fn budget(algorithm: &str) -> Value {
    match algorithm {
        "mc_alphabeta" => json!({ "depth": 2 }),
        _ => json!({ "simulations": 400 }),
    }
}

fn answer(state: &Value, algorithm: &str) -> Value {
    let question = json!({
        "game": "genius", "state": state, "algorithm": algorithm, "reproducible": true, "seed": 5,
        "budget": budget(algorithm)
    });
    let question = serde_json::from_value(question).expect("a question");
    let catalog = Catalog::default();
    let plan = catalog.plan(&question, &Allowance::unlimited(), std::time::Instant::now());
    let table = SharedTable::new(1_000);
    let context = Context::alone(&table);
    let answer = (plan.unwrap_or_else(|refusal| panic!("{refusal}")).run)(&context);
    let mut answer = serde_json::to_value(answer).expect("an answer can be written");
    // It repeats what the client has said of the other side.
    answer["position"].take();
    answer
}

#[test]
fn the_opponents_hand_and_the_order_of_the_decks_change_no_answer() {
    let shown =
        state(&json!(["Paimon", "Send Off"]), &json!(["Starsigns", "Raven Bow", "Toss-Up"]));
    let other =
        state(&json!(["Toss-Up", "Raven Bow"]), &json!(["Send Off", "Starsigns", "Paimon"]));
    let mut turned = shown.clone();
    turned["players"][0]["deck"] = json!(["Toss-Up", "Paimon", "Sweet Madame"]);
    for algorithm in ["uct", "puct", "mcts", "flat_mc", "greedy", "random", "mc_alphabeta"] {
        let expected = answer(&shown, algorithm);
        assert_eq!(answer(&other, algorithm), expected, "{algorithm}: another hand");
        assert_eq!(answer(&turned, algorithm), expected, "{algorithm}: another order");
    }
}

#[test]
fn a_view_is_enough() {
    let list =
        ["Paimon", "Send Off", "Starsigns", "Raven Bow", "Toss-Up", "White Tassel", "Katheryne"];
    for (hand, deck) in
        [(json!(3), json!(25)), (json!([null, null]), json!(4)), (json!(0), json!(0))]
    {
        let mut view = state(&hand, &deck);
        let first = answer(&view, "uct");
        assert!(first["best_move"].is_string(), "{first}");
        if deck == 4 {
            view["players"][1]["deck_list"] = json!(list);
            assert!(answer(&view, "uct")["best_move"].is_string());
        }
    }
}
