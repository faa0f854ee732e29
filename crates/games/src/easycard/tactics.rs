use super::evaluator::{EasyCardEvaluator, HP, worth};
use super::rules::{Action, EasyCard, MOST_HP};
use engine::game::{Game, Side, Tactics, Verdict};

/// Affordable attacks that cost the opponent hit points.
fn blows(pos: &EasyCard) -> impl Iterator<Item = Action> {
    let [attack, heavy] = [Action::Attack, Action::Heavy];
    [attack, heavy].into_iter().filter(|&blow| pos.allows(blow) && pos.harm(blow) > 0)
}

// Attacks that cost hit points are noisy moves. Nothing is a check: a threatened side still has its
// whole turn to respond.
impl Tactics<EasyCard> for EasyCardEvaluator {
    const MOVE_INDICES: usize = Action::ALL.len();
    const VICTIMS: usize = MOST_HP as usize + 1;
    const PAWN: i32 = HP;

    fn move_index(&self, _: &EasyCard, action: Action) -> usize {
        action as usize
    }

    fn victim(&self, pos: &EasyCard, action: Action) -> usize {
        usize::from(pos.harm(action))
    }

    fn victim_value(&self, pos: &EasyCard, action: Action) -> i32 {
        HP * i32::from(pos.harm(action))
    }

    /// Damage of an attack minus the dice and the boost spent.
    fn see_at_least(&self, pos: &EasyCard, action: Action, least: i32) -> bool {
        if action.damage() == 0 {
            return least <= 0;
        }
        let stands =
            |at: &EasyCard| worth(at.fighter(pos.mover)) - worth(at.fighter(pos.mover.other()));
        stands(&pos.after(action)) - stands(pos) >= least
    }

    fn noisy(&self, pos: &EasyCard, out: &mut Vec<Action>) {
        out.extend(blows(pos));
    }

    fn threatened(&self, _: &EasyCard) -> bool {
        false
    }

    fn threatens(&self, _: &EasyCard, _: Action) -> bool {
        false
    }

    fn threats(&self, _: &EasyCard, _: &mut Vec<Action>) {}

    fn quiet_preparations(&self, _: &EasyCard, _: &mut Vec<Action>) {}

    fn wins_in(&self, pos: &EasyCard, mover: Side) -> Option<u32> {
        let left = pos.fighter(mover.other()).hp;
        blows(pos).any(|action| pos.harm(action) == left).then_some(1)
    }

    // Ending the round is a regular move, and has a price.
    fn pass(&self, _: &EasyCard, _: Side) -> Option<EasyCard> {
        None
    }

    fn push_pass(&mut self, _: &EasyCard) {}

    /// Cards in hand, and the sides that have ended.
    fn structure_key(&self, pos: &EasyCard) -> u64 {
        let side = |bits: u64, side: Side| {
            let fighter = pos.fighter(side);
            let hand = fighter.hand;
            let cards = [hand.focus, hand.coin, hand.meal, u8::from(fighter.ended)];
            cards.iter().fold(bits, |bits, &part| bits * 6 + u64::from(part))
        };
        Side::BOTH.into_iter().fold(0, side)
    }

    fn verdict(&self, _: &EasyCard) -> Option<Verdict> {
        None
    }
}
