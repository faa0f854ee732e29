//! Games between two players, in pairs: each opening twice, with the seats exchanged.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use catalog::question::Question;
use catalog::{AnyPosition, Catalog};
use engine::game::{Rng, zobrist};

use crate::opening::Openings;
use crate::player::{Contestant, Start, TurnResult};
use crate::record::MatchRecord;

/// The terms of the games.
#[derive(Debug)]
pub struct Pairing {
    /// Name of the game.
    pub game: String,
    /// Question with the start state and the game options; `None` for the start of the rules.
    pub basis: Option<Question>,
    /// First moves.
    pub openings: Openings,
    /// Option of the game that receives the seed of the pair.
    pub deal: Option<String>,
    /// Seed of openings, dice and engines.
    pub seed: u64,
}

impl Pairing {
    /// Plays both games of a pair, on whose number alone they depend.
    ///
    /// # Errors
    /// When a question is wrong, or no opening is balanced.
    pub fn play_pair<P: Contestant>(
        &self,
        catalog: &Catalog,
        players: &mut [P; 2],
        pair: u64,
    ) -> Result<[MatchRecord; 2], String> {
        Ok([self.play(catalog, players, pair, 0)?, self.play(catalog, players, pair, 1)?])
    }

    /// Plays one game; the first player has this seat.
    fn play<P: Contestant>(
        &self,
        catalog: &Catalog,
        players: &mut [P; 2],
        pair: u64,
        seat: usize,
    ) -> Result<MatchRecord, String> {
        let Self { basis, openings, .. } = self;
        let seed = zobrist::mix(self.seed ^ zobrist::mix(pair)) >> 11;
        let mut rng = Rng::new(seed);
        let deal = |name: &String| (name.clone(), Value::from(seed >> 21));
        let own_state = basis.as_ref().and_then(|question| question.state.as_ref());
        let start = Start {
            game: &self.game,
            state: openings.state(pair).or(own_state),
            moves: basis.as_ref().map_or(&[], |question| &question.moves),
            options: self.deal.iter().map(deal).collect(),
        };
        let options = basis.as_ref().map_or_else(Map::new, |question| question.options.clone());
        let opening = openings.draw(catalog, &start, openings.moves(pair), &options, &mut rng)?;
        let (referee, _) = start.open(catalog, options)?;
        let sides = catalog.game(start.game).map_err(|why| why.to_string())?.sides();
        let mut game = PairGame {
            referee,
            sides,
            seat,
            seed,
            record: MatchRecord {
                pair,
                first_plays: sides[seat].to_owned(),
                result: 0.5,
                outcome: String::new(),
                reason: String::new(),
                illegal: None,
                state: start.state.cloned(),
                moves: Vec::new(),
                time_ms: [0; 2],
                cpu_ms: [None; 2],
            },
            time: [Duration::ZERO; 2],
            cpu: [Some(Duration::ZERO); 2],
        };
        let state = game.referee.describe().state;
        for (n, player) in players.iter_mut().enumerate() {
            if let Some(reason) = player.begin(catalog, &start, &state)? {
                return Ok(game.forfeited(n, reason));
            }
        }
        for mv in opening {
            game.advance(players, mv)?;
        }
        game.finish(players, &mut rng)
    }
}

/// A game in progress.
struct PairGame {
    /// Arbiter of legality and of the end of the game.
    referee: Box<dyn AnyPosition>,
    sides: [&'static str; 2],
    /// The side of the first player.
    seat: usize,
    seed: u64,
    record: MatchRecord,
    time: [Duration; 2],
    cpu: [Option<Duration>; 2],
}

impl PairGame {
    /// Plays a legal move.
    fn advance<P: Contestant>(&mut self, players: &mut [P; 2], mv: String) -> Result<(), String> {
        self.referee.play(&mv).map_err(|why| why.to_string())?;
        for player in players {
            player.hear(&mv)?;
        }
        self.record.moves.push(mv);
        Ok(())
    }

    /// Plays the game to its end.
    fn finish<P: Contestant>(
        mut self,
        players: &mut [P; 2],
        rng: &mut Rng,
    ) -> Result<MatchRecord, String> {
        loop {
            let position = self.referee.describe();
            if let Some(outcome) = position.outcome {
                self.record.outcome = outcome.result;
                return Ok(self.judged(outcome.reason));
            }
            if let Some(mv) = self.referee.roll(rng) {
                self.advance(players, mv)?;
                continue;
            }
            let to_move = self.sides.iter().position(|name| Some(*name) == position.side_to_move);
            let mover = usize::from(to_move != Some(self.seat));
            let mv = match self.choose(&mut players[mover], mover)? {
                TurnResult::Move(mv) => mv,
                TurnResult::Forfeit(reason) => return Ok(self.forfeited(mover, reason)),
            };
            let is_legal = position.legal_moves.iter().any(|legal| legal.eq_ignore_ascii_case(&mv));
            if !is_legal {
                self.record.illegal = Some(mv);
                return Ok(self.forfeited(mover, "illegal_move"));
            }
            self.advance(players, mv)?;
        }
    }

    /// A player's turn, timed.
    fn choose(&mut self, player: &mut impl Contestant, mover: usize) -> Result<TurnResult, String> {
        player.rest();
        let (started, used) = (Instant::now(), player.cpu());
        let choice = player.choose(self.seed)?;
        self.time[mover] += started.elapsed();
        let cpu = player.cpu().zip(used).map(|(after, before)| after.saturating_sub(before));
        self.cpu[mover] = self.cpu[mover].zip(cpu).map(|(sum, cpu)| sum + cpu);
        Ok(choice)
    }

    /// Record of a game forfeited by one player.
    fn forfeited(mut self, loser: usize, reason: &'static str) -> MatchRecord {
        let winner = if loser == 0 { 1 - self.seat } else { self.seat };
        self.record.outcome = self.sides[winner].to_owned();
        self.judged(reason)
    }

    /// Record with the result for the first player.
    fn judged(mut self, reason: &str) -> MatchRecord {
        let won = self.sides.iter().position(|side| *side == self.record.outcome);
        let result = won.map_or(0.5, |winner| f64::from(u8::from(winner == self.seat)));
        let in_ms = |time: Duration| time.as_millis() as u64;
        self.record.reason = reason.to_owned();
        self.record.result = result;
        self.record.time_ms = self.time.map(in_ms);
        self.record.cpu_ms = self.cpu.map(|time| time.map(in_ms));
        self.record
    }
}
