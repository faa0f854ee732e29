//! Alpha-beta with dice, draws and hidden cards: equal to minimax where everything is enumerated, close to
//! it where chance is sampled, and marked as an estimate where it is one.

mod forward_pruning;
mod selective;
#[path = "../support/mod.rs"]
mod support;
mod variants;

use bestmove::game::{Evaluator, Game, Perfect, Plain, Rng, Side, Turn};
use bestmove::games::genius::{Genius, GeniusEvaluator};
use bestmove::games::tree::{Nature, Tree, TreeEvaluator};
use bestmove::search::alphabeta::{
    ChanceOptions, Determinization, DiceRolls, ForwardPruning, McAlphaBeta, OpponentChance,
    Options, Ordering, TableUse,
};
use bestmove::search::textbook::minimax::Minimax;
use bestmove::search::{Budget, Report, Value, Wanted};
use support::pig::Pig;
use support::{Hashed, TreeShape, depth, random_tree, run, run_seeded, unproved};

/// Full enumeration, with chance nodes at no depth cost, as in minimax.
const EXACT: ChanceOptions = ChanceOptions {
    enumerate: 1_000,
    samples: 1,
    chance_depth: 0,
    buckets: true,
    worlds: 3,
    determinization: Determinization::Sampled,
    opponent_chance: OpponentChance::Sampled,
    dice: DiceRolls::Sampled,
};

fn method<E>(evaluator: E, chance_options: ChanceOptions) -> McAlphaBeta<E> {
    McAlphaBeta {
        chance_options,
        forward_pruning: ForwardPruning::all(false),
        ..McAlphaBeta::new(evaluator)
    }
}

/// Values by move, in the order of the moves' codes.
fn values<G: Game>(report: &Report<G::Move>) -> Vec<(u16, Value)> {
    let code = |mv| G::move_code(mv);
    let mut values: Vec<_> =
        report.lines.iter().map(|line| (code(line.moves[0]), unproved(line.value))).collect();
    values.sort_by_key(|(code, _)| *code);
    values
}

fn tree(n: u32, rng: &mut Rng) -> Tree<Nature> {
    let shape = TreeShape {
        repeated_movers: n.is_multiple_of(2),
        chance: !n.is_multiple_of(4),
        levels: 2 + n % 5,
    };
    Tree::new(random_tree(shape, rng)).expect("chance is allowed")
}

fn check_exact<G: Game<Info = Perfect>, E: Evaluator<G>>(
    evaluator: &E,
    pos: &G,
    plies: u32,
    what: &str,
) {
    let oracle = run(&Minimax::new(evaluator.clone()), pos, depth(plies), Wanted::All);
    let engine = method(evaluator.clone(), EXACT);
    let all = run(&engine, pos, depth(plies), Wanted::All);
    assert_eq!(values::<G>(&oracle), values::<G>(&all), "{what}");
    assert_eq!(oracle.best_ties, all.best_ties, "{what}");
    let one = run(&engine, pos, depth(plies), Wanted::One);
    let best = [&oracle, &one].map(|report| unproved(report.lines[0].value));
    assert_eq!(best[0], best[1], "{what}, one move wanted");
    // Unrated moves are upper bounds.
    let truth = values::<G>(&oracle);
    for line in one.lines.iter().filter(|line| !line.rated) {
        let code = G::move_code(line.moves[0]);
        let (_, value) = truth.iter().find(|(other, _)| *other == code).expect("a legal move");
        assert!(number(*value) <= number(line.value), "{what}: {value:?} above {line:?}");
    }
}

fn number(value: Value) -> f64 {
    match value {
        Value::Win(plies) => 2e9 - f64::from(plies),
        Value::Loss(plies) => f64::from(plies) - 2e9,
        Value::Draw => 0.0,
        Value::Heuristic(value) => value,
        Value::Payoff(payoff) => payoff.into(),
        Value::Sampled { mean, .. } => mean,
        other => panic!("{other:?} is no value"),
    }
}

#[test]
fn with_everything_enumerated_it_says_what_minimax_says() {
    let mut rng = Rng::new(21);
    for n in 0..5_000 {
        let pos = tree(n, &mut rng);
        let face = TreeEvaluator::of(&pos);
        let plies = 1 + rng.below(8) as u32;
        let what = format!("tree {n} at depth {plies}");
        check_exact(&face, &pos, plies, &what);
        check_exact(&Hashed(face), &pos, plies, &what);
    }
    for plies in 1..=4 {
        check_exact(&Plain, &Pig::new(12), plies, "pig");
        check_exact(&Hashed(Plain), &Pig::new(9), plies, "pig, hashed");
    }
}

/// Reference by definition, without cuts: chance costs `chance_options.chance_depth` plies, once until a
/// player decides again. For the first side, in the units of the evaluator.
fn slow<G: Game<Info = Perfect>, E: Evaluator<G>>(
    evaluator: &mut E,
    pos: &G,
    depth: u32,
    cost: u32,
    after_chance: bool,
) -> f64 {
    match pos.turn() {
        Turn::Over(bestmove::game::Outcome::Payoff(value)) => f64::from(value),
        Turn::Over(_) => unreachable!("trees end in amounts"),
        Turn::Chance(event) => {
            let mut outcomes = Vec::new();
            bestmove::game::Chance::outcomes(event, pos, &mut outcomes);
            let depth = if after_chance { depth } else { depth.saturating_sub(cost) };
            let bound = f64::from(evaluator.bound());
            let values = outcomes.into_iter().map(|(mv, p)| {
                p * slow(evaluator, &pos.after(mv), depth, cost, true).clamp(-bound, bound)
            });
            values.sum::<f64>().round()
        }
        Turn::Of(side) if depth == 0 => f64::from(side.sign() * evaluator.evaluate(pos, side)),
        Turn::Of(side) => {
            let values = pos
                .legal_moves()
                .into_iter()
                .map(|mv| slow(evaluator, &pos.after(mv), depth - 1, cost, false));
            match side {
                Side::First => values.fold(f64::MIN, f64::max),
                Side::Second => values.fold(f64::MAX, f64::min),
            }
        }
    }
}

#[test]
fn chance_costs_as_many_plies_as_asked_for() {
    let mut rng = Rng::new(22);
    for n in 0..600 {
        let pos = tree(n, &mut rng);
        let mut evaluator = Hashed(TreeEvaluator::of(&pos));
        let plies = 1 + rng.below(6) as u32;
        for chance_depth in 0..=4 {
            let engine = method(evaluator.clone(), ChanceOptions { chance_depth, ..EXACT });
            let report = run(&engine, &pos, depth(plies), Wanted::All);
            for line in report.lines {
                let next = pos.after(line.moves[0]);
                let truth = slow(&mut evaluator, &next, plies - 1, chance_depth, false);
                let found = number(line.value);
                assert_eq!(found, truth, "tree {n}, {plies} plies, chance {chance_depth}");
            }
        }
    }
}

/// The mean of samples over many seeds is the expectation, if no player decides after chance: the best of
/// several estimates is too high.
#[test]
fn samples_come_near_the_expectation() {
    let mut rng = Rng::new(23);
    let pos = Pig::new(12);
    let exact = run(&method(Hashed(Plain), EXACT), &pos, depth(1), Wanted::All);
    let chance_options =
        ChanceOptions { enumerate: 1, samples: 3, worlds: 8, chance_depth: 0, ..EXACT };
    let truth = values::<Pig>(&exact);
    let mut sums = vec![(0.0, 0.0); truth.len()];
    let seeds = 200;
    for _ in 0..seeds {
        let report = run_seeded(
            &method(Hashed(Plain), chance_options),
            &pos,
            depth(1),
            Wanted::All,
            rng.bits(),
            1,
        );
        for (sum, (_, value)) in sums.iter_mut().zip(values::<Pig>(&report)) {
            sum.0 += number(value) / f64::from(seeds);
            if let Value::Sampled { stderr, .. } = value {
                sum.1 += stderr / f64::from(seeds);
            }
        }
    }
    for ((mean, stderr), (code, value)) in sums.iter().zip(truth) {
        // The expectation is rounded to a unit, and so is each world's.
        let doubt = 4.0 * stderr / f64::from(seeds).sqrt() + 0.6;
        assert!((mean - number(value)).abs() < doubt, "{code}: {mean}, not {value:?} +- {doubt}");
    }
}

/// More samples and worlds come nearer, also where a player decides after chance.
#[test]
fn with_many_samples_trees_are_worth_what_they_are() {
    let mut rng = Rng::new(24);
    for n in 0..40 {
        let shape = TreeShape { repeated_movers: n % 2 == 0, chance: true, levels: 4 };
        let pos: Tree<Nature> = Tree::new(random_tree(shape, &mut rng)).expect("chance");
        let face = TreeEvaluator::of(&pos);
        let chance_options =
            ChanceOptions { enumerate: 1, samples: 400, worlds: 4, chance_depth: 0, ..EXACT };
        let truth = values::<Tree<Nature>>(&run(&Minimax::new(face), &pos, depth(6), Wanted::All));
        let found = values::<Tree<Nature>>(&run(
            &method(face, chance_options),
            &pos,
            depth(6),
            Wanted::All,
        ));
        for ((_, truth), (_, found)) in truth.into_iter().zip(found) {
            let off = (number(truth) - number(found)).abs();
            assert!(off < 400.0, "tree {n}: {found:?}, not {truth:?}");
        }
    }
}

/// Star1 bounds through chance nodes: the same values for fewer leaves.
#[test]
fn star1_saves_a_third_of_the_nodes() {
    let mut rng = Rng::new(25);
    let (mut with, mut without) = (0, 0);
    for _ in 0..400 {
        let shape = TreeShape { repeated_movers: true, chance: true, levels: 8 };
        let pos: Tree<Nature> = Tree::new(random_tree(shape, &mut rng)).expect("chance");
        let face = TreeEvaluator::of(&pos);
        let count = |star1: bool| {
            let engine = method(face, EXACT);
            let options =
                Options { star1, table: TableUse::Off, deepening: false, ..engine.options };
            let engine = McAlphaBeta { options, ..engine };
            let report = run(&engine, &pos, depth(8), Wanted::One);
            (report.stats.nodes, report.lines[0].value)
        };
        let ((few, value), (many, same)) = (count(true), count(false));
        assert_eq!(value, same);
        with += few;
        without += many;
    }
    let share = f64::from(with as u32) / f64::from(without as u32);
    println!("nodes with Star1: {with}, without: {without}, {share:.3}");
    assert!(share <= 0.7, "{share}");
}

#[test]
fn a_seed_gives_one_answer() {
    let mut rng = Rng::new(26);
    let drawn =
        (40..60).find_map(|plies| support::random_position(&Genius::deal(3), plies, &mut rng));
    let pos = drawn.expect("somebody is to move before long");
    let engine = method(
        GeniusEvaluator::default(),
        ChanceOptions { worlds: 3, samples: 2, ..ChanceOptions::default() },
    );
    let budget = Budget { nodes: Some(20_000), ..Budget::default() };
    for wanted in [Wanted::All, Wanted::One] {
        let [one, other] =
            [5, 5].map(|seed| run_seeded(&engine, &pos, budget.clone(), wanted, seed, 1));
        assert_eq!(one.lines, other.lines);
        assert_eq!(one.stats.nodes, other.stats.nodes);
    }
}

/// Without hidden information and sampling nothing is an estimate; otherwise no win is called proved.
#[test]
fn estimates_are_called_so() {
    let sure = run(&method(Plain, EXACT), &Pig::new(3), depth(4), Wanted::All);
    assert!(sure.lines.iter().all(|line| line.worlds.is_empty()), "{sure:?}");
    let chance_options = ChanceOptions { enumerate: 1, samples: 2, worlds: 4, ..EXACT };
    for target in [2, 6, 12] {
        let report = run(&method(Plain, chance_options), &Pig::new(target), depth(6), Wanted::All);
        for line in &report.lines {
            let is_estimate = !line.exact && matches!(line.value, Value::Sampled { .. });
            assert!(is_estimate || line.worlds.is_empty(), "{line:?}");
            assert!(!matches!(line.value, Value::Win(_)), "{line:?}");
        }
    }
}

/// Worlds and their samples share a table without a change of value: entries of one are not taken for
/// another's.
#[test]
fn the_table_keeps_worlds_apart() {
    let chance_options = ChanceOptions { enumerate: 1, samples: 2, ..EXACT };
    let mut rng = Rng::new(47);
    let mut found = 0;
    for seed in 0..60 {
        let Some(pos) = support::random_position(&Pig::new(20), 6, &mut rng) else { continue };
        if !matches!(pos.turn(), Turn::Of(_)) {
            continue;
        }
        let asked = |table| {
            let engine = method(Hashed(Plain), chance_options);
            let options = Options { table, ..engine.options };
            let engine = McAlphaBeta { options, ..engine };
            values::<Pig>(&run_seeded(&engine, &pos, depth(5), Wanted::All, seed, 1))
        };
        assert_eq!(asked(TableUse::Private), asked(TableUse::Off), "seed {seed}");
        found += 1;
    }
    assert!(found > 20, "{found}");
}

/// Unfinished positions of the card duel.
fn duels(count: usize, seed: u64) -> Vec<Genius> {
    let mut rng = Rng::new(seed);
    let mut found = Vec::new();
    for deal in 0.. {
        if found.len() == count {
            break;
        }
        let plies = 30 + rng.below(60);
        found.extend(support::random_position(&Genius::deal_any(deal), plies, &mut rng));
    }
    found
}

/// Plain alpha-beta, without table and move ordering, finds the same values.
#[test]
fn table_and_order_change_no_value_of_a_duel() {
    let chance_options = ChanceOptions { worlds: 1, ..ChanceOptions::default() };
    for pos in duels(30, 48) {
        let asked = |table, ordering| {
            let engine = method(GeniusEvaluator::default(), chance_options);
            let options = Options { table, ordering, ..engine.options };
            let engine = McAlphaBeta { options, ..engine };
            values::<Genius>(&run(&engine, &pos, depth(3), Wanted::All))
        };
        let plain = asked(TableUse::Off, Ordering::None);
        for ordering in [Ordering::Static, Ordering::Full] {
            assert_eq!(plain, asked(TableUse::Private, ordering), "{ordering:?}");
        }
    }
}

#[test]
fn a_move_alone_has_one_world_and_a_rating_has_several() {
    let sampled = ChanceOptions::default();
    let fixed = ChanceOptions { determinization: Determinization::Fixed, ..sampled };
    let mut differ = 0;
    for pos in duels(20, 49) {
        let worlds = |chance_options, wanted| {
            let report =
                run(&method(GeniusEvaluator::default(), chance_options), &pos, depth(2), wanted);
            report.lines[0].worlds.len()
        };
        let three = ChanceOptions { worlds: 3, ..sampled };
        // Without hidden information one world is enough.
        if worlds(three, Wanted::All) == 1 {
            continue;
        }
        differ += 1;
        assert_eq!((worlds(sampled, Wanted::One), worlds(sampled, Wanted::All)), (1, 4));
        assert_eq!(worlds(sampled, Wanted::Best(2)), 4);
        assert_eq!(worlds(fixed, Wanted::All), 1);
        assert_eq!((worlds(three, Wanted::One), worlds(three, Wanted::All)), (3, 3));
    }
    assert!(differ > 5, "{differ}");
}
