//! Talents, which occur in no recorded game: compared with the published rules and other simulators.

use serde_json::{Value, json};

use super::cards::{hp, opponent, with};
use crate::genius::Genius;
use crate::genius::tests::{after, read, state};
use crate::notation::Notation;

#[test]
fn flowing_flame_makes_the_second_skill_cheaper() {
    let pos = with(|value| {
        value["players"][0]["hand"] = json!(["Flowing Flame"]);
        value["players"][1]["ended"] = json!(true);
    });
    let pos = after(&pos, &["play Flowing Flame on 0"]);
    assert_eq!(opponent(&pos, 0).0, 7);
    assert!(pos.find_move("skill 1 with omni:2").is_ok(), "two dice are enough");
    assert!(pos.find_move("skill 1 with omni:3").is_err(), "three are too many");
}

#[test]
fn cold_blooded_strike_heals_once_a_round() {
    let pos = with(|value| {
        value["players"][0]["hand"] = json!(["Cold-Blooded Strike"]);
        value["players"][0]["active"] = json!(1);
        value["players"][0]["chars"][1]["hp"] = json!(3);
        value["players"][1]["ended"] = json!(true);
    });
    let pos = after(&pos, &["play Cold-Blooded Strike on 1"]);
    assert_eq!(hp(&pos, 0, 1), 5);
    assert_eq!(hp(&after(&pos, &["skill"]), 0, 1), 5);
}

#[test]
fn oz_shoots_after_fischl_with_her_talent() {
    let pos = with(|value| {
        value["turn"] = json!(1);
        value["players"][0]["ended"] = json!(true);
        value["players"][1]["active"] = json!(1);
        value["players"][1]["hand"] = json!(["Stellar Predator"]);
    });
    let pos = after(&pos, &["play Stellar Predator on 1", "na"]);
    // One by her skill, two by her bow, two by Oz.
    assert_eq!(hp(&pos, 0, 0), 5);
    assert_eq!(pos.json()["players"][1]["summons"][0], json!({ "name": "Oz", "n": 1 }));
}

#[test]
fn crossfire_adds_pyro_and_guoba_comes() {
    let pos = with(|value| {
        value["turn"] = json!(1);
        value["players"][1]["hand"] = json!(["Crossfire"]);
    });
    let pos = after(&pos, &["play Crossfire on 0"]);
    assert_eq!(hp(&pos, 0, 0), 9);
    assert_eq!(pos.json()["players"][1]["summons"][0]["name"], "Guoba");
}

#[test]
fn the_wind_spirit_takes_the_first_swirl_and_adds_to_it() {
    let pos = with(|value| {
        value["players"][0]["active"] = json!(2);
        value["players"][0]["chars"][2]["energy"] = json!(2);
        value["players"][0]["hand"] = json!(["Chaotic Entropy"]);
        value["players"][1]["ended"] = json!(true);
        value["players"][1]["active"] = json!(2);
        value["players"][1]["chars"][0]["aura"] = json!(["cryo"]);
    });
    let pos = after(&pos, &["play Chaotic Entropy on 2", "end"]);
    let summon = |pos: &Genius| pos.json()["players"][0]["summons"][0].clone();
    assert_eq!(summon(&pos), json!({ "name": "Enhanced Large Wind Spirit", "n": 2 }));
    let pos = with(|value| {
        value["players"][0]["active"] = json!(2);
        value["players"][0]["summons"] = json!([{ "name": "Enhanced Large Wind Spirit", "n": 2 }]);
        value["players"][1]["ended"] = json!(true);
        value["players"][1]["chars"][0]["aura"] = json!(["cryo"]);
    });
    let pos = after(&pos, &["na"]);
    assert_eq!(summon(&pos)["element"], "cryo");
    // A swirled point each: the talent adds to what comes after.
    assert_eq!((opponent(&pos, 0).0, opponent(&pos, 1).0, opponent(&pos, 2).0), (9, 9, 9));
    let pos = after(&pos, &["end"]);
    assert_eq!(opponent(&pos, 0), (6, json!(["cryo"])), "two cryo, and one more");
}

#[test]
fn the_wind_spirit_outlasts_the_talent_that_enhanced_it() {
    let hit = |name: &str| {
        let pos = with(|value| {
            value["players"][0]["chars"][2] = json!({ "name": "Sucrose", "hp": 0 });
            let spirit = json!({ "name": name, "n": 2, "element": "electro" });
            value["players"][0]["summons"] = json!([spirit]);
            value["players"][1]["ended"] = json!(true);
        });
        10 - opponent(&after(&pos, &["end"]), 0).0
    };
    assert_eq!(["Large Wind Spirit", "Enhanced Large Wind Spirit"].map(hit), [2, 3]);
}

#[test]
fn floral_sidewinder_answers_a_dendro_reaction_once() {
    let pos = with(|value| {
        value["turn"] = json!(1);
        value["players"][0]["ended"] = json!(true);
        value["players"][0]["chars"][0]["aura"] = json!(["electro"]);
        value["players"][1]["active"] = json!(2);
        value["players"][1]["hand"] = json!(["Floral Sidewinder"]);
    });
    let pos = after(&pos, &["play Floral Sidewinder on 2"]);
    // Three and quicken, then one of the sprout and one of the field.
    assert_eq!(hp(&pos, 0, 0), 10 - 4 - 2);
    let field = json!({ "name": "Catalyzing Field", "n": 1 });
    let spent = json!({ "name": "Sprout", "n": 0 });
    assert_eq!(pos.json()["players"][1]["team"], json!([spent, field]), "a spent sprout stays");
    assert_eq!(pos.observe()["players"][1]["team"], json!([field]), "where nobody sees it");
}

/// Collei with two of her talents, against a burning opponent in her field.
fn collei() -> Genius {
    let mut value = state(["Collei", "Fischl", "Kaeya"], ["Diluc", "Bennett", "Sucrose"]);
    value["players"][0]["dice"] = json!({ "omni": 16 });
    value["players"][0]["hand"] = json!(["Floral Sidewinder", "Floral Sidewinder"]);
    value["players"][1]["ended"] = json!(true);
    alight(&read(&value))
}

/// The position with an opponent undamaged and with a pyro aura.
fn alight(pos: &Genius) -> Genius {
    let mut value = pos.json();
    value["players"][1]["chars"][0]["hp"] = json!(10);
    value["players"][1]["chars"][0]["aura"] = json!(["pyro"]);
    read(&value)
}

#[test]
fn a_sprout_comes_once_a_round() {
    const TALENT: &str = "play Floral Sidewinder on 0";
    // Three, burning, and one of the sprout; then no other, however the skill is used.
    let pos = after(&collei(), &[TALENT]);
    assert_eq!(opponent(&pos, 0), (5, json!(["dendro"])));
    for again in [TALENT, "skill"] {
        assert_eq!(opponent(&after(&alight(&pos), &[again]), 0), (6, json!([])), "{again}");
    }
    // It comes with the second skill if the first was used without the talent.
    let pos = after(&alight(&after(&collei(), &["skill"])), &[TALENT]);
    assert_eq!(opponent(&pos, 0), (5, json!(["dendro"])));
}

#[test]
fn a_sprout_that_waits_is_not_doubled_and_goes_with_the_round() {
    let mut value = collei().json();
    value["players"][1]["chars"][0]["aura"] = json!([]);
    let pos = after(&read(&value), &["play Floral Sidewinder on 0"]);
    let sprout = json!([{ "name": "Sprout", "n": 1 }]);
    assert_eq!(pos.json()["players"][0]["team"], sprout);
    let pos = after(&pos, &["skill"]);
    assert_eq!(pos.json()["players"][0]["team"], sprout);
    let pos = after(&after(&pos, &["end"]), &["roll omni"; 16]);
    let pos = after(&pos, &["reroll nothing", "reroll nothing"]);
    assert_eq!(pos.json()["players"][0]["team"], json!([]));
    let pos = after(&alight(&pos), &["end", "skill"]);
    assert_eq!(opponent(&pos, 0), (5, json!(["dendro"])), "another in the next round");
}

/// A side with a talent in hand and all dice it needs, against an opponent without an aura.
fn owner(who: &str, talent: &str, change: impl Fn(&mut Value)) -> Genius {
    let mut value = state([who, "Fischl", "Kaeya"], ["Sucrose", "Diluc", "Collei"]);
    value["players"][0]["dice"] = json!({ "omni": 16 });
    value["players"][0]["hand"] = json!([talent]);
    value["players"][1]["ended"] = json!(true);
    change(&mut value);
    read(&value)
}

/// The same after a move, with the opponent undamaged and without an aura; and the opponent's loss.
fn harm(pos: &Genius, text: &str) -> (Genius, u8) {
    let pos = after(pos, &[text]);
    let lost = 10 - opponent(&pos, 0).0;
    let mut value = pos.json();
    value["players"][1]["chars"][0]["hp"] = json!(10);
    value["players"][1]["chars"][0]["aura"] = json!([]);
    (read(&value), lost)
}

/// Loss of the opponent per move.
fn harms(pos: &Genius, moves: &[&str]) -> (Genius, Vec<u8>) {
    let mut pos = *pos;
    let lost = moves.iter().map(|text| {
        let (next, lost) = harm(&pos, text);
        pos = next;
        lost
    });
    let lost = lost.collect();
    (pos, lost)
}

#[test]
fn thundering_penance_enhances_the_infusion() {
    let pos = owner("Keqing", "Thundering Penance", |_| {});
    let (pos, lost) = harms(&pos, &["play Thundering Penance on 0", "skill", "na", "burst"]);
    assert_eq!(lost, [3, 3, 3, 5], "one more once she is infused");
    assert_eq!(
        [1, 2].map(|place| opponent(&pos, place).0),
        [7, 7],
        "piercing damage does not grow"
    );
    let rounds = |pos: &Genius| pos.json()["players"][0]["chars"][0]["attach"][1].clone();
    let infusion = |n: u8| json!({ "name": "Enhanced Electro Elemental Infusion", "n": n });
    assert_eq!(rounds(&pos), infusion(3));
    let mut pos = after(&pos, &["end"]);
    for expected in [infusion(2), infusion(1), Value::Null] {
        pos = after(&after(&pos, &["roll omni"; 16]), &["reroll nothing", "reroll nothing"]);
        assert_eq!(rounds(&pos), expected);
        pos = after(&pos, &["end", "end"]);
    }
}

#[test]
fn an_infusion_is_as_it_was_made_until_it_is_made_anew() {
    let pos = owner("Keqing", "Thundering Penance", |value| {
        let infusion = json!([{ "name": "Electro Elemental Infusion", "n": 1 }]);
        value["players"][0]["chars"][0]["attach"] = infusion;
    });
    let (pos, lost) = harms(&pos, &["play Thundering Penance on 0", "na", "skill", "na"]);
    assert_eq!(lost, [3, 2, 3, 3]);
    let attached = &pos.json()["players"][0]["chars"][0]["attach"];
    let infusion = json!({ "name": "Enhanced Electro Elemental Infusion", "n": 3 });
    assert_eq!(attached, &json!([infusion, { "name": "Thundering Penance", "n": 1 }]));
}

#[test]
fn strategic_reserve_adds_to_geo_behind_the_screen() {
    let pos = owner("Ningguang", "Strategic Reserve", |value| {
        value["players"][0]["chars"][0]["energy"] = json!(1);
    });
    let (pos, lost) = harms(&pos, &["play Strategic Reserve on 0", "na", "burst", "skill"]);
    assert_eq!(lost, [2, 2, 9, 3], "the first time the screen comes after the damage");
    let mut value = pos.json();
    value["players"][0]["team"] = json!([]);
    assert_eq!(harm(&read(&value), "na").1, 1, "without the screen");
    let mut value = pos.json();
    value["players"][0]["chars"][0]["attach"] = json!([]);
    assert_eq!(harm(&read(&value), "na").1, 1, "without the talent");
}

#[test]
fn grand_expectation_inspires_the_hurt() {
    let hurt = |value: &mut Value| {
        value["players"][0]["chars"][0]["energy"] = json!(2);
        value["players"][0]["chars"][0]["hp"] = json!(2);
    };
    let pos = owner("Bennett", "Grand Expectation", hurt);
    let (pos, lost) = harms(&pos, &["play Grand Expectation on 0", "na", "na"]);
    assert_eq!(lost, [2, 4, 4]);
    assert_eq!(hp(&pos, 0, 0), 8, "and it heals as ever");
    let field = json!([{ "name": "Enhanced Inspiration Field", "n": 2 }]);
    assert_eq!(pos.json()["players"][0]["team"], field);
    let pos = owner("Bennett", "Grand Expectation", |value| {
        hurt(value);
        value["players"][0]["team"] = json!([{ "name": "Inspiration Field", "n": 1 }]);
    });
    let (pos, lost) = harms(&pos, &["play Grand Expectation on 0", "na"]);
    assert_eq!(lost, [2, 4], "the burst itself is not enhanced");
    assert_eq!(pos.json()["players"][0]["team"], field);
}
