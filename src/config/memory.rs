//! How the memory of the process is divided.
//!
//! ```text
//! all - the program - the shared table - connections (1/16) - answers (1/16) - jobs (1/16) - threads - tables kept
//!     = what options of searches may name, in equal shares
//! ```

use engine::search::MOST_KEPT;
use sysinfo::System;

const MIB: u64 = 1 << 20;
/// The program with its tables, the threads that read requests and short answers, in bytes. Measured: 36 MiB
/// after the start, 30 more after 44,000 varied questions.
const PROGRAM: u64 = 80 * MIB;
/// Bytes of an entry of the shared table, measured; the map doubles.
const ENTRY: u64 = 36;
/// Bytes of a connection with half a request, measured with 5,000.
const CONNECTION: u64 = 42 << 10;
/// What each thread of any kind of work takes besides what options name: stack, evaluator, moves, the answer.
const THREAD: u64 = 8 * MIB;
/// Largest table that an idle thread keeps.
const KEPT: u64 = MOST_KEPT as u64;
/// Kinds of work with slots of their own, and those of them that search.
const KINDS: u64 = 4;
const SEARCHING: u64 = 3;
/// Kinds of work whose threads stay, each with the table of its last search.
const STAYING: u64 = 4;
/// The same in MiB.
pub(super) const LEAST_SEARCH_MIB: u64 = 4;
/// Least that is left for options: the table of the default algorithms.
const LEAST: u64 = LEAST_SEARCH_MIB * MIB;

/// Parts of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryShares {
    /// Bytes that options of a search may name for each of its threads.
    pub each_thread: u64,
    /// Most connections.
    pub connections: usize,
    /// Bytes of the store of jobs, where that is no file.
    pub jobs: u64,
    /// Bytes of answers on their way.
    pub answers: usize,
}

impl MemoryShares {
    /// Divides this many bytes among a table of so many entries, and slots of each kind of search.
    ///
    /// # Errors
    /// When too little is left for searches, with what would suffice.
    pub(super) fn of(total: u64, entries: usize, slots: usize) -> Result<Self, String> {
        let slots = slots as u64;
        let fixed = PROGRAM + entries as u64 * ENTRY + KINDS * slots * THREAD;
        let part = total / 16;
        let rest = (total - 3 * part).saturating_sub(fixed);
        // A table that is kept is no larger than options may name.
        let each = (rest / ((SEARCHING + STAYING) * slots))
            .max(rest.saturating_sub(STAYING * slots * KEPT) / (SEARCHING * slots));
        if each < LEAST {
            let least = (fixed + (SEARCHING + STAYING) * slots * LEAST) * 16 / 13 / MIB + 1;
            return Err(format!(
                "{} MiB of memory are too few for {slots} slots and {entries} entries of the shared table; set --memory-mib to \
                 at least {least}, or less of the others",
                total / MIB
            ));
        }
        let whole = |bytes| usize::try_from(bytes).unwrap_or(usize::MAX);
        let (connections, answers) = (whole(part / CONNECTION), whole(part));
        Ok(Self { each_thread: each, connections, jobs: part, answers })
    }
}

/// The limit of the container, else half of the memory of the machine, in bytes.
pub(super) fn available() -> u64 {
    let mut system = System::new();
    system.refresh_memory();
    let total = system.total_memory();
    let limit = system.cgroup_limits().map(|limits| limits.total_memory);
    limit.filter(|&limit| limit < total).unwrap_or(total / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_no_more_than_the_whole() {
        for (total, entries, slots) in
            [(1 << 10, 1_000_000, 2), (256, 1_000, 1), (65_536, 1 << 28, 64)]
        {
            let shares = MemoryShares::of(total * MIB, entries, slots).expect("it suffices");
            let slots = slots as u64;
            let kept = shares.each_thread.min(KEPT);
            let threads =
                slots * (SEARCHING * shares.each_thread + KINDS * THREAD + STAYING * kept);
            let connections = shares.connections as u64 * CONNECTION;
            let kept = shares.jobs + shares.answers as u64;
            let parts = PROGRAM + entries as u64 * ENTRY + threads + connections + kept;
            assert!(parts <= total * MIB, "{parts} of {total}");
            assert!(
                parts + 100 * (MIB + CONNECTION) > total * MIB,
                "nothing is wasted: {parts} of {total}"
            );
        }
    }

    #[test]
    fn what_would_suffice_does() {
        let why = MemoryShares::of(64 * MIB, 1_000_000, 2).expect_err("64 MiB are too few");
        let least = why.split("at least ").nth(1).and_then(|rest| rest.split(',').next());
        let least: u64 = least.and_then(|least| least.parse().ok()).expect("a number");
        assert!(MemoryShares::of(least * MIB, 1_000_000, 2).is_ok());
        assert!(MemoryShares::of((least - 2) * MIB, 1_000_000, 2).is_err());
    }
}
