//! Pruning hints for the search.

use super::random_play;
use crate::genius::{Act, Genius, GeniusEvaluator};
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
