//! Workers: each claims a piece when a slot is idle, searches its items, stores their results, and gives the piece up as
//! soon as it is no longer its own.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use job_queue::{Claim, Hold, JobQueue, QueueError, Token};
use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::kind::PieceWork;
use super::{LOOK, PAUSE};
use crate::service::{Failure, SearchTold, Service};

/// Longest time in which workers give back what they hold.
const PATIENCE: Duration = Duration::from_secs(1);

/// The workers of this process.
pub(crate) struct Workers {
    tasks: JoinSet<()>,
    stop: CancellationToken,
}

/// A worker.
#[derive(Clone)]
struct Worker {
    queue: Arc<dyn JobQueue>,
    service: Arc<Service>,
    lease: Duration,
    told: SearchTold,
    stop: CancellationToken,
    /// Held for reading while a piece is searched. A piece that may have ended a process is searched alone: if it does so
    /// again, it takes no other with it.
    quarantine: Arc<RwLock<()>>,
}

/// Whether other pieces are searched meanwhile.
enum Quarantine<'a> {
    Shared(#[expect(dead_code, reason = "held until it is dropped")] RwLockReadGuard<'a, ()>),
    Alone(#[expect(dead_code, reason = "held until it is dropped")] RwLockWriteGuard<'a, ()>),
}

/// Why a piece is not finished.
enum Unfinished {
    /// It is another's now, or its job is over.
    Lost,
    /// This process ends.
    Stopped,
    /// Another version of the program has written it.
    Unreadable,
    Broken(QueueError),
}

impl From<QueueError> for Unfinished {
    fn from(why: QueueError) -> Self {
        Self::Broken(why)
    }
}

impl Workers {
    /// Starts as many as there are slots.
    pub(super) fn start(
        queue: &Arc<dyn JobQueue>,
        service: &Arc<Service>,
        lease: Duration,
        told: SearchTold,
    ) -> Self {
        let stop = CancellationToken::new();
        let worker = Worker {
            queue: Arc::clone(queue),
            service: Arc::clone(service),
            lease,
            told,
            stop: stop.clone(),
            quarantine: Arc::default(),
        };
        let mut tasks = JoinSet::new();
        for _ in 0..service.slots() {
            let worker = worker.clone();
            // A bug in a search is a failed item; one in a worker must not end it.
            tasks.spawn(async move {
                while AssertUnwindSafe(worker.work()).catch_unwind().await.is_err() {
                    tracing::error!("a worker has panicked; it goes on");
                    tokio::time::sleep(LOOK).await;
                }
            });
        }
        Self { tasks, stop }
    }

    /// Gives back what is held, and ends.
    pub(crate) async fn stop(mut self) {
        self.stop.cancel();
        let ended = async { while self.tasks.join_next().await.is_some() {} };
        // What is not given back comes again when its lease ends.
        let _ = tokio::time::timeout(PATIENCE, ended).await;
    }
}

impl Worker {
    async fn work(&self) {
        let mut changes = self.queue.changes();
        while !self.stop.is_cancelled() {
            changes.mark_unchanged();
            let claim = tokio::select! {
                () = self.stop.cancelled() => return,
                claim = self.claim() => claim,
            };
            let claim = claim.unwrap_or_else(|why| {
                tracing::error!(%why, "no piece of a job can be claimed");
                None
            });
            match claim {
                Some((claim, _quarantine)) => self.search(claim).await,
                None => tokio::select! {
                    () = self.stop.cancelled() => return,
                    _ = tokio::time::timeout(LOOK, changes.changed()) => {}
                },
            }
        }
    }

    /// Claims the next piece as soon as there is room. One that may have ended its process waits unclaimed until it can be
    /// searched alone: what another one does then is not its fault.
    async fn claim(&self) -> Result<Option<(Claim, Quarantine<'_>)>, QueueError> {
        // As long as nothing is idle, pieces are left to other processes.
        drop(self.service.idle_slot().await);
        let shared = self.quarantine.read().await;
        let claim = self.queue.claim(self.lease).await?;
        if claim.as_ref().is_none_or(|claim| claim.tries <= 1) {
            return Ok(claim.map(|claim| (claim, Quarantine::Shared(shared))));
        }
        if let Some(claim) = claim {
            let _ = self.queue.release(claim.token).await?;
        }
        drop(shared);
        let alone = self.quarantine.write().await;
        let claim = self.queue.claim(self.lease).await?;
        Ok(claim.map(|claim| (claim, Quarantine::Alone(alone))))
    }

    /// Searches a piece until it is done or lost, and gives it back when the process ends.
    async fn search(&self, claim: Claim) {
        let token = claim.token;
        let ended = tokio::select! {
            biased;
            why = self.lost(token) => Err(why),
            () = self.stop.cancelled() => Err(Unfinished::Stopped),
            ended = self.items(claim) => ended,
        };
        match ended {
            Ok(()) | Err(Unfinished::Lost) => {}
            Err(Unfinished::Stopped) => drop(self.queue.release(token).await),
            Err(Unfinished::Unreadable) => {
                let why = "another version of the program has written it";
                self.give_up(token, why).await;
            }
            Err(Unfinished::Broken(why)) => self.give_up(token, &why.to_string()).await,
        }
    }

    /// Gives a piece back that is not to blame: this was no try.
    async fn give_up(&self, token: Token, why: &str) {
        tracing::error!(why, "a piece of a job is given up; it comes again");
        let _ = self.queue.release(token).await;
        tokio::time::sleep(LOOK).await;
    }

    /// Holds a claim as long as it can be held.
    async fn lost(&self, token: Token) -> Unfinished {
        let mut changes = self.queue.changes();
        loop {
            changes.mark_unchanged();
            match self.queue.extend(token, self.lease).await {
                Ok(Hold::Held) => {}
                Ok(Hold::Lost) => return Unfinished::Lost,
                Err(why) => return why.into(),
            }
            tokio::time::sleep(PAUSE).await;
            // Without a change the lease has to be extended before it ends.
            let _ = tokio::time::timeout(self.lease / 3, changes.changed()).await;
        }
    }

    async fn items(&self, claim: Claim) -> Result<(), Unfinished> {
        let mut piece = PieceWork::read(&claim).ok_or(Unfinished::Unreadable)?;
        for (place, &item) in claim.items.iter().enumerate() {
            if claim.done.contains(&item) {
                continue;
            }
            let (outcome, body) = self.item(&mut piece, place).await?;
            let stored = self.queue.checkpoint(claim.token, item, outcome, body).await?;
            if stored == Hold::Lost {
                return Err(Unfinished::Lost);
            }
        }
        let _ = self.queue.complete(claim.token).await?;
        Ok(())
    }

    /// Searches an item as soon as there is room.
    async fn item(
        &self,
        piece: &mut PieceWork,
        place: usize,
    ) -> Result<(job_queue::ItemOutcome, Vec<u8>), Unfinished> {
        loop {
            let slot = self.service.idle_slot().await;
            let ended = piece.item(place, &self.service, self.told).await;
            // Searches that end with the process have not had their budgets.
            if self.service.is_stopping() {
                return Err(Unfinished::Stopped);
            }
            match ended {
                Ok(ended) => return Ok(ended),
                Err(Failure::Busy(busy)) => {
                    drop(slot);
                    tokio::time::sleep(busy.retry_after).await;
                }
                Err(_) => return Err(Unfinished::Stopped),
            }
        }
    }
}
