//! Quotas: who may ask how often, how much at a time, and how long a search.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;

use super::client::CountedRequest;
use super::events::{StreamEnd, guarded};
use super::keys::{KeyStore, NoQuota, TierState};
use crate::problem::{Problem, ProblemCode};
use crate::service::Client;

/// The quota and what is left of it (draft-ietf-httpapi-ratelimit-headers-10).
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Requests between two sweeps of clients that have their whole quota again.
const SWEEP: u32 = 4_096;

/// Time until one of several requests being answered may have its answer.
const UNTIL_ANSWERED: Duration = Duration::from_secs(1);

/// Requests by client, as a leaky bucket (GCRA).
pub(super) struct RateLimiter {
    buckets: governor::RateLimiter<
        Client,
        DashMapStateStore<Client>,
        DefaultClock,
        StateInformationMiddleware,
    >,
    every: Duration,
    burst: NonZeroU32,
    asked: AtomicU32,
}

impl RateLimiter {
    /// A request of each client `every` so long, and `burst` at once after a pause.
    pub(super) fn new(every: Duration, burst: NonZeroU32) -> Self {
        let quota =
            governor::Quota::with_period(every).expect("a rate is finite").allow_burst(burst);
        let buckets = governor::RateLimiter::dashmap(quota).with_middleware();
        Self { buckets, every, burst, asked: AtomicU32::new(0) }
    }

    /// Counts so many requests: how many may follow at once.
    ///
    /// # Errors
    /// The time until they may come.
    pub(super) fn count(&self, client: Client, requests: NonZeroU32) -> Result<u32, Duration> {
        if self.asked.fetch_add(1, Ordering::Relaxed) % SWEEP == SWEEP - 1 {
            self.buckets.retain_recent();
        }
        let now = DefaultClock::default().now();
        let Ok(counted) = self.buckets.check_key_n(&client, requests) else {
            return Err(self.every * requests.get());
        };
        counted
            .map(|left| left.remaining_burst_capacity())
            .map_err(|until| until.wait_time_from(now))
    }
}

/// A request that a quota allows: what is in it may count as several.
#[derive(Clone)]
pub(super) struct Admitted {
    tier: Arc<TierState>,
    client: Client,
}

/// How many requests may follow at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuotaLeft(u32);

impl Admitted {
    /// Counts the request as so many: how many may follow, if it is not one only.
    ///
    /// # Errors
    /// When there are not so many left, or never are.
    pub(super) fn count_all(&self, requests: usize) -> Result<Option<QuotaLeft>, Problem> {
        let burst = self.tier.limiter.burst.get();
        // It is counted as one already.
        let more = u32::try_from(requests.saturating_sub(1)).unwrap_or(u32::MAX);
        if more >= burst {
            let name = &self.tier.name;
            let detail = format!("tier `{name}` allows {burst} questions at once");
            return Err(Problem::new(ProblemCode::InvalidRequest, &detail).at("/questions", detail));
        }
        let count = |more| self.tier.count(self.client, more).map_err(|(problem, _)| problem);
        Ok(NonZeroU32::new(more).map(count).transpose()?.map(QuotaLeft))
    }

    /// Requests being answered at a time.
    pub(super) fn at_a_time(&self) -> usize {
        self.tier.tier.concurrency
    }
}

/// Longest search that a request may ask for.
#[derive(Clone, Copy, Debug)]
pub(super) struct LongestSearch(pub(super) Duration);

/// Answers a request if its client's quota allows it.
pub(super) async fn admit(
    State(keys): State<Arc<KeyStore>>,
    mut request: Request,
    next: Next,
) -> Response {
    let address = *request.extensions().get::<Client>().expect("the access log names it");
    let (client, tier) = match keys.find(presented(request.headers()), address) {
        Ok(found) => found,
        Err(why) => return unauthorized(&why).into_response(),
    };
    let mut response = match tier.admit(&keys, client) {
        Ok((open, left)) => {
            request.extensions_mut().insert(client);
            request.extensions_mut().insert(Admitted { tier: Arc::clone(&tier), client });
            let longest = Duration::from_millis(tier.tier.longest_ms);
            request.extensions_mut().insert(LongestSearch(longest));
            let mut response = next.run(request).await;
            let left = response.extensions().get().map_or(left, |&QuotaLeft(left)| left);
            let until_full = tier.limiter.every * (tier.limiter.burst.get() - left);
            tier.describe(response.headers_mut(), left, until_full);
            match response.extensions().get::<StreamEnd>() {
                Some(_) => guarded(response, open),
                None => response,
            }
        }
        Err((problem, wait)) => {
            let mut response = problem.into_response();
            tier.describe(response.headers_mut(), 0, wait);
            response
        }
    };
    response.extensions_mut().insert(client);
    response
}

/// The key that a request presents: `Authorization: Bearer` or `X-API-Key`.
fn presented(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION).map(|value| {
        let (scheme, key) = value.to_str().unwrap_or_default().split_once(' ').unwrap_or_default();
        if scheme.eq_ignore_ascii_case("bearer") { key.trim() } else { "" }
    });
    bearer.or_else(|| headers.get(API_KEY).map(|value| value.to_str().unwrap_or_default()))
}

fn unauthorized(why: &NoQuota) -> Problem {
    let detail = match why {
        NoQuota::Unknown => "nobody has this key",
        NoQuota::Missing => {
            "this service requires a key: `Authorization: Bearer KEY` or `X-API-Key: KEY`"
        }
    };
    Problem::new(ProblemCode::Unauthorized, detail)
}

/// A refusal for this long.
fn refused(detail: String, wait: Duration) -> (Problem, Duration) {
    (Problem::new(ProblemCode::QuotaExceeded, detail).retry(wait), wait)
}

impl TierState {
    /// A place among the requests being answered, and how many more may come at once.
    fn admit(
        &self,
        keys: &KeyStore,
        client: Client,
    ) -> Result<(CountedRequest, u32), (Problem, Duration)> {
        let most = self.tier.concurrency;
        let open = keys.open.enter(client, 1, most, usize::MAX).ok_or_else(|| {
            let detail = format!("tier `{}` allows {most} requests at a time", self.name);
            refused(detail, UNTIL_ANSWERED)
        })?;
        Ok((open, self.count(client, NonZeroU32::MIN)?))
    }

    /// Counts so many requests: how many more may come at once.
    fn count(&self, client: Client, requests: NonZeroU32) -> Result<u32, (Problem, Duration)> {
        self.limiter.count(client, requests).map_err(|wait| {
            let (rate, burst) = (self.tier.rate, self.tier.burst);
            refused(
                format!("tier `{}` allows {rate} requests a second, {burst} at once", self.name),
                wait,
            )
        })
    }

    /// Writes the quota, what is left, and when there is more.
    fn describe(&self, headers: &mut HeaderMap, left: u32, wait: Duration) {
        let (burst, every) = (self.limiter.burst, self.limiter.every);
        let window = (every * burst.get()).as_secs_f64().ceil().max(1.0);
        let wait = wait.as_secs_f64().ceil();
        let name =
            self.name.replace(|letter: char| !letter.is_ascii_graphic() || letter == '"', "_");
        let policy = format!("\"{name}\";q={burst};w={window}");
        let limit = format!("\"{name}\";r={left};t={wait}");
        for (field, text) in [(POLICY, policy), (LIMIT, limit)] {
            headers.insert(field, HeaderValue::try_from(text).expect("printable ASCII"));
        }
    }
}
