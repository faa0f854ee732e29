//! Game-specific evaluation, move ordering and playout policy of the card duel.

use super::characters::MOST_HP;
use super::dice::Purse;
use super::effects::{Effect, Rule};
use super::moves::{Act, GeniusMove};
use super::network;
use super::state::{DICE_A_ROUND, Genius, Seat};
use super::statuses::{Status, Zone};
use super::worth::{FITTED, GUESSED, Judgement};
use engine::game::{Evaluator, Game, Independence, PruningHints, Rng, Side, logistic};

/// Evaluation function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GeniusEvaluation {
    /// The fitted weights, corrected by a network trained by self-play.
    #[default]
    Network,
    /// Fitted to game results.
    Fitted,
    /// Hand-set, in units of a hit point.
    Guessed,
}

/// Linear evaluation of hit points, energy, auras, dice, cards and statuses in play, corrected by a network.
#[derive(Clone, Copy, Debug, Default)]
pub struct GeniusEvaluator {
    /// Choice of the function.
    pub evaluation: GeniusEvaluation,
}

impl GeniusEvaluator {
    #[inline]
    pub(super) fn judgement(self) -> &'static Judgement {
        match self.evaluation {
            GeniusEvaluation::Fitted | GeniusEvaluation::Network => &FITTED,
            GeniusEvaluation::Guessed => &GUESSED,
        }
    }
}

/// Move-ordering score: supporting cards first, then damage, then the rest; ending the round last.
fn promise(pos: &Genius, side: Side, act: Act) -> i32 {
    let seat = pos.seat(side);
    match act {
        Act::Play(card, _) => 200 - i32::from(card.row().cost.dice()),
        Act::Skill(number) => skill(seat, number),
        Act::Switch(_) => switch(pos, seat),
        Act::Tune(..) => 20,
        Act::End => -100,
        Act::Reroll(dice) => i32::from(dice.total()),
        _ => 0,
    }
}

/// Score of a skill: damage and created statuses; little for a summon already in play.
fn skill(seat: &Seat, number: u8) -> i32 {
    let effects = seat.active().who.row().skills[usize::from(number)].effects;
    let promise = |effect: &Effect| match effect {
        Effect::Hit(_, n)
        | Effect::HitNth { amount: n, .. }
        | Effect::HitBeside { amount: n, .. } => 10 * i32::from(*n),
        Effect::Create(what) if stands(seat, *what) => -30,
        _ => 5,
    };
    100 + effects.iter().map(promise).sum::<i32>()
}

/// True if a summon is in play with all its uses.
fn stands(seat: &Seat, what: Status) -> bool {
    let row = what.row();
    let mut summons = seat.summons.as_slice().iter();
    row.zone == Zone::Summon && summons.any(|slot| slot.what == what && slot.n >= row.uses)
}

/// Score of a switch: high if it is fast or cheap, as that was prepared. Lower for dice that fit
/// the active fighter (tuning), and at an untouched position unless the dice are bad: the active
/// fighter's elemental skill is not payable.
fn switch(pos: &Genius, seat: &Seat) -> i32 {
    let has = |wanted: fn(&Rule) -> bool| seat.switch_rule(wanted).is_some();
    let is_prepared = has(|rule| matches!(rule, Rule::QuickSwitch | Rule::CheapSwitch));
    if is_prepared {
        return 190;
    }
    if seat.active().has(Status::Frozen) {
        return 120;
    }
    let fitting = seat.dice.count(seat.active().who.row().element as u8);
    let has_good_dice = || seat.can_pay(Purse::new(seat.dice), seat.skill_cost(ELEMENTAL_SKILL));
    let opening = if is_untouched(pos) && has_good_dice() { 40 } else { 0 };
    50 - 5 * i32::from(fitting) - opening
}

/// Number of the elemental skill, see [`Act::Skill`].
const ELEMENTAL_SKILL: u8 = 1;

/// True at the first action of the game, or in an equivalent position.
fn is_untouched(pos: &Genius) -> bool {
    let fighters = || pos.seats.iter().flat_map(|seat| &seat.fighters);
    pos.round == 1
        && fighters().all(|fighter| fighter.hp == MOST_HP && fighter.energy == 0)
        && pos.seats.iter().all(|seat| seat.dice.total() == DICE_A_ROUND && !seat.ended)
}

impl Evaluator<Genius> for GeniusEvaluator {
    fn bound(&self) -> i32 {
        self.judgement().most
    }

    fn evaluate(&mut self, pos: &Genius, mover: Side) -> i32 {
        let judgement = self.judgement();
        let correction = match self.evaluation {
            GeniusEvaluation::Network => network::correction(pos, mover),
            GeniusEvaluation::Fitted | GeniusEvaluation::Guessed => 0,
        };
        (judgement.value(pos, mover) + correction).clamp(-judgement.most, judgement.most)
    }

    fn order(&self, pos: &Genius, mover: Side, mv: GeniusMove) -> i32 {
        promise(pos, mover, mv.act)
    }

    /// Usually a skill or a card; ends the round only without a better move.
    fn playout_move(
        &self,
        pos: &Genius,
        rng: &mut Rng,
        scratch: &mut Vec<GeniusMove>,
    ) -> Option<GeniusMove> {
        scratch.clear();
        pos.moves(scratch);
        let is_useful = |mv: &GeniusMove| matches!(mv.act, Act::Skill(_) | Act::Play(..));
        if scratch.iter().any(is_useful) && rng.below(4) > 0 {
            scratch.retain(is_useful);
        }
        rng.pick(scratch)
    }

    fn win_probability(&self, value: f64) -> f64 {
        logistic(value, self.judgement().scale)
    }

    fn pruning_hints(&self) -> Option<&dyn PruningHints<Genius>> {
        Some(self)
    }
}

impl PruningHints<Genius> for GeniusEvaluator {
    fn remove_dominated(
        &self,
        pos: &Genius,
        mover: Side,
        moves: &mut Vec<GeniusMove>,
        start: usize,
    ) -> bool {
        super::pruning_hints::remove_dominated(pos.seat(mover), moves, start)
    }

    fn razor_margin(&self, depth: u32) -> Option<i32> {
        Some(super::pruning_hints::razor_margin(depth))
    }

    fn handicap(&self, pos: &Genius, mover: Side) -> Option<Genius> {
        super::pruning_hints::handicap(pos, mover)
    }

    fn commutes(&self, _: &Genius, a: GeniusMove, b: GeniusMove) -> bool {
        super::pruning_hints::commutes(a.act, b.act)
    }

    fn independence(&self, _: &Genius, mv: GeniusMove) -> Independence {
        super::pruning_hints::independence(mv.act)
    }

    fn is_endgame(&self, pos: &Genius) -> bool {
        super::pruning_hints::is_endgame(pos)
    }

    fn continuation_bonus(&self, pos: &Genius, previous: u16, mv: GeniusMove) -> i32 {
        super::pruning_hints::continuation_bonus(pos, previous, mv.act)
    }

    fn canonical_outcome(&self, pos: &Genius, outcome: GeniusMove) -> GeniusMove {
        super::pruning_hints::canonical_outcome(pos, outcome)
    }
}
