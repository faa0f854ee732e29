mod payment;
mod pruning_hints;

use serde_json::{Value, json};

use super::state::{LAST_ROUND, Task};
use super::{Act, Genius, GeniusEvaluation, GeniusEvaluator, GeniusMove, statuses, worth};
use crate::notation::laws::{
    check_bounds, check_notation, check_same_game, check_same_game_from, walk,
};
use crate::notation::{Notation, Settings, StateInput};
use engine::game::laws::{check_evaluator, check_fitted, check_game};
use engine::game::{Chance, Evaluator, Game, Info, Rng, Side, Turn};

fn settings() -> Settings {
    Settings::defaults(Genius::facts().options)
}

pub(super) fn core() -> Genius {
    let teams = [["Kaeya", "Diluc", "Sucrose"], ["Fischl", "Collei", "Kaeya"]];
    Genius::core(teams).expect("these are characters")
}

pub(super) fn read(state: &Value) -> Genius {
    let read = Genius::read(StateInput::Json(state), &settings());
    read.unwrap_or_else(|fault| panic!("{fault}: {state}"))
}

/// A state of the whole game in the action phase, with omni dice for everything.
pub(super) fn state(first: [&str; 3], second: [&str; 3]) -> Value {
    let side = |team: [&str; 3]| {
        let chars = team.map(|name| json!({ "name": name, "hp": 10 }));
        json!({ "active": 0, "dice": { "omni": 8 }, "chars": chars, "hand": [], "deck": [] })
    };
    json!({ "round": 2, "phase": "action", "turn": 0, "players": [side(first), side(second)] })
}

pub(super) fn after(pos: &Genius, moves: &[&str]) -> Genius {
    let mut pos = *pos;
    for text in moves {
        let mv = pos.find_move(text).unwrap_or_else(|fault| panic!("{fault}"));
        pos.play(mv);
    }
    pos
}

/// The position after random actions, with dice and draws by seed.
pub(super) fn random_play(pos: &Genius, plies: usize, rng: &mut Rng) -> Genius {
    let mut pos = *pos;
    for _ in 0..plies {
        match pos.turn() {
            Turn::Over(_) => break,
            Turn::Chance(luck) => pos.play(luck.sample(&pos, rng)),
            Turn::Of(_) => {
                let mv = pos.random_move(rng, &mut Vec::new());
                pos.play(mv.expect("who is to act has a move"));
            }
        }
    }
    pos
}

#[test]
fn the_card_duel_keeps_the_laws() {
    check_game(&core(), 1, 8);
    check_game(&Genius::deal(1), 2, 4);
    let mut rng = Rng::new(3);
    // Determinizations with unknown deck order.
    let world = super::GeniusView::world(&Genius::deal(2), Side::First, &mut rng);
    check_game(&world, 4, 4);
}

#[test]
fn the_expert_keeps_the_laws() {
    for evaluation in
        [GeniusEvaluation::Network, GeniusEvaluation::Fitted, GeniusEvaluation::Guessed]
    {
        check_evaluator(&core(), &GeniusEvaluator { evaluation }, 1, 1, 2);
    }
}

#[test]
fn evaluations_are_sums_of_weights() {
    let mut rng = Rng::new(9);
    for evaluation in [GeniusEvaluation::Fitted, GeniusEvaluation::Guessed] {
        let evaluator = GeniusEvaluator { evaluation };
        check_fitted(&core(), &evaluator, 1, 20);
        // The law walks as far as nobody rolls or draws: from the midst of games it sees cards as well.
        for seed in 0..400 {
            let plies = rng.below(300);
            check_fitted(
                &random_play(&Genius::deal_any(seed), plies, &mut rng),
                &evaluator,
                seed,
                1,
            );
        }
    }
    let names: std::collections::HashSet<_> = (0..worth::TERMS).map(worth::name).collect();
    assert_eq!(names.len(), worth::TERMS, "each weight has a name of its own");
}

#[test]
fn random_decks_are_legal_and_repeat_themselves() {
    for seed in 0..200 {
        let pos = Genius::deal_any(seed);
        assert_eq!(pos.hash(), Genius::deal_any(seed).hash());
        for side in Side::BOTH {
            let seat = pos.seat(side);
            let team = seat.fighters.map(|fighter| fighter.who);
            assert!(team[0] != team[1] && team[1] != team[2] && team[2] != team[0]);
            let cards: Vec<_> = seat.pool().collect();
            assert_eq!(cards.len(), 30);
            for card in &cards {
                assert_eq!(cards.iter().filter(|other| *other == card).count(), 2);
                assert!(card.serves(team.into_iter()), "{} for {team:?}", card.name());
            }
        }
    }
    assert_ne!(Genius::deal_any(1).hash(), Genius::deal_any(2).hash());
}

#[test]
fn what_is_written_is_read_again() {
    check_notation(&core(), &settings(), 1, 3);
    check_notation(&Genius::deal(4), &settings(), 2, 2);
    let mut rng = Rng::new(5);
    check_notation(
        &super::GeniusView::world(&Genius::deal(5), Side::Second, &mut rng),
        &settings(),
        3,
        1,
    );
}

#[test]
fn no_evaluation_is_beyond_its_bound() {
    check_bounds::<Genius>(1);
}

#[test]
fn a_state_read_back_is_the_same_game() {
    check_same_game::<Genius>(1);
    let mut rng = Rng::new(5);
    let world = super::GeniusView::world(&Genius::deal(5), Side::Second, &mut rng);
    check_same_game_from(&[(core(), settings()), (world, settings())], 2, Genius::hash);
}

#[test]
fn the_rows_stand_in_the_order_of_their_numbers() {
    for (n, row) in statuses::ROWS.iter().enumerate() {
        assert_eq!(row.id as usize, n, "{}", row.name);
        assert_eq!(super::Status::named(row.name), Some(row.id), "names are unique");
    }
    for (n, name) in super::Card::names().enumerate() {
        assert_eq!(super::Card::named(name).map(|card| usize::from(card.0)), Some(n), "{name}");
    }
    assert!(size_of::<Genius>() <= 1_024, "{} bytes", size_of::<Genius>());
}

fn check_sound(pos: &Genius) {
    assert!((1..=LAST_ROUND).contains(&pos.round));
    for side in Side::BOTH {
        let seat = pos.seat(side);
        assert!(seat.dice.total() <= 16 && seat.hand.len() <= 10);
        for fighter in &seat.fighters {
            assert!(fighter.hp <= 10 && fighter.energy <= fighter.who.row().energy);
            assert_eq!(fighter.alive, fighter.hp > 0, "defeats are dealt with");
        }
        let chooses = pos.tasks.as_slice().contains(&Task::Choose(side));
        assert!(seat.active().alive || chooses || pos.outcome.is_some());
    }
}

#[test]
fn random_games_stay_sound_and_end() {
    for seed in 0..1_500 {
        let start = if seed % 3 == 0 { core() } else { Genius::deal(seed) };
        walk(&start, seed, 1, check_sound);
    }
}

#[test]
fn every_world_deals_the_cards_that_can_be() {
    let mut rng = Rng::new(6);
    let pos = random_play(&Genius::deal(7), 120, &mut rng);
    let sorted = |cards: &mut dyn Iterator<Item = super::Card>| {
        let mut cards: Vec<_> = cards.collect();
        cards.sort_unstable();
        cards
    };
    let [own, opponent] = [Side::First, Side::Second];
    let pool = sorted(&mut pos.seat(opponent).pool());
    let mut hands = std::collections::HashSet::new();
    for _ in 0..50 {
        let world = super::GeniusView::world(&pos, own, &mut rng);
        assert_eq!(world.seat(own).hand, pos.seat(own).hand);
        assert_eq!(sorted(&mut world.seat(opponent).pool()), pool);
        assert_eq!(world.seat(opponent).hand.len(), pos.seat(opponent).hand.len());
        hands.insert(format!("{:?}", world.seat(opponent).hand));
    }
    assert!(hands.len() > 10, "{} hands", hands.len());
}

#[test]
fn no_world_knows_the_order_of_a_deck_and_a_view_counts_the_opponents_hand() {
    let mut rng = Rng::new(10);
    for viewer in Side::BOTH {
        let world = super::GeniusView::world(&Genius::deal(3), viewer, &mut rng);
        assert!(world.seats.iter().all(|seat| seat.shuffled), "draws are chance");
    }
    // Same deck size and same possible cards: only the hand size differs.
    let views = [3, 4].map(|hand| {
        let mut value = state(FKC, FKC);
        value["players"][1]["hand"] = json!(hand);
        value["players"][1]["deck"] = json!(20);
        super::GeniusView::view(&read(&value), Side::First)
    });
    assert_ne!(views[0], views[1]);
}

#[test]
fn worlds_do_not_depend_on_the_hidden_cards() {
    let mut rng = Rng::new(8);
    for seed in 0..50 {
        let pos = random_play(&Genius::deal(seed), 100, &mut rng);
        for viewer in Side::BOTH {
            let other = super::GeniusView::world(&pos, viewer, &mut rng);
            let world =
                |pos: &Genius| super::GeniusView::world(pos, viewer, &mut Rng::new(seed)).hash();
            assert_eq!(world(&pos), world(&other), "a seed deals one world to one view");
        }
    }
}

#[test]
fn dice_and_draws_are_chance_and_moves_name_their_payment() {
    let pos =
        after(&Genius::deal(1), &["redraw nothing", "redraw nothing", "choose 0", "choose 1"]);
    assert_eq!(pos.turn(), Turn::Chance(super::GeniusChance::Die));
    let pos = after(&pos, &["roll omni"; 16]);
    assert_eq!(pos.turn(), Turn::Of(Side::First));
    let pos = after(&pos, &["reroll nothing", "reroll omni:2", "roll cryo", "roll pyro"]);
    let dice = Act::Skill(0);
    assert_eq!(pos.move_text(dice.into()), "skill 0 with omni:3");
    let paid = pos.find_move(r#"{"type": "skill", "skill": 0, "dice": {"omni": 3}}"#);
    assert_eq!(paid, Ok(GeniusMove::from(dice)), "the cheapest dice need no word");
}

const FKC: [&str; 3] = ["Fischl", "Kaeya", "Collei"];

fn changed(change: impl Fn(&mut Value)) -> Genius {
    let mut value = state(FKC, FKC);
    change(&mut value);
    read(&value)
}

fn promise(pos: &Genius, act: Act) -> i32 {
    GeniusEvaluator::default().order(pos, Side::First, GeniusMove::from(act))
}

fn own<'a>(value: &'a mut Value, key: &str) -> &'a mut Value {
    &mut value["players"][0][key]
}

#[test]
fn a_summon_that_stands_is_not_called_again() {
    let plain = changed(|_| {});
    let out = changed(|value| *own(value, "summons") = json!([{ "name": "Oz", "n": 2 }]));
    let worn = changed(|value| *own(value, "summons") = json!([{ "name": "Oz", "n": 1 }]));
    assert!(promise(&plain, Act::Skill(1)) > promise(&out, Act::Skill(1)));
    assert_eq!(promise(&plain, Act::Skill(1)), promise(&worn, Act::Skill(1)));
    assert!(promise(&out, Act::Skill(0)) > promise(&out, Act::Skill(1)));
}

#[test]
fn a_switch_comes_when_it_is_prepared_and_not_when_dice_fit_or_nothing_has_happened() {
    let plain = changed(|_| {});
    let cheap =
        changed(|value| *own(value, "team") = json!([{ "name": "Changing Shifts", "n": 1 }]));
    let quick =
        changed(|value| *own(value, "team") = json!([{ "name": "Leave It to Me!", "n": 1 }]));
    let tuned = changed(|value| *own(value, "dice") = json!({ "electro": 4, "pyro": 4 }));
    let first = changed(|value| value["round"] = json!(1));
    let switch = |pos: &Genius| promise(pos, Act::Switch(1));
    let skill = |pos: &Genius| promise(pos, Act::Skill(0));
    assert!(switch(&cheap) > skill(&cheap) && switch(&quick) > skill(&quick));
    assert!(switch(&tuned) < switch(&plain) && switch(&first) < switch(&plain));
    for pos in [plain, cheap, quick, tuned, first] {
        let moves = pos.legal_moves();
        let least = moves.iter().map(|mv| promise(&pos, mv.act)).min();
        assert_eq!(least, Some(promise(&pos, Act::End)), "the end comes last");
    }
}

/// The evaluation increases with each of its terms.
#[test]
fn the_evaluation_knows_what_is_good() {
    let value = |change: &dyn Fn(&mut Value)| {
        GeniusEvaluator::default().evaluate(&changed(change), Side::First)
    };
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

/// Rule text: damage with its reactions, forced switch, and the check for defeats last.
#[test]
fn who_falls_by_the_swirl_is_switched_in_all_the_same_and_his_side_chooses() {
    let mut value = state(["Sucrose", "Kaeya", "Fischl"], ["Diluc", "Kaeya", "Collei"]);
    let foes = &mut value["players"][1]["chars"];
    foes[0]["aura"] = json!(["cryo"]);
    foes[2]["hp"] = json!(1);
    let pos = after(&read(&value), &["skill 1"]);
    assert_eq!(pos.turn(), Turn::Of(Side::Second));
    let seat = pos.seat(Side::Second);
    assert_eq!((seat.active, seat.fighters[2].alive), (2, false));
    let mut names: Vec<_> = pos.legal_moves().into_iter().map(|mv| pos.move_text(mv)).collect();
    names.sort();
    assert_eq!(names, ["choose 0", "choose 1"]);
    value["profile"] = json!("core");
    let seat = *after(&read(&value), &["skill 1"]).seat(Side::Second);
    assert_eq!((seat.active, seat.fighters[2].alive), (1, false), "the core has its own record");
    value["profile"] = json!("full");
    // One hit point more: he stays.
    value["players"][1]["chars"][2]["hp"] = json!(2);
    let pos = after(&read(&value), &["skill 1"]);
    assert_eq!((pos.seat(Side::Second).active, pos.tasks.next()), (2, None));
}

/// Pierced to zero by the same burst, the next one does not come: Overloaded names the living.
#[test]
fn overloaded_switches_to_the_next_who_lives() {
    let mut value = state(["Fischl", "Kaeya", "Collei"], ["Diluc", "Kaeya", "Sucrose"]);
    value["players"][0]["chars"][0]["energy"] = json!(3);
    let foes = &mut value["players"][1]["chars"];
    foes[0]["aura"] = json!(["pyro"]);
    foes[1]["hp"] = json!(2);
    let pos = after(&read(&value), &["skill 2"]);
    let seat = pos.seat(Side::Second);
    assert_eq!((seat.active, seat.fighters[1].alive), (2, false));
    assert_eq!(pos.tasks.next(), None, "nobody is asked");
}

/// The spirit comes after the damage that swirls: it has no element yet.
#[test]
fn a_burst_that_swirls_calls_a_spirit_without_an_element() {
    let mut value = state(["Sucrose", "Kaeya", "Fischl"], ["Diluc", "Kaeya", "Collei"]);
    value["players"][0]["chars"][0]["energy"] = json!(2);
    value["players"][1]["chars"][0]["aura"] = json!(["pyro"]);
    let pos = after(&read(&value), &["skill 2"]);
    let spirit = &pos.json()["players"][0]["summons"][0];
    assert_eq!(*spirit, json!({ "name": "Large Wind Spirit", "n": 3 }));
}

#[test]
fn the_element_of_a_fresh_spirit_is_anemo_or_left_out() {
    let with = |spirit: Value| {
        let mut value = state(FKC, FKC);
        value["players"][0]["summons"] = json!([spirit]);
        read(&value)
    };
    let fresh = with(json!({ "name": "Large Wind Spirit", "n": 2 }));
    for key in ["el", "element"] {
        assert_eq!(with(json!({ "name": "Large Wind Spirit", "n": 2, key: "anemo" })), fresh);
        let pyro = with(json!({ "name": "Large Wind Spirit", "n": 2, key: "pyro" }));
        assert_eq!(pyro.json()["players"][0]["summons"][0]["element"], "pyro");
    }
}
