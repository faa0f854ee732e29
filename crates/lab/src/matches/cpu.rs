//! Processor time of a program, independent of other load on the machine.

use std::time::Duration;

/// Processor time of a process, all its threads together, in steps of about 10 ms; `None` where the system
/// does not report it.
pub(super) fn of_process(id: u32) -> Option<Duration> {
    // proc(5): after the name in parentheses, which may contain anything, user time is the 12th field and
    // system time the 13th, in ticks.
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, fields) = text.rsplit_once(") ")?;
    let ticks: Vec<u64> =
        fields.split(' ').skip(11).take(2).filter_map(|field| field.parse().ok()).collect();
    let &[user, system] = &ticks[..] else { return None };
    let per_second = rustix::param::clock_ticks_per_second();
    Some(Duration::from_millis((user + system) * 1_000 / per_second.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::player::cpu_of_thread as of_thread;

    #[test]
    fn work_takes_processor_time() {
        let (thread, process) = (of_thread(), of_process(std::process::id()));
        let mut n = 0_u64;
        while of_thread() < thread + Duration::from_millis(40) {
            n = std::hint::black_box(n.wrapping_add(1));
        }
        if cfg!(target_os = "linux") {
            let after = of_process(std::process::id()).expect("Linux tells");
            assert!(after > process.expect("Linux tells"));
        }
        assert_eq!(of_process(u32::MAX), None);
    }
}
