//! `bestmove replay`: games that other programs recorded, played again and compared.

use std::io::{Read, Write};
use std::path::PathBuf;

use clap::Args;

use crate::catalog::Catalog;

/// A file of recorded games.
#[derive(Args, Clone, Debug)]
pub(super) struct Replay {
    /// The game they are games of
    #[arg(long)]
    game: String,

    /// Recorded games or cases, as JSON in the form that is usual for the game, compressed by gzip or not
    file: PathBuf,
}

impl Replay {
    /// Plays every game again and prints how it went, one line each.
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
        // A fault of the whole file points nowhere.
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

/// The content of a file, which may be compressed by gzip (RFC 1952).
fn unpacked(bytes: Vec<u8>) -> std::io::Result<Vec<u8>> {
    const MAGIC: [u8; 2] = [0x1F, 0x8B];
    if !bytes.starts_with(&MAGIC) {
        return Ok(bytes);
    }
    let mut text = Vec::new();
    flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut text)?;
    Ok(text)
}
