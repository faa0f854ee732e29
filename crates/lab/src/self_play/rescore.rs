//! New scores for positions of earlier games, by the searches of a better evaluation.

use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value};

use super::{Ledger, Practice};
use crate::threads;
use arena::player::{Own, Start};
use arena::self_play::{Forecast, Played, PlayedScore, PositionLine, SelfPlay, terms_of, written};
use catalog::{AnyGame, Catalog};

impl Practice {
    /// Searches the positions of a file again, in place of playing, and appends those with their new scores that the file
    /// lacks; those decided by now are left out. A game keeps its result.
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
        let self_play = SelfPlay::new(catalog, game, &self.terms)?;
        let mut told = self.told(game.name());
        told["rescore"] = from.file_name().map(|name| name.to_string_lossy()).into();
        let ledger = Ledger::open(&self.samples, &told, games.len() as u64, out)?;
        let next = AtomicUsize::new(ledger.written as usize);
        let ledger = Mutex::new(ledger);
        threads::side_by_side(self.jobs, || {
            let mut player = self_play.player();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(lines) = games.get(number) else { return Ok(()) };
                let played = rescored(&self_play, &mut player, lines, self.terms.most_of_a_game);
                let played = played.map_err(|why| format!("{}: {why}", from.display()))?;
                ledger.lock().expect("no panic while locked").add(number as u64, played)?;
            }
        })
    }
}

fn rescored(
    self_play: &SelfPlay<'_>,
    player: &mut Own,
    lines: &str,
    most: usize,
) -> Result<Played, String> {
    let (mut samples, mut result) = (Vec::new(), 0.5);
    let is_position = |line: &&str| !line.trim().is_empty() && terms_of(line).is_none();
    for line in lines.lines().filter(is_position) {
        let PositionLine { state, result: of_the_game, .. } = PositionLine::read(line)?;
        result = of_the_game;
        let text = Value::from(state);
        let json = serde_json::from_str(state).ok().filter(Value::is_object);
        let state = Some(json.as_ref().unwrap_or(&text));
        let start = Start { game: self_play.game(), state, moves: &[], options: Map::new() };
        player.begin_game(self_play.catalog, &start)?;
        let position = player.position().describe();
        let answer = player.ask(0)?;
        if let Forecast::Value(value) = self_play.forecast(&position, &answer)?
            && self_play.is_open(value)
        {
            let mv = answer.best_move.ok_or("the search found no move")?;
            samples.extend(self_play.sample(&position, &mv, PlayedScore::Units(value))?);
        }
    }
    let text = written(&samples, result, most);
    let positions = text.lines().filter(|line| !line.is_empty()).count();
    Ok(Played { result, positions, text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::self_play::SelfPlayTerms;

    /// A game whose only position is decided, but no mate is near: black has no officers.
    const DECIDED: &str =
        "2bakab2/9/9/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 | 1 | 40\n\n";

    fn practice(nodes: u64, samples: &Path) -> Practice {
        Practice {
            terms: SelfPlayTerms {
                nodes,
                seed: 5,
                play: Map::new(),
                opening: [4, 8],
                balanced: None,
                stray: 0.05,
                deal: None,
                most_of_a_game: 40,
                moves: false,
            },
            games: 3,
            jobs: 2,
            samples: samples.to_owned(),
        }
    }

    /// State, result and score of every line, game by game.
    fn games(path: &Path) -> Vec<Vec<(String, f64, Option<f64>)>> {
        let text = std::fs::read_to_string(path).expect("a file");
        let games = text.split("\n\n").filter(|game| !game.trim().is_empty());
        let line = |line: &str| {
            let line = PositionLine::read(line).expect("a line");
            (line.state.to_owned(), line.result, line.score.units())
        };
        let positions =
            |game: &str| game.lines().filter(|line| terms_of(line).is_none()).map(line).collect();
        games.map(positions).collect()
    }

    /// The score of a position for the first side by a search of 600 nodes.
    fn searched(catalog: &Catalog, state: &str) -> Option<f64> {
        let question = serde_json::json!({
            "game": "xiangqi", "budget": { "nodes": 600 }, "ratings": "none", "perspective": "first",
        });
        let mut player = Own::new(serde_json::from_value(question).expect("a question"));
        let state = Some(&Value::from(state));
        let start = Start { game: "xiangqi", state, moves: &[], options: Map::new() };
        player.begin_game(catalog, &start).expect("a position");
        player.ask(0).expect("an answer").score?.value()
    }

    #[test]
    fn positions_keep_their_results_and_get_new_scores() {
        let folder = std::env::temp_dir().join(format!("bestmove-rescore-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let [played, once, again] = ["played", "once", "again"].map(|name| folder.join(name));
        let catalog = Catalog::default();
        let game = catalog.game("xiangqi").expect("a game");
        let mut out = Vec::new();
        practice(60, &played).run(&catalog, game, &mut out).expect("games");
        let mut text = std::fs::read_to_string(&played).expect("a file");
        text.push_str(DECIDED);
        std::fs::write(&played, text).expect("written");
        for path in [&once, &again] {
            practice(600, path).rescore(&played, &catalog, game, &mut out).expect("new scores");
        }
        let (old, new) = (games(&played), games(&once));
        assert_eq!((old.len(), new.len()), (4, 3), "the game without open positions is left out");
        let (mut kept, mut changed) = (0, 0);
        for (old, new) in old.iter().zip(&new) {
            let mut old = old.iter();
            for (state, result, score) in new {
                let same = old.find(|(before, ..)| before == state).expect("in their order");
                assert_eq!(same.1, *result, "{state}");
                assert_eq!(*score, searched(&catalog, state), "{state}");
                kept += 1;
                changed += usize::from(same.2 != *score);
            }
        }
        assert!(kept > 40 && changed * 2 > kept, "{kept} kept, {changed} changed");
        assert_eq!(games(&once), games(&again));
        std::fs::write(&played, "no line").expect("written");
        let refused = practice(60, &once).rescore(&played, &catalog, game, &mut out);
        let why = refused.expect_err("no line");
        assert!(why.contains("played: expected `state | result | score`"), "{why}");
        std::fs::remove_dir_all(&folder).expect("it was there");
    }
}
