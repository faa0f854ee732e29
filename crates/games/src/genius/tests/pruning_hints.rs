//! Pruning hints for the search.

use serde_json::{Value, json};

use super::{random_play, read, state};
use crate::genius::{Act, Genius, GeniusEvaluator, GeniusMove, Target};
use crate::notation::Served;
use engine::game::{Chance, Evaluator, Game, Independence, PruningHints, Rng, Side, Turn};

/// A position of the first side with these cards in hand, after a change of its seat.
fn holding(cards: &[&str], change: impl Fn(&mut Value)) -> Genius {
    let mut value = state(["Fischl", "Kaeya", "Collei"], ["Diluc", "Kaeya", "Sucrose"]);
    value["players"][0]["hand"] = json!(cards);
    change(&mut value["players"][0]);
    read(&value)
}

/// The act that plays the card of this name.
fn card(pos: &Genius, name: &str) -> Act {
    let played = |act: &Act| matches!(act, Act::Play(card, _) if card.name() == name);
    let act = pos.legal_moves().iter().map(|mv| mv.act).find(played);
    act.unwrap_or_else(|| panic!("no {name}"))
}

/// The moves after `previous` in the order in which the search tries them.
fn ranked(pos: &Genius, previous: Act) -> Vec<Act> {
    let evaluator = GeniusEvaluator::default();
    let code = Genius::move_code(previous.into());
    let key = |mv| {
        let bonus = evaluator.continuation_bonus(pos, code, mv);
        -evaluator.order(pos, Side::First, mv) - bonus
    };
    let mut moves = pos.legal_moves();
    moves.sort_by_key(|&mv| key(mv));
    moves.into_iter().map(|mv| mv.act).collect()
}

fn place(moves: &[Act], wanted: fn(&Act) -> bool) -> usize {
    moves.iter().position(wanted).expect("such a move is legal")
}

const SWITCH: fn(&Act) -> bool = |act| matches!(act, Act::Switch(_));

/// Tuned dice are for the active fighter; only with Liben in play does a switch not come last.
#[test]
fn no_switch_follows_a_tuning_unless_liben_collects_the_dice() {
    let dice = |seat: &mut Value| seat["dice"] = json!({ "pyro": 4, "hydro": 4 });
    let plain = holding(&["Strategize", "Paimon"], dice);
    let liben = holding(&["Strategize", "Paimon"], |seat| {
        dice(seat);
        seat["supports"] = json!([{ "name": "Liben", "n": 0 }]);
    });
    for (pos, is_last) in [(plain, true), (liben, false)] {
        let tuned =
            pos.legal_moves().iter().map(|mv| mv.act).find(|act| matches!(act, Act::Tune(..)));
        let moves = ranked(&pos, tuned.expect("a die that does not fit"));
        let end = place(&moves, |act| matches!(act, Act::End));
        let tuning = place(&moves, |act| matches!(act, Act::Tune(..)));
        assert_eq!(place(&moves, SWITCH) > tuning, is_last, "{moves:?}");
        assert!(end > tuning, "{moves:?}");
    }
}

#[test]
fn a_switch_comes_first_after_the_cards_for_it() {
    for name in ["Changing Shifts", "Leave It to Me!"] {
        let pos = holding(&[name, "Strategize"], |_| {});
        let act = card(&pos, name);
        let next = pos.after(act.into());
        assert_eq!(place(&ranked(&next, act), SWITCH), 0, "{name}");
        let other = ranked(&next, card(&pos, "Strategize"));
        assert!(place(&other, SWITCH) > 0, "{name} played earlier: {other:?}");
    }
}

/// Nobody switches as the very first action, unless the dice are bad for the active fighter.
#[test]
fn the_first_action_is_a_switch_only_with_bad_dice() {
    let first = |dice: Value| {
        let mut value = state(["Fischl", "Kaeya", "Collei"], ["Diluc", "Kaeya", "Sucrose"]);
        value["round"] = json!(1);
        for side in 0..2 {
            value["players"][side]["dice"] = dice.clone();
        }
        value["players"][0]["hand"] = json!(["Strategize"]);
        let pos = read(&value);
        let moves = ranked(&pos, Act::End);
        place(&moves, SWITCH) < place(&moves, |act| matches!(act, Act::Tune(..)))
    };
    assert!(!first(json!({ "electro": 4, "hydro": 4 })), "good dice");
    assert!(first(json!({ "electro": 2, "hydro": 6 })), "bad dice");
}

/// Independent cards lead to one position in either order with whatever else is free: the promise of the hint.
#[test]
fn cards_for_the_switch_are_independent_and_food_and_supports_are_not() {
    let evaluator = GeniusEvaluator::default();
    let names = [
        "Changing Shifts",
        "Leave It to Me!",
        "The Bestest Travel Companion!",
        "Sweet Madame",
        "Liben",
        "Raven Bow",
        "Strategize",
    ];
    let pos = holding(&names, |seat| seat["chars"][0]["hp"] = json!(5));
    let of = |name| evaluator.independence(&pos, card(&pos, name).into());
    assert_eq!([of(names[0]), of(names[1])], [Independence::Ordinary; 2]);
    assert_eq!(of(names[2]), Independence::Strong);
    for name in &names[3..] {
        assert_eq!(of(name), Independence::Dependent, "{name}");
    }
    let all = pos.legal_moves();
    let is_free = |mv: &&GeniusMove| evaluator.independence(&pos, **mv) > Independence::Dependent;
    let (free, acts): (Vec<GeniusMove>, Vec<GeniusMove>) = all.iter().partition(is_free);
    assert!(acts.iter().any(|mv| matches!(mv.act, Act::Skill(_))), "combat actions are dependent");
    for one in free.iter().filter(|mv| mv.act != card(&pos, names[2])) {
        let quick = [card(&pos, "Sweet Madame"), card(&pos, "Liben"), card(&pos, "Raven Bow")];
        for other in quick {
            let [a, b] = [[*one, other.into()], [other.into(), *one]]
                .map(|line| pos.after(line[0]).after(line[1]));
            assert_eq!(a.hash(), b.hash(), "{one:?} and {other:?}");
        }
    }
    assert!(matches!(card(&pos, "Sweet Madame"), Act::Play(_, Target::Fighter(0))));
}

#[test]
fn the_end_is_near_when_a_side_has_one_fighter_left() {
    let evaluator = GeniusEvaluator::default();
    let dead = |count: usize| {
        holding(&[], |seat| (0..count).for_each(|n| seat["chars"][2 - n]["hp"] = json!(0)))
    };
    assert_eq!([0, 1, 2].map(|count| evaluator.is_endgame(&dead(count))), [false, false, true]);
}

/// Eight dice show every face once; fewer have distinct faces, and all of it is a legal outcome.
#[test]
fn a_typical_roll_is_spread_over_the_faces() {
    for kept in 0..8 {
        let mut pos = Genius::deal(7);
        let mut rng = Rng::new(1);
        while !matches!(pos.turn(), Turn::Chance(super::super::GeniusChance::Die)) {
            pos = random_play(&pos, 1, &mut rng);
        }
        pos = random_play(&pos, kept, &mut rng);
        let Turn::Chance(first) = pos.turn() else { panic!("more dice to roll") };
        let side = first.side(&pos).expect("a die of somebody");
        let before = pos.seat(side).dice;
        while let Turn::Chance(event) = pos.turn()
            && event.side(&pos) == Some(side)
        {
            let (typical, mut outcomes) = (event.typical(&pos).expect("dice"), Vec::new());
            event.outcomes(&pos, &mut outcomes);
            assert!(outcomes.iter().any(|&(mv, _)| mv == typical), "{typical:?}");
            pos.play(typical);
        }
        let rolled = pos.seat(side).dice.minus(before);
        assert_eq!(usize::from(rolled.total()), 8 - kept);
        assert!((0..8).all(|face| rolled.count(face) <= 1), "{rolled:?}");
    }
}

/// One tuning per card remains, that of a least needed die; all other moves are kept.
#[test]
fn each_card_tunes_the_die_that_is_needed_least() {
    let (mut rng, mut dropped) = (Rng::new(51), 0);
    let evaluator = GeniusEvaluator::default();
    for seed in 0..400 {
        let plies = 60 + rng.below(120);
        let pos = random_play(&Genius::deal_any(seed), plies, &mut rng);
        let Turn::Of(mover) = pos.turn() else { continue };
        let all = pos.legal_moves();
        let mut kept = vec![all[0]];
        kept.extend(&all);
        let any = evaluator.remove_dominated(&pos, mover, &mut kept, 1);
        let (first, kept) = kept.split_first().expect("it is not for the search");
        assert_eq!(*first, all[0], "what stands before is not touched");
        assert_eq!(any, kept.len() < all.len());
        dropped += all.len() - kept.len();
        let need = pos.seat(mover).need();
        let want = |face| (need.of(face), pos.seat(mover).dice.count(face));
        for mv in all {
            let Act::Tune(card, face) = mv.act else {
                assert!(kept.contains(&mv), "{mv:?}");
                continue;
            };
            let of_card = kept.iter().filter_map(|other| match other.act {
                Act::Tune(other, face) if other == card => Some(face),
                _ => None,
            });
            let of_card: Vec<_> = of_card.collect();
            assert!(of_card.len() == 1 && want(of_card[0]) <= want(face), "{mv:?}: {of_card:?}");
        }
    }
    assert!(dropped > 200, "{dropped}");
}

/// The worked examples of the rating: three dice left, with Vanarana more than five, with Liben never.
#[test]
fn to_end_the_round_is_patient_where_dice_are_left_that_nothing_collects() {
    let team = ["Kaeya", "Diluc", "Sucrose"];
    let patient = |dice: u32, supports: &[&str]| {
        let mut value = state(team, team);
        value["players"][0]["dice"] = json!({ "omni": dice });
        let supports = supports.iter().map(|name| json!({ "name": name }));
        value["players"][0]["supports"] = supports.collect();
        let pos = read(&value);
        pos.legal_moves().into_iter().filter(|&mv| pos.is_patient(mv)).collect::<Vec<_>>()
    };
    let end = [Act::End.into()];
    assert_eq!((patient(2, &[]), patient(3, &[])), (Vec::new(), end.to_vec()));
    assert_eq!(patient(4, &["Paimon"]), end);
    assert_eq!(patient(8, &["Liben"]), []);
    assert_eq!(patient(5, &["Vanarana"]), []);
    assert_eq!(patient(6, &["Vanarana"]), end);
    assert_eq!(patient(8, &["Vanarana", "Liben"]), []);
}
