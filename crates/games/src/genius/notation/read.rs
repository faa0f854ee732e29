//! Parses positions and reports impossible ones.

use serde_json::{Map, Value};

use super::pending::{self, ClockNote};
use super::seat;
use crate::genius::setup::DeckName;
use crate::genius::state::{Genius, LAST_ROUND, Profile, Task};
use crate::notation::{Fault, Settings, members};
use engine::game::{Outcome, Side};

/// Names of the phases.
pub(super) const PHASES: [&str; 10] =
    ["redraw", "lead", "dice", "roll", "action", "reroll", "death", "draw", "resolution", "over"];

const STATE: &[&str] = &[
    "profile", "decks", "round", "phase", "turn", "first", "mover", "winner", "rerolls", "pending",
    "players",
];

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
    fn changed(self, map: &Map<String, Value>) -> Result<Self, Fault> {
        if let Some(key) = map.keys().find(|key| !["profile", "decks"].contains(&key.as_str())) {
            let why =
                "not allowed without `players`: a start position has only `profile` and `decks`";
            return Err(Fault::shape(why).under(key));
        }
        let decks = match map.get("decks") {
            None => self.decks,
            Some(Value::Array(names)) if names.len() == 2 => {
                let deck = |n: usize| deck(&names[n]).map_err(|f| f.under(n).under("decks"));
                [deck(0)?, deck(1)?]
            }
            Some(_) => {
                let why = "expected the names of two decks, the first player's first";
                return Err(Fault::shape(why).under("decks"));
            }
        };
        Ok(Self { profile: profile(map, self.profile)?, decks, ..self })
    }
}

fn deck(name: &Value) -> Result<DeckName, Fault> {
    DeckName::ALL.into_iter().find(|deck| name == deck.name()).ok_or_else(|| {
        let known = DeckName::ALL.map(DeckName::name).join("`, `");
        Fault::shape(format!("{name} is not a deck; known: `{known}`"))
    })
}

fn profile(map: &Map<String, Value>, default: Profile) -> Result<Profile, Fault> {
    match map.get("profile").map(Value::as_str) {
        None => Ok(default),
        Some(Some("full")) => Ok(Profile::Full),
        Some(Some("core")) => Ok(Profile::Core),
        _ => Err(Fault::shape("expected `full` or `core`").under("profile")),
    }
}

/// A whole number within a range.
pub(super) fn whole(
    map: &Map<String, Value>,
    key: &str,
    range: std::ops::RangeInclusive<u8>,
    default: Option<u8>,
) -> Result<u8, Fault> {
    let value = match (map.get(key), default) {
        (None, Some(default)) => return Ok(default),
        (value, _) => value.unwrap_or(&Value::Null),
    };
    let found = value.as_u64().and_then(|n| u8::try_from(n).ok()).filter(|n| range.contains(n));
    found.ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        let why = format!("expected a whole number from {least} to {most}, got {value}");
        Fault::shape(why).under(key)
    })
}

/// A boolean, false by default.
pub(super) fn flag(map: &Map<String, Value>, key: &str) -> Result<bool, Fault> {
    match map.get(key) {
        None => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(other) => Err(Fault::shape(format!("expected true or false, got {other}")).under(key)),
    }
}

/// A list, empty by default.
pub(super) fn list<'a>(map: &'a Map<String, Value>, key: &str) -> Result<&'a [Value], Fault> {
    match map.get(key) {
        None => Ok(&[]),
        Some(Value::Array(list)) => Ok(list),
        Some(other) => Err(Fault::shape(format!("expected a list, got {other}")).under(key)),
    }
}

fn side(map: &Map<String, Value>, key: &str, default: Side) -> Result<Side, Fault> {
    let number = whole(map, key, 0..=1, Some(default.index() as u8))?;
    Ok(Side::BOTH[usize::from(number)])
}

/// Parses a state; without players it is a start position.
pub(super) fn position(value: &Value, settings: &Settings) -> Result<Genius, Fault> {
    let map = members(value, STATE)?;
    let opening = GeniusStart::of(settings);
    if !map.contains_key("players") {
        return opening.changed(map).map(|opening| opening.position());
    }
    if map.contains_key("decks") {
        let why = "not allowed with `players`, who have cards of their own";
        return Err(Fault::shape(why).under("decks"));
    }
    let profile = profile(map, opening.profile)?;
    let players = list(map, "players")?;
    let [first, second] = players else {
        let why = format!("expected two players, got {}", players.len());
        return Err(Fault::shape(why).under("players"));
    };
    let read = |value, n: usize| seat::read(value).map_err(|f| f.under(n).under("players"));
    let seats = [read(first, 0)?, read(second, 1)?];
    let teams = seats.map(|seat| seat.fighters.map(|fighter| fighter.who));
    let mut pos = Genius::empty(profile, teams);
    pos.seats = seats;
    pos.round = whole(map, "round", 1..=LAST_ROUND, Some(1))?;
    set_clock(&mut pos, map)?;
    check(&pos)?;
    Ok(pos)
}

/// Default of the side to act when no task is pending.
pub(super) fn usual_mover(phase: &str, turn: Side, first: Side) -> Side {
    if matches!(phase, "action" | "reroll" | "death" | "over") { turn } else { first }
}

/// Parses turn and pending tasks.
fn set_clock(pos: &mut Genius, map: &Map<String, Value>) -> Result<(), Fault> {
    let phase = match map.get("phase") {
        None => "action",
        Some(Value::String(word)) if PHASES.contains(&&word[..]) => word,
        Some(other) => {
            let why = format!("{other} is not a phase; known: `{}`", PHASES.join("`, `"));
            return Err(Fault::shape(why).under("phase"));
        }
    };
    let turn = side(map, "turn", Side::First)?;
    let rerolls = match list(map, "rerolls")? {
        [] => [1, 1],
        [a, b] => {
            let of = |value: &Value| value.as_u64().filter(|n| *n <= 9).map(|n| n as u8);
            let wrong = || Fault::shape("expected two numbers from 0 to 9").under("rerolls");
            [of(a).ok_or_else(wrong)?, of(b).ok_or_else(wrong)?]
        }
        _ => return Err(Fault::shape("expected two numbers from 0 to 9").under("rerolls")),
    };
    let [ended, foe_ended] = [turn, turn.other()].map(|side| pos.seat(side).ended);
    // The first side to end begins the next round. Before the action phase the default is the first
    // player.
    let default = match phase {
        _ if foe_ended && !ended => turn.other(),
        "redraw" | "lead" | "dice" | "roll" => Side::First,
        _ => turn,
    };
    pos.first = side(map, "first", default)?;
    pos.mover = side(map, "mover", usual_mover(phase, turn, pos.first))?;
    let both_ended = ended && foe_ended;
    let clock =
        ClockNote { phase, profile: pos.profile, turn, first: pos.first, rerolls, both_ended };
    pos.tasks = match map.get("pending") {
        None => clock.tasks(),
        Some(Value::Array(tasks)) => pending::read(tasks).map_err(|f| f.under("pending"))?,
        Some(_) => return Err(Fault::shape("expected a list").under("pending")),
    };
    match map.get("winner") {
        None | Some(Value::Null) if phase == "over" && pos.round < LAST_ROUND => {
            let why = format!("a game without a winner is over only after round {LAST_ROUND}");
            return Err(Fault::position(why).under("winner"));
        }
        None | Some(Value::Null) if phase == "over" => pos.outcome = Some(Outcome::Draw),
        None | Some(Value::Null) => {}
        Some(_) if phase != "over" => {
            let why = format!("a winner is allowed only in phase `over`, got `{phase}`");
            return Err(Fault::position(why).under("winner"));
        }
        Some(_) => pos.outcome = Some(Outcome::Win(side(map, "winner", Side::First)?)),
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
