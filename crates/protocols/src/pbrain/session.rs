//! Engine session: the board, the settings, and the running search.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::board::Board;
use super::board_input::{self, Filling, Reading};
use super::command::{BoardPoint, PbrainCommand, Refused};
use super::message::{about, heard};
use super::swap2::{self, Opening};
use super::terms::ManagerInfo;
use crate::lines::Say;
use crate::question::{self, GoBudget};
use crate::thinker::{SearchTask, Thinker};
use crate::uci::EngineSettings;
use catalog::answer::Answer;
use catalog::{AnyGame, AnyPosition, Catalog, Plan};
use engine::SharedTable;

const GAME: &str = "gomoku";
/// Supported board sizes, in points per side.
const SIZES: std::ops::RangeInclusive<i64> = 5..=20;
/// Memory for tables in MiB without a limit by the manager.
const TABLES: u64 = 128;
/// Divisor of the memory of the process: one part is for tables.
const TABLES_PART: u64 = 4;

/// Session with a manager.
pub(super) struct PbrainSession {
    catalog: Catalog,
    settings: EngineSettings,
    terms: ManagerInfo,
    /// The last one accepted; `None` before the first `START`.
    board: Option<Board>,
    /// A later one was refused: no move may answer for the one before.
    is_board_refused: bool,
    board_input: Option<Filling>,
    /// Transposition table kept from move to move.
    table: Arc<SharedTable>,
    thinker: Thinker,
    /// Opening being answered, if any.
    opening: Option<Opening>,
    /// Start of the running search.
    thinking: Option<Instant>,
    /// Time used earlier in this game.
    spent: Duration,
    say: Say,
}

impl PbrainSession {
    /// An engine waiting for its first game.
    pub(super) fn new(thinker: Thinker, say: Say) -> Self {
        let settings = EngineSettings { hash: TABLES, ..EngineSettings::new(GAME) };
        Self {
            catalog: Catalog::default(),
            table: Arc::new(SharedTable::new(settings.table_entries())),
            settings,
            terms: ManagerInfo::default(),
            board: None,
            is_board_refused: false,
            board_input: None,
            thinker,
            opening: None,
            thinking: None,
            spent: Duration::ZERO,
            say,
        }
    }

    /// True while a search is running; no line may be processed until it has found its move.
    pub(super) fn is_thinking(&self) -> bool {
        self.thinking.is_some()
    }

    /// Stops the search, if any; its move is still to come.
    pub(super) fn stop(&mut self) {
        if let Some(opening) = &mut self.opening {
            opening.hurried = true;
        }
        self.thinker.stop();
    }

    /// Executes a line and reports its errors.
    pub(super) fn hear(&mut self, line: &str) {
        let done = match PbrainCommand::read(line) {
            Ok(command) => self.obey(command),
            Err(refused) => self.refuse(refused),
        };
        if let Err(why) = done {
            self.complain(&why);
        }
    }

    /// Handles an invalid line: it spoils a board being read; otherwise it is answered.
    fn refuse(&mut self, refused: Refused) -> Result<(), String> {
        match (&mut self.board_input, refused) {
            (Some(board_input), Refused::Unknown(line)) => {
                board_input.spoil(board_input.unexpected(&line));
                Ok(())
            }
            (Some(board_input), Refused::Wrong(why)) => {
                board_input.spoil(why);
                Ok(())
            }
            (None, Refused::Wrong(why)) => Err(why),
            (None, Refused::Unknown(line)) => {
                (self.say)(&format!("UNKNOWN command `{line}`"));
                Ok(())
            }
        }
    }

    fn complain(&self, why: &str) {
        (self.say)(&format!("ERROR {}", why.replace(['\r', '\n'], " ")));
    }

    fn obey(&mut self, command: PbrainCommand) -> Result<(), String> {
        let is_line = matches!(
            command,
            PbrainCommand::Stone(..)
                | PbrainCommand::Point(_)
                | PbrainCommand::Done
                | PbrainCommand::Nothing
        );
        if let Some(board_input) = self.board_input.take_if(|_| !is_line) {
            let name = board_input.reading.name();
            self.is_board_refused = self.board.is_some();
            self.complain(&format!("{name} must end with DONE first; the board is dropped"));
        }
        match command {
            PbrainCommand::Start { width, height } => self.start(width, height),
            PbrainCommand::Restart => self.renew(self.accepted()?.cleared()),
            PbrainCommand::Begin if !self.board()?.is_empty() => {
                Err("BEGIN needs an empty board; RESTART clears it".into())
            }
            PbrainCommand::Begin => self.think(self.board()?.clone(), 1),
            PbrainCommand::Turn(at) => {
                let board = self.board()?.after(at)?;
                self.think(board, 1).map_err(|why| format!("{at}: {why}"))
            }
            PbrainCommand::TakeBack(at) => self.take_back(at),
            PbrainCommand::Board { thinks } => self.fill(Reading::Board { thinks }),
            PbrainCommand::Swap2Board => self.fill(Reading::Swap2Evaluator),
            PbrainCommand::Stone(at, who) => self.place(at, Some(who)),
            PbrainCommand::Point(at) => self.place(at, None),
            PbrainCommand::Done => self.done(),
            PbrainCommand::Info { key, value } => {
                self.set(&key, &value);
                Ok(())
            }
            PbrainCommand::About => {
                (self.say)(&about());
                Ok(())
            }
            PbrainCommand::ShowForbidden => self.show_forbidden(),
            PbrainCommand::Forget => {
                self.forget();
                Ok(())
            }
            PbrainCommand::Best(count) => self.think(self.board()?.clone(), count),
            PbrainCommand::End | PbrainCommand::Stop | PbrainCommand::Nothing => Ok(()),
        }
    }

    /// The board to move on.
    fn board(&self) -> Result<&Board, String> {
        if self.is_board_refused {
            return Err("the last board was refused; send another one, RESTART or START".into());
        }
        self.accepted()
    }

    fn accepted(&self) -> Result<&Board, String> {
        self.board.as_ref().ok_or_else(|| "no game in progress; use START 15".into())
    }

    fn hold(&mut self, board: Board) {
        self.board = Some(board);
        self.is_board_refused = false;
    }

    fn game(&self) -> &dyn AnyGame {
        self.catalog.game(GAME).expect("the catalog has it")
    }

    fn start(&mut self, width: i64, height: i64) -> Result<(), String> {
        if width != height || !SIZES.contains(&width) {
            let (min, max) = (SIZES.start(), SIZES.end());
            return Err(format!(
                "expected a square board of {min} to {max} points a side, got {width} by {height}"
            ));
        }
        self.game().prepare();
        self.renew(Board::new(width))
    }

    /// Begins a game.
    fn renew(&mut self, board: Board) -> Result<(), String> {
        self.hold(board);
        self.spent = Duration::ZERO;
        self.terms.renew();
        self.forget();
        (self.say)("OK");
        Ok(())
    }

    /// Starts an empty table.
    fn forget(&mut self) {
        self.table = Arc::new(SharedTable::new(self.settings.table_entries()));
    }

    fn set(&mut self, key: &str, value: &str) {
        self.terms.set(key, value);
        let most = self.terms.memory.map_or(TABLES, |bytes| (bytes >> 20) / TABLES_PART);
        let hash = most.clamp(1, TABLES);
        if hash != self.settings.hash {
            self.settings.hash = hash;
            self.forget();
        }
        // Maximum number of threads.
        self.settings.threads = self.terms.threads.unwrap_or(1).min(256);
    }

    fn take_back(&mut self, at: BoardPoint) -> Result<(), String> {
        let board = self.board()?.before(at)?;
        self.open(&board)?;
        self.hold(board);
        (self.say)("OK");
        Ok(())
    }

    fn fill(&mut self, reading: Reading) -> Result<(), String> {
        self.board_input = Some(Filling::new(reading));
        Ok(())
    }

    fn place(&mut self, at: BoardPoint, who: Option<i64>) -> Result<(), String> {
        let Some(board_input) = &mut self.board_input else {
            let reading = who.map_or(Reading::Swap2Evaluator, |_| Reading::Board { thinks: true });
            let (line, name) = (board_input::line(at, who), reading.name());
            return Err(format!("`{line}` outside of a {name}"));
        };
        board_input.place(at, who);
        Ok(())
    }

    fn done(&mut self) -> Result<(), String> {
        let Some(board_input) = self.board_input.take() else {
            return Err("DONE outside of a BOARD".into());
        };
        self.is_board_refused = self.board.is_some();
        let reading = board_input.reading;
        let stones = board_input.done()?;
        let Reading::Board { thinks } = reading else {
            let stones: Vec<_> = stones.iter().map(|stone| stone.at).collect();
            return self.choose(Opening::new(self.accepted()?.cleared(), &stones)?);
        };
        let board = self.accepted()?.holding(&stones, |board| self.open(board).is_ok())?;
        if thinks {
            return self.think(board, 1);
        }
        self.open(&board)?;
        self.hold(board);
        Ok(())
    }

    /// The position on a board by the current rules.
    fn open(&self, board: &Board) -> Result<Box<dyn AnyPosition>, String> {
        board.open(self.game(), &self.by_rules()?)
    }

    /// The settings with the current rules.
    fn by_rules(&self) -> Result<EngineSettings, String> {
        let mut settings = self.settings.clone();
        settings.options.insert("rules".into(), self.terms.rules()?.into());
        Ok(settings)
    }

    /// Sets the board and starts the search for a move; an invalid board is not held.
    fn think(&mut self, board: Board, lines: u64) -> Result<(), String> {
        let position = self.open(&board)?;
        if let Some(end) = position.describe().outcome {
            // A stone that ends the game is played but has no answer.
            self.hold(board);
            return Err(format!("the game is over: {} ({})", end.result, end.reason));
        }
        let plan =
            self.plan(&EngineSettings { lines, ..self.settings.clone() }, position.as_ref(), 1)?;
        self.hold(board);
        self.begin(plan, lines as usize);
        Ok(())
    }

    /// Plan of one search of an answer that shares its time among `searches`.
    fn plan(
        &self,
        settings: &EngineSettings,
        position: &dyn AnyPosition,
        searches: u64,
    ) -> Result<Plan, String> {
        let limits = GoBudget {
            depth: self.terms.depth,
            nodes: self.terms.nodes,
            time_ms: self.terms.time_ms(self.spent).map(|ms| ms / searches),
            ..GoBudget::default()
        };
        question::plan(settings, position, &limits)
    }

    fn begin(&mut self, plan: Plan, lines: usize) {
        self.thinking = Some(Instant::now());
        self.thinker.start(SearchTask { plan, table: Arc::clone(&self.table), lines, held: false });
    }

    /// Searches for the next move of an opening, until the answer is complete.
    fn choose(&mut self, opening: Opening) -> Result<(), String> {
        let position = self.open_opening(&opening)?;
        if opening.is_answered(&position.describe()) {
            (self.say)(&opening.answer());
            self.hold(opening.into_board());
            return Ok(());
        }
        let settings = EngineSettings { game: swap2::GAME.into(), ..self.settings.clone() };
        let plan = self.plan(&settings, position.as_ref(), swap2::SEARCHES)?;
        let is_hurried = opening.hurried;
        self.opening = Some(opening);
        self.begin(plan, 1);
        if is_hurried {
            self.thinker.stop();
        }
        Ok(())
    }

    /// The position of an opening by the current rules.
    fn open_opening(&self, opening: &Opening) -> Result<Box<dyn AnyPosition>, String> {
        let game = self.catalog.game(swap2::GAME).expect("the catalog has it");
        opening.open(game, &self.by_rules()?)
    }

    /// Plays the move found for an opening.
    fn chosen(&mut self, mut opening: Opening, answer: Option<Box<Answer>>) -> Result<(), String> {
        let (messages, best) = heard(answer);
        messages.iter().for_each(|message| (self.say)(&format!("MESSAGE {message}")));
        let best = match best {
            Some(best) => best,
            None => {
                let legal = self.open_opening(&opening)?.describe().legal_moves;
                legal.into_iter().next().ok_or("no legal move")?
            }
        };
        opening.play(best)?;
        self.choose(opening)
    }

    /// Plays the move found by a search, then reports it. Without one any move will do: the manager
    /// waits for one.
    pub(super) fn found(&mut self, answer: Option<Box<Answer>>) {
        let Some(started) = self.thinking.take() else { return };
        self.spent += started.elapsed();
        if let Some(opening) = self.opening.take() {
            if let Err(why) = self.chosen(opening, answer) {
                self.complain(&why);
            }
            return;
        }
        let Some(board) = &self.board else { return };
        let (messages, best) = heard(answer);
        let any = || self.open(board).ok()?.describe().legal_moves.into_iter().next();
        let best = best.or_else(any).and_then(|name| board.cell(&name));
        let after = best.and_then(|at| Some((at, board.after(at).ok()?)));
        messages.iter().for_each(|message| (self.say)(&format!("MESSAGE {message}")));
        match after {
            Some((at, after)) => {
                self.hold(after);
                (self.say)(&at.to_string());
            }
            None => self.complain("no legal move"),
        }
    }

    fn show_forbidden(&self) -> Result<(), String> {
        let board = self.board()?;
        let legal = self.open(board)?.describe();
        let is_over = legal.outcome.is_some();
        let is_forbidden =
            |cell: &BoardPoint| !is_over && !legal.legal_moves.contains(&board.name(*cell));
        let points = board.empty().filter(is_forbidden);
        let points: String = points.map(|cell| format!("{:02}{:02}", cell.x, cell.y)).collect();
        (self.say)(&format!("FORBID {points}."));
        Ok(())
    }
}
