//! Pruning hints for the search.

use serde_json::json;

use super::{random_play, read, state};
use crate::genius::{Act, Genius, GeniusEvaluator};
use crate::notation::Served;
use engine::game::{Game, PruningHints, Rng, Turn};

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
