//! No method uses information hidden from its side.

use bestmove::game::{Game, Plain, Rng};
use bestmove::search::alphabeta::{ChanceOptions, McAlphaBeta};
use bestmove::search::montecarlo::{FlatMonteCarlo, FlatOptions, Random};
use bestmove::search::tree_search::{PuctOptions, TreeOptions, TreeSearch};
use bestmove::search::{Algorithm, PlayoutStyle, Value, Wanted};

use crate::ask;
use crate::secret::{Act, NUMBERS, Secret};
use crate::support::{depth, run};

const WORLDS: usize = 24;

fn trees() -> [TreeSearch<Plain>; 3] {
    let puct = TreeOptions::puct(PuctOptions::default());
    [TreeOptions::uct(), TreeOptions::mcts(), puct].map(|options| TreeSearch {
        evaluator: Plain,
        options: TreeOptions { worlds: WORLDS as u32, ..options },
    })
}

fn flat() -> FlatMonteCarlo<Plain> {
    FlatMonteCarlo {
        evaluator: Plain,
        playout: PlayoutStyle::Random.into(),
        options: FlatOptions { worlds: WORLDS as u32 },
    }
}

/// Positions indistinguishable to the first player, at the start and after asking.
fn alike() -> Vec<Vec<Secret>> {
    let all = || (0..NUMBERS).map(Secret::new);
    let denied = |number: u8| {
        all()
            .filter(|pos| pos.hidden != number)
            .map(|pos| pos.after(Act::Ask).after(Act::Deny(number)))
            .collect()
    };
    [all().collect()].into_iter().chain((0..NUMBERS).map(denied)).collect()
}

fn check_blind(method: &impl Algorithm<Secret>, what: &str) {
    for positions in alike() {
        let lines: Vec<_> =
            positions.iter().map(|pos| ask(method, pos, 4_800, Wanted::All, 11, 1).lines).collect();
        for other in &lines[1..] {
            assert_eq!(&lines[0], other, "{what} knows what is hidden");
        }
    }
}

#[test]
fn the_answer_does_not_depend_on_what_is_hidden() {
    for method in trees() {
        check_blind(&method, &format!("{:?}", method.options));
    }
    check_blind(&flat(), "flat Monte Carlo");
    check_blind(&Random, "chance");
}

fn searching() -> McAlphaBeta<Plain> {
    let chance_options = ChanceOptions { worlds: WORLDS as u32, ..ChanceOptions::default() };
    McAlphaBeta { chance_options, ..McAlphaBeta::new(Plain) }
}

/// Alpha-beta over determinizations sees the hidden number in each world, and so takes a guess after asking
/// for a sure thing: its value is no more than the mean over the worlds.
#[test]
fn alphabeta_over_worlds_does_not_know_what_is_hidden() {
    for positions in alike() {
        let answers: Vec<_> = positions
            .iter()
            .map(|pos| run(&searching(), pos, depth(3), Wanted::All).lines)
            .collect();
        assert!(answers.iter().all(|lines| *lines == answers[0]), "{answers:?}");
        for line in &answers[0] {
            let is_estimate = matches!(line.value, Value::Sampled { .. });
            assert!(is_estimate && !line.exact && line.worlds.len() == WORLDS, "{line:?}");
        }
    }
    let report = run(&searching(), &Secret::new(1), depth(3), Wanted::All);
    assert_eq!(report.lines[0].moves[0], Act::Ask);
}

#[test]
fn who_cannot_see_asks_before_he_guesses() {
    let pos = Secret::new(1);
    for method in trees() {
        let report = ask(&method, &pos, 4_800, Wanted::All, 12, 1);
        assert_eq!(report.lines[0].moves[0], Act::Ask, "{:?}", method.options);
    }
    let report = ask(&flat(), &pos, 4_800, Wanted::All, 12, 1);
    assert_eq!(report.lines[0].moves[0], Act::Ask);
}

#[test]
fn a_guess_is_as_good_as_the_worlds_say() {
    // The worlds of a seed are even enough for each guess to be right in about a third.
    let report = ask(&flat(), &Secret::new(0), 48_000, Wanted::All, 13, 1);
    for line in report.lines.iter().filter(|line| line.moves[0] != Act::Ask) {
        let right = crate::expected(line.value);
        assert!((0.1..0.6).contains(&right), "{:?} is right in {right}", line.moves);
    }
}

#[test]
fn nothing_proved_in_one_world_is_called_a_proof() {
    let report = ask(&trees()[0], &Secret::new(2), 4_800, Wanted::All, 14, 1);
    for line in report.lines.iter().filter(|line| line.moves[0] != Act::Ask) {
        assert!(!line.exact, "{:?} is not decided", line.moves);
    }
}

#[test]
fn the_side_that_sees_everything_searches_the_world_it_sees() {
    let mut rng = Rng::new(15);
    for hidden in 0..NUMBERS {
        let pos = Secret::new(hidden).after(Act::Ask);
        let world = <<Secret as Game>::Info as bestmove::game::Info<Secret>>::world(
            &pos,
            bestmove::game::Side::Second,
            &mut rng,
        );
        assert_eq!(world, pos);
        for method in trees() {
            let report = ask(&method, &pos, 2_400, Wanted::All, 16, 1);
            assert_eq!(report.lines.len(), 2, "a number that is not his");
        }
    }
}
