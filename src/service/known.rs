//! Known answers: what was once searched to its end, or deep enough, is not searched again.

use std::sync::Arc;
use std::time::Duration;

use catalog::Plan;
use catalog::answer::{Answer, AnswerSource, StoppedBy};
use catalog::question::{BudgetQuestion, Choose, Question, WholeNumber};
use job_queue::{AnswerKey, AnswerStore, KnownAnswer};
use sha2::{Digest, Sha256};

use super::Searched;
use super::waiters::Landed;

/// Which answers are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum KeptAnswers {
    /// None.
    None,
    /// Those in which every score is exact.
    Exact,
    /// Also others, for questions that do not ask for more: an opponent then varies less.
    Deep,
}

/// Shortest expected search for which the store is asked: what is shorter is searched as soon. Not tuned.
const SHORTEST: Duration = Duration::from_millis(20);
/// Rank of an exact answer; that of others is what they took.
const EXACT: u64 = 1 << 62;

/// The store of known answers, as far as it is used.
#[derive(Clone)]
pub struct KnownAnswers {
    store: Arc<dyn AnswerStore>,
    which: KeptAnswers,
}

/// A question that the store may answer, or learn to.
#[derive(Clone)]
pub(super) struct Lesson {
    answers: KnownAnswers,
    key: AnswerKey,
    budget: BudgetQuestion,
    /// Thinking time where the question names none.
    time: Duration,
}

impl KnownAnswers {
    /// The answers of a store; `None` where none are to be kept.
    pub fn of(store: Arc<dyn AnswerStore>, which: KeptAnswers) -> Option<Self> {
        (which != KeptAnswers::None).then_some(Self { store, which })
    }

    /// The lesson of a question; `None` where its answer depends on more than is kept, or is found as soon.
    pub(super) fn lesson(&self, question: &Question, plan: &Plan) -> Option<Lesson> {
        let depends = question.reproducible
            || question.trace
            || question.level.is_some()
            || question.measured_level.is_some()
            || question.lines.is_some()
            || question.choose == Choose::Random;
        if depends || plan.expected < SHORTEST {
            return None;
        }
        Some(Lesson {
            answers: self.clone(),
            key: key(question, plan),
            budget: question.budget,
            time: plan.expected,
        })
    }
}

/// Digest of all that an answer depends on, but what may be spent.
fn key(question: &Question, plan: &Plan) -> AnswerKey {
    let budget = &question.budget;
    // Which budgets are given decides which warnings there are.
    let given = [budget.time_ms, budget.depth, budget.nodes, budget.simulations]
        .map(|budget| budget.is_some());
    let alike = Question {
        id: None,
        // The history says it in one form.
        state: None,
        moves: Vec::new(),
        algorithm: plan.algorithm.to_owned(),
        budget: BudgetQuestion::default(),
        deadline_ms: None,
        seed: None,
        threads: WholeNumber(1),
        ..question.clone()
    };
    let version = (env!("CARGO_PKG_VERSION"), crate::COMMIT);
    let all = (version, given, alike, (plan.history)());
    let text = serde_json::to_vec(&all).expect("a question can be written again");
    Sha256::digest(text).into()
}

/// True if every score is exact: nothing would be found out by more.
fn is_exact(answer: &Answer) -> bool {
    answer.stats.stopped_by == StoppedBy::Solved
}

/// The known answer to the question with this id.
pub(super) async fn answer(lesson: Option<&Lesson>, id: Option<&String>) -> Option<Searched> {
    let mut searched = lesson?.known().await?;
    searched.answer.id = id.cloned();
    Some(searched)
}

/// A search, what it has found being kept while its waiters go on.
pub(super) async fn learning(
    lesson: Option<Lesson>,
    search: impl Future<Output = Landed>,
) -> Landed {
    let landed = search.await;
    if let (Some(lesson), Ok(searched)) = (lesson, &landed) {
        let searched = Arc::clone(searched);
        tokio::spawn(async move { lesson.learn(&searched).await });
    }
    landed
}

impl Lesson {
    /// The known answer, if it is at least as good as a search would find.
    async fn known(&self) -> Option<Searched> {
        let known = self.answers.store.known(self.key).await;
        let known = known.unwrap_or_else(|why| {
            tracing::error!(%why, "known answers cannot be read");
            None
        })?;
        let answer = ciborium::from_reader(known.body.as_slice());
        let mut answer: Answer = answer
            .inspect_err(|why| tracing::error!(%why, "a known answer cannot be read"))
            .ok()?;
        let is_enough = is_exact(&answer)
            || (self.answers.which == KeptAnswers::Deep && self.suffices(&answer));
        if !is_enough {
            return None;
        }
        answer.stats.source = AnswerSource::Store;
        answer.stats.queue_ms = 0;
        Some(Searched { answer, queued: Duration::ZERO, took: Duration::ZERO })
    }

    /// True if a search of this question would have ended no later than that of the answer.
    fn suffices(&self, answer: &Answer) -> bool {
        let (budget, stats) = (&self.budget, &answer.stats);
        let is_deep = budget.depth.is_some_and(|depth| u64::from(stats.depth) >= depth.0);
        // A search ends a little before its budget does.
        let nearly = |wanted: u64, found: u64| found >= wanted - wanted / 10;
        let reached = |wanted: Option<WholeNumber>, found: u64| {
            wanted.is_some_and(|WholeNumber(wanted)| nearly(wanted, found))
        };
        is_deep
            || reached(budget.nodes, stats.nodes)
            || reached(budget.simulations, stats.simulations)
            || nearly(self.time.as_millis() as u64, stats.time_ms)
    }

    /// Keeps what a search has found.
    async fn learn(&self, searched: &Searched) {
        let answer = &searched.answer;
        let exact = is_exact(answer);
        let cut_short = [StoppedBy::Preempted, StoppedBy::Shutdown, StoppedBy::Running];
        let is_kept = exact
            || (self.answers.which == KeptAnswers::Deep
                && !cut_short.contains(&answer.stats.stopped_by));
        if !is_kept || searched.took < SHORTEST {
            return;
        }
        let rank = if exact { EXACT } else { answer.stats.nodes + answer.stats.simulations };
        let mut body = Vec::new();
        ciborium::into_writer(answer, &mut body).expect("a vector takes all");
        let learned = self.answers.store.learn(self.key, KnownAnswer { rank, body }).await;
        if let Err(why) = learned {
            tracing::warn!(%why, "a known answer is not kept");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use catalog::{Allowance, Catalog};
    use job_queue::{Embedded, QueueLimits, Store};
    use serde_json::{Value, json};

    use super::*;

    const LIMITS: QueueLimits =
        QueueLimits { open_jobs: 9, tries: 5, keep: Duration::from_secs(3_600) };

    /// What would be kept of a question: connect four with this in place of what it has.
    async fn lesson(changes: Value) -> Option<Lesson> {
        let store = Embedded::open(Store::Memory(1 << 20), LIMITS).await.expect("memory");
        let known =
            KnownAnswers::of(Arc::new(store), KeptAnswers::Exact).expect("answers are kept");
        let mut question = json!({
            "game": "connect4", "moves": ["1", "1"], "budget": { "time_ms": 1_000 }, "id": "a",
        });
        for (name, value) in changes.as_object().expect("members") {
            question[name] = value.clone();
        }
        let question: Question = serde_json::from_value(question).expect("a question");
        let plan = Catalog::default().plan(&question, &Allowance::unlimited(), Instant::now());
        known.lesson(&question, &plan.map_err(|why| why.to_string()).expect("a plan"))
    }

    #[tokio::test]
    async fn what_depends_on_more_or_is_found_as_soon_is_not_kept() {
        assert!(lesson(json!({})).await.is_some());
        for changes in [
            json!({ "reproducible": true, "budget": { "depth": 30 } }),
            json!({ "trace": true, "budget": { "time_ms": 1_000, "nodes": 1_000 } }),
            json!({ "level": 3, "budget": {} }),
            json!({ "choose": "random" }),
            json!({ "budget": { "time_ms": 19 } }),
        ] {
            assert!(lesson(changes.clone()).await.is_none(), "{changes}");
        }
    }

    #[tokio::test]
    async fn a_question_is_known_by_all_that_its_answer_depends_on() {
        let key = async |changes: Value| lesson(changes).await.expect("it is kept").key;
        let usual = key(json!({})).await;
        for changes in [
            json!({ "id": "b" }),
            json!({ "seed": 7 }),
            json!({ "threads": 2 }),
            json!({ "deadline_ms": 60_000 }),
            json!({ "budget": { "time_ms": 2_000 } }),
            json!({ "algorithm": "alphabeta" }),
        ] {
            assert_eq!(key(changes.clone()).await, usual, "{changes}");
        }
        for changes in [
            json!({ "moves": ["1", "2"] }),
            json!({ "ratings": 3 }),
            json!({ "perspective": "first" }),
            json!({ "avoid_moves": ["1"] }),
            json!({ "algorithm": "minimax" }),
            json!({ "options": { "deepening": false } }),
            json!({ "budget": { "time_ms": 1_000, "depth": 8 } }),
        ] {
            assert_ne!(key(changes.clone()).await, usual, "{changes}");
        }
    }
}
