//! Parses positions and reports impossible ones.

use serde_json::Value;

use super::pending::{self, ClockNote};
use super::seat;
use super::state::{GeniusState, ProfileState, side_or};
use crate::genius::setup::DeckName;
use crate::genius::state::{Genius, LAST_ROUND, Profile, Task};
use crate::notation::{BoundedWhole, Fault, Settings, read_state};
use engine::game::{Outcome, Side};

/// Names of the phases.
pub(super) const PHASES: [&str; 10] =
    ["redraw", "lead", "dice", "roll", "action", "reroll", "death", "draw", "resolution", "over"];

/// What a start position is made of.
pub(super) struct GeniusStart {
    profile: Profile,
    decks: [DeckName; 2],
    seed: u64,
}

impl GeniusStart {
    /// The opening that the options ask for.
    pub(super) fn of(settings: &Settings) -> Self {
        Self {
            profile: match settings.choice("profile") {
                "core" => Profile::Core,
                _ => Profile::Full,
            },
            decks: match settings.choice("decks") {
                "random" => [DeckName::Random; 2],
                _ => [DeckName::Starter1, DeckName::Starter2],
            },
            seed: settings.integer("deal_seed") as u64,
        }
    }

    pub(super) fn position(&self) -> Genius {
        Genius::start(self.profile, self.decks, self.seed)
    }

    /// What a state without players says instead of the options.
    fn changed(self, state: &GeniusState) -> Result<Self, Fault> {
        if let Some(key) = state.beyond_the_start() {
            let why =
                "not allowed without `players`: a start position has only `profile` and `decks`";
            return Err(Fault::shape(why).under(key));
        }
        let decks = state.decks.map_or(self.decks, |names| names.map(|name| name.0));
        Ok(Self { profile: state.profile(self.profile), decks, ..self })
    }
}

impl GeniusState {
    /// A member that a state without players does not have.
    fn beyond_the_start(&self) -> Option<&'static str> {
        let given = [
            ("round", self.round.is_some()),
            ("phase", self.phase.is_some()),
            ("turn", self.turn.is_some()),
            ("first", self.first.is_some()),
            ("mover", self.mover.is_some()),
            ("winner", self.winner.is_some()),
            ("rerolls", self.rerolls.is_some()),
            ("pending", self.pending.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    fn profile(&self, default: Profile) -> Profile {
        match self.profile {
            None => default,
            Some(ProfileState::Full) => Profile::Full,
            Some(ProfileState::Core) => Profile::Core,
        }
    }
}

/// A number that depends on others than its own bounds.
pub(super) fn within(
    given: u8,
    key: &str,
    range: std::ops::RangeInclusive<u8>,
) -> Result<u8, Fault> {
    if range.contains(&given) {
        return Ok(given);
    }
    let (least, most) = (range.start(), range.end());
    let why = format!("expected a whole number from {least} to {most}, got {given}");
    Err(Fault::shape(why).under(key))
}

/// Parses a state; without players it is a start position.
pub(super) fn position(value: &Value, settings: &Settings) -> Result<Genius, Fault> {
    let state: GeniusState = read_state(value)?;
    let opening = GeniusStart::of(settings);
    let Some(players) = &state.players else {
        return opening.changed(&state).map(|opening| opening.position());
    };
    if state.decks.is_some() {
        let why = "not allowed with `players`, who have cards of their own";
        return Err(Fault::shape(why).under("decks"));
    }
    let read = |n: usize| seat::read(&players[n]).map_err(|f| f.under(n).under("players"));
    let seats = [read(0)?, read(1)?];
    let teams = seats.map(|seat| seat.fighters.map(|fighter| fighter.who));
    let mut pos = Genius::empty(state.profile(opening.profile), teams);
    pos.seats = seats;
    pos.round = state.round.map_or(1, BoundedWhole::small);
    set_clock(&mut pos, &state)?;
    check(&pos)?;
    Ok(pos)
}

/// Default of the side to act when no task is pending.
pub(super) fn usual_mover(phase: &str, turn: Side, first: Side) -> Side {
    if matches!(phase, "action" | "reroll" | "death" | "over") { turn } else { first }
}

/// Parses turn and pending tasks.
fn set_clock(pos: &mut Genius, state: &GeniusState) -> Result<(), Fault> {
    let phase = state.phase.map_or("action", |phase| phase.0.0);
    let turn = side_or(state.turn, Side::First);
    let rerolls = state.rerolls.map_or([1, 1], |counts| counts.map(BoundedWhole::small));
    let [ended, foe_ended] = [turn, turn.other()].map(|side| pos.seat(side).ended);
    // The first side to end begins the next round. Before the action phase the default is the first
    // player.
    let default = match phase {
        _ if foe_ended && !ended => turn.other(),
        "redraw" | "lead" | "dice" | "roll" => Side::First,
        _ => turn,
    };
    pos.first = side_or(state.first, default);
    pos.mover = side_or(state.mover, usual_mover(phase, turn, pos.first));
    let both_ended = ended && foe_ended;
    let clock =
        ClockNote { phase, profile: pos.profile, turn, first: pos.first, rerolls, both_ended };
    pos.tasks = match &state.pending {
        None => clock.tasks(),
        Some(tasks) => pending::read(tasks).map_err(|f| f.under("pending"))?,
    };
    match state.winner {
        None if phase == "over" && pos.round < LAST_ROUND => {
            let why = format!("a game without a winner is over only after round {LAST_ROUND}");
            return Err(Fault::position(why).under("winner"));
        }
        None if phase == "over" => pos.outcome = Some(Outcome::Draw),
        None => {}
        Some(_) if phase != "over" => {
            let why = format!("a winner is allowed only in phase `over`, got `{phase}`");
            return Err(Fault::position(why).under("winner"));
        }
        winner => pos.outcome = Some(Outcome::Win(side_or(winner, Side::First))),
    }
    check_phase(pos, phase, turn)
}

/// Checks that phase, turn and pending tasks agree.
fn check_phase(pos: &mut Genius, phase: &str, turn: Side) -> Result<(), Fault> {
    let at = |why: String| Err(Fault::position(why).under("phase"));
    if pos.outcome.is_some() {
        pos.tasks.clear();
        return Ok(());
    }
    let next = pos.tasks.next();
    let expected = match next {
        None => "action",
        Some(Task::Redraw(side)) if side == turn => "redraw",
        Some(Task::Lead(side)) if side == turn => "lead",
        Some(Task::Choose(side)) if side == turn => "death",
        Some(Task::Reroll(side, n)) if side == turn && n > 0 && phase == "roll" => "roll",
        Some(Task::Reroll(side, n)) if side == turn && n > 0 => "reroll",
        Some(Task::Roll(side, n)) if side == turn && n > 0 => "dice",
        Some(Task::Draw(side, n))
            if side == turn
                && n > 0
                && pos.seat(side).shuffled
                && pos.seat(side).deck.len() > 0 =>
        {
            "draw"
        }
        _ => {
            return at(format!(
                "in phase `{phase}` of side {} another event comes first",
                turn.index()
            ));
        }
    };
    if expected != phase {
        return at(format!("the pending events belong to phase `{expected}`, got `{phase}`"));
    }
    if pos.profile == Profile::Core && matches!(phase, "redraw" | "roll" | "reroll" | "dice") {
        return at(format!("the core profile has no phase `{phase}`"));
    }
    Ok(())
}

/// Rejects unreachable positions.
fn check(pos: &Genius) -> Result<(), Fault> {
    let tasks = pos.tasks.as_slice();
    let ended: Vec<_> = Side::BOTH.into_iter().filter(|&side| pos.seat(side).ended).collect();
    let at = |why: String, side: Side, key: &str| {
        Err(Fault::position(why).under(key).under(side.index()).under("players"))
    };
    for side in Side::BOTH {
        let seat = pos.seat(side);
        let all_down = seat.fighters.iter().all(|fighter| !fighter.alive);
        if all_down && pos.outcome != Some(Outcome::Win(side.other())) {
            let why =
                "all three characters are defeated, so the game is over and the other side has won";
            return at(why.into(), side, "chars");
        }
        let chooses = tasks.contains(&Task::Choose(side));
        let is_down = !seat.active().alive;
        if is_down && !chooses && pos.outcome.is_none() {
            let why = format!(
                "{} is defeated and cannot be active except on the side's turn in phase `death`",
                seat.active().who.name()
            );
            return at(why, side, "active");
        }
        if chooses && !is_down {
            let why = "a side chooses a new active character only after the active one is defeated";
            return at(why.into(), side, "active");
        }
    }
    if let Some(Outcome::Win(side)) = pos.outcome {
        let opponent = pos.seat(side.other());
        if opponent.fighters.iter().any(|fighter| fighter.alive) {
            let why = "the losing side has no living character";
            return at(why.into(), side.other(), "chars");
        }
    }
    if tasks.is_empty() && pos.outcome.is_none() {
        match ended[..] {
            [_, side] => {
                let why = "if both sides have ended, the next round has begun";
                return at(why.into(), side, "ended");
            }
            [side] if side == pos.mover => {
                let why = "a side that has ended its round cannot be to move";
                return at(why.into(), side, "ended");
            }
            _ => {}
        }
    }
    Ok(())
}
