//! The principal variation of each ply.

/// Triangular PV table: one line per ply. Memory is reused, so nothing is allocated once lines have
/// reached their length.
#[derive(Debug)]
pub(super) struct PvTable<M>(Vec<Vec<M>>);

impl<M: Copy> PvTable<M> {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    /// Clears the line from this ply on.
    #[inline]
    pub(super) fn clear(&mut self, ply: u32) {
        let ply = ply as usize;
        if self.0.len() < ply + 2 {
            self.0.resize_with(ply + 2, Vec::new);
        }
        self.0[ply].clear();
    }

    /// Sets the line from this ply on: `mv` and the line of the next ply.
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
