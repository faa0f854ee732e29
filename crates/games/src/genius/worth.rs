//! Linear evaluation: terms counted for either side, each with a weight.
//!
//! - hit points by level (the last point weighs most), living and active fighters, energy, auras
//! - dice by need, until the side has ended its round
//! - the move, and the right to begin the next round
//! - cards by kind; statuses in play by kind and by uses

use super::cards;
use super::characters::{self, MOST_HP};
use super::dice::{FACES, Need, Purse};
use super::effects::{Effect, Rule, When};
use super::elements::Element;
use super::state::{Fighter, Genius, Seat};
use super::statuses::{self, Status, Zone};
use super::weights::{SCALE, WEIGHTS};
use engine::game::Side;

/// Weights and scale of the evaluation.
#[derive(Debug)]
pub(super) struct Judgement {
    /// In hundredths of a hit point.
    pub(super) weights: &'static [i16; TERMS],
    /// Expected score of a side with evaluation `value`: 1 / (1 + exp(-value / scale)).
    pub(super) scale: f64,
    /// Bound of the evaluation; also the value of a win when chance nodes are averaged.
    pub(super) most: i32,
}

impl Judgement {
    /// Weighted sum of the terms for `mover`, unbounded.
    pub(super) fn value(&self, pos: &Genius, mover: Side) -> i32 {
        let mut sum = Sum { weights: self.weights, sum: 0 };
        tally(pos, &mut sum);
        mover.sign() * sum.sum
    }
}

/// Fitted to games. At six scales the expected score is 99.8 %: the step from there to a win is
/// small.
pub(super) static FITTED: Judgement =
    Judgement { weights: &WEIGHTS, scale: SCALE, most: (6.0 * SCALE) as i32 };

/// Hand-set weights.
pub(super) static GUESSED: Judgement = Judgement { weights: &GUESSES, scale: 700.0, most: 12_000 };

/// For each n: fighters with more than n hit points.
const HP: usize = 0;
/// All three fighters alive.
const COMPLETE: usize = HP + MOST_HP as usize;
/// Per character: alive.
const LIVES: usize = COMPLETE + 1;
/// Per character: active.
const LEADS: usize = LIVES + characters::ROWS.len();
/// Hit points of the active fighter.
const LEADER_HP: usize = LEADS + characters::ROWS.len();
/// Energy.
const ENERGY: usize = LEADER_HP + 1;
/// Fighters with full energy.
const CHARGED: usize = ENERGY + 1;
/// Per element: auras of active fighters, then of the others.
const AURA: usize = CHARGED + 2;
const ELEMENTS: usize = Element::ALL.len();
/// Dice needed by nobody, by the others, by the active fighter, and omni.
const DICE: usize = AURA + 2 * ELEMENTS;
/// Per skill: the active fighter can pay for it.
const SKILL: usize = DICE + Need::LEVELS;
/// The move in the action phase.
const MOVE: usize = SKILL + 3;
/// The right to begin the next round, once settled.
const NEXT: usize = MOVE + 1;
/// Cards in the hand, by kind.
const HAND: usize = NEXT + 1;
/// Cards in the deck.
const DECK: usize = HAND + cards::ROWS.len();
/// Per status: number in play.
const THERE: usize = DECK + 1;
/// Per status: its uses.
const USES: usize = THERE + statuses::ROWS.len();
/// Number of weights.
pub(super) const TERMS: usize = USES + statuses::ROWS.len();

/// Visitor of terms, with their count for the first side minus the second side.
pub(super) trait WorthSink {
    fn add(&mut self, term: usize, times: i32);
}

/// Weighted sum.
struct Sum<'a> {
    weights: &'a [i16; TERMS],
    sum: i32,
}

impl WorthSink for Sum<'_> {
    #[inline]
    fn add(&mut self, term: usize, times: i32) {
        self.sum += i32::from(self.weights[term]) * times;
    }
}

/// Enumerates the terms of a position.
pub(super) fn tally(pos: &Genius, tally: &mut impl WorthSink) {
    for side in Side::BOTH {
        let sign = side.sign();
        of_seat(pos.seat(side), sign, tally);
        // During a choice in the middle of resolution no side has the move.
        if pos.tasks.next().is_none() && pos.mover == side {
            tally.add(MOVE, sign);
        }
    }
    if pos.seats.iter().any(|seat| seat.ended) {
        tally.add(NEXT, pos.first.sign());
    }
}

fn of_seat(seat: &Seat, sign: i32, tally: &mut impl WorthSink) {
    let mut lives = 0;
    for (place, fighter) in (0..).zip(&seat.fighters) {
        if fighter.alive {
            lives += 1;
            of_fighter(fighter, place == seat.active, sign, tally);
        }
    }
    if lives == seat.fighters.len() {
        tally.add(COMPLETE, sign);
    }
    if !seat.ended {
        of_dice(seat, sign, tally);
    }
    for card in seat.hand.as_slice() {
        tally.add(HAND + usize::from(card.0), sign);
    }
    tally.add(DECK, sign * seat.deck.len() as i32);
    let lists = [seat.team.as_slice(), seat.summons.as_slice(), seat.supports.as_slice()];
    for slot in lists.into_iter().flatten() {
        tally.add(THERE + slot.what as usize, sign);
        tally.add(USES + slot.what as usize, sign * i32::from(slot.n));
    }
}

fn of_fighter(fighter: &Fighter, is_active: bool, sign: i32, tally: &mut impl WorthSink) {
    for step in 0..usize::from(fighter.hp) {
        tally.add(HP + step, sign);
    }
    let who = usize::from(fighter.who.0);
    tally.add(LIVES + who, sign);
    if is_active {
        tally.add(LEADS + who, sign);
        tally.add(LEADER_HP, sign * i32::from(fighter.hp));
    }
    tally.add(ENERGY, sign * i32::from(fighter.energy));
    if fighter.energy == fighter.who.row().energy {
        tally.add(CHARGED + usize::from(!is_active), sign);
    }
    for element in fighter.aura.elements() {
        let role = ELEMENTS * usize::from(!is_active);
        tally.add(AURA + role + element as usize - 1, sign);
    }
    for slot in fighter.attached.as_slice() {
        tally.add(THERE + slot.what as usize, sign);
        tally.add(USES + slot.what as usize, sign * i32::from(slot.n));
    }
}

fn of_dice(seat: &Seat, sign: i32, tally: &mut impl WorthSink) {
    let need = seat.need();
    for face in 0..FACES {
        let count = i32::from(seat.dice.count(face));
        tally.add(DICE + usize::from(need.of(face)), sign * count);
    }
    let purse = Purse::new(seat.dice);
    for number in 0..3 {
        if seat.can_pay(purse, seat.skill_cost(number)) {
            tally.add(SKILL + usize::from(number), sign);
        }
    }
}

/// Damage of a summon at the end of a round.
const fn damage(row: &statuses::StatusRow) -> i16 {
    let (mut sum, mut n) = (0, 0);
    while n < row.rules.len() {
        if let Rule::On {
            when: When::End,
            effect: Effect::Hit(_, by) | Effect::HitAsTaken(by),
            ..
        } = row.rules[n]
        {
            sum += by as i16;
        }
        n += 1;
    }
    sum
}

/// In hundredths of a hit point.
const GUESSES: [i16; TERMS] = {
    let mut weights = [0; TERMS];
    let mut n = 0;
    while n < USES {
        weights[n] = match n {
            // A fallen fighter no longer acts.
            HP => 400,
            _ if n < COMPLETE => 100,
            ENERGY => 60,
            // An aura invites a reaction.
            AURA..DICE => -40,
            DICE..SKILL | HAND..DECK => 50,
            _ => 0,
        };
        n += 1;
    }
    let mut n = 0;
    while n < statuses::ROWS.len() {
        let row = &statuses::ROWS[n];
        match row.zone {
            Zone::Summon => weights[USES + n] = 70 * damage(row),
            _ => weights[THERE + n] = 70,
        }
        n += 1;
    }
    weights[THERE + Status::Frozen as usize] = -150;
    weights[THERE + Status::Satiated as usize] = 0;
    weights
};

/// Name of a weight.
pub(super) fn name(term: usize) -> String {
    let element = |n: usize| format!("{:?}", Element::ALL[n]).to_lowercase();
    match term {
        HP..COMPLETE => format!("hit point {}", term - HP + 1),
        COMPLETE => "all three live".into(),
        LIVES..LEADS => format!("{} lives", characters::ROWS[term - LIVES].name),
        LEADS..LEADER_HP => format!("{} is active", characters::ROWS[term - LEADS].name),
        LEADER_HP => "hit point of the active".into(),
        ENERGY => "energy".into(),
        CHARGED..AURA => ["active charged", "other charged"][term - CHARGED].into(),
        AURA..DICE => {
            let role = ["active", "other"][(term - AURA) / ELEMENTS];
            format!("{} aura, {role}", element((term - AURA) % ELEMENTS))
        }
        DICE..SKILL => format!("die, {}", ["useless", "other's", "active's", "omni"][term - DICE]),
        SKILL..MOVE => format!("skill {} payable", term - SKILL),
        MOVE => "the move".into(),
        NEXT => "the next round".into(),
        HAND..DECK => format!("card {}", cards::ROWS[term - HAND].name),
        DECK => "card of the deck".into(),
        THERE..USES => statuses::ROWS[term - THERE].name.into(),
        _ => format!("{}, a use", statuses::ROWS[term - USES].name),
    }
}
