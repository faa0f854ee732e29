//! Whole games of jobs: each holds a slot to its end, and its searches give way to all others by their priority.

use std::sync::Arc;

use catalog::{Allowance, Catalog};
use engine::search::Cancel;

use super::pool::{self, lower_priority};
use super::queue::Candidate;
use super::searches::{CancelOnDrop, LOWEST, latest_start};
use super::slots::Work;
use super::{FOREVER, Failure, RequestInfo, Service};

/// Bytes of an entry of a player's table, measured.
const ENTRY: u64 = 36;
/// Largest table of a player, in entries.
const MOST_ENTRIES: u64 = 1_000_000;

/// What a game may take.
#[derive(Clone, Debug)]
pub struct GameLimits {
    /// Of each search.
    pub allowance: Allowance,
    /// Entries of the table of each of two players: together a quarter of a thread's memory.
    pub table_entries: usize,
    /// Set when nobody wants the game any more.
    pub cancel: Cancel,
}

impl Service {
    /// Plays in a slot for jobs.
    ///
    /// # Errors
    /// When the service shuts down before the end.
    pub async fn play<T: Send + 'static>(
        &self,
        request: RequestInfo,
        work: impl FnOnce(&Catalog, &GameLimits) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        if self.is_stopping() {
            return Err(Failure::ShuttingDown);
        }
        let (inner, catalog) = (Arc::clone(&self.inner), Arc::clone(&self.catalog));
        let cancel = inner.stop.child();
        let _guard = CancelOnDrop(cancel.clone());
        let wanted = Candidate {
            client: request.client,
            threads: 1,
            cost: FOREVER,
            budget: FOREVER,
            start_by: latest_start(request.arrived, FOREVER, None),
        };
        let place = inner.slots.enter(Work::Background, wanted, cancel.clone()).await;
        let place = place.map_err(Failure::Busy)?;
        let allowance = inner.config.allowance.for_client(request.longest);
        let tables = allowance.memory / 4;
        let limits = GameLimits {
            allowance: Allowance { memory: allowance.memory - tables, ..allowance },
            table_entries: (tables / 2 / ENTRY).min(MOST_ENTRIES) as usize,
            cancel,
        };
        let played = move || {
            lower_priority(LOWEST);
            let done = work(&catalog, &limits);
            drop(place);
            done
        };
        let done = pool::run(Work::Background, played).await.ok_or(Failure::Panicked)?;
        if self.is_stopping() { Err(Failure::ShuttingDown) } else { Ok(done) }
    }
}
