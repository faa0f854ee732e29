//! Limits of the server, and the budget of a question within them.

use std::time::{Duration, Instant};

use super::methods::MethodInfo;
use super::question::{BudgetQuestion, Question, WholeNumber};
use super::refusal::Refusal;
use engine::search::{Budget, MAX_DEPTH};

/// Limits of one request.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Thinking time without an applicable limit.
    pub default_time: Duration,
    /// Maximum thinking time and maximum deadline.
    pub max_time: Duration,
    /// Maximum thinking time where depth, nodes or simulations are the only limits; no more than `max_time`.
    pub max_untimed: Duration,
    /// Maximum threads of one search.
    pub max_threads: u64,
    /// Memory for each thread of a search, in bytes: what options may name.
    pub memory: u64,
    /// Maximum ratings in an answer.
    pub max_ratings: usize,
    /// Maximum worlds that a search draws.
    pub max_worlds: u64,
}

impl Allowance {
    /// Limits for callers outside the service: an hour, any number of threads.
    pub const fn unlimited() -> Self {
        let hour = Duration::from_secs(3_600);
        Self {
            default_time: hour,
            max_time: hour,
            max_untimed: hour,
            max_threads: u64::MAX,
            memory: u64::MAX,
            max_ratings: usize::MAX,
            max_worlds: u64::MAX,
        }
    }

    /// The same for a client with a limit of its own.
    #[must_use]
    pub fn for_client(self, longest: Option<Duration>) -> Self {
        let max_time = longest.map_or(self.max_time, |longest| longest.min(self.max_time));
        let (default_time, max_untimed) =
            (self.default_time.min(max_time), self.max_untimed.min(max_time));
        Self { default_time, max_time, max_untimed, ..self }
    }

    /// Maximum thinking time of a search, in ms.
    pub(super) fn max_ms(&self) -> u64 {
        self.max_time.as_millis() as u64
    }

    /// The time that a budget names, in ms.
    ///
    /// # Errors
    /// When it is zero, or more than is allowed.
    pub(super) fn time_of(&self, budget: &BudgetQuestion) -> Result<Option<u64>, Refusal> {
        positive(budget.time_ms, self.max_ms(), &["budget", "time_ms"])
    }
}

/// Maximum length of an `id` in bytes.
const MAX_ID: usize = 128;
/// Time reserved before a deadline to write the answer and to carry it: a tenth, within these bounds. By
/// `benches/leaving.py`: with 2 ms half of the answers came up to 10 ms late, beside searches on all cores.
const ANSWER_MARGIN: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(12));

/// Validated budget.
#[derive(Clone, Debug)]
pub(super) struct PlannedBudget {
    /// Budget of the search.
    pub budget: Budget,
    /// Expected maximum duration of the search.
    pub expected: Duration,
    /// Warnings for the client.
    pub warnings: Vec<String>,
}

fn margin(deadline: Duration) -> Duration {
    let (least, most) = ANSWER_MARGIN;
    (deadline / 10).clamp(least, most)
}

fn positive(
    value: Option<WholeNumber>,
    most: u64,
    pointer: &[&str],
) -> Result<Option<u64>, Refusal> {
    match value {
        None => Ok(None),
        Some(WholeNumber(0)) => Err(Refusal::shape(pointer, format!("must be from 1 to {most}"))),
        Some(WholeNumber(value)) if value > most => {
            Err(Refusal::shape(pointer, format!("must be at most {most}, got {value}")))
        }
        Some(WholeNumber(value)) => Ok(Some(value)),
    }
}

/// Validates the budget of a question for a method.
///
/// # Errors
/// When a limit is zero, exceeds that of the server or does not apply to the method, or a reproducible answer
/// would depend on time or threads.
pub(super) fn planned_budget(
    question: &Question,
    method: &MethodInfo,
    allowance: &Allowance,
    arrived: Instant,
) -> Result<PlannedBudget, Refusal> {
    const NO_LIMIT: u64 = (1 << 53) - 1;
    let max_ms = allowance.max_ms();
    let budget = &question.budget;
    let time = allowance.time_of(budget)?;
    let depth = positive(budget.depth, MAX_DEPTH.into(), &["budget", "depth"])?;
    let nodes = positive(budget.nodes, NO_LIMIT, &["budget", "nodes"])?;
    let simulations = positive(budget.simulations, NO_LIMIT, &["budget", "simulations"])?;
    let deadline = positive(question.deadline_ms, max_ms, &["deadline_ms"])?;
    let given =
        [("time_ms", time), ("depth", depth), ("nodes", nodes), ("simulations", simulations)];
    let heeded = |name: &str| method.budgets.contains(&name);
    let mut ignored = given.iter().filter(|(name, value)| value.is_some() && !heeded(name));
    let mut warnings = Vec::new();
    // A method without limits answers at once: it keeps every limit. Who leaves the choice of the method to the
    // game cannot know its limits.
    if method.budgets.is_empty() || question.algorithm == "auto" {
        warnings.extend(
            ignored.map(|(name, _)| format!("budget.{name} has no effect on `{}`", method.name)),
        );
    } else if let Some((name, _)) = ignored.next() {
        let limits = method.budgets.join("`, `");
        let why = format!("`{name}` does not limit `{}`; what does: `{limits}`", method.name);
        return Err(Refusal::shape(&["budget", name], why));
    }
    let counted = given[1..].iter().any(|(name, value)| value.is_some() && heeded(name));
    if question.reproducible {
        reproducible(question, method, counted)?;
    }
    let time = time.map(Duration::from_millis);
    let time = match (time, counted) {
        (Some(time), _) => time,
        (None, true) if deadline.is_none() => allowance.max_untimed,
        (None, true) => allowance.max_time,
        (None, false) => allowance.default_time,
    };
    let deadline = deadline.map(Duration::from_millis);
    let budget = Budget {
        depth: depth.map(|depth| depth as u32).filter(|_| heeded("depth")),
        nodes: nodes.filter(|_| heeded("nodes")),
        simulations: simulations.filter(|_| heeded("simulations")),
        time: Some(time),
        deadline: deadline.map(|deadline| arrived + deadline.saturating_sub(margin(deadline))),
    };
    let expected = deadline.map_or(time, |deadline| deadline.min(time));
    Ok(PlannedBudget { budget, expected, warnings })
}

fn reproducible(question: &Question, method: &MethodInfo, counted: bool) -> Result<(), Refusal> {
    if question.budget.time_ms.is_some() {
        let why = "a reproducible answer cannot depend on time; limit depth, nodes or simulations instead";
        return Err(Refusal::shape(&["budget", "time_ms"], why));
    }
    if question.deadline_ms.is_some() {
        let why = "a reproducible answer cannot depend on time";
        return Err(Refusal::shape(&["deadline_ms"], why));
    }
    if question.threads.0 != 1 {
        let why = "a reproducible answer requires `threads` = 1";
        return Err(Refusal::shape(&["threads"], why));
    }
    if !counted && method.needs_budget {
        let counted = method.budgets.iter().filter(|&&name| name != "time_ms");
        let usable: Vec<_> = counted.map(|name| format!("`{name}`")).collect();
        let usable = usable.join(" or ");
        let why = format!("a reproducible answer of `{}` requires {usable}", method.name);
        return Err(Refusal::shape(&["budget"], why));
    }
    Ok(())
}

/// Checks the fields independent of the game.
///
/// # Errors
/// When too many threads are requested, or the id is too long.
pub(super) fn check(question: &Question, allowance: &Allowance) -> Result<(), Refusal> {
    positive(Some(question.threads), allowance.max_threads, &["threads"])?;
    match &question.id {
        Some(id) if id.len() > MAX_ID => {
            Err(Refusal::shape(&["id"], format!("`id` must have at most {MAX_ID} bytes")))
        }
        _ => Ok(()),
    }
}
