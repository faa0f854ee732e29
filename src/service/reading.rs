//! Questions read by the rules of their games, in slots of their own unless that is trivial.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::costs::CostKey;
use super::pool::{self, lower_priority};
use super::queue::Candidate;
use super::searches::latest_start;
use super::slots::Work;
use super::{Failure, RequestInfo, Service};
use catalog::Catalog;
use engine::search::Cancel;

/// Bound of the time to read a question, until more is known.
const READING: Duration = Duration::from_millis(100);

/// A question to be read.
pub(super) struct UnreadQuestion {
    /// As named by the client.
    pub(super) game: String,
    /// True without lists of moves: long ones are never trivial.
    pub(super) is_light: bool,
    /// Half of its deadline, which is left for the search.
    pub(super) halfway: Option<Instant>,
}

impl UnreadQuestion {
    /// One whose game is not known, or not the only one: it is never trivial.
    pub(super) fn of_any_game() -> Self {
        Self { game: "xiangqi".to_owned(), is_light: false, halfway: None }
    }
}

impl Service {
    /// Reads a question by the rules of its game: on this thread if that is known to be trivial, else in a slot like a
    /// search.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        reading: UnreadQuestion,
        request: RequestInfo,
        work: impl FnOnce(&Catalog) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let UnreadQuestion { game, is_light, halfway } = reading;
        let Ok(game) = self.catalog.game(&game) else { return Ok(work(&self.catalog)) };
        let key = CostKey::Reading(game.name(), request.bytes.max(1).ilog2());
        if is_light && self.inner.costs.is_trivial(&key) {
            let started = Instant::now();
            let done = work(&self.catalog);
            self.inner.costs.learn(key, started.elapsed());
            return Ok(done);
        }
        let inner = Arc::clone(&self.inner);
        let wanted = Candidate {
            client: request.client,
            threads: 1,
            cost: inner.costs.bound(&key, READING),
            budget: READING,
            start_by: latest_start(
                request.arrived,
                inner.config.patience(request.priority),
                halfway,
            ),
        };
        let place = inner.slots.enter(Work::Reading, wanted, Cancel::default()).await;
        let place = place.map_err(Failure::Busy)?;
        let catalog = Arc::clone(&self.catalog);
        let work = move || {
            lower_priority(inner.config.nice);
            let started = Instant::now();
            let done = work(&catalog);
            inner.costs.learn(key, started.elapsed());
            drop(place);
            done
        };
        pool::run(Work::Reading, work).await.ok_or(Failure::Panicked)
    }
}
