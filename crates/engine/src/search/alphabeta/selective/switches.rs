//! Every technique of the selective search can be switched off.

use crate::search::alphabeta::forward_pruning::ForwardPruning;

/// The switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// A position is judged together with the one before it, where the game's evaluator does so.
    pub smoothing: bool,
    /// Noisy moves are played out before a position is judged.
    pub quiescence: bool,
    /// A position where passing is good enough is good enough.
    pub null_move: bool,
    /// Positions that stand far too low are only played out; where R is known, those that stand lower than a
    /// search may hope to make up for are searched a ply less deep.
    pub razor: bool,
    /// Positions that stand far too high are not searched.
    pub reverse_futility: bool,
    /// Quiet moves that cannot reach what is needed are left out near the leaves.
    pub futility: bool,
    /// After many quiet moves the rest is left out near the leaves.
    pub late_move_pruning: bool,
    /// Moves that lose material are left out near the leaves.
    pub exchange_pruning: bool,
    /// Later moves are first searched less deep.
    pub late_move_reductions: bool,
    /// Without a remembered move a node is searched less deep.
    pub internal_reductions: bool,
    /// A capture that is good enough at a smaller depth by a margin is good enough.
    pub probcut: bool,
    /// A move that is better than all others by far is searched deeper.
    pub singular_extensions: bool,
    /// Moves that threaten to win at once are searched deeper.
    pub check_extensions: bool,
    /// The moves that refuted sisters of a node, and the last answer to the move before, come early.
    pub killers: bool,
    /// Moves that cut off before come early.
    pub history: bool,
    /// ... after the moves that were played just before, and what the evaluator says should follow the last.
    pub continuation_history: bool,
    /// Wins by threats alone are looked for at the root.
    pub threats: bool,
    /// Evaluations are corrected by what searches of the same structure found.
    pub correction: bool,
    /// A position that is good enough for its mover even with a resource less is good enough.
    pub self_loss: bool,
    /// Razor and self-loss happen with a probability that falls from 1 to 0.9 where they are least sure.
    pub probabilistic: bool,
    /// Moves whose order does not matter are tried in one order only.
    pub order_independence: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            smoothing: true,
            quiescence: true,
            null_move: true,
            razor: true,
            reverse_futility: true,
            futility: true,
            late_move_pruning: true,
            exchange_pruning: true,
            late_move_reductions: true,
            internal_reductions: true,
            probcut: true,
            singular_extensions: true,
            check_extensions: true,
            killers: true,
            history: true,
            continuation_history: true,
            threats: true,
            correction: true,
            self_loss: false,
            probabilistic: true,
            order_independence: true,
        }
    }
}

impl Switches {
    /// Those of what this search has in common with others.
    pub(super) fn forward_pruning(self) -> ForwardPruning {
        ForwardPruning {
            razor: self.razor,
            self_loss: self.self_loss,
            probabilistic: self.probabilistic,
            order_independence: self.order_independence,
            continuation: self.continuation_history,
            dominance: false,
        }
    }
}
