//! `bestmove study`: properties of a game as a whole.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Subcommand;
use serde_json::{Value, json};

use crate::plot::{self, Curve};
use catalog::{Catalog, DepthStudy};

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
}

impl Study {
    /// Prints the study and writes its files.
    ///
    /// # Errors
    /// When the game has no such study or a file cannot be written.
    pub(super) fn run(&self, out: &mut impl Write) -> Result<(), String> {
        let Self::Depth { game, to, json, svg } = self;
        let catalog = Catalog::default();
        let game = catalog.game(game).map_err(|why| why.to_string())?;
        let none = || format!("the state space of `{}` is too large to be studied", game.name());
        let study = game.study(*to).ok_or_else(none)?;
        let written = |path: &PathBuf, text: String| {
            std::fs::write(path, text).map_err(|why| format!("{}: {why}", path.display()))
        };
        if let Some(path) = json {
            written(path, format!("{:#}\n", as_json(game.name(), &study)))?;
        }
        if let Some(path) = svg {
            written(path, drawn(game.name(), &study)?)?;
        }
        print(&study, out).map_err(|why| format!("cannot print: {why}"))
    }
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
