//! Places for batches: their bodies and answers take much memory, so there are only so many at a time.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::AppState;
use super::client::{ClientCounts, CountedRequest};
use crate::problem::{Problem, ProblemCode};
use crate::service::Client;

/// Longest answers of a batch in all, in bytes: 64 KiB for each of its questions, every move of gomoku rated.
const ANSWERS: usize = 16 << 20;

/// Least number of places: a client alone does not have all of them.
const LEAST: usize = 4;

/// The places, and who has them.
#[derive(Debug)]
pub(super) struct BatchPlaces {
    all: usize,
    /// Longest answers of a batch.
    pub(super) answers: usize,
    taken: Arc<ClientCounts>,
}

impl BatchPlaces {
    /// As many as there is room for in so many bytes: each has its answers twice, piece by piece and whole.
    pub(super) fn new(bytes: usize) -> Self {
        let all = (bytes / (2 * ANSWERS)).max(LEAST);
        Self { all, answers: ANSWERS.min(bytes / (2 * all)), taken: Arc::default() }
    }

    /// A place for a client: each has a quarter of them at most.
    fn enter(&self, client: Client) -> Option<BatchPlace> {
        self.taken.enter(client, 1, (self.all / 4).max(1), self.all).map(BatchPlace)
    }
}

/// Time until a batch may have made room for another. Not tuned.
const UNTIL_FREE: Duration = Duration::from_secs(1);

/// The place of a batch, taken before its body is read.
#[derive(Debug)]
pub(super) struct BatchPlace(
    #[expect(dead_code, reason = "held until it is dropped")] CountedRequest,
);

impl FromRequestParts<AppState> for BatchPlace {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let client = parts.extensions.get::<Client>().copied().expect("the access log names it");
        state.batches.enter(client).ok_or_else(|| {
            let detail = "as many batches are being answered as there are places for";
            Problem::new(ProblemCode::Busy, detail).retry(UNTIL_FREE)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    #[test]
    fn a_client_has_a_quarter_of_the_places() {
        let places = BatchPlaces::new(8 * 2 * ANSWERS);
        let client = |last| Client::from(IpAddr::from([192, 0, 2, last]));
        let mut held: Vec<_> = (0..3).map_while(|_| places.enter(client(1))).collect();
        assert_eq!(held.len(), 2);
        held.extend((2..9).filter_map(|last| places.enter(client(last))));
        assert_eq!(held.len(), 8, "no more in all");
        held.clear();
        assert!(places.enter(client(1)).is_some(), "they are free again");
        let few = BatchPlaces::new(8 << 20);
        assert_eq!((few.all, few.answers), (LEAST, 1 << 20), "shorter answers");
    }
}
