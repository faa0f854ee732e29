//! A participant in its games, one after the other.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::config::{Configuration, External, Protocol};
use super::cpu;
use super::pbrain::Goban;
use super::process::{GameRecordSoFar, Process, ProcessFailure};
use crate::catalog::answer::{Answer, StateForms};
use crate::catalog::question::{Question, WholeNumber};
use crate::catalog::{Allowance, AnyPosition, Catalog};
use crate::cli::alone;
use crate::service::SharedTable;
use crate::wire::StateInput;

/// What a game begins with: a state and moves, and a seed for what is dealt.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Start<'a> {
    pub(in crate::cli) game: &'a str,
    pub(in crate::cli) state: Option<&'a Value>,
    pub(in crate::cli) moves: &'a [String],
    /// Options of the game.
    pub(in crate::cli) options: Map<String, Value>,
}

/// A position, and the options that its game has left.
pub(in crate::cli) type Opened = (Box<dyn AnyPosition>, Map<String, Value>);

impl Start<'_> {
    /// The position.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub(in crate::cli) fn open(
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

/// Entries of the table that a player keeps during a game, about 36 bytes each.
const TABLE_ENTRIES: usize = 1_000_000;

/// What a turn led to.
pub(super) enum Turnout {
    /// A move, not yet known to be legal.
    Move(String),
    /// The player has lost for this reason.
    Forfeit(&'static str),
}

/// A participant.
pub(super) enum Player {
    Own(Own),
    External(Foreign),
}

/// A configuration of this program.
pub(in crate::cli) struct Own {
    question: Question,
    /// Whether it keeps the seed of the question, whatever the game.
    seeded: bool,
    game: Option<OwnGame>,
}

/// What it knows of the game at hand.
struct OwnGame {
    position: Box<dyn AnyPosition>,
    /// What the game has left of the options: those of the method.
    options: Map<String, Value>,
    /// What is remembered from move to move.
    table: SharedTable,
}

/// Another program.
pub(super) struct Foreign {
    config: External,
    /// Runs from game to game, unless it fails.
    process: Option<Process>,
    game: GameRecordSoFar,
}

impl Player {
    /// A participant who waits for its first game.
    ///
    /// # Errors
    /// When a program cannot be started.
    pub(super) fn new(configuration: &Configuration) -> Result<Self, String> {
        match configuration {
            Configuration::Own { question, seeded } => {
                Ok(Self::Own(Own { seeded: *seeded, ..Own::new(Question::clone(question)) }))
            }
            Configuration::External(config) => {
                let (config, process) = (config.clone(), Some(Process::start(config)?));
                Ok(Self::External(Foreign { config, process, game: GameRecordSoFar::default() }))
            }
        }
    }

    /// Begins a game, whose first state is also given as the rules write it; `Some` is why it is lost already.
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
            Self::External(foreign) => foreign.begin(state),
        }
    }

    /// Hears of a legal move, its own or its opponent's.
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
    pub(super) fn choose(&mut self, seed: u64) -> Result<Turnout, String> {
        match self {
            Self::Own(own) => {
                let answer = own.ask(seed)?;
                Ok(Turnout::Move(answer.best_move.ok_or("an engine found no move")?))
            }
            Self::External(foreign) => Ok(foreign.choose()),
        }
    }

    /// Waits until it can be asked, which counts for nobody.
    pub(super) fn rest(&mut self) {
        if let Self::External(Foreign { config, process: Some(process), .. }) = self {
            process.rest(config);
        }
    }

    /// The processor time used so far; `None` where it is not known, as of searches with helpers.
    pub(super) fn cpu(&self) -> Option<Duration> {
        match self {
            Self::Own(own) => (own.question.threads.0 == 1).then(cpu::of_thread),
            Self::External(foreign) => foreign.process.as_ref()?.cpu(),
        }
    }
}

impl Own {
    /// A participant who asks this of every position, and waits for its first game.
    pub(in crate::cli) fn new(question: Question) -> Self {
        Self { question, seeded: false, game: None }
    }

    /// Begins a game, with nothing remembered.
    ///
    /// # Errors
    /// When the game cannot begin so.
    pub(in crate::cli) fn begin(
        &mut self,
        catalog: &Catalog,
        start: &Start<'_>,
    ) -> Result<(), String> {
        let (position, options) = start.open(catalog, self.question.options.clone())?;
        self.game = Some(OwnGame { position, options, table: SharedTable::new(TABLE_ENTRIES) });
        Ok(())
    }

    /// The position at hand.
    pub(in crate::cli) fn position(&mut self) -> &dyn AnyPosition {
        self.game().position.as_ref()
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// When the rules do not allow it.
    pub(in crate::cli) fn hear(&mut self, mv: &str) -> Result<(), String> {
        self.game().position.play(mv).map_err(|why| why.to_string())
    }

    fn game(&mut self) -> &mut OwnGame {
        self.game.as_mut().expect("a game has begun")
    }

    /// Thinks about the position at hand, with the seed of the game.
    ///
    /// # Errors
    /// When the question cannot be answered.
    pub(in crate::cli) fn ask(&mut self, seed: u64) -> Result<Answer, String> {
        if !self.seeded {
            self.question.seed = WholeNumber(seed);
        }
        let question = self.question.clone();
        let game = self.game();
        // A table that is nearly full is of moves long ago. That it is dropped as a whole keeps a match
        // repeatable.
        if game.table.len() * 8 > TABLE_ENTRIES * 7 {
            game.table = SharedTable::new(TABLE_ENTRIES);
        }
        let (options, allowance) = (game.options.clone(), Allowance::unlimited());
        let plan = game.position.plan(&question, options, &allowance, Instant::now());
        Ok(alone::search_with(&plan.map_err(|why| why.to_string())?, &game.table))
    }
}

impl Foreign {
    fn begin(&mut self, state: &StateForms) -> Result<Option<&'static str>, String> {
        let text = state.text.clone();
        let is_told_of_stones = self.config.protocol == Protocol::Pbrain;
        self.game = GameRecordSoFar {
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

    fn choose(&mut self) -> Turnout {
        let Some(process) = &mut self.process else { return Turnout::Forfeit("crash") };
        match process.choose(&self.config, &self.game) {
            Ok(Some(mv)) => Turnout::Move(mv),
            Ok(None) => Turnout::Forfeit("illegal_move"),
            Err(failure) => {
                self.process = None;
                Turnout::Forfeit(failure.reason())
            }
        }
    }
}
