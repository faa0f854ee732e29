//! The searches of a review: one for each decision, several for what chance might have brought.

use engine::game::{Rng, zobrist};
use games::notation::{Fault, StateInput};
use serde_json::{Map, Value};

use super::question::ReviewQuestion;
use super::searched::SearchedPosition;
use super::verify::PositionSearches;
use crate::answer::{Answer, Notations, OutcomeAnswer};
use crate::entry::AnyPosition;
use crate::question::Question;
use crate::{AnyGame, Catalog, Refusal};

/// Most moves of a game to be reviewed: longer than any recorded game known.
pub const MOST_REVIEWED: usize = 1_000;

/// Most positions searched for the expectation of one chance event; of more, so many are drawn. Not tuned.
const MOST_LEAVES: usize = 24;

/// Value of a position that chance may lead to.
#[derive(Clone, Copy, Debug)]
pub(super) enum LeafValue {
    /// Result of a finished game for the first side, 0 to 1.
    Result(f64),
    /// That of a search: its place among the questions.
    Searched(usize),
}

/// A position that chance may lead to.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChanceLeaf {
    pub(super) probability: f64,
    pub(super) value: LeafValue,
}

/// State of play in a position of the game.
#[derive(Clone, Debug)]
pub(super) enum ReviewedTurn {
    /// A side has this number of legal moves; the place of the search among the questions.
    Decision { side: usize, legal: usize, question: usize },
    /// Chance decides.
    Chance {
        /// What it may bring.
        leaves: Vec<ChanceLeaf>,
        /// The position that came, where a side decides next, searched like the leaves: so the luck of all that might come
        /// has the mean 0.
        came: Option<LeafValue>,
    },
    /// The game is over, with this result for the first side, 0 to 1.
    Over(f64),
}

/// A validated review: the searches that it needs, and what is known without them.
#[derive(Clone, Debug)]
pub struct ReviewPlan {
    pub(super) question: ReviewQuestion,
    pub(super) game: &'static str,
    /// Those of the options that are the game's.
    pub(super) game_options: Map<String, Value>,
    pub(super) sides: [&'static str; 2],
    /// The moves in the canonical notation.
    pub(super) moves: Vec<String>,
    /// The same in each of the game's human notations, a move each.
    pub(super) notations: Vec<Notations>,
    /// The position before each move, and the last one.
    pub(super) turns: Vec<ReviewedTurn>,
    pub(super) outcome: Option<OutcomeAnswer>,
    /// In the order in which they are to be asked.
    pub(super) searches: Vec<PlannedSearch>,
}

/// A position to be searched.
#[derive(Clone, Debug)]
pub(super) struct PlannedSearch {
    pub(super) question: Question,
    /// The move played in it, in the canonical notation; `None` where only the value is wanted.
    pub(super) played: Option<String>,
    /// True if a side is to move after it.
    pub(super) is_answered: bool,
}

impl ReviewPlan {
    /// Number of positions to be searched.
    pub fn positions(&self) -> usize {
        self.searches.len()
    }

    /// A question that may spend what all searches of a position may; `None` if there is nothing to search.
    pub fn whole_question(&self) -> Option<Question> {
        let first = self.searches.first()?;
        Some(Question { budget: self.question.share(1, 1), ..first.question.clone() })
    }

    /// Searches all positions by `ask` without a service.
    ///
    /// # Errors
    /// The first failure of `ask`.
    pub fn search<E>(
        &self,
        mut ask: impl FnMut(&Question) -> Result<Answer, E>,
    ) -> Result<Vec<SearchedPosition>, E> {
        let one = |index| {
            let mut so_far = PositionSearches::default();
            while let Some((step, question)) = self.next_question(index, &so_far) {
                so_far.note(step, ask(&question)?);
            }
            Ok(self.settled(index, &so_far))
        };
        (0..self.positions()).map(one).collect()
    }
}

/// Replays a game and collects its searches.
struct ReviewPlanner<'a> {
    question: &'a ReviewQuestion,
    searches: Vec<PlannedSearch>,
}

/// Opens the position after these moves.
fn open(
    game: &dyn AnyGame,
    question: &ReviewQuestion,
    moves: &[String],
) -> Result<Box<dyn AnyPosition>, Refusal> {
    game.open(StateInput::read(question.state.as_ref()), moves, &mut question.options.clone())
}

/// The options that are the game's, not the algorithm's.
fn own_options(
    game: &dyn AnyGame,
    question: &ReviewQuestion,
) -> Result<Map<String, Value>, Refusal> {
    let (mut own, mut others) = (question.options.clone(), question.options.clone());
    // A game takes its own out of those given.
    game.open(StateInput::read(question.state.as_ref()), &[], &mut others)?;
    own.retain(|name, _| !others.contains_key(name));
    Ok(own)
}

/// A game, move by move.
struct ReplayedGame {
    /// In canonical notation.
    moves: Vec<String>,
    notations: Vec<Notations>,
    /// Before each move, and after the last.
    positions: Vec<Box<dyn AnyPosition>>,
}

fn replay(game: &dyn AnyGame, question: &ReviewQuestion) -> Result<ReplayedGame, Refusal> {
    let mut position = open(game, question, &[])?;
    let (mut moves, mut notations, mut positions) = (Vec::new(), Vec::new(), Vec::new());
    for (ply, text) in question.moves.iter().enumerate() {
        let at = |fault: Fault| Refusal::from(fault.under(ply).under("moves"));
        moves.push(position.read_move(text).map_err(at)?);
        notations.push(position.written(text).map_err(at)?);
        let mut next = position.boxed();
        next.play(text).map_err(at)?;
        positions.push(std::mem::replace(&mut position, next));
    }
    positions.push(position);
    Ok(ReplayedGame { moves, notations, positions })
}

impl Catalog {
    /// Validates a game and plans the searches of its review.
    ///
    /// # Errors
    /// An invalid part of the question: an illegal move with its place, too many moves, or none.
    pub fn plan_review(&self, question: &ReviewQuestion) -> Result<ReviewPlan, Refusal> {
        let game = self.game(&question.game)?;
        match question.moves.len() {
            0 => return Err(Refusal::shape(&["moves"], "a review needs at least one move")),
            plies if plies > MOST_REVIEWED => {
                let why = format!("a review has at most {MOST_REVIEWED} moves, got {plies}");
                return Err(Refusal::shape(&["moves"], why));
            }
            _ => {}
        }
        let ReplayedGame { moves, notations, positions } = replay(game, question)?;
        let game_options = own_options(game, question)?;
        let mut planner = ReviewPlanner { question, searches: Vec::new() };
        let plies = positions.iter().enumerate().rev();
        let mut turns: Vec<_> = plies
            .map(|(ply, position)| planner.turn(ply, position.as_ref(), moves.get(ply).cloned()))
            .collect::<Result<_, _>>()?;
        turns.reverse();
        Ok(ReviewPlan {
            question: question.clone(),
            game: game.name(),
            game_options,
            sides: game.sides(),
            moves,
            notations,
            outcome: positions.last().and_then(|last| last.describe().outcome),
            turns,
            searches: planner.searches,
        })
    }

    /// Validates a played move and plans its rating: a review whose questions are one.
    ///
    /// # Errors
    /// An invalid part of the question.
    pub fn plan_rating(&self, question: &ReviewQuestion) -> Result<ReviewPlan, Refusal> {
        let game = self.game(&question.game)?;
        let (mv, before) = question.moves.split_last().expect("a rating has a move");
        let position = open(game, question, before)?;
        let at = |fault: Fault| Refusal::from(fault.under("move"));
        if position.side().is_none() && position.result().is_none() {
            return Err(at(Fault::position("chance is to decide here: nobody plays a move")));
        }
        let notations = vec![position.written(mv).map_err(at)?];
        let mv = position.read_move(mv).map_err(at)?;
        let mut planner = ReviewPlanner { question, searches: Vec::new() };
        let turns = vec![planner.turn(before.len(), position.as_ref(), Some(mv.clone()))?];
        Ok(ReviewPlan {
            question: question.clone(),
            game: game.name(),
            game_options: own_options(game, question)?,
            sides: game.sides(),
            moves: vec![mv],
            notations,
            outcome: None,
            turns,
            searches: planner.searches,
        })
    }
}

impl ReviewPlanner<'_> {
    /// A search for the value of a position alone.
    fn ask(&mut self, question: Question) -> usize {
        self.searches.push(PlannedSearch { question, played: None, is_answered: false });
        self.searches.len() - 1
    }

    fn turn(
        &mut self,
        ply: usize,
        position: &dyn AnyPosition,
        played: Option<String>,
    ) -> Result<ReviewedTurn, Refusal> {
        if let Some(result) = position.result() {
            return Ok(ReviewedTurn::Over(result));
        }
        let Some(side) = position.side() else { return self.chance(ply, position, played) };
        let question = match played {
            None => self.ask(self.question.leaf(ply, &[], 1)),
            Some(mv) => {
                let is_answered =
                    self::played(position, std::slice::from_ref(&mv))?.side().is_some();
                let question = self.question.position(ply);
                self.searches.push(PlannedSearch { question, played: Some(mv), is_answered });
                self.searches.len() - 1
            }
        };
        Ok(ReviewedTurn::Decision { side, legal: position.choice_count(), question })
    }

    fn chance(
        &mut self,
        ply: usize,
        position: &dyn AnyPosition,
        came: Option<String>,
    ) -> Result<ReviewedTurn, Refusal> {
        let seed = self.question.seed.map_or(0, |seed| seed.0);
        let mut rng = Rng::new(zobrist::mix(seed ^ zobrist::mix(ply as u64)));
        let chains = match chains(position)? {
            Some(all) => all,
            None => drawn(position, &mut rng)?,
        };
        let count = chains.len();
        let mut value = |moves: &[String]| {
            let reached = played(position, moves)?;
            let searched =
                |planner: &mut Self| planner.ask(planner.question.leaf(ply, moves, count));
            let result = reached.result().map(LeafValue::Result);
            Ok::<_, Refusal>(result.unwrap_or_else(|| LeafValue::Searched(searched(self))))
        };
        let (mut leaves, mut known) = (Vec::new(), None);
        for (probability, moves) in chains {
            let leaf = ChanceLeaf { probability, value: value(&moves)? };
            known = known.or((moves.as_slice() == came.as_slice()).then_some(leaf.value));
            leaves.push(leaf);
        }
        let came = match came {
            Some(mv) if known.is_none() => {
                let mv = [mv];
                let is_decided = played(position, &mv)?.outcomes().is_empty();
                is_decided.then(|| value(&mv)).transpose()?
            }
            _ => known,
        };
        Ok(ReviewedTurn::Chance { leaves, came })
    }
}

/// Outcomes of chance up to the next decision, with the probability of all of them.
type Chain = (f64, Vec<String>);

/// The position after what chance has brought.
fn played(position: &dyn AnyPosition, moves: &[String]) -> Result<Box<dyn AnyPosition>, Refusal> {
    let mut position = position.boxed();
    for mv in moves {
        position.play(mv)?;
    }
    Ok(position)
}

/// Everything that chance may bring up to the next decision; `None` if that is too much.
fn chains(position: &dyn AnyPosition) -> Result<Option<Vec<Chain>>, Refusal> {
    let mut open = vec![(1.0, Vec::new())];
    let mut done = Vec::new();
    while let Some((probability, moves)) = open.pop() {
        let outcomes = played(position, &moves)?.outcomes();
        if outcomes.is_empty() {
            done.push((probability, moves));
            continue;
        }
        for (mv, share) in outcomes {
            open.push((probability * share, [moves.as_slice(), &[mv]].concat()));
        }
        if open.len() + done.len() > MOST_LEAVES {
            return Ok(None);
        }
    }
    Ok(Some(done))
}

/// A sample of what chance may bring up to the next decision.
fn drawn(position: &dyn AnyPosition, rng: &mut Rng) -> Result<Vec<Chain>, Refusal> {
    let mut chains = Vec::new();
    for _ in 0..MOST_LEAVES {
        let (mut position, mut moves) = (position.boxed(), Vec::new());
        while let Some(mv) = position.roll(rng) {
            position.play(&mv)?;
            moves.push(mv);
        }
        chains.push((1.0 / MOST_LEAVES as f64, moves));
    }
    Ok(chains)
}
