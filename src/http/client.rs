//! The client of a request: the peer of the connection, or whom a trusted proxy names; and how many requests each has.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, HeaderName};

use super::AppState;
use super::listeners::Peer;
use crate::config::Networks;
use crate::service::Client;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The client of a request.
pub(super) fn client(request: &Request, state: &AppState) -> Client {
    let peer = request.extensions().get::<ConnectInfo<Peer>>();
    // Without a peer there is one client: tests of the routes alone.
    let peer = peer.map_or(IpAddr::from([0, 0, 0, 0]), |ConnectInfo(Peer(peer))| peer.ip());
    behind(peer, request.headers(), &state.trusted_proxies).into()
}

/// The address that a chain of trusted proxies names: each appends the peer it has seen, so the last that is no
/// trusted proxy is the client. What stands before it is the client's own word.
fn behind(peer: IpAddr, headers: &HeaderMap, trusted: &Networks) -> IpAddr {
    if !trusted.contain(peer) {
        return peer;
    }
    let named = headers.get_all(FORWARDED_FOR).into_iter().filter_map(|value| value.to_str().ok());
    let named: Vec<_> = named.flat_map(|value| value.split(',')).map(str::trim).collect();
    let mut last = peer;
    for address in named.into_iter().rev() {
        let Ok(address) = address.parse() else { return last };
        last = address;
        if !trusted.contain(address) {
            break;
        }
    }
    last
}

/// What each client takes at the moment of something that there is only so much of: requests being answered, bytes.
#[derive(Debug, Default)]
pub(super) struct ClientCounts(Mutex<OpenRequests>);

#[derive(Debug, Default)]
struct OpenRequests {
    all: usize,
    each: HashMap<Client, usize>,
}

impl ClientCounts {
    fn lock(&self) -> MutexGuard<'_, OpenRequests> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request as so many if its client then has `each` at most, or this one only, and all together `all`, or
    /// this one only.
    pub(super) fn enter(
        self: &Arc<Self>,
        client: Client,
        count: usize,
        each: usize,
        all: usize,
    ) -> Option<CountedRequest> {
        let mut open = self.lock();
        let own = open.each.get(&client).copied().unwrap_or_default();
        let has_many = own > 0 && own + count > each;
        if has_many || (open.all > 0 && open.all + count > all) {
            return None;
        }
        open.all += count;
        open.each.insert(client, own + count);
        Some(CountedRequest { counts: Arc::clone(self), client, count })
    }
}

/// A request being answered; counted until it is dropped.
#[derive(Debug)]
pub(super) struct CountedRequest {
    counts: Arc<ClientCounts>,
    client: Client,
    count: usize,
}

impl Drop for CountedRequest {
    fn drop(&mut self) {
        let mut open = self.counts.lock();
        open.all -= self.count;
        if let Some(own) = open.each.get_mut(&self.client) {
            *own -= self.count;
            if *own == 0 {
                open.each.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(peer: &str, forwarded: &[&'static str], trusted: &str) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(FORWARDED_FOR, value.parse().expect("a header"));
        }
        let trusted: Networks = trusted.parse().expect("networks");
        behind(peer.parse().expect("an address"), &headers, &trusted).to_string()
    }

    #[test]
    fn only_a_trusted_proxy_names_the_client() {
        assert_eq!(of("192.0.2.1", &["198.51.100.7"], ""), "192.0.2.1");
        assert_eq!(of("192.0.2.1", &["198.51.100.7"], "192.0.2.0/24"), "198.51.100.7");
        assert_eq!(of("::ffff:192.0.2.1", &["198.51.100.7"], "192.0.2.0/24"), "198.51.100.7");
        assert_eq!(of("192.0.2.1", &[], "192.0.2.0/24"), "192.0.2.1");
    }

    #[test]
    fn what_a_client_says_of_itself_is_not_believed() {
        let trusted = "192.0.2.0/24, 2001:db8::/32";
        assert_eq!(of("192.0.2.1", &["203.0.113.9, 198.51.100.7"], trusted), "198.51.100.7");
        assert_eq!(
            of("192.0.2.1", &["203.0.113.9", "198.51.100.7, 2001:db8::1"], trusted),
            "198.51.100.7"
        );
        assert_eq!(of("192.0.2.1", &["198.51.100.7, nonsense"], trusted), "192.0.2.1");
    }
}
