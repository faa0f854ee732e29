//! All settings in one struct: flag, environment variable, unit, range and default.

mod kept;
mod memory;
mod values;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::service::{KeptAnswers, ServiceConfig};
use catalog::{Allowance, Calibrations};
use memory::LEAST_SEARCH_MIB;
pub use memory::MemoryShares;
pub use values::{ListenAddress, ListenAddresses, Networks, Origins};

/// Settings of `bestmove serve`.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Where to listen, separated by commas: host:port, unix:PATH, or systemd for sockets handed over
    #[arg(long, env = "BESTMOVE_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRS",
          value_parser = values::some_addresses)]
    pub listen: ListenAddresses,

    /// Where a thread of its own answers /healthz, /livez, /readyz and /metrics, and nothing else
    #[arg(long, env = "BESTMOVE_PROBE_LISTEN", default_value = "none", value_name = "ADDRS")]
    pub probe_listen: ListenAddresses,

    /// Certificate chain in PEM: all addresses of --listen speak TLS; read again on SIGHUP [default: none]
    #[arg(long, env = "BESTMOVE_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,

    /// Private key in PEM of the certificate [default: none]
    #[arg(long, env = "BESTMOVE_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,

    /// Keys of clients with their quotas, in TOML; read again on SIGHUP [default: none]
    #[arg(long, env = "BESTMOVE_KEYS", value_name = "FILE")]
    pub keys: Option<PathBuf>,

    /// Origins of web pages that may call: `*` for any without credentials, a list, or none
    #[arg(long, env = "BESTMOVE_CORS_ORIGINS", default_value = "*", value_name = "ORIGINS")]
    pub cors_origins: Origins,

    /// Web pages from public networks may call a service in a private one
    #[arg(long, env = "BESTMOVE_CORS_PRIVATE_NETWORK", default_value_t = false, value_name = "BOOL",
          action = clap::ArgAction::Set)]
    pub cors_private_network: bool,

    /// Concurrent threads of short searches, and again of long ones; 0 = number of cores
    #[arg(long, env = "BESTMOVE_SLOTS", default_value_t = 0, value_name = "COUNT",
          value_parser = clap::value_parser!(u16))]
    pub slots: u16,

    /// Longest expected duration of a short search, in ms; longer ones have slots of their own and the lowest
    /// priority, and run at least so long where clients outnumber slots
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

    /// Maximum thinking time of a request that limits depth, nodes or simulations alone, in ms; 0 = that of all
    #[arg(long, env = "BESTMOVE_MAX_UNTIMED_MS", default_value_t = 0, value_name = "MS")]
    pub max_untimed_ms: u64,

    /// Entries of the transposition table shared by all searches, about 36 bytes each
    #[arg(long, env = "BESTMOVE_TABLE_ENTRIES", default_value_t = 1_000_000, value_name = "COUNT")]
    pub table_entries: usize,

    /// Memory of the whole process, in MiB; searches are given no more than is left; 0 = that of the container, else half
    /// of the machine's
    #[arg(long, env = "BESTMOVE_MEMORY_MIB", default_value_t = 0, value_name = "MIB")]
    pub memory_mib: u64,

    /// Most memory that options of a search may name for each of its threads (tree_mib, table_mib, max_states), in MiB,
    /// at least 4; 0 = its share of the memory
    #[arg(long, env = "BESTMOVE_MAX_SEARCH_MIB", default_value_t = 0, value_name = "MIB")]
    pub max_search_mib: u64,

    /// Most rated moves in an answer
    #[arg(long, env = "BESTMOVE_MAX_RATINGS", default_value_t = 1_000, value_name = "COUNT",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_ratings: u32,

    /// Most threads of a search; 0 = one a slot
    #[arg(long, env = "BESTMOVE_MAX_THREADS", default_value_t = 0, value_name = "COUNT")]
    pub max_threads: u16,

    /// Most worlds that a search draws where something is hidden
    #[arg(long, env = "BESTMOVE_MAX_WORLDS", default_value_t = 256, value_name = "COUNT",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_worlds: u32,

    /// Nice value of search threads, 0 (as the server) to 19
    #[arg(long, env = "BESTMOVE_SEARCH_NICE", default_value_t = 10, value_name = "NICE",
          value_parser = clap::value_parser!(i32).range(0..=19))]
    pub search_nice: i32,

    /// Maximum size of a request body, in bytes
    #[arg(long, env = "BESTMOVE_MAX_BODY_BYTES", default_value_t = 65_536, value_name = "BYTES",
          value_parser = values::some_bytes)]
    pub max_body_bytes: usize,

    /// Time for a client to send the headers, and again to send the body, in ms
    #[arg(long, env = "BESTMOVE_READ_TIMEOUT_MS", default_value_t = 10_000, value_name = "MS",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub read_timeout_ms: u64,

    /// Most open connections; 0 = as many as there are descriptors of files but 96, and as a sixteenth of the memory holds
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

    /// What this process does of it all
    #[arg(long, env = "BESTMOVE_ROLE", default_value = "all", value_name = "ROLE")]
    pub role: Role,

    /// Folder where jobs are kept, so that they outlast the process and other processes share them; without it memory
    /// keeps them [default: none]
    #[arg(long, env = "BESTMOVE_DATA", value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// Servers of NATS where jobs are kept for processes on several machines, as nats://host:4222, separated by commas
    /// [default: none]
    #[arg(long, env = "BESTMOVE_QUEUE", value_name = "URLS", conflicts_with = "data")]
    pub queue: Option<String>,

    /// Name of this installation at those servers: its streams begin with it
    #[arg(long, env = "BESTMOVE_QUEUE_NAME", default_value = "bestmove", value_name = "NAME",
          value_parser = values::queue_name)]
    pub queue_name: String,

    /// Copies that a cluster of those servers keeps of each job, 1 to 5
    #[arg(long, env = "BESTMOVE_QUEUE_REPLICAS", default_value_t = 1, value_name = "COUNT",
          value_parser = clap::value_parser!(u8).range(1..=5))]
    pub queue_replicas: u8,

    /// Answers that are kept there, and not searched again
    #[arg(long, env = "BESTMOVE_KNOWN_ANSWERS", default_value = "exact", value_name = "WHICH")]
    pub known_answers: KeptAnswers,

    /// Most that the folder, or each of the streams of the queue, holds, in MiB; no job is taken beyond it
    #[arg(long, env = "BESTMOVE_MAX_DATA_MIB", default_value_t = 4_096, value_name = "MIB",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_data_mib: u32,

    /// Most open jobs of a client
    #[arg(long, env = "BESTMOVE_MAX_JOBS", default_value_t = 100, value_name = "COUNT")]
    pub max_jobs: u32,

    /// Time for which jobs are kept when they are over, in hours
    #[arg(long, env = "BESTMOVE_KEEP_JOBS_H", default_value_t = 168, value_name = "HOURS")]
    pub keep_jobs_h: u32,

    /// Time after which a piece of a job whose worker gives no sign of life is another's, in ms
    #[arg(long, env = "BESTMOVE_LEASE_MS", default_value_t = 10_000, value_name = "MS",
          value_parser = clap::value_parser!(u64).range(300..))]
    pub lease_ms: u64,

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

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Role {
    /// It answers requests, and works on jobs in idle slots.
    All,
    /// It answers requests, and takes jobs for others to work on.
    Api,
    /// It works on the jobs of others, and answers probes only.
    Worker,
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

    /// Most threads of a search: no more than there are slots.
    fn max_threads(&self) -> usize {
        let slots = self.slots();
        if self.max_threads == 0 { slots } else { slots.min(self.max_threads.into()) }
    }

    /// Time for a client to send the head of a request, and again its body.
    pub fn read_timeout(&self) -> Duration {
        Duration::from_millis(self.read_timeout_ms)
    }

    /// Time after which a silent worker has lost its piece.
    pub fn lease(&self) -> Duration {
        Duration::from_millis(self.lease_ms)
    }

    /// How the memory is divided.
    ///
    /// # Errors
    /// When it does not suffice.
    pub fn memory(&self) -> Result<MemoryShares, String> {
        let total = if self.memory_mib == 0 { memory::available() } else { self.memory_mib << 20 };
        MemoryShares::of(total, self.table_entries, self.slots())
    }

    /// Limits of a question.
    ///
    /// # Errors
    /// When the memory does not suffice.
    fn allowance(&self) -> Result<Allowance, String> {
        let share = self.memory()?.each_thread;
        if (1..LEAST_SEARCH_MIB).contains(&self.max_search_mib) {
            return Err(format!("--max-search-mib is 0 or at least {LEAST_SEARCH_MIB}"));
        }
        let set = |value: u64, otherwise: u64| if value == 0 { otherwise } else { value };
        let max_untimed_ms = set(self.max_untimed_ms, self.max_time_ms).min(self.max_time_ms);
        Ok(Allowance {
            default_time: Duration::from_millis(self.default_time_ms.min(self.max_time_ms)),
            max_time: Duration::from_millis(self.max_time_ms),
            max_untimed: Duration::from_millis(max_untimed_ms),
            max_threads: self.max_threads() as u64,
            memory: set(self.max_search_mib.saturating_mul(1 << 20), share).min(share),
            max_ratings: self.max_ratings as usize,
            max_worlds: self.max_worlds.into(),
        })
    }

    /// Settings of the service.
    ///
    /// # Errors
    /// When the memory does not suffice.
    pub fn service(&self) -> Result<ServiceConfig, String> {
        Ok(ServiceConfig {
            slots: self.slots(),
            max_wait: Duration::from_millis(self.max_wait_ms),
            short: Duration::from_millis(self.short_ms),
            shrink: self.shrink_budgets,
            table_entries: self.table_entries,
            allowance: self.allowance()?,
            nice: self.search_nice,
        })
    }
}
