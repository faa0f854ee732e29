//! Type-erased games with their methods, so that the service can hold them in one list.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value, json};

use super::answer::{Notations, PositionAnswer, ScoreAnswer, StateForms};
use super::board::BoardInfo;
use super::budget::Allowance;
use super::calibrations;
use super::capabilities::Capabilities;
use super::chinese;
use super::info::{GameInfo, Language, OptionInfo};
use super::levels;
use super::linear::Linear;
use super::methods::{self, MethodInfo, Offer};
use super::plan::GameFacts;
use super::planned::Plan;
use super::position::Position;
use super::question::Question;
use super::refusal::Refusal;
use super::study::DepthStudy;
use engine::game::{Chance, Evaluator, Info, MoveList, Rng, SelectiveParameters, Tuning};
use engine::options::{OptionSet, OptionValue};
use engine::search::{Bound, Calibration, SharedMemory};
use games::notation::{
    Fault, Recording, Replayed, Served, Settings, StateInput, options_schema, take_options,
};
use games::openings::OpeningMaker;

/// Type-erased game.
pub trait AnyGame: Send + Sync {
    /// Name in questions.
    fn name(&self) -> &'static str;

    /// Names of the first and the second side.
    fn sides(&self) -> [&'static str; 2];

    /// Description for clients, titles in this language.
    fn describe_in(&self, language: Language) -> GameInfo;

    /// Description in English.
    fn describe(&self) -> GameInfo {
        self.describe_in(Language::English)
    }

    /// Capabilities of the game; if its positions differ in them, those of the most capable ones.
    fn capabilities(&self) -> Capabilities;

    /// Methods offered.
    fn methods(&self) -> Vec<&'static MethodInfo>;

    /// Computes tables before the first question.
    fn prepare(&self);

    /// Sets the calibration of all further searches, in reported units.
    fn calibrate(&mut self, measured: &Calibration);

    /// Errors of searches of depth 1 to `deepest` over the whole state space; `None` if it is too large.
    fn study(&self, deepest: u32) -> Option<DepthStudy>;

    /// Reported units per rating point.
    fn point(&self) -> f64;

    /// The evaluation, if it is linear in weights that can be fitted.
    fn linear(&self) -> Option<&dyn Linear> {
        None
    }

    /// A maker of the table of early positions, if the game has one.
    fn opening_maker(&self) -> Option<Box<dyn OpeningMaker>> {
        None
    }

    /// Sets up a position. The game's own options are removed from `options`.
    ///
    /// # Errors
    /// An invalid state, move or option of the game.
    fn open(
        &self,
        state: StateInput<'_>,
        moves: &[String],
        options: &mut Map<String, Value>,
    ) -> Result<Box<dyn AnyPosition>, Refusal>;

    /// Replays recorded games, each up to the first difference.
    ///
    /// # Errors
    /// When the game has no recorded form, or the file is not in it.
    fn replay(&self, file: &Value) -> Result<Vec<Replayed>, Refusal>;
}

/// Type-erased position.
pub trait AnyPosition: Send {
    /// Legal moves, outcome, canonical forms and static evaluation.
    fn describe(&self) -> PositionAnswer;

    /// Number of legal moves, or of outcomes of chance.
    fn choice_count(&self) -> usize;

    /// Plays a move.
    ///
    /// # Errors
    /// When the game is over or no legal move has this notation.
    fn play(&mut self, text: &str) -> Result<(), Fault>;

    /// A legal move in each of the game's human notations.
    ///
    /// # Errors
    /// As for [`AnyPosition::play`].
    fn written(&self, text: &str) -> Result<Notations, Fault>;

    /// The same position once more.
    fn boxed(&self) -> Box<dyn AnyPosition>;

    /// Canonical notation of a legal move, or of an outcome of chance.
    ///
    /// # Errors
    /// As for [`AnyPosition::play`].
    fn read_move(&self, text: &str) -> Result<String, Fault>;

    /// The side to move: 0 is the first, 1 the second; `None` at a chance node and at the end.
    fn side(&self) -> Option<usize>;

    /// Result of a finished game for the first side, 0 to 1; `None` while it goes on.
    fn result(&self) -> Option<f64>;

    /// What chance may bring, with probabilities that sum to one; empty elsewhere.
    fn outcomes(&self) -> Vec<(String, f64)>;

    /// Random outcome at a chance node, not yet played; `None` elsewhere.
    fn roll(&self, rng: &mut Rng) -> Option<String>;

    /// Random candidate move of the game's evaluator; `None` if no side is to move.
    fn draw(&self, rng: &mut Rng) -> Option<String>;

    /// Entry of this position in a table, stored by searches with a method that reached it below their root.
    fn probe_table(
        &self,
        algorithm: &str,
        seed: u64,
        shared: &dyn SharedMemory,
    ) -> Option<TableProbe>;

    /// The method with this name, or the one selected by `auto` here.
    ///
    /// # Errors
    /// When the method is unknown or not offered.
    fn method(&self, algorithm: &str) -> Result<&'static MethodInfo, Refusal>;

    /// Plans the search for a question; `options` are those left over by the game.
    ///
    /// # Errors
    /// An invalid part of the question.
    fn plan(
        &self,
        question: &Question,
        options: Map<String, Value>,
        allowance: &Allowance,
        arrived: Instant,
    ) -> Result<Plan, Refusal>;
}

/// Table entry of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct TableProbe {
    /// The best move found.
    pub best_move: Option<String>,
    /// The score for the side to move.
    pub score: ScoreAnswer,
    /// Relation of the score to the value: exact, or a lower or upper bound.
    pub bound: Bound,
    /// Search depth of the entry, in plies.
    pub depth: u32,
}

/// Game with the methods that can play it.
pub struct GameEntry<G: Served> {
    pub(super) facts: GameFacts,
    offers: Vec<Offer<G>>,
    study: Option<fn(u32) -> DepthStudy>,
    linear: Option<Box<dyn Linear>>,
}

impl<G: Served> GameEntry<G> {
    /// A game with these methods, and its `study` and `linear` evaluation if it has them.
    pub(super) fn new(
        capabilities: Capabilities,
        offers: [Vec<Offer<G>>; 6],
        study: Option<fn(u32) -> DepthStudy>,
        linear: Option<Box<dyn Linear>>,
    ) -> Self {
        let offers: Vec<_> = offers.into_iter().flatten().collect();
        let is_offered =
            |method: &&MethodInfo| offers.iter().any(|offer| offer.method.name == method.name);
        let facts = G::facts();
        let scale = calibrations::win_probability_scale(facts.name);
        let facts = GameFacts {
            calibration: Calibration {
                scale: scale.map(|scale| scale * f64::from(facts.scale)),
                ..Calibration::NOTHING
            },
            calibrated: false,
            facts,
            capabilities,
            methods: methods::METHODS.iter().filter(is_offered).collect(),
            defaults: defaults::<G>(),
        };
        Self { facts, offers, study, linear }
    }

    pub(super) fn offer(&self, name: &str) -> Option<&Offer<G>> {
        self.offers.iter().find(|offer| offer.method.name == name)
    }
}

/// Defaults of method options that depend on the game.
fn defaults<G: Served>() -> Map<String, Value> {
    let tuning = <G::Evaluator as Evaluator<G>>::TUNING;
    let exploration = tuning.exploration;
    let expert = <G::Evaluator as Evaluator<G>>::MOVES == MoveList::Expert;
    let differs = [
        (exploration != Tuning::DEFAULT.exploration).then(|| ("c".to_owned(), json!(exploration))),
        tuning.expert_playouts.then(|| ("playout".to_owned(), json!("expert"))),
        expert.then(|| ("moves".to_owned(), json!("expert"))),
    ];
    let selective = (SelectiveParameters::DEFAULT.specs().into_iter())
        .zip(tuning.selective.specs())
        .filter(|(usual, own)| usual != own)
        .filter_map(|(_, own)| match own.kind.default() {
            OptionValue::Integer(value) => Some((own.name.to_owned(), json!(value))),
            _ => None,
        });
    differs.into_iter().flatten().chain(selective).collect()
}

pub(super) fn forms<G: Served>(pos: &G) -> StateForms {
    StateForms { text: pos.text(), json: pos.json() }
}

/// Opens a position of the game `G`; also used by games implemented by several types.
pub(super) fn open<G: Served>(
    game: &Arc<GameEntry<G>>,
    state: StateInput<'_>,
    moves: &[String],
    options: &mut Map<String, Value>,
) -> Result<Box<dyn AnyPosition>, Refusal> {
    let settings =
        take_options(game.facts.facts.options, options).map_err(|f| f.under("options"))?;
    G::check_settings(&settings).map_err(|fault| fault.under("options"))?;
    let text = game.facts.facts.text;
    let start =
        G::read(state, &settings).map_err(|fault| or_text(fault, state, text).under("state"))?;
    let mut position = Position::new(start, settings, Arc::clone(game));
    for (index, text) in moves.iter().enumerate() {
        position.play(text).map_err(|fault| fault.under(index).under("moves"))?;
    }
    Ok(Box::new(position))
}

/// The fault of a state: one that is no object at all might have been text.
fn or_text(fault: Fault, state: StateInput<'_>, text: Option<&str>) -> Fault {
    match (state, text) {
        (StateInput::Json(json), Some(text)) if !json.is_object() && fault.pointer.is_empty() => {
            Fault { detail: format!("{}, or a text: {text}", fault.detail), ..fault }
        }
        _ => fault,
    }
}

/// Description of a game, including its start position.
pub(super) fn describe<G: Served>(game: &GameEntry<G>, language: Language) -> GameInfo {
    let facts = &game.facts.facts;
    let settings = Settings::defaults(facts.options);
    let start = G::read(StateInput::Start, &settings).expect("a game has a start position");
    GameInfo {
        name: facts.name,
        title: language.of(G::TITLES.game),
        rules: language.of(facts.rules),
        source: facts.source,
        sides: G::SIDES,
        side_titles: G::TITLES.sides.map(|side| language.of(side)),
        board: G::board().map(|board| BoardInfo::new(board, G::SIDES, language)),
        text_notation: facts.text.map(|text| language.of(chinese::titled(text))),
        move_notation: language.of(facts.moves),
        notations: G::NOTATIONS.to_vec(),
        end_reasons: G::END_REASONS,
        state_schema: facts.schema.clone(),
        move_schema: json!({
            "type": "string", "pattern": facts.move_pattern, "description": facts.moves.en
        }),
        options_schema: options_schema(facts.options),
        start: forms(&start),
        example: facts.example.clone(),
        value_unit: language.of(chinese::titled(facts.unit)),
        chance: G::Chance::EXISTS,
        hidden: G::Info::HIDDEN,
        repeated_movers: facts.repeated_movers,
        algorithms: game.facts.names(),
        default_algorithm: start.strongest(),
        calibrated: game.facts.calibrated,
        options: OptionInfo::list(facts.options, language),
        defaults: game.facts.defaults.clone(),
        levels: levels::levels(facts.name),
        limits: language.of(chinese::titled(facts.limits)),
    }
}

impl<G: Served> AnyGame for Arc<GameEntry<G>> {
    fn name(&self) -> &'static str {
        self.facts.facts.name
    }

    fn sides(&self) -> [&'static str; 2] {
        G::SIDES
    }

    fn describe_in(&self, language: Language) -> GameInfo {
        describe(self, language)
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
        // The tables of an evaluation are computed at its first use.
        let start = open(self, StateInput::Start, &[], &mut Map::new());
        start.expect("a game has a start position").describe();
    }

    fn calibrate(&mut self, measured: &Calibration) {
        let game = Self::get_mut(self).expect("games are calibrated before positions are opened");
        let facts = &mut game.facts;
        facts.calibration = measured.times(f64::from(facts.facts.scale));
        facts.calibrated = true;
    }

    fn study(&self, deepest: u32) -> Option<DepthStudy> {
        self.study.map(|study| study(deepest))
    }

    fn point(&self) -> f64 {
        G::facts().point
    }

    fn linear(&self) -> Option<&dyn Linear> {
        self.linear.as_deref()
    }

    fn opening_maker(&self) -> Option<Box<dyn OpeningMaker>> {
        G::opening_maker()
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
