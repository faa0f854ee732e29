//! What options of methods name that a server allows only so much of: memory and worlds.

use engine::options::{OptionKind, OptionSpec};

/// Bytes in one MiB.
const MIB: u64 = 1 << 20;
/// Most bytes for a state of `sg`: 24 in the hash table, which is between 7/16 and 7/8 full, and old and new stand side
/// by side while it grows.
const STATE: u64 = 90;

/// What one unit of an option takes.
#[derive(Clone, Copy, Debug)]
enum Resource {
    /// So many bytes.
    Memory(u64),
    /// So many bytes for each thread.
    ThreadMemory(u64),
    /// A world drawn, with a search of its own.
    World,
}

/// Options that name a resource.
const OPTIONS: [(&str, Resource); 4] = [
    ("tree_mib", Resource::Memory(MIB)),
    ("table_mib", Resource::ThreadMemory(MIB)),
    ("max_states", Resource::Memory(STATE)),
    ("worlds", Resource::World),
];

/// Limits of one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct OptionLimits {
    /// Bytes for each thread.
    pub(super) thread_memory: u64,
    pub(super) threads: u64,
    pub(super) worlds: u64,
}

impl OptionLimits {
    /// As much as options may name.
    pub(super) const UNLIMITED: Self =
        Self { thread_memory: u64::MAX, threads: 1, worlds: u64::MAX };

    /// An option that neither by default nor on demand takes more.
    pub(super) fn bound(&self, spec: &OptionSpec) -> OptionSpec {
        let named = OPTIONS.iter().find(|(name, _)| *name == spec.name);
        let (Some(&(_, resource)), OptionKind::Integer { min, max, default }) = (named, spec.kind)
        else {
            return *spec;
        };
        let most = match resource {
            Resource::Memory(unit) => self.thread_memory.saturating_mul(self.threads) / unit,
            Resource::ThreadMemory(unit) => self.thread_memory / unit,
            Resource::World => self.worlds,
        };
        let most = i64::try_from(most).unwrap_or(i64::MAX).clamp(min, max);
        let kind = OptionKind::Integer { min, max: most, default: default.min(most) };
        OptionSpec { kind, ..*spec }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::METHODS;

    #[test]
    fn every_option_that_names_a_resource_is_bounded() {
        let options = METHODS.iter().flat_map(|method| &method.options);
        let mut bounded = 0;
        for option in options {
            let OptionKind::Integer { min, max, .. } = option.kind else { continue };
            let limits = OptionLimits { thread_memory: 10 * MIB, threads: 2, worlds: 8 };
            let OptionKind::Integer { max: most, default, .. } = limits.bound(option).kind else {
                panic!("{option:?} stays an integer");
            };
            assert!(min <= default && default <= most && most <= max, "{option:?}");
            let expected = match option.name {
                "tree_mib" => 20,
                "table_mib" => 10,
                "max_states" => (20 * MIB / STATE) as i64,
                "worlds" => 8,
                name => {
                    assert!(!name.ends_with("_mib"), "`{name}` names memory");
                    max
                }
            };
            assert_eq!(most, expected.min(max), "{option:?}");
            bounded += usize::from(most < max);
        }
        assert!(bounded >= 5, "of {bounded} options");
    }
}
