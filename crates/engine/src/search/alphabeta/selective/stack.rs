//! The search stack: one entry per ply.

use super::history::{BACK, Before};

/// Search state of one ply.
#[derive(Clone, Copy, Debug)]
pub(super) struct StackEntry<M> {
    /// Static evaluation for the mover; `None` in check.
    pub(super) eval: Option<i32>,
    /// Move searched at this ply and its piece-to index; `None` for a null move.
    pub(super) mv: Option<M>,
    pub(super) move_index: Option<usize>,
    /// True if that move captures nothing.
    pub(super) quiet: bool,
    /// Excluded move of a singular search.
    pub(super) excluded: Option<M>,
    /// Killers: the last two quiet moves that caused a cutoff at this ply.
    pub(super) killers: [Option<M>; 2],
    /// True in an expected cut node: the last move is not believed to be good.
    pub(super) cut: bool,
    /// Cutoffs in the children.
    pub(super) cutoffs: u32,
    /// Double extensions on the line so far.
    pub(super) doubled: u32,
    /// Plies since the start of quiescence search.
    pub(super) noise: u32,
}

impl<M> StackEntry<M> {
    pub(super) const fn new() -> Self {
        Self {
            eval: None,
            mv: None,
            move_index: None,
            quiet: false,
            excluded: None,
            killers: [None, None],
            cut: true,
            cutoffs: 0,
            doubled: 0,
            noise: 0,
        }
    }
}

/// The search stack, from the root on.
pub(super) struct SearchStack<M>(Vec<StackEntry<M>>);

impl<M: Copy> SearchStack<M> {
    pub(super) fn new(plies: u32) -> Self {
        Self(vec![StackEntry::new(); plies as usize])
    }

    /// Clears all entries.
    pub(super) fn clear(&mut self) {
        self.0.fill(StackEntry::new());
    }

    #[inline]
    pub(super) fn at(&self, ply: u32) -> &StackEntry<M> {
        &self.0[ply as usize]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, ply: u32) -> &mut StackEntry<M> {
        &mut self.0[ply as usize]
    }

    /// Piece-to indices of the moves that led to this ply.
    #[inline]
    pub(super) fn before(&self, ply: u32) -> Before {
        BACK.map(|back| ply.checked_sub(back).and_then(|ply| self.0[ply as usize].move_index))
    }

    /// True if the static evaluation is better than two plies back, or four if there was none; also true
    /// if there was none either.
    #[inline]
    pub(super) fn improving(&self, ply: u32, eval: i32) -> bool {
        let earlier = |back| ply.checked_sub(back).and_then(|ply| self.0[ply as usize].eval);
        earlier(2).or_else(|| earlier(4)).is_none_or(|before| eval > before)
    }
}
