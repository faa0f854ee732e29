//! All settings in one struct: flag, environment variable, unit, range and default.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ipnet::IpNet;

use crate::service::ServiceConfig;
use catalog::{Allowance, Calibrations};

/// Settings of `bestmove serve`.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Address and port to listen on
    #[arg(long, env = "BESTMOVE_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDR")]
    pub listen: SocketAddr,

    /// Concurrent threads of short searches, and again of long ones; 0 = number of cores
    #[arg(long, env = "BESTMOVE_SLOTS", default_value_t = 0, value_name = "COUNT",
          value_parser = clap::value_parser!(u16))]
    pub slots: u16,

    /// Longest expected duration of a short search, in ms; longer ones have slots of their own and the lowest priority
    #[arg(long, env = "BESTMOVE_SHORT_MS", default_value_t = 1_000, value_name = "MS")]
    pub short_ms: u64,

    /// Under load searches get less time, at least their budget divided by this; 1 = all of it
    #[arg(long, env = "BESTMOVE_SHRINK_BUDGETS", default_value_t = 1, value_name = "DIVISOR",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub shrink_budgets: u32,

    /// Longest wait for a slot, in ms; a request that would wait longer, or twice its budget, is refused
    #[arg(long, env = "BESTMOVE_MAX_WAIT_MS", default_value_t = 1_000, value_name = "MS")]
    pub max_wait_ms: u64,

    /// Thinking time of a request without an applicable limit, in ms
    #[arg(long, env = "BESTMOVE_DEFAULT_TIME_MS", default_value_t = 1_000, value_name = "MS",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub default_time_ms: u64,

    /// Maximum thinking time of a request, in ms
    #[arg(long, env = "BESTMOVE_MAX_TIME_MS", default_value_t = 60_000, value_name = "MS",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub max_time_ms: u64,

    /// Entries of the transposition table shared by all searches, about 36 bytes each
    #[arg(long, env = "BESTMOVE_TABLE_ENTRIES", default_value_t = 1_000_000, value_name = "COUNT")]
    pub table_entries: usize,

    /// Nice value of search threads, 0 (as the server) to 19
    #[arg(long, env = "BESTMOVE_SEARCH_NICE", default_value_t = 10, value_name = "NICE",
          value_parser = clap::value_parser!(i32).range(0..=19))]
    pub search_nice: i32,

    /// Maximum size of a request body, in bytes
    #[arg(long, env = "BESTMOVE_MAX_BODY_BYTES", default_value_t = 65_536, value_name = "BYTES")]
    pub max_body_bytes: usize,

    /// Time for a client to send the headers, and again to send the body, in ms
    #[arg(long, env = "BESTMOVE_READ_TIMEOUT_MS", default_value_t = 10_000, value_name = "MS",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub read_timeout_ms: u64,

    /// Most open connections; 0 = as many as there are descriptors of files but 64, at most 20,000
    #[arg(long, env = "BESTMOVE_MAX_CONNECTIONS", default_value_t = 0, value_name = "COUNT")]
    pub max_connections: usize,

    /// Most open connections of one client, trusted proxies excepted; 0 = a quarter of all
    #[arg(
        long,
        env = "BESTMOVE_MAX_CLIENT_CONNECTIONS",
        default_value_t = 0,
        value_name = "COUNT"
    )]
    pub max_client_connections: usize,

    /// Proxies whose X-Forwarded-For names the client: addresses of networks, separated by commas
    #[arg(long, env = "BESTMOVE_TRUSTED_PROXIES", default_value = "", value_name = "NETS")]
    pub trusted_proxies: Networks,

    /// Time after SIGTERM in which requests are still accepted while /readyz says no, in ms
    #[arg(long, env = "BESTMOVE_DRAIN_MS", default_value_t = 0, value_name = "MS")]
    pub drain_ms: u64,

    /// Time after that for open requests to end before the process does, in ms
    #[arg(long, env = "BESTMOVE_SHUTDOWN_MS", default_value_t = 5_000, value_name = "MS")]
    pub shutdown_ms: u64,

    /// Calibrations of games.
    #[command(flatten)]
    pub calibrations: Calibrations,

    /// Log filter, as in RUST_LOG: error, warn, info, debug, or module=level
    #[arg(long, env = "BESTMOVE_LOG", default_value = "info", value_name = "FILTER")]
    pub log: String,

    /// Log format
    #[arg(long, env = "BESTMOVE_LOG_FORMAT", default_value = "text", value_name = "FORMAT")]
    pub log_format: LogFormat,
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

/// Format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Human-readable text.
    Text,
    /// One JSON object per line.
    Json,
}

impl Config {
    /// Number of concurrent search threads.
    fn slots(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        if self.slots == 0 { cores() } else { self.slots.into() }
    }

    /// Time for a client to send the head of a request, and again its body.
    pub fn read_timeout(&self) -> Duration {
        Duration::from_millis(self.read_timeout_ms)
    }

    /// Settings of the service.
    pub fn service(&self) -> ServiceConfig {
        ServiceConfig {
            slots: self.slots(),
            max_wait: Duration::from_millis(self.max_wait_ms),
            short: Duration::from_millis(self.short_ms),
            shrink: self.shrink_budgets,
            table_entries: self.table_entries,
            allowance: Allowance {
                default_time: Duration::from_millis(self.default_time_ms.min(self.max_time_ms)),
                max_time: Duration::from_millis(self.max_time_ms),
                max_threads: self.slots() as u64,
            },
            nice: self.search_nice,
        }
    }
}
