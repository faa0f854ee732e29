//! One engine at work: the board, what is set, and whether it is thinking.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::board::{Board, Stone};
use super::command::{Cell, Command, Refused};
use super::terms::Terms;
use crate::catalog::answer::{Answer, Score};
use crate::catalog::{AnyGame, AnyPosition, Catalog};
use crate::cli::engine::Settings;
use crate::cli::inquiry::{self, Limits};
use crate::cli::pipe::Say;
use crate::cli::thinker::{PANICKED, Task, Thinker};
use crate::service::SharedTable;

const GAME: &str = "gomoku";
/// Points on a side of a board.
const SIZES: std::ops::RangeInclusive<i64> = 5..=20;
/// Memory for tables in MiB where the manager sets no limit.
const TABLES: u64 = 128;
/// One part in this many of the memory of the process is for tables.
const TABLES_PART: u64 = 4;

/// A board that a manager is reading out.
struct Filling {
    thinks: bool,
    stones: Vec<Stone>,
    /// What was wrong first.
    fault: Option<String>,
}

/// A conversation with a manager.
pub(super) struct Session {
    catalog: Catalog,
    settings: Settings,
    terms: Terms,
    /// There is none before the first `START`.
    board: Option<Board>,
    filling: Option<Filling>,
    /// What is remembered from move to move.
    table: Arc<SharedTable>,
    thinker: Thinker,
    /// Since when a search is running.
    thinking: Option<Instant>,
    /// Time used in this game before.
    spent: Duration,
    say: Say,
}

impl Session {
    /// An engine that waits for its first game.
    pub(super) fn new(thinker: Thinker, say: Say) -> Self {
        let settings = Settings { hash: TABLES, ..Settings::new(GAME) };
        Self {
            catalog: Catalog::default(),
            table: Arc::new(SharedTable::new(settings.table_entries())),
            settings,
            terms: Terms::default(),
            board: None,
            filling: None,
            thinker,
            thinking: None,
            spent: Duration::ZERO,
            say,
        }
    }

    /// Whether a search is running; nothing may be heard until it has found its move.
    pub(super) fn is_thinking(&self) -> bool {
        self.thinking.is_some()
    }

    /// Ends the search, if there is one; its move is still to be found.
    pub(super) fn stop(&self) {
        self.thinker.stop();
    }

    /// Does what a line says, and answers what is wrong with it.
    pub(super) fn hear(&mut self, line: &str) {
        let done = match Command::read(line) {
            Ok(command) => self.obey(command),
            Err(refused) => self.refuse(refused),
        };
        if let Err(why) = done {
            self.complain(&why);
        }
    }

    /// A line that is no command spoils the board that is being read out; otherwise it is answered.
    fn refuse(&mut self, refused: Refused) -> Result<(), String> {
        match (&mut self.filling, refused) {
            (Some(filling), Refused::Unknown(line)) => {
                let why = || format!("expected `x,y,who` or `DONE`, not `{line}`");
                filling.fault.get_or_insert_with(why);
                Ok(())
            }
            (Some(filling), Refused::Wrong(why)) => {
                filling.fault.get_or_insert(why);
                Ok(())
            }
            (None, Refused::Wrong(why)) => Err(why),
            (None, Refused::Unknown(line)) => {
                (self.say)(&format!("UNKNOWN there is no command `{line}` here"));
                Ok(())
            }
        }
    }

    fn complain(&self, why: &str) {
        (self.say)(&format!("ERROR {}", why.replace(['\r', '\n'], " ")));
    }

    fn obey(&mut self, command: Command) -> Result<(), String> {
        if self.filling.is_some()
            && !matches!(command, Command::Stone(..) | Command::Done | Command::Nothing)
        {
            self.filling = None;
            self.complain("a BOARD ends with DONE before anything else; it is dropped");
        }
        match command {
            Command::Start { width, height } => self.start(width, height),
            Command::Restart => self.renew(self.board()?.cleared()),
            Command::Begin if !self.board()?.is_empty() => {
                Err("BEGIN opens the game, but there are stones; RESTART clears the board".into())
            }
            Command::Begin => self.think(self.board()?.clone(), 1),
            Command::Turn(at) => {
                let board = self.board()?.after(at)?;
                self.think(board, 1).map_err(|why| format!("{at}: {why}"))
            }
            Command::TakeBack(at) => self.take_back(at),
            Command::Board { thinks } => {
                self.filling = Some(Filling { thinks, stones: Vec::new(), fault: None });
                Ok(())
            }
            Command::Stone(at, who) => self.place(at, who),
            Command::Done => self.done(),
            Command::Info { key, value } => {
                self.set(&key, &value);
                Ok(())
            }
            Command::About => {
                (self.say)(&about());
                Ok(())
            }
            Command::ShowForbidden => self.show_forbidden(),
            Command::Forget => {
                self.forget();
                Ok(())
            }
            Command::Best(count) => self.think(self.board()?.clone(), count),
            Command::End | Command::Stop | Command::Nothing => Ok(()),
        }
    }

    fn board(&self) -> Result<&Board, String> {
        self.board.as_ref().ok_or_else(|| "no game has begun; START 15 begins one".into())
    }

    fn game(&self) -> &dyn AnyGame {
        self.catalog.game(GAME).expect("the catalog has it")
    }

    fn start(&mut self, width: i64, height: i64) -> Result<(), String> {
        if width != height || !SIZES.contains(&width) {
            let (min, max) = (SIZES.start(), SIZES.end());
            return Err(format!(
                "{width} by {height} points: boards are square, with {min} to {max} points a side"
            ));
        }
        self.game().prepare();
        self.renew(Board::new(width))
    }

    /// Begins a game.
    fn renew(&mut self, board: Board) -> Result<(), String> {
        self.board = Some(board);
        self.spent = Duration::ZERO;
        self.terms.renew();
        self.forget();
        (self.say)("OK");
        Ok(())
    }

    /// Drops what is remembered.
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
        // As many as there can be.
        self.settings.threads = self.terms.threads.unwrap_or(1).min(256);
    }

    fn take_back(&mut self, at: Cell) -> Result<(), String> {
        let board = self.board()?.before(at)?;
        self.open(&board)?;
        self.board = Some(board);
        (self.say)("OK");
        Ok(())
    }

    fn place(&mut self, at: Cell, who: i64) -> Result<(), String> {
        let Some(filling) = &mut self.filling else {
            return Err(format!("`{at},{who}` is a line of a BOARD, and none has begun"));
        };
        match who {
            _ if filling.fault.is_some() => {}
            1 | 2 => filling.stones.push(Stone { at, is_own: who == 1 }),
            _ => {
                filling.fault = Some(format!(
                    "{at},{who}: a stone is 1 (own) or 2 (the opponent's); nothing else is played here"
                ));
            }
        }
        Ok(())
    }

    fn done(&mut self) -> Result<(), String> {
        let Some(Filling { thinks, stones, fault }) = self.filling.take() else {
            return Err("DONE ends a BOARD, and none has begun".into());
        };
        if let Some(why) = fault {
            return Err(why);
        }
        let board = self.board()?.holding(&stones, |board| self.open(board).is_ok())?;
        if thinks {
            return self.think(board, 1);
        }
        self.open(&board)?;
        self.board = Some(board);
        Ok(())
    }

    /// The position on a board by the rules that are set.
    fn open(&self, board: &Board) -> Result<Box<dyn AnyPosition>, String> {
        let mut settings = self.settings.clone();
        settings.options.insert("rules".into(), self.terms.rules()?.into());
        board.open(self.game(), &settings)
    }

    /// Takes over a board and begins to search for a move; wrong ones leave everything as it was.
    fn think(&mut self, board: Board, lines: u64) -> Result<(), String> {
        let position = self.open(&board)?;
        if let Some(end) = position.describe().outcome {
            // The stone that ends a game is played, but nobody can answer it.
            self.board = Some(board);
            return Err(format!("the game is over: {} ({})", end.result, end.reason));
        }
        let limits = Limits {
            depth: self.terms.depth,
            nodes: self.terms.nodes,
            time_ms: self.terms.time_ms(self.spent),
            ..Limits::default()
        };
        let settings = Settings { lines, ..self.settings.clone() };
        let plan = inquiry::plan(&settings, position.as_ref(), &limits)?;
        let (table, lines) = (Arc::clone(&self.table), lines as usize);
        self.board = Some(board);
        self.thinking = Some(Instant::now());
        self.thinker.start(Task { plan, table, lines, held: false });
        Ok(())
    }

    /// Plays the move that a search has found, and then says it. Where it found none any move will do: who
    /// waits for one must get one.
    pub(super) fn found(&mut self, answer: Option<Box<Answer>>) {
        let (Some(started), Some(board)) = (self.thinking.take(), &self.board) else { return };
        self.spent += started.elapsed();
        let mut messages = vec![PANICKED.to_owned()];
        let mut best = None;
        if let Some(answer) = answer {
            messages = known(&answer);
            best = answer.best_move;
        }
        let any = || self.open(board).ok()?.describe().legal_moves.into_iter().next();
        let best = best.or_else(any).and_then(|name| board.cell(&name));
        let after = best.and_then(|at| Some((at, board.after(at).ok()?)));
        messages.iter().for_each(|message| (self.say)(&format!("MESSAGE {message}")));
        match after {
            Some((at, after)) => {
                self.board = Some(after);
                (self.say)(&at.to_string());
            }
            None => self.complain("there is no move"),
        }
    }

    fn show_forbidden(&self) -> Result<(), String> {
        let board = self.board()?;
        let legal = self.open(board)?.describe();
        let is_over = legal.outcome.is_some();
        let is_forbidden =
            |cell: &Cell| !is_over && !legal.legal_moves.contains(&board.name(*cell));
        let points = board.empty().filter(is_forbidden);
        let points: String = points.map(|cell| format!("{:02}{:02}", cell.x, cell.y)).collect();
        (self.say)(&format!("FORBID {points}."));
        Ok(())
    }
}

/// What a search knows, of each move that it has rated or else of the best.
fn known(answer: &Answer) -> Vec<String> {
    let stats = &answer.stats;
    let figures = format!("depth {} nodes {} time {}", stats.depth, stats.nodes, stats.time_ms);
    let whole = (answer.score.as_ref(), &answer.principal_variation);
    let rated = answer.ratings.iter().map(|rated| (Some(&rated.score), &rated.principal_variation));
    let lines = if answer.ratings.is_empty() { vec![whole] } else { rated.collect() };
    let line = |(n, (score, moves)): (usize, (Option<&_>, &Vec<String>))| {
        let score = score.map_or(String::new(), worth);
        format!("{}: {figures}{score} pv {}", n + 1, moves.join(" "))
    };
    lines.into_iter().enumerate().map(line).collect()
}

/// A score in words, with a space before it.
fn worth(score: &Score) -> String {
    let plies = score.plies.map_or(String::new(), |plies| format!(" in {plies}"));
    let value = score.value.as_ref().map_or(String::new(), |value| format!(" {value}"));
    format!(" {}{plies}{value}", score.kind)
}

fn about() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "name=\"bestmove\", version=\"{version}\", author=\"the authors of bestmove\", country=\"international\", www=\"\""
    )
}
