//! A position of one game, with what its game and a question make of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::answer::{Answer, PositionAnswer, StatsAnswer};
use super::entry::{AnyPosition, Context, GameEntry, Plan, PlannedRun, TableProbe, forms};
use super::explain::{self, Odds};
use super::limits::{self, Allowance, Spending};
use super::methods::{self, MethodInfo};
use super::namespace::Namespace;
use super::question::Question;
use super::refusal::Refusal;
use super::study::EVALUATION;
use engine::game::{Chance, Evaluator, Outcome, Rng, Side, Turn};
use engine::search::{
    Calibration, Job, Line, Observer, Report, Score, SharedMemory, Value as Worth, Wanted,
};
use games::notation::{Fault, Served, Settings, choices, take_options};

/// A position with the course of play that led to it, as far as rules look back.
#[derive(Clone)]
pub(super) struct Position<G: Served> {
    pos: G,
    /// The positions since play last started anew, this one last.
    history: Vec<G>,
    /// How the game has ended, and why, by the position or by its course.
    ended: Option<(Outcome, &'static str)>,
    settings: Settings,
    game: Arc<GameEntry<G>>,
}

static UNMEASURED: Calibration = Calibration::NOTHING;

/// Said of a result that the rules of repetition and of quiet moves may still undo.
const PAST: &str = "the score is that of the position alone: as the game has gone, repetition or too many \
                    quiet moves may make it a draw";

impl<G: Served> AnyPosition for Position<G> {
    fn describe(&self) -> PositionAnswer {
        let (pos, facts) = (&self.pos, &self.game.facts);
        let turn = if self.ended.is_some() { None } else { Some(pos.turn()) };
        let evaluation =
            |side| explain::evaluation(pos, pos.evaluator(&self.settings), side, facts);
        PositionAnswer {
            game: facts.name,
            state: forms(pos),
            side_to_move: match turn {
                Some(Turn::Of(side)) => Some(G::side_name(side)),
                Some(Turn::Chance(_)) => Some("chance"),
                _ => None,
            },
            legal_moves: self.choices().into_iter().map(|mv| pos.move_text(mv)).collect(),
            outcome: self.outcome(),
            evaluation: match turn {
                Some(Turn::Of(side)) => Some(evaluation(side)),
                _ => None,
            },
        }
    }

    fn play(&mut self, text: &str) -> Result<(), Fault> {
        if let Some((_, reason)) = self.ended {
            return Err(Fault::illegal(format!("the game has ended before `{text}` ({reason})")));
        }
        let mv = self.pos.find_move(text)?;
        self.advance(mv);
        Ok(())
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
        let memory = self.namespace(method, seed, shared);
        let entry = memory.probe(self.pos.hash())?;
        let best = self.choices().into_iter().find(|&mv| G::move_code(mv) == entry.best);
        let value = Worth::from_score(entry.score, entry.resolved, G::PAYOFFS);
        Some(TableProbe {
            best_move: best.map(|mv| self.pos.move_text(mv)),
            score: explain::score(value, &self.game.facts),
            bound: entry.bound,
            depth: entry.depth.into(),
        })
    }

    fn plan(
        &self,
        question: &Question,
        options: Map<String, Value>,
        allowance: &Allowance,
        arrived: Instant,
    ) -> Result<Plan, Refusal> {
        limits::check(question, allowance)?;
        let method = self.method(&question.algorithm)?;
        let inquiry = Inquiry {
            method,
            settings: self.method_settings(method, options)?,
            moves: self.root_moves(question)?,
            spending: limits::spending(question, method, allowance, arrived)?,
            question: question.clone(),
        };
        let position = self.clone();
        let (algorithm, mut expected, mut threads) =
            (method.name, inquiry.spending.expected, question.threads.0);
        let run: PlannedRun = if self.ended.is_some() {
            (expected, threads) = (Duration::ZERO, 1);
            Box::new(move |context| position.over(&inquiry, context))
        } else if let Turn::Chance(_) = self.pos.turn() {
            let why = "chance acts here; give what it brings as the next of `moves`";
            return Err(Refusal::Invalid(Fault::position(why).under("state")));
        } else {
            Box::new(move |context| position.search(&inquiry, context))
        };
        Ok(Plan { algorithm, expected, threads, run })
    }
}

/// A question as it has been read against a position.
struct Inquiry<G: Served> {
    question: Question,
    method: &'static MethodInfo,
    settings: Settings,
    /// The root moves that the question lets through.
    moves: Vec<G::Move>,
    spending: Spending,
}

impl<G: Served> Position<G> {
    /// The position that play begins with.
    pub(super) fn new(pos: G, settings: Settings, game: Arc<GameEntry<G>>) -> Self {
        let mut position = Self { pos, history: Vec::new(), ended: None, settings, game };
        position.arrive();
        position
    }

    fn advance(&mut self, mv: G::Move) {
        let next = self.pos.after(mv);
        if self.pos.is_irreversible(&next) {
            self.history.clear();
        }
        self.pos = next;
        self.arrive();
    }

    /// Notes the position in the course and whether the game is over with it.
    fn arrive(&mut self) {
        self.history.push(self.pos.clone());
        self.ended = match self.pos.standing() {
            Turn::Over(outcome) => Some((outcome, self.pos.reason(outcome))),
            _ => G::adjudicate(&self.history),
        };
    }

    /// The legal moves or what chance may bring; none when the game is over.
    fn choices(&self) -> Vec<G::Move> {
        if self.ended.is_some() { Vec::new() } else { choices(&self.pos) }
    }

    /// What was measured of the game, if positions are judged as they were then.
    fn calibration(&self) -> &Calibration {
        let measured_with = Settings::defaults(self.game.facts.options);
        if self.settings.agrees(&measured_with, EVALUATION) {
            &self.game.calibration
        } else {
            &UNMEASURED
        }
    }

    fn outcome(&self) -> Option<super::answer::OutcomeAnswer> {
        let facts = &self.game.facts;
        self.ended.map(|(outcome, reason)| explain::outcome::<G>(outcome, reason, facts))
    }

    fn method(&self, name: &str) -> Result<&'static MethodInfo, Refusal> {
        let name = if name == "auto" { self.pos.strongest() } else { name };
        let Some(method) = methods::method(name) else {
            let known = std::iter::once("auto").chain(methods::METHODS.iter().map(|m| m.name));
            return Err(Refusal::UnknownAlgorithm {
                name: name.to_owned(),
                known: known.collect(),
            });
        };
        if self.game.offer(name).is_some() {
            return Ok(method);
        }
        Err(Refusal::Unsupported {
            algorithm: method.name,
            why: format!("it needs {}", method.needs.describe()),
            offered: self.game.names(),
        })
    }

    /// The method's options are all that is left once the game has taken its own.
    fn method_settings(
        &self,
        method: &MethodInfo,
        mut options: Map<String, Value>,
    ) -> Result<Settings, Refusal> {
        let settings =
            take_options(method.options, &mut options).map_err(|f| f.under("options"))?;
        let Some(unknown) = options.keys().next() else { return Ok(settings) };
        let all = method.options.iter().chain(self.game.facts.options);
        let known: Vec<_> = all.map(|option| option.name).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let why = format!(
            "`{unknown}` is no option of `{}` or of {}; options: {known}",
            method.name, self.game.facts.name
        );
        Err(Refusal::shape(&["options", unknown], why))
    }

    /// The legal moves that the question lets through.
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
        moves.retain(|mv| (only.is_empty() || only.contains(mv)) && !not.contains(mv));
        if moves.is_empty() && !was_empty {
            let why = "no move is left to choose from";
            return Err(Refusal::shape(&["avoid_moves"], why));
        }
        Ok(moves)
    }

    fn blank(&self, inquiry: &Inquiry<G>, context: &Context<'_>) -> Answer {
        let question = &inquiry.question;
        Answer {
            id: question.id.clone(),
            game: self.game.facts.name,
            algorithm: inquiry.method.name,
            side_to_move: None,
            best_move: None,
            best_moves: Vec::new(),
            principal_variation: Vec::new(),
            score: None,
            win_probability: None,
            exact: true,
            ratings: Vec::new(),
            outcome: None,
            stats: StatsAnswer {
                queue_ms: if question.reproducible { 0 } else { context.queued.as_millis() as u64 },
                stopped_by: "solved",
                threads: question.threads.0,
                seed: question.seed.0,
                reproducible: question.reproducible,
                ..StatsAnswer::default()
            },
            warnings: inquiry.spending.warnings.clone(),
        }
    }

    /// The answer where the game is over.
    fn over(&self, inquiry: &Inquiry<G>, context: &Context<'_>) -> Answer {
        Answer { outcome: self.outcome(), ..self.blank(inquiry, context) }
    }

    fn search(&self, inquiry: &Inquiry<G>, context: &Context<'_>) -> Answer {
        let Inquiry { question, method, settings, moves, spending } = inquiry;
        let Turn::Of(mover) = self.pos.turn() else { unreachable!("somebody is to move") };
        let offer = self.game.offer(method.name).expect("the method is offered");
        let mut evaluator = self.pos.evaluator(&self.settings);
        evaluator.set_history(&self.history);
        let is_randomized = evaluator.randomize(question.seed.0);
        let algorithm = (offer.build)(evaluator.clone(), settings, self.calibration());
        let memory =
            self.namespace(method, is_randomized.then_some(question.seed.0), context.shared);
        let tell = context.observer.map(|observer| {
            |report: &Report<G::Move>| {
                observer(self.answer(inquiry, context, &evaluator, mover, report.clone()));
            }
        });
        let report = algorithm.run(&Job {
            root: &self.pos,
            mover,
            moves,
            limits: spending.limits.clone().within(context.patience),
            wanted: limits::wanted(question.ratings),
            seed: question.seed.0,
            threads: question.threads.0 as usize,
            shared: if question.reproducible { None } else { Some(&memory) },
            cancel: context.cancel.clone(),
            observer: tell.as_ref().map(|tell| tell as &Observer<'_, G::Move>),
        });
        self.answer(inquiry, context, &evaluator, mover, report)
    }

    /// What a report means, whether it is the last or one on the way.
    fn answer(
        &self,
        inquiry: &Inquiry<G>,
        context: &Context<'_>,
        evaluator: &G::Evaluator,
        mover: Side,
        mut report: Report<G::Move>,
    ) -> Answer {
        let Inquiry { question, method, .. } = inquiry;
        let wanted = limits::wanted(question.ratings);
        self.end_by_history(mover, &mut report);
        let mut answer = self.blank(inquiry, context);
        let facts = &self.game.facts;
        let odds = &Odds { evaluator, calibration: self.calibration() };
        let first = |count: usize| &report.lines[..count.min(report.lines.len())];
        answer.ratings = match wanted {
            Wanted::All => explain::ratings(&self.pos, &report.lines, odds, facts),
            Wanted::Best(count) => explain::ratings(&self.pos, first(count), odds, facts),
            Wanted::One => Vec::new(),
        };
        let best = &report.lines[0];
        let write = |line: &Line<G::Move>| self.pos.move_text(line.moves[0]);
        let ties = if wanted == Wanted::All && best.rated { report.best_ties } else { 1 };
        answer.side_to_move = Some(G::side_name(mover));
        answer.best_move = Some(write(best));
        answer.best_moves = first(ties).iter().map(write).collect();
        answer.principal_variation = explain::line(&self.pos, &best.moves);
        answer.score = Some(explain::score(best.value, facts));
        answer.win_probability = odds.of(best);
        answer.exact = best.exact;
        if let Worth::Win(plies) | Worth::Loss(plies) = best.value
            && G::history_may_change_result(&self.history, plies)
        {
            answer.exact = false;
            answer.warnings.push(PAST.into());
        }
        if best.value == Worth::Unknown && method.name != "random" {
            answer.warnings.push("the budget was too small to find anything out".into());
        }
        answer.stats = StatsAnswer {
            depth: report.stats.depth,
            nodes: report.stats.nodes,
            simulations: report.stats.simulations,
            cutoffs: report.stats.cutoffs,
            table_hits: report.stats.table_hits,
            time_ms: if question.reproducible { 0 } else { report.stats.time.as_millis() as u64 },
            stopped_by: explain::stop_name(report.stopped),
            ..answer.stats
        };
        answer
    }

    /// A search sees positions. What the course of the game makes of a move that ends it is put right
    /// here.
    fn end_by_history(&self, mover: Side, report: &mut Report<G::Move>) {
        if self.history.len() < 2 {
            return;
        }
        let mut changed = false;
        for line in &mut report.lines {
            let next = self.pos.after(line.moves[0]);
            let mut history =
                if self.pos.is_irreversible(&next) { Vec::new() } else { self.history.clone() };
            history.push(next);
            if let Some((outcome, _)) = G::adjudicate(&history) {
                let value = Worth::from_score(Score::of(outcome, mover, 1), true, G::PAYOFFS);
                let moves = vec![line.moves[0]];
                *line = Line { moves, value, exact: true, rated: true, worlds: Vec::new() };
                changed = true;
            }
        }
        if changed {
            report.best_ties = explain::rank(&mut report.lines, &self.game.facts);
        }
    }

    /// The shared memory as searches of this game by `method` see it.
    fn namespace<'a>(
        &self,
        method: &MethodInfo,
        seed: Option<u64>,
        inner: &'a dyn SharedMemory,
    ) -> Namespace<'a> {
        Namespace::new(inner, self.game.facts.name, &self.settings, method.name, seed)
    }
}
