//! What a position is worth: terms that count for one side or for the other, each with a weight.
//!
//! - hit points by steps (the last point weighs most), who lives, who is active, energy, auras
//! - dice by how much they are needed, until the side has ended its round
//! - the move, and who begins the next round
//! - cards by kind; whatever lies on the table by kind and by its uses

use super::cards;
use super::characters::{self, MOST_HP};
use super::dice::{FACES, Need, Purse};
use super::effects::{Effect, Rule, When};
use super::elements::Element;
use super::state::{Fighter, Genius, Seat};
use super::statuses::{self, Status, Zone};
use super::weights::{SCALE, WEIGHTS};
use crate::game::Side;

/// How much of what there is, weighed.
#[derive(Debug)]
pub(super) struct Judgement {
    /// In hundredths of a hit point.
    pub(super) weights: &'static [i16; TERMS],
    /// A side that stands at `value` is expected to score 1 / (1 + exp(-value / scale)).
    pub(super) scale: f64,
    /// No side is worth more, and a win counts this much where chance averages.
    pub(super) most: i32,
}

/// Fitted to games. At six scales the expected score is 99.8 %: from there to a win is no leap.
pub(super) static FITTED: Judgement =
    Judgement { weights: &WEIGHTS, scale: SCALE, most: (6.0 * SCALE) as i32 };

/// What a player would guess who has never counted.
pub(super) static GUESSED: Judgement = Judgement { weights: &GUESSES, scale: 700.0, most: 12_000 };

/// For each step n, fighters with more than n hit points.
const HP: usize = 0;
/// All three live.
const COMPLETE: usize = HP + MOST_HP as usize;
/// For each character, whether he lives.
const LIVES: usize = COMPLETE + 1;
/// For each character, whether he is active.
const LEADS: usize = LIVES + characters::ROWS.len();
/// Hit points of the active fighter.
const LEADER_HP: usize = LEADS + characters::ROWS.len();
/// Energy.
const ENERGY: usize = LEADER_HP + 1;
/// A fighter with full energy, active or not.
const CHARGED: usize = ENERGY + 1;
/// For each element, auras of active fighters, then of the others.
const AURA: usize = CHARGED + 2;
const ELEMENTS: usize = Element::ALL.len();
/// Dice that nobody of the side needs, that the others need, that the active fighter needs, and omni.
const DICE: usize = AURA + 2 * ELEMENTS;
/// For each skill, whether the active fighter can pay for it.
const SKILL: usize = DICE + Need::LEVELS;
/// Having the move in the action phase.
const MOVE: usize = SKILL + 3;
/// Beginning the next round, once that is settled.
const NEXT: usize = MOVE + 1;
/// Cards of each kind in the hand.
const HAND: usize = NEXT + 1;
/// Cards in the deck.
const DECK: usize = HAND + cards::ROWS.len();
/// For each status, how often it is there.
const THERE: usize = DECK + 1;
/// For each status, its uses.
const USES: usize = THERE + statuses::ROWS.len();
/// All weights.
pub(super) const TERMS: usize = USES + statuses::ROWS.len();

/// Something that hears which terms count, and how often for the first side more than for the second.
pub(super) trait WorthSink {
    fn add(&mut self, term: usize, times: i32);
}

/// The sum of the weights.
pub(super) struct Sum<'a> {
    pub(super) weights: &'a [i16; TERMS],
    pub(super) sum: i32,
}

impl WorthSink for Sum<'_> {
    #[inline]
    fn add(&mut self, term: usize, times: i32) {
        self.sum += i32::from(self.weights[term]) * times;
    }
}

/// Tells which terms count in a position.
pub(super) fn tally(pos: &Genius, tally: &mut impl WorthSink) {
    for side in Side::BOTH {
        let sign = side.sign();
        of_seat(pos.seat(side), sign, tally);
        // Some choose in the middle of what happens: nobody has the move then.
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

/// The damage of a summon at the end of a round.
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

/// In hundredths of a hit point, which are worth as many.
const GUESSES: [i16; TERMS] = {
    let mut weights = [0; TERMS];
    let mut n = 0;
    while n < USES {
        weights[n] = match n {
            // Who has fallen acts no more.
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

/// What a weight is called.
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
