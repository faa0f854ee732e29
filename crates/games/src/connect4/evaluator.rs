use super::rules::{Connect4, column_of};
use super::solver::Connect4Solver;
use engine::game::{Evaluator, ExactSolver, Lookahead, MoveList, Rng, Side, Tuning, logistic};

/// Evaluator of connect four: immediate wins, forced answers and threat counting.
#[derive(Clone, Copy, Debug)]
pub struct Connect4Evaluator {
    /// Evaluation of unfinished positions.
    pub evaluation: Connect4Evaluation,
}

/// Evaluation of unfinished positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connect4Evaluation {
    /// Constant 0.
    None,
    /// Counts the empty cells that would complete four, per side.
    Threats,
}

/// Units for a cell that would complete four; extra units on a row that favours its owner.
const THREAT: i32 = 100;
const LUCKY_ROW: i32 = 60;
/// Bound of the evaluation: 31 empty cells would have to be threats of one side.
const MOST: i32 = 5_000;
/// Rows (as cells) in which zugzwang favours the first player: the third and the fifth.
// CITE: Allis 1988, "A knowledge-based approach of connect-four": odd threats for white.
const ODD_ROWS: u64 = rows([2, 4]);
/// Rows that favour the second player: the second, fourth and sixth.
const EVEN_ROWS: u64 = {
    let [low, high] = [rows([1, 3]), rows([5, 5])];
    low | high
};

const fn rows(two: [u32; 2]) -> u64 {
    let mut cells = 0;
    let mut column = 0;
    while column < super::rules::WIDTH {
        cells |= (1 << two[0] | 1 << two[1]) << (column * (super::rules::HEIGHT + 1));
        column += 1;
    }
    cells
}

fn worth(threats: u64, side: Side) -> i32 {
    let lucky = match side {
        Side::First => ODD_ROWS,
        Side::Second => EVEN_ROWS,
    };
    THREAT * threats.count_ones() as i32 + LUCKY_ROW * (threats & lucky).count_ones() as i32
}

impl Evaluator<Connect4> for Connect4Evaluator {
    // At depth 1 to 3 a node costs less than a probe: `cargo bench --bench search`. Exploration and playouts:
    // `benches/exploration.py`.
    const TUNING: Tuning = Tuning {
        table_from: 4,
        // Time to depth 24 with two threads, as a share of that with one: 0.55 to 0.59 from 9, 0.61 to 0.66 from 3
        // (`benches/threads.py --only connect4`).
        defer_from: 9,
        exploration: 0.7,
        expert_playouts: true,
        ..Tuning::DEFAULT
    };

    fn bound(&self) -> i32 {
        MOST
    }

    fn reach(&self) -> i32 {
        match self.evaluation {
            Connect4Evaluation::None => 0,
            Connect4Evaluation::Threats => MOST,
        }
    }

    #[inline]
    fn evaluate(&mut self, pos: &Connect4, mover: Side) -> i32 {
        match self.evaluation {
            Connect4Evaluation::None => 0,
            Connect4Evaluation::Threats => {
                worth(pos.own_threats(), mover) - worth(pos.foe_threats(), mover.other())
            }
        }
    }

    // An immediate win is taken. An opponent with two playable threats, or with a threat above the
    // only answer, wins in two. Otherwise moves below an opponent's threat are omitted.
    // CITE: Pons, "Solving Connect Four", part 8: anticipate losing moves.
    #[inline]
    fn lookahead(
        &self,
        pos: &Connect4,
        _: Side,
        depth: u32,
        _: MoveList,
        out: &mut Vec<u8>,
    ) -> Lookahead {
        let playable = pos.playable();
        if playable & pos.own_threats() != 0 {
            return Lookahead::Win(1);
        }
        let mut cells = playable;
        let mut loss_from = 2;
        if depth >= 2 {
            let threats = pos.foe_threats();
            let forced = playable & threats;
            if forced & forced.wrapping_sub(1) != 0 {
                return Lookahead::Loss(2);
            }
            cells = if forced == 0 { playable } else { forced } & !(threats >> 1);
            if cells == 0 {
                return Lookahead::Loss(2);
            }
            loss_from = 4;
        }
        while cells != 0 {
            out.push(column_of(cells));
            cells &= cells - 1;
        }
        Lookahead::Open { complete: true, win_from: 3, loss_from }
    }

    #[inline]
    fn order(&self, pos: &Connect4, _: Side, mv: u8) -> i32 {
        let threats = pos.threats_with(pos.landing(mv)).count_ones() as i32;
        64 * threats - 4 * (i32::from(mv) - 3).abs()
    }

    // Wins at once, else answers a threat, else does not play below one.
    fn playout_move(&self, pos: &Connect4, rng: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        let (playable, threats) = (pos.playable(), pos.foe_threats());
        let safe = playable & !(threats >> 1);
        let choices = [playable & pos.own_threats(), playable & threats, safe, playable];
        let mut cells = choices.into_iter().find(|&cells| cells != 0)?;
        for _ in 0..rng.below(cells.count_ones() as usize) {
            cells &= cells - 1;
        }
        Some(column_of(cells))
    }

    fn solver(&self) -> Option<Box<dyn ExactSolver<Connect4>>> {
        Some(Box::new(Connect4Solver::default()))
    }

    fn win_probability(&self, value: f64) -> f64 {
        logistic(value, 400.0)
    }
}
