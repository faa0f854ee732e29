//! Search of a planned question and conversion of its report.

use std::sync::OnceLock;

use engine::game::{Evaluator, Outcome, Rng, Side, Turn};
use engine::options::OptionValue;
use engine::search::{
    Calibration, Job, Judge, Line, Observer, Report, Score, ScoreScale, Value, Wanted,
};
use games::notation::{Served, Settings};

use super::answer::{Answer, PositionAnswer, SearchedMoves};
use super::entry::AnyPosition;
use super::explain;
use super::iterations::Iterations;
use super::levels;
use super::namespace::Namespace;
use super::perspective;
use super::plan::{Inquiry, PlannedLevel};
use super::planned::Context;
use super::position::Position;
use super::question::Choose;
use super::ratings;
use super::study::EVALUATION;
use super::trace;
use super::visits;
use super::written::{Odds, WrittenLine, WrittenReport, ties};

static UNMEASURED: Calibration = Calibration::NOTHING;

/// Plies from the root at which searches look at the history of the game.
const JUDGED_PLIES: u32 = 2;

/// The moves that a method with these settings looks at in every position, if it has the choice.
pub(super) fn searched_moves<G: Served>(settings: &Settings) -> Option<SearchedMoves> {
    let Some(OptionValue::Choice(word)) = settings.get("moves") else { return None };
    let all = <G::Evaluator as Evaluator<G>>::LISTS_ALL || *word == *"all";
    Some(if all { SearchedMoves::All } else { SearchedMoves::Expert })
}

/// Puts any of the lines that tie for best first, if any will do.
fn choose_among_ties<M>(report: &mut Report<M>, choose: Choose, seed: u64) {
    if choose == Choose::Random {
        let ties = ties(report);
        report.lines[..ties].rotate_left(Rng::new(seed).below(ties));
    }
}

impl<G: Served> Position<G> {
    /// Calibration of the game, if the evaluation is the one it was measured with; otherwise none.
    fn calibration(&self) -> &Calibration {
        let facts = &self.game.facts;
        if self.settings.is_default(facts.facts.options, EVALUATION) {
            &facts.calibration
        } else {
            &UNMEASURED
        }
    }

    /// Searches among the root `moves`.
    pub(super) fn search(
        &self,
        inquiry: &Inquiry,
        moves: &[G::Move],
        context: &Context<'_>,
    ) -> Answer {
        let Inquiry { question, method, settings, planned_budget, .. } = inquiry;
        let Turn::Of(mover) = self.pos.turn() else { unreachable!("somebody is to move") };
        let offer = self.game.offer(method.name).expect("the method is offered");
        let seed = question.seed.map_or(0, |seed| seed.0);
        let mut evaluator = self.pos.evaluator(&self.settings);
        evaluator.set_history(&self.history);
        let is_randomized = evaluator.randomize(seed);
        let algorithm = (offer.build)(evaluator.clone(), settings, self.calibration());
        let facts = &self.game.facts.facts;
        let own_seed = is_randomized.then_some(seed);
        let looks_at = searched_moves::<G>(settings);
        let (shared, name) = (context.shared, facts.name);
        let memory = Namespace::new(shared, name, &self.settings, method.name, looks_at, own_seed);
        let iterations = Iterations::default();
        let answer = |mut report: Report<G::Move>| {
            choose_among_ties(&mut report, question.choose, seed);
            let after = self.after(report.lines[0].moves[0]);
            let tree = visits::tree(question, &self.pos, &report.top, facts);
            let written = self.write(report, &evaluator, mover, inquiry, &iterations);
            let explained = explain::answer(inquiry, facts, context, &written);
            let answer = Answer { moves: looks_at, position: Some(after), tree, ..explained };
            perspective::answer(answer, question.perspective, G::SIDES)
        };
        let judge = |path: &[&G]| self.judge(path);
        let past_counts = G::history_may_change_result(&self.history, JUDGED_PLIES);
        let traced = OnceLock::new();
        let tell = |report: &Report<G::Move>| {
            if let Some(observer) = context.observer {
                observer(&|| answer(report.clone()));
            }
            iterations.note(report);
        };
        let is_told = context.observer.is_some() || inquiry.wanted() == Wanted::Even;
        let report = algorithm.run(&Job {
            root: &self.pos,
            mover,
            moves,
            budget: planned_budget.budget.clone().within(context.patience),
            wanted: inquiry.wanted(),
            seed,
            threads: question.threads.0 as usize,
            shared: if question.reproducible { None } else { Some(&memory) },
            cancel: context.cancel.clone(),
            observer: is_told.then_some(&tell as &Observer<'_, G::Move>),
            named: !question.search_moves.is_empty(),
            judge: past_counts.then_some(&judge as &Judge<'_, G>),
            trace: question.trace.then_some(&traced),
            top_nodes: question.tree_nodes.0 as usize,
        });
        let scale = ScoreScale::of::<G, _>(&evaluator);
        let trace = traced.get().map(|traced| trace::visits(&self.pos, traced, scale, facts));
        Answer { trace, ..answer(report) }
    }

    /// Chooses a move as a player of this level does.
    pub(super) fn choose(
        &self,
        level: &PlannedLevel,
        inquiry: &Inquiry,
        moves: &[G::Move],
        context: &Context<'_>,
    ) -> Answer {
        // What the search finds is not what the level plays.
        let context = &Context { observer: None, cancel: context.cancel.clone(), ..*context };
        let answer = self.search(inquiry, moves, context);
        let short = match inquiry.planned_budget.budget.depth {
            Some(depth) if depth > 1 && levels::overlooks(&level.info) => {
                let mut first = inquiry.clone();
                first.planned_budget.budget.depth = Some(1);
                self.search(&first, moves, context).ratings
            }
            _ => Vec::new(),
        };
        let mut rng = levels::rng(self.pos.hash(), answer.stats.seed);
        let place = levels::choose(&level.info, &answer.ratings, &short, &mut rng);
        let shown = level.shown(answer.ratings.len());
        let answer = levels::played(answer, place, level.info.level, shown);
        let mv = answer.best_move.as_ref().and_then(|mv| self.pos.find_move(mv).ok());
        let answer = Answer { position: mv.map(|mv| self.after(mv)), ..answer };
        perspective::answer(answer, level.perspective, G::SIDES)
    }

    /// The position after a move.
    fn after(&self, mv: G::Move) -> PositionAnswer {
        let mut after = self.clone();
        after.advance(mv);
        after.describe()
    }

    /// Result by the history of the game after these positions, unless the last of them is the end anyway.
    fn judge(&self, path: &[&G]) -> Option<Outcome> {
        let mut history = self.history.clone();
        let mut last = &self.pos;
        for &next in path {
            if last.is_irreversible(next) {
                history.clear();
            }
            history.push(next.clone());
            last = next;
        }
        let (outcome, _) = G::adjudicate(&history)?;
        (!matches!(last.standing(), Turn::Over(_))).then_some(outcome)
    }

    /// Converts a final or interim report to text.
    fn write(
        &self,
        mut report: Report<G::Move>,
        evaluator: &G::Evaluator,
        mover: Side,
        inquiry: &Inquiry,
        iterations: &Iterations<G::Move>,
    ) -> WrittenReport {
        if !inquiry.method.sees_history {
            self.end_by_history(mover, &mut report);
        }
        let may_change = match report.lines[0].value {
            Value::Win(plies) | Value::Loss(plies) => {
                G::history_may_change_result(&self.history, plies)
            }
            _ => false,
        };
        let odds = Odds::<G> { evaluator, calibration: self.calibration() };
        // Without ratings the best line is the answer.
        let written = if inquiry.shown(1) == 0 { 1 } else { report.lines.len() };
        let write = |line: &Line<G::Move>| {
            let before = iterations.before(report.stats.depth, line.moves[0]);
            let earlier = before.and_then(|value| odds.of(value));
            WrittenLine { earlier, ..odds.write(self, line) }
        };
        WrittenReport {
            mover: G::side_name(mover),
            lines: report.lines[..written].iter().map(write).collect(),
            ties: ties(&report),
            settled: report.settled,
            may_change,
            standing: odds.standing(self.evaluate(evaluator.clone(), mover).into()),
            stats: report.stats,
            stopped: report.stopped,
        }
    }

    /// Corrects the values of root moves that end the game by its history, which searches ignore.
    fn end_by_history(&self, mover: Side, report: &mut Report<G::Move>) {
        if self.history.len() < 2 {
            return;
        }
        let mut changed = false;
        for line in &mut report.lines {
            if let Some(outcome) = self.judge(&[&self.pos.after(line.moves[0])]) {
                let scale = ScoreScale { payoffs: G::PAYOFFS, reach: 0, distances: true };
                let value = Value::from_score(Score::of(outcome, mover, 1), true, scale);
                let moves = vec![line.moves[0]];
                *line = Line {
                    moves,
                    value,
                    exact: true,
                    rated: true,
                    bounded: false,
                    worlds: Vec::new(),
                };
                changed = true;
            }
        }
        if changed {
            report.best_ties = ratings::rank(&mut report.lines, &self.game.facts.facts);
        }
    }
}
