//! Switches of the selective techniques.

use crate::options::switches;
use crate::search::alphabeta::forward_pruning::ForwardPruning;

switches! {
    /// Switches of the selective search.
    #[derive(Eq)]
    pub struct Switches {
        /// Evaluate a position together with the one before it, in gomoku.
        smoothing = true;
        /// Quiescence search: play captures out before a position is evaluated.
        quiescence = true;
        /// Null move pruning: cut if a pass is good enough.
        null_move = true;
        /// Razoring: positions far below the window go to quiescence search, or are searched a ply less deep.
        razor = true;
        /// Reverse futility pruning: positions far above the window are cut.
        reverse_futility = true;
        /// Futility pruning: skip quiet moves that cannot reach the window.
        futility = true;
        /// Late move pruning: skip the rest after many quiet moves.
        late_move_pruning = true;
        /// Skip moves that lose material near the leaves (static exchange evaluation).
        exchange_pruning = true;
        /// Late move reductions: search later moves less deep first.
        late_move_reductions = true;
        /// Internal iterative reductions: search less deep without a table move.
        internal_reductions = true;
        /// ProbCut: cut if a capture is good enough by a margin at a smaller depth.
        probcut = true;
        /// Singular extensions: search a move deeper that is better than all others by far.
        singular_extensions = true;
        /// Check extensions: search moves deeper that threaten to win at once.
        check_extensions = true;
        /// Killer moves and countermoves come early.
        killers = true;
        /// History heuristic: moves that cut off before come early.
        history = true;
        /// Continuation history: the same by the moves just played, and the evaluator's continuation bonus.
        continuation_history = true;
        /// Policy: the evaluator's network orders the moves, in gomoku.
        policy = true;
        /// Threat-space search at the root.
        threats = true;
        /// Correction history: correct the evaluation by the results of searches with the same structure.
        correction = true;
        /// Self-loss: cut if a position is good enough even with a resource less.
        self_loss = false;
        /// Razor and self-loss with a probability that falls from 1 to 0.9 where they are least sure.
        probabilistic = true;
        /// Sleep sets: try commuting moves in one order only.
        order_independence = true;
    }
}

impl Switches {
    /// Switches of the forward pruning shared with other searches.
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
