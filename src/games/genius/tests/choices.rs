//! What looks promising, and what a player takes who looks one move ahead.

use serde_json::{Value, json};

use super::{read, state};
use crate::game::{Expert, Game, Side};
use crate::games::genius::{Act, Duelist, Genius, Move};

const FKC: [&str; 3] = ["Fischl", "Kaeya", "Collei"];

fn with(change: impl Fn(&mut Value)) -> Genius {
    let mut value = state(FKC, FKC);
    change(&mut value);
    read(&value)
}

fn order(pos: &Genius, act: Act) -> i32 {
    Duelist::default().order(pos, Side::First, Move::from(act))
}

fn own<'a>(value: &'a mut Value, key: &str) -> &'a mut Value {
    &mut value["players"][0][key]
}

#[test]
fn a_summon_that_stands_is_not_called_again() {
    let plain = with(|_| {});
    let out = with(|value| *own(value, "summons") = json!([{ "name": "Oz", "n": 2 }]));
    let worn = with(|value| *own(value, "summons") = json!([{ "name": "Oz", "n": 1 }]));
    assert!(order(&plain, Act::Skill(1)) > order(&out, Act::Skill(1)));
    assert_eq!(order(&plain, Act::Skill(1)), order(&worn, Act::Skill(1)));
    assert!(order(&out, Act::Skill(0)) > order(&out, Act::Skill(1)));
}

#[test]
fn a_switch_comes_when_it_is_prepared_and_not_when_dice_fit_or_nothing_has_happened() {
    let plain = with(|_| {});
    let cheap = with(|value| *own(value, "team") = json!([{ "name": "Changing Shifts", "n": 1 }]));
    let quick = with(|value| *own(value, "team") = json!([{ "name": "Leave It to Me!", "n": 1 }]));
    let tuned = with(|value| *own(value, "dice") = json!({ "electro": 4, "pyro": 4 }));
    let first = with(|value| value["round"] = json!(1));
    let switch = |pos: &Genius| order(pos, Act::Switch(1));
    let skill = |pos: &Genius| order(pos, Act::Skill(0));
    assert!(switch(&cheap) > skill(&cheap) && switch(&quick) > skill(&quick));
    assert!(switch(&tuned) < switch(&plain) && switch(&first) < switch(&plain));
    for pos in [plain, cheap, quick, tuned, first] {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let least = moves.iter().map(|mv| order(&pos, mv.act)).min();
        assert_eq!(least, Some(order(&pos, Act::End)), "the end comes last");
    }
}

/// Who stands better in what counts stands better.
#[test]
fn the_evaluation_knows_what_is_good() {
    let value =
        |change: &dyn Fn(&mut Value)| Duelist::default().evaluate(&with(change), Side::First);
    let even = value(&|_| {});
    for hp in 1..10 {
        let [less, more] = [hp, hp + 1].map(|hp| value(&|v| own(v, "chars")[1]["hp"] = json!(hp)));
        assert!(less < more, "{hp} hit points are less than one more");
    }
    assert!(value(&|v| own(v, "chars")[1]["energy"] = json!(1)) > even);
    assert!(value(&|v| *own(v, "summons") = json!([{ "name": "Oz", "n": 2 }])) > even);
    let dice = |count: i32| value(&|v| *own(v, "dice") = json!({ "omni": count }));
    assert!((0..8).all(|count| dice(count) < dice(count + 1)));
    let frozen = json!([{ "name": "Frozen", "n": 1 }]);
    assert!(value(&|v| own(v, "chars")[0]["attach"] = frozen.clone()) < even);
}
