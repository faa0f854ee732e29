//! How far a long command is, on standard error: a bar on a terminal, else a line now and then.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Time between two lines where there is no terminal. Not tuned.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// A command at work.
pub(crate) struct CommandProgress {
    bar: ProgressBar,
    /// When the last line was written; `None` on a terminal.
    line: Option<Mutex<Instant>>,
    what: &'static str,
}

impl CommandProgress {
    /// Of so many things.
    pub(crate) fn new(total: u64, what: &'static str) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let target =
            if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let template = format!("{{bar:30}} {{pos}} of {{len}} {what}, {{elapsed}}, {{eta}} left");
        bar.set_style(ProgressStyle::with_template(&template).expect("a template"));
        Self { bar, line: (!is_terminal).then(|| Mutex::new(Instant::now())), what }
    }

    /// So many more are done.
    pub(crate) fn advance(&self, count: u64) {
        self.bar.inc(count);
        self.say();
    }

    /// So many are done, of so many.
    pub(crate) fn set(&self, done: u64, of: u64) {
        self.bar.set_length(of);
        self.bar.set_position(done);
        self.say();
    }

    /// Writes a line where there is no terminal, now and then.
    fn say(&self) {
        let Some(line) = &self.line else { return };
        let mut line = line.lock().unwrap_or_else(PoisonError::into_inner);
        if line.elapsed() >= LINE_EVERY {
            *line = Instant::now();
            let (done, total) = (self.bar.position(), self.bar.length().unwrap_or_default());
            let left = self.bar.eta().as_secs();
            let what = self.what;
            // Standard error may be closed; nothing can be done about it.
            let _ = writeln!(std::io::stderr(), "{done} of {total} {what}, {left} s left");
        }
    }

    /// Does something that may print where the bar is.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for CommandProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
