//! Cards and characters that occur in no recorded game: compared with the published rules.

use serde_json::{Value, json};

use crate::genius::Genius;
use crate::genius::tests::{after, core, read, state};
use crate::notation::Notation;
use engine::game::{Game, Side, Turn};

const STARTERS: [[&str; 3]; 2] = [["Diluc", "Kaeya", "Sucrose"], ["Xiangling", "Fischl", "Collei"]];

pub(super) fn with(change: impl Fn(&mut Value)) -> Genius {
    let mut value = state(STARTERS[0], STARTERS[1]);
    change(&mut value);
    read(&value)
}

fn hand(cards: &[&str]) -> impl Fn(&mut Value) {
    move |value| value["players"][0]["hand"] = json!(cards)
}

pub(super) fn opponent(pos: &Genius, place: usize) -> (u8, Value) {
    let fighter = &pos.json()["players"][1]["chars"][place];
    (fighter["hp"].as_u64().expect("a number") as u8, fighter["aura"].clone())
}

pub(super) fn hp(pos: &Genius, side: usize, place: usize) -> u64 {
    pos.json()["players"][side]["chars"][place]["hp"].as_u64().expect("a number")
}

#[test]
fn the_third_skill_of_diluc_in_a_round_is_stronger() {
    let pos = with(|value| {
        value["players"][0]["dice"] = json!({ "omni": 16 });
        value["players"][1]["ended"] = json!(true);
        value["players"][1]["chars"][0]["hp"] = json!(10);
    });
    let pos = after(&pos, &["skill", "skill"]);
    assert_eq!(opponent(&pos, 0).0, 4);
    let pos = after(&pos, &["skill"]);
    assert_eq!((opponent(&pos, 0).0, pos.turn()), (0, Turn::Of(Side::Second)));
}

#[test]
fn pyro_infusion_turns_blows_to_pyro() {
    let pos = with(|value| {
        value["players"][0]["chars"][0]["energy"] = json!(3);
        value["players"][1]["ended"] = json!(true);
        value["players"][1]["chars"][1]["hp"] = json!(10);
    });
    let pos = after(&pos, &["burst", "na"]);
    // Eight pyro, then two more on the same aura.
    assert_eq!(opponent(&pos, 0), (0, json!([])));
}

#[test]
fn pyronado_follows_the_skills_after_its_own() {
    let pos = with(|value| {
        value["turn"] = json!(1);
        value["players"][0]["ended"] = json!(true);
        value["players"][1]["chars"][0]["energy"] = json!(2);
    });
    let pos = after(&pos, &["burst"]);
    assert_eq!(hp(&pos, 0, 0), 7, "not after its own");
    let pos = after(&pos, &["na"]);
    assert_eq!(hp(&pos, 0, 0), 3, "two by the polearm and two by fire");
    assert_eq!(pos.json()["players"][1]["team"], json!([{ "name": "Pyronado", "n": 1 }]));
}

#[test]
fn burning_leaves_a_flame_that_stacks_to_two() {
    let pos = with(|value| {
        value["players"][1]["ended"] = json!(true);
        value["players"][1]["chars"][0]["aura"] = json!(["dendro"]);
    });
    let pos = after(&pos, &["skill"]);
    let summons = |pos: &Genius| pos.json()["players"][0]["summons"].clone();
    assert_eq!(opponent(&pos, 0), (6, json!([])));
    assert_eq!(summons(&pos), json!([{ "name": "Burning Flame", "n": 1 }]));
    let pos = after(&pos, &["end"]);
    assert_eq!((opponent(&pos, 0), summons(&pos)), ((5, json!(["pyro"])), json!([])));
}

#[test]
fn a_flame_can_be_prolonged_beyond_two() {
    let pos = with(|value| {
        hand(&["Quick Knit"])(value);
        value["players"][0]["summons"] = json!([{ "name": "Burning Flame", "n": 2 }]);
    });
    let pos = after(&pos, &["play Quick Knit on summon 0"]);
    assert_eq!(pos.json()["players"][0]["summons"][0]["n"], 3);
    assert_eq!(read(&pos.json()).hash(), pos.hash(), "what comes up can be read");
}

#[test]
fn a_shield_of_the_side_protects_the_active_one_alone() {
    let pos = with(|value| {
        value["players"][0]["active"] = json!(2);
        value["players"][1]["ended"] = json!(true);
        value["players"][1]["chars"][0]["aura"] = json!(["cryo"]);
        value["players"][1]["team"] = json!([{ "name": "Crystallize", "n": 2 }]);
    });
    // One point of wind, which the shield stops, and one of ice for each of the others.
    let pos = after(&pos, &["na"]);
    assert_eq!([0, 1, 2].map(|place| opponent(&pos, place).0), [10, 9, 9]);
    assert_eq!(pos.json()["players"][1]["team"], json!([{ "name": "Crystallize", "n": 1 }]));
}

#[test]
fn katheryne_makes_one_switch_a_round_quick() {
    let pos = after(&with(hand(&["Katheryne"])), &["play Katheryne", "switch 1"]);
    assert_eq!(pos.turn(), Turn::Of(Side::First));
    assert_eq!(after(&pos, &["switch 2"]).turn(), Turn::Of(Side::Second));
}

#[test]
fn quick_and_cheap_switches_add_up() {
    let cards = ["Leave It to Me!", "Changing Shifts"];
    let both = ["play Leave It to Me!", "play Changing Shifts", "switch 1"];
    let pos = after(&with(hand(&cards)), &both);
    assert_eq!((pos.turn(), pos.seat(Side::First).dice.total()), (Turn::Of(Side::First), 8));
    assert_eq!(pos.json()["players"][0]["team"], json!([]));
}

#[test]
fn the_order_of_what_commutes_is_not_hashed() {
    let pos = with(hand(&["Leave It to Me!", "Changing Shifts", "Sweet Madame", "Magic Guide"]));
    let pos = with(|value| {
        *value = pos.json();
        value["players"][0]["chars"][2]["hp"] = json!(5);
    });
    let moves = [
        "play Leave It to Me!",
        "play Changing Shifts",
        "play Sweet Madame on 2",
        "play Magic Guide on 2",
    ];
    let mut turned = moves;
    turned.reverse();
    assert_eq!(after(&pos, &moves).hash(), after(&pos, &turned).hash());
}

#[test]
fn lotus_flower_crisp_stops_three_points() {
    let pos = after(&with(hand(&["Lotus Flower Crisp"])), &["play Lotus Flower Crisp on 0", "end"]);
    assert_eq!(hp(&after(&pos, &["na"]), 0, 0), 10);
    assert_eq!(hp(&after(&pos, &["na", "na"]), 0, 0), 8);
}

#[test]
fn vanarana_keeps_two_dice_for_the_next_round() {
    let pos = with(|value| {
        value["players"][0]["hand"] = json!(["Vanarana"]);
        value["players"][0]["dice"] = json!({ "omni": 1, "pyro": 1, "geo": 3 });
        value["players"][1]["ended"] = json!(true);
    });
    let pos = after(&pos, &["play Vanarana", "end"]);
    let kept = json!({ "name": "Vanarana", "n": 2, "kept": ["omni", "pyro"] });
    assert_eq!(pos.json()["players"][0]["supports"][0], kept);
    let rolled = after(&pos, &["roll geo"; 16]);
    let pos = after(&rolled, &["reroll nothing", "reroll nothing"]);
    assert_eq!(pos.json()["players"][0]["dice"], json!({ "omni": 1, "pyro": 1, "geo": 8 }));
}

#[test]
fn the_cathedral_waits_until_somebody_is_hurt() {
    let ended = |left: u8| {
        let pos = with(|value| {
            value["players"][0]["supports"] = json!([{ "name": "Favonius Cathedral", "n": 1 }]);
            value["players"][0]["chars"][0]["hp"] = json!(left);
            value["players"][1]["ended"] = json!(true);
        });
        let pos = after(&pos, &["end"]);
        (hp(&pos, 0, 0), pos.json()["players"][0]["supports"].clone())
    };
    assert_eq!(ended(9), (10, json!([])));
    assert_eq!(ended(10), (10, json!([{ "name": "Favonius Cathedral", "n": 1 }])));
}

#[test]
fn liben_takes_first_what_there_is_most_of() {
    let pos = with(|value| {
        let two = [2, 0].map(|n| json!({ "name": "Liben", "n": n }));
        value["players"][0]["supports"] = json!(two);
        value["players"][0]["dice"] = json!({ "hydro": 1, "pyro": 1, "anemo": 2 });
        value["players"][1]["ended"] = json!(true);
    });
    let full = json!({ "name": "Liben", "n": 3 });
    let pos = after(&pos, &["end"]);
    assert_eq!(pos.json()["players"][0]["supports"], json!([full, full]));
}

#[test]
fn a_fifth_support_takes_the_place_of_another() {
    let pos = with(|value| {
        value["players"][0]["hand"] = json!(["Liben"]);
        let four = ["Paimon", "Paimon", "Katheryne", "Liben"].map(|name| json!({ "name": name }));
        value["players"][0]["supports"] = json!(four);
    });
    assert!(pos.find_move("play Liben").is_err());
    let pos = after(&pos, &["play Liben on support 1"]);
    let supports = &pos.json()["players"][0]["supports"];
    let names: Vec<_> = (0..4).map(|n| supports[n]["name"].clone()).collect();
    assert_eq!(names, ["Paimon", "Katheryne", "Liben", "Liben"]);
}

#[test]
fn who_is_frozen_can_use_no_skill() {
    let pos = with(|value| {
        value["players"][0]["chars"][0]["attach"] = json!([{ "name": "Frozen", "n": 1 }]);
        value["players"][0]["hand"] = json!(["Flowing Flame"]);
    });
    for text in ["na", "skill", "play Flowing Flame on 0"] {
        assert!(pos.find_move(text).is_err(), "{text}");
    }
    assert!(pos.find_move("switch 1").is_ok());
}

#[test]
fn nobody_wins_after_the_last_round() {
    let mut pos = core();
    (0..30).for_each(|_| pos = after(&pos, &["end"]));
    assert_eq!(pos.turn(), Turn::Over(engine::game::Outcome::Draw));
    assert_eq!(pos.reason(engine::game::Outcome::Draw), "last_round");
    assert_eq!(read(&pos.json()).turn(), pos.turn());
}
