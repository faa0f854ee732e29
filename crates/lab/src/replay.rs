//! `bestmove replay`: games recorded by other programs, replayed and compared.

use std::io::{Read, Write};
use std::path::PathBuf;

use clap::Args;

use catalog::Catalog;

/// A file of recorded games.
#[derive(Args, Clone, Debug)]
pub struct Replay {
    /// Game of the records
    #[arg(long)]
    game: String,

    /// Recorded games or cases in the game's usual JSON form, plain or compressed by gzip
    file: PathBuf,
}

impl Replay {
    /// Replays every game and prints its outcome, one line each.
    ///
    /// # Errors
    /// When the file cannot be read, nothing can be written, or any game differs.
    pub(super) fn run(&self, out: &mut impl Write) -> Result<(), String> {
        let in_file = |why: &dyn std::fmt::Display| format!("{}: {why}", self.file.display());
        let bytes = std::fs::read(&self.file).map_err(|why| in_file(&why))?;
        let text = unpacked(bytes).map_err(|why| in_file(&why))?;
        let file = serde_json::from_slice(&text).map_err(|why| in_file(&why))?;
        let catalog = Catalog::default();
        let game = catalog.game(&self.game).map_err(|why| why.to_string())?;
        // An error of the whole file has no pointer.
        let games =
            game.replay(&file).map_err(|why| in_file(&why.to_string().trim_start_matches(": ")))?;
        for (n, replayed) in (1..).zip(&games) {
            let end = replayed.difference.as_deref().unwrap_or("same");
            let (moves, seen) = (replayed.moves, replayed.seen);
            writeln!(out, "game {n}: {moves} moves, {seen} states: {end}")
                .map_err(|why| format!("cannot print: {why}"))?;
        }
        match games.iter().filter(|game| game.difference.is_some()).count() {
            0 => Ok(()),
            some => Err(format!("{some} of {} games differ", games.len())),
        }
    }
}

/// Content of a file, plain or compressed by gzip (RFC 1952).
fn unpacked(bytes: Vec<u8>) -> std::io::Result<Vec<u8>> {
    const MAGIC: [u8; 2] = [0x1F, 0x8B];
    if !bytes.starts_with(&MAGIC) {
        return Ok(bytes);
    }
    let mut text = Vec::new();
    flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut text)?;
    Ok(text)
}
