//! Places for batches: their bodies and answers take much memory, so there are only so many at a time.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::AppState;
use super::client::{ClientCounts, CountedRequest};
use crate::problem::{Problem, ProblemCode};
use crate::service::Client;

/// Connections in whose memory a batch has room, 4 MiB: a body of 1 MiB, and 3 MiB of answers.
const CONNECTIONS: usize = 100;

/// The places, and who has them.
#[derive(Debug)]
pub(super) struct BatchPlaces {
    all: usize,
    taken: Arc<ClientCounts>,
}

impl BatchPlaces {
    /// As many as there is room for in the memory of so many connections.
    pub(super) fn new(connections: usize) -> Self {
        Self { all: (connections / CONNECTIONS).max(1), taken: Arc::default() }
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
        let places = BatchPlaces::new(8 * CONNECTIONS);
        let client = |last| Client::from(IpAddr::from([192, 0, 2, last]));
        let mut held: Vec<_> = (0..3).map_while(|_| places.enter(client(1))).collect();
        assert_eq!(held.len(), 2);
        held.extend((2..9).filter_map(|last| places.enter(client(last))));
        assert_eq!(held.len(), 8, "no more in all");
        held.clear();
        assert!(places.enter(client(1)).is_some(), "they are free again");
        assert!(BatchPlaces::new(1).enter(client(1)).is_some(), "there is always one");
    }
}
