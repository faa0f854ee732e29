//! A game with its methods, its type forgotten: what the service can hold in one list.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::answer::{Answer, GameInfo, OptionInfo, PositionAnswer, ScoreAnswer, StateForms};
use super::budget::Allowance;
use super::capabilities::Capabilities;
use super::linear::Linear;
use super::methods::{self, MethodInfo, Offer};
use super::plan::GameFacts;
use super::position::Position;
use super::question::Question;
use super::refusal::Refusal;
use super::study::DepthStudy;
use engine::game::{Chance, Info, Rng};
use engine::search::{Bound, Calibration, Cancel, SharedMemory};
use games::notation::{Fault, Recording, Replayed, Served, Settings, StateInput, take_options};

/// A game as the service sees it.
pub trait AnyGame: Send + Sync {
    /// The name in questions.
    fn name(&self) -> &'static str;

    /// What clients need to know.
    fn describe(&self) -> GameInfo;

    /// What the game is, as methods ask for it; of a game whose positions differ in it, where most is possible.
    fn capabilities(&self) -> Capabilities;

    /// The methods offered.
    fn methods(&self) -> Vec<&'static MethodInfo>;

    /// Does the work that is better done before the first question comes.
    fn prepare(&self);

    /// Searches go from now on by what was measured, in the units of values as clients see them.
    fn calibrate(&mut self, measured: &Calibration);

    /// What searches of depth 1 to `deepest` do wrong over the whole state space; `None` where it is
    /// too large.
    fn study(&self, deepest: u32) -> Option<DepthStudy>;

    /// The evaluation, where it is linear in weights that can be fitted.
    fn linear(&self) -> Option<&dyn Linear> {
        None
    }

    /// Sets up a position. The game takes its own options out of `options`.
    ///
    /// # Errors
    /// Says what is wrong with the state, the moves or the game's options.
    fn open(
        &self,
        state: StateInput<'_>,
        moves: &[String],
        options: &mut Map<String, Value>,
    ) -> Result<Box<dyn AnyPosition>, Refusal>;

    /// Plays recorded games again, each up to the first difference.
    ///
    /// # Errors
    /// When there is no recorded form of the game, or the file does not have it.
    fn replay(&self, file: &Value) -> Result<Vec<Replayed>, Refusal>;
}

/// A position as the service sees it.
pub trait AnyPosition: Send {
    /// What the rules say about it.
    fn describe(&self) -> PositionAnswer;

    /// Plays a move.
    ///
    /// # Errors
    /// When the game is over or no legal move is written so.
    fn play(&mut self, text: &str) -> Result<(), Fault>;

    /// Draws what chance brings, if it is its turn; it is still to be played.
    fn roll(&self, rng: &mut Rng) -> Option<String>;

    /// A move that the game's evaluator finds worth a look, drawn at random; `None` where nobody is to move.
    fn draw(&self, rng: &mut Rng) -> Option<String>;

    /// What searches by a method have left in a table about this position, which they met below their root.
    fn probe_table(
        &self,
        algorithm: &str,
        seed: u64,
        shared: &dyn SharedMemory,
    ) -> Option<TableProbe>;

    /// The method with this name, or the one that `auto` stands for here.
    ///
    /// # Errors
    /// When there is no such method, or it is not offered.
    fn method(&self, algorithm: &str) -> Result<&'static MethodInfo, Refusal>;

    /// Reads the rest of a question; `options` are those that the game has left.
    ///
    /// # Errors
    /// Says what of the question is wrong.
    fn plan(
        &self,
        question: &Question,
        options: Map<String, Value>,
        allowance: &Allowance,
        arrived: Instant,
    ) -> Result<Plan, Refusal>;
}

/// What a table knows about a position.
#[derive(Clone, Debug, PartialEq)]
pub struct TableProbe {
    /// The best move found.
    pub best_move: Option<String>,
    /// The score for the side to move.
    pub score: ScoreAnswer,
    /// How the score relates to the value.
    pub bound: Bound,
    /// The depth for which this holds, in plies.
    pub depth: u32,
}

/// What a search shares with the world while it runs.
pub struct Context<'a> {
    /// What other searches know.
    pub shared: &'a dyn SharedMemory,
    /// Set when nobody waits any more.
    pub cancel: Cancel,
    /// How long the question waited for a slot.
    pub queued: Duration,
    /// The search gives up after this time, whatever the question allows.
    pub patience: Duration,
    /// Is told what is known while the search goes on.
    pub observer: Option<&'a AnswerObserver<'a>>,
}

impl<'a> Context<'a> {
    /// A search outside the service, to its own end.
    pub fn alone(shared: &'a dyn SharedMemory) -> Self {
        Self {
            shared,
            cancel: Cancel::default(),
            queued: Duration::ZERO,
            patience: Duration::MAX,
            observer: None,
        }
    }
}

/// Is told after each completed iteration what would be the answer now; its `stopped_by` is `running`. The
/// search waits until it returns.
pub type AnswerObserver<'a> = dyn Fn(Answer) + Sync + 'a;

/// A search that is ready to run.
pub(super) type PlannedRun = Box<dyn Fn(&Context<'_>) -> Answer + Send + Sync>;

/// A question that has been read to the last word and only needs to be searched.
pub struct Plan {
    /// The method's name.
    pub algorithm: &'static str,
    /// What the search is expected to take at most; nothing when there is nothing to search.
    pub expected: Duration,
    /// Threads it will use.
    pub threads: u64,
    /// Searches; may be called again when a first try ran out of patience.
    pub run: PlannedRun,
}

/// A game and what can play it.
pub struct GameEntry<G: Served> {
    pub(super) facts: GameFacts,
    offers: Vec<Offer<G>>,
    study: Option<fn(u32) -> DepthStudy>,
    linear: Option<Box<dyn Linear>>,
}

impl<G: Served> GameEntry<G> {
    /// A game with these methods; `study` and `linear` where it has them.
    pub(super) fn new(
        capabilities: Capabilities,
        offers: [Vec<Offer<G>>; 6],
        study: Option<fn(u32) -> DepthStudy>,
        linear: Option<Box<dyn Linear>>,
    ) -> Self {
        let offers: Vec<_> = offers.into_iter().flatten().collect();
        let is_offered =
            |method: &&MethodInfo| offers.iter().any(|offer| offer.method.name == method.name);
        let facts = GameFacts {
            facts: G::facts(),
            capabilities,
            methods: methods::METHODS.iter().filter(is_offered).collect(),
            calibration: Calibration::NOTHING,
        };
        Self { facts, offers, study, linear }
    }

    pub(super) fn offer(&self, name: &str) -> Option<&Offer<G>> {
        self.offers.iter().find(|offer| offer.method.name == name)
    }
}

pub(super) fn forms<G: Served>(pos: &G) -> StateForms {
    StateForms { text: pos.text(), json: pos.json() }
}

/// Opens a position of the game `G`; also for games that come in several types.
pub(super) fn open<G: Served>(
    game: &Arc<GameEntry<G>>,
    state: StateInput<'_>,
    moves: &[String],
    options: &mut Map<String, Value>,
) -> Result<Box<dyn AnyPosition>, Refusal> {
    let settings =
        take_options(game.facts.facts.options, options).map_err(|f| f.under("options"))?;
    let start = G::read(state, &settings).map_err(|fault| fault.under("state"))?;
    let mut position = Position::new(start, settings, Arc::clone(game));
    for (index, text) in moves.iter().enumerate() {
        position.play(text).map_err(|fault| fault.under(index).under("moves"))?;
    }
    Ok(Box::new(position))
}

/// The description of a game, its start position included.
pub(super) fn describe<G: Served>(game: &GameEntry<G>) -> GameInfo {
    let facts = &game.facts.facts;
    let settings = Settings::defaults(facts.options);
    let start = G::read(StateInput::Start, &settings).expect("a game has a start position");
    GameInfo {
        name: facts.name,
        rules: facts.rules,
        sides: G::SIDES,
        text_notation: facts.text,
        move_notation: facts.moves,
        state_schema: facts.schema.clone(),
        move_schema: json!({ "type": "string", "description": facts.moves }),
        start: forms(&start),
        example: facts.example.clone(),
        value_unit: facts.unit,
        chance: G::Chance::EXISTS,
        hidden: G::Info::HIDDEN,
        repeated_movers: facts.repeated_movers,
        algorithms: game.facts.names(),
        default_algorithm: start.strongest(),
        calibrated: game.facts.calibration != Calibration::NOTHING,
        options: facts.options.iter().map(OptionInfo::from).collect(),
        levels: Vec::new(),
        limits: facts.limits,
    }
}

impl<G: Served> AnyGame for Arc<GameEntry<G>> {
    fn name(&self) -> &'static str {
        self.facts.facts.name
    }

    fn describe(&self) -> GameInfo {
        describe(self)
    }

    fn capabilities(&self) -> Capabilities {
        self.facts.capabilities
    }

    fn methods(&self) -> Vec<&'static MethodInfo> {
        self.facts.methods.clone()
    }

    fn prepare(&self) {
        for prepare in self.offers.iter().filter_map(|offer| offer.prepare.as_ref()) {
            prepare();
        }
    }

    fn calibrate(&mut self, measured: &Calibration) {
        let game = Self::get_mut(self).expect("games are calibrated before positions are opened");
        let facts = &mut game.facts;
        facts.calibration = measured.times(f64::from(facts.facts.scale));
    }

    fn study(&self, deepest: u32) -> Option<DepthStudy> {
        self.study.map(|study| study(deepest))
    }

    fn linear(&self) -> Option<&dyn Linear> {
        self.linear.as_deref()
    }

    fn open(
        &self,
        state: StateInput<'_>,
        moves: &[String],
        options: &mut Map<String, Value>,
    ) -> Result<Box<dyn AnyPosition>, Refusal> {
        open(self, state, moves, options)
    }

    fn replay(&self, file: &Value) -> Result<Vec<Replayed>, Refusal> {
        let settings = Settings::defaults(self.facts.facts.options);
        let games = G::recordings(file, &settings)?;
        Ok(games.iter().map(Recording::replay).collect())
    }
}
