//! Studies of openings: every position of the first plies is an item, searched as a question of a batch.
//!
//! ```text
//! question, plies ─► every position reached, once ─► a search of each ─► values backed up from the last plies
//! ```

use std::collections::{HashMap, VecDeque};

use catalog::question::{Question, WholeNumber};
use catalog::{AnyPosition, Catalog};
use games::notation::StateInput;
use job_queue::ItemResult;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::answer::{read_done, written};
use super::batch::{self, JobBatch, MOST_JOB_QUESTIONS};
use super::kind::{CutJob, JobReading};
use super::matches::wrong;
use crate::problem::{Problem, ProblemCode};

/// Most plies of a study.
const MOST_PLIES: u64 = 30;

/// Every position of the first plies from a start, each searched alike.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StudyQuestion {
    /// The start, and how each position is searched.
    question: Question,
    /// Plies from the start to the last positions that are searched. All positions together are at most 10,000.
    #[schema(value_type = u64, minimum = 1, maximum = 30)]
    plies: WholeNumber,
}

/// What a study has found about a position.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StudiedPosition {
    /// Moves from the start that lead to it: the first way that was found.
    moves: Vec<String>,
    /// Who is to move; null when the game is over.
    side_to_move: Option<String>,
    /// The best move by the positions after it where those are studied, else by its own search; null when the game is
    /// over, or nothing is known.
    best_move: Option<String>,
    /// The expected result of the side to move by the same, from 0 to 1; null when the game is over, or nothing is known.
    win_probability: Option<f64>,
    /// The expected result by its own search; null where it has none.
    searched: Option<f64>,
}

/// What a study has found.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StudyAnswer {
    /// Best play from the start by these positions.
    line: Vec<String>,
    /// The positions in the order in which they are reached, the start first.
    positions: Vec<StudiedPosition>,
}

/// A position of a study.
struct StudyNode {
    moves: Vec<String>,
    side: Option<&'static str>,
    /// Expected result of the first side where the game is over.
    result: Option<f64>,
    /// Moves and the positions that they lead to; empty in the last plies.
    sons: Vec<(String, usize)>,
}

/// The positions of a study.
struct StudiedOpening {
    sides: [&'static str; 2],
    nodes: Vec<StudyNode>,
}

impl StudyQuestion {
    /// Finds every position, breadth first.
    fn positions(&self, catalog: &Catalog) -> Result<StudiedOpening, Problem> {
        let WholeNumber(plies) = self.plies;
        if !(1..=MOST_PLIES).contains(&plies) {
            return Err(wrong("/plies", format!("must be from 1 to {MOST_PLIES}, got {plies}")));
        }
        let game = catalog
            .game(&self.question.game)
            .map_err(|why| Problem::from(why).under("/question"))?;
        if game.describe().chance {
            let detail = "must be a game without chance".to_owned();
            return Err(wrong("/question/game", detail));
        }
        let mut opening = StudiedOpening { sides: game.sides(), nodes: Vec::new() };
        let mut known = HashMap::new();
        let Question { state, moves: before, options, .. } = &self.question;
        let start = game.open(StateInput::read(state.as_ref()), before, &mut options.clone());
        let start = start.map_err(|why| Problem::from(why).under("/question"))?;
        opening.add(start.as_ref(), Vec::new(), &mut known)?;
        // Positions whose sons are not known yet, with their numbers.
        let mut open = VecDeque::from([(0, start)]);
        while let Some((number, position)) = open.pop_front() {
            let moves = opening.nodes[number].moves.clone();
            if moves.len() as u64 == plies || opening.nodes[number].result.is_some() {
                continue;
            }
            for mv in position.describe().legal_moves {
                let mut after = position.boxed();
                after.play(&mv).expect("a legal move");
                let path = [&moves[..], std::slice::from_ref(&mv)].concat();
                let count = opening.nodes.len();
                let son = opening.add(after.as_ref(), path, &mut known)?;
                opening.nodes[number].sons.push((mv, son));
                if son == count {
                    open.push_back((son, after));
                }
            }
        }
        Ok(opening)
    }

    /// The question of a position.
    fn question_after(&self, moves: &[String]) -> Question {
        let moves = [&self.question.moves[..], moves].concat();
        Question { moves, ..self.question.clone() }
    }
}

impl StudiedOpening {
    /// Number of a position, which is new unless it was reached before.
    fn add(
        &mut self,
        position: &dyn AnyPosition,
        moves: Vec<String>,
        known: &mut HashMap<String, usize>,
    ) -> Result<usize, Problem> {
        let told = position.describe();
        let state = told.state.text.unwrap_or_else(|| told.state.json.to_string());
        let number = self.nodes.len();
        let number = *known.entry(format!("{state} {:?}", told.side_to_move)).or_insert(number);
        if number < self.nodes.len() {
            return Ok(number);
        }
        if number == MOST_JOB_QUESTIONS {
            let detail =
                format!("reaches more than {MOST_JOB_QUESTIONS} positions; study fewer plies");
            return Err(wrong("/plies", detail));
        }
        let result = told.outcome.map(|outcome| {
            let won = self.sides.iter().position(|side| *side == outcome.result);
            won.map_or(0.5, |winner| if winner == 0 { 1.0 } else { 0.0 })
        });
        self.nodes.push(StudyNode { moves, side: told.side_to_move, result, sons: Vec::new() });
        Ok(number)
    }

    /// Numbers of the positions that are searched: each is an item.
    fn searched(&self) -> impl Iterator<Item = usize> {
        (0..self.nodes.len()).filter(|&number| self.nodes[number].result.is_none())
    }

    /// True if the first side is to move.
    fn is_first(&self, number: usize) -> bool {
        self.nodes[number].side == Some(self.sides[0])
    }

    /// Backs values up, from the last plies to the start. `found` are best moves and expected results of the side to
    /// move, by item.
    fn answer(&self, found: &[Option<(Option<String>, f64)>]) -> StudyAnswer {
        let items: HashMap<_, _> = self.searched().zip(found).collect();
        // For the first side.
        let mut values: Vec<Option<f64>> = vec![None; self.nodes.len()];
        let mut positions = Vec::with_capacity(self.nodes.len());
        for (number, node) in self.nodes.iter().enumerate().rev() {
            let flip = |value: f64| if self.is_first(number) { value } else { 1.0 - value };
            let own = items.get(&number).and_then(|item| item.as_ref());
            let best = best(node, &values, flip)
                .or_else(|| own.map(|(mv, value)| (mv.clone().unwrap_or_default(), *value)));
            values[number] = node.result.or_else(|| best.as_ref().map(|(_, value)| flip(*value)));
            let best_move = best.as_ref().map(|(mv, _)| mv.clone()).filter(|mv| !mv.is_empty());
            positions.push(StudiedPosition {
                moves: node.moves.clone(),
                side_to_move: node.side.map(str::to_owned),
                best_move: best_move.filter(|_| node.result.is_none()),
                win_probability: best.map(|(_, value)| value),
                searched: own.map(|(_, value)| *value),
            });
        }
        positions.reverse();
        StudyAnswer { line: self.line(&positions), positions }
    }

    fn line(&self, positions: &[StudiedPosition]) -> Vec<String> {
        let (mut line, mut number) = (Vec::new(), 0);
        while let Some(mv) = &positions[number].best_move {
            line.push(mv.clone());
            let son = self.nodes[number].sons.iter().find(|(name, _)| name == mv);
            let Some(&(_, son)) = son else { break };
            number = son;
        }
        line
    }
}

/// The best son of a position for its side to move, if all are known.
fn best(
    node: &StudyNode,
    values: &[Option<f64>],
    flip: impl Fn(f64) -> f64,
) -> Option<(String, f64)> {
    let mut best: Option<(String, f64)> = None;
    for (mv, son) in &node.sons {
        let value = flip(values[*son]?);
        if best.as_ref().is_none_or(|(_, known)| value > *known) {
            best = Some((mv.clone(), value));
        }
    }
    best
}

/// Checks a study, and cuts it: its positions are questions of a batch.
pub(super) fn cut(study: &StudyQuestion, reading: &JobReading<'_>) -> Result<CutJob, Problem> {
    // What is wrong with one search is wrong with all.
    reading.expected(&study.question).map_err(|why| why.under("/question"))?;
    let opening = study.positions(reading.catalog)?;
    reading.check_length(opening.nodes.len(), written(&study.question).len())?;
    let raw = |number: usize| {
        let question = study.question_after(&opening.nodes[number].moves);
        serde_json::value::to_raw_value(&question).expect("a question can be written again")
    };
    let questions: Vec<Box<RawValue>> = opening.searched().map(raw).collect();
    let cut = batch::cut(&JobBatch { questions }, reading)?;
    Ok(CutJob { head: written(study), ..cut })
}

/// What a result says: the best move, and the expected result of the side to move.
#[derive(Deserialize)]
struct FoundItem {
    answer: FoundAnswer,
}

#[derive(Deserialize)]
struct FoundAnswer {
    best_move: Option<String>,
    win_probability: Option<f64>,
}

/// The answer of a study that is over.
///
/// # Errors
/// When another version of the program has cut it.
pub(super) fn answer(
    study: &StudyQuestion,
    catalog: &Catalog,
    results: &[ItemResult],
) -> Result<StudyAnswer, Problem> {
    let opening = study.positions(catalog)?;
    if opening.searched().count() != results.len() {
        let detail = "another version of the program has cut this study";
        return Err(Problem::new(ProblemCode::Internal, detail));
    }
    let found = |result: &ItemResult| {
        let found: FoundItem = read_done(result)?;
        Some((found.answer.best_move, found.answer.win_probability?))
    };
    let found: Vec<_> = results.iter().map(found).collect();
    Ok(opening.answer(&found))
}
