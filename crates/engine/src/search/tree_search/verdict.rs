//! Report of a tree search on the root moves.

use super::arena::{Arena, ArenaNode, ROOT};
use super::options::{FinalChoice, TreeOptions};
use super::proof::Proof;
use super::top;
use crate::game::{Game, Info, Side, Turn};
use crate::search::montecarlo::stderr;
use crate::search::playout::seen_by;
use crate::search::{Job, Line, Report, Stats, StopReason, Value};

/// A root move, summed over the worlds.
struct RootChoice<M> {
    line: Vec<M>,
    visits: u64,
    /// Mean result for the mover.
    mean: f64,
    /// Proof, if every world has it.
    proof: Proof,
}

pub(super) fn report<G: Game>(
    job: &Job<'_, G>,
    options: &TreeOptions,
    trees: &[Arena],
    stats: Stats,
    stopped: StopReason,
) -> Report<G::Move> {
    let mut choices: Vec<_> = (0..job.moves.len()).map(|n| choice(job, trees, n)).collect();
    // All visits but one of the root are visits of its children.
    let visits = 1 + choices.iter().map(|choice| choice.visits).sum::<u64>();
    let exploration = options.c * (2.0 * (visits as f64).ln()).sqrt();
    let key = |choice: &RootChoice<G::Move>| {
        let doubt = 2.0 * stderr(choice.mean, choice.visits);
        match (choice.proof.rank(job.mover), options.final_choice) {
            (0, _) if choice.visits == 0 => (0, -1.0),
            (0, FinalChoice::Robust) => (0, choice.visits as f64),
            (0, FinalChoice::Max) => (0, choice.mean),
            (0, FinalChoice::Lcb) => (0, choice.mean - doubt),
            (0, FinalChoice::Ucb) => (0, choice.mean + exploration / (choice.visits as f64).sqrt()),
            (rank, _) => (rank, 0.0),
        }
    };
    let order = |a: &RootChoice<G::Move>, b: &RootChoice<G::Move>| {
        let (a, b) = (key(a), key(b));
        b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
    };
    choices.sort_by(order);
    agree(&mut choices, job.mover);
    let is_tie = |other: &&RootChoice<G::Move>| {
        order(&choices[0], other).is_eq() && other.mean == choices[0].mean
    };
    let best_ties = choices.iter().take_while(is_tie).count();
    let mut proofs = choices.iter().map(|choice| choice.proof);
    let wins = proofs.clone().next().is_some_and(|best| best.rank(job.mover) > 0);
    let settled = wins || proofs.all(|proof| proof != Proof::Open);
    let lines = choices.into_iter().map(|choice| Line {
        value: value(choice.proof, choice.mean, choice.visits, job.mover),
        exact: choice.proof.is_exact(job.mover),
        rated: choice.visits > 0,
        moves: choice.line,
        bounded: false,
        worlds: Vec::new(),
    });
    let top = match trees {
        [tree] if !G::Info::HIDDEN => top::top(job, tree),
        // There is no one tree: a node is a position in one world.
        _ => Vec::new(),
    };
    Report { lines: lines.collect(), settled, best_ties, stats, stopped, top }
}

/// Puts the others behind the first by their values, none above its own: a mean of fewer visits that is greater
/// would have been visited more, had it lasted. A draw that is proved is better than a mean below it.
fn agree<M>(choices: &mut [RootChoice<M>], mover: Side) {
    let is_worse = choices[0].proof == Proof::Open && choices[0].mean < 0.5;
    if let Some(draw) = choices.iter().position(|choice| choice.proof == Proof::Draw)
        && is_worse
    {
        choices[..=draw].rotate_right(1);
    }
    let Some((first, others)) = choices.split_first_mut() else { return };
    for other in others.iter_mut().filter(|other| other.proof == Proof::Open) {
        if first.proof.rank(mover) == 0 {
            other.mean = other.mean.min(first.mean);
        }
    }
    let worth = |choice: &RootChoice<M>| match choice.proof.rank(mover) {
        0 if choice.visits == 0 => (0, -1.0),
        rank => (rank, choice.mean),
    };
    others.sort_by(|a, b| {
        let (a, b) = (worth(a), worth(b));
        b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
    });
}

/// Value for the mover of what so many visits, of this mean result, or a proof tell.
pub(super) fn value(proof: Proof, mean: f64, visits: u64, mover: Side) -> Value {
    match proof {
        Proof::Draw => Value::Draw,
        Proof::Win(side, plies) if side == mover => Value::Win(plies),
        Proof::Win(_, plies) => Value::Loss(plies),
        Proof::Open if visits == 0 => Value::Unknown,
        Proof::Open => Value::Estimate { mean, simulations: visits, stderr: stderr(mean, visits) },
    }
}

/// Result of a node for the first side, 0 to 1: proved, or the mean.
pub(super) fn mean_result(node: &ArenaNode) -> f64 {
    node.proof().result().unwrap_or_else(|| f64::from(node.mean()))
}

fn choice<G: Game>(job: &Job<'_, G>, trees: &[Arena], n: usize) -> RootChoice<G::Move> {
    let nodes: Vec<&ArenaNode> = trees
        .iter()
        .filter_map(|tree| Some(tree.node(tree.node(ROOT).family()?.children.start + n as u32)))
        .collect();
    let visits: u64 = nodes.iter().map(|node| u64::from(node.visits())).sum();
    let sum: f64 = nodes.iter().map(|node| f64::from(node.visits()) * mean_result(node)).sum();
    let proof = match nodes.first().map_or(Proof::Open, |node| node.proof()) {
        proof if nodes.iter().all(|node| node.proof() == proof) => proof.one_more(),
        _ => Proof::Open,
    };
    let line = match trees {
        [tree] if !G::Info::HIDDEN => line(job, tree, n),
        // Continuations differ between worlds.
        _ => vec![job.moves[n]],
    };
    RootChoice { line, visits, mean: seen_by(job.mover, sum / visits.max(1) as f64), proof }
}

/// The move and the most visited continuation, up to the first chance node.
fn line<G: Game>(job: &Job<'_, G>, tree: &Arena, n: usize) -> Vec<G::Move> {
    let mut line = vec![job.moves[n]];
    let Some(family) = tree.node(ROOT).family() else { return line };
    let mut node = tree.node(family.children.start + n as u32);
    let mut pos = job.root.after(job.moves[n]);
    let mut moves = Vec::new();
    while let (Turn::Of(mover), Some(family)) = (pos.turn(), node.family()) {
        moves.clear();
        pos.moves(&mut moves);
        let nodes = tree.nodes(family.children);
        let key = |n: &usize| (nodes[*n].proof().rank(mover), nodes[*n].visits());
        let Some(best) = (0..moves.len()).rev().max_by_key(key) else { break };
        if nodes[best].visits() == 0 {
            break;
        }
        line.push(moves[best]);
        pos.play(moves[best]);
        node = &nodes[best];
    }
    line
}
