//! All settings in one struct: flag, environment variable, unit, range and default.

use std::net::SocketAddr;
use std::time::Duration;

use clap::Args;

use crate::service::ServiceConfig;
use catalog::{Allowance, Calibrations};

/// Settings of `bestmove serve`.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Address and port to listen on
    #[arg(long, env = "BESTMOVE_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDR")]
    pub listen: SocketAddr,

    /// Concurrent search threads; 0 = number of cores
    #[arg(long, env = "BESTMOVE_SLOTS", default_value_t = 0, value_name = "COUNT")]
    pub slots: usize,

    /// Longest predicted wait for a slot before a request is refused, in ms
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
        if self.slots == 0 { cores() } else { self.slots }
    }

    /// Settings of the service.
    pub fn service(&self) -> ServiceConfig {
        ServiceConfig {
            slots: self.slots(),
            max_wait: Duration::from_millis(self.max_wait_ms),
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
