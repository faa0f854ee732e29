//! The laws of every game, as checks: a new game's test calls them with a start position.
//!
//! They play random games and panic where a law is broken, with the moves that lead there. The
//! searches rely on all of them; none is checked at run time.

mod evaluator;
mod fitted;
mod info;

use std::collections::HashMap;

pub use evaluator::check_evaluator;
pub use fitted::check_fitted;

use super::{Chance, Game, Indexed, Outcome, Rng, Turn};

/// Maximum plies of a game in [`check_game`].
pub const LONGEST: usize = 1_000;
/// In positions with at most this many moves, `random_move` must draw each of them.
const FEW: usize = 8;
/// Draws per move in such positions: the chance to miss one is below 10^-13.
const DRAWS: usize = 32;
/// Draws per distribution in a frequency check.
const SAMPLES: usize = 4_000;
/// Chance events of a run with a frequency check.
const CLOSE_LOOKS: usize = 20;

/// Random continuations compared for two positions with equal hashes.
const FUTURES: usize = 4;

/// Common properties of positions with equal hashes: the turn, the codes of the successor moves, and the
/// hashes of the successor positions.
type Future<G> = (Turn<<G as Game>::Chance>, Vec<u16>, Vec<u64>);

fn future<G: Game>(pos: &G) -> Future<G> {
    let moves = successors(pos);
    let codes = moves.iter().map(|&mv| G::move_code(mv)).collect();
    (pos.turn(), codes, moves.iter().map(|&mv| pos.after(mv).hash()).collect())
}

/// State of one run of the laws: positions met so far and the current game.
struct LawRun<G: Game> {
    rng: Rng,
    known: HashMap<u64, G>,
    events: usize,
    line: Vec<G::Move>,
}

/// Moves or chance outcomes of a position; empty when the game is over.
fn successors<G: Game>(pos: &G) -> Vec<G::Move> {
    let Turn::Chance(event) = pos.turn() else { return pos.legal_moves() };
    let mut outcomes = Vec::new();
    event.outcomes(pos, &mut outcomes);
    outcomes.into_iter().map(|(mv, _)| mv).collect()
}

/// Plays `games` random games from `start`, none longer than [`LONGEST`], and checks every law of
/// [`Game`], [`Chance`] and [`Info`](super::Info) in every position met.
///
/// # Panics
/// Where a law is broken.
pub fn check_game<G: Game>(start: &G, seed: u64, games: usize) {
    check_game_within(start, seed, games, LONGEST);
}

/// [`check_game`] with another limit on the length of a game, in plies.
///
/// # Panics
/// Where a law is broken.
pub fn check_game_within<G: Game>(start: &G, seed: u64, games: usize, longest: usize) {
    let rng = Rng::new(seed);
    let mut run = LawRun { rng, known: HashMap::new(), events: 0, line: Vec::new() };
    run.check_uniform(start);
    for _ in 0..games {
        let mut pos = start.clone();
        run.line.clear();
        while let Some(mv) = run.check_position(&pos) {
            assert!(run.line.len() < longest, "no end after {longest} plies: {:?}", run.line);
            run.line.push(mv);
            pos.play(mv);
        }
    }
}

impl<G: Game> LawRun<G> {
    /// Checks a position and returns a random move or outcome, `None` at the end of the game.
    fn check_position(&mut self, pos: &G) -> Option<G::Move> {
        self.check_moves(pos);
        self.check_standing(pos);
        self.check_hash(pos);
        info::check(pos, &mut self.rng, &self.line);
        match pos.turn() {
            Turn::Over(_) => None,
            Turn::Of(_) => self.check_random_move(pos),
            Turn::Chance(event) => Some(self.check_chance(event, pos)),
        }
    }

    fn check_moves(&self, pos: &G) {
        let line = &self.line;
        let moves = pos.legal_moves();
        let mut appended = moves.clone();
        pos.moves(&mut appended);
        let twice = [&moves[..], &moves[..]].concat();
        assert_eq!(appended, twice, "moves are appended, each time the same, after {line:?}");
        for (n, mv) in moves.iter().enumerate() {
            assert!(!moves[..n].contains(mv), "{mv:?} is listed twice after {line:?}");
            let same = moves[..n].iter().find(|&&other| G::move_code(other) == G::move_code(*mv));
            assert_eq!(same, None, "{mv:?} shares its code with this one after {line:?}");
        }
        if !matches!(pos.turn(), Turn::Of(_)) {
            assert_eq!(moves, [], "nobody is to move after {line:?}");
        }
    }

    fn check_standing(&self, pos: &G) {
        let line = &self.line;
        assert_eq!(pos.turn(), pos.clone().turn(), "a copy has the same turn after {line:?}");
        let expected = match pos.turn() {
            Turn::Of(mover) if pos.legal_moves().is_empty() => Turn::Over(pos.stuck(mover)),
            turn => turn,
        };
        assert_eq!(pos.standing(), expected, "the standing after {line:?}");
        if let Turn::Over(Outcome::Payoff(_)) = expected {
            assert!(G::PAYOFFS, "a payoff in a game without them after {line:?}");
        }
    }

    /// Equal hashes imply equal futures: a position met before with this hash, by any path, must have the
    /// same continuations.
    fn check_hash(&mut self, pos: &G) {
        let line = &self.line;
        let hash = pos.hash();
        assert_eq!(pos.clone().hash(), hash, "a copy has the same hash after {line:?}");
        assert_eq!(future(pos), future(pos), "play has one result after {line:?}");
        assert_eq!(pos.hash(), hash, "a copy is played, not the position itself, after {line:?}");
        let Some(known) = self.known.get(&hash) else {
            self.known.insert(hash, pos.clone());
            return;
        };
        for _ in 0..FUTURES {
            let (mut one, mut other) = (known.clone(), pos.clone());
            loop {
                let next = future(&one);
                assert_eq!(next, future(&other), "two futures under one hash after {line:?}");
                let Some(mv) = self.rng.pick(&successors(&one)) else { break };
                one.play(mv);
                other.play(mv);
            }
        }
    }

    fn check_random_move(&mut self, pos: &G) -> Option<G::Move> {
        let line = &self.line;
        let moves = pos.legal_moves();
        let draws = if moves.len() <= FEW { DRAWS * moves.len() } else { 1 };
        let mut drawn = Vec::new();
        for _ in 0..draws.max(1) {
            let Some(mv) = pos.random_move(&mut self.rng, &mut Vec::new()) else {
                assert_eq!(moves, [], "a move exists and none is drawn after {line:?}");
                return None;
            };
            assert!(moves.contains(&mv), "{mv:?} is drawn and not legal after {line:?}");
            drawn.push(mv);
        }
        if moves.len() <= FEW {
            let missed = moves.iter().find(|mv| !drawn.contains(mv));
            assert_eq!(missed, None, "never drawn after {line:?}");
        }
        drawn.last().copied()
    }

    /// All moves of the start position are equally likely to be drawn.
    fn check_uniform(&mut self, start: &G) {
        let moves = start.legal_moves();
        if !matches!(start.turn(), Turn::Of(_)) || moves.is_empty() {
            return;
        }
        let p = 1.0 / moves.len() as f64;
        let draws = SAMPLES * moves.len().min(FEW);
        let drawn: Vec<_> =
            (0..draws).filter_map(|_| start.random_move(&mut self.rng, &mut Vec::new())).collect();
        for mv in &moves {
            assert_frequency(&drawn, mv, p);
        }
    }

    fn check_chance(&mut self, event: G::Chance, pos: &G) -> G::Move {
        let line = &self.line;
        assert!(G::Chance::EXISTS, "chance acts and does not exist after {line:?}");
        let (mut outcomes, mut again) = (Vec::new(), Vec::new());
        event.outcomes(pos, &mut outcomes);
        event.outcomes(pos, &mut again);
        assert_eq!(outcomes, again, "outcomes have a fixed order after {line:?}");
        let sum: f64 = outcomes.iter().map(|(_, p)| p).sum();
        assert!((sum - 1.0).abs() < 1e-9, "probabilities sum to {sum} after {line:?}");
        for (n, (mv, p)) in outcomes.iter().enumerate() {
            assert!(*p > 0.0, "{mv:?} has the probability {p} after {line:?}");
            let same = outcomes[..n]
                .iter()
                .any(|(other, _)| other == mv || G::move_code(*other) == G::move_code(*mv));
            assert!(!same, "{mv:?} or its code is listed twice after {line:?}");
        }
        self.events += 1;
        let draws = if self.events <= CLOSE_LOOKS { SAMPLES } else { 1 };
        let drawn: Vec<_> = (0..draws).map(|_| event.sample(pos, &mut self.rng)).collect();
        for mv in &drawn {
            let listed = outcomes.iter().any(|(outcome, _)| outcome == mv);
            assert!(listed, "{mv:?} is drawn and no outcome after {line:?}");
        }
        if draws == SAMPLES {
            for (mv, p) in &outcomes {
                assert_frequency(&drawn, mv, *p);
            }
        }
        drawn[0]
    }
}

/// Tolerance of six standard deviations: a true distribution stays within it in a million runs.
fn assert_frequency<M: PartialEq + std::fmt::Debug>(drawn: &[M], mv: &M, p: f64) {
    let n = drawn.len() as f64;
    let count = drawn.iter().filter(|other| *other == mv).count() as f64;
    let slack = 6.0 * (n * p * (1.0 - p)).sqrt() + 1.0;
    assert!((count - n * p).abs() < slack, "{mv:?} comes {count} times in {n}, not {}", n * p);
}

/// Checks that indices identify positions, over the whole range and along random games, and that positions
/// of one symmetry class have the same value.
///
/// # Panics
/// Where they do not.
pub fn check_indexed<G: Indexed>(start: &G, seed: u64, games: usize) {
    for index in 0..G::STATES {
        if let Some(pos) = G::at(index) {
            assert_eq!(pos.index(), index, "the number of position {index}");
            let class = G::at(pos.class()).map(|kin| kin.class());
            assert_eq!(class, Some(pos.class()), "the class of position {index}");
        }
    }
    let mut rng = Rng::new(seed);
    for _ in 0..games {
        let mut pos = start.clone();
        loop {
            check_number(&pos);
            let Some(mv) = pos.random_move(&mut rng, &mut Vec::new()) else { break };
            pos.play(mv);
            if matches!(pos.turn(), Turn::Over(_)) {
                break;
            }
        }
    }
}

/// The position of this index and the representative of its class offer the mover the same successors.
fn check_number<G: Indexed>(pos: &G) {
    let (index, class) = (pos.index(), pos.class());
    assert!(index < G::STATES && class < G::STATES, "{index}, {class} and {}", G::STATES);
    let same = G::at(index).unwrap_or_else(|| panic!("no position has the number {index}"));
    assert_eq!(offers(&same, G::index), offers(pos, G::index), "the position numbered {index}");
    let kin = G::at(class).unwrap_or_else(|| panic!("no position has the number {class}"));
    let (mut ours, mut theirs) = (offers(pos, G::class), offers(&kin, G::class));
    ours.sort_unstable();
    theirs.sort_unstable();
    assert_eq!(ours, theirs, "positions {index} and {class} are of one class");
}

/// Successor of each move for the mover: the result, or the index and whether the mover moves again.
fn offers<G: Indexed>(pos: &G, number: impl Fn(&G) -> usize) -> Vec<(u8, usize)> {
    let Turn::Of(mover) = pos.turn() else { return Vec::new() };
    let offer = |mv| {
        let next = pos.after(mv);
        match next.turn() {
            Turn::Over(Outcome::Win(side)) => (u8::from(side == mover), 0),
            Turn::Over(_) => (2, 0),
            Turn::Of(side) => (3 + u8::from(side == mover), number(&next)),
        }
    };
    pos.legal_moves().into_iter().map(offer).collect()
}
