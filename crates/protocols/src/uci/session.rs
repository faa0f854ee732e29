//! Engine session: the game, the position, the settings, and the running search.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use super::Dialect;
use super::command::{Go, UciCommand};
use super::options::{self, EngineSettings, OptionEffect};
use crate::lines::{self, Say};
use crate::question::{self, GoBudget};
use crate::thinker::{Listener, PANICKED, SearchTask, Thinker};
use crate::timing::{Remaining, allot};
use catalog::answer::Answer;
use catalog::{AnyGame, AnyPosition, Catalog, Plan};
use engine::SharedTable;
use games::notation::{StateInput, with_short_quotes};

/// Reports search results to a client in its protocol.
struct Voice {
    dialect: Dialect,
    say: Say,
}

impl Listener for Voice {
    fn known(&self, answer: &Answer, lines: usize) {
        self.dialect.known(answer, lines).iter().for_each(|line| (self.say)(line));
    }

    fn found(&self, answer: Option<Answer>) {
        if answer.is_none() {
            (self.say)(&self.dialect.message(PANICKED));
        }
        (self.say)(&self.dialect.best(answer.as_ref()));
    }
}

/// Session with a client.
pub(super) struct EngineSession {
    dialect: Dialect,
    catalog: Catalog,
    settings: EngineSettings,
    /// Position as written by the client.
    state: Option<String>,
    moves: Vec<String>,
    position: Box<dyn AnyPosition>,
    /// Why the last position was refused: a search would answer for another one.
    refused: Option<String>,
    /// Banned moves in this position.
    banned: Vec<String>,
    /// Transposition table kept from move to move.
    table: Arc<SharedTable>,
    thinker: Thinker,
    /// The player's own time available to a pondering search.
    own_time: Option<Duration>,
    say: Say,
}

impl EngineSession {
    /// An engine for these games, in the start position of one.
    ///
    /// # Errors
    /// When the game is unknown, or the search thread cannot be started.
    pub(super) fn new(
        dialect: Dialect,
        catalog: Catalog,
        game: &str,
        out: impl Write + Send + 'static,
    ) -> Result<Self, String> {
        let settings = EngineSettings::new(options::playable(&catalog, game)?.name());
        let say = lines::to(out);
        let position = open(&catalog, &settings, None, &[])?;
        Ok(Self {
            dialect,
            table: Arc::new(SharedTable::new(settings.table_entries())),
            thinker: Thinker::new(Voice { dialect, say: Arc::clone(&say) })?,
            catalog,
            settings,
            state: None,
            moves: Vec::new(),
            position,
            refused: None,
            banned: Vec::new(),
            own_time: None,
            say,
        })
    }

    /// Unit of the client's times, in ms.
    pub(super) fn unit_ms(&self) -> u64 {
        let seconds = self.dialect == Dialect::Ucci && !self.settings.milliseconds;
        if seconds { 1_000 } else { 1 }
    }

    /// Reports an error.
    pub(super) fn complain(&self, why: &str) {
        (self.say)(&self.dialect.message(&with_short_quotes(why)));
    }

    /// Reports a line that is no command. If it was to set a position, there is none.
    pub(super) fn reject(&mut self, line: &str, why: String) {
        self.complain(&why);
        if line.split_whitespace().next() == Some("position") {
            self.refused = Some(why);
        }
    }

    /// Executes a command.
    pub(super) fn obey(&mut self, command: UciCommand) {
        let done = match command {
            UciCommand::Identify => {
                self.introduce();
                Ok(())
            }
            UciCommand::Ready => {
                self.get_ready();
                Ok(())
            }
            UciCommand::Set { name, value } => self.set(&name, &value),
            UciCommand::NewGame => self.apply(OptionEffect::Memory),
            UciCommand::Position { state, moves } => {
                let placed = self.place(state, moves);
                self.refused = placed.as_ref().err().cloned();
                placed
            }
            UciCommand::Ban(moves) => {
                self.banned = moves;
                Ok(())
            }
            UciCommand::Probe { state, moves } => self.probe(state.as_deref(), &moves),
            UciCommand::Go(go) => self.go(go),
            UciCommand::PonderHit => {
                self.thinker.release(self.own_time.take());
                Ok(())
            }
            UciCommand::Stop => {
                self.stop();
                Ok(())
            }
            UciCommand::Show => {
                self.show();
                Ok(())
            }
            UciCommand::Quit | UciCommand::Nothing => Ok(()),
        };
        if let Err(why) = done {
            self.complain(&why);
        }
    }

    /// Stops the search and says goodbye where the protocol does.
    pub(super) fn quit(&self) {
        self.thinker.stop();
        if self.dialect == Dialect::Ucci {
            (self.say)("bye");
        }
    }

    fn game(&self) -> &dyn AnyGame {
        self.catalog.game(&self.settings.game).expect("only known games are set")
    }

    fn introduce(&self) {
        (self.say)(concat!("id name bestmove ", env!("CARGO_PKG_VERSION")));
        (self.say)("id author the authors of bestmove");
        for option in self.settings.declared(&self.catalog, self.dialect) {
            (self.say)(&self.dialect.option(&option));
        }
        (self.say)(self.dialect.introduced());
    }

    fn get_ready(&self) {
        if !self.thinker.is_busy() {
            self.game().prepare();
        }
        (self.say)("readyok");
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let effect = self.settings.set(&self.catalog, name, value)?;
        self.apply(effect)
    }

    fn apply(&mut self, effect: OptionEffect) -> Result<(), String> {
        match effect {
            OptionEffect::Nothing => Ok(()),
            OptionEffect::Position => self.place(self.state.clone(), self.moves.clone()),
            OptionEffect::Game => {
                self.forget();
                self.place(None, Vec::new())
            }
            OptionEffect::Memory => {
                self.forget();
                Ok(())
            }
        }
    }

    /// Starts an empty table; a running search keeps its own.
    fn forget(&mut self) {
        self.table = Arc::new(SharedTable::new(self.settings.table_entries()));
    }

    /// Sets the position; an invalid one changes nothing.
    fn place(&mut self, state: Option<String>, moves: Vec<String>) -> Result<(), String> {
        self.position = open(&self.catalog, &self.settings, state.as_deref(), &moves)?;
        (self.state, self.moves) = (state, moves);
        self.banned.clear();
        self.refused = None;
        Ok(())
    }

    fn stop(&self) {
        if self.thinker.is_busy() {
            self.thinker.stop();
        } else if self.dialect == Dialect::Ucci {
            // A client in error must not wait forever.
            (self.say)(&self.dialect.best(None));
        }
    }

    fn go(&mut self, go: Result<Go, String>) -> Result<(), String> {
        if self.thinker.is_busy() {
            return Err("a search is running; `stop` ends it".into());
        }
        if self.dialect == Dialect::Ucci && go.as_ref().is_ok_and(|go| go.depth == Some(0)) {
            self.judge();
            return Ok(());
        }
        let known = match &self.refused {
            Some(why) => Err(format!("the position was refused: {why}")),
            None => Ok(()),
        };
        let planned = known.and(go).and_then(|go| Ok((self.plan(&go)?, go)));
        let (plan, go) = match planned {
            Ok(planned) => planned,
            Err(why) => {
                self.complain(&why);
                (self.say)(&self.dialect.best(None));
                return Ok(());
            }
        };
        self.own_time = self.time(&go).map(Duration::from_millis).filter(|_| go.ponder);
        let held = go.ponder || go.is_endless();
        let (table, lines) = (Arc::clone(&self.table), self.settings.lines as usize);
        self.thinker.start(SearchTask { plan, table, lines, held });
        if self.settings.batch && !held {
            self.thinker.wait();
        }
        Ok(())
    }

    /// Time for this move in ms; `None` where the client gives none.
    fn time(&self, go: &Go) -> Option<u64> {
        let sides = self.game().sides();
        let to_move = self.position.describe().side_to_move;
        let mover = sides.iter().position(|side| Some(*side) == to_move)?;
        let clock = go.left[mover].map(|left| {
            let (increment, moves_to_go) = (go.increment[mover], go.moves_to_go);
            allot(Remaining { left, increment, moves_to_go })
        });
        [clock, go.time].into_iter().flatten().min()
    }

    /// Builds the plan of a `go`.
    fn plan(&self, go: &Go) -> Result<Plan, String> {
        // A mate is seen where its victim has no move, one ply after the last.
        let mate = go.mate.map(|moves| moves.saturating_mul(2));
        let limits = GoBudget {
            depth: [go.depth, mate].into_iter().flatten().min(),
            nodes: go.nodes,
            time_ms: self.time(go).filter(|_| !go.ponder && !go.infinite),
            only: go.only.clone(),
            avoid: self.banned.clone(),
        };
        let fresh = self.without_course();
        question::plan(&self.settings, fresh.as_ref().unwrap_or(&self.position).as_ref(), &limits)
    }

    /// The position without its history, if the rules of repetition or of quiet moves have ended the game:
    /// a client with other rules may go on.
    fn without_course(&self) -> Option<Box<dyn AnyPosition>> {
        revived(&self.catalog, &self.settings, self.position.as_ref())
    }

    /// Reports the value of the position without a search.
    fn judge(&self) {
        if let Some(score) = self.position.describe().evaluation {
            (self.say)(&format!("info depth 0{}", self.dialect.score(&score)));
        }
        (self.say)(&self.dialect.best(None));
    }

    fn show(&self) {
        let position = self.position.describe();
        let text = position.state.text.unwrap_or_else(|| position.state.json.to_string());
        let outcome = position.outcome.map(|end| format!("{} ({})", end.result, end.reason));
        self.complain(&format!("position: {text}"));
        self.complain(&match (position.side_to_move, outcome) {
            (Some(side), _) => {
                format!("to move: {side}; legal: {}", position.legal_moves.join(" "))
            }
            (None, outcome) => format!("over: {}", outcome.unwrap_or_default()),
        });
    }

    /// Reports the table entry of a position.
    fn probe(&self, state: Option<&str>, moves: &[String]) -> Result<(), String> {
        let position = open(&self.catalog, &self.settings, state, moves);
        let known = position.as_ref().ok().and_then(|position| {
            let EngineSettings { algorithm, seed, .. } = &self.settings;
            position.probe_table(algorithm, *seed, &*self.table)
        });
        (self.say)(&self.dialect.remembered(known.as_ref()));
        position.map(drop)
    }
}

/// Reads a position and plays moves from it.
///
/// # Errors
/// The fault of the state or of a move, with its index.
fn open(
    catalog: &Catalog,
    settings: &EngineSettings,
    state: Option<&str>,
    moves: &[String],
) -> Result<Box<dyn AnyPosition>, String> {
    let game = catalog.game(&settings.game).expect("only known games are set");
    let state = state.map_or(StateInput::Start, StateInput::Text);
    let opened = game.open(state, &[], &mut settings.of_game(game));
    let mut position = opened.map_err(|why| why.to_string())?;
    for (index, mv) in moves.iter().enumerate() {
        if let Err(why) = position.play(mv) {
            let fresh = revived(catalog, settings, position.as_ref());
            position = fresh.ok_or_else(|| why.under(index).under("moves").to_string())?;
            position.play(mv).map_err(|why| why.under(index).under("moves").to_string())?;
        }
    }
    Ok(position)
}

/// The position without its history, if that alone has ended the game.
fn revived(
    catalog: &Catalog,
    settings: &EngineSettings,
    position: &dyn AnyPosition,
) -> Option<Box<dyn AnyPosition>> {
    let position = position.describe();
    position.outcome?;
    let text = position.state.text?;
    let fresh = open(catalog, settings, Some(&text), &[]).ok()?;
    fresh.describe().outcome.is_none().then_some(fresh)
}
