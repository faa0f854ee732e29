//! Values of settings that have a grammar of their own.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use axum::http::HeaderValue;
use ipnet::IpNet;

/// Where to listen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenAddress {
    /// Address or name, and port.
    Tcp(String),
    /// Path of a unix socket.
    Unix(PathBuf),
    /// Sockets that the service manager hands over.
    Systemd,
}

impl FromStr for ListenAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "systemd" {
            return Ok(Self::Systemd);
        }
        if let Some(path) = text.strip_prefix("unix:").filter(|path| !path.is_empty()) {
            return Ok(Self::Unix(path.into()));
        }
        let parts = text.rsplit_once(':');
        match parts {
            Some((host, port)) if is_host(host) && port.parse::<u16>().is_ok() => {
                Ok(Self::Tcp(text.to_owned()))
            }
            _ => Err(format!(
                "`{text}` is no address; expected one such as 127.0.0.1:8080, localhost:8080, unix:/run/bestmove.sock \
                 or systemd"
            )),
        }
    }
}

/// True for a name or an address; one with colons stands in brackets.
fn is_host(host: &str) -> bool {
    !host.is_empty() && (!host.contains(':') || (host.starts_with('[') && host.ends_with(']')))
}

impl fmt::Display for ListenAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(name) => name.fmt(f),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
            Self::Systemd => "systemd".fmt(f),
        }
    }
}

/// Several places to listen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListenAddresses(pub Vec<ListenAddress>);

impl FromStr for ListenAddresses {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self(Vec::new()));
        }
        text.split(',').map(|part| part.trim().parse()).collect::<Result<_, _>>().map(Self)
    }
}

/// Places to listen, at least one.
pub(super) fn some_addresses(text: &str) -> Result<ListenAddresses, String> {
    let addresses: ListenAddresses = text.parse()?;
    if addresses.0.is_empty() {
        return Err("a service listens somewhere; `none` is for --probe-listen".into());
    }
    Ok(addresses)
}

/// A size that something fits in.
pub(super) fn some_bytes(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err(format!("`{text}` is no size; expected a number of bytes from 1")),
        Ok(bytes) => Ok(bytes),
    }
}

/// Addresses of networks, such as `10.0.0.0/8,192.0.2.1`.
#[derive(Clone, Debug)]
pub struct Networks(Arc<[IpNet]>);

impl Networks {
    /// True if one of them holds this address.
    pub fn contain(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|net| net.contains(&address))
    }
}

impl FromStr for Networks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let network = |text: &str| {
            let alone = |_| text.parse::<IpAddr>().map(IpNet::from);
            text.parse().or_else(alone).map_err(|_| {
                format!("`{text}` is no network; expected one such as 10.0.0.0/8 or 192.0.2.1")
            })
        };
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(network).collect::<Result<_, _>>().map(Self)
    }
}

/// Origins of web pages that may call (CORS).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origins {
    /// Any, without credentials.
    Any,
    /// These; none if there are none.
    Listed(Vec<HeaderValue>),
}

impl FromStr for Origins {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let origin = |text: &str| {
            let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
            let is_origin =
                rest.is_some_and(|host| !host.is_empty() && !host.contains(['/', '*', ' ']));
            let value = HeaderValue::from_str(text).ok().filter(|_| is_origin);
            value.ok_or_else(|| {
                format!("`{text}` is no origin; expected `*`, `none`, or some such as https://example.org")
            })
        };
        match text {
            "*" => Ok(Self::Any),
            "none" => Ok(Self::Listed(Vec::new())),
            list => list
                .split(',')
                .map(str::trim)
                .map(origin)
                .collect::<Result<_, _>>()
                .map(Self::Listed),
        }
    }
}

/// A name of an installation at a queue: a word of subjects and streams.
pub(super) fn queue_name(text: &str) -> Result<String, String> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if (1..=32).contains(&text.len()) && text.bytes().all(is_word) {
        Ok(text.to_owned())
    } else {
        Err("expected 1 to 32 letters, digits, `-` or `_`".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_names_with_ports_paths_or_sockets_handed_over() {
        for text in ["127.0.0.1:8080", "localhost:0", "[::1]:80", "unix:/run/b.sock", "systemd"] {
            let read: ListenAddress = text.parse().expect("an address");
            assert_eq!(read.to_string(), text);
        }
        for text in ["8080", ":8080", "localhost", "localhost:65536", "unix:", "::1"] {
            let why = text.parse::<ListenAddress>().expect_err(text);
            assert!(why.contains("expected one such as"), "{why}");
        }
    }

    #[test]
    fn a_service_listens_somewhere() {
        assert!(some_addresses("none").expect_err("nowhere").contains("listens somewhere"));
        assert!(some_addresses("127.0.0.1:0, unix:/run/a.sock").is_ok());
        assert!(some_addresses("8080").is_err());
    }

    #[test]
    fn a_size_is_not_nothing() {
        assert_eq!(some_bytes("1"), Ok(1));
        for text in ["0", "", "-1", "64k"] {
            assert!(some_bytes(text).expect_err(text).contains("from 1"), "{text}");
        }
    }

    #[test]
    fn a_queue_has_the_name_of_a_stream() {
        assert_eq!(queue_name("games-2_eu"), Ok("games-2_eu".into()));
        for text in ["", "a.b", "a b", "*", "é", &"a".repeat(33)] {
            assert!(queue_name(text).is_err(), "{text}");
        }
    }

    #[test]
    fn origins_are_any_none_or_a_list() {
        assert_eq!("*".parse(), Ok(Origins::Any));
        assert_eq!("none".parse(), Ok(Origins::Listed(Vec::new())));
        let two = ["https://example.org", "http://localhost:3000"];
        assert_eq!(
            two.join(", ").parse(),
            Ok(Origins::Listed(two.map(HeaderValue::from_static).into()))
        );
        for text in ["", "example.org", "https://", "https://example.org/", "https://*"] {
            assert!(text.parse::<Origins>().is_err(), "{text}");
        }
    }
}
