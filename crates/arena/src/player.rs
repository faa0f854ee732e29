//! Who plays.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use serde_json::{Map, Value};

use catalog::answer::{Answer, StateForms};
use catalog::question::{Question, WholeNumber};
use catalog::{Allowance, AnyPosition, Catalog};
use engine::SharedTable;
use engine::search::Cancel;
use games::notation::StateInput;

use crate::search::search_until;

/// Start of a game: a state and moves, and a seed for the deal.
#[derive(Clone, Debug)]
pub struct Start<'a> {
    /// Name of the game.
    pub game: &'a str,
    /// The state; `None` for the start of the rules.
    pub state: Option<&'a Value>,
    /// Moves from there.
    pub moves: &'a [String],
    /// Options of the game.
    pub options: Map<String, Value>,
}

/// A position, and the options left over by its game.
pub type Opened = (Box<dyn AnyPosition>, Map<String, Value>);

impl Start<'_> {
    /// True if the game does not begin as its rules say.
    pub fn is_set_up(&self) -> bool {
        self.state.is_some() || !self.moves.is_empty()
    }

    /// The position.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn open(
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

/// Result of a turn.
pub enum TurnResult {
    /// Move, not yet checked for legality.
    Move(String),
    /// Loss of the game for this reason.
    Forfeit(&'static str),
}

/// One who plays game after game.
pub trait Contestant {
    /// Begins a game, with its first state also in the notation of the rules; `Some` is the reason for an immediate loss.
    ///
    /// # Errors
    /// When the game cannot begin so.
    fn begin(
        &mut self,
        catalog: &Catalog,
        start: &Start<'_>,
        state: &StateForms,
    ) -> Result<Option<&'static str>, String>;

    /// Takes note of a legal move, its own or the opponent's.
    ///
    /// # Errors
    /// When its own rules do not allow it.
    fn hear(&mut self, mv: &str) -> Result<(), String>;

    /// Chooses a move, with the seed of the game.
    ///
    /// # Errors
    /// When it cannot be asked.
    fn choose(&mut self, seed: u64) -> Result<TurnResult, String>;

    /// Waits until the player can be asked; this time counts for neither side.
    fn rest(&mut self) {}

    /// Processor time used so far; `None` where unknown, as for searches with helper threads.
    fn cpu(&self) -> Option<Duration>;
}

/// Entries of a player's transposition table, about 36 bytes each; kept during a game.
const TABLE_ENTRIES: usize = 1_000_000;

/// A configuration of this program.
pub struct Own {
    question: Question,
    /// True if the seed of the question applies to every game.
    seeded: bool,
    allowance: Allowance,
    entries: usize,
    cancel: Cancel,
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

impl Own {
    /// A participant that asks this of every position, waiting for its first game.
    pub fn new(question: Question) -> Self {
        Self {
            question,
            seeded: false,
            allowance: Allowance::unlimited(),
            entries: TABLE_ENTRIES,
            cancel: Cancel::default(),
            game: None,
        }
    }

    /// It with the seed of its question in every game, if there is to be one for all.
    pub fn seeded(self, seeded: bool) -> Self {
        Self { seeded, ..self }
    }

    /// It inside a service: with these limits, a table of so many entries, and until this is cancelled.
    pub fn within(self, allowance: Allowance, entries: usize, cancel: Cancel) -> Self {
        Self { allowance, entries, cancel, ..self }
    }

    /// Begins a game, with an empty table.
    ///
    /// # Errors
    /// When the game cannot begin so.
    pub fn begin_game(&mut self, catalog: &Catalog, start: &Start<'_>) -> Result<(), String> {
        let (position, options) = start.open(catalog, self.question.options.clone())?;
        self.game = Some(OwnGame { position, options, table: SharedTable::new(self.entries) });
        Ok(())
    }

    /// The current position.
    pub fn position(&mut self) -> &dyn AnyPosition {
        self.game().position.as_ref()
    }

    fn game(&mut self) -> &mut OwnGame {
        self.game.as_mut().expect("a game has begun")
    }

    /// Searches the current position, with the seed of the game.
    ///
    /// # Errors
    /// When the question cannot be answered, or the games are cancelled.
    pub fn ask(&mut self, seed: u64) -> Result<Answer, String> {
        if !self.seeded {
            self.question.seed = Some(WholeNumber(seed));
        }
        let (question, allowance, cancel) =
            (self.question.clone(), self.allowance, self.cancel.clone());
        let entries = self.entries;
        let game = self.game();
        // A nearly full table holds mostly positions of moves long ago. Dropping it as a whole keeps a
        // match reproducible.
        if game.table.len() * 8 > entries * 7 {
            game.table = SharedTable::new(entries);
        }
        let plan = game.position.plan(&question, game.options.clone(), &allowance, Instant::now());
        let plan = plan.map_err(|why| why.to_string())?;
        search_until(&plan, &game.table, &cancel)
    }
}

impl Contestant for Own {
    fn begin(
        &mut self,
        catalog: &Catalog,
        start: &Start<'_>,
        _: &StateForms,
    ) -> Result<Option<&'static str>, String> {
        self.begin_game(catalog, start).map(|()| None)
    }

    fn hear(&mut self, mv: &str) -> Result<(), String> {
        self.game().position.play(mv).map_err(|why| why.to_string())
    }

    fn choose(&mut self, seed: u64) -> Result<TurnResult, String> {
        let answer = self.ask(seed)?;
        Ok(TurnResult::Move(answer.best_move.ok_or("an engine found no move")?))
    }

    fn cpu(&self) -> Option<Duration> {
        (self.question.threads.0 == 1).then(cpu_of_thread)
    }
}

/// Processor time of this thread, independent of other load on the machine.
pub fn cpu_of_thread() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
