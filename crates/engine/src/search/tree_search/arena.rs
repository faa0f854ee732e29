//! Nodes of the tree: a growing array shared by several threads without locks.
// CITE: Enzenberger and Mueller 2010, "A lock-free multithreaded Monte-Carlo tree search algorithm":
// counts are read and written, not exchanged atomically; an update lost now and then does no harm
// and costs nothing.

use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::proof::Proof;
use crate::game::Side;

/// Nodes per allocation. Not tuned.
const CHUNK: u32 = 1 << 14;
/// Child indices of a node without children, and of a node being expanded by a thread.
const NONE: u32 = 0;
const BUSY: u32 = 1;
/// Shift of the actor in `meta`, above proof and number of children.
const ACTOR_SHIFT: u32 = 30;
/// Maximum children of a node.
const MOST_CHILDREN: u32 = (1 << (ACTOR_SHIFT - Proof::BITS)) - 1;

/// A node, small enough that the children of one parent share few cache lines. Siblings are adjacent, in
/// move order.
#[derive(Debug, Default)]
pub(super) struct ArenaNode {
    visits: AtomicU32,
    /// Mean result for the first side, 0 to 1, as the bits of an `f32`. A proved result lies far outside that
    /// range, so that selection by the mean needs no further check.
    mean: AtomicU32,
    first_child: AtomicU32,
    /// Proof, number of children and actor.
    meta: AtomicU32,
}

/// Children of a node and the side that chooses among them (`None` is chance).
#[derive(Clone, Debug)]
pub(super) struct Family {
    pub(super) actor: Option<Side>,
    pub(super) children: std::ops::Range<u32>,
}

impl ArenaNode {
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    #[inline]
    pub(super) fn mean(&self) -> f32 {
        f32::from_bits(self.mean.load(Relaxed))
    }

    /// Counts a visit before its result is known, so that other threads diverge.
    #[inline]
    pub(super) fn visit(&self) {
        self.visits.store(self.visits.load(Relaxed) + 1, Relaxed);
    }

    /// Adds the result of a visit, already counted, to the mean.
    #[inline]
    pub(super) fn learn(&self, result: f32) {
        let mean = self.mean();
        let next = mean + (result - mean) / self.visits() as f32;
        self.mean.store(next.to_bits(), Relaxed);
    }

    #[inline]
    pub(super) fn proof(&self) -> Proof {
        Proof::unpack(self.meta.load(Relaxed) & ((1 << Proof::BITS) - 1))
    }

    /// True if the result is proved.
    #[inline]
    pub(super) fn is_proved(&self) -> bool {
        self.meta.load(Relaxed) & ((1 << Proof::BITS) - 1) != 0
    }

    pub(super) fn prove(&self, proof: Proof) {
        let meta = self.meta.load(Relaxed) >> Proof::BITS << Proof::BITS;
        self.meta.store(meta | proof.pack(), Relaxed);
        if let Some(result) = proof.result() {
            let beyond = if result == 0.5 { 0.5 } else { (result as f32 - 0.5) * 1e9 };
            self.mean.store(beyond.to_bits(), Relaxed);
        }
    }

    /// The children; `None` before expansion.
    #[inline]
    pub(super) fn family(&self) -> Option<Family> {
        let first = self.first_child.load(Acquire);
        if first <= BUSY {
            return None;
        }
        let meta = self.meta.load(Relaxed);
        let actor = match meta >> ACTOR_SHIFT {
            0 => Some(Side::First),
            1 => Some(Side::Second),
            _ => None,
        };
        Some(Family { actor, children: first..first + (meta >> Proof::BITS & MOST_CHILDREN) })
    }
}

#[derive(Debug)]
pub(super) struct Arena {
    chunks: Vec<OnceLock<Box<[ArenaNode]>>>,
    /// Prior of each node, as the bits of an `f32`, where the search has priors.
    priors: Vec<OnceLock<Box<[AtomicU32]>>>,
    /// Next free index.
    next: AtomicU32,
}

/// Index of the root. Smaller ones have special meanings.
pub(super) const ROOT: u32 = 2;

impl Arena {
    /// Bytes of a node without and with a prior.
    pub(super) const NODE: usize = size_of::<ArenaNode>();
    pub(super) const NODE_WITH_PRIOR: usize = Self::NODE + size_of::<AtomicU32>();

    /// Chunks of nodes of so many bytes in so many MiB, at least one.
    pub(super) fn chunks(mib: usize, node: usize) -> usize {
        ((mib << 20) / (node * CHUNK as usize)).clamp(1, (u32::MAX / CHUNK) as usize - 1)
    }

    /// A tree of at most so many chunks, at least one.
    pub(super) fn new(chunks: usize) -> Self {
        let chunks = chunks.max(1);
        Self {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            priors: (0..chunks).map(|_| OnceLock::new()).collect(),
            next: AtomicU32::new(ROOT + 1),
        }
    }

    fn chunk(&self, index: u32) -> &[ArenaNode] {
        let fresh = || (0..CHUNK).map(|_| ArenaNode::default()).collect();
        self.chunks[(index / CHUNK) as usize].get_or_init(fresh)
    }

    #[inline]
    pub(super) fn node(&self, index: u32) -> &ArenaNode {
        &self.chunk(index)[(index % CHUNK) as usize]
    }

    /// Nodes of a range reserved by one `expand`: it lies in one chunk.
    #[inline]
    pub(super) fn nodes(&self, range: std::ops::Range<u32>) -> &[ArenaNode] {
        let start = (range.start % CHUNK) as usize;
        &self.chunk(range.start)[start..start + range.len()]
    }

    /// Priors of a range reserved by one `expand` that had them.
    #[inline]
    pub(super) fn priors(&self, range: std::ops::Range<u32>) -> &[AtomicU32] {
        let fresh = || (0..CHUNK).map(|_| AtomicU32::new(0)).collect();
        let start = (range.start % CHUNK) as usize;
        let chunk = self.priors[(range.start / CHUNK) as usize].get_or_init(fresh);
        &chunk[start..start + range.len()]
    }

    /// Expands a node with `count` children for `actor` to choose from, with these priors or none. `None` when memory is
    /// full or another thread is expanding it.
    pub(super) fn expand(
        &self,
        node: &ArenaNode,
        actor: Option<Side>,
        count: u32,
        priors: &[f32],
    ) -> Option<Family> {
        if count == 0 || count > MOST_CHILDREN {
            return None;
        }
        node.first_child.compare_exchange(NONE, BUSY, Acquire, Relaxed).ok()?;
        let Some(children) = self.reserve(count) else {
            node.first_child.store(NONE, Release);
            return None;
        };
        if !priors.is_empty() {
            let places = self.priors(children.clone()).iter();
            places.zip(priors).for_each(|(place, prior)| place.store(prior.to_bits(), Relaxed));
        }
        let actor_bits = actor.map_or(2, |side| side as u32);
        let meta = node.meta.load(Relaxed) & ((1 << Proof::BITS) - 1);
        node.meta.store(meta | count << Proof::BITS | actor_bits << ACTOR_SHIFT, Relaxed);
        node.first_child.store(children.start, Release);
        Some(Family { actor, children })
    }

    /// Reserves `count` consecutive indices in one chunk.
    fn reserve(&self, count: u32) -> Option<std::ops::Range<u32>> {
        let limit = self.chunks.len() as u32 * CHUNK;
        let place = |next: u32| {
            let left = CHUNK - next % CHUNK;
            if count <= left { next } else { next + left }
        };
        let fits = |next: u32| {
            let end = place(next).checked_add(count)?;
            (end <= limit).then_some(end)
        };
        let before = self.next.fetch_update(Relaxed, Relaxed, fits).ok()?;
        let start = place(before);
        Some(start..start + count)
    }
}
