//! The solved positions, and the statistics of a solver over them.

use std::{fs::File, io::BufReader, path::Path};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::median_run;

/// First and last plies of the means: the opening would drown every later position.
const PLIES: [(usize, usize); 7] =
    [(8, 18), (8, 42), (10, 42), (12, 42), (14, 42), (16, 42), (18, 42)];

#[derive(Deserialize)]
struct Positions {
    positions: Vec<Position>,
}

#[derive(Deserialize)]
struct Position {
    /// Columns 1 to 7 in the order played.
    moves: String,
    ply: usize,
    /// Score for the side to move: the winner's stones left over plus one for a win, the negative of that
    /// for a loss.
    score: i32,
}

/// Result of a solver on one position.
pub struct Solved {
    pub score: i32,
    pub nodes: usize,
    pub cpu_s: f64,
}

/// Solves every position of the file that is at least `min_ply` stones old.
pub fn solve(
    peer: &str,
    file: &Path,
    min_ply: usize,
    mut solve: impl FnMut(&str) -> Solved,
) -> Value {
    let reader = BufReader::new(File::open(file).expect("the positions file opens"));
    let Positions { mut positions } = serde_json::from_reader(reader).expect("it holds positions");
    positions.retain(|position| position.ply >= min_ply);

    let (solved, cpu_s) = median_run(|| {
        let solved: Vec<Solved> = positions.iter().map(|one| solve(&one.moves)).collect();
        let cpu_s: f64 = solved.iter().map(|one| one.cpu_s).sum();
        (solved, cpu_s)
    });
    let pairs = || positions.iter().zip(&solved);

    let mean_ms = |(first, last): (usize, usize)| {
        let among = pairs().filter(|(position, _)| (first..=last).contains(&position.ply));
        let (count, cpu_s) =
            among.fold((0.0, 0.0), |(n, sum), (_, one)| (n + 1.0, sum + one.cpu_s));
        (format!("{first}-{last}"), json!(1000.0 * cpu_s / count))
    };
    let mean_ms: Map<String, Value> =
        PLIES.into_iter().filter(|plies| plies.0 >= min_ply).map(mean_ms).collect();
    json!({
        "peer": peer,
        "case": format!("exact, ply >= {min_ply}"),
        "cpu_s": cpu_s,
        "nodes_or_playouts": solved.iter().map(|one| one.nodes).sum::<usize>(),
        "positions": positions.len(),
        "right": pairs().filter(|(position, one)| position.score == one.score).count(),
        "mean_ms": mean_ms,
    })
}
