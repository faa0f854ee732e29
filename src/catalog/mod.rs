//! Games and methods by name: the only place that knows both.

pub mod answer;
mod entry;
mod explain;
mod limits;
pub mod methods;
pub mod question;
mod refusal;

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value};

use crate::games::connect4::Connect4;
use crate::games::gomoku::Gomoku;
use crate::games::nim::Nim;
use crate::games::snake_go::SnakeGo;
use crate::games::tictactoe::TicTacToe;
use crate::games::tree::{self, Nature, Tree};
use crate::wire::StateInput;
use answer::{AlgorithmInfo, GameInfo, PositionAnswer};
use entry::Entry;
pub use entry::{AnyGame, AnyPosition, Context, Plan};
pub use limits::Allowance;
use methods::{MethodInfo, for_any, for_deterministic, for_indexed, for_open};
use question::{PositionQuestion, Question};
pub use refusal::Refusal;

/// All games with their methods.
pub struct Catalog {
    games: Vec<Box<dyn AnyGame>>,
}

impl Default for Catalog {
    fn default() -> Self {
        Self {
            games: vec![
                Box::new(Arc::new(Entry::<Nim>::new(vec![
                    for_any(),
                    for_open(),
                    for_deterministic(),
                ]))),
                Box::new(Arc::new(Entry::<TicTacToe>::new(vec![
                    for_any(),
                    for_open(),
                    for_deterministic(),
                    for_indexed(),
                ]))),
                Box::new(Arc::new(Entry::<Connect4>::new(vec![
                    for_any(),
                    for_open(),
                    for_deterministic(),
                ]))),
                Box::new(Arc::new(Entry::<Gomoku>::new(vec![
                    for_any(),
                    for_open(),
                    for_deterministic(),
                ]))),
                Box::new(Arc::new(Entry::<SnakeGo>::new(vec![
                    for_any(),
                    for_open(),
                    for_deterministic(),
                ]))),
                Box::new(Trees::default()),
            ],
        }
    }
}

impl Catalog {
    /// The games.
    pub fn games(&self) -> impl Iterator<Item = &dyn AnyGame> {
        self.games.iter().map(AsRef::as_ref)
    }

    /// The game with this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn game(&self, name: &str) -> Result<&dyn AnyGame, Refusal> {
        self.games().find(|game| game.name() == name).ok_or_else(|| Refusal::UnknownGame {
            name: name.to_owned(),
            known: self.games().map(AnyGame::name).collect(),
        })
    }

    /// The algorithms with the games that offer them.
    pub fn algorithms(&self) -> Vec<AlgorithmInfo> {
        let info = |method: &MethodInfo| {
            let offers = |game: &&dyn AnyGame| {
                game.methods().iter().any(|offered| offered.name == method.name)
            };
            let games = self.games().filter(offers).map(AnyGame::name).collect();
            AlgorithmInfo::new(method, games)
        };
        methods::METHODS.iter().map(info).collect()
    }

    /// What the rules say about a position.
    ///
    /// # Errors
    /// When there is no such game or the position is wrong.
    pub fn position(&self, question: &PositionQuestion) -> Result<PositionAnswer, Refusal> {
        let mut options = question.options.clone();
        let state = StateInput::read(question.state.as_ref());
        let game = self.game(&question.game)?;
        let position = game.open(state, &question.moves, &mut options)?;
        if let Some(unknown) = options.keys().next() {
            let why = format!("`{unknown}` is no option of {}", game.name());
            return Err(Refusal::shape(&["options", unknown], why));
        }
        Ok(position.describe())
    }

    /// Reads a question, so that only the search is left.
    ///
    /// # Errors
    /// Says what of the question is wrong.
    pub fn plan(
        &self,
        question: &Question,
        allowance: &Allowance,
        arrived: Instant,
    ) -> Result<Plan, Refusal> {
        let mut options = question.options.clone();
        let state = StateInput::read(question.state.as_ref());
        let position = self.game(&question.game)?.open(state, &question.moves, &mut options)?;
        position.plan(question, options, allowance, arrived)
    }
}

/// Explicit trees: with chance nodes they are another game than without, for other methods.
struct Trees {
    plain: Arc<Entry<Tree<std::convert::Infallible>>>,
    chancy: Arc<Entry<Tree<Nature>>>,
}

impl Default for Trees {
    fn default() -> Self {
        Self {
            plain: Arc::new(Entry::new(vec![for_any(), for_open(), for_deterministic()])),
            chancy: Arc::new(Entry::new(vec![for_any(), for_open()])),
        }
    }
}

impl AnyGame for Trees {
    fn name(&self) -> &'static str {
        self.plain.name()
    }

    fn describe(&self) -> GameInfo {
        GameInfo { chance: true, ..self.plain.describe() }
    }

    fn methods(&self) -> Vec<&'static MethodInfo> {
        self.plain.methods()
    }

    fn open(
        &self,
        state: StateInput<'_>,
        moves: &[String],
        options: &mut Map<String, Value>,
    ) -> Result<Box<dyn AnyPosition>, Refusal> {
        let nodes = tree::parse(state).map_err(|fault| fault.under("state"))?;
        if nodes.iter().any(|node| matches!(node.kind, tree::Kind::Nature(_))) {
            entry::open(&self.chancy, state, moves, options)
        } else {
            entry::open(&self.plain, state, moves, options)
        }
    }
}
