//! The laws of evaluators, checked against a search that knows nothing but the candidates.

use crate::game::{Chance, Evaluator, Game, Lookahead, MoveList, Outcome, Rng, Side, Turn};

/// Score of a proved win; distances in plies are subtracted. Evaluations lie between the proved results.
const SURE: i64 = 2_000_000_000;
/// Score of a win against an incomplete move list.
const LIKELY: i64 = 1_500_000_000;
/// Maximum absolute evaluation.
const LIMIT: i64 = 1_000_000_000;

/// Plays `games` random games from `start` and checks every law of [`Evaluator`] in every position
/// met, with static lookahead of up to `depth` plies.
///
/// # Panics
/// Where a law is broken, with the moves that lead there.
pub fn check_evaluator<G: Game, E: Evaluator<G>>(
    start: &G,
    evaluator: &E,
    depth: u32,
    seed: u64,
    games: usize,
) {
    check_scale::<G, E>(evaluator);
    let mut rng = Rng::new(seed);
    for _ in 0..games {
        check_line(start, evaluator, depth, &mut rng);
    }
}

fn check_scale<G: Game, E: Evaluator<G>>(evaluator: &E) {
    let (bound, reach) = (evaluator.bound(), evaluator.reach());
    assert!(0 < bound && i64::from(bound) <= LIMIT, "the bound is {bound}");
    assert!(0 <= reach && reach <= bound, "the reach is {reach}, the bound {bound}");
    let steps = 200;
    let mut last = 0.0;
    for step in -steps..=steps {
        let value = f64::from(bound) * f64::from(step) / f64::from(steps);
        let (p, other) = (evaluator.win_probability(value), evaluator.win_probability(-value));
        assert!((0.0..=1.0).contains(&p), "the probability at {value} is {p}");
        assert!(p >= last, "the probability falls from {last} to {p} at {value}");
        assert!((p + other - 1.0).abs() < 1e-9, "{value}: the sides expect {p} and {other}");
        last = p;
    }
    check_results(evaluator, bound);
}

/// Results of opposite payoffs sum to 1, and no larger payoff is a worse result.
fn check_results<G: Game, E: Evaluator<G>>(evaluator: &E, bound: i32) {
    let mut last = 0.5;
    for payoff in [0, 1, bound / 100, bound / 3, bound] {
        let (result, other) = (evaluator.result(payoff), evaluator.result(-payoff));
        assert!(
            (result + other - 1.0).abs() < 1e-9,
            "{payoff}: the sides get {result} and {other}"
        );
        assert!((last..=1.0).contains(&result), "the result of {payoff} is {result}");
        last = result;
    }
}

/// One random game with incremental evaluation, forward by `push` and back by `pop`.
fn check_line<G: Game, E: Evaluator<G>>(start: &G, evaluator: &E, depth: u32, rng: &mut Rng) {
    let mut along = evaluator.clone();
    along.enter(start);
    let mut path = vec![start.clone()];
    let mut line = Vec::new();
    loop {
        let pos = path.last().expect("the path begins at the start");
        let mv = match pos.turn() {
            Turn::Over(outcome) => {
                check_payoff(evaluator, outcome);
                break;
            }
            Turn::Chance(event) => event.sample(pos, rng),
            Turn::Of(mover) => {
                check_position(pos, mover, &mut along, evaluator, depth, &line);
                let Some(mv) = check_playout(pos, evaluator, rng, &line) else { break };
                mv
            }
        };
        let next = pos.after(mv);
        along.push(pos, mv, &next);
        path.push(next);
        line.push(mv);
    }
    // The way back: `pop` must restore what `push` found.
    while let Some(pos) = path.pop() {
        if let Turn::Of(mover) = pos.turn() {
            assert_fresh(&pos, mover, &mut along, evaluator, &line);
        }
        if line.pop().is_some() {
            along.pop();
        }
    }
}

fn check_payoff<G: Game, E: Evaluator<G>>(evaluator: &E, outcome: Outcome) {
    if let Outcome::Payoff(value) = outcome {
        let bound = evaluator.bound();
        assert!(value.abs() <= bound, "a payoff of {value}, beyond the bound {bound}");
    }
}

/// The incremental evaluation equals the evaluation from scratch.
fn assert_fresh<G: Game, E: Evaluator<G>>(
    pos: &G,
    mover: Side,
    along: &mut E,
    evaluator: &E,
    line: &[G::Move],
) {
    let mut fresh = evaluator.clone();
    fresh.enter(pos);
    let value = along.evaluate(pos, mover);
    assert_eq!(value, fresh.evaluate(pos, mover), "kept and fresh value after {line:?}");
    assert_eq!(value, along.evaluate(pos, mover), "looking changes nothing after {line:?}");
    assert!(value.abs() <= evaluator.reach(), "{value} is out of reach after {line:?}");
}

fn check_playout<G: Game, E: Evaluator<G>>(
    pos: &G,
    evaluator: &E,
    rng: &mut Rng,
    line: &[G::Move],
) -> Option<G::Move> {
    let moves = pos.legal_moves();
    let mv = evaluator.playout_move(pos, rng, &mut Vec::new());
    assert_eq!(mv.is_none(), moves.is_empty(), "a playout moves where it can after {line:?}");
    assert!(mv.is_none_or(|mv| moves.contains(&mv)), "{mv:?} is not legal after {line:?}");
    // Playouts by the evaluator alone would not reach all positions.
    pos.random_move(rng, &mut Vec::new())
}

fn check_position<G: Game, E: Evaluator<G>>(
    pos: &G,
    mover: Side,
    along: &mut E,
    evaluator: &E,
    depth: u32,
    line: &[G::Move],
) {
    assert_fresh(pos, mover, along, evaluator, line);
    let legal = pos.legal_moves();
    let mut listed = Vec::new();
    let complete = evaluator.candidates(pos, mover, &mut listed);
    assert_eq!(listed.is_empty(), legal.is_empty(), "candidates where moves are, after {line:?}");
    assert_distinct_among(&listed, &legal, line);
    if listed.is_empty() {
        return;
    }
    if E::LISTS_ALL {
        assert_eq!((listed.len(), complete), (legal.len(), true), "candidates after {line:?}");
        assert_eq!(E::MOVES, MoveList::All, "there is no other list");
    } else {
        let candidates = CandidateList { listed, complete, list: MoveList::Expert };
        check_lookahead(pos, mover, along, evaluator, depth, &candidates, line);
    }
    check_settled(pos, mover, along, evaluator, line);
    check_next_depth(pos, evaluator, depth, line);
    // Long lists cost too much at greater depths.
    let depth = if E::LISTS_ALL { depth } else { depth.min(2) };
    let candidates = CandidateList { listed: legal, complete: true, list: MoveList::All };
    check_lookahead(pos, mover, along, evaluator, depth, &candidates, line);
}

/// Maximum plies left in the checks of `solve_payoff`.
const SETTLED_DEPTH: u32 = 12;

/// A payoff of `solve_payoff` is the value of a search to the end of the game, or a sufficient bound.
fn check_settled<G: Game, E: Evaluator<G>>(
    pos: &G,
    mover: Side,
    along: &mut E,
    evaluator: &E,
    line: &[G::Move],
) {
    let bound = evaluator.bound();
    let below = (-4..4).map(|quarter| (bound / 4 * quarter, bound / 4 * quarter + 1));
    let windows: Vec<_> = below.chain([(-bound - 1, bound + 1), (-bound / 4, bound / 4)]).collect();
    for depth in 1..=SETTLED_DEPTH {
        let mut value = None;
        for &(alpha, beta) in &windows {
            let Some(payoff) = evaluator.solve_payoff(pos, mover, depth, alpha, beta) else {
                continue;
            };
            let all = MoveList::All;
            let value = *value.get_or_insert_with(|| plain(pos, mover, along, all, depth, 0));
            let payoff = i64::from(payoff);
            let fits = if payoff <= i64::from(alpha) {
                value <= payoff
            } else if payoff >= i64::from(beta) {
                value >= payoff
            } else {
                value == payoff
            };
            assert!(
                fits,
                "{payoff} is settled between {alpha} and {beta} at depth {depth}, the value is \
                 {value}, after {line:?}"
            );
        }
    }
}

fn check_next_depth<G: Game, E: Evaluator<G>>(
    pos: &G,
    evaluator: &E,
    depth: u32,
    line: &[G::Move],
) {
    for depth in 1..=depth {
        for selective in [false, true] {
            let next = evaluator.next_depth(pos, depth, selective);
            assert!(next > depth, "{next} is searched after {depth}, after {line:?}");
        }
    }
}

/// Result of [`Evaluator::listed`].
struct CandidateList<M> {
    listed: Vec<M>,
    complete: bool,
    list: MoveList,
}

fn check_lookahead<G: Game, E: Evaluator<G>>(
    pos: &G,
    mover: Side,
    along: &mut E,
    evaluator: &E,
    depth: u32,
    candidates: &CandidateList<G::Move>,
    line: &[G::Move],
) {
    let CandidateList { listed, complete, list } = candidates;
    let mut value = |mv, depth| after(pos, mv, mover, along, *list, depth - 1, 1);
    let values: Vec<Vec<i64>> =
        (1..=depth).map(|depth| listed.iter().map(|&mv| value(mv, depth)).collect()).collect();
    let deepest = values.last().map_or(0, |values| best(values, *complete));
    for (depth, values) in (1..).zip(&values) {
        let what = format!("a survey of depth {depth} after {line:?}");
        let mut open = Vec::new();
        match evaluator.lookahead(pos, mover, depth, *list, &mut open) {
            Lookahead::Win(plies) => {
                assert!(plies <= depth, "{what} looks {plies} plies ahead");
                assert_eq!(best(values, *complete), SURE - i64::from(plies), "{what}: a win");
            }
            Lookahead::Loss(plies) => {
                assert!(plies <= depth, "{what} looks {plies} plies ahead");
                assert_eq!(best(values, *complete), i64::from(plies) - SURE, "{what}: a loss");
            }
            Lookahead::Open { complete: all, win_from, loss_from } => {
                assert_distinct_among(&open, listed, line);
                let known: Vec<_> = listed.iter().copied().zip(values.iter().copied()).collect();
                check_open(&known, *complete, &open, all, &what);
                let (wins, loses) = (deepest > LIMIT, deepest < -LIMIT);
                assert!(!wins || SURE - deepest >= i64::from(win_from), "{what}: earlier win");
                assert!(!loses || SURE + deepest >= i64::from(loss_from), "{what}: earlier loss");
            }
        }
    }
}

/// An undecided lookahead may omit candidates that lose, but none that changes the value.
fn check_open<M: Copy + PartialEq + std::fmt::Debug>(
    candidates: &[(M, i64)],
    complete: bool,
    open: &[M],
    all: bool,
    what: &str,
) {
    assert!(!open.is_empty(), "{what} leaves no move");
    let values = |of: &dyn Fn(&M) -> bool| -> Vec<i64> {
        candidates.iter().filter(|(mv, _)| of(mv)).map(|(_, value)| *value).collect()
    };
    let before = best(&values(&|_| true), complete);
    assert_eq!(best(&values(&|mv| open.contains(mv)), all), before, "{what} changes the value");
    for (mv, value) in candidates {
        assert!(open.contains(mv) || *value < -LIMIT, "{what} omits {mv:?}, which does not lose");
    }
}

fn assert_distinct_among<M: PartialEq + std::fmt::Debug>(some: &[M], all: &[M], line: &[M]) {
    for (n, mv) in some.iter().enumerate() {
        assert!(all.contains(mv), "{mv:?} is listed, but not by who should know, after {line:?}");
        assert!(!some[..n].contains(mv), "{mv:?} is listed twice after {line:?}");
    }
}

/// Best value; an unlisted move may be better than listed ones that lose.
fn best(values: &[i64], complete: bool) -> i64 {
    let unlisted = if complete { -SURE } else { -LIKELY };
    values.iter().copied().fold(unlisted, i64::max)
}

fn after<G: Game, E: Evaluator<G>>(
    pos: &G,
    mv: G::Move,
    viewer: Side,
    evaluator: &mut E,
    list: MoveList,
    depth: u32,
    ply: i64,
) -> i64 {
    let next = pos.after(mv);
    evaluator.push(pos, mv, &next);
    let value = plain(&next, viewer, evaluator, list, depth, ply);
    evaluator.pop();
    value
}

/// Value for `viewer` by plain search over a list.
fn plain<G: Game, E: Evaluator<G>>(
    pos: &G,
    viewer: Side,
    evaluator: &mut E,
    list: MoveList,
    depth: u32,
    ply: i64,
) -> i64 {
    let ended = |outcome| match outcome {
        Outcome::Win(side) if side == viewer => SURE - ply,
        Outcome::Win(_) => ply - SURE,
        Outcome::Draw => 0,
        Outcome::Payoff(value) => i64::from(viewer.sign() * value),
    };
    match pos.turn() {
        Turn::Over(outcome) => ended(outcome),
        Turn::Chance(event) => expected(pos, event, viewer, evaluator, list, depth, ply),
        Turn::Of(mover) => {
            let sign = if mover == viewer { 1 } else { -1 };
            if depth == 0 {
                return sign * i64::from(evaluator.evaluate(pos, mover));
            }
            let mut moves = Vec::new();
            let complete = evaluator.listed(pos, mover, list, &mut moves);
            if moves.is_empty() {
                return ended(pos.stuck(mover));
            }
            let values: Vec<_> = moves
                .into_iter()
                .map(|mv| after(pos, mv, mover, evaluator, list, depth - 1, ply + 1))
                .collect();
            sign * best(&values, complete)
        }
    }
}

/// Mean over the chance outcomes; a proved result if every outcome wins (or loses), at the distance of the
/// latest.
fn expected<G: Game, E: Evaluator<G>>(
    pos: &G,
    event: G::Chance,
    viewer: Side,
    evaluator: &mut E,
    list: MoveList,
    depth: u32,
    ply: i64,
) -> i64 {
    let mut outcomes = Vec::new();
    event.outcomes(pos, &mut outcomes);
    let values: Vec<_> = outcomes
        .iter()
        .map(|&(mv, _)| after(pos, mv, viewer, evaluator, list, depth, ply))
        .collect();
    let (least, most) = (values.iter().min(), values.iter().max());
    match (least, most) {
        (Some(&least), _) if least > LIMIT => least,
        (_, Some(&most)) if most < -LIMIT => most,
        _ => {
            let bound = i64::from(evaluator.bound());
            let seen = values.iter().zip(&outcomes);
            seen.map(|(value, (_, p))| p * (*value).clamp(-bound, bound) as f64)
                .sum::<f64>()
                .round() as i64
        }
    }
}
