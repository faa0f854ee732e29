use serde_json::{Value, json};

use super::{Action, EasyCard, EasyCardEvaluator, EasyCardSetup, Hand};
use crate::notation::laws::{check_bounds, check_notation, check_refused, check_same_game};
use crate::notation::{FaultKind, Notation, Settings, StateInput};
use engine::game::laws::{check_evaluator, check_game};
use engine::game::{Evaluator, Game, Outcome, PruningHints, Rng, Side, Tactics, Turn};

fn settings() -> Settings {
    Settings::defaults(EasyCard::facts().options)
}

fn after(actions: &[Action]) -> EasyCard {
    let mut pos = EasyCard::new(EasyCardSetup::default());
    for &action in actions {
        let legal = pos.legal_moves();
        assert!(legal.contains(&action), "{action:?} of {legal:?}");
        pos.play(action);
    }
    pos
}

#[test]
fn easycard_keeps_the_laws() {
    let start = EasyCard::new(EasyCardSetup::default());
    check_game(&start, 1, 60);
    check_evaluator(&start, &EasyCardEvaluator, 3, 2, 20);
    check_notation(&start, &settings(), 3, 20);
    let rich = EasyCardSetup { hp: 4, rounds: 9, hand: Hand { focus: 5, coin: 5, meal: 5 } };
    check_game(&EasyCard::new(rich), 4, 30);
}

#[test]
fn no_evaluation_is_beyond_its_bound() {
    check_bounds::<EasyCard>(1);
}

#[test]
fn a_state_read_back_is_the_same_game() {
    check_same_game::<EasyCard>(1);
}

#[test]
fn quick_actions_keep_the_move_and_fighting_passes_it() {
    use Action::{Attack, Coin, Focus, Guard, Meal};
    let pos = after(&[Focus, Coin, Meal, Guard]);
    assert_eq!(pos.turn(), Turn::Of(Side::First));
    let own = pos.fighter(Side::First);
    assert_eq!((own.dice, own.shield, own.boost, own.hp), (5, 1, 1, 10));
    assert_eq!(after(&[Focus, Attack]).turn(), Turn::Of(Side::Second));
}

#[test]
fn who_has_eaten_is_hungry_again_in_the_next_round() {
    use Action::{End, Meal};
    let pos = after(&[Meal, End, End]);
    assert!(!pos.fighter(Side::First).fed);
}

#[test]
fn everything_that_changes_the_future_is_hashed() {
    use Action::{Coin, Focus, Guard};
    let plain = after(&[Guard]);
    for [one, other] in [[Focus, Coin], [Coin, Guard], [Focus, Guard]] {
        assert_ne!(plain.after(one).hash(), plain.after(other).hash());
    }
    // Nothing but the boost.
    let boosted = |boost: u8| {
        let mut state = after(&[]).json();
        state["sides"][0]["boost"] = json!(boost);
        EasyCard::read(StateInput::Json(&state), &settings()).expect("a position").hash()
    };
    assert_ne!(boosted(0), boosted(1));
}

#[test]
fn a_shield_takes_damage_first_and_a_blow_spends_the_boost() {
    use Action::{Attack, End, Focus, Guard, Heavy};
    let pos = after(&[Guard, End, Focus, Heavy]);
    let [own, opponent] = [Side::First, Side::Second].map(|side| *pos.fighter(side));
    assert_eq!((own.hp, own.shield, opponent.boost, opponent.dice), (6, 0, 0, 1));
    let pos = after(&[Focus, Attack]);
    assert_eq!((pos.fighter(Side::First).boost, pos.fighter(Side::Second).hp), (0, 7));
}

#[test]
fn who_ended_first_begins_the_next_round() {
    use Action::{Attack, End, Guard};
    let pos = after(&[Attack, End, Guard, End]);
    assert_eq!((pos.round, pos.turn()), (2, Turn::Of(Side::Second)));
    for side in Side::BOTH {
        let fighter = pos.fighter(side);
        assert_eq!((fighter.dice, fighter.shield, fighter.ended), (6, 0, false));
    }
    assert_eq!(after(&[End, Attack]).turn(), Turn::Of(Side::Second), "the opponent goes on alone");
}

#[test]
fn wrong_states_are_refused_with_a_reason() {
    let with = |pointer: &str, value: Value| {
        let mut state = EasyCard::new(EasyCardSetup::default()).json();
        *state.pointer_mut(pointer).expect("there") = value;
        state
    };
    let shape = |pointer, value, words| {
        check_refused::<EasyCard>(&with(pointer, value), FaultKind::Shape, pointer, words);
    };
    shape("/round", json!(0), "from 1 to 10, got 0");
    shape("/rounds", json!(10), "from 1 to 9");
    shape("/turn", json!("third"), "unknown value `third`, expected `first` or `second`");
    // The values alone, in the order of the members, are no object.
    let hand = json!({ "focus": 1, "coin": 1, "meal": 1 });
    let side = json!([10, 6, 0, 0, hand, false, false]);
    shape("/sides/0", side, "expected an object with `hp`, `dice`");
    shape("/sides/0/hand", json!([1, 1, 1]), "expected an object with `focus`, `coin`, `meal`");
    shape("/turn", json!({ "first": null }), "expected one of `first`, `second`, got {");
    shape("/sides/0/hp", json!(11), "from 0 to 10, got 11");
    shape("/sides/1/dice", json!(9), "from 0 to 8");
    shape("/sides/1/shield", json!(3), "from 0 to 2");
    shape("/sides/1/hand/coin", json!(-1), "from 0 to 5");
    shape("/sides/1/hand", json!(3), "expected an object with `focus`");
    shape("/sides/0/fed", json!(1), "true or false");
    check_refused::<EasyCard>(&json!("x"), FaultKind::Shape, "", "is not a state");
    let position = |pointer, value, words| {
        check_refused::<EasyCard>(&with(pointer, value), FaultKind::Position, pointer, words);
    };
    position("/sides/0/ended", json!(true), "cannot be to move");
    position("/sides/0/boost", json!(5), "5 at most");
    let mut state = with("/sides/0/hp", json!(0));
    state["sides"][1]["hp"] = json!(0);
    check_refused::<EasyCard>(&state, FaultKind::Position, "/sides/1/hp", "only one side");
    let mut state = with("/sides/0/ended", json!(true));
    state["sides"][1]["ended"] = json!(true);
    check_refused::<EasyCard>(
        &state,
        FaultKind::Position,
        "/sides/1/ended",
        "next round has begun",
    );
}

/// The evaluator's predictions for single moves match their effects.
#[test]
fn blows_do_what_the_expert_says_of_them() {
    let (mut rng, mut wins, mut stopped) = (Rng::new(7), 0, 0);
    for _ in 0..300 {
        let mut pos = EasyCard::new(EasyCardSetup { hp: 5, rounds: 3, ..EasyCardSetup::default() });
        while let Turn::Of(mover) = pos.turn() {
            let hp = |pos: &EasyCard| pos.fighter(mover.other()).hp;
            let stands = |pos: &EasyCard| EasyCardEvaluator.evaluate(pos, mover);
            let (mut legal, mut noisy, mut won) = (Vec::new(), Vec::new(), false);
            pos.moves(&mut legal);
            EasyCardEvaluator.noisy(&pos, &mut noisy);
            for &action in &legal {
                let next = pos.after(action);
                let harm = hp(&pos) - hp(&next);
                assert_eq!(noisy.contains(&action), harm > 0, "{action:?} in {pos:?}");
                assert_eq!(EasyCardEvaluator.victim(&pos, action), usize::from(harm));
                assert_eq!(EasyCardEvaluator.victim_value(&pos, action), 100 * i32::from(harm));
                won |= next.turn() == Turn::Over(Outcome::Win(mover)) && harm > 0;
                stopped += usize::from(action.damage() > 0 && harm == 0);
                let is_open = next.turn() == Turn::Of(mover.other());
                if action.damage() > 0 && is_open {
                    let gain = stands(&next) - stands(&pos);
                    assert!(
                        EasyCardEvaluator.see_at_least(&pos, action, gain),
                        "{action:?} in {pos:?}"
                    );
                    assert!(
                        !EasyCardEvaluator.see_at_least(&pos, action, gain + 1),
                        "{action:?} in {pos:?}"
                    );
                }
            }
            assert!(noisy.iter().all(|action| legal.contains(action)));
            assert_eq!(EasyCardEvaluator.wins_in(&pos, mover), won.then_some(1), "{pos:?}");
            wins += usize::from(won);
            let Some(mv) = pos.random_move(&mut rng, &mut legal) else { break };
            pos.play(mv);
        }
    }
    assert!(wins > 50 && stopped > 50, "{wins} {stopped}");
}

#[test]
fn what_is_slow_to_change_tells_hands_and_ends_apart() {
    use Action::{Attack, Coin, End, Focus, Guard, Meal};
    let of = |actions: &[Action]| EasyCardEvaluator.structure_key(&after(actions));
    assert_eq!(of(&[Guard]), of(&[Attack, Guard]), "dice, shields and hit points do not count");
    let different = [of(&[]), of(&[Focus]), of(&[Coin]), of(&[Meal]), of(&[End])];
    for (n, one) in different.iter().enumerate() {
        assert!(!different[..n].contains(one), "{different:?}");
    }
    assert_ne!(of(&[Attack, Focus]), of(&[Focus]), "whose cards they are counts");
}

#[test]
fn a_blow_follows_a_focus() {
    let continuation_bonus = |previous: Action, action| {
        EasyCardEvaluator.continuation_bonus(&after(&[]), EasyCard::move_code(previous), action)
    };
    assert!(continuation_bonus(Action::Focus, Action::Heavy) > 0);
    assert_eq!(continuation_bonus(Action::Focus, Action::Guard), 0);
    assert_eq!(continuation_bonus(Action::Guard, Action::Heavy), 0);
}
