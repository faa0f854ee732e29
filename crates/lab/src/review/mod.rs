//! `bestmove review`: a game file move by move, as a table, a chart, a page, or the file with comments.

mod page;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use serde_json::json;

use crate::{plot, run_plan};
use catalog::question::Question;
use catalog::review::answer::{MoveReview, SideReview};
use catalog::review::{Label, ReviewAnswer, ReviewQuestion};
use catalog::{Allowance, Calibrations, Catalog};
use engine::SharedTable;
use games::files::{self, Annotation, AnnotationMark, GameFile};

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
        let chart = || plot::probabilities(&title, &review.win_probabilities);
        if let Some(path) = &self.svg {
            save(path, &chart()?)?;
        }
        if let Some(path) = &self.html {
            save(path, &page::html(&title, &chart()?, &review))?;
        }
        if let Some(path) = &self.write {
            save(path, &files::write(&file, &annotations(&file, &review)))?;
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
        let budget = match self.depth {
            Some(depth) => json!({ "depth": depth }),
            None => json!({ "time_ms": self.time_ms }),
        };
        question.budget = serde_json::from_value(budget).expect("it has the right shape");
        question.reproducible = self.depth.is_some();
        let plan = catalog.plan_review(&question).map_err(|why| why.to_string())?;
        // The first search would spend its time on tables.
        catalog.game(file.game).map_err(|why| why.to_string())?.prepare();
        let table = SharedTable::new(TABLE_ENTRIES);
        let ask = |question: &Question| {
            let plan = catalog.plan(question, &Allowance::unlimited(), Instant::now());
            let plan = plan.map_err(|why| why.to_string())?;
            Ok::<_, String>(run_plan::search_with(&plan, &table))
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

/// Expected result in percent.
fn percent(p: Option<f64>) -> String {
    p.map_or_else(|| "-".to_owned(), |p| format!("{:.1}", 100.0 * p))
}

/// The word of a value that is written as one.
fn word(value: impl serde::Serialize) -> String {
    json!(value).as_str().unwrap_or("-").to_owned()
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"))
}

/// What is said of a move: nothing of a good one.
fn remark(one: &MoveReview) -> String {
    let best = one.best.as_ref().filter(|_| !one.refutation.is_empty() || one.missed_win);
    let mut said = word(one.label);
    if let Some(best) = best {
        said += &format!("; better {}", best.principal_variation.join(" "));
    }
    if !one.refutation.is_empty() {
        said += &format!("; answered by {}", one.refutation.join(" "));
    }
    said
}

/// An annotation for each ply; what chance has brought has none.
fn annotations(file: &GameFile, review: &ReviewAnswer) -> Vec<Annotation> {
    let mut annotations = vec![Annotation::default(); file.moves.len()];
    for one in &review.moves {
        let mark = match one.label {
            Some(Label::Inaccuracy) => Some(AnnotationMark::Dubious),
            Some(Label::Error) => Some(AnnotationMark::Mistake),
            Some(Label::Blunder) => Some(AnnotationMark::Blunder),
            _ => None,
        };
        let said = format!("{} %, {}", percent(one.win_probability), remark(one));
        annotations[one.ply] = Annotation { mark, comment: Some(said) };
    }
    annotations
}

fn print(review: &ReviewAnswer, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(
        out,
        "{:>4} {:<8} {:<12} {:>6} {:>6} {:>6}  remark",
        "ply", "side", "move", "win %", "loss", "points"
    )?;
    for one in &review.moves {
        let unsure = if one.stable == Some(false) { "?" } else { "" };
        writeln!(
            out,
            "{:>4} {:<8} {:<12} {:>6} {:>6} {:>6}  {}{unsure}",
            one.ply + 1,
            one.side,
            one.mv,
            percent(one.win_probability),
            percent(one.loss),
            number(one.points),
            remark(one),
        )?;
    }
    for event in &review.chance {
        writeln!(
            out,
            "{:>4} {:<8} {:<12} luck {:>6}",
            event.ply + 1,
            "chance",
            event.outcome,
            percent(event.luck)
        )?;
    }
    for side in &review.sides {
        writeln!(out, "{}", side_line(side))?;
    }
    let shares = &review.shares;
    writeln!(
        out,
        "excitement {}; {} changes of the lead; start {} + skill {} + luck {} + unexplained {} = result {}",
        number(review.excitement),
        review.drama.lead_changes,
        percent(shares.start),
        percent(shares.skill),
        percent(shares.luck),
        percent(shares.unexplained),
        percent(shares.result),
    )
}

fn side_line(side: &SideReview) -> String {
    let labels = &side.labels;
    format!(
        "{}: {} moves, accuracy {}, points {}; {} inaccuracies, {} errors, {} blunders",
        side.side,
        side.moves,
        number(side.accuracy),
        number(side.points),
        labels.inaccuracy,
        labels.error,
        labels.blunder,
    )
}
