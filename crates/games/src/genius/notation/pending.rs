//! Text form of pending tasks: a keyword, the number of the side, and parameters, such as `roll 0
//! 5` or `act 1 summons 0 0`.

use crate::genius::lists::{DECK, MOST_HAND};
use crate::genius::state::{
    DICE_A_ROUND, FIGHTERS, Home, MOST_TASKS, PLACES, Profile, Task, Tasks,
};
use crate::notation::Fault;
use engine::game::Side;

/// Phase information of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockNote<'a> {
    pub(super) phase: &'a str,
    pub(super) profile: Profile,
    pub(super) turn: Side,
    pub(super) first: Side,
    pub(super) rerolls: [u8; 2],
    pub(super) both_ended: bool,
}

impl ClockNote<'_> {
    /// Tasks implied by a phase, for a state without an explicit list.
    pub(super) fn tasks(&self) -> Tasks {
        let mut tasks = Tasks::default();
        let (first, second, turn) = (self.first, self.first.other(), self.turn);
        let mut add = |task| tasks.push(task);
        let rolls = |add: &mut dyn FnMut(Task), rerolls: [u8; 2], dice: u8| {
            if self.profile == Profile::Core {
                return;
            }
            [Task::Begin(second), Task::Begin(first), Task::Age].into_iter().for_each(&mut *add);
            for side in [Side::Second, Side::First] {
                if rerolls[side.index()] > 0 {
                    add(Task::Reroll(side, rerolls[side.index()]));
                }
            }
            for side in [Side::Second, Side::First] {
                if dice > 0 {
                    add(Task::Roll(side, dice));
                }
            }
        };
        match self.phase {
            "redraw" | "lead" => {
                rolls(&mut add, [1, 1], DICE_A_ROUND);
                let all = [Side::Second, Side::First];
                let sides = if turn == Side::First { &all[..] } else { &all[..1] };
                if self.phase == "lead" {
                    sides.iter().for_each(|&side| add(Task::Lead(side)));
                } else {
                    all.into_iter().for_each(|side| add(Task::Lead(side)));
                    sides.iter().for_each(|&side| add(Task::Redraw(side)));
                }
            }
            "roll" => rolls(&mut add, self.rerolls, 0),
            "reroll" => add(Task::Reroll(turn, self.rerolls[turn.index()].max(1))),
            "death" if self.both_ended => {
                let draws = [Task::Draw(second, 2), Task::Draw(first, 2)];
                [Task::NextRound].into_iter().chain(draws).for_each(&mut add);
                add(Task::Choose(turn));
            }
            "death" => {
                add(Task::Pass(turn.other()));
                add(Task::Choose(turn));
            }
            _ => {}
        }
        tasks
    }
}

const HOMES: [&str; 6] = ["0", "1", "2", "team", "summons", "supports"];

/// Text of a task.
pub(super) fn text(task: Task) -> String {
    let of = |word: &str, side: Side| format!("{word} {}", side.index());
    let with = |word: &str, side: Side, n: u8| format!("{word} {} {n}", side.index());
    match task {
        Task::Redraw(side) => of("redraw", side),
        Task::Lead(side) => of("lead", side),
        Task::Roll(side, count) => with("roll", side, count),
        Task::Reroll(side, count) => with("reroll", side, count),
        Task::Begin(side) => of("begin", side),
        Task::Act(side, home, place, rule) => {
            let home = match home {
                Home::Fighter(fighter) => HOMES[usize::from(fighter)],
                Home::Team => HOMES[3],
                Home::Summons => HOMES[4],
                Home::Supports => HOMES[5],
            };
            format!("act {} {home} {place} {rule}", side.index())
        }
        Task::Defeats(side) => of("defeats", side),
        Task::Choose(side) => of("choose", side),
        Task::Switched(side) => of("switched", side),
        Task::Cast(side, number, armed) => {
            format!("cast {} {number} {}", side.index(), u8::from(armed))
        }
        Task::Stiletto(side, user, played) => {
            format!("stiletto {} {user} {}", side.index(), u8::from(played))
        }
        Task::AfterSkill(side, kinds, user) => {
            format!("after_skill {} {kinds} {user}", side.index())
        }
        Task::Draw(side, count) => with("draw", side, count),
        Task::Pass(side) => of("pass", side),
        Task::End(side) => of("end", side),
        Task::NextRound => "next_round".into(),
        Task::Age => "age".into(),
    }
}

/// Reads a list of tasks, the next first.
pub(super) fn read(list: &[String]) -> Result<Tasks, Fault> {
    // Leaves room for the tasks added during resolution.
    const MOST: usize = MOST_TASKS - 16;
    if list.len() > MOST {
        return Err(Fault::shape(format!("{} pending events; at most {MOST}", list.len())));
    }
    let mut tasks = Tasks::default();
    for (n, value) in list.iter().enumerate().rev() {
        let task = task(value).ok_or_else(|| {
            let why = format!(
                "`{value}` is not a pending event; expected a word, the side and numbers such as \
                 `choose 1`, `roll 0 5`, `draw 1 2`, `act 0 summons 1 0`, `pass 0`, `next_round`"
            );
            Fault::shape(why).under(n)
        })?;
        tasks.push(task);
    }
    Ok(tasks)
}

fn task(text: &str) -> Option<Task> {
    let words: Vec<_> = text.split_whitespace().collect();
    let number = |n: usize, most: u8| {
        words.get(n).and_then(|word| word.parse::<u8>().ok()).filter(|n| *n <= most)
    };
    let side = || number(1, 1).map(|n| Side::BOTH[usize::from(n)]);
    let arity = |count: usize| (words.len() == count).then_some(());
    let with = |task: fn(Side, u8) -> Task, most| {
        arity(3).and_then(|()| Some(task(side()?, number(2, most)?)))
    };
    let of = |task: fn(Side) -> Task| arity(2).and_then(|()| Some(task(side()?)));
    match *words.first()? {
        "redraw" => of(Task::Redraw),
        "lead" => of(Task::Lead),
        "begin" => of(Task::Begin),
        "defeats" => of(Task::Defeats),
        "choose" => of(Task::Choose),
        "switched" => of(Task::Switched),
        "pass" => of(Task::Pass),
        "end" => of(Task::End),
        "roll" => with(Task::Roll, 16),
        "reroll" => with(Task::Reroll, 9),
        "cast" => {
            arity(4)?;
            Some(Task::Cast(side()?, number(2, 2)?, number(3, 1)? == 1))
        }
        "stiletto" => {
            arity(4)?;
            Some(Task::Stiletto(side()?, number(2, FIGHTERS - 1)?, number(3, 1)? == 1))
        }
        "draw" => with(Task::Draw, MOST_HAND.min(DECK) as u8),
        "after_skill" => {
            arity(4)?;
            Some(Task::AfterSkill(side()?, number(2, 0x2F)?, number(3, FIGHTERS - 1)?))
        }
        "act" => {
            arity(5)?;
            let home = match HOMES.iter().position(|home| *home == words[2])? {
                3 => Home::Team,
                4 => Home::Summons,
                5 => Home::Supports,
                fighter => Home::Fighter(fighter as u8),
            };
            Some(Task::Act(side()?, home, number(3, 3 * PLACES as u8)?, number(4, 7)?))
        }
        "next_round" => arity(1).map(|()| Task::NextRound),
        "age" => arity(1).map(|()| Task::Age),
        _ => None,
    }
}
