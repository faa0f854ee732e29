//! Games and methods by name; the only crate that depends on both.

pub mod answer;
pub mod board;
mod budget;
mod calibration;
mod calibrations;
mod capabilities;
mod chinese;
mod entry;
mod explain;
pub mod game_files;
pub mod info;
mod iterations;
mod levels;
mod linear;
pub mod methods;
mod names;
mod namespace;
mod option_limits;
mod perspective;
mod plan;
mod planned;
mod position;
pub mod question;
mod rating;
mod ratings;
mod refusal;
pub mod review;
mod run;
mod shape;
mod stability;
mod study;
pub mod trace;
pub mod visits;
mod words;
mod written;

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value};

use answer::{Notations, PositionAnswer};
pub use budget::Allowance;
use calibration::CalibrationFile;
pub use calibrations::Calibrations;
pub use capabilities::Capabilities;
use capabilities::entry;
use engine::search::Calibration;
use entry::GameEntry;
pub use entry::{AnyGame, AnyPosition, TableProbe};
use games::connect4::Connect4;
use games::easycard::EasyCard;
use games::genius::Genius;
use games::gomoku::Gomoku;
use games::gomoku_swap2::GomokuSwap2;
use games::nim::Nim;
pub use games::notation::did_you_mean;
use games::notation::{Fault, Replayed, Served, StateInput};
pub use games::openings::{MakerProgress, OpeningMaker};
use games::othello::Othello;
use games::snake_go::SnakeGo;
use games::tictactoe::TicTacToe;
use games::tree::{self, Nature, Tree};
use games::two_eat_one::TwoEatOne;
use games::xiangqi::Xiangqi;
use info::{AlgorithmInfo, GameInfo, Language};
pub use levels::{LevelInfo, TOP_LEVEL};
pub use linear::Linear;
pub use methods::MethodInfo;
pub use planned::{AnswerObserver, Context, Plan};
use question::{PositionQuestion, Question};
pub use refusal::Refusal;
pub use shape::PlainObject;
pub use study::DepthStudy;

/// All games with their methods.
pub struct Catalog {
    games: Vec<Box<dyn AnyGame>>,
}

impl Default for Catalog {
    fn default() -> Self {
        Self {
            games: vec![
                boxed(entry!(Nim)),
                boxed(entry!(TicTacToe)),
                boxed(entry!(Connect4)),
                boxed(entry!(TwoEatOne)),
                boxed(entry!(Othello)),
                boxed(entry!(Gomoku)),
                boxed(entry!(GomokuSwap2)),
                boxed(entry!(SnakeGo)),
                boxed(entry!(EasyCard)),
                boxed(entry!(Genius)),
                boxed(entry!(Xiangqi)),
                Box::new(Trees::default()),
            ],
        }
    }
}

fn boxed<G: Served>(game: GameEntry<G>) -> Box<dyn AnyGame> {
    Box::new(Arc::new(game))
}

impl Catalog {
    /// All games.
    pub fn games(&self) -> impl Iterator<Item = &dyn AnyGame> {
        self.games.iter().map(AsRef::as_ref)
    }

    /// The game with this name.
    ///
    /// # Errors
    /// When the name is unknown.
    pub fn game(&self, name: &str) -> Result<&dyn AnyGame, Refusal> {
        self.games().find(|game| game.name() == name).ok_or_else(|| Refusal::UnknownGame {
            name: name.to_owned(),
            known: self.games().map(AnyGame::name).collect(),
        })
    }

    /// Applies a calibration file of `bestmove calibrate` to the searches of its game.
    ///
    /// # Errors
    /// The fault of the file and its place.
    pub fn calibrate(&mut self, file: &Value) -> Result<(), Fault> {
        let CalibrationFile { game, unit, measured } = CalibrationFile::read(file)?;
        let info = self.game(game).map_err(|why| Fault::shape(why.to_string()).under("game"))?;
        let info = info.describe();
        if info.value_unit != unit {
            let own = info.value_unit;
            let why =
                format!("measured in `{unit}`, but values of {game} are in `{own}`: recalibrate");
            return Err(Fault::shape(why).under("unit"));
        }
        if info.calibrated {
            let why = format!("two calibration files for {game}; expected at most one");
            return Err(Fault::shape(why).under("game"));
        }
        let of = |entry: &&mut Box<dyn AnyGame>| entry.name() == game;
        let entry = self.games.iter_mut().find(of).expect("it has just been described");
        entry.calibrate(&measured);
        Ok(())
    }

    /// Computes tables before the first question.
    pub fn prepare(&self) {
        self.games().for_each(AnyGame::prepare);
    }

    /// All algorithms with the games that offer them.
    pub fn algorithms(&self) -> Vec<AlgorithmInfo> {
        self.algorithms_in(Language::English)
    }

    /// The same, with texts in this language.
    pub fn algorithms_in(&self, language: Language) -> Vec<AlgorithmInfo> {
        let info = |method: &MethodInfo| {
            let offers = |game: &&dyn AnyGame| {
                game.methods().iter().any(|offered| offered.name == method.name)
            };
            let games = self.games().filter(offers).map(AnyGame::name).collect();
            AlgorithmInfo::new(method, games, language)
        };
        methods::METHODS.iter().map(info).collect()
    }

    /// Legal moves, outcome, canonical forms and static evaluation of a position.
    ///
    /// # Errors
    /// When the game is unknown or the position is invalid.
    pub fn position(&self, question: &PositionQuestion) -> Result<PositionAnswer, Refusal> {
        let mut options = question.options.clone();
        let state = StateInput::read(question.state.as_ref());
        let game = self.game(&question.game)?;
        let mut position = game.open(state, &[], &mut options)?;
        if let Some(unknown) = options.keys().next() {
            let why = format!("unknown option `{unknown}` for {}", game.name());
            return Err(Refusal::shape(&["options", unknown], why));
        }
        let mut played = Notations::new();
        for (index, text) in question.moves.iter().enumerate() {
            let at = |fault: Fault| fault.under(index).under("moves");
            for (name, written) in position.written(text).map_err(at)? {
                played.entry(name).or_default().extend(written);
            }
            position.play(text).map_err(at)?;
        }
        let described = PositionAnswer { played, ..position.describe() };
        Ok(perspective::position(described, question.perspective, game.sides()))
    }

    /// Validates a question and plans its search.
    ///
    /// # Errors
    /// An invalid part of the question.
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

/// Explicit trees: two games, with and without chance nodes, for different methods.
struct Trees {
    plain: Arc<GameEntry<Tree<std::convert::Infallible>>>,
    chancy: Arc<GameEntry<Tree<Nature>>>,
}

impl Default for Trees {
    fn default() -> Self {
        Self {
            plain: Arc::new(entry!(Tree<std::convert::Infallible>)),
            chancy: Arc::new(entry!(Tree<Nature>)),
        }
    }
}

impl AnyGame for Trees {
    fn name(&self) -> &'static str {
        self.plain.name()
    }

    fn sides(&self) -> [&'static str; 2] {
        self.plain.sides()
    }

    fn describe_in(&self, language: Language) -> GameInfo {
        GameInfo { chance: true, ..self.plain.describe_in(language) }
    }

    fn capabilities(&self) -> Capabilities {
        self.plain.capabilities()
    }

    fn methods(&self) -> Vec<&'static MethodInfo> {
        self.plain.methods()
    }

    fn study(&self, deepest: u32) -> Option<DepthStudy> {
        self.plain.study(deepest)
    }

    fn point(&self) -> f64 {
        self.plain.point()
    }

    fn prepare(&self) {
        self.plain.prepare();
        self.chancy.prepare();
    }

    fn calibrate(&mut self, measured: &Calibration) {
        self.plain.calibrate(measured);
        self.chancy.calibrate(measured);
    }

    fn replay(&self, file: &Value) -> Result<Vec<Replayed>, Refusal> {
        self.plain.replay(file)
    }

    fn open(
        &self,
        state: StateInput<'_>,
        moves: &[String],
        options: &mut Map<String, Value>,
    ) -> Result<Box<dyn AnyPosition>, Refusal> {
        let nodes = tree::parse(state).map_err(|fault| fault.under("state"))?;
        if nodes.iter().any(|node| matches!(node.kind, tree::NodeKind::Nature(_))) {
            entry::open(&self.chancy, state, moves, options)
        } else {
            entry::open(&self.plain, state, moves, options)
        }
    }
}
