//! The principal variation: the best line found from every ply on.

/// One line for each ply of the search at hand. Memory is kept, so that nothing is allocated once
/// lines have reached their length.
#[derive(Debug)]
pub(super) struct PvTable<M>(Vec<Vec<M>>);

impl<M: Copy> PvTable<M> {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    /// Forgets the line from this ply on.
    #[inline]
    pub(super) fn clear(&mut self, ply: u32) {
        let ply = ply as usize;
        if self.0.len() < ply + 2 {
            self.0.resize_with(ply + 2, Vec::new);
        }
        self.0[ply].clear();
    }

    /// The line from this ply on becomes `mv` and the line after it.
    #[inline]
    pub(super) fn set(&mut self, ply: u32, mv: M) {
        let (here, next) = self.0.split_at_mut(ply as usize + 1);
        let line = &mut here[ply as usize];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&next[0]);
    }

    /// The line from this ply on.
    pub(super) fn get(&self, ply: u32) -> &[M] {
        self.0.get(ply as usize).map_or(&[], Vec::as_slice)
    }
}
