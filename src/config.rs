//! Every setting: its flag, its environment variable, its unit, range and default, in one struct.

use std::net::SocketAddr;
use std::time::Duration;

use clap::Args;

use crate::catalog::{Allowance, Catalog};
use crate::service::ServiceConfig;
use crate::wire::Fault;

/// Settings of `bestmove serve`.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Address and port to listen on
    #[arg(long, env = "BESTMOVE_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDR")]
    pub listen: SocketAddr,

    /// Search threads at a time; 0 = the number of cores
    #[arg(long, env = "BESTMOVE_SLOTS", default_value_t = 0, value_name = "COUNT")]
    pub slots: usize,

    /// Longest predicted wait for a slot before a request is refused, in ms
    #[arg(long, env = "BESTMOVE_MAX_WAIT_MS", default_value_t = 1_000, value_name = "MS")]
    pub max_wait_ms: u64,

    /// Thinking time where a request names no limit that applies, in ms
    #[arg(long, env = "BESTMOVE_DEFAULT_TIME_MS", default_value_t = 1_000, value_name = "MS",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub default_time_ms: u64,

    /// Most thinking time of a request, in ms
    #[arg(long, env = "BESTMOVE_MAX_TIME_MS", default_value_t = 60_000, value_name = "MS",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub max_time_ms: u64,

    /// Entries of the table that searches share, about 36 bytes each
    #[arg(long, env = "BESTMOVE_TABLE_ENTRIES", default_value_t = 1_000_000, value_name = "COUNT")]
    pub table_entries: usize,

    /// Nice value of search threads, 0 (as the server) to 19
    #[arg(long, env = "BESTMOVE_SEARCH_NICE", default_value_t = 10, value_name = "NICE",
          value_parser = clap::value_parser!(i32).range(0..=19))]
    pub search_nice: i32,

    /// Largest request body, in bytes
    #[arg(long, env = "BESTMOVE_MAX_BODY_BYTES", default_value_t = 65_536, value_name = "BYTES")]
    pub max_body_bytes: usize,

    /// Time a client has to send headers, and again to send the body, in ms
    #[arg(long, env = "BESTMOVE_READ_TIMEOUT_MS", default_value_t = 10_000, value_name = "MS",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub read_timeout_ms: u64,

    /// After SIGTERM: time in which requests are still accepted while /readyz says no, in ms
    #[arg(long, env = "BESTMOVE_DRAIN_MS", default_value_t = 0, value_name = "MS")]
    pub drain_ms: u64,

    /// After that: time for open requests to end before the process does, in ms
    #[arg(long, env = "BESTMOVE_SHUTDOWN_MS", default_value_t = 5_000, value_name = "MS")]
    pub shutdown_ms: u64,

    /// What was measured of games.
    #[command(flatten)]
    pub calibrations: Calibrations,

    /// What to log, as in RUST_LOG: error, warn, info, debug, or module=level
    #[arg(long, env = "BESTMOVE_LOG", default_value = "info", value_name = "FILTER")]
    pub log: String,

    /// How to log
    #[arg(long, env = "BESTMOVE_LOG_FORMAT", default_value = "text", value_name = "FORMAT")]
    pub log_format: LogFormat,
}

/// What was measured of games, for whatever plays them.
#[derive(Args, Clone, Debug)]
pub struct Calibrations {
    /// Files that `bestmove calibrate --write` has written, one a game, separated by commas: its razor,
    /// self-loss, ProbCut and win probabilities go by them
    #[arg(
        long = "calibration",
        env = "BESTMOVE_CALIBRATION",
        default_value = "",
        value_name = "FILES"
    )]
    pub files: String,
}

impl Calibrations {
    /// The games, as far as they are calibrated so.
    ///
    /// # Errors
    /// Says which file is wrong, where, and what would be right.
    pub fn catalog(&self) -> Result<Catalog, String> {
        let mut catalog = Catalog::default();
        for path in self.files.split(',').map(str::trim).filter(|path| !path.is_empty()) {
            let text = std::fs::read_to_string(path)
                .map_err(|why| format!("calibration {path}: {why}"))?;
            let file = serde_json::from_str(&text)
                .map_err(|why| format!("calibration {path}: it is not JSON: {why}"))?;
            catalog.calibrate(&file).map_err(|Fault { pointer, detail, .. }| {
                format!("calibration {path}#{pointer}: {detail}")
            })?;
        }
        Ok(catalog)
    }
}

/// The form of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// A JSON object a line.
    Json,
}

impl Config {
    /// Search threads at a time.
    fn slots(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        if self.slots == 0 { cores() } else { self.slots }
    }

    /// What concerns the service.
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
