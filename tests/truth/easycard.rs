//! EasyCard: counts and values computed by an independent program, written from the rules.

use bestmove::game::Game;
use bestmove::games::easycard::{EasyCard, EasyCardSetup, Hand};
use bestmove::search::sg::Sg;
use bestmove::search::{Budget, Wanted};

use crate::perft::check;
use crate::sign;
use crate::support::run;

const NONE: Hand = Hand { focus: 0, coin: 0, meal: 0 };
const FOCUS: Hand = Hand { focus: 1, coin: 0, meal: 0 };
const ALL: Hand = Hand { focus: 1, coin: 1, meal: 1 };

fn start(hp: u8, hand: Hand, rounds: u8) -> EasyCard {
    EasyCard::new(EasyCardSetup { hp, rounds, hand })
}

#[test]
fn perft_of_easycard_is_that_recorded() {
    let with_cards = [1, 7, 46, 279, 1_512, 7_471, 34_765, 156_142];
    let without = [1, 4, 16, 50, 127, 344, 1_034, 3_107, 8_916];
    check(&start(10, ALL, 4), &with_cards, "easycard");
    check(&start(10, NONE, 4), &without, "easycard without cards");
}

fn value(pos: &EasyCard) -> i64 {
    let report = run(&Sg { max_states: 8_000_000 }, pos, Budget::default(), Wanted::One);
    sign(report.lines[0].value)
}

#[test]
fn the_first_player_wins_but_for_one_round_with_all_cards() {
    for hp in [4, 6, 10] {
        for (hand, deepest) in [(NONE, 3), (FOCUS, 3), (ALL, 1)] {
            for rounds in 1..=deepest {
                let expected = i64::from((hp, hand, rounds) != (10, ALL, 1));
                let pos = start(hp, hand, rounds);
                assert_eq!(value(&pos), expected, "{hp} {hand:?} {rounds}: {:x}", pos.hash());
            }
        }
    }
}
