//! A participant and its successive games.

use std::time::Duration;

use super::config::{Configuration, External, Protocol};
use super::pbrain::Goban;
use super::process::{ExternalGame, Process, ProcessFailure};
use arena::player::{Contestant, Own, Start, TurnResult};
use catalog::Catalog;
use catalog::answer::StateForms;
use catalog::question::Question;

/// A participant.
pub(super) enum Player {
    Own(Box<Own>),
    External(Box<Foreign>),
}

/// An external program.
pub(super) struct Foreign {
    config: External,
    /// Kept running from game to game, unless it fails.
    process: Option<Process>,
    game: ExternalGame,
}

impl Player {
    /// A participant waiting for its first game.
    ///
    /// # Errors
    /// When a program cannot be started.
    pub(super) fn new(configuration: &Configuration) -> Result<Self, String> {
        match configuration {
            Configuration::Own { question, seeded } => {
                Ok(Self::Own(Box::new(Own::new(Question::clone(question)).seeded(*seeded))))
            }
            Configuration::External(config) => {
                let (config, process) = (config.clone(), Some(Process::start(config)?));
                let game = ExternalGame::default();
                Ok(Self::External(Box::new(Foreign { config, process, game })))
            }
        }
    }
}

impl Contestant for Player {
    fn begin(
        &mut self,
        catalog: &Catalog,
        start: &Start<'_>,
        state: &StateForms,
    ) -> Result<Option<&'static str>, String> {
        match self {
            Self::Own(own) => own.begin(catalog, start, state),
            Self::External(foreign) if foreign.config.protocol == Protocol::Gtp && start.is_set_up() => {
                Err("`gtp` programs begin at the start of the game; use `--opening` for moves from there".into())
            }
            Self::External(foreign) => foreign.begin(state),
        }
    }

    fn hear(&mut self, mv: &str) -> Result<(), String> {
        match self {
            Self::Own(own) => own.hear(mv),
            Self::External(foreign) => {
                foreign.game.moves.push(mv.to_owned());
                Ok(())
            }
        }
    }

    fn choose(&mut self, seed: u64) -> Result<TurnResult, String> {
        match self {
            Self::Own(own) => own.choose(seed),
            Self::External(foreign) => Ok(foreign.choose()),
        }
    }

    fn rest(&mut self) {
        if let Self::External(foreign) = self
            && let Foreign { config, process: Some(process), .. } = &mut **foreign
        {
            process.rest(config);
        }
    }

    fn cpu(&self) -> Option<Duration> {
        match self {
            Self::Own(own) => own.cpu(),
            Self::External(foreign) => foreign.process.as_ref()?.cpu(),
        }
    }
}

impl Foreign {
    fn begin(&mut self, state: &StateForms) -> Result<Option<&'static str>, String> {
        let text = state.text.clone();
        let is_told_of_stones = self.config.protocol == Protocol::Pbrain;
        self.game = ExternalGame {
            state: text.ok_or("this position has no text notation for another program")?,
            goban: Goban::read(state).filter(|_| is_told_of_stones),
            moves: Vec::new(),
        };
        if self.process.is_none() {
            self.process = Some(Process::start(&self.config)?);
        }
        let goban = self.game.goban.as_ref();
        let process = self.process.as_mut();
        let ready = process.map_or(Ok(()), |process| process.new_game(&self.config, goban));
        if ready.is_err() {
            self.process = None;
        }
        Ok(ready.err().map(ProcessFailure::reason))
    }

    fn choose(&mut self) -> TurnResult {
        let Some(process) = &mut self.process else { return TurnResult::Forfeit("crash") };
        match process.choose(&self.config, &self.game) {
            Ok(Some(mv)) => TurnResult::Move(mv),
            Ok(None) => TurnResult::Forfeit("illegal_move"),
            Err(failure) => {
                self.process = None;
                TurnResult::Forfeit(failure.reason())
            }
        }
    }
}
