//! The log: lines on standard error. A thread of its own writes them, many at a time, so that no request waits for
//! their reader.
//!
//! `tracing-appender` wakes its thread for every line: a trivial request costs more with it than without.

mod json;

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use tracing::field::display;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt, registry};

use crate::config::{Config, LogFormat};
#[cfg(feature = "otlp")]
use crate::otlp;
use json::JsonLines;

/// Time in which lines are gathered: nobody reads faster, and the thread wakes seldom. Not tuned.
const GATHERING: Duration = Duration::from_millis(20);
/// Longest time for the reader to take the last lines: the process has to end. Not tuned.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// Bytes kept while the reader is slow, beside as many that are being written; lines beyond are lost.
const MOST_KEPT: usize = 4 << 20;

static LOG: Log = Log { unwritten: Mutex::new(Unwritten::NOTHING), some: Condvar::new() };

/// Where events are written to.
#[derive(Debug)]
struct Log {
    unwritten: Mutex<Unwritten>,
    /// There is something unwritten.
    some: Condvar,
}

/// Lines on their way.
#[derive(Debug)]
struct Unwritten {
    text: Vec<u8>,
    /// Lines that found no room.
    lost: u64,
}

impl Unwritten {
    const NOTHING: Self = Self { text: Vec::new(), lost: 0 };

    fn keep(&mut self, line: &[u8]) {
        if self.text.len() + line.len() > MOST_KEPT {
            self.lost += 1;
        } else {
            self.text.extend_from_slice(line);
        }
    }
}

impl Log {
    fn lock(&self) -> MutexGuard<'_, Unwritten> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes lines as long as the process lives.
    fn write_on(&self) {
        loop {
            let some = self.some.wait_while(self.lock(), |unwritten| unwritten.text.is_empty());
            drop(some.unwrap_or_else(PoisonError::into_inner));
            std::thread::sleep(GATHERING);
            self.write_to(io::stderr().lock());
        }
    }

    /// Writes what has come to an output that nobody else writes to meanwhile.
    fn write_to(&self, mut out: impl Write) {
        let Unwritten { text, lost } = std::mem::replace(&mut *self.lock(), Unwritten::NOTHING);
        if lost > 0 {
            // While there is room for it.
            tracing::warn!(lost, "lines of the log are lost: its reader is too slow");
        }
        // Without a reader there is nobody to tell.
        let _ = out.write_all(&text);
    }
}

/// Takes a line.
impl Write for &Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut unwritten = self.lock();
        let is_first = unwritten.text.is_empty();
        unwritten.keep(line);
        drop(unwritten);
        if is_first {
            self.some.notify_one();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Begins to log. [`finish`] has to be called before the process ends.
///
/// # Errors
/// When the filter or the address of a collector is wrong, or the system refuses a thread.
pub fn start(config: &Config) -> Result<(), String> {
    let filter = EnvFilter::try_new(&config.log);
    let filter = filter.map_err(|why| format!("--log {}: {why}", config.log))?;
    let lines = fmt::layer().with_writer(|| &LOG).with_ansi(io::stderr().is_terminal());
    let lines = match config.log_format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.event_format(JsonLines).boxed(),
    };
    let subscriber = registry().with(lines.with_filter(filter));
    #[cfg(feature = "otlp")]
    let subscriber = subscriber.with(otlp::layer()?);
    subscriber.init();
    // Rust's own hook waits for the reader of standard error.
    std::panic::set_hook(Box::new(|panic| {
        let trace = Backtrace::capture();
        let trace = (trace.status() == BacktraceStatus::Captured).then(|| display(&trace));
        let thread = std::thread::current();
        tracing::error!(thread = thread.name(), %panic, trace, "a thread has panicked");
    }));
    let thread = std::thread::Builder::new().name("log".into()).spawn(|| LOG.write_on());
    thread.map(drop).map_err(|why| format!("no thread for the log: {why}"))
}

/// Writes what is left, if its reader takes it in time.
pub fn finish() {
    let (tell, told) = mpsc::channel();
    let write = move || {
        // Held: lines that are being written come first.
        let mut out = io::stderr().lock();
        while !LOG.lock().text.is_empty() {
            LOG.write_to(&mut out);
        }
        tell.send(())
    };
    // Without a thread, or in time, nothing more can be done.
    if std::thread::Builder::new().spawn(write).is_ok() {
        let _ = told.recv_timeout(LAST_WORDS);
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::thread;

    use clap::Parser;
    use serde_json::Value;

    use super::*;

    /// Tells a copy of the test program to log and to panic.
    const PANIC: &str = "BESTMOVE_TEST_PANIC";

    #[derive(Parser)]
    struct Flags {
        #[command(flatten)]
        config: Config,
    }

    #[test]
    fn a_panic_is_an_entry_of_the_log() {
        if std::env::var_os(PANIC).is_some() {
            let Flags { config } = Flags::parse_from(["bestmove", "--log-format", "json"]);
            start(&config).expect("it starts");
            let unlucky = thread::Builder::new().name("unlucky".into()).spawn(|| panic!("as told"));
            assert!(unlucky.expect("a thread").join().is_err());
            return finish();
        }
        let mut copy = Command::new(std::env::current_exe().expect("this program has a path"));
        copy.args(["--exact", "log::tests::a_panic_is_an_entry_of_the_log"]).env(PANIC, "1");
        let output = copy.output().expect("it runs");
        let text = String::from_utf8(output.stderr).expect("the log is text");
        let mut entries = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let entry = entries.find(|entry| entry["level"] == "ERROR").expect("an error");
        assert_eq!(entry["fields"]["thread"], "unlucky");
        let told = entry["fields"]["panic"].as_str().expect("what the panic says");
        assert!(told.contains("src/log/mod.rs") && told.contains("as told"), "{told}");
    }

    #[test]
    fn lines_come_whole_and_once_and_what_finds_no_room_is_counted() {
        let log = Log { unwritten: Mutex::new(Unwritten::NOTHING), some: Condvar::new() };
        let mut out = Vec::new();
        for line in ["one\n", "two\n"] {
            (&log).write_all(line.as_bytes()).expect("it is taken");
        }
        log.write_to(&mut out);
        log.write_to(&mut out);
        assert_eq!(out, b"one\ntwo\n");
        let long = vec![b'-'; MOST_KEPT / 2];
        (0..4).for_each(|_| (&log).write_all(&long).expect("it is taken, if only to be lost"));
        assert_eq!(log.lock().lost, 2);
        log.write_to(&mut out);
        assert_eq!(out.len(), "one\ntwo\n".len() + MOST_KEPT);
        assert_eq!(log.lock().lost, 0);
    }
}
