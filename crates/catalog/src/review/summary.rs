//! Sums over a game: how each side played, how exciting it was, and what was skill and what luck.

use super::answer::{
    ChanceReview, ClassCounts, Drama, LabelCounts, MoveReview, ResultShares, SideReview,
};
use super::plan::ReviewPlan;
use crate::rating::{Class, Label};

/// What happened in a game, in order.
#[derive(Default)]
pub(super) struct GameMoves {
    pub(super) moves: Vec<MoveReview>,
    pub(super) chance: Vec<ChanceReview>,
}

/// Sums over a game.
pub(super) struct ReviewTotals {
    pub(super) sides: Vec<SideReview>,
    pub(super) excitement: Option<f64>,
    pub(super) drama: Drama,
    pub(super) turning_points: Vec<usize>,
    pub(super) shares: ResultShares,
}

/// Expected result above even from which on a side leads: the bound of the label `good`.
const LEAD: f64 = 0.05;
/// Change of the expected result that turns a game: the bound of the label `blunder`.
const TURN: f64 = 0.20;

pub(super) fn totals(
    plan: &ReviewPlan,
    played: &GameMoves,
    values: &[Option<f64>],
) -> ReviewTotals {
    let counts = |played: &&MoveReview| plan.question.count_forced || !played.forced;
    let counted: Vec<_> = played.moves.iter().filter(counts).collect();
    let side = |&side: &&'static str| {
        let own: Vec<_> = counted.iter().copied().filter(|played| played.side == side).collect();
        side_review(side, &played.moves, &own)
    };
    let leads = leads(values);
    ReviewTotals {
        sides: plan.sides.iter().map(side).collect(),
        excitement: mean(counted.iter().filter_map(|played| played.points)),
        drama: Drama { mean_change: mean(changes(values)), lead_changes: leads.len() },
        turning_points: turning_points(values, &leads),
        shares: shares(plan, played, values),
    }
}

/// Mean of values; `None` of none.
fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Accuracy of a move that loses so much, 0 to 100.
fn accuracy(loss: f64) -> f64 {
    100.0 * (-loss / TURN).exp()
}

fn side_review(side: &'static str, all: &[MoveReview], counted: &[&MoveReview]) -> SideReview {
    let own = || all.iter().filter(|played| played.side == side);
    let losses = || counted.iter().filter_map(|played| played.loss);
    let class = |class| counted.iter().filter(|played| played.class == Some(class)).count();
    let label = |label| counted.iter().filter(|played| played.label == Some(label)).count();
    SideReview {
        side,
        moves: own().count(),
        forced: own().filter(|played| played.forced).count(),
        points: mean(counted.iter().filter_map(|played| played.points)),
        accuracy: mean(losses().map(accuracy)),
        loss: mean(losses()),
        classes: ClassCounts {
            correct: class(Class::Correct),
            slack: class(Class::Slack),
            mistake: class(Class::Mistake),
        },
        labels: LabelCounts {
            best: label(Label::Best),
            excellent: label(Label::Excellent),
            good: label(Label::Good),
            inaccuracy: label(Label::Inaccuracy),
            mistake: label(Label::Mistake),
            blunder: label(Label::Blunder),
        },
        only_moves: counted.iter().filter(|played| played.only_move).count(),
        missed_wins: own().filter(|played| played.missed_win).count(),
    }
}

/// Changes of the expected result from each position to the next, where both are known.
fn changes(values: &[Option<f64>]) -> impl Iterator<Item = f64> {
    values.windows(2).filter_map(|pair| Some((pair[1]? - pair[0]?).abs()))
}

/// Moves after which the lead was the other side's.
fn leads(values: &[Option<f64>]) -> Vec<usize> {
    let mut leader = None;
    let mut changes = Vec::new();
    for (place, value) in values.iter().enumerate() {
        let Some(lead) = value.map(|value| value - 0.5).filter(|lead| lead.abs() > LEAD) else {
            continue;
        };
        let first_leads = lead > 0.0;
        if leader.is_some_and(|leader| leader != first_leads) {
            changes.push(place - 1);
        }
        leader = Some(first_leads);
    }
    changes
}

fn turning_points(values: &[Option<f64>], leads: &[usize]) -> Vec<usize> {
    let is_turn = |&ply: &usize| {
        let change = values[ply].zip(values[ply + 1]).map(|(before, after)| (after - before).abs());
        leads.contains(&ply) || change.is_some_and(|change| change > TURN)
    };
    (0..values.len() - 1).filter(is_turn).collect()
}

/// Sum of values, all of which must be known.
fn sum(mut values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    values.try_fold(0.0, |sum, value| Some(sum + value?))
}

fn shares(plan: &ReviewPlan, played: &GameMoves, values: &[Option<f64>]) -> ResultShares {
    let sign = |side| if side == plan.sides[0] { -1.0 } else { 1.0 };
    let skill = sum(played.moves.iter().map(|one| one.loss.map(|loss| sign(one.side) * loss)));
    let luck = sum(played.chance.iter().map(|event| event.luck));
    let (start, result) = (values[0], values[values.len() - 1]);
    let explained = start.zip(skill).zip(luck).map(|((start, skill), luck)| start + skill + luck);
    ResultShares {
        start,
        skill,
        luck,
        unexplained: explained.zip(result).map(|(explained, result)| result - explained),
        result,
    }
}
