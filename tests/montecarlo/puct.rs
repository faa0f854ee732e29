//! PUCT against a slow search written from its formulas, and what its options do.

use bestmove::game::{Evaluator, Game, Outcome, Plain, Rng, Side, Turn};
use bestmove::games::connect4::{Connect4, Connect4Evaluation, Connect4Evaluator};
use bestmove::games::tictactoe::TicTacToe;
use bestmove::search::tree_search::{PuctOptions, TreeOptions, TreeSearch};
use bestmove::search::{Report, Value, Wanted};

use crate::proofs::Narrow;
use crate::{ask, connect4_from, expected};

const EXPERT: Connect4Evaluator = Connect4Evaluator { evaluation: Connect4Evaluation::Threats };

/// Without proofs: what is left are the formulas.
fn unproved<E>(evaluator: E, options: PuctOptions) -> TreeSearch<E> {
    let options = TreeOptions { solver: false, ..TreeOptions::puct(options) };
    TreeSearch { evaluator, options }
}

/// Visits of a root move.
fn visits(value: Value) -> u64 {
    match value {
        Value::Estimate { simulations, .. } => simulations,
        Value::Unknown => 0,
        other => panic!("{other:?} is no estimate"),
    }
}

/// Thinks of a move only which file it is on.
#[derive(Clone)]
struct Opinionated;

fn opinion(mv: u8) -> f32 {
    f32::from(mv % 4) / 2.0
}

impl Evaluator<Connect4> for Opinionated {
    fn bound(&self) -> i32 {
        Evaluator::<Connect4>::bound(&EXPERT)
    }

    fn evaluate(&mut self, pos: &Connect4, mover: Side) -> i32 {
        EXPERT.clone().evaluate(pos, mover)
    }

    fn win_probability(&self, value: f64) -> f64 {
        Evaluator::<Connect4>::win_probability(&EXPERT, value)
    }

    fn policy(&mut self, _: &Connect4, _: Side, moves: &[u8], out: &mut Vec<f32>) -> bool {
        out.extend(moves.iter().map(|&mv| opinion(mv)));
        true
    }
}

/// The priors of a policy: e to the power of the logits.
fn by_opinion(pos: &Connect4, _: Side) -> Vec<f64> {
    let weights: Vec<_> =
        pos.legal_moves().iter().map(|&mv| f64::from(opinion(mv)).exp()).collect();
    let all: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / all).collect()
}

/// The priors of an order: r^-1.5 for the rank r, equals share.
fn by_order(pos: &Connect4, mover: Side) -> Vec<f64> {
    let moves = pos.legal_moves();
    let order: Vec<_> = moves.iter().map(|&mv| EXPERT.order(pos, mover, mv)).collect();
    let weight = |rank: usize| (rank as f64).powf(-1.5);
    let all: f64 = (1..=moves.len()).map(weight).sum();
    let share = |own: &i32| {
        let better = order.iter().filter(|other| *other > own).count();
        let equal = order.iter().filter(|other| *other == own).count();
        let shared: f64 = (better + 1..=better + equal).map(weight).sum();
        shared / equal as f64 / all
    };
    order.iter().map(share).collect()
}

/// A node of the slow search: how often it was visited, and what came of it for the first side.
struct Slow {
    pos: Connect4,
    prior: f64,
    visits: u64,
    sum: f64,
    children: Vec<Slow>,
    priors: fn(&Connect4, Side) -> Vec<f64>,
}

impl Slow {
    fn new(pos: Connect4, prior: f64, priors: fn(&Connect4, Side) -> Vec<f64>) -> Self {
        Self { pos, prior, visits: 0, sum: 0.0, children: Vec::new(), priors }
    }

    fn mean(&self, side: Side) -> f64 {
        let mean = if self.visits == 0 { 0.0 } else { self.sum / self.visits as f64 };
        if side == Side::First { mean } else { -mean }
    }

    fn expand(&mut self, mover: Side) {
        let moves = self.pos.legal_moves();
        let priors = (self.priors)(&self.pos, mover);
        let child = |(&mv, prior)| Self::new(self.pos.after(mv), prior, self.priors);
        self.children = moves.iter().zip(priors).map(child).collect();
    }

    /// A simulation: its result for the first side, 0 to 1.
    fn simulate(&mut self, options: PuctOptions, is_root: bool) -> f64 {
        let is_first = self.visits == 0 && !is_root;
        let result = match self.pos.turn() {
            Turn::Over(Outcome::Win(Side::First)) => 1.0,
            Turn::Over(Outcome::Win(Side::Second)) => 0.0,
            Turn::Over(_) => 0.5,
            Turn::Of(mover) if is_first => first_look(&self.pos, mover),
            Turn::Of(mover) => {
                if self.children.is_empty() {
                    self.expand(mover);
                }
                let parent = self.mean(mover);
                let root = (self.visits as f64 + 1.0).sqrt();
                let bound = |child: &Self| {
                    let unvisited = parent - options.fpu;
                    let mean = if child.visits == 0 { unvisited } else { child.mean(mover) };
                    mean + options.c_puct * child.prior * root / (1 + child.visits) as f64
                };
                let bounds: Vec<_> = self.children.iter().map(bound).collect();
                let best = (0..bounds.len()).rev().max_by(|&a, &b| bounds[a].total_cmp(&bounds[b]));
                self.children[best.expect("a move")].simulate(options, false)
            }
            Turn::Chance(never) => match never {},
        };
        self.visits += 1;
        self.sum += result;
        result
    }
}

/// What the evaluator says of a new position, for the first side.
fn first_look(pos: &Connect4, mover: Side) -> f64 {
    let mut evaluator = EXPERT;
    evaluator.enter(pos);
    let value = evaluator.evaluate(pos, mover);
    let of_mover = evaluator.win_probability(f64::from(value));
    if mover == Side::First { of_mover } else { 1.0 - of_mover }
}

fn check_visits<E: Evaluator<Connect4>>(evaluator: &E, priors: fn(&Connect4, Side) -> Vec<f64>) {
    let options = PuctOptions { c_puct: 1.3, fpu: 0.15, ..PuctOptions::default() };
    let mut checked = 0;
    // A win in one is taken at once, whatever the formulas say.
    let rows = connect4_from(6).into_iter().filter(|(_, row)| row["win_in_one"] != true);
    for (pos, row) in rows.step_by(3) {
        let mut slow = Slow::new(pos, 1.0, priors);
        for _ in 0..400 {
            slow.simulate(options, true);
        }
        let report = ask(&unproved(evaluator.clone(), options), &pos, 400, Wanted::One, 1, 1);
        for (child, mv) in slow.children.iter().zip(pos.legal_moves()) {
            let line = report.lines.iter().find(|line| line.moves[0] == mv).expect("each move");
            let seen = visits(line.value);
            assert!(
                seen.abs_diff(child.visits) <= 2,
                "{mv}: {seen}, not {} in {row}",
                child.visits
            );
        }
        checked += 1;
    }
    assert!(checked > 20, "{checked} positions");
}

#[test]
fn visits_are_those_of_the_formulas() {
    check_visits(&EXPERT, by_order);
}

#[test]
fn a_policy_gives_the_priors_where_there_is_one() {
    check_visits(&Opinionated, by_opinion);
}

#[test]
fn candidates_come_before_other_moves() {
    let method = unproved(Narrow, PuctOptions::default());
    let report = ask(&method, &TicTacToe::default(), 30, Wanted::One, 1, 1);
    let of =
        |mv| report.lines.iter().find(|line| line.moves[0] == mv).map(|line| visits(line.value));
    let counts: Vec<_> = (0..9).map(|mv| of(mv).expect("each move")).collect();
    let (listed, others) = counts.split_at(2);
    assert!(listed.iter().min() > others.iter().max(), "{counts:?}");
}

/// Likes all moves equally, and lists two of them.
#[derive(Clone)]
struct NarrowPolicy;

impl Evaluator<TicTacToe> for NarrowPolicy {
    const LISTS_ALL: bool = false;

    fn bound(&self) -> i32 {
        1
    }

    fn evaluate(&mut self, _: &TicTacToe, _: Side) -> i32 {
        0
    }

    fn candidates(&self, pos: &TicTacToe, mover: Side, out: &mut Vec<u8>) -> bool {
        Narrow.candidates(pos, mover, out)
    }

    fn policy(&mut self, _: &TicTacToe, _: Side, moves: &[u8], out: &mut Vec<f32>) -> bool {
        out.extend(moves.iter().map(|_| 0.0));
        true
    }
}

/// Seven moves that are no candidates are together as likely as one candidate.
#[test]
fn what_is_no_candidate_shares_one_prior() {
    let method = unproved(NarrowPolicy, PuctOptions { c_puct: 10.0, ..PuctOptions::default() });
    let report = ask(&method, &TicTacToe::default(), 300, Wanted::One, 1, 1);
    let of = |mv| report.lines.iter().find(|line| line.moves[0] == mv).expect("each move");
    let counts: Vec<_> = (0..9).map(|mv| visits(of(mv).value)).collect();
    let others: u64 = counts[2..].iter().sum();
    assert!((70..=130).contains(&others), "{counts:?}");
}

fn shares(options: PuctOptions, seed: u64) -> Report<u8> {
    ask(&unproved(EXPERT, options), &Connect4::default(), 200, Wanted::One, seed, 1)
}

#[test]
fn noise_comes_from_the_seed_and_only_where_it_is_asked_for() {
    let quiet = PuctOptions::default();
    assert_eq!(shares(quiet, 1).lines, shares(quiet, 2).lines);
    let noisy = PuctOptions { noise: 0.25, ..quiet };
    assert_eq!(shares(noisy, 1).lines, shares(noisy, 1).lines);
    assert_ne!(shares(noisy, 1).lines, shares(noisy, 2).lines);
}

/// The variance of a share of n by the concentration a is (n - 1) / (n^2 (n a + 1)).
#[test]
fn noise_is_spread_as_its_distribution_says() {
    let (n, concentration, draws) = (7, 10.0 / 7.0, 4_000);
    let mut rng = Rng::new(4);
    let mut squares = 0.0;
    for _ in 0..draws {
        let shares = rng.dirichlet(concentration, n);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
        squares += (shares[0] - 1.0 / n as f64).powi(2);
    }
    let of = n as f64;
    let variance = (of - 1.0) / (of * of * (of * concentration + 1.0));
    let found = squares / f64::from(draws);
    assert!((found / variance - 1.0).abs() < 0.1, "{found}, not {variance}");
    assert!(rng.dirichlet(1e-9, 3).iter().sum::<f64>() > 0.99, "however small");
}

#[test]
fn playouts_count_as_far_as_they_are_asked_for() {
    // The evaluator calls everything even: what differs comes from playouts.
    let even = |playout_share| {
        let options = PuctOptions { playout_share, ..PuctOptions::default() };
        let start = Connect4::default();
        ask(&unproved(Plain, options), &start, 7, Wanted::All, 3, 1).lines
    };
    assert!(even(0.0).iter().all(|line| expected(line.value) == 0.5));
    for line in even(0.5) {
        assert!([0.25, 0.5, 0.75].contains(&expected(line.value)), "{line:?}");
    }
    for line in even(1.0) {
        assert!([0.0, 0.5, 1.0].contains(&expected(line.value)), "{line:?}");
    }
}
