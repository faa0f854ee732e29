//! GameMoves moves and chance events, held against the answers of their positions.

use super::answer::{BestAlternative, ChanceReview, MoveReview, RateAnswer, ReviewAnswer};
use super::plan::{ChanceLeaf, LeafValue, ReviewPlan, ReviewedTurn};
use super::summary::{self, GameMoves};
use crate::answer::{Answer, MoveRating, ScoreAnswer};
use crate::question::WholeNumber;
use crate::rating::{Bonus, Label};

/// Warning about moves that the algorithm has not rated.
const UNRATED: &str =
    "some moves have no rating: the algorithm does not look at them, or had no time to";

impl ReviewPlan {
    /// The review, from the answers to the questions in their order.
    pub fn review(&self, answers: &[Answer]) -> ReviewAnswer {
        let values = self.values(answers);
        let mut played = GameMoves::default();
        for (ply, turn) in self.turns.iter().enumerate().take(self.moves.len()) {
            match turn {
                ReviewedTurn::Decision { side, legal, question } => {
                    let answer = &answers[*question];
                    played.moves.push(self.played(ply, *side, *legal, answer));
                }
                ReviewedTurn::Chance(_) => played.chance.push(self.came(ply, &values)),
                ReviewedTurn::Over(_) => unreachable!("no move follows the end"),
            }
        }
        let is_rated = |played: &MoveReview| played.loss.is_some();
        let mut warnings = self.warnings(answers);
        if !played.moves.iter().all(is_rated) {
            warnings.push(UNRATED.to_owned());
        }
        let totals = summary::totals(self, &played, &values);
        ReviewAnswer {
            id: self.question.id.clone(),
            game: self.game,
            algorithm: answers.first().map_or("", |answer| answer.algorithm),
            sides: totals.sides,
            excitement: totals.excitement,
            drama: totals.drama,
            turning_points: totals.turning_points,
            shares: totals.shares,
            moves: played.moves,
            chance: played.chance,
            win_probabilities: values,
            outcome: self.outcome.clone(),
            scheme: answers.iter().rev().find_map(|answer| answer.scheme),
            nodes: answers.iter().map(|answer| answer.stats.nodes).sum(),
            time_ms: answers.iter().map(|answer| answer.stats.time_ms).sum(),
            warnings,
        }
    }

    /// The rating of the one move of [`plan_rating`](crate::Catalog::plan_rating), from the answer to its question.
    pub fn rating(&self, answer: &Answer) -> RateAnswer {
        let ReviewedTurn::Decision { side, legal, .. } = self.turns[0] else {
            unreachable!("the move is a decision")
        };
        let ply = self.question.moves.len() - 1;
        let rated = self.rated(ply, &self.moves[0], self.sides[side], legal, answer);
        let mut warnings = self.warnings(std::slice::from_ref(answer));
        if rated.loss.is_none() {
            warnings.push(UNRATED.to_owned());
        }
        RateAnswer {
            id: self.question.id.clone(),
            game: self.game,
            algorithm: answer.algorithm,
            rated,
            scheme: answer.scheme,
            nodes: answer.stats.nodes,
            time_ms: answer.stats.time_ms,
            warnings,
        }
    }

    /// Warnings of all answers, each once. That a default limit does not apply is nobody's concern.
    fn warnings(&self, answers: &[Answer]) -> Vec<String> {
        let asked = self.question.budget.time_ms.map(|WholeNumber(ms)| ms);
        let mut warnings: Vec<String> = Vec::new();
        for warning in answers.iter().flat_map(|answer| &answer.warnings) {
            let is_own = asked.is_none() && warning.starts_with("budget.time_ms");
            if !is_own && !warnings.contains(warning) {
                warnings.push(warning.clone());
            }
        }
        warnings
    }

    fn played(&self, ply: usize, side: usize, legal: usize, answer: &Answer) -> MoveReview {
        self.rated(ply, &self.moves[ply], self.sides[side], legal, answer)
    }

    fn rated(
        &self,
        ply: usize,
        mv: &str,
        side: &'static str,
        legal: usize,
        answer: &Answer,
    ) -> MoveReview {
        let best = answer.ratings.first();
        let rating = answer.ratings.iter().find(|rating| rating.mv == mv);
        let label = rating.and_then(|rating| rating.label);
        let loss = best.zip(rating).and_then(|(best, rating)| loss(best, rating));
        let is_worse = label.is_some_and(|label| label >= Label::Inaccuracy);
        let is_win = |rating: &MoveRating| matches!(rating.score, ScoreAnswer::Win { .. });
        let line = rating.map_or(&[][..], |rating| &rating.principal_variation);
        MoveReview {
            ply,
            side,
            mv: mv.to_owned(),
            score: rating.map(|rating| rating.score.clone()),
            win_probability: rating.and_then(|rating| rating.win_probability),
            loss,
            class: rating.and_then(|rating| rating.class),
            label,
            stable: rating.and_then(|rating| rating.stable),
            points: rating.and_then(|rating| rating.points),
            bonus: rating.map_or_else(Vec::new, |rating| rating.bonus.clone()),
            forced: legal == 1,
            only_move: rating.is_some_and(|rating| rating.bonus.contains(&Bonus::OnlyCorrect)),
            missed_win: best.is_some_and(is_win) && !rating.is_some_and(is_win),
            best: best.map(|best| BestAlternative {
                mv: best.mv.clone(),
                score: best.score.clone(),
                win_probability: best.win_probability,
                principal_variation: best.principal_variation.clone(),
                notations: best.notations.clone(),
            }),
            refutation: line.iter().skip(1).filter(|_| is_worse).cloned().collect(),
            depth: answer.stats.rated_depth.unwrap_or(answer.stats.depth),
        }
    }

    /// The first side's expected result in each position.
    fn values(&self, answers: &[Answer]) -> Vec<Option<f64>> {
        let of = |turn: &ReviewedTurn| match turn {
            ReviewedTurn::Decision { question, .. } => self.first_sides(&answers[*question]),
            ReviewedTurn::Chance(leaves) => self.expected(leaves, answers),
            ReviewedTurn::Over(result) => Some(*result),
        };
        self.turns.iter().map(of).collect()
    }

    /// Expected result of the first side by an answer.
    fn first_sides(&self, answer: &Answer) -> Option<f64> {
        let best =
            answer.ratings.first().map_or(answer.win_probability, |best| best.win_probability);
        best.map(|p| if answer.side_to_move == Some(self.sides[0]) { p } else { 1.0 - p })
    }

    /// Mean over what chance may bring.
    fn expected(&self, leaves: &[ChanceLeaf], answers: &[Answer]) -> Option<f64> {
        let value = |leaf: &ChanceLeaf| match leaf.value {
            LeafValue::Result(result) => Some(result),
            LeafValue::Searched(question) => self.first_sides(&answers[question]),
        };
        leaves.iter().map(|leaf| value(leaf).map(|value| leaf.probability * value)).sum()
    }

    fn came(&self, ply: usize, values: &[Option<f64>]) -> ChanceReview {
        let (expected, came) = (values[ply], values[ply + 1]);
        ChanceReview {
            ply,
            outcome: self.moves[ply].clone(),
            expected,
            came,
            luck: expected.zip(came).map(|(expected, came)| came - expected),
        }
    }
}

/// Expected result given away against the best move.
fn loss(best: &MoveRating, rating: &MoveRating) -> Option<f64> {
    let (best, played) = best.win_probability.zip(rating.win_probability)?;
    Some((best - played).max(0.0))
}
