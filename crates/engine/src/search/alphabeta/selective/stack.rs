//! What the plies of the line at hand know of each other.

use super::history::{BACK, Before};

/// One ply of the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct StackEntry<M> {
    /// The evaluation for the mover; `None` where he is threatened.
    pub(super) eval: Option<i32>,
    /// The move that the line goes on with, and its topic; none for a pass.
    pub(super) mv: Option<M>,
    pub(super) move_index: Option<usize>,
    /// The move that is left out to see how good the others are.
    pub(super) excluded: Option<M>,
    /// The last two quiet moves that caused a cutoff at this ply.
    pub(super) killers: [Option<M>; 2],
    /// A cutoff is expected here, because the move that led here is not believed to be good.
    pub(super) cut: bool,
    /// How many cutoffs the children had.
    pub(super) cutoffs: u32,
    /// Plies by which the line has been extended twice so far.
    pub(super) doubled: u32,
    /// The plies since the moves became noisy only.
    pub(super) noise: u32,
}

impl<M> StackEntry<M> {
    pub(super) const fn new() -> Self {
        Self {
            eval: None,
            mv: None,
            move_index: None,
            excluded: None,
            killers: [None, None],
            cut: true,
            cutoffs: 0,
            doubled: 0,
            noise: 0,
        }
    }
}

/// The plies of the line at hand, from the root on.
pub(super) struct SearchStack<M>(Vec<StackEntry<M>>);

impl<M: Copy> SearchStack<M> {
    pub(super) fn new(plies: u32) -> Self {
        Self(vec![StackEntry::new(); plies as usize])
    }

    /// Forgets the line.
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

    /// The topics of the moves that led to this ply.
    #[inline]
    pub(super) fn before(&self, ply: u32) -> Before {
        BACK.map(|back| ply.checked_sub(back).and_then(|ply| self.0[ply as usize].move_index))
    }

    /// Whether the mover stands better than at his last turns.
    #[inline]
    pub(super) fn improving(&self, ply: u32, eval: i32) -> bool {
        let earlier = |back| ply.checked_sub(back).and_then(|ply| self.0[ply as usize].eval);
        earlier(2).or_else(|| earlier(4)).is_none_or(|before| eval > before)
    }
}
