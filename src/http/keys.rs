//! Keys of clients: a file of their digests, with the quota of each.
//!
//! ```toml
//! anonymous = "trial"                 # optional: the tier of those without a key; without it they are refused
//!
//! [tiers.trial]
//! rate = 1.0                          # requests a second
//! burst = 10                          # requests at once after a pause
//! concurrency = 2                     # requests being answered at a time
//! longest_ms = 1000                   # longest search
//!
//! [keys.chess-club]
//! tier = "trial"
//! sha256 = "9f86d08188…"              # of the key: printf %s "$KEY" | sha256sum
//! ```

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use serde::Deserialize;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::client::ClientCounts;
use super::quota::RateLimiter;
use crate::service::Client;

/// What a tier allows each of its clients.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tier {
    /// Requests a second in the long run.
    pub(super) rate: f64,
    /// Requests at once after a pause.
    pub(super) burst: NonZeroU32,
    /// Requests being answered at a time.
    pub(super) concurrency: usize,
    /// Longest search, in ms.
    pub(super) longest_ms: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    anonymous: Option<String>,
    tiers: BTreeMap<String, Tier>,
    #[serde(default)]
    keys: BTreeMap<String, KeyEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyEntry {
    tier: String,
    sha256: String,
}

/// A tier with what its clients have used of it.
pub(super) struct TierState {
    pub(super) name: String,
    pub(super) tier: Tier,
    pub(super) limiter: RateLimiter,
}

/// Digest of a key, SHA-256. Keys are long and random: a slow hash would protect nothing more.
type KeyDigest = [u8; 32];

/// The keys of a file.
struct Keys {
    anonymous: Option<Arc<TierState>>,
    keys: Vec<(KeyDigest, Arc<TierState>)>,
}

/// The keys in force, and the requests being answered for each client.
pub(super) struct KeyStore {
    path: PathBuf,
    current: RwLock<Arc<Keys>>,
    /// Requests being answered.
    pub(super) open: Arc<ClientCounts>,
}

/// Why a client has no quota.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoQuota {
    /// A key is missing.
    Missing,
    /// Nobody has this key.
    Unknown,
}

impl KeyStore {
    /// Reads the keys of a file.
    ///
    /// # Errors
    /// When the file cannot be read, or says something else.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let current = RwLock::new(Arc::new(Keys::read(path)?));
        Ok(Self { path: path.to_owned(), current, open: Arc::default() })
    }

    /// Reads the file again. Who has used up a quota has it whole again.
    ///
    /// # Errors
    /// As [`Self::open`]; the keys stay as they were.
    pub(super) fn reload(&self) -> io::Result<()> {
        let keys = Arc::new(Keys::read(&self.path)?);
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = keys;
        Ok(())
    }

    /// The client that presents this key, and its tier; `address` is the client without one.
    ///
    /// # Errors
    /// When there is no quota.
    pub(super) fn find(
        &self,
        presented: Option<&str>,
        address: Client,
    ) -> Result<(Client, Arc<TierState>), NoQuota> {
        let keys = self.current.read().unwrap_or_else(PoisonError::into_inner).clone();
        match presented {
            Some(key) => keys.holder(key).ok_or(NoQuota::Unknown),
            None => keys.anonymous.clone().map(|tier| (address, tier)).ok_or(NoQuota::Missing),
        }
    }
}

impl Keys {
    fn read(path: &Path) -> io::Result<Self> {
        let named = |why: &dyn std::fmt::Display| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{}: {why}", path.display()))
        };
        let text = std::fs::read_to_string(path).map_err(|why| named(&why))?;
        Self::parse(&text).map_err(|why| named(&why))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let file: KeyFile = toml::from_str(text).map_err(|why| why.to_string())?;
        let state = |(name, tier): (String, Tier)| {
            // Within these the time to fill a bucket can be counted in nanoseconds.
            if !(0.0001..=1e6).contains(&tier.rate) || tier.burst.get() > 1_000_000 {
                return Err(format!(
                    "tiers.{name}: rate must be from 0.0001 to 1000000, burst from 1 to 1000000"
                ));
            }
            if tier.concurrency == 0 || tier.longest_ms == 0 {
                return Err(format!("tiers.{name}: concurrency and longest_ms must be at least 1"));
            }
            let every = Duration::from_secs_f64(1.0 / tier.rate);
            let limiter = RateLimiter::new(every, tier.burst);
            Ok((name.clone(), Arc::new(TierState { name, tier, limiter })))
        };
        let tiers: BTreeMap<_, _> = file.tiers.into_iter().map(state).collect::<Result<_, _>>()?;
        let tier = |name: &String, of: &str| {
            let known: Vec<_> = tiers.keys().map(String::as_str).collect();
            let unknown = || {
                format!("{of} is of tier `{name}`, which is not there; tiers: {}", known.join(", "))
            };
            tiers.get(name).cloned().ok_or_else(unknown)
        };
        let anonymous = file.anonymous.as_ref().map(|name| tier(name, "anonymous")).transpose()?;
        let key = |(name, entry): (&String, &KeyEntry)| {
            let digest = digest_of_hex(&entry.sha256)
                .ok_or_else(|| format!("keys.{name}.sha256 must be 64 hexadecimal digits"))?;
            tier(&entry.tier, &format!("keys.{name}")).map(|tier| (digest, tier))
        };
        let keys = file.keys.iter().map(key).collect::<Result<_, _>>()?;
        Ok(Self { anonymous, keys })
    }

    /// Who has this key; compared with all, each in constant time.
    fn holder(&self, key: &str) -> Option<(Client, Arc<TierState>)> {
        let digest: KeyDigest = Sha256::digest(key).into();
        let mut holder = None;
        for (known, tier) in &self.keys {
            if bool::from(known.ct_eq(&digest)) {
                holder = Some(tier);
            }
        }
        let id = u64::from_be_bytes(digest[..8].try_into().expect("eight bytes"));
        holder.map(|tier| (Client::Key(id), Arc::clone(tier)))
    }
}

fn digest_of_hex(text: &str) -> Option<KeyDigest> {
    let mut digest = KeyDigest::default();
    let is_hex = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hex {
        return None;
    }
    for (byte, place) in digest.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&text[place..place + 2], 16).ok()?;
    }
    Some(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIER: &str = "[tiers.trial]\nrate = 1.0\nburst = 2\nconcurrency = 1\nlongest_ms = 100\n";
    /// SHA-256 of `test`.
    const DIGEST: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    fn store(text: &str) -> KeyStore {
        let keys = Keys::parse(text).expect("keys");
        let current = RwLock::new(Arc::new(keys));
        KeyStore { path: PathBuf::new(), current, open: Arc::default() }
    }

    fn address() -> Client {
        std::net::IpAddr::from([192, 0, 2, 1]).into()
    }

    #[test]
    fn a_key_is_found_by_its_digest_and_without_one_the_address_counts() {
        let key = format!("[keys.club]\ntier = \"trial\"\nsha256 = \"{DIGEST}\"\n");
        let closed = store(&format!("{TIER}{key}"));
        let (client, tier) =
            closed.find(Some("test"), address()).unwrap_or_else(|why| panic!("{why:?}"));
        assert_eq!((client, &*tier.name), (Client::Key(0x9f86_d081_884c_7d65), "trial"));
        assert_eq!(closed.find(Some("tesT"), address()).err(), Some(NoQuota::Unknown));
        assert_eq!(closed.find(None, address()).err(), Some(NoQuota::Missing));
        let open = store(&format!("anonymous = \"trial\"\n{TIER}{key}"));
        assert_eq!(open.find(None, address()).map(|found| found.0), Ok(address()));
        assert_eq!(open.find(Some(""), address()).err(), Some(NoQuota::Unknown));
    }

    #[test]
    fn the_slowest_and_largest_tier_can_be_counted() {
        let tier = TIER.replace("1.0", "0.0001").replace("burst = 2", "burst = 1000000");
        let (client, tier) = store(&format!("anonymous = \"trial\"\n{tier}"))
            .find(None, address())
            .unwrap_or_else(|why| panic!("{why:?}"));
        assert_eq!(tier.limiter.count(client, NonZeroU32::MIN), Ok(999_999));
    }

    #[test]
    fn what_is_wrong_in_a_file_is_said() {
        for (text, why) in [
            ("[tiers.a]\nrate = 1", "missing field"),
            (&*TIER.replace("1.0", "0"), "tiers.trial: rate must be from"),
            (&*TIER.replace("1.0", "1e-300"), "tiers.trial: rate must be from"),
            (&*TIER.replace("burst = 2", "burst = 2000000"), "burst from 1 to 1000000"),
            (&*TIER.replace("burst = 2", "burst = 0"), "burst"),
            (&*TIER.replace("concurrency = 1", "concurrency = 0"), "must be at least 1"),
            (&*format!("{TIER}anonymous = 1"), "anonymous"),
            (&*format!("anonymous = \"gold\"\n{TIER}"), "`gold`, which is not there; tiers: trial"),
            (&*format!("{TIER}[keys.a]\ntier=\"trial\"\nsha256=\"12\""), "64 hexadecimal digits"),
        ] {
            let said = Keys::parse(text).err().unwrap_or_else(|| panic!("{text}"));
            assert!(said.contains(why), "{said}");
        }
    }
}
