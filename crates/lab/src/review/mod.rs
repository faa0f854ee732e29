//! `bestmove review`: a game file move by move, as a table, a chart, a page, or the file with comments.

mod page;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use serde_json::json;

use crate::plot;
use crate::progress::CommandProgress;
use arena::search::search_with;
use catalog::question::Question;
use catalog::review::answer::{ChanceReview, MoveReview, SideReview};
use catalog::review::file::{annotations, percent, remark};
use catalog::review::{ReviewAnswer, ReviewQuestion};
use catalog::{Allowance, Calibrations, Catalog};
use engine::SharedTable;
use games::files::{self, GameFile};

/// A game file, and what becomes of it.
#[derive(Args, Clone, Debug)]
pub struct Review {
    /// Game file: SGF of gomoku or othello, PGN of xiangqi, psq, a list of moves, or the JSON body of a question
    file: PathBuf,

    /// Name of the game, for lists of moves that do not tell it
    #[arg(long)]
    game: Option<String>,

    /// Number of the game in a file of several
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    number: u64,

    /// Thinking time for each position in ms
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    time_ms: u64,

    /// Plies to look ahead, in place of a time: the same review each time
    #[arg(long)]
    depth: Option<u64>,

    /// Positions to search for each of the game, in place of a time: the same review each time
    #[arg(long, conflicts_with = "depth")]
    nodes: Option<u64>,

    /// Chart of the win probability
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,

    /// Page with chart and moves, which opens without a server
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,

    /// The game in its own format with the review as comments
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,

    /// The whole review, as `POST /v1/review` answers it
    #[arg(long, value_name = "FILE.json")]
    json: Option<PathBuf>,

    #[command(flatten)]
    calibrations: Calibrations,
}

/// Entries of the table that the searches share.
const TABLE_ENTRIES: usize = 1_000_000;

impl Review {
    /// Reads, reviews, prints and writes.
    ///
    /// # Errors
    /// What is wrong with the file, or with a move and its place.
    pub(super) fn run(&self, out: &mut impl Write) -> Result<(), String> {
        let file = self.read()?;
        let catalog = self.calibrations.catalog()?;
        let review = self.review(&catalog, &file)?;
        print(&review, out).map_err(|why| format!("cannot print: {why}"))?;
        let title = title(&file);
        let chart = |title: &str| plot::probabilities(title, &review.win_probabilities);
        if let Some(path) = &self.svg {
            save(path, &chart(&title)?)?;
        }
        if let Some(path) = &self.html {
            // The page has a heading of its own.
            save(path, &page::html(&title, &chart("")?, &review))?;
        }
        if let Some(path) = &self.write {
            save(path, &files::write(&file, &annotations(file.moves.len(), &review)))?;
            if !file.format.has_annotations() {
                let note =
                    "the format of this file has no comments; --html and --json have the review";
                writeln!(out, "{note}").map_err(|why| format!("cannot print: {why}"))?;
            }
        }
        if let Some(path) = &self.json {
            save(path, &format!("{:#}\n", json!(review)))?;
        }
        Ok(())
    }

    fn read(&self) -> Result<GameFile, String> {
        let wrong = |why: &dyn std::fmt::Display| format!("{}: {why}", self.file.display());
        let bytes = std::fs::read(&self.file).map_err(|why| wrong(&why))?;
        let text = files::decode(&bytes).map_err(|why| wrong(&why))?;
        let mut games = files::read(&text, self.game.as_deref()).map_err(|why| wrong(&why))?;
        let count = games.len();
        match usize::try_from(self.number - 1) {
            Ok(place) if place < count => Ok(games.swap_remove(place)),
            _ => Err(wrong(&format!("it has {count} games; there is no number {}", self.number))),
        }
    }

    fn review(&self, catalog: &Catalog, file: &GameFile) -> Result<ReviewAnswer, String> {
        let mut question = ReviewQuestion::of(file.game, &file.moves);
        question.state = file.state.clone();
        question.options = file.options.clone();
        let budget = match (self.depth, self.nodes) {
            (Some(depth), _) => json!({ "depth": depth }),
            (_, Some(nodes)) => json!({ "nodes": nodes }),
            (None, None) => json!({ "time_ms": self.time_ms }),
        };
        question.budget = serde_json::from_value(budget).expect("it has the right shape");
        question.reproducible = self.depth.is_some() || self.nodes.is_some();
        let plan = catalog.plan_review(&question).map_err(|why| why.to_string())?;
        // The first search would spend its time on tables.
        catalog.game(file.game).map_err(|why| why.to_string())?.prepare();
        let table = SharedTable::new(TABLE_ENTRIES);
        let progress = CommandProgress::new(plan.positions() as u64, "positions");
        let ask = |question: &Question| {
            let plan = catalog.plan(question, &Allowance::unlimited(), Instant::now());
            let plan = plan.map_err(|why| why.to_string())?;
            let answer = search_with(&plan, &table);
            progress.advance(1);
            Ok::<_, String>(answer)
        };
        Ok(plan.review(&plan.search(ask)?))
    }
}

fn save(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|why| format!("{}: {why}", path.display()))
}

/// The players, or else the game.
fn title(file: &GameFile) -> String {
    let named = |names: [&str; 2]| {
        let value = |name: &str| {
            file.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
        };
        let [one, two] = names.map(value);
        one.zip(two).map(|(one, two)| format!("{one} - {two}"))
    };
    let players = named(["PB", "PW"]).or_else(|| named(["Red", "Black"]));
    players.or_else(|| named(["black", "white"])).unwrap_or_else(|| file.game.to_owned())
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"))
}

/// Names of [`cells`].
const COLUMNS: [&str; 7] = ["ply", "side", "move", "win %", "loss", "points", "remark"];

/// What a table tells of a move.
fn cells(one: &MoveReview) -> [String; 7] {
    [
        (one.ply + 1).to_string(),
        one.side.to_owned(),
        one.mv.clone(),
        percent(one.win_probability),
        percent(one.loss),
        number(one.points),
        remark(one),
    ]
}

/// The same of a chance event.
fn chance_cells(event: &ChanceReview) -> [String; 7] {
    let [ply, outcome] = [(event.ply + 1).to_string(), event.outcome.clone()];
    let luck = format!("luck {:>6}", percent(event.luck));
    let none = String::new;
    [ply, "chance".to_owned(), outcome, none(), none(), none(), luck]
}

/// The rows of a table: moves and chance events as they were played.
fn rows(review: &ReviewAnswer) -> Vec<(usize, [String; 7])> {
    let moves = review.moves.iter().map(|one| (one.ply, cells(one)));
    let chance = review.chance.iter().map(|event| (event.ply, chance_cells(event)));
    let mut rows: Vec<_> = moves.chain(chance).collect();
    rows.sort_by_key(|&(ply, _)| ply);
    rows
}

/// What is told of the whole game, in lines.
fn totals(review: &ReviewAnswer) -> Vec<String> {
    let mut lines: Vec<_> = review.sides.iter().map(side_line).collect();
    let (excitement, changes) = (number(review.excitement), review.drama.lead_changes);
    lines.push(format!("excitement {excitement}; changes of the lead {changes}"));
    let shares = &review.shares;
    let [start, result] = [shares.start, shares.result].map(percent);
    lines.push(match (shares.skill, shares.luck, shares.unexplained) {
        (Some(skill), Some(luck), Some(rest)) => format!(
            "start {start} % + skill {} + luck {} + unexplained {} = result {result} %",
            percent(Some(skill)),
            percent(Some(luck)),
            percent(Some(rest))
        ),
        _ => format!("start {start} %, result {result} %; not every move is rated"),
    });
    lines
}

fn print(review: &ReviewAnswer, out: &mut impl Write) -> std::io::Result<()> {
    let mut row = |[ply, side, mv, p, loss, points, remark]: [&str; 7]| {
        writeln!(out, "{ply:>4} {side:<8} {mv:<12} {p:>6} {loss:>6} {points:>6}  {remark}")
    };
    row(COLUMNS)?;
    for (_, cells) in rows(review) {
        row(cells.each_ref().map(String::as_str))?;
    }
    totals(review).iter().try_for_each(|line| writeln!(out, "{line}"))
}

fn side_line(side: &SideReview) -> String {
    let labels = &side.labels;
    format!(
        "{}: {} moves, accuracy {}, points {}; inaccuracies {}, mistakes {}, blunders {}",
        side.side,
        side.moves,
        number(side.accuracy),
        number(side.points),
        labels.inaccuracy,
        labels.mistake,
        labels.blunder,
    )
}
