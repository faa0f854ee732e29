//! Commands as jobs: on the machines of a queue, or on this one.

use serde_json::Value;

/// A job of a command.
#[derive(Clone, Debug)]
pub struct CommandJob<'a> {
    /// Servers of the queue, as `nats://host:4222`; `None` for this machine.
    pub servers: Option<&'a str>,
    /// Its kind, as in `POST /v1/jobs`.
    pub kind: &'a str,
    /// Its body.
    pub body: Value,
}

/// An item that has ended.
#[derive(Clone, Debug)]
pub struct EndedItem {
    /// Its number.
    pub number: u32,
    /// Number of items of the job.
    pub of: u32,
    /// Its result, or a problem.
    pub result: Value,
}

/// Is told each item, as they end; `Ok(false)` ends the job.
pub type ItemTold<'a> = dyn FnMut(EndedItem) -> Result<bool, String> + Send + 'a;

/// Who does the jobs of commands.
pub trait JobRunner: Sync {
    /// Does a job, and gives its answer; `None` where it was ended early.
    ///
    /// # Errors
    /// When the queue is not there, or the job is wrong.
    fn run(&self, job: &CommandJob<'_>, told: &mut ItemTold<'_>) -> Result<Option<Value>, String>;
}
