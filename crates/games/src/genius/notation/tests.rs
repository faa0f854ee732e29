mod cards;
mod talents;

use serde_json::{Value, json};

use crate::genius::Genius;
use crate::genius::tests::random_play;
use crate::notation::laws::check_refused;
use crate::notation::{FaultKind, Notation, Settings, StateInput, take_options};
use engine::game::{Game, Rng, Turn};

fn state() -> Value {
    let side = |names: [&str; 3]| {
        let chars = names.map(|name| json!({ "name": name, "hp": 10, "energy": 1 }));
        json!({
            "active": 0, "ended": false, "dice": { "omni": 3, "cryo": 2 }, "chars": chars,
            "hand": ["Paimon", "Strategize"], "deck": ["Liben"],
            "team": [], "summons": [], "supports": []
        })
    };
    let players = [side(["Diluc", "Kaeya", "Sucrose"]), side(["Keqing", "Fischl", "Collei"])];
    json!({ "round": 2, "phase": "action", "turn": 0, "winner": null, "players": players })
}

/// The state with one value replaced; the last part of the pointer may be new.
fn with(pointer: &str, value: &Value) -> Value {
    let mut state = state();
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    let parent = state.pointer_mut(parent).expect("there");
    match key.parse::<usize>() {
        Ok(n) if parent.is_array() => parent[n] = value.clone(),
        _ => parent[key] = value.clone(),
    }
    state
}

#[expect(clippy::needless_pass_by_value, reason = "the values are written where they are used")]
fn refused(kind: FaultKind, at: &str, value: Value, pointer: &str, words: &str) {
    check_refused::<Genius>(&with(at, &value), kind, pointer, words);
}

fn shape(at: &str, value: Value, words: &str) {
    refused(FaultKind::Shape, at, value, at, words);
}

fn position(at: &str, value: Value, words: &str) {
    refused(FaultKind::Position, at, value, at, words);
}

fn read(state: &Value) -> Genius {
    let settings = Settings::defaults(Genius::facts().options);
    Genius::read(StateInput::Json(state), &settings).unwrap_or_else(|fault| panic!("{fault}"))
}

#[test]
fn numbers_out_of_range_and_unknown_words_are_refused() {
    check_refused::<Genius>(&json!("startpo"), FaultKind::Shape, "", "is not a state");
    shape("/round", json!(16), "from 1 to 15, got 16");
    shape("/round", json!(0), "from 1 to 15");
    shape("/turn", json!(2), "from 0 to 1");
    shape("/turn", json!("first"), "from 0 to 1");
    shape("/phase", json!("lunch"), "is not a phase; known: redraw");
    shape("/profile", json!("toy"), "`full` or `core`");
    shape("/decks", json!(["random", "random"]), "not allowed with `players`");
    shape("/players", json!([]), "expected a list of 2, got 0");
    shape("/players/0/active", json!(3), "from 0 to 2, got 3");
    shape("/players/0/active", json!([0, 1]), "expected a whole number, got a list");
    shape("/players/0/ended", json!(1), "true or false");
    shape("/players/1/chars", json!([]), "expected a list of 3, got 0");
    shape("/players/1/chars/0/name", json!("Zhongli"), "is not a character; known: Diluc");
    shape("/players/1/chars/0/hp", json!(11), "from 0 to 10, got 11");
    shape("/players/1/chars/0/hp", json!(-1), "from 0 to 10");
    shape("/players/1/chars/0/energy", json!(4), "from 0 to 3, got 4");
    shape("/players/1/chars/2/energy", json!(3), "from 0 to 2, got 3");
    shape("/players/0/dice/omni", json!(17), "from 0 to 16, got 17");
    shape("/players/0/dice/gold", json!(1), "unknown field `gold`");
    shape("/players/0/hand/1", json!("Pikachu"), "is not a card; known: Lightning Stiletto");
    let summons = "/players/0/summons";
    let name = "/players/0/summons/0/name";
    let paimon = json!([{ "name": "Paimon", "n": 1 }]);
    refused(FaultKind::Shape, summons, paimon, name, "known: Burning Flame");
    let much = json!([{ "name": "Oz", "n": 10 }]);
    refused(FaultKind::Shape, summons, much, "/players/0/summons/0/n", "from 0 to 9, got 10");
    let jade = json!([{ "name": "Jade Screen", "n": 3 }]);
    refused(FaultKind::Shape, "/players/0/team", jade, "/players/0/team/0/n", "from 1 to 2");
    let aura = json!(["geo"]);
    let at = "/players/0/chars/0/aura";
    refused(FaultKind::Shape, at, aura, "/players/0/chars/0/aura/0", "cannot be an aura");
}

#[test]
fn positions_that_cannot_come_up_are_refused() {
    let at = |pointer: &str, value, found: &str, words: &str| {
        refused(FaultKind::Position, pointer, value, found, words);
    };
    let dice = json!({ "omni": 9, "pyro": 8 });
    position("/players/0/dice", dice, "17 dice; a side has at most 16");
    let hand = json!(vec!["Paimon"; 11]);
    position("/players/0/hand", hand, "11 cards; at most 10");
    position("/players/0/deck", json!(vec!["Liben"; 31]), "31 cards; at most 30");
    at(
        "/players/0/deck",
        json!(["Paimon", "Paimon"]),
        "/players/0/deck/1",
        "more than 2 copies of Paimon",
    );
    at(
        "/players/0/hand",
        json!(vec!["Liben"; 3]),
        "/players/0/hand/2",
        "more than 2 copies of Liben",
    );
    position("/players/0/chars/0/alive", json!(false), "alive only with hit points");
    let fallen = json!({ "name": "Diluc", "hp": 0 });
    at("/players/0/chars/0", fallen, "/players/0/active", "is defeated and cannot be active");
    position("/players/0/ended", json!(true), "a side that has ended its round cannot be to move");
    at("/phase", json!("death"), "/players/0/active", "only after the active one is defeated");
    position("/winner", json!(1), "only in phase `over`");
    at("/phase", json!("dice"), "/phase", "belong to phase `action`, got `dice`");
    at("/players/0/active", json!(null), "/players/0/active", "no character is defeated");
    let aura = "/players/0/chars/0/aura";
    let pair = json!(["cryo", "pyro"]);
    at(aura, pair, "/players/0/chars/0/aura/1", "only cryo and dendro can coexist");
    let attach = "/players/0/chars/0/attach";
    let first = "/players/0/chars/0/attach/0";
    let second = "/players/0/chars/0/attach/1";
    let bow = json!([{ "name": "Raven Bow" }]);
    at(attach, bow, first, "Diluc cannot equip Raven Bow");
    let twice = json!([{ "name": "Frozen", "n": 1 }, { "name": "Frozen", "n": 1 }]);
    at(attach, twice, second, "duplicate Frozen");
    let five = json!(vec![json!({ "name": "Paimon", "n": 1 }); 5]);
    at("/players/0/supports", five, "/players/0/supports/4", "at most 4");
    let mut both = with("/players/0/ended", &json!(true));
    both["players"][1]["ended"] = json!(true);
    let next = "the next round has begun";
    check_refused::<Genius>(&both, FaultKind::Position, "/players/1/ended", next);
    let mut lost = state();
    for place in 0..3 {
        lost["players"][1]["chars"][place] = json!({ "name": "Collei", "hp": 0 });
    }
    let over = "the other side has won";
    check_refused::<Genius>(&lost, FaultKind::Position, "/players/1/chars", over);
    lost["phase"] = json!("over");
    check_refused::<Genius>(&lost, FaultKind::Position, "/winner", "after round 15");
    lost["winner"] = json!(0);
    assert!(matches!(read(&lost).turn(), Turn::Over(_)));
}

#[test]
fn what_is_waiting_must_fit_the_phase() {
    let pending = |phase: &str, words: Value| {
        let mut state = with("/phase", &json!(phase));
        state["pending"] = words;
        state
    };
    let odd = pending("dice", json!(["roll 0 3", "dance 1"]));
    check_refused::<Genius>(&odd, FaultKind::Shape, "/pending/1", "is not a pending event");
    let wrong = pending("action", json!(["roll 0 3"]));
    check_refused::<Genius>(&wrong, FaultKind::Position, "/phase", "belong to phase `dice`");
    let automatic = pending("action", json!(["pass 0"]));
    check_refused::<Genius>(&automatic, FaultKind::Position, "/phase", "another event comes first");
    let beyond = pending("dice", json!(["roll 0 1", "act 0 team 0 7"]));
    let mut beyond = read(&beyond);
    beyond.play(beyond.find_move("roll cryo").expect("a face"));
    let many = pending("dice", json!(vec!["roll 0 1"; 40]));
    check_refused::<Genius>(&many, FaultKind::Shape, "/pending", "40 pending events");
    assert!(matches!(read(&pending("dice", json!(["roll 0 3"]))).turn(), Turn::Chance(_)));
}

#[test]
fn hands_that_are_not_shown_are_dealt_from_what_they_can_be() {
    let mut view = with("/players/1/hand", &json!(3));
    let shown = "both be lists or both be numbers";
    check_refused::<Genius>(&view, FaultKind::Shape, "/players/1/deck", shown);
    view["players"][1]["deck"] = json!(20);
    let pos = read(&view);
    let json = pos.json();
    assert_eq!((&json["players"][1]["hand"], &json["players"][1]["deck"]), (&json!(3), &json!(20)));
    let unseen = json["players"][1]["unseen"].as_array().expect("a list");
    assert!(unseen.len() > 23 && !unseen.contains(&json!("White Tassel")), "no polearm there");
    assert_eq!(read(&json).hash(), pos.hash());
    view["players"][1]["deck_list"] = json!(["Paimon", "Paimon", "Liben"]);
    let few = "only 3 possible cards";
    check_refused::<Genius>(&view, FaultKind::Position, "/players/1/deck", few);
    view["players"][1]["deck_list"] = json!(["Paimon", "Liben", "Paimon", "Paimon"]);
    let third = "more than 2 copies of Paimon";
    check_refused::<Genius>(&view, FaultKind::Position, "/players/1/deck_list/3", third);
    let known = with("/players/1/deck_list", &json!(["Paimon"]));
    let why = "not allowed when hand and deck are lists";
    check_refused::<Genius>(&known, FaultKind::Position, "/players/1/deck_list", why);
}

#[test]
fn a_wrong_move_is_told_why() {
    let pos = read(&state());
    for (text, why) in [
        ("skill 2", "it cannot be done or paid for"),
        ("skill 7", "a number from 0 to 2"),
        ("dance", "expected `skill`, `switch`"),
        ("play Pikachu", "unknown card `pikachu`"),
        ("play Strategize on the moon", "is not a target"),
        ("switch 1 with omni:2", "it costs 1 of any kind"),
        ("switch 1 with pyro:1", "the available dice are omni:3 cryo:2"),
        ("switch 1 with gold:1", "is not a number of dice such as `cryo:2`"),
        ("{\"type\": \"skill\", \"skill\": 1", "it is not JSON"),
        ("{\"type\": \"sing\"}", "`sing` is not a type of move"),
        ("reroll cryo:1", "it cannot be done"),
    ] {
        let fault = pos.find_move(text).expect_err(text);
        assert_eq!(fault.kind, FaultKind::Move, "{text}");
        assert!(fault.detail.to_lowercase().contains(&why.to_lowercase()), "{text}: {fault}");
    }
    let paid = pos.find_move("switch 1 with omni:1").expect("any die pays");
    assert_eq!(pos.after(paid).json()["players"][0]["dice"], json!({ "omni": 2, "cryo": 2 }));
    let usual = pos.find_move("switch 1").expect("the same with another die");
    assert_eq!(pos.move_text(usual), "switch 1 with cryo:1");
}

/// A state read with these options.
fn read_by(options: &Value, state: StateInput<'_>) -> Genius {
    let mut options = options.as_object().expect("an object").clone();
    let settings = take_options(Genius::facts().options, &mut options).expect("known options");
    Genius::read(state, &settings).unwrap_or_else(|fault| panic!("{fault}"))
}

#[test]
fn a_start_has_a_profile_and_decks_by_name() {
    let teams = [["Diluc", "Kaeya", "Sucrose"], ["Xiangling", "Fischl", "Collei"]];
    let core = Genius::core(teams).expect("characters");
    let none = json!({});
    let by_option = json!({ "profile": "core" });
    assert_eq!(read_by(&by_option, StateInput::Start), core);
    assert_eq!(read_by(&by_option, StateInput::Json(&none)), core);
    assert_eq!(read_by(&none, StateInput::Json(&by_option)), core);
    let full = json!({ "profile": "full" });
    assert_eq!(read_by(&by_option, StateInput::Json(&full)), Genius::deal(0));
    // Three omni dice for a skill, one for a switch, and the end of the round.
    assert_eq!(core.legal_moves().len(), 5);
    let seeded = json!({ "deal_seed": 7 });
    let decks = json!({ "decks": ["starter_1", "starter_2"] });
    assert_eq!(read_by(&seeded, StateInput::Json(&decks)), Genius::deal(7));
    let random = json!({ "decks": ["random", "random"] });
    assert_eq!(read_by(&seeded, StateInput::Json(&random)), Genius::deal_any(7));
    let mirror = json!({ "decks": ["starter_2", "starter_2"], "profile": "core" });
    let twice = Genius::core([teams[1], teams[1]]).expect("characters");
    assert_eq!(read_by(&none, StateInput::Json(&mirror)), twice);
}

#[test]
fn a_wrong_start_is_refused_with_a_reason() {
    let shape = |state, at, words| check_refused::<Genius>(&state, FaultKind::Shape, at, words);
    shape(json!({ "round": 2 }), "/round", "not allowed without `players`");
    shape(json!({ "decks": "starter_1" }), "/decks", "expected a list of 2, got");
    shape(json!({ "decks": ["starter_1"] }), "/decks", "expected a list of 2, got");
    shape(json!({ "decks": ["starter_1", "mine"] }), "/decks/1", "known: starter_1, starter_2");
    shape(json!({ "profile": "toy" }), "/profile", "`full` or `core`");
}

/// Pointers to all scalars in a value.
fn leaves(value: &Value, at: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| leaves(value, &format!("{at}/{key}"), out));
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(n, value)| leaves(value, &format!("{at}/{n}"), out));
        }
        _ => out.push(at.to_owned()),
    }
}

#[test]
fn whatever_is_read_can_be_played() {
    let settings = Settings::defaults(Genius::facts().options);
    let mut rng = Rng::new(1);
    let mut played = 0;
    for seed in 0..3_700 {
        let plies = rng.below(250);
        let mut state = random_play(&Genius::deal(seed), plies, &mut rng).json();
        for _ in 0..1 + rng.below(3) {
            let mut all = Vec::new();
            leaves(&state, "", &mut all);
            let (at, from) = (all[rng.below(all.len())].clone(), all[rng.below(all.len())].clone());
            // Another number, the opposite, or a word from somewhere else.
            let other = match &state.pointer(&at).expect("it was there") {
                Value::Bool(flag) => json!(!*flag),
                Value::String(_) => state.pointer(&from).expect("it was there").clone(),
                _ => json!(rng.below(12)),
            };
            *state.pointer_mut(&at).expect("it was there") = other;
        }
        if let Ok(pos) = Genius::read(StateInput::Json(&state), &settings) {
            let end = random_play(&pos, 150, &mut rng);
            assert_eq!(read(&end.json()).json(), end.json());
            played += 1;
        }
    }
    assert!(played > 500, "{played} of the states can be read");
}
