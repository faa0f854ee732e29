//! The nodes of the tree: a growing array that several threads use without locks.
// CITE: Enzenberger and Mueller 2010, "A lock-free multithreaded Monte-Carlo tree search algorithm":
// counts are read and written, not exchanged atomically; an update lost now and then does no harm
// and costs nothing.

use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicI64, AtomicU32};

use super::proof::Proof;

/// Sums of results are kept in this fraction of a win.
pub(super) const UNIT: f64 = 65_536.0;

const CHUNK: u32 = 1 << 14;
/// The child index of a node that has none, and of one that a thread is just giving some.
const NONE: u32 = 0;
const BUSY: u32 = 1;

/// A node. Its children stand next to each other in the order of the moves.
#[derive(Debug, Default)]
pub(super) struct Node {
    visits: AtomicU32,
    first_child: AtomicU32,
    children: AtomicU32,
    proof: AtomicU32,
    /// Sum of results as the first side sees them, in units.
    sum: AtomicI64,
}

impl Node {
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    #[inline]
    pub(super) fn sum(&self) -> i64 {
        self.sum.load(Relaxed)
    }

    /// Counts a visit before its result is known, so that other threads go elsewhere.
    #[inline]
    pub(super) fn visit(&self) {
        self.visits.store(self.visits.load(Relaxed) + 1, Relaxed);
    }

    #[inline]
    pub(super) fn add(&self, units: i64) {
        self.sum.store(self.sum.load(Relaxed) + units, Relaxed);
    }

    #[inline]
    pub(super) fn proof(&self) -> Proof {
        Proof::unpack(self.proof.load(Relaxed))
    }

    pub(super) fn prove(&self, proof: Proof) {
        self.proof.store(proof.pack(), Relaxed);
    }

    /// The indices of the children, if there are any yet.
    #[inline]
    pub(super) fn children(&self) -> Option<std::ops::Range<u32>> {
        let first = self.first_child.load(Acquire);
        (first > BUSY).then(|| first..first + self.children.load(Relaxed))
    }
}

#[derive(Debug)]
pub(super) struct Arena {
    chunks: Vec<OnceLock<Box<[Node]>>>,
    /// The next index to hand out.
    next: AtomicU32,
}

/// The index of the root. Smaller ones mean something else.
pub(super) const ROOT: u32 = 2;

impl Arena {
    pub(super) fn new(mib: usize) -> Self {
        let bytes = size_of::<Node>() * CHUNK as usize;
        let chunks = ((mib << 20) / bytes).clamp(1, (u32::MAX / CHUNK) as usize - 1);
        let chunks = (0..chunks).map(|_| OnceLock::new()).collect();
        Self { chunks, next: AtomicU32::new(ROOT + 1) }
    }

    fn chunk(&self, index: u32) -> &[Node] {
        let fresh = || (0..CHUNK).map(|_| Node::default()).collect();
        self.chunks[(index / CHUNK) as usize].get_or_init(fresh)
    }

    #[inline]
    pub(super) fn node(&self, index: u32) -> &Node {
        &self.chunk(index)[(index % CHUNK) as usize]
    }

    /// The nodes of a range that one call of `expand` gave out: it lies in one chunk.
    #[inline]
    pub(super) fn nodes(&self, range: std::ops::Range<u32>) -> &[Node] {
        let start = (range.start % CHUNK) as usize;
        &self.chunk(range.start)[start..start + range.len()]
    }

    /// Gives a node `count` children. `None` when memory is full or another thread is at it.
    pub(super) fn expand(&self, node: &Node, count: u32) -> Option<std::ops::Range<u32>> {
        if count == 0 || count > CHUNK {
            return None;
        }
        node.first_child.compare_exchange(NONE, BUSY, Acquire, Relaxed).ok()?;
        let range = self.reserve(count);
        if let Some(range) = &range {
            node.children.store(count, Relaxed);
            node.first_child.store(range.start, Release);
        } else {
            node.first_child.store(NONE, Release);
        }
        range
    }

    /// The next `count` indices that lie in one chunk.
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
