//! `selective` on EasyCard, which is solved exactly: correctness of its claims, and error rates of its
//! techniques.

use std::collections::HashMap;

use bestmove::game::{Evaluator, Game, Rng, SelectiveParameters, Turn};
use bestmove::games::easycard::{EasyCard, EasyCardEvaluator};
use bestmove::games::gomoku::{self, Gomoku, GomokuEvaluator};
use bestmove::games::xiangqi::{Xiangqi, XiangqiEvaluation, XiangqiEvaluator, XiangqiRules};
use bestmove::search::alphabeta::{Options, Selective, Switches, TableUse};
use bestmove::search::{Budget, Calibration, MarginByDepth, ProbCutRow, Report, Value, Wanted};

use engine::options::{OptionKind, OptionSet, OptionValue, Settings};

use crate::forward_pruning::{positions, truth};
use crate::support::{depth, random_position, run};
use crate::{number, values};

/// Length in plies that no line of two rounds exceeds.
const FULL: u32 = 40;

/// All forward pruning off, including that by move statistics near the leaves.
const WHOLE: Switches = Switches {
    smoothing: true,
    quiescence: true,
    singular_extensions: true,
    check_extensions: true,
    killers: true,
    continuation_history: true,
    threats: true,
    correction: true,
    order_independence: true,
    ..Switches::all(false)
};

fn searching(switches: Switches) -> Selective<EasyCardEvaluator> {
    Selective { switches, ..Selective::new(EasyCardEvaluator) }
}

/// Result claimed by a report: 1, 0 or -1 for the mover.
fn claimed(report: &Report<<EasyCard as Game>::Move>) -> Option<i32> {
    match report.lines[0].value {
        Value::Win(_) => Some(1),
        Value::Loss(_) => Some(-1),
        Value::Draw => Some(0),
        _ => None,
    }
}

/// Number of positions whose move loses the result, and nodes searched. Claims must be correct.
fn errors(
    name: &str,
    all: &[EasyCard],
    method: &Selective<EasyCardEvaluator>,
    plies: u32,
    known: &mut HashMap<u64, i32>,
) -> (u32, u64) {
    let (mut wrong, mut nodes) = (0, 0);
    for pos in all {
        let Turn::Of(mover) = pos.turn() else { unreachable!("somebody is to move") };
        let report = run(method, pos, depth(plies), Wanted::One);
        let best = mover.sign() * truth(pos, known);
        let mv = report.lines[0].moves[0];
        let kept = mover.sign() * truth(&pos.after(mv), known);
        wrong += u32::from(kept < best);
        nodes += report.stats.nodes;
        let claimed = claimed(&report);
        assert!(claimed.is_none_or(|value| value == best), "{name}: {claimed:?}, not {best}");
    }
    (wrong, nodes)
}

#[test]
fn at_full_depth_results_are_true() {
    let (all, mut known) = (positions(300, 41), HashMap::new());
    let plain = Switches { order_independence: false, continuation_history: false, ..WHOLE };
    for (name, switches) in [("whole", WHOLE), ("plain", plain)] {
        let (wrong, _) = errors(name, &all, &searching(switches), FULL, &mut known);
        assert_eq!(wrong, 0, "{name}");
    }
    let everything = Switches { self_loss: true, ..Switches::default() };
    let (wrong, _) = errors("all", &all, &searching(everything), FULL, &mut known);
    assert!(wrong <= all.len() as u32 / 50, "{wrong} of {} wrong", all.len());
}

/// Far from the end an unpruned search errs, too: each technique costs few more decisions.
#[test]
fn each_technique_costs_few_decisions() {
    let (all, mut known) = (positions(300, 41), HashMap::new());
    let sets = [
        ("razor", Switches { razor: true, ..WHOLE }),
        ("self-loss", Switches { self_loss: true, ..WHOLE }),
        (
            "both, probabilistic",
            Switches { razor: true, self_loss: true, probabilistic: true, ..WHOLE },
        ),
        ("reverse futility", Switches { reverse_futility: true, ..WHOLE }),
        ("futility", Switches { futility: true, ..WHOLE }),
        ("late move reductions", Switches { late_move_reductions: true, ..WHOLE }),
        ("ProbCut", Switches { probcut: true, ..WHOLE }),
        ("all", Switches { self_loss: true, ..Switches::default() }),
    ];
    for plies in [4, 8] {
        let (few, _) = errors("whole", &all, &searching(WHOLE), plies, &mut known);
        for (name, switches) in sets {
            let (wrong, _) = errors(name, &all, &searching(switches), plies, &mut known);
            println!("depth {plies}, {name}: {wrong} of {} wrong, {few} without it", all.len());
            assert!(wrong <= few + 3, "{name}: {wrong} wrong decisions, {few} without it");
        }
    }
}

/// Each pruning shared with `mc_alphabeta` changes the search.
#[test]
fn each_switch_does_something() {
    let (all, mut known) = (positions(60, 42), HashMap::new());
    let full = Switches { self_loss: true, ..Switches::default() };
    let mut nodes = |switches| errors("a switch", &all, &searching(switches), 8, &mut known).1;
    let default = nodes(full);
    for switches in [
        Switches { razor: false, ..full },
        Switches { self_loss: false, ..full },
        Switches { probabilistic: false, ..full },
        Switches { order_independence: false, ..full },
        Switches { continuation_history: false, ..full },
    ] {
        assert_ne!(nodes(switches), default, "{switches:?}");
    }
}

/// The parameters at the least and the greatest value of one of them.
fn ends(
    usual: SelectiveParameters,
) -> impl Iterator<Item = (&'static str, [SelectiveParameters; 2])> {
    usual.specs().into_iter().map(move |spec| {
        let OptionKind::Integer { min, max, .. } = spec.kind else { unreachable!("{spec:?}") };
        let with = |value| {
            let mut parameters = usual;
            parameters.apply(&Settings::from_iter([(spec.name, OptionValue::Integer(value))]));
            parameters
        };
        (spec.name, [min, max].map(with))
    })
}

#[test]
fn claims_are_true_at_both_ends_of_every_parameter() {
    let (all, mut known) = (positions(40, 43), HashMap::new());
    for (name, ends) in ends(EasyCardEvaluator::TUNING.selective) {
        for parameters in ends {
            let method =
                Selective { parameters: Some(parameters), ..Selective::new(EasyCardEvaluator) };
            errors(name, &all, &method, 6, &mut known);
        }
    }
}

#[test]
fn each_parameter_does_something() {
    let mut rng = Rng::new(44);
    let all: Vec<Xiangqi> = (0..6)
        .filter_map(|_| random_position(&Xiangqi::start(XiangqiRules::default()), 30, &mut rng))
        .collect();
    // `history_evaluation_most` matters only where `history_evaluation` is on.
    let all_on = SelectiveParameters { history_evaluation: 100, ..SelectiveParameters::DEFAULT };
    let cutoffs = |pos: &Xiangqi, parameters| {
        let evaluator = XiangqiEvaluator::new(XiangqiEvaluation::Hand);
        let method = Selective { parameters: Some(parameters), ..Selective::new(evaluator) };
        let budget = Budget { nodes: Some(20_000), ..depth(13) };
        run(&method, pos, budget, Wanted::One).stats.cutoffs
    };
    for (name, [least, most]) in ends(all_on) {
        assert!(all.iter().any(|pos| cutoffs(pos, least) != cutoffs(pos, most)), "{name}");
    }
}

/// Move ordering and the order of root searches change no value, where nothing else depends on earlier
/// searches or their windows.
#[test]
fn what_only_orders_changes_no_value() {
    let still =
        Switches { correction: false, singular_extensions: false, quiescence: false, ..WHOLE };
    let off = Switches { order_independence: false, continuation_history: false, ..still };
    let numbers = |pos: &EasyCard, switches, plies, wanted| {
        let method = searching(switches);
        let options = Options { table: TableUse::Off, deepening: false, ..method.options };
        let report = run(&Selective { options, ..method }, pos, depth(plies), wanted);
        let values = values::<EasyCard>(&report).into_iter();
        let numbers: Vec<_> = values.map(|(code, value)| (code, number(value))).collect();
        (numbers, number(report.lines[0].value))
    };
    for pos in positions(100, 43) {
        for plies in 1..=7 {
            let plain = numbers(&pos, off, plies, Wanted::All);
            for switches in [still, Switches { continuation_history: true, ..off }] {
                let what = format!("{switches:?} at {plies}");
                assert_eq!(plain, numbers(&pos, switches, plies, Wanted::All), "{what}");
                let (_, best) = numbers(&pos, switches, plies, Wanted::One);
                assert_eq!(plain.1, best, "{what}, one move wanted");
            }
        }
    }
}

/// An evaluator without these hooks leaves the search unchanged.
#[test]
fn without_the_experts_help_nothing_is_left_out() {
    let patterns = || Selective::new(GomokuEvaluator::new(gomoku::GomokuEvaluation::Patterns));
    let (mut rng, start) = (Rng::new(44), Gomoku::new(15).expect("a size in range"));
    for _ in 0..6 {
        let pos = random_position(&start, 6, &mut rng).expect("nobody has won");
        let none = Switches {
            self_loss: false,
            probabilistic: false,
            order_independence: false,
            ..Switches::default()
        };
        let [all, plain] = [Switches::default(), none].map(|switches| {
            run(&Selective { switches, ..patterns() }, &pos, depth(5), Wanted::One)
        });
        assert_eq!(all.lines, plain.lines);
        assert_eq!(all.stats.nodes, plain.stats.nodes);
    }
}

/// Nodes of a search with this calibration over some positions.
fn nodes(all: &[EasyCard], switches: Switches, calibration: &Calibration) -> u64 {
    let method = Selective { calibration: calibration.clone(), ..searching(switches) };
    all.iter().map(|pos| run(&method, pos, depth(8), Wanted::One).stats.nodes).sum()
}

#[test]
fn what_was_measured_counts_instead_of_what_the_expert_hopes_for() {
    let all = positions(60, 45);
    let razor = Switches { razor: true, ..WHOLE };
    let with = |at_depth_1| {
        let razor_margin = Some(MarginByDepth { at_depth_1, by_ln_depth: 0.0 });
        nodes(&all, razor, &Calibration { razor_margin, ..Calibration::NOTHING })
    };
    let evaluator = nodes(&all, razor, &Calibration::NOTHING);
    assert!(with(0.0) < evaluator, "{} {evaluator}", with(0.0));
    assert!(evaluator < with(1e9), "{evaluator} {}", with(1e9));
}

#[test]
fn probcut_goes_by_what_was_measured() {
    let all = positions(60, 46);
    let cuts = Switches { probcut: true, ..WHOLE };
    let with = |a, b| {
        let pair = |deep| ProbCutRow { shallow: deep - 4, deep, a, b, sigma: 10.0 };
        let probcut = (5..=8).map(pair).collect();
        nodes(&all, cuts, &Calibration { probcut, ..Calibration::NOTHING })
    };
    let without = nodes(&all, WHOLE, &Calibration::NOTHING);
    // No value is good enough where deep searches find far less, or where shallow ones say nothing.
    assert_eq!(with(1.0, -1e8), without);
    assert_eq!(with(-1.0, 0.0), without);
    assert_ne!(with(1.0, 0.0), without);
    assert_ne!(with(1.0, 1e8), with(1.0, 0.0));
}
