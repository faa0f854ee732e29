use super::rules::{Action, EasyCard, EasyCardSide, MOST_CARDS, MOST_DICE, MOST_HP, MOST_SHIELD};
use engine::game::{
    Evaluator, Game, Independence, PruningHints, Rng, SelectiveParameters, Side, Tuning, logistic,
};

/// Evaluator of EasyCard.
#[derive(Clone, Copy, Debug, Default)]
pub struct EasyCardEvaluator;

/// Value of one hit point; the unit of the other, hand-set values.
pub(super) const HP: i32 = 100;
/// Three dice buy an attack for two points.
const DIE: i32 = 40;
const SHIELD: i32 = 60;
const BOOST: i32 = 80;
/// A card is worth almost as much as its effect.
const CARD: i32 = 50;
/// 90 % quantile of the gain over the evaluation found at depth 1, and its growth with the
/// logarithm of the depth: measured on 400 positions of random play. `bestmove calibrate --game
/// easycard --depth 8` finds 190 to 250 at all depths in better play, but 240 without growth lost
/// too many results at depth 9.
const HOPE: i32 = 250;
const HOPE_GROWS: f64 = 35.0;
/// Dice given up in the handicap position.
const GIVEN_UP: u8 = 2;
/// Lead with win odds of e to 1.
const DOUBT: f64 = 200.0;

const MOST: i32 = HP * MOST_HP as i32
    + DIE * MOST_DICE as i32
    + SHIELD * MOST_SHIELD as i32
    + BOOST * MOST_CARDS as i32
    + CARD * 3 * MOST_CARDS as i32;

pub(super) fn worth(fighter: &EasyCardSide) -> i32 {
    let dice = if fighter.ended { 0 } else { fighter.dice };
    let cards = fighter.hand.focus + fighter.hand.coin + fighter.hand.meal;
    HP * i32::from(fighter.hp)
        + DIE * i32::from(dice)
        + SHIELD * i32::from(fighter.shield)
        + BOOST * i32::from(fighter.boost)
        + CARD * i32::from(cards)
}

impl Evaluator<EasyCard> for EasyCardEvaluator {
    // Quick actions prepare a blow in the same turn, hence a wide quiet margin: R at depth 1 and its growth per
    // ply, `bestmove calibrate --game easycard`.
    const TUNING: Tuning = Tuning {
        selective: SelectiveParameters {
            quiet_gain: 250,
            quiet_gain_ply: 40,
            ..SelectiveParameters::DEFAULT
        },
        ..Tuning::DEFAULT
    };

    fn bound(&self) -> i32 {
        MOST
    }

    #[inline]
    fn evaluate(&mut self, pos: &EasyCard, mover: Side) -> i32 {
        worth(pos.fighter(mover)) - worth(pos.fighter(mover.other()))
    }

    /// Quick actions prepare attacks, so they come first; ending the round comes last.
    #[inline]
    fn order(&self, _: &EasyCard, _: Side, action: Action) -> i32 {
        if action.is_quick() { 10 } else { i32::from(action.damage()) }
    }

    fn playout_move(
        &self,
        pos: &EasyCard,
        rng: &mut Rng,
        scratch: &mut Vec<Action>,
    ) -> Option<Action> {
        scratch.clear();
        pos.moves(scratch);
        // Unspent dice are lost at the end of the round.
        if scratch.len() > 1 {
            scratch.retain(|&action| action != Action::End);
        }
        rng.pick(scratch)
    }

    fn win_probability(&self, value: f64) -> f64 {
        logistic(value, DOUBT)
    }

    fn pruning_hints(&self) -> Option<&dyn PruningHints<EasyCard>> {
        Some(self)
    }
}

impl PruningHints<EasyCard> for EasyCardEvaluator {
    fn razor_margin(&self, depth: u32) -> Option<i32> {
        Some(HOPE + (HOPE_GROWS * f64::from(depth).ln()) as i32)
    }

    /// A focus and a coin bring the same before and after other quick actions; a coin only as long as there is room
    /// for the die, and had been before a die was spent.
    fn independence(&self, pos: &EasyCard, action: Action) -> Independence {
        match action {
            Action::Focus => Independence::Strong,
            Action::Coin if pos.fighter(pos.mover).dice + 1 < MOST_DICE => Independence::Strong,
            _ => Independence::Dependent,
        }
    }

    /// True in the last round, and where a heavy attack may end the game.
    fn is_endgame(&self, pos: &EasyCard) -> bool {
        let blow = Action::Heavy.damage();
        pos.round == pos.rounds || pos.sides.iter().any(|fighter| fighter.hp <= blow)
    }

    /// A focus prepares the attack after it.
    fn continuation_bonus(&self, _: &EasyCard, previous: u16, action: Action) -> i32 {
        let is_focus = previous == EasyCard::move_code(Action::Focus);
        if is_focus && action.damage() > 0 { 10 } else { 0 }
    }

    /// The position with two dice fewer for the mover.
    fn handicap(&self, pos: &EasyCard, mover: Side) -> Option<EasyCard> {
        let mut handicap = *pos;
        let fighter = &mut handicap.sides[mover.index()];
        fighter.dice = fighter.dice.checked_sub(GIVEN_UP)?;
        Some(handicap)
    }

    /// Quick actions affect different quantities; if both are affordable in one order, they are in
    /// the other.
    fn commutes(&self, _: &EasyCard, a: Action, b: Action) -> bool {
        a.is_quick() && b.is_quick()
    }
}
