//! Who asks: what a client may take of the service is counted by it.

use std::net::{IpAddr, Ipv6Addr};

/// A client: a key, or else an address. Of IPv6 addresses, one network of 64 bits is one client, as hosts choose the
/// rest themselves (RFC 8981).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Client {
    /// An address, or a network.
    Address(IpAddr),
    /// The first bytes of a key's digest.
    Key(u64),
    /// The service itself: its workers ask what jobs are made of.
    Workers,
}

/// Who goes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Priority {
    /// Somebody waits for the answer.
    #[default]
    Interactive,
    /// A job is made of it: it starts where slots are idle, waits as long as it takes, and has the lowest priority.
    Background,
}

impl From<IpAddr> for Client {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = u128::from(address) >> 64 << 64;
                Self::Address(Ipv6Addr::from(network).into())
            }
            address => Self::Address(address),
        }
    }
}

impl std::fmt::Display for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Address(address) => address.fmt(f),
            Self::Key(id) => write!(f, "key:{id:016x}"),
            Self::Workers => f.write_str("workers"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> Client {
        address.parse::<IpAddr>().expect("an address").into()
    }

    #[test]
    fn a_client_is_an_address_or_a_network_of_64_bits() {
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
        assert_eq!(client("2001:db8::1"), client("2001:db8::ffff:1"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:0:1::1"));
    }
}
