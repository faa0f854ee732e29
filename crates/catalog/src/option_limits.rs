//! Memory that options of methods name, and what a server allows of it.

use engine::options::{OptionKind, OptionSpec};

/// Bytes in one MiB.
const MIB: u64 = 1 << 20;
/// Most bytes for a state of `sg`: 24 in the hash table, which is between 7/16 and 7/8 full, and old and new stand side
/// by side while it grows.
const STATE: u64 = 90;

/// Options that name memory: bytes of one unit, and whether each thread takes as much.
const OPTIONS: [(&str, u64, bool); 3] =
    [("tree_mib", MIB, false), ("table_mib", MIB, true), ("max_states", STATE, false)];

/// Memory of one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchMemory {
    /// Bytes for each thread.
    pub(super) each: u64,
    pub(super) threads: u64,
}

impl SearchMemory {
    /// As much as options may name.
    pub(super) const UNLIMITED: Self = Self { each: u64::MAX, threads: 1 };

    /// An option that neither by default nor on demand takes more.
    pub(super) fn bound(&self, spec: &OptionSpec) -> OptionSpec {
        let named = OPTIONS.iter().find(|(name, ..)| *name == spec.name);
        let (Some(&(_, unit, is_each)), OptionKind::Integer { min, max, default }) =
            (named, spec.kind)
        else {
            return *spec;
        };
        let memory = if is_each { self.each } else { self.each.saturating_mul(self.threads) };
        let most = i64::try_from(memory / unit).unwrap_or(i64::MAX).clamp(min, max);
        let kind = OptionKind::Integer { min, max: most, default: default.min(most) };
        OptionSpec { kind, ..*spec }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::METHODS;

    #[test]
    fn every_option_that_names_memory_is_bounded() {
        let options = METHODS.iter().flat_map(|method| &method.options);
        let mut bounded = 0;
        for option in options {
            let OptionKind::Integer { min, max, .. } = option.kind else { continue };
            let memory = SearchMemory { each: 10 * MIB, threads: 2 };
            let OptionKind::Integer { max: most, default, .. } = memory.bound(option).kind else {
                panic!("{option:?} stays an integer");
            };
            assert!(min <= default && default <= most && most <= max, "{option:?}");
            let expected = match option.name {
                "tree_mib" => 20,
                "table_mib" => 10,
                "max_states" => (20 * MIB / STATE) as i64,
                name => {
                    assert!(!name.ends_with("_mib"), "`{name}` names memory");
                    max
                }
            };
            assert_eq!(most, expected.min(max), "{option:?}");
            bounded += usize::from(most < max);
        }
        assert!(bounded >= 3, "of {bounded} options");
    }
}
