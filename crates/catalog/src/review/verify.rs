//! The searches of one position: all moves to one depth, then the best and the played one deeper. A list of all moves is
//! shallow: it neither finds the only good move nor sees what refutes the others.

use super::plan::ReviewPlan;
use crate::answer::{Answer, MoveRating};
use crate::question::{Question, Ratings};
use crate::rating::{Class, Label, Reference, TOLERANCE};

impl ReviewPlan {
    /// The next question about the position with this number, after these answers; `None` when they suffice.
    pub fn next_question(&self, index: usize, so_far: &[Answer]) -> Option<Question> {
        let search = &self.searches[index];
        let played = search.played.as_ref();
        let deeper = |moves: Vec<String>| Question {
            ratings: Ratings::None,
            scheme: None,
            search_moves: moves,
            ..search.question.clone()
        };
        match so_far {
            [] => Some(search.question.clone()),
            [list] if played.is_some() && !is_final(list) => Some(deeper(Vec::new())),
            [_, best] if best.best_move.as_ref() != played && best.win_probability.is_some() => {
                Some(deeper(played.into_iter().cloned().collect()))
            }
            // What loses to a proof without a line is answered by the best reply.
            [_, best, answer] if answer.principal_variation.len() == 1 && loses(best, answer) => {
                let mut reply = deeper(Vec::new());
                reply.moves.extend(played.cloned());
                Some(reply)
            }
            _ => None,
        }
    }

    /// The answer about the position with this number, from the answers to its questions: the list, in which the best
    /// and the played move have their deeper values.
    ///
    /// # Panics
    /// Without any answer.
    pub fn settled(&self, index: usize, so_far: Vec<Answer>) -> Answer {
        let mut so_far = so_far.into_iter();
        let list = so_far.next().expect("a position has been searched");
        let (Some(played), Some(best)) = (&self.searches[index].played, so_far.next()) else {
            return list;
        };
        let mut answer = so_far.next();
        if let (Some(answer), Some(reply)) = (&mut answer, so_far.next()) {
            answer.principal_variation.extend(reply.principal_variation);
        }
        let nodes = [Some(&best), answer.as_ref()];
        let (nodes, time_ms) = nodes.into_iter().flatten().fold(
            (list.stats.nodes, list.stats.time_ms),
            |(nodes, time), other| (nodes + other.stats.nodes, time + other.stats.time_ms),
        );
        let mut settled = deepened(list, best, answer, played);
        (settled.stats.nodes, settled.stats.time_ms) = (nodes, time_ms);
        settled
    }
}

/// True if the played move loses more than a good one.
fn loses(best: &Answer, answer: &Answer) -> bool {
    let loss = best.win_probability.zip(answer.win_probability).map(|(best, p)| best - p);
    loss.is_some_and(|loss| Label::of(loss, false, None) > Label::Good)
}

/// True if no search can change the values of a list.
fn is_final(list: &Answer) -> bool {
    list.ratings.len() == 1 || list.ratings.iter().all(|rating| rating.exact)
}

/// A list with the values of the deeper searches for the best move and the played one.
fn deepened(list: Answer, best: Answer, answer: Option<Answer>, played: &str) -> Answer {
    let is_deeper = |other: &Answer| other.stats.depth >= list.stats.depth;
    if !is_deeper(&best) || answer.as_ref().is_some_and(|answer| !is_deeper(answer)) {
        return list;
    }
    let Some(best_p) = best.win_probability else { return list };
    let played_p = answer.as_ref().map_or(Some(best_p), |answer| answer.win_probability);
    let Some(played_p) = played_p else { return list };
    let loss = (best_p - played_p).max(0.0);
    let (first, second) = match answer {
        Some(answer) if played_p > best_p => (answer, None),
        Some(answer) => (best, Some(answer)),
        None => (best, None),
    };
    let by_best = list.scheme.is_none_or(|scheme| scheme.reference == Reference::Best);
    let mut list = list;
    let first = rated(&list, &first, 0.0, by_best);
    let second = second.map(|second| rated(&list, &second, loss, by_best));
    let depth = [Some(&first), second.as_ref()];
    let new: Vec<_> = depth.into_iter().flatten().map(|rating| rating.mv.clone()).collect();
    list.ratings.retain(|rating| !new.contains(&rating.mv));
    list.ratings.splice(0..0, std::iter::once(first).chain(second));
    debug_assert!(list.ratings.iter().any(|rating| rating.mv == played));
    list
}

/// The rating of the best move of a deeper search. It is stable where the list says the same.
fn rated(list: &Answer, deeper: &Answer, loss: f64, by_best: bool) -> MoveRating {
    let mv = deeper.best_move.clone().unwrap_or_default();
    let old = list.ratings.iter().find(|rating| rating.mv == mv);
    let p = deeper.win_probability.unwrap_or(0.5);
    let class = match () {
        () if loss <= TOLERANCE => Class::Correct,
        () if p >= 0.5 => Class::Slack,
        () => Class::Mistake,
    };
    // A reference of the question's own is that of the list.
    let class = if by_best { Some(class) } else { old.and_then(|old| old.class) };
    let label = Label::of(loss, loss == 0.0, class);
    let is_same = |old: &MoveRating| old.class == class && is_near(old.label, label);
    MoveRating {
        score: deeper.score.clone().unwrap_or(crate::answer::ScoreAnswer::Unknown),
        exact: deeper.exact,
        win_probability: Some(p),
        loss: Some(loss),
        class,
        points: old.and_then(|old| old.points),
        bonus: old.map_or_else(Vec::new, |old| old.bonus.clone()),
        label: Some(label),
        stable: Some(deeper.proved || old.is_some_and(is_same)),
        principal_variation: deeper.principal_variation.clone(),
        notations: deeper.notations.clone(),
        mv,
    }
}

/// True if the labels are one, or the two best.
fn is_near(old: Option<Label>, new: Label) -> bool {
    old.is_some_and(|old| old.max(Label::Excellent) == new.max(Label::Excellent))
}
