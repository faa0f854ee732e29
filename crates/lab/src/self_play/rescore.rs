//! New scores for positions of earlier games, by the searches of a better evaluation.

use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value};

use super::game::{Forecast, Played, SelfPlay};
use super::{Ledger, Practice, fields, written};
use crate::matches::player::{Own, Start};
use crate::run_plan;
use catalog::{AnyGame, Catalog};

impl Practice {
    /// Searches the positions of a file again, in place of playing, and appends them with their new scores; those
    /// decided by now are left out. A game keeps its result.
    ///
    /// # Errors
    /// When a file cannot be read or written, a line is faulty, or the settings are wrong.
    pub fn rescore(
        &self,
        from: &Path,
        catalog: &Catalog,
        game: &dyn AnyGame,
        out: &mut (impl Write + Send),
    ) -> Result<(), String> {
        let text =
            std::fs::read_to_string(from).map_err(|why| format!("{}: {why}", from.display()))?;
        let games: Vec<&str> = text.split("\n\n").filter(|game| !game.trim().is_empty()).collect();
        let self_play = SelfPlay::new(catalog, game, self)?;
        let next = AtomicUsize::new(0);
        let ledger = Mutex::new(Ledger::open(&self.samples, games.len() as u64, out)?);
        run_plan::side_by_side(self.jobs, || {
            let mut player = self_play.player();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(lines) = games.get(number) else { return Ok(()) };
                let played = self_play.rescored(&mut player, lines, self.most_of_a_game)?;
                ledger.lock().expect("no panic while locked").add(number as u64, played)?;
            }
        })
    }
}

impl SelfPlay<'_> {
    fn rescored(&self, player: &mut Own, lines: &str, most: usize) -> Result<Played, String> {
        let (mut samples, mut result) = (Vec::new(), 0.5);
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            let (state, of_the_game, _) = fields(line)?;
            result = of_the_game;
            let text = Value::from(state);
            let json = serde_json::from_str(state).ok().filter(Value::is_object);
            let state = Some(json.as_ref().unwrap_or(&text));
            let game = self.game();
            player.begin(self.catalog, &Start { game, state, moves: &[], options: Map::new() })?;
            let position = player.position().describe();
            let answer = player.ask(0)?;
            if let Forecast::Value(value) = self.forecast(&position, &answer)?
                && self.is_open(value)
            {
                let mv = answer.best_move.ok_or("the search found no move")?;
                samples.extend(self.sample(&position, &mv, Some(value))?);
            }
        }
        let text = written(&samples, result, most);
        let positions = text.lines().filter(|line| !line.is_empty()).count();
        Ok(Played { result, positions, text })
    }
}
