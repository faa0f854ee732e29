//! Numbers of the selective search, as data: a game may have its own, a question others.
//!
//! The defaults were measured in xiangqi, only with their techniques as a whole: `benches/ablation.py`,
//! docs/selective.md. A divisor of 260 instead of 210 won 24 ± 41 Elo at 10,000 nodes.

use crate::options::options;

options! {
    /// Margins, depths and reductions of the selective search. Margins are in hundredths of the game's smallest
    /// piece, [`Tactics::PAWN`](super::Tactics::PAWN), reductions in hundredths of a ply, depths in plies.
    #[derive(Eq)]
    pub struct SelectiveParameters {
        /// Late move pruning: quiet moves tried at depth 0, half as many where the evaluation is not improving.
        late_moves: i32 = 48, [0, 300];
        /// Late move pruning: further moves per squared ply of depth, in hundredths of a move.
        late_moves_ply: i32 = 100, [0, 1_000];
        /// Late move reductions: this much of any late move, in hundredths of a ply.
        reduction: i32 = 35, [-200, 300];
        /// Late move reductions: further ln(depth) ln(move number) of a ply divided by so many hundredths.
        reduction_divisor: i32 = 260, [50, 1_000];
        /// Late move reductions: more where the evaluation is not improving, in hundredths of a ply.
        reduction_not_improving: i32 = 50, [-100, 300];
        /// Late move reductions: more where a cutoff is expected, in hundredths of a ply.
        reduction_cut: i32 = 100, [-100, 400];
        /// Late move reductions: less where the window is open, in hundredths of a ply.
        reduction_open: i32 = 100, [-100, 400];
        /// Late move reductions: less for killers, in hundredths of a ply.
        reduction_killer: i32 = 100, [-100, 400];
        /// Late move reductions: less for moves that give check, in hundredths of a ply.
        reduction_check: i32 = 100, [-100, 400];
        /// Late move reductions: more where the table's move is a capture, in hundredths of a ply.
        reduction_known_noisy: i32 = 50, [-100, 300];
        /// Late move reductions: more where many replies have cut off, in hundredths of a ply.
        reduction_refuted: i32 = 50, [-100, 300];
        /// Late move reductions: history per ply less.
        reduction_history: i32 = 12_000, [2_000, 100_000];
        /// Futility pruning: margin of a quiet move, in hundredths of the smallest piece.
        quiet_gain: i32 = 80, [0, 2_000];
        /// Futility pruning: further margin per ply left, in hundredths of the smallest piece.
        quiet_gain_ply: i32 = 90, [0, 1_000];
        /// Futility pruning: greatest depth left, in plies.
        futility_depth: i32 = 8, [0, 30];
        /// History pruning: quiet moves with so much less history than none per ply left are skipped.
        history_gain_ply: i32 = 3_000, [100, 50_000];
        /// History pruning: greatest depth left, in plies.
        history_depth: i32 = 4, [0, 30];
        /// Exchange pruning: greatest loss of a quiet move per squared ply left, in hundredths of the smallest piece.
        exchange_quiet: i32 = 16, [0, 500];
        /// Exchange pruning: greatest loss of a capture per ply, in hundredths of the smallest piece.
        exchange_noisy: i32 = 110, [0, 1_000];
        /// Exchange pruning: greatest depth, in plies.
        exchange_depth: u32 = 8, [0, 30];
        /// Razoring: margin, in hundredths of the smallest piece.
        razor_margin: i32 = 800, [0, 5_000];
        /// Razoring: further margin per squared ply, in hundredths of the smallest piece.
        razor_margin_ply: i32 = 130, [0, 2_000];
        /// Razoring: greatest depth, in plies.
        razor_depth: u32 = 4, [0, 20];
        /// Reverse futility pruning: margin per ply, in hundredths of the smallest piece.
        reverse_margin: i32 = 110, [0, 2_000];
        /// Reverse futility pruning: greatest depth, in plies.
        reverse_depth: u32 = 6, [0, 30];
        /// Null move pruning: reduction, in hundredths of a ply.
        null_reduction: i32 = 300, [100, 800];
        /// Null move pruning: further reduction per ply of depth, in hundredths of a ply.
        null_reduction_ply: i32 = 34, [0, 80];
        /// Null move pruning: lead over the window for a further ply of reduction, in hundredths of the smallest piece.
        null_lead: i32 = 150, [20, 2_000];
        /// Null move pruning: how far the evaluation may be below the window per ply of depth, in hundredths of the
        /// smallest piece.
        null_slack: i32 = 8, [0, 200];
        /// Null move pruning: least depth at which a cutoff is verified, in plies.
        null_verified_from: u32 = 12, [2, 100];
        /// ProbCut: margin without a calibration, in hundredths of the smallest piece.
        probcut_margin: i32 = 130, [0, 2_000];
        /// ProbCut: the margin is this much smaller where the evaluation is improving.
        probcut_improving: i32 = 35, [0, 1_000];
        /// Singular extensions: least depth, in plies.
        singular_from: u32 = 6, [3, 50];
        /// Singular extensions: margin per ply of depth, in hundredths of the smallest piece.
        singular_margin: i32 = 1, [0, 200];
        /// Singular extensions: further margin for a second ply, in hundredths of the smallest piece.
        singular_double: i32 = 20, [0, 1_000];
        /// Check extensions: greatest depth, in plies.
        check_depth: u32 = 100, [0, 100];
        /// Quiescence search: margin beyond the captured piece, in hundredths of the smallest piece.
        quiescence_margin: i32 = 120, [0, 2_000];
        /// Quiescence search: plies with quiet threats.
        threat_plies: u32 = 1, [0, 60];
        /// Order of quiet moves: units of history per unit of the evaluator's order.
        quiet_order: i32 = 300, [0, 3_000];
        /// History: credit per ply of depth.
        history_credit: i32 = 60, [0, 1_000];
        /// History: further credit per squared ply of depth.
        history_credit_square: i32 = 14, [0, 200];
        /// History: greatest credit.
        history_credit_most: i32 = 1_800, [100, 8_000];
        /// History: credit of a quiet move for what the static evaluation gains with it, per smallest piece.
        history_evaluation: i32 = 0, [0, 1_000];
        /// History: greatest credit by the static evaluation.
        history_evaluation_most: i32 = 600, [0, 8_000];
        /// Correction history: greatest correction, in hundredths of the smallest piece.
        correction_most: i32 = 100, [0, 1_000];
    }
}
