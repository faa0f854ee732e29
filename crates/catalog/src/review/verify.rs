//! The searches of one position: all moves to one depth, then the best one deeper, then the played one as deep as the
//! best. A list of all moves is shallow: it neither finds the only good move nor sees what refutes the others.

use super::plan::ReviewPlan;
use super::question::{BEST, SpentBudget};
use crate::answer::{Answer, MoveRating, ScoreAnswer, StatsAnswer};
use crate::question::{Question, Ratings, WholeNumber};
use crate::rating::{Class, Label, Reference, TOLERANCE};

/// A search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchStep {
    /// All moves to one depth.
    All,
    /// The best move.
    Best,
    /// The played move.
    Played,
    /// The best reply to it.
    Reply,
}

/// The answers about a position so far.
#[derive(Clone, Debug, Default)]
pub struct PositionSearches([Option<Answer>; 4]);

impl PositionSearches {
    /// Notes the answer of a step.
    pub fn note(&mut self, step: SearchStep, answer: Answer) {
        self.0[step as usize] = Some(answer);
    }

    /// What they have spent.
    fn spent(&self) -> SpentBudget {
        self.0.iter().flatten().fold(SpentBudget::default(), |sum, answer| SpentBudget {
            time_ms: sum.time_ms + answer.stats.time_ms,
            nodes: sum.nodes + answer.stats.nodes,
            simulations: sum.simulations + answer.stats.simulations,
        })
    }

    fn of(&self, step: SearchStep) -> Option<&Answer> {
        self.0[step as usize].as_ref()
    }
}

impl ReviewPlan {
    /// The next search of the position with this number, after these answers; `None` when they suffice.
    pub fn next_question(
        &self,
        index: usize,
        so_far: &PositionSearches,
    ) -> Option<(SearchStep, Question)> {
        let search = &self.searches[index];
        let Some(list) = so_far.of(SearchStep::All) else {
            return Some((SearchStep::All, search.question.clone()));
        };
        let played = search.played.as_ref()?;
        let deeper = |moves: Vec<String>, share: [u64; 2]| Question {
            ratings: Ratings::None,
            scheme: None,
            search_moves: moves,
            budget: self.question.rest(so_far.spent(), share),
            ..search.question.clone()
        };
        let Some(best) = so_far.of(SearchStep::Best).or(Some(list).filter(|list| is_final(list)))
        else {
            return Some((SearchStep::Best, deeper(Vec::new(), BEST)));
        };
        let is_other = best.best_move.as_ref() != Some(played) && best.win_probability.is_some();
        let is_known = is_final(list) && list.ratings.iter().any(|rating| rating.mv == *played);
        if is_other && !is_known && so_far.of(SearchStep::Played).is_none() {
            let mut question = deeper(vec![played.clone()], [1, 1]);
            question.budget.depth = as_deep(best, question.budget.depth);
            return Some((SearchStep::Played, question));
        }
        if so_far.of(SearchStep::Reply).is_some() || !search.is_answered {
            return None;
        }
        // What loses to a proof without a line is answered by the best reply.
        let settled = deepened(so_far, played, self.tolerance())?;
        let rating = settled.ratings.iter().find(|rating| rating.mv == *played)?;
        let loses = rating.label > Some(Label::Good) && rating.principal_variation.len() == 1;
        let mut reply = deeper(Vec::new(), [1, 1]);
        reply.moves.push(played.clone());
        loses.then_some((SearchStep::Reply, reply))
    }

    /// The question's own tolerance.
    pub(super) fn tolerance(&self) -> Option<f64> {
        self.question.scheme.and_then(|scheme| scheme.tolerance)
    }
}

/// The answer about a position: the list, in which the best and the played move have their deeper values. A `tolerance`
/// is what a correct move may lose in the game's units.
pub(super) fn settled(
    played: Option<&String>,
    so_far: &PositionSearches,
    tolerance: Option<f64>,
) -> Answer {
    let list = so_far.of(SearchStep::All).expect("a position has been searched");
    let settled = played.and_then(|played| deepened(so_far, played, tolerance));
    let mut settled = settled.unwrap_or_else(|| list.clone());
    let all = || so_far.0.iter().flatten();
    settled.stats.nodes = all().map(|answer| answer.stats.nodes).sum();
    settled.stats.time_ms = all().map(|answer| answer.stats.time_ms).sum();
    let reply = so_far.of(SearchStep::Reply);
    let is_played = |rating: &&mut MoveRating| Some(&rating.mv) == played;
    if let (Some(reply), Some(rating)) = (reply, settled.ratings.iter_mut().find(is_played)) {
        rating.principal_variation.extend(reply.principal_variation.iter().cloned());
        for (name, moves) in &mut rating.notations {
            moves.extend(reply.notations.get(name).into_iter().flatten().cloned());
        }
    }
    settled
}

/// Limit of the search that is to be as deep as this one; `limit` is the question's own. Playouts have no depth of their
/// own.
fn as_deep(best: &Answer, limit: Option<WholeNumber>) -> Option<WholeNumber> {
    let StatsAnswer { depth, simulations, .. } = best.stats;
    if best.proved || simulations > 0 || depth == 0 {
        limit
    } else {
        Some(WholeNumber(depth.into()))
    }
}

/// True if no search can change the values of a list.
fn is_final(list: &Answer) -> bool {
    list.ratings.len() == 1 || list.ratings.iter().all(|rating| rating.exact)
}

/// The list with the values of the deeper searches for the best move and the played one.
fn deepened(so_far: &PositionSearches, played: &str, tolerance: Option<f64>) -> Option<Answer> {
    let mut list = so_far.of(SearchStep::All)?.clone();
    // Where the list had no time for the played move, any value is a better one.
    let is_known = |rating: &MoveRating| rating.mv == played && rating.win_probability.is_some();
    let depth = if list.ratings.iter().any(is_known) { list.stats.depth } else { 0 };
    let is_deeper = |other: &&Answer| other.proved || other.stats.depth >= depth;
    let Some(best) = so_far.of(SearchStep::Best).filter(is_deeper) else { return Some(list) };
    let answer = so_far.of(SearchStep::Played);
    let (Some(best_p), None | Some(true)) = (best.win_probability, answer.as_ref().map(is_deeper))
    else {
        return Some(list);
    };
    let Some(played_p) = answer.map_or(Some(best_p), |answer| answer.win_probability) else {
        return Some(list);
    };
    let loss = (best_p - played_p).max(0.0);
    let (first, second) = match answer {
        Some(answer) if played_p > best_p && !best.proved => (answer, None),
        answer => (best, answer),
    };
    let played_depth = answer.map_or(best.stats.depth, |answer| answer.stats.depth);
    list.stats.rated_depth = Some(best.stats.depth.min(played_depth));
    let one_depth = best.stats.depth == played_depth;
    let by_best = list.scheme.is_none_or(|scheme| scheme.reference == Reference::Best);
    let is_lost = |answer: &Answer| matches!(answer.score, Some(ScoreAnswer::Loss { .. }));
    // A proof weighs more than an estimate of how much was left to lose.
    let gives_up = |answer: &Answer| is_lost(answer) && !is_lost(first) && loss > TOLERANCE;
    let against = |answer: &Answer| Comparison {
        loss,
        is_correct: is_within(tolerance, first, answer).unwrap_or(loss <= TOLERANCE),
        least: if gives_up(answer) { Label::Mistake } else { Label::Best },
        proved: first.proved && answer.proved,
        one_depth,
    };
    let second = second.map(|answer| rated(&list, answer, &against(answer), by_best));
    let best = Comparison {
        loss: 0.0,
        is_correct: true,
        least: Label::Best,
        proved: first.proved,
        one_depth,
    };
    let first = rated(&list, first, &best, by_best);
    let new = [Some(&first), second.as_ref()];
    let new: Vec<_> = new.into_iter().flatten().map(|rating| rating.mv.clone()).collect();
    list.ratings.retain(|rating| !new.contains(&rating.mv));
    list.ratings.splice(0..0, std::iter::once(first).chain(second));
    debug_assert!(new.iter().any(|mv| mv == played) || answer.is_none());
    Some(list)
}

/// A move against the best one, by the deeper searches.
struct Comparison {
    /// Loss of expected result.
    loss: f64,
    is_correct: bool,
    /// Least label.
    least: Label,
    /// True if loss and class cannot change.
    proved: bool,
    /// True if both values are of searches of one depth.
    one_depth: bool,
}

/// True if a move loses at most so much in the game's units against the best one; `None` without a tolerance, or where a
/// proof is no number of units.
fn is_within(tolerance: Option<f64>, best: &Answer, other: &Answer) -> Option<bool> {
    let value = |answer: &Answer| match answer.score.as_ref()? {
        ScoreAnswer::Heuristic { value, .. }
        | ScoreAnswer::Estimate { value, .. }
        | ScoreAnswer::Payoff { value, .. } => value.as_f64(),
        ScoreAnswer::Draw => Some(0.0),
        _ => None,
    };
    Some(value(best)? - value(other)? <= tolerance?)
}

/// The rating of the best move of a deeper search. It is stable where the list says the same, and both moves were searched
/// to one depth.
fn rated(list: &Answer, deeper: &Answer, compared: &Comparison, by_best: bool) -> MoveRating {
    let loss = compared.loss;
    let mv = deeper.best_move.clone().unwrap_or_default();
    let old = list.ratings.iter().find(|rating| rating.mv == mv);
    let p = deeper.win_probability.unwrap_or(0.5);
    let class = match () {
        () if compared.is_correct => Class::Correct,
        () if p >= 0.5 => Class::Slack,
        () => Class::Mistake,
    };
    // A reference of the question's own is that of the list.
    let class = if by_best { Some(class) } else { old.and_then(|old| old.class) };
    let label = Label::of(loss, loss == 0.0, class).max(compared.least);
    let is_same = |old: &MoveRating| old.class == class && is_near(old.label, label);
    MoveRating {
        score: deeper.score.clone().unwrap_or(ScoreAnswer::Unknown),
        exact: deeper.exact,
        win_probability: Some(p),
        loss: Some(loss),
        class,
        points: old.and_then(|old| old.points),
        bonus: old.map_or_else(Vec::new, |old| old.bonus.clone()),
        label: Some(label),
        stable: Some(compared.proved || compared.one_depth && old.is_some_and(is_same)),
        principal_variation: deeper.principal_variation.clone(),
        notations: deeper.notations.clone(),
        bounded: false,
        mv,
    }
}

/// True if the labels are one, or the two best.
fn is_near(old: Option<Label>, new: Label) -> bool {
    old.is_some_and(|old| old.max(Label::Excellent) == new.max(Label::Excellent))
}
