//! Monte Carlo tree search from the empty board: `treant`, `monte-carlo-tree-search` and, in its own file,
//! `minimax`. Time is measured from a search's first allocation to the freeing of its tree.

use std::f64::consts::SQRT_2;

use monte_carlo_tree_search as mcts;
use monte_carlo_tree_search::{CountWdl, Explorer, Player, Search, TwoPlayerGame, Ucb};
use rand::{Rng, SeedableRng, rngs::SmallRng};
use serde_json::{Value, json};
use treant::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle, tree_policy::UCTPolicy};

use crate::{
    board::{Board, Moves},
    median_run, minimax_peer, timed,
};

const SEED: u64 = 1;
type Peer = (&'static str, fn(u32) -> Option<u8>);
const PEERS: [Peer; 3] = [
    ("treant", treant_move),
    ("monte-carlo-tree-search", mcts_move),
    ("minimax", minimax_peer::mcts),
];

pub fn all(playouts: u32) -> Vec<Value> {
    PEERS.iter().map(|peer| report(peer, playouts)).collect()
}

pub fn one(name: &str, playouts: u32) -> Option<Value> {
    PEERS.iter().find(|peer| peer.0 == name).map(|peer| report(peer, playouts))
}

fn report(&(peer, search): &Peer, playouts: u32) -> Value {
    let (column, cpu_s) = median_run(|| timed(|| search(playouts)));
    json!({
        "peer": peer,
        "case": format!("uct {playouts}"),
        "cpu_s": cpu_s,
        "nodes_or_playouts": playouts,
        "playouts_per_s": f64::from(playouts) / cpu_s,
        "move": column.map(|column| column + 1),
    })
}

/// Adapter of the board for `treant`.
#[derive(Clone)]
struct State(Board);

impl GameState for State {
    type Move = u8;
    /// True for the first player.
    type Player = bool;
    type MoveList = Moves;

    fn current_player(&self) -> bool {
        self.0.first_to_move()
    }

    fn available_moves(&self) -> Moves {
        if self.0.result().is_some() { [0; 7].into_iter().take(0) } else { self.0.moves() }
    }

    fn make_move(&mut self, column: &u8) {
        self.0 = self.0.play(*column);
    }
}

struct PlayoutRng(SmallRng);

impl Default for PlayoutRng {
    fn default() -> Self {
        Self(SmallRng::seed_from_u64(SEED))
    }
}

struct Uct;

impl MCTS for Uct {
    type State = State;
    type Eval = Playout;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = PlayoutRng;
}

struct Playout;

impl Evaluator<Uct> for Playout {
    /// Result of the playout for the first player.
    type StateEvaluation = i64;

    fn evaluate_new_state(
        &self,
        state: &State,
        moves: &Moves,
        handle: Option<SearchHandle<Uct>>,
    ) -> (Vec<()>, i64) {
        // Only the root has no handle, and nothing is backed up from there.
        let result = handle
            .map_or(0, |mut handle| state.0.playout(&mut handle.thread_data().extra_data.0).into());
        let first = state.0.first_to_move();
        (vec![(); moves.len()], if first { result } else { -result })
    }

    fn evaluate_existing_state(&self, _: &State, known: &i64, _: SearchHandle<Uct>) -> i64 {
        *known
    }

    fn interpret_evaluation_for_player(&self, result: &i64, first: &bool) -> i64 {
        if *first { *result } else { -*result }
    }
}

fn treant_move(playouts: u32) -> Option<u8> {
    let root = State(Board::default());
    // On results from -1 to 1 the policy's doubled term makes this UCB1's usual exploration.
    let mut search = MCTSManager::new(root, Uct, Playout, UCTPolicy::new(SQRT_2), ());
    search.playout_n(playouts.into());
    search.best_move()
}

/// Adapter of the board for `monte-carlo-tree-search`.
impl TwoPlayerGame for Board {
    type Move = u8;

    fn state<'a>(&self, moves: &'a mut Vec<u8>) -> mcts::GameState<'a, u8> {
        moves.clear();
        match self.result() {
            None => {
                moves.extend(self.moves());
                mcts::GameState::Moves(moves)
            }
            Some(0) => mcts::GameState::Draw,
            Some(_) if self.first_to_move() => mcts::GameState::WinPlayerTwo,
            Some(_) => mcts::GameState::WinPlayerOne,
        }
    }

    fn play(&mut self, column: &u8) {
        *self = Board::play(*self, *column);
    }

    fn current_player(&self) -> Player {
        if self.first_to_move() { Player::One } else { Player::Two }
    }
}

/// The crate's UCB with a playout that keeps no list of moves.
struct FastUcb(Ucb<Board>);

impl Explorer<Board> for FastUcb {
    type Evaluation = CountWdl;
    type Delta = CountWdl;

    fn bias(&mut self, board: Board, rng: &mut impl Rng) -> CountWdl {
        let mut count = CountWdl::default();
        match board.playout(rng) {
            0 => count.draws = 1,
            1 => count.report_win_for(board.current_player()),
            _ => count.report_win_for(board.current_player().opponent()),
        }
        count
    }

    fn unexplored_bias(&self) -> CountWdl {
        self.0.unexplored_bias()
    }

    fn reevaluate(&mut self, board: Board, evaluation: &mut CountWdl) -> CountWdl {
        self.0.reevaluate(board, evaluation)
    }

    fn selected_child_pos<'a>(
        &self,
        parent: &CountWdl,
        children: impl ExactSizeIterator<Item = &'a CountWdl>,
        player: Player,
    ) -> Option<usize> {
        self.0.selected_child_pos(parent, children, player)
    }

    fn update(
        &mut self,
        old: &mut CountWdl,
        siblings: impl Iterator<Item = Option<CountWdl>>,
        delta: CountWdl,
        player: Player,
    ) -> CountWdl {
        self.0.update(old, siblings, delta, player)
    }

    fn initial_delta(&self, evaluation: &CountWdl) -> CountWdl {
        self.0.initial_delta(evaluation)
    }

    fn is_solved(&self, evaluation: &CountWdl) -> bool {
        self.0.is_solved(evaluation)
    }
}

fn mcts_move(playouts: u32) -> Option<u8> {
    let mut rng = SmallRng::seed_from_u64(SEED);
    let policy = FastUcb(Ucb::new());
    Search::with_playouts(Board::default(), policy, playouts, &mut rng).best_move()
}
