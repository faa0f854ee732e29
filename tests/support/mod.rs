//! Shared support of the test files: toys that prove the contract, an evaluator full of ties, random
//! positions and trees, and the recorded data.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "every test file uses its own part")]
pub mod http2;
pub mod jobs;
pub mod keyed;
pub mod nats;
pub mod pig;
pub mod server;
pub mod streamed;

use std::path::Path;

use bestmove::catalog::Catalog;
use bestmove::game::{Chance, Evaluator, Game, MoveList, Rng, Side, Turn};
use bestmove::games::tree::{NodeKind, TreeNode, TreeNodes};
use bestmove::notation::StateInput;
use bestmove::search::{Algorithm, Budget, Job, Report, Value, Wanted};
use serde_json::Value as Json;

/// A file of `tests/data`.
pub fn data(name: &str) -> Json {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path:?}: {why}"));
    serde_json::from_str(&text).unwrap_or_else(|why| panic!("{path:?}: {why}"))
}

/// A game of random moves, at most so long.
pub fn random_game(game: &str, plies: usize, seed: u64) -> Vec<String> {
    let catalog = Catalog::default();
    let game = catalog.game(game).expect("a game");
    let mut position = game
        .open(StateInput::Start, &[], &mut serde_json::Map::new())
        .expect("a game has a start position");
    let (mut rng, mut moves) = (Rng::new(seed), Vec::new());
    while let Some(mv) = position.roll(&mut rng).or_else(|| position.draw(&mut rng)) {
        if moves.len() == plies || position.result().is_some() {
            break;
        }
        position.play(&mv).expect("it is legal");
        moves.push(mv);
    }
    moves
}

/// Meaningless evaluator with many ties: a few values drawn from the position's hash. All else is the
/// wrapped evaluator's.
#[derive(Clone, Debug)]
pub struct Hashed<E>(pub E);

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Hashed<E> {
    const LISTS_ALL: bool = E::LISTS_ALL;
    const MOVES: MoveList = E::MOVES;

    fn bound(&self) -> i32 {
        if G::PAYOFFS { self.0.bound().max(3) } else { 3 }
    }

    fn evaluate(&mut self, pos: &G, mover: Side) -> i32 {
        let value = (pos.hash() % 7) as i32 - 3;
        value * mover.sign()
    }

    fn candidates(&self, pos: &G, mover: Side, out: &mut Vec<G::Move>) -> bool {
        self.0.candidates(pos, mover, out)
    }

    fn lookahead(
        &self,
        pos: &G,
        mover: Side,
        depth: u32,
        list: MoveList,
        out: &mut Vec<G::Move>,
    ) -> bestmove::game::Lookahead {
        self.0.lookahead(pos, mover, depth, list, out)
    }

    fn solve_payoff(&self, pos: &G, mover: Side, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        self.0.solve_payoff(pos, mover, depth, alpha, beta)
    }

    fn next_depth(&self, root: &G, depth: u32, selective: bool) -> u32 {
        self.0.next_depth(root, depth, selective)
    }

    fn order(&self, pos: &G, mover: Side, mv: G::Move) -> i32 {
        self.0.order(pos, mover, mv)
    }
}

/// The position after up to `plies` random moves, chance included; `None` when the game ends.
pub fn random_position<G: Game>(start: &G, plies: usize, rng: &mut Rng) -> Option<G> {
    let mut pos = start.clone();
    for _ in 0..plies {
        let mv = match pos.turn() {
            Turn::Over(_) => return None,
            Turn::Chance(event) => event.sample(&pos, rng),
            Turn::Of(_) => pos.random_move(rng, &mut Vec::new())?,
        };
        pos.play(mv);
    }
    (matches!(pos.turn(), Turn::Of(_)) && !pos.legal_moves().is_empty()).then_some(pos)
}

/// A value without the proof of a payoff: at one depth, one method may see the end and another not.
pub fn unproved(value: Value) -> Value {
    match value {
        Value::Payoff(payoff) => Value::Heuristic(payoff.into()),
        value => value,
    }
}

/// A budget of plies.
pub fn depth(depth: u32) -> Budget {
    Budget { depth: Some(depth), ..Budget::default() }
}

/// A budget of playouts.
pub fn simulations(count: u64) -> Budget {
    Budget { simulations: Some(count), ..Budget::default() }
}

/// Runs a method alone on an unfinished position.
pub fn run<G: Game>(
    method: &impl Algorithm<G>,
    root: &G,
    budget: Budget,
    wanted: Wanted,
) -> Report<G::Move> {
    run_seeded(method, root, budget, wanted, 7, 1)
}

/// The same with a seed and a number of threads.
pub fn run_seeded<G: Game>(
    method: &impl Algorithm<G>,
    root: &G,
    budget: Budget,
    wanted: Wanted,
    seed: u64,
    threads: usize,
) -> Report<G::Move> {
    method.run(&Job { wanted, seed, threads, ..Job::new(root, &root.legal_moves(), budget) })
}

/// Properties of a random tree.
#[derive(Clone, Copy, Debug)]
pub struct TreeShape {
    /// True if a side may move twice in a row.
    pub repeated_movers: bool,
    /// True if there are chance nodes.
    pub chance: bool,
    /// Levels below the root.
    pub levels: u32,
}

/// A random tree with few different leaf values, so that ties are frequent.
pub fn random_tree(shape: TreeShape, rng: &mut Rng) -> TreeNodes {
    let mut nodes = Vec::new();
    grow(shape, Side::First, shape.levels, &mut nodes, rng);
    nodes
}

fn grow(shape: TreeShape, next: Side, levels: u32, nodes: &mut TreeNodes, rng: &mut Rng) -> u16 {
    let index = nodes.len();
    nodes.push(TreeNode { name: format!("n{index}"), kind: NodeKind::Leaf(0) });
    let is_root = index == 0;
    nodes[index].kind = if levels == 0 || (!is_root && rng.below(6) == 0) {
        NodeKind::Leaf((rng.below(11) as i32 - 5) * 1_000)
    } else {
        let count = 1 + rng.below(4);
        if shape.chance && !is_root && rng.below(3) == 0 {
            let weights: Vec<f64> = (0..count).map(|_| 0.05 + rng.unit()).collect();
            let sum: f64 = weights.iter().sum();
            let outcomes = weights
                .iter()
                .map(|weight| (grow(shape, next, levels - 1, nodes, rng), weight / sum));
            NodeKind::Nature(outcomes.collect())
        } else {
            let side = if shape.repeated_movers && rng.below(2) == 0 { next.other() } else { next };
            let side = if is_root { Side::First } else { side };
            let children = (0..count).map(|_| grow(shape, side.other(), levels - 1, nodes, rng));
            NodeKind::Choice(side, children.collect())
        }
    };
    index as u16
}
