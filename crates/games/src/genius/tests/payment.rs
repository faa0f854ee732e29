use crate::genius::dice::{Cost, Dice, FACES, Need, OMNI, Purse};
use crate::genius::elements::Element;
use engine::game::Rng;

fn random_dice(rng: &mut Rng) -> Dice {
    let most = rng.below(17);
    let mut dice = Dice::NONE;
    (0..most).for_each(|_| dice.gain(rng.below(usize::from(FACES)) as u8, 1));
    dice
}

/// All selections of this number of dice.
fn choices(dice: Dice, count: u8, face: u8, taken: Dice, out: &mut Vec<Dice>) {
    if count == 0 {
        return out.push(taken);
    }
    if face == FACES {
        return;
    }
    for n in 0..=dice.count(face).min(count) {
        choices(dice, count - n, face + 1, taken.plus(Dice::of(face, n)), out);
    }
}

/// True if the dice pay by definition: some of them are of the element or omni, the others of one face
/// or omni, or of any.
fn pays(cost: Cost, dice: Dice) -> bool {
    let omni = dice.count(OMNI);
    match (cost.own, cost.same) {
        (Some((element, n)), 0) => dice.count(element as u8) + omni >= n,
        (None, same) if same > 0 => (0..FACES).any(|face| {
            dice.minus(Dice::of(face, dice.count(face))).total()
                == if face == OMNI { 0 } else { omni }
        }),
        _ => true,
    }
}

#[test]
fn a_payment_pays_exactly_wherever_something_pays() {
    let mut rng = Rng::new(1);
    for _ in 0..3_000 {
        let dice = random_dice(&mut rng);
        let element = Element::ALL[rng.below(7)];
        let n = 1 + rng.below(4) as u8;
        let cost = match rng.below(4) {
            0 => Cost::of(element, n),
            1 => Cost::of(element, 1).and_any(2),
            2 => Cost::same(n),
            _ => Cost::any(n),
        };
        let need = Need { active: element, team: rng.below(256) as u8 & !1 };
        let mut all = Vec::new();
        choices(dice, cost.dice(), 0, Dice::NONE, &mut all);
        let payable = all.iter().any(|&some| pays(cost, some));
        assert_eq!(Purse::new(dice).pays(cost), payable, "{cost:?} of {dice:?}");
        for &some in &all {
            assert_eq!(cost.is_paid_by(some), pays(cost, some), "{cost:?} by {some:?}");
        }
        if payable {
            let paid = cost.payment(dice, need);
            assert!(dice.holds(paid) && cost.is_paid_by(paid), "{cost:?}: {paid:?} of {dice:?}");
            let fewest =
                all.iter().filter(|&&some| pays(cost, some)).map(|some| some.count(OMNI)).min();
            assert_eq!(Some(paid.count(OMNI)), fewest, "omni is kept: {cost:?} of {dice:?}");
        }
    }
}
