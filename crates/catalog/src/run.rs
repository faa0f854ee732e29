//! Search of a planned question and conversion of its report.

use engine::game::{Evaluator, Side, Turn};
use engine::search::{Calibration, Job, Line, Observer, Report, Score, Value};
use games::notation::{Served, Settings};

use super::answer::Answer;
use super::entry::Context;
use super::explain;
use super::namespace::Namespace;
use super::plan::Inquiry;
use super::position::Position;
use super::study::EVALUATION;
use super::written::{Odds, WrittenReport, ties};

static UNMEASURED: Calibration = Calibration::NOTHING;

impl<G: Served> Position<G> {
    /// Calibration of the game, if the evaluation is the one it was measured with; otherwise none.
    fn calibration(&self) -> &Calibration {
        let facts = &self.game.facts;
        let measured_with = Settings::defaults(facts.facts.options);
        if self.settings.agrees(&measured_with, EVALUATION) {
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
        let Inquiry { question, method, settings, planned_budget } = inquiry;
        let Turn::Of(mover) = self.pos.turn() else { unreachable!("somebody is to move") };
        let offer = self.game.offer(method.name).expect("the method is offered");
        let seed = question.seed.0;
        let mut evaluator = self.pos.evaluator(&self.settings);
        evaluator.set_history(&self.history);
        let is_randomized = evaluator.randomize(seed);
        let algorithm = (offer.build)(evaluator.clone(), settings, self.calibration());
        let facts = &self.game.facts.facts;
        let own_seed = is_randomized.then_some(seed);
        let memory =
            Namespace::new(context.shared, facts.name, &self.settings, method.name, own_seed);
        let answer = |report: Report<G::Move>| {
            let written = self.write(report, &evaluator, mover, inquiry);
            explain::answer(inquiry, facts, context, &written)
        };
        let tell = context
            .observer
            .map(|observer| |report: &Report<G::Move>| observer(answer(report.clone())));
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
            observer: tell.as_ref().map(|tell| tell as &Observer<'_, G::Move>),
        });
        answer(report)
    }

    /// Converts a final or interim report to text.
    fn write(
        &self,
        mut report: Report<G::Move>,
        evaluator: &G::Evaluator,
        mover: Side,
        inquiry: &Inquiry,
    ) -> WrittenReport {
        self.end_by_history(mover, &mut report);
        let may_change = match report.lines[0].value {
            Value::Win(plies) | Value::Loss(plies) => {
                G::history_may_change_result(&self.history, plies)
            }
            _ => false,
        };
        let odds = Odds::<G> { evaluator, calibration: self.calibration() };
        let shown = inquiry.wanted().of(report.lines.len());
        let lines = report.lines.iter().take(shown);
        WrittenReport {
            mover: G::side_name(mover),
            lines: lines.map(|line| odds.write(&self.pos, line)).collect(),
            ties: ties(&report),
            may_change,
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
            let next = self.pos.after(line.moves[0]);
            let mut history =
                if self.pos.is_irreversible(&next) { Vec::new() } else { self.history.clone() };
            history.push(next);
            if let Some((outcome, _)) = G::adjudicate(&history) {
                let value = Value::from_score(Score::of(outcome, mover, 1), true, G::PAYOFFS);
                let moves = vec![line.moves[0]];
                *line = Line { moves, value, exact: true, rated: true, worlds: Vec::new() };
                changed = true;
            }
        }
        if changed {
            report.best_ties = explain::rank(&mut report.lines, &self.game.facts.facts);
        }
    }
}
