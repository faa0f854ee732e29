//! A participant and its successive games.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::config::{Configuration, External, Protocol};
use super::cpu;
use super::pbrain::Goban;
use super::process::{ExternalGame, Process, ProcessFailure};
use crate::run_plan;
use catalog::answer::{Answer, StateForms};
use catalog::question::{Question, WholeNumber};
use catalog::{Allowance, AnyPosition, Catalog};
use engine::SharedTable;
use games::notation::StateInput;

/// Start of a game: a state and moves, and a seed for the deal.
#[derive(Clone, Debug)]
pub(crate) struct Start<'a> {
    pub(crate) game: &'a str,
    pub(crate) state: Option<&'a Value>,
    pub(crate) moves: &'a [String],
    /// Options of the game.
    pub(crate) options: Map<String, Value>,
}

/// A position, and the options left over by its game.
pub(crate) type Opened = (Box<dyn AnyPosition>, Map<String, Value>);

impl Start<'_> {
    /// True if the game does not begin as its rules say.
    fn is_set_up(&self) -> bool {
        self.state.is_some() || !self.moves.is_empty()
    }

    /// The position.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub(crate) fn open(
        &self,
        catalog: &Catalog,
        mut options: Map<String, Value>,
    ) -> Result<Opened, String> {
        let game = catalog.game(self.game).map_err(|why| why.to_string())?;
        options.extend(self.options.clone());
        let position = game.open(StateInput::read(self.state), self.moves, &mut options);
        Ok((position.map_err(|why| why.to_string())?, options))
    }
}

/// Entries of a player's transposition table, about 36 bytes each; kept during a game.
const TABLE_ENTRIES: usize = 1_000_000;

/// Result of a turn.
pub(super) enum TurnResult {
    /// Move, not yet checked for legality.
    Move(String),
    /// Loss of the game for this reason.
    Forfeit(&'static str),
}

/// A participant.
pub(super) enum Player {
    Own(Box<Own>),
    External(Box<Foreign>),
}

/// A configuration of this program.
pub(crate) struct Own {
    question: Question,
    /// True if the seed of the question applies to every game.
    seeded: bool,
    game: Option<OwnGame>,
}

/// Knowledge of the current game.
struct OwnGame {
    position: Box<dyn AnyPosition>,
    /// Options left over by the game: those of the method.
    options: Map<String, Value>,
    /// Transposition table kept from move to move.
    table: SharedTable,
}

/// An external program.
pub(super) struct Foreign {
    config: External,
    /// Kept running from game to game, unless it fails.
    process: Option<Process>,
    game: ExternalGame,
}

impl Player {
    /// A participant waiting for its first game.
    ///
    /// # Errors
    /// When a program cannot be started.
    pub(super) fn new(configuration: &Configuration) -> Result<Self, String> {
        match configuration {
            Configuration::Own { question, seeded } => {
                let own = Own { seeded: *seeded, ..Own::new(Question::clone(question)) };
                Ok(Self::Own(Box::new(own)))
            }
            Configuration::External(config) => {
                let (config, process) = (config.clone(), Some(Process::start(config)?));
                let game = ExternalGame::default();
                Ok(Self::External(Box::new(Foreign { config, process, game })))
            }
        }
    }

    /// Begins a game, with its first state also in the notation of the rules; `Some` is the reason for an
    /// immediate loss.
    ///
    /// # Errors
    /// When the game cannot begin so, or a program that failed before cannot be started again.
    pub(super) fn begin(
        &mut self,
        catalog: &Catalog,
        start: &Start<'_>,
        state: &StateForms,
    ) -> Result<Option<&'static str>, String> {
        match self {
            Self::Own(own) => {
                own.begin(catalog, start)?;
                Ok(None)
            }
            Self::External(foreign) if foreign.config.protocol == Protocol::Gtp && start.is_set_up() => {
                Err("`gtp` programs begin at the start of the game; use `--opening` for moves from there".into())
            }
            Self::External(foreign) => foreign.begin(state),
        }
    }

    /// Takes note of a legal move, its own or the opponent's.
    ///
    /// # Errors
    /// When its own rules do not allow it.
    pub(super) fn hear(&mut self, mv: &str) -> Result<(), String> {
        match self {
            Self::Own(own) => own.hear(mv),
            Self::External(foreign) => {
                foreign.game.moves.push(mv.to_owned());
                Ok(())
            }
        }
    }

    /// Chooses a move.
    ///
    /// # Errors
    /// When the question of a configuration cannot be answered.
    pub(super) fn choose(&mut self, seed: u64) -> Result<TurnResult, String> {
        match self {
            Self::Own(own) => {
                let answer = own.ask(seed)?;
                Ok(TurnResult::Move(answer.best_move.ok_or("an engine found no move")?))
            }
            Self::External(foreign) => Ok(foreign.choose()),
        }
    }

    /// Waits until the player can be asked; this time counts for neither side.
    pub(super) fn rest(&mut self) {
        if let Self::External(foreign) = self
            && let Foreign { config, process: Some(process), .. } = &mut **foreign
        {
            process.rest(config);
        }
    }

    /// Processor time used so far; `None` where unknown, as for searches with helper threads.
    pub(super) fn cpu(&self) -> Option<Duration> {
        match self {
            Self::Own(own) => (own.question.threads.0 == 1).then(cpu::of_thread),
            Self::External(foreign) => foreign.process.as_ref()?.cpu(),
        }
    }
}

impl Own {
    /// A participant that asks this of every position, waiting for its first game.
    pub(crate) fn new(question: Question) -> Self {
        Self { question, seeded: false, game: None }
    }

    /// Begins a game, with an empty table.
    ///
    /// # Errors
    /// When the game cannot begin so.
    pub(crate) fn begin(&mut self, catalog: &Catalog, start: &Start<'_>) -> Result<(), String> {
        let (position, options) = start.open(catalog, self.question.options.clone())?;
        self.game = Some(OwnGame { position, options, table: SharedTable::new(TABLE_ENTRIES) });
        Ok(())
    }

    /// The current position.
    pub(crate) fn position(&mut self) -> &dyn AnyPosition {
        self.game().position.as_ref()
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// When the rules do not allow it.
    pub(crate) fn hear(&mut self, mv: &str) -> Result<(), String> {
        self.game().position.play(mv).map_err(|why| why.to_string())
    }

    fn game(&mut self) -> &mut OwnGame {
        self.game.as_mut().expect("a game has begun")
    }

    /// Searches the current position, with the seed of the game.
    ///
    /// # Errors
    /// When the question cannot be answered.
    pub(crate) fn ask(&mut self, seed: u64) -> Result<Answer, String> {
        if !self.seeded {
            self.question.seed = Some(WholeNumber(seed));
        }
        let question = self.question.clone();
        let game = self.game();
        // A nearly full table holds mostly positions of moves long ago. Dropping it as a whole keeps a
        // match reproducible.
        if game.table.len() * 8 > TABLE_ENTRIES * 7 {
            game.table = SharedTable::new(TABLE_ENTRIES);
        }
        let (options, allowance) = (game.options.clone(), Allowance::unlimited());
        let plan = game.position.plan(&question, options, &allowance, Instant::now());
        Ok(run_plan::search_with(&plan.map_err(|why| why.to_string())?, &game.table))
    }
}

impl Foreign {
    fn begin(&mut self, state: &StateForms) -> Result<Option<&'static str>, String> {
        let text = state.text.clone();
        let is_told_of_stones = self.config.protocol == Protocol::Pbrain;
        self.game = ExternalGame {
            state: text.ok_or("this position has no text notation for another program")?,
            goban: Goban::read(state).filter(|_| is_told_of_stones),
            moves: Vec::new(),
        };
        if self.process.is_none() {
            self.process = Some(Process::start(&self.config)?);
        }
        let goban = self.game.goban.as_ref();
        let process = self.process.as_mut();
        let ready = process.map_or(Ok(()), |process| process.new_game(&self.config, goban));
        if ready.is_err() {
            self.process = None;
        }
        Ok(ready.err().map(ProcessFailure::reason))
    }

    fn choose(&mut self) -> TurnResult {
        let Some(process) = &mut self.process else { return TurnResult::Forfeit("crash") };
        match process.choose(&self.config, &self.game) {
            Ok(Some(mv)) => TurnResult::Move(mv),
            Ok(None) => TurnResult::Forfeit("illegal_move"),
            Err(failure) => {
                self.process = None;
                TurnResult::Forfeit(failure.reason())
            }
        }
    }
}
