//! `bestmove study`: properties of a game as a whole.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Subcommand;
use serde_json::{Value, json};

use crate::plot::{self, Curve};
use crate::progress::CommandProgress;
use crate::{CommandJob, JobRunner};
use catalog::{Catalog, DepthStudy, MakerProgress};

/// The studies.
#[derive(Clone, Debug, Subcommand)]
pub enum Study {
    /// Required search depth: positions in which a search of each depth blunders
    Depth {
        /// Game with a fully known state space, such as `two_eat_one`
        #[arg(long)]
        game: String,

        /// Maximum search depth
        #[arg(long, default_value_t = 54)]
        to: u32,

        /// Write the table to this file as JSON
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,

        /// Draw the curves into this file as SVG
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
    /// Table of solved early positions, made as far as time allows: stop it at any moment, and the next run
    /// goes on from the file
    Solve {
        /// Game with an exact solver and such a table, such as `connect4`
        #[arg(long)]
        game: String,

        /// Last ply of the lines in which one side plays a best move and the other side any
        #[arg(long, default_value_t = 8)]
        to: u32,

        /// Last ply of which every position is solved
        #[arg(long, default_value_t = 4)]
        all: u32,

        /// File of the table
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Values of every position of an opening, each searched alike and backed up from the last plies
    Opening {
        /// The start and the search of each position: the body of a question, such as
        /// {"game":"othello","budget":{"depth":8}}
        question: String,

        /// Plies from the start to the last positions
        #[arg(long)]
        plies: u64,

        /// Search on the workers of these servers, as nats://host:4222, in place of this machine
        #[arg(long, value_name = "URLS")]
        jobs_on: Option<String>,

        /// Write all positions to this file as JSON
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
}

impl Study {
    /// Prints the study and writes its files.
    ///
    /// # Errors
    /// When the game has no such study or a file cannot be written.
    pub(super) fn run(&self, out: &mut impl Write, runner: &dyn JobRunner) -> Result<(), String> {
        match self {
            Self::Depth { game, to, json, svg } => depths(game, *to, [json, svg], out),
            Self::Solve { game, to, all, out: file } => solve(game, [*to, *all], file, out),
            Self::Opening { question, plies, jobs_on, json } => {
                let question: Value = serde_json::from_str(question)
                    .map_err(|why| format!("expected a question in JSON: {why}"))?;
                let body = json!({ "question": question, "plies": plies });
                let job = CommandJob { servers: jobs_on.as_deref(), kind: "study", body };
                opening(&job, json.as_deref(), out, runner)
            }
        }
    }
}

fn depths(
    game: &str,
    to: u32,
    [json, svg]: [&Option<PathBuf>; 2],
    out: &mut impl Write,
) -> Result<(), String> {
    let catalog = Catalog::default();
    let game = catalog.game(game).map_err(|why| why.to_string())?;
    let none = || format!("the state space of `{}` is too large to be studied", game.name());
    let study = game.study(to).ok_or_else(none)?;
    if let Some(path) = json {
        write_file(path, format!("{:#}\n", as_json(game.name(), &study)).as_bytes())?;
    }
    if let Some(path) = svg {
        write_file(path, drawn(game.name(), &study)?.as_bytes())?;
    }
    print(&study, out).map_err(|why| format!("cannot print: {why}"))
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|why| format!("{}: {why}", path.display()))
}

/// Time between two writings of the file. Not tuned.
const WRITE_EVERY: Duration = Duration::from_secs(20);

/// Has a study of an opening done, and prints best play.
fn opening(
    job: &CommandJob<'_>,
    json: Option<&Path>,
    out: &mut impl Write,
    runner: &dyn JobRunner,
) -> Result<(), String> {
    let mut progress = None;
    let answer = runner.run(job, &mut |item| {
        let progress =
            progress.get_or_insert_with(|| CommandProgress::new(item.of.into(), "positions"));
        progress.advance(1);
        Ok(true)
    })?;
    drop(progress);
    let answer = answer.ok_or("the study was cancelled")?;
    if let Some(path) = json {
        write_file(path, format!("{answer:#}\n").as_bytes())?;
    }
    let texts = |value: &Value| {
        let texts = value.as_array().into_iter().flatten().filter_map(Value::as_str);
        texts.collect::<Vec<_>>().join(" ")
    };
    let positions = answer["positions"].as_array().map_or(&[][..], Vec::as_slice);
    let percent = |position: &Value| {
        let probability = position["win_probability"].as_f64();
        probability.map_or("unknown".to_owned(), |value| format!("{:.1} %", 100.0 * value))
    };
    let printed = (|| {
        writeln!(out, "{} positions; best play: {}", positions.len(), texts(&answer["line"]))?;
        let first = positions
            .iter()
            .filter(|one| one["moves"].as_array().is_some_and(|moves| moves.len() < 2));
        for position in first {
            let best = position["best_move"].as_str().unwrap_or("-");
            let moves = texts(&position["moves"]);
            let moves = if moves.is_empty() { "start" } else { &moves };
            if position["side_to_move"].is_null() {
                writeln!(out, "{moves}: the game is over")?;
                continue;
            }
            writeln!(out, "{moves}: {} for the side to move, best {best}", percent(position))?;
        }
        Ok(())
    })();
    printed.map_err(|why: io::Error| format!("cannot print: {why}"))
}

/// Makes or continues a table of early positions.
fn solve(
    game: &str,
    [lines, all]: [u32; 2],
    file: &Path,
    out: &mut impl Write,
) -> Result<(), String> {
    let catalog = Catalog::default();
    let game = catalog.game(game).map_err(|why| why.to_string())?;
    let none = || format!("`{}` has no table of early positions", game.name());
    let mut maker = game.opening_maker().ok_or_else(none)?;
    if let Ok(bytes) = std::fs::read(file)
        && !maker.resume(&bytes)
    {
        return Err(format!("{} ends within an entry: not a file of this command", file.display()));
    }
    let mut result = Ok(());
    let mut written = Instant::now();
    let shown = CommandProgress::new(0, "positions");
    maker.make(lines, all, &mut |progress, bytes| {
        shown.set(progress.done as u64, progress.of as u64);
        if written.elapsed() >= WRITE_EVERY {
            written = Instant::now();
            result =
                write_file(file, &bytes()).and_then(|()| shown.aside(|| report(&progress, out)));
        }
        result.is_ok()
    });
    result.and_then(|()| write_file(file, &maker.file()))
}

fn report(progress: &MakerProgress, out: &mut impl Write) -> Result<(), String> {
    let MakerProgress { part, ply, done, of, stored, nodes } = progress;
    writeln!(out, "{part}, ply {ply}: {done} of {of}; {stored} positions stored, {nodes} nodes")
        .map_err(|why| format!("cannot print: {why}"))
}

fn print(study: &DepthStudy, out: &mut impl Write) -> io::Result<()> {
    let census = study.census;
    writeln!(
        out,
        "{} positions: {} won, {} lost, {} drawn for the side to move",
        census.states, census.wins, census.losses, census.draws
    )?;
    for (evaluation, rows) in &study.evaluations {
        writeln!(out, "\nevaluation: {evaluation}")?;
        writeln!(out, "depth  blunders  by first move  mislabelled  safe first  safe second")?;
        for row in rows {
            let [first, second] = row.safe.map(|safe| if safe { "yes" } else { "no" });
            writeln!(
                out,
                "{:>5} {:>9} {:>14} {:>12} {first:>11} {second:>12}",
                row.depth, row.blunders, row.first_blunders, row.mislabelled
            )?;
        }
        for (what, depth) in findings(rows) {
            let depth = depth.map_or("none of these".to_owned(), |depth| depth.to_string());
            writeln!(out, "{what}: {depth}")?;
        }
    }
    Ok(())
}

type Rows = [engine::search::depth_study::DepthRow];

/// Depths from which each property holds; `None` if never.
fn findings(rows: &Rows) -> Vec<(&'static str, Option<u32>)> {
    let first =
        |good: &dyn Fn(usize) -> bool| (0..rows.len()).find(|&n| good(n)).map(|n| rows[n].depth);
    let from_on = |good: &dyn Fn(usize) -> bool| first(&|n| (n..rows.len()).all(good));
    let clean = |n: usize| rows[n].blunders == 0;
    vec![
        ("first depth without a blunder", first(&clean)),
        ("every depth without a blunder from", from_on(&clean)),
        ("first depth safe from the start in both seats", first(&|n| rows[n].safe == [true; 2])),
        ("every depth safe from the start from", from_on(&|n| rows[n].safe == [true; 2])),
        ("every win, loss and draw recognised from", from_on(&|n| rows[n].mislabelled == 0)),
    ]
}

fn as_json(game: &str, study: &DepthStudy) -> Value {
    let census = study.census;
    let evaluation = |(name, rows): &(&str, Vec<_>)| {
        let findings =
            findings(rows).into_iter().map(|(what, depth)| (what.to_owned(), json!(depth)));
        let row = |row: &engine::search::depth_study::DepthRow| {
            json!({
                "depth": row.depth,
                "blunders": row.blunders,
                "first_blunders": row.first_blunders,
                "mislabelled": row.mislabelled,
                "safe_first": row.safe[0],
                "safe_second": row.safe[1],
            })
        };
        json!({
            "evaluation": name,
            "findings": findings.collect::<serde_json::Map<_, _>>(),
            "rows": rows.iter().map(row).collect::<Vec<_>>(),
        })
    };
    json!({
        "game": game,
        "positions": census.states,
        "wins": census.wins,
        "losses": census.losses,
        "draws": census.draws,
        "evaluations": study.evaluations.iter().map(evaluation).collect::<Vec<_>>(),
    })
}

fn drawn(game: &str, study: &DepthStudy) -> Result<String, String> {
    let curve = |(name, rows): &(&str, Vec<engine::search::depth_study::DepthRow>)| Curve {
        name: format!("evaluation: {name}"),
        points: rows.iter().map(|row| (row.depth, row.blunders)).collect(),
    };
    let curves: Vec<_> = study.evaluations.iter().map(curve).collect();
    let title = format!("{game}: positions in which a search of some depth can blunder");
    plot::log_scale(&title, "depth in plies", "positions", &curves)
}
