//! Position of a game with its history.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::game::{Chance, Evaluator, Outcome, Rng, Side, Turn};
use engine::search::{ScoreScale, SharedMemory, Value};
use games::notation::{Fault, Served, Settings, choices};
use serde_json::Map;

use super::answer::{Notations, OutcomeAnswer, PositionAnswer};
use super::budget::Allowance;
use super::entry::{AnyPosition, GameEntry, TableProbe, forms};
use super::explain;
use super::methods::MethodInfo;
use super::namespace::Namespace;
use super::option_limits::OptionLimits;
use super::planned::{Plan, PlannedRun};
use super::question::Question;
use super::refusal::Refusal;
use super::run::searched_moves;
use super::written;

/// Position with its history.
#[derive(Clone)]
pub(super) struct Position<G: Served> {
    pub(super) pos: G,
    /// Positions since the last irreversible move, the current one last.
    pub(super) history: Vec<G>,
    /// Outcome and its reason, by the position or its history; `None` while the game is in progress.
    pub(super) ended: Option<(Outcome, &'static str)>,
    pub(super) settings: Arc<Settings>,
    pub(super) game: Arc<GameEntry<G>>,
}

impl<G: Served> AnyPosition for Position<G> {
    fn describe(&self) -> PositionAnswer {
        let (pos, facts) = (&self.pos, &self.game.facts.facts);
        let turn = if self.ended.is_some() { None } else { Some(pos.turn()) };
        let evaluation = |side| {
            let value = self.evaluate(pos.evaluator(&self.settings), side);
            explain::score(Value::Heuristic(value.into()), facts)
        };
        let moves = self.choices();
        let mut notations = written::blank::<G>();
        moves.iter().for_each(|&mv| written::note(pos, mv, &mut notations));
        let chances: HashMap<_, _> = self.outcomes().into_iter().collect();
        let legal_moves: Vec<_> = moves.into_iter().map(|mv| pos.move_text(mv)).collect();
        PositionAnswer {
            probabilities: legal_moves.iter().filter_map(|mv| chances.get(mv).copied()).collect(),
            game: facts.name,
            state: forms(pos),
            board: pos.diagram(),
            side_to_move: match turn {
                Some(Turn::Of(side)) => Some(G::side_name(side)),
                Some(Turn::Chance(_)) => Some("chance"),
                _ => None,
            },
            legal_moves,
            notations,
            played: Notations::new(),
            outcome: self.outcome(),
            evaluation: match turn {
                Some(Turn::Of(side)) => Some(evaluation(side)),
                _ => None,
            },
        }
    }

    fn choice_count(&self) -> usize {
        self.choices().len()
    }

    fn play(&mut self, text: &str) -> Result<(), Fault> {
        let mv = self.find(text)?;
        self.advance(mv);
        Ok(())
    }

    fn written(&self, text: &str) -> Result<Notations, Fault> {
        let mut notations = written::blank::<G>();
        if !notations.is_empty() {
            written::note(&self.pos, self.find(text)?, &mut notations);
        }
        Ok(notations)
    }

    fn boxed(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }

    fn read_move(&self, text: &str) -> Result<String, Fault> {
        self.find(text).map(|mv| self.pos.move_text(mv))
    }

    fn side(&self) -> Option<usize> {
        match self.pos.turn() {
            Turn::Of(side) if self.ended.is_none() => Some(side.index()),
            _ => None,
        }
    }

    fn result(&self) -> Option<f64> {
        let (outcome, _) = self.ended?;
        Some(match outcome {
            Outcome::Win(Side::First) => 1.0,
            Outcome::Win(Side::Second) => 0.0,
            Outcome::Draw => 0.5,
            Outcome::Payoff(payoff) => self.pos.evaluator(&self.settings).result(payoff),
        })
    }

    fn outcomes(&self) -> Vec<(String, f64)> {
        let mut outcomes = Vec::new();
        if let (None, Turn::Chance(event)) = (self.ended, self.pos.turn()) {
            event.outcomes(&self.pos, &mut outcomes);
        }
        outcomes.into_iter().map(|(mv, share)| (self.pos.move_text(mv), share)).collect()
    }

    fn roll(&self, rng: &mut Rng) -> Option<String> {
        let Turn::Chance(event) = self.pos.turn() else { return None };
        Some(self.pos.move_text(event.sample(&self.pos, rng)))
    }

    fn draw(&self, rng: &mut Rng) -> Option<String> {
        let Turn::Of(mover) = self.pos.turn() else { return None };
        let choices = self.choices();
        let mut evaluator = self.pos.evaluator(&self.settings);
        evaluator.enter(&self.pos);
        let mut moves = Vec::new();
        evaluator.candidates(&self.pos, mover, &mut moves);
        moves.retain(|mv| choices.contains(mv));
        let mv = rng.pick(&moves).or_else(|| rng.pick(&choices));
        mv.map(|mv| self.pos.move_text(mv))
    }

    fn probe_table(
        &self,
        algorithm: &str,
        seed: u64,
        shared: &dyn SharedMemory,
    ) -> Option<TableProbe> {
        let method = self.method(algorithm).ok()?;
        let is_randomized = self.pos.evaluator(&self.settings).randomize(seed);
        let seed = is_randomized.then_some(seed);
        let name = self.game.facts.facts.name;
        let limits = OptionLimits::UNLIMITED;
        let settings = self.game.facts.method_settings(method, Map::new(), limits).ok()?;
        let moves = searched_moves::<G>(&settings);
        let memory = Namespace::new(shared, name, &self.settings, method.name, moves, seed);
        let entry = memory.probe(self.pos.hash())?;
        let best = self.choices().into_iter().find(|&mv| G::move_code(mv) == entry.best);
        let scale = ScoreScale::of::<G, _>(&self.pos.evaluator(&self.settings));
        let value = Value::from_score(entry.score, entry.resolved, scale);
        Some(TableProbe {
            best_move: best.map(|mv| self.pos.move_text(mv)),
            score: explain::score(value, &self.game.facts.facts),
            bound: entry.bound,
            depth: entry.depth.into(),
        })
    }

    fn method(&self, algorithm: &str) -> Result<&'static MethodInfo, Refusal> {
        self.game.facts.method(algorithm, self.pos.strongest())
    }

    fn plan(
        &self,
        question: &Question,
        options: Map<String, serde_json::Value>,
        allowance: &Allowance,
        arrived: Instant,
    ) -> Result<Plan, Refusal> {
        let strongest = self.pos.strongest();
        let facts = &self.game.facts;
        let inquiry = facts.inquire(question, options, strongest, allowance, arrived)?;
        let moves = self.root_moves(question)?;
        let (game, algorithm) = (facts.facts.name, inquiry.method.name);
        if let Some(outcome) = self.outcome() {
            let run: PlannedRun =
                Box::new(move |context| explain::over(&inquiry, game, context, &outcome));
            let history = Box::new(Vec::new);
            return Ok(Plan {
                game,
                algorithm,
                expected: Duration::ZERO,
                threads: 1,
                history,
                run,
            });
        }
        if let Turn::Chance(_) = self.pos.turn() {
            let why = "this is a chance node; append its outcome to `moves`";
            return Err(Refusal::Invalid(Fault::position(why).under("state")));
        }
        let (expected, threads) = (inquiry.planned_budget.expected, question.threads.0);
        let past = self.history.clone();
        let history = Box::new(move || past.iter().map(|pos| pos.json().to_string()).collect());
        let position = self.clone();
        let run: PlannedRun = Box::new(move |context| match &inquiry.level {
            Some(level) => position.choose(level, &inquiry, &moves, context),
            None => position.search(&inquiry, &moves, context),
        });
        Ok(Plan { game, algorithm, expected, threads, history, run })
    }
}

impl<G: Served> Position<G> {
    /// Position at the start of a game.
    pub(super) fn new(pos: G, settings: Settings, game: Arc<GameEntry<G>>) -> Self {
        let settings = Arc::new(settings);
        let mut position = Self { pos, history: Vec::new(), ended: None, settings, game };
        position.arrive();
        position
    }

    /// The legal move in this notation.
    fn find(&self, text: &str) -> Result<G::Move, Fault> {
        match self.ended {
            Some((_, reason)) => {
                Err(Fault::illegal(format!("the game is over before `{text}` ({reason})")))
            }
            None => self.pos.find_move(text),
        }
    }

    /// Plays a legal move.
    pub(super) fn advance(&mut self, mv: G::Move) {
        let next = self.pos.after(mv);
        if self.pos.is_irreversible(&next) {
            self.history.clear();
        }
        self.pos = next;
        self.arrive();
    }

    /// Appends the position to the history and updates the outcome.
    fn arrive(&mut self) {
        self.history.push(self.pos.clone());
        self.ended = match self.pos.standing() {
            Turn::Over(outcome) => Some((outcome, self.pos.reason(outcome))),
            _ => G::adjudicate(&self.history),
        };
        debug_assert!(self.ended.is_none_or(|(_, reason)| G::END_REASONS.contains(&reason)));
    }

    /// Static evaluation for a side, in internal units.
    pub(super) fn evaluate(&self, mut evaluator: G::Evaluator, side: Side) -> i32 {
        evaluator.enter(&self.pos);
        evaluator.evaluate(&self.pos, side)
    }

    /// Legal moves, or outcomes of a chance node; none when the game is over.
    fn choices(&self) -> Vec<G::Move> {
        if self.ended.is_some() { Vec::new() } else { choices(&self.pos) }
    }

    fn outcome(&self) -> Option<OutcomeAnswer> {
        let facts = &self.game.facts.facts;
        self.ended.map(|(outcome, reason)| explain::outcome(outcome, reason, &G::SIDES, facts))
    }

    /// Legal moves allowed by `search_moves` and `avoid_moves`. A game may list one of several ways to do the same; a
    /// question may name another.
    fn root_moves(&self, question: &Question) -> Result<Vec<G::Move>, Refusal> {
        let find = |list: &[String], name: &str| -> Result<Vec<G::Move>, Refusal> {
            let found = list.iter().enumerate().map(|(index, text)| {
                self.pos.find_move(text).map_err(|fault| fault.under(index).under(name))
            });
            Ok(found.collect::<Result<_, _>>()?)
        };
        let only = find(&question.search_moves, "search_moves")?;
        let not = find(&question.avoid_moves, "avoid_moves")?;
        let mut moves = self.choices();
        let was_empty = moves.is_empty();
        let mut unlisted = if was_empty { Vec::new() } else { only.clone() };
        unlisted.retain(|mv| !moves.contains(mv));
        moves.extend(unlisted);
        moves.retain(|mv| (only.is_empty() || only.contains(mv)) && !not.contains(mv));
        if moves.is_empty() && !was_empty {
            let why = "`search_moves` and `avoid_moves` exclude every legal move";
            return Err(Refusal::shape(&["avoid_moves"], why));
        }
        Ok(moves)
    }
}
