//! Forward pruning: techniques that change no value, and error rates of the others on EasyCard, which is
//! solved exactly.

use std::collections::HashMap;

use bestmove::game::{Chance, Evaluator, Game, Outcome, Plain, PruningHints, Rng, Side, Turn};
use bestmove::games::easycard::{self, EasyCard, EasyCardSetup, Hand};
use bestmove::games::genius::{self, Genius};
use bestmove::search::alphabeta::{ForwardPruning, McAlphaBeta};
use bestmove::search::{Value, Wanted};

use crate::support::{Hashed, depth, random_position, run};
use crate::{number, values};

/// Undecided positions of EasyCard with at most two rounds to go; they come from few starts, so that one
/// table holds the truth about all.
pub(crate) fn positions(count: usize, seed: u64) -> Vec<EasyCard> {
    let mut rng = Rng::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let hand = Hand { focus: 1, coin: 1, meal: 1 };
        let setup = EasyCardSetup { hp: 4 + 2 * rng.below(2) as u8, rounds: 2, hand };
        let plies = rng.below(12);
        let pos = random_position(&EasyCard::new(setup), plies, &mut rng);
        found.extend(pos.filter(|pos| pos.legal_moves().len() > 1));
    }
    found
}

/// Result for the first side with best play, 1, 0 or -1: minimax by definition, memoised.
pub(crate) fn truth(pos: &EasyCard, known: &mut HashMap<u64, i32>) -> i32 {
    let mover = match pos.turn() {
        Turn::Over(Outcome::Win(side)) => return side.sign(),
        Turn::Over(_) => return 0,
        Turn::Of(mover) => mover,
        Turn::Chance(never) => match never {},
    };
    if let Some(&value) = known.get(&pos.hash()) {
        return value;
    }
    let values: Vec<_> = pos.legal_moves().iter().map(|&mv| truth(&pos.after(mv), known)).collect();
    let best = match mover {
        Side::First => values.into_iter().max(),
        Side::Second => values.into_iter().min(),
    };
    let value = best.expect("who is to move has a move");
    known.insert(pos.hash(), value);
    value
}

fn searching<E>(evaluator: E, forward_pruning: ForwardPruning) -> McAlphaBeta<E> {
    McAlphaBeta { forward_pruning, ..McAlphaBeta::new(evaluator) }
}

fn alone() -> [(&'static str, ForwardPruning); 7] {
    let none = ForwardPruning::all(false);
    let two = ForwardPruning { razor: true, self_loss: true, ..none };
    [
        ("nothing", none),
        ("razor", ForwardPruning { razor: true, ..none }),
        ("self_loss", ForwardPruning { self_loss: true, ..none }),
        ("both", two),
        ("both, probabilistic", ForwardPruning { probabilistic: true, ..two }),
        ("order_independence", ForwardPruning { order_independence: true, ..none }),
        ("all", ForwardPruning::all(true)),
    ]
}

/// Moves that lose the result, and false proofs, by depth and switch, with the nodes searched.
#[test]
fn what_is_left_out_costs_few_decisions() {
    let (mut known, all) = (HashMap::new(), positions(400, 31));
    for plies in [3, 6, 9] {
        let mut plain = None;
        for (name, forward_pruning) in alone() {
            let (mut wrong, mut nodes) = (0, 0);
            for pos in &all {
                let Turn::Of(mover) = pos.turn() else { unreachable!("somebody is to move") };
                let engine = searching(easycard::EasyCardEvaluator, forward_pruning);
                let report = run(&engine, pos, depth(plies), Wanted::One);
                let best = mover.sign() * truth(pos, &mut known);
                let line = &report.lines[0];
                let kept = mover.sign() * truth(&pos.after(line.moves[0]), &mut known);
                wrong += u32::from(kept < best);
                nodes += report.stats.nodes;
                let claimed = match line.value {
                    Value::Win(_) => Some(1),
                    Value::Loss(_) => Some(-1),
                    Value::Draw => Some(0),
                    _ => None,
                };
                assert!(claimed.is_none_or(|value| value == kept), "{name}: {line:?}, not {kept}");
            }
            let (few, many) = *plain.get_or_insert((wrong, nodes));
            let share = nodes as f64 / many as f64;
            println!(
                "depth {plies}, {name}: {wrong} of {} wrong, {nodes} nodes ({share:.2})",
                all.len()
            );
            assert!(wrong <= few + 2, "{name}: {wrong} wrong decisions, {few} without it");
        }
    }
}

/// Move ordering and the order of root searches change no value. A certain draw may be found later where
/// moves are skipped.
#[test]
fn what_only_orders_changes_no_value() {
    let kinds = [
        ForwardPruning { order_independence: true, ..ForwardPruning::all(false) },
        ForwardPruning { continuation: true, ..ForwardPruning::all(false) },
        ForwardPruning {
            order_independence: true,
            continuation: true,
            ..ForwardPruning::all(false)
        },
    ];
    let numbers = |pos: &EasyCard, forward_pruning, plies, wanted| {
        let report = run(
            &searching(easycard::EasyCardEvaluator, forward_pruning),
            pos,
            depth(plies),
            wanted,
        );
        let values = values::<EasyCard>(&report).into_iter();
        let numbers: Vec<_> = values.map(|(code, value)| (code, number(value))).collect();
        (numbers, number(report.lines[0].value))
    };
    for pos in positions(200, 32) {
        for plies in 1..=6 {
            let plain = numbers(&pos, ForwardPruning::all(false), plies, Wanted::All);
            for forward_pruning in kinds {
                let what = format!("{forward_pruning:?} at {plies}");
                assert_eq!(plain, numbers(&pos, forward_pruning, plies, Wanted::All), "{what}");
                let (_, best) = numbers(&pos, forward_pruning, plies, Wanted::One);
                assert_eq!(plain.1, best, "{what}, one move wanted");
            }
        }
    }
}

/// Asserts that pairs of moves called independent by an evaluator lead to one position in either order, and
/// that the mover moves in between.
fn check_commuting<G: Game, E: PruningHints<G>>(evaluator: &E, pos: &G) -> usize {
    let mut checked = 0;
    let turn = pos.turn();
    let all = pos.legal_moves();
    for &a in &all {
        for &b in all.iter().filter(|&&b| b != a && evaluator.commutes(pos, a, b)) {
            let [first, second] = [a, b].map(|mv| pos.after(mv));
            assert_eq!([first.turn(), second.turn()], [turn, turn], "{a:?} {b:?} pass the turn");
            if first.legal_moves().contains(&b) && second.legal_moves().contains(&a) {
                assert_eq!(first.after(b).hash(), second.after(a).hash(), "{a:?} {b:?}");
                checked += 1;
            }
        }
    }
    checked
}

#[test]
fn independent_moves_commute() {
    let mut checked = 0;
    for pos in positions(300, 33) {
        checked += check_commuting(&easycard::EasyCardEvaluator, &pos);
    }
    assert!(checked > 300, "{checked}");
    let mut rng = Rng::new(34);
    let mut checked = 0;
    for seed in 0..400 {
        let plies = 20 + rng.below(80);
        if let Some(pos) = random_position(&Genius::deal(seed), plies, &mut rng) {
            checked += check_commuting(&genius::GeniusEvaluator::default(), &pos);
        }
    }
    assert!(checked > 1_000, "{checked}");
}

/// Giving up a resource makes the position worse for the mover and does not end the turn.
#[test]
fn a_handicap_is_worse() {
    fn check<G: Game, E: Evaluator<G> + PruningHints<G>>(evaluator: &E, pos: &G) -> usize {
        let Turn::Of(mover) = pos.turn() else { return 0 };
        let Some(handicap) = evaluator.handicap(pos, mover) else { return 0 };
        assert_eq!(handicap.turn(), Turn::Of(mover));
        let worth = |pos: &G| evaluator.clone().evaluate(pos, mover);
        assert!(worth(&handicap) < worth(pos));
        1
    }
    let count = positions(300, 35)
        .iter()
        .map(|pos| check(&easycard::EasyCardEvaluator, pos))
        .sum::<usize>();
    assert!(count > 100, "{count}");
    let mut rng = Rng::new(36);
    let drawn = (0..200).filter_map(|seed| random_position(&Genius::deal(seed), 40, &mut rng));
    let count = drawn.map(|pos| check(&genius::GeniusEvaluator::default(), &pos)).sum::<usize>();
    assert!(count > 50, "{count}");
}

/// An evaluator without these hooks leaves the search unchanged.
#[test]
fn without_the_experts_help_nothing_is_left_out() {
    for pos in positions(60, 37) {
        let [plain, all] =
            [ForwardPruning::all(false), ForwardPruning::all(true)].map(|forward_pruning| {
                run(&searching(Hashed(Plain), forward_pruning), &pos, depth(5), Wanted::All)
            });
        assert_eq!(values::<EasyCard>(&plain), values::<EasyCard>(&all));
        assert_eq!(plain.stats.nodes, all.stats.nodes);
    }
}

/// A canonical outcome is an outcome itself, represents itself, and has a successor of the same value.
#[test]
fn what_stands_for_another_is_as_good() {
    let (mut rng, mut merged) = (Rng::new(38), 0);
    let evaluator = genius::GeniusEvaluator::default();
    for seed in 0..300 {
        let mut pos = Genius::deal(seed);
        for _ in 0..20 + rng.below(60) {
            let mv = match pos.turn() {
                Turn::Over(_) => break,
                Turn::Chance(luck) => luck.sample(&pos, &mut rng),
                Turn::Of(_) => pos.random_move(&mut rng, &mut Vec::new()).expect("a move"),
            };
            pos.play(mv);
        }
        let Turn::Chance(luck) = pos.turn() else { continue };
        let mut outcomes = Vec::new();
        luck.outcomes(&pos, &mut outcomes);
        for &(mv, p) in &outcomes {
            let other = evaluator.canonical_outcome(&pos, mv);
            assert!(outcomes.contains(&(other, p)), "{other:?} stands for {mv:?}");
            assert_eq!(evaluator.canonical_outcome(&pos, other), other);
            let [one, same] = [mv, other].map(|mv| pos.after(mv));
            if mv != other && matches!(one.turn(), Turn::Of(_)) {
                let worth = |pos: &Genius| {
                    let report = run(
                        &searching(evaluator, ForwardPruning::all(false)),
                        pos,
                        depth(2),
                        Wanted::One,
                    );
                    number(report.lines[0].value)
                };
                assert_eq!(worth(&one), worth(&same), "{mv:?} and {other:?}");
                merged += 1;
            }
        }
    }
    assert!(merged > 30, "{merged}");
}

/// Positions of self-play games by a short search from these starts, some of each game.
fn played<G: Game, E: Evaluator<G>>(starts: &[G], evaluator: &E, rng: &mut Rng) -> Vec<G> {
    let mut met = Vec::new();
    for start in starts {
        let mut pos = start.clone();
        loop {
            let mv = match pos.turn() {
                Turn::Over(_) => break,
                Turn::Chance(luck) => luck.sample(&pos, rng),
                Turn::Of(_) => {
                    if pos.legal_moves().len() > 1 && rng.below(6) == 0 {
                        met.push(pos.clone());
                    }
                    let report = run(
                        &searching(evaluator.clone(), ForwardPruning::all(false)),
                        &pos,
                        depth(2),
                        Wanted::One,
                    );
                    report.lines[0].moves[0]
                }
            };
            pos.play(mv);
        }
    }
    met
}

/// R promises that a search exceeds it in one position of ten: on positions that R was not measured on, at
/// most half as many again do.
fn check_razor_margin<G: Game, E: Evaluator<G> + PruningHints<G>>(
    name: &str,
    held_out: &[G],
    evaluator: &E,
    deepest: u32,
) {
    for plies in 1..=deepest {
        let (mut more, mut count) = (0, 0);
        for pos in held_out {
            let Turn::Of(mover) = pos.turn() else { unreachable!("somebody is to move") };
            let mut judge = evaluator.clone();
            judge.enter(pos);
            let stands = f64::from(judge.evaluate(pos, mover));
            let razor_margin = f64::from(evaluator.razor_margin(plies).expect("it was measured"));
            let report = run(
                &searching(evaluator.clone(), ForwardPruning::all(false)),
                pos,
                depth(plies),
                Wanted::One,
            );
            if let Value::Heuristic(found) | Value::Sampled { mean: found, .. } =
                report.lines[0].value
            {
                count += 1;
                more += u32::from(found - stands > razor_margin);
            }
        }
        let share = f64::from(more) / f64::from(count);
        println!("{name}, depth {plies}: {more} of {count} ({share:.3}) find more than hoped for");
        assert!(count > 100, "{name}, depth {plies}: {count} positions");
        assert!(share <= 0.15, "{name}, depth {plies}: {more} of {count} find more");
    }
}

#[test]
fn searches_find_what_they_may_hope_for() {
    let mut rng = Rng::new(39);
    let evaluator = genius::GeniusEvaluator::default();
    let deals: Vec<_> = (9_000..9_016).map(Genius::deal).collect();
    check_razor_margin("genius", &played(&deals, &evaluator, &mut rng), &evaluator, 4);
    let hand = Hand { focus: 1, coin: 1, meal: 1 };
    let starts: Vec<_> = (0..40)
        .filter_map(|_| {
            let start = EasyCard::new(EasyCardSetup { hp: 10, rounds: 4, hand });
            random_position(&start, rng.below(8), &mut rng)
        })
        .collect();
    check_razor_margin(
        "easycard",
        &played(&starts, &easycard::EasyCardEvaluator, &mut rng),
        &easycard::EasyCardEvaluator,
        6,
    );
}

/// Evaluator that considers everything lost without a resource.
#[derive(Clone)]
struct Fearful {
    evaluator: easycard::EasyCardEvaluator,
    /// Games that each side has lost.
    lost: [EasyCard; 2],
}

impl Evaluator<EasyCard> for Fearful {
    fn bound(&self) -> i32 {
        self.evaluator.bound()
    }

    fn evaluate(&mut self, pos: &EasyCard, mover: Side) -> i32 {
        self.evaluator.evaluate(pos, mover)
    }

    fn pruning_hints(&self) -> Option<&dyn PruningHints<EasyCard>> {
        Some(self)
    }
}

impl PruningHints<EasyCard> for Fearful {
    fn razor_margin(&self, depth: u32) -> Option<i32> {
        self.evaluator.razor_margin(depth)
    }

    fn handicap(&self, _: &EasyCard, mover: Side) -> Option<EasyCard> {
        Some(self.lost[mover.index()])
    }
}

/// A side lost without a resource is not good enough without it: trying costs nodes, and nothing else.
#[test]
fn self_loss_cuts_only_what_a_search_confirms() {
    let mut rng = Rng::new(35);
    let mut lost = |loser: Side| {
        let hand = Hand { focus: 1, coin: 1, meal: 1 };
        loop {
            let mut pos = EasyCard::new(EasyCardSetup { hp: 4, rounds: 2, hand });
            while let Some(mv) = pos.random_move(&mut rng, &mut Vec::new()) {
                pos.play(mv);
            }
            if pos.turn() == Turn::Over(Outcome::Win(loser.other())) {
                return pos;
            }
        }
    };
    let evaluator =
        Fearful { evaluator: easycard::EasyCardEvaluator, lost: Side::BOTH.map(&mut lost) };
    let (mut tried, mut plain) = (0, 0);
    for pos in positions(100, 36) {
        for plies in 3..=6 {
            let asked = |self_loss| {
                let forward_pruning = ForwardPruning { self_loss, ..ForwardPruning::all(false) };
                run(&searching(evaluator.clone(), forward_pruning), &pos, depth(plies), Wanted::All)
            };
            let [with, without] = [true, false].map(asked);
            assert_eq!(values::<EasyCard>(&with), values::<EasyCard>(&without), "{plies} plies");
            tried += with.stats.nodes;
            plain += without.stats.nodes;
        }
    }
    assert!(tried > plain, "nothing was tried in {plain} nodes");
}

/// Evaluator that proposes the first move only.
#[derive(Clone)]
struct Careless;

impl Evaluator<EasyCard> for Careless {
    fn bound(&self) -> i32 {
        easycard::EasyCardEvaluator.bound()
    }

    fn evaluate(&mut self, pos: &EasyCard, mover: Side) -> i32 {
        easycard::EasyCardEvaluator.evaluate(pos, mover)
    }

    fn pruning_hints(&self) -> Option<&dyn PruningHints<EasyCard>> {
        Some(self)
    }
}

impl PruningHints<EasyCard> for Careless {
    fn remove_dominated(
        &self,
        _: &EasyCard,
        _: Side,
        moves: &mut Vec<<EasyCard as Game>::Move>,
        start: usize,
    ) -> bool {
        let all = moves.len();
        moves.truncate(start + 1);
        moves.len() < all
    }
}

/// Unsearched moves prove nothing: every certain claim is true, however bad the remaining moves.
#[test]
fn what_outdone_moves_would_show_is_not_claimed() {
    let (mut known, mut unsure) = (HashMap::new(), 0);
    for pos in positions(200, 41) {
        let Turn::Of(mover) = pos.turn() else { unreachable!("somebody is to move") };
        let asked = |dominance| {
            let forward_pruning = ForwardPruning { dominance, ..ForwardPruning::all(false) };
            run(&searching(Careless, forward_pruning), &pos, depth(40), Wanted::All)
        };
        let [with, without] = [true, false].map(asked);
        unsure += with.lines.iter().filter(|line| !line.exact).count();
        for (line, mv) in with.lines.iter().map(|line| (line, line.moves[0])) {
            let claimed = match line.value {
                Value::Win(_) => 1,
                Value::Loss(_) => -1,
                Value::Draw => 0,
                _ => continue,
            };
            assert_eq!(claimed, mover.sign() * truth(&pos.after(mv), &mut known), "{line:?}");
        }
        assert!(without.lines.iter().all(|line| line.exact), "{without:?}");
    }
    assert!(unsure > 0, "nothing was left out");
}
