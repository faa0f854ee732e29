//! Played moves and chance events, held against the answers of their positions.

use super::answer::{BestAlternative, ChanceReview, MoveReview, RateAnswer, ReviewAnswer};
use super::plan::{ChanceLeaf, LeafValue, ReviewPlan, ReviewedTurn};
use super::searched::SearchedPosition;
use super::summary::{self, GameMoves};
use crate::answer::{MoveRating, ScoreAnswer};
use crate::perspective;
use crate::rating::{Bonus, Label};

/// Warning about moves that the algorithm has not rated.
const UNRATED: &str =
    "some moves have no rating: the algorithm does not look at them, or had no time to";

impl ReviewPlan {
    /// The review, from what is known of all positions, in their order.
    pub fn review(&self, searched: &[SearchedPosition]) -> ReviewAnswer {
        let values = self.values(searched);
        let mut played = GameMoves::default();
        for (ply, turn) in self.turns.iter().enumerate().take(self.moves.len()) {
            match turn {
                ReviewedTurn::Decision { side, legal, question } => {
                    let position = &searched[*question];
                    played.moves.push(self.rated(ply, *side, *legal, position));
                }
                ReviewedTurn::Chance { came, .. } => {
                    let came = came.map_or(values[ply + 1], |leaf| self.leaf(leaf, searched));
                    played.chance.push(self.came(ply, values[ply], came));
                }
                ReviewedTurn::Over(_) => unreachable!("no move follows the end"),
            }
        }
        let is_rated = |played: &MoveReview| played.loss.is_some();
        let mut warnings = self.warnings(searched);
        if !played.moves.iter().all(is_rated) {
            warnings.push(UNRATED.to_owned());
        }
        let totals = summary::totals(self, &played, &values);
        let review = ReviewAnswer {
            id: self.question.id.clone(),
            game: self.game,
            algorithm: searched
                .iter()
                .map(|position| position.algorithm.clone())
                .find(|name| !name.is_empty())
                .unwrap_or_default(),
            sides: totals.sides,
            excitement: totals.excitement,
            drama: totals.drama,
            turning_points: totals.turning_points,
            shares: totals.shares,
            moves: played.moves,
            chance: played.chance,
            win_probabilities: values,
            outcome: self.outcome.clone(),
            scheme: searched.iter().rev().find_map(|position| position.scheme),
            nodes: searched.iter().map(|position| position.nodes).sum(),
            time_ms: searched.iter().map(|position| position.time_ms).sum(),
            file: None,
            warnings,
        };
        ReviewAnswer { file: self.file(&review), ..review }
    }

    /// The rating of the one move of [`plan_rating`](crate::Catalog::plan_rating), from what is known of its position.
    pub fn rating(&self, searched: &SearchedPosition) -> RateAnswer {
        let ReviewedTurn::Decision { side, legal, .. } = self.turns[0] else {
            unreachable!("the move is a decision")
        };
        let ply = self.question.moves.len() - 1;
        let rated = MoveReview { ply, ..self.rated(0, side, legal, searched) };
        let mut warnings = self.warnings(std::slice::from_ref(searched));
        if rated.loss.is_none() {
            warnings.push(UNRATED.to_owned());
        }
        RateAnswer {
            id: self.question.id.clone(),
            game: self.game,
            algorithm: searched.algorithm.clone(),
            rated,
            scheme: searched.scheme,
            nodes: searched.nodes,
            time_ms: searched.time_ms,
            warnings,
        }
    }

    /// Warnings of all searches, each once. That a default limit does not apply is nobody's concern.
    fn warnings(&self, searched: &[SearchedPosition]) -> Vec<String> {
        let budget = &self.question.budget;
        let not_asked = [("budget.time_ms", budget.time_ms), ("budget.depth", budget.depth)]
            .map(|(name, limit)| (name, limit.is_none()));
        let mut warnings: Vec<String> = Vec::new();
        for warning in searched.iter().flat_map(|position| &position.warnings) {
            let is_own = not_asked.iter().any(|(name, own)| *own && warning.starts_with(name));
            if !is_own && !warnings.contains(warning) {
                warnings.push(warning.clone());
            }
        }
        warnings
    }

    /// The move in this place of those to be rated, in the perspective that is wanted.
    fn rated(
        &self,
        ply: usize,
        side: usize,
        legal: usize,
        searched: &SearchedPosition,
    ) -> MoveReview {
        let SearchedPosition { best, played, depth, .. } = searched;
        let (best, rating) = (best.as_ref(), played.as_ref());
        let label = rating.and_then(|rating| rating.label);
        let loss = best.zip(rating).and_then(|(best, rating)| loss(best, rating));
        let is_worse = label.is_some_and(|label| label >= Label::Inaccuracy);
        let is_win = |rating: &MoveRating| matches!(rating.score, ScoreAnswer::Win { .. });
        let refuted = rating.filter(|_| is_worse);
        let answer = |line: &[String]| line.iter().skip(1).cloned().collect::<Vec<_>>();
        let refutation = refuted.map_or_else(Vec::new, |bad| answer(&bad.principal_variation));
        let mut notations = self.notations[ply].clone();
        for (name, moves) in &mut notations {
            let line = refuted.and_then(|bad| bad.notations.get(name));
            moves.extend(line.map_or_else(Vec::new, |line| answer(line)));
        }
        let played = MoveReview {
            ply,
            side: self.sides[side],
            mv: self.moves[ply].clone(),
            notations,
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
            refutation,
            depth: *depth,
        };
        perspective::played(played, self.question.perspective, self.sides)
    }

    /// The first side's expected result in each position.
    fn values(&self, searched: &[SearchedPosition]) -> Vec<Option<f64>> {
        let of = |turn: &ReviewedTurn| match turn {
            ReviewedTurn::Decision { question, .. } => self.first_sides(&searched[*question]),
            ReviewedTurn::Chance { leaves, .. } => self.expected(leaves, searched),
            ReviewedTurn::Over(result) => Some(*result),
        };
        self.turns.iter().map(of).collect()
    }

    /// Expected result of the first side in a position.
    fn first_sides(&self, searched: &SearchedPosition) -> Option<f64> {
        let best = searched.best.as_ref();
        let best = best.map_or(searched.win_probability, |best| best.win_probability);
        let first_is_to_move = searched.side_to_move.as_deref() == Some(self.sides[0]);
        best.map(|p| if first_is_to_move { p } else { 1.0 - p })
    }

    /// Mean over what chance may bring.
    fn expected(&self, leaves: &[ChanceLeaf], searched: &[SearchedPosition]) -> Option<f64> {
        let value = |leaf: &ChanceLeaf| self.leaf(leaf.value, searched);
        leaves.iter().map(|leaf| value(leaf).map(|value| leaf.probability * value)).sum()
    }

    /// Expected result of the first side where chance may have led.
    fn leaf(&self, leaf: LeafValue, searched: &[SearchedPosition]) -> Option<f64> {
        match leaf {
            LeafValue::Result(result) => Some(result),
            LeafValue::Searched(question) => self.first_sides(&searched[question]),
        }
    }

    fn came(&self, ply: usize, expected: Option<f64>, came: Option<f64>) -> ChanceReview {
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
