//! The card duel's techniques as published: error rates on EasyCard, which is solved exactly, and searches that
//! must agree where an option leaves nothing out.

use std::collections::HashMap;

use bestmove::game::{
    Chance, Evaluator, Game, Independence, Info, Outcome, Plain, PruningHints, Rng, Side, Turn,
};
use bestmove::games::easycard::{Action, EasyCard, EasyCardEvaluator};
use bestmove::games::genius::{Genius, GeniusEvaluator};
use bestmove::search::alphabeta::{
    ChanceOptions, DiceRolls, EndgamePruning, ForwardPruning, IndependenceRule, McAlphaBeta,
    OpponentChance, PruningVariants, SelfLossMargin,
};
use bestmove::search::{Value, Wanted};

use crate::forward_pruning::{positions, truth};
use crate::support::pig::{Pig, TYPICAL};
use crate::support::{depth, run, run_seeded};
use crate::{EXACT, duels, method, number, values};

const NONE: ForwardPruning = ForwardPruning::all(false);
const BOTH: ForwardPruning = ForwardPruning { razor: true, self_loss: true, ..NONE };
const INDEPENDENT: ForwardPruning = ForwardPruning { order_independence: true, ..NONE };

fn searching<E>(
    evaluator: E,
    forward_pruning: ForwardPruning,
    variants: PruningVariants,
) -> McAlphaBeta<E> {
    McAlphaBeta { forward_pruning, variants, ..McAlphaBeta::new(evaluator) }
}

/// The rules as published: tried where the evaluation and this share of R are above beta, two plies less deep,
/// again and again, and believed.
fn published(self_loss_margin: SelfLossMargin) -> PruningVariants {
    PruningVariants {
        self_loss_margin,
        self_loss_reduction: 2,
        self_loss_again_from: 2,
        self_loss_verify: false,
        endgame_pruning: EndgamePruning::Less,
        ..PruningVariants::default()
    }
}

fn skipping(independence: IndependenceRule) -> PruningVariants {
    PruningVariants { independence, ..PruningVariants::default() }
}

/// Moves that lose the result, of all positions, and nodes searched. What is claimed must be true.
fn errors(
    all: &[EasyCard],
    known: &mut HashMap<u64, i32>,
    engine: &McAlphaBeta<EasyCardEvaluator>,
    plies: u32,
) -> (u32, u64) {
    let (mut wrong, mut nodes) = (0, 0);
    for pos in all {
        let Turn::Of(mover) = pos.turn() else { unreachable!("somebody is to move") };
        let report = run(engine, pos, depth(plies), Wanted::One);
        let line = &report.lines[0];
        let best = mover.sign() * truth(pos, known);
        let kept = mover.sign() * truth(&pos.after(line.moves[0]), known);
        wrong += u32::from(kept < best);
        nodes += report.stats.nodes;
        let claimed = match line.value {
            Value::Win(_) => Some(1),
            Value::Loss(_) => Some(-1),
            Value::Draw => Some(0),
            _ => None,
        };
        assert!(claimed.is_none_or(|value| value == kept), "{line:?}, not {kept}");
    }
    (wrong, nodes)
}

#[test]
fn the_published_rules_cost_few_decisions() {
    let (mut known, all) = (HashMap::new(), positions(300, 61));
    let rules = [
        ("half margin", BOTH, published(SelfLossMargin::Half)),
        ("full margin", BOTH, published(SelfLossMargin::Full)),
        ("ordinary independence", INDEPENDENT, skipping(IndependenceRule::Ordinary)),
        ("strong independence", INDEPENDENT, skipping(IndependenceRule::Strong)),
    ];
    for plies in [3, 6, 9] {
        let plain = searching(EasyCardEvaluator, NONE, PruningVariants::default());
        let (few, _) = errors(&all, &mut known, &plain, plies);
        for (name, forward_pruning, variants) in rules {
            let engine = searching(EasyCardEvaluator, forward_pruning, variants);
            let (wrong, nodes) = errors(&all, &mut known, &engine, plies);
            println!("depth {plies}, {name}: {wrong} wrong, {few} without it, {nodes} nodes");
            assert!(wrong <= few + all.len() as u32 / 50, "{name}: {wrong}, {few} without it");
        }
    }
}

/// In the card duel the move chosen is hardly ever worse than the best of an unpruned search over the same world.
#[test]
fn in_duels_the_published_rules_choose_nearly_as_well() {
    const MUCH: f64 = 20.0;
    let variants = PruningVariants { full_plies: 1, ..published(SelfLossMargin::Full) };
    let one = ChanceOptions { worlds: 1, ..ChanceOptions::default() };
    let (mut worse, mut fewer, all) = (0, 0, duels(120, 67));
    for pos in &all {
        let asked = |forward_pruning, wanted| {
            let engine = searching(GeniusEvaluator::default(), forward_pruning, variants);
            run(&McAlphaBeta { chance_options: one, ..engine }, pos, depth(5), wanted)
        };
        let (whole, chosen) = (asked(NONE, Wanted::All), asked(BOTH, Wanted::One));
        let values = values::<Genius>(&whole).into_iter();
        let values: HashMap<_, _> = values.map(|(code, value)| (code, number(value))).collect();
        let best = values.values().copied().fold(f64::MIN, f64::max);
        let kept = values[&Genius::move_code(chosen.lines[0].moves[0])];
        worse += usize::from(kept < best - MUCH);
        fewer += usize::from(chosen.stats.nodes < asked(NONE, Wanted::One).stats.nodes);
    }
    println!("{worse} of {} worse, {fewer} with fewer nodes", all.len());
    assert!(worse <= all.len() / 20, "{worse} of {} worse", all.len());
    assert!(fewer > all.len() / 4, "{fewer} of {} shorter", all.len());
}

/// Each variant changes the search.
#[test]
fn each_variant_does_something() {
    let (mut known, all) = (HashMap::new(), positions(60, 62));
    let mut nodes = |variants| {
        let forward_pruning = ForwardPruning { order_independence: true, ..BOTH };
        errors(&all, &mut known, &searching(EasyCardEvaluator, forward_pruning, variants), 9).1
    };
    let default = PruningVariants::default();
    let usual = nodes(default);
    for variants in [
        PruningVariants { full_plies: 4, ..default },
        PruningVariants { endgame_pruning: EndgamePruning::Less, ..default },
        PruningVariants { endgame_pruning: EndgamePruning::None, ..default },
        PruningVariants { self_loss_margin: SelfLossMargin::Half, ..default },
        PruningVariants { self_loss_margin: SelfLossMargin::Full, ..default },
        PruningVariants { self_loss_reduction: 2, ..default },
        PruningVariants { self_loss_again_from: 2, ..default },
        PruningVariants { self_loss_verify: false, ..default },
        skipping(IndependenceRule::Ordinary),
    ] {
        assert_ne!(nodes(variants), usual, "{variants:?}");
    }
}

/// Without razor and self-loss down to the last ply, or in end games, values are those of the plain search.
#[test]
fn where_nothing_is_pruned_values_are_plain() {
    let whole = PruningVariants { full_plies: 64, ..published(SelfLossMargin::Full) };
    let end = PruningVariants {
        endgame_pruning: EndgamePruning::None,
        ..published(SelfLossMargin::Full)
    };
    let is_end = |pos: &&EasyCard| EasyCardEvaluator.is_endgame(pos);
    let all = positions(150, 63);
    // From an end game on, all that follows is one: rounds only pass, and hit points that a meal restores stay
    // within reach of a heavy attack in the last round alone.
    let last: Vec<_> = all.iter().filter(is_end).filter(|pos| follows(pos)).collect();
    assert!(last.len() > 20 && last.len() < all.len(), "{}", last.len());
    let asked = |pos: &EasyCard, forward_pruning, variants| {
        let engine = searching(EasyCardEvaluator, forward_pruning, variants);
        values::<EasyCard>(&run(&engine, pos, depth(6), Wanted::All))
            .into_iter()
            .map(|(code, value)| (code, number(value).clamp(-1e5, 1e5)))
            .collect::<Vec<_>>()
    };
    for (variants, set) in [(whole, all.iter().collect()), (end, last)] {
        for pos in set {
            let plain = asked(pos, NONE, PruningVariants::default());
            assert_eq!(plain, asked(pos, BOTH, variants), "{pos:?}");
        }
    }
}

/// True if no position after an end game is anything else, six plies deep.
fn follows(pos: &EasyCard) -> bool {
    fn all(pos: &EasyCard, plies: u32) -> bool {
        plies == 0
            || EasyCardEvaluator.is_endgame(pos)
                && pos.legal_moves().iter().all(|&mv| all(&pos.after(mv), plies - 1))
    }
    all(pos, 6)
}

/// The evaluator with another opinion of what is independent.
#[derive(Clone)]
struct Hinted<F>(F);

impl<F> Evaluator<EasyCard> for Hinted<F>
where
    F: Fn(&EasyCard, Action) -> Independence + Clone + Send + Sync + 'static,
{
    fn bound(&self) -> i32 {
        EasyCardEvaluator.bound()
    }

    fn evaluate(&mut self, pos: &EasyCard, mover: Side) -> i32 {
        EasyCardEvaluator.evaluate(pos, mover)
    }

    fn pruning_hints(&self) -> Option<&dyn PruningHints<EasyCard>> {
        Some(self)
    }
}

impl<F: Fn(&EasyCard, Action) -> Independence> PruningHints<EasyCard> for Hinted<F> {
    fn independence(&self, pos: &EasyCard, action: Action) -> Independence {
        (self.0)(pos, action)
    }
}

/// The hints for one side only.
fn one_sided(side: Side) -> Hinted<impl Fn(&EasyCard, Action) -> Independence + Clone> {
    Hinted(move |pos: &EasyCard, action| match pos.turn() {
        Turn::Of(mover) if mover == side => EasyCardEvaluator.independence(pos, action),
        _ => Independence::Dependent,
    })
}

/// Wrong hints, so that the rule costs something.
fn hasty(_: &EasyCard, action: Action) -> Independence {
    match action {
        Action::Meal => Independence::Ordinary,
        Action::Attack => Independence::Strong,
        _ => Independence::Dependent,
    }
}

/// Most of an evaluation in these positions; decided games count as much.
const LIMIT: i32 = 1_500;

/// Minimax by definition with the skip rule for moves of at least this independence, for the first side;
/// `after_dependent` tells who just made a dependent move.
fn by_the_rule(
    pos: &EasyCard,
    plies: u32,
    least: Independence,
    after_dependent: Option<Side>,
) -> i32 {
    let mover = match pos.turn() {
        Turn::Over(Outcome::Win(side)) => return LIMIT * side.sign(),
        Turn::Over(_) => return 0,
        Turn::Of(mover) => mover,
        Turn::Chance(never) => match never {},
    };
    if plies == 0 {
        return mover.sign() * EasyCardEvaluator.evaluate(pos, mover).clamp(-LIMIT, LIMIT);
    }
    let is_dependent = |mv: &Action| hasty(pos, *mv) < least;
    let values = pos
        .legal_moves()
        .into_iter()
        .filter(|mv| after_dependent != Some(mover) || is_dependent(mv));
    let values = values.map(|mv| {
        let next = is_dependent(&mv).then_some(mover);
        mover.sign() * by_the_rule(&pos.after(mv), plies - 1, least, next)
    });
    mover.sign() * values.max().expect("ending the round is dependent")
}

#[test]
fn the_skip_rule_leaves_out_what_its_definition_does() {
    let rules = [
        (IndependenceRule::Ordinary, Independence::Ordinary),
        (IndependenceRule::Strong, Independence::Strong),
    ];
    for (rule, least) in rules {
        let mut others = 0;
        for pos in positions(100, 66) {
            let Turn::Of(mover) = pos.turn() else { unreachable!("somebody is to move") };
            let mut moves = pos.legal_moves();
            moves.sort_by_key(|&mv| EasyCard::move_code(mv));
            for plies in 1..=6 {
                let asked = |forward_pruning| {
                    let engine = searching(Hinted(hasty), forward_pruning, skipping(rule));
                    let report = run(&engine, &pos, depth(plies), Wanted::All);
                    let limit = |(_, value)| (number(value) as i32).clamp(-LIMIT, LIMIT);
                    values::<EasyCard>(&report).into_iter().map(limit).collect::<Vec<_>>()
                };
                let value = |&mv: &Action| {
                    mover.sign() * by_the_rule(&pos.after(mv), plies - 1, least, None)
                };
                let truth: Vec<_> = moves.iter().map(value).collect();
                assert_eq!(asked(INDEPENDENT), truth, "{rule:?}, {pos:?}, {plies} plies");
                others += usize::from(asked(NONE) != truth);
            }
        }
        assert!(others > 0, "{rule:?} changes no value");
    }
}

/// A side that skips moves has fewer lines, so that none of its values gets better, and the opponent's never
/// worse.
#[test]
fn skipping_brings_nothing_to_the_side_that_skips() {
    let (mut fewer, mut same) = (0, 0);
    for pos in positions(200, 64) {
        let Turn::Of(mover) = pos.turn() else { unreachable!("somebody is to move") };
        for (side, plies) in [(mover, 5), (mover.other(), 5), (mover, 8)] {
            let asked = |variants| {
                let engine = searching(one_sided(side), INDEPENDENT, variants);
                run(&engine, &pos, depth(plies), Wanted::All)
            };
            let (with, without) =
                (asked(skipping(IndependenceRule::Ordinary)), asked(PruningVariants::default()));
            fewer += i64::from(with.stats.nodes < without.stats.nodes);
            let pairs = values::<EasyCard>(&with).into_iter().zip(values::<EasyCard>(&without));
            for ((code, with), (_, without)) in pairs {
                // A loss that skipping leaves unproved is as bad as an evaluation can be.
                let limit = |value| number(value).clamp(-f64::from(LIMIT), f64::from(LIMIT));
                let gain = limit(with) - limit(without);
                let gain = if side == mover { gain } else { -gain };
                assert!(gain <= 0.0, "{pos:?}, {code}: {with:?}, {without:?} without skipping");
                same += i64::from(gain == 0.0);
            }
        }
    }
    assert!(fewer > 100, "{fewer} searches were shorter");
    assert!(same > 1_000, "{same} values are the same");
}

/// Values of all moves by a seed.
fn seeded<G: Game, E: Evaluator<G>>(
    evaluator: E,
    chance_options: ChanceOptions,
    pos: &G,
    plies: u32,
    seed: u64,
) -> Vec<(u16, f64)> {
    let engine = method(evaluator, chance_options);
    let report = run_seeded(&engine, pos, depth(plies), Wanted::All, seed, 1);
    values::<G>(&report).into_iter().map(|(code, value)| (code, number(value))).collect()
}

/// The mover's rolls are enumerated, the opponent's guessed: no seed changes anything, unlike where both are
/// sampled.
#[test]
fn guesses_for_the_opponent_depend_on_no_seed() {
    let fixed = ChanceOptions { opponent_chance: OpponentChance::Fixed, ..EXACT };
    let sampled = ChanceOptions { enumerate: 0, worlds: 1, ..EXACT };
    let (mut differ, mut guessed) = (0, 0);
    for target in [6, 9, 12] {
        let mut pos = Pig::new(target);
        pos.total = 3;
        let plain = seeded(Plain, EXACT, &pos, 4, 0);
        let own = seeded(Plain, EXACT, &pos, 1, 0);
        assert_eq!(seeded(Plain, fixed, &pos, 1, 0), own, "only the mover has rolled");
        let first = seeded(Plain, fixed, &pos, 4, 0);
        guessed += usize::from(first != plain);
        let luck = seeded(Plain, sampled, &pos, 4, 0);
        for seed in 1..20 {
            assert_eq!(seeded(Plain, fixed, &pos, 4, seed), first, "seed {seed}");
            differ += usize::from(seeded(Plain, sampled, &pos, 4, seed) != luck);
        }
    }
    assert!(differ > 0 && guessed > 0, "{differ} {guessed}");
}

/// In the card duel the guess includes the hand: where the mover neither draws nor rolls, no seed counts.
#[test]
fn a_duel_against_a_guess_depends_on_no_seed() {
    let sampled = ChanceOptions::default();
    let fixed = ChanceOptions { opponent_chance: OpponentChance::Fixed, ..sampled };
    let (mut same, mut differ) = (0, 0);
    for pos in duels(25, 65) {
        let Turn::Of(mover) = pos.turn() else { continue };
        // What the mover sees: the order of no deck.
        let pos = <Genius as Game>::Info::world(&pos, mover, &mut Rng::new(1));
        let moves = pos.legal_moves().into_iter();
        let sure: Vec<_> = moves
            .filter(|&mv| !meets_own_chance(&pos.after(mv), mover, 1))
            .map(Genius::move_code)
            .collect();
        let asked = |chance_options, seed| {
            let mut values = seeded(GeniusEvaluator::default(), chance_options, &pos, 2, seed);
            values.retain(|(code, _)| sure.contains(code));
            values
        };
        let (first, luck) = (asked(fixed, 0), asked(sampled, 0));
        for seed in 1..4 {
            assert_eq!(asked(fixed, seed), first, "seed {seed}");
            differ += usize::from(asked(sampled, seed) != luck);
        }
        same += first.len();
    }
    assert!(same > 100 && differ > 5, "{same} values, {differ} others");
}

fn meets_own_chance(pos: &Genius, mover: Side, plies: u32) -> bool {
    match pos.turn() {
        Turn::Chance(event) if event.side(pos) == Some(mover) => true,
        Turn::Chance(event) => {
            let mut outcomes = Vec::new();
            event.outcomes(pos, &mut outcomes);
            meets_own_chance(&pos.after(outcomes[0].0), mover, plies)
        }
        Turn::Of(_) if plies > 0 => pos
            .legal_moves()
            .into_iter()
            .any(|mv| meets_own_chance(&pos.after(mv), mover, plies - 1)),
        _ => false,
    }
}

/// Minimax for the first side of Pig in which every roll is the typical one: 1, 0 or -1.
fn without_luck(pos: &Pig, plies: u32) -> i32 {
    match pos.turn() {
        Turn::Over(Outcome::Win(side)) => side.sign(),
        Turn::Over(_) => 0,
        Turn::Chance(_) => without_luck(&pos.after(TYPICAL), plies),
        Turn::Of(_) if plies == 0 => 0,
        Turn::Of(side) => {
            let values = pos.legal_moves().into_iter();
            let values = values.map(|mv| side.sign() * without_luck(&pos.after(mv), plies - 1));
            side.sign() * values.max().expect("two moves")
        }
    }
}

/// With typical rolls the search is that of a game without dice, in which rolls cost no depth.
#[test]
fn a_typical_roll_stands_for_all() {
    for enumerate in [0, 12] {
        let expected =
            ChanceOptions { enumerate, chance_depth: 1, dice: DiceRolls::Expected, ..EXACT };
        for target in [4, 8, 11, 16] {
            let pos = Pig::new(target);
            for plies in 1..=7 {
                let found = seeded(Plain, expected, &pos, plies, 3);
                let mut moves = pos.legal_moves();
                moves.sort_by_key(|&mv| Pig::move_code(mv));
                for (mv, (_, value)) in moves.into_iter().zip(found) {
                    let truth = without_luck(&pos.after(mv), plies - 1);
                    let sign = if value.abs() < 0.5 { 0 } else { value.signum() as i32 };
                    assert_eq!(sign, truth, "{mv:?} at {target}, {plies} plies: {value}");
                }
            }
        }
    }
}
