use super::expert::Mobility;
use super::rules::Othello;
use crate::game::laws::{check_expert, check_game};
use crate::wire::laws::{check_refused, check_wire};
use crate::wire::{Kind, Settings, StateInput, Wire};

#[test]
fn othello_keeps_the_laws() {
    let start = Othello::default();
    check_game(&start, 1, 60);
    check_expert(&start, &Mobility, 3, 2, 12);
    check_wire(&start, &Settings::defaults(&[]), 4, 15);
}
