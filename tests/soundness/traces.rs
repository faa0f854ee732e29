//! A trace is the tree that was searched: folded up it has the counters and the value of its answer.

use bestmove::catalog::answer::Answer;
use bestmove::catalog::trace::{DecidedBy, TraceVisit};
use bestmove::game::Rng;
use serde_json::{Map, json};

use crate::questions::{random, with};
use crate::{Service, setting};

fn fold(answer: &Answer, what: &str) {
    let trace = answer.trace.as_ref().expect("a trace was asked for");
    let sum = |count: fn(&TraceVisit) -> u64| trace.iter().map(count).sum::<u64>();
    assert_eq!(sum(|visit| visit.nodes), answer.stats.nodes, "{what}");
    assert_eq!(sum(|visit| visit.cutoffs), answer.stats.cutoffs, "{what}: cutoffs");
    assert_eq!(sum(|visit| visit.table_hits), answer.stats.table_hits, "{what}: table hits");
    let mut children = vec![Vec::new(); trace.len()];
    for visit in trace {
        if let Some(parent) = visit.parent {
            assert!(trace[parent as usize].ply < visit.ply || visit.mv.is_none(), "{what}");
            children[parent as usize].push(&visit.score);
        }
    }
    for (visit, below) in trace.iter().zip(&children) {
        if matches!(visit.event, Some(DecidedBy::Evaluated | DecidedBy::Table)) {
            assert!(below.is_empty(), "{what}: {visit:?} has children");
        }
    }
}

/// In a textbook search every node has the value of a child.
fn fold_values(answer: &Answer, what: &str) {
    let trace = answer.trace.as_ref().expect("a trace was asked for");
    for (index, visit) in (0..).zip(trace) {
        let mut below = trace.iter().filter(|other| other.parent == Some(index)).peekable();
        if below.peek().is_some() && visit.score.is_some() {
            assert!(below.any(|other| other.score == visit.score), "{what}: {visit:?}");
        }
    }
}

#[test]
fn a_trace_folds_up_to_its_answer() {
    let service = Service::new();
    let mut rng = Rng::new(setting("BESTMOVE_SEED", 4));
    let (mut traced, wanted) = (0, setting("BESTMOVE_TRACES", 1_000));
    while traced < wanted {
        let (setup, question) = random(&service, &mut rng);
        let info = service.catalog.game(setup.game).expect("it is known").describe();
        let methods = service.catalog.algorithms();
        let able =
            |name: &&'static str| methods.iter().any(|info| info.name == *name && info.traces);
        let able: Vec<_> = info.algorithms.iter().copied().filter(able).collect();
        let method = able[rng.below(able.len())];
        let ratings = ["all", "none"][rng.below(2)];
        let members = json!({
            "algorithm": method, "trace": true, "ratings": ratings,
            "budget": { "depth": 1 + rng.below(4), "nodes": 20 << rng.below(6) },
        });
        let mut options = Map::new();
        if ["minimax", "negamax"].contains(&method) {
            let words = ["none", "both", "alpha", "beta"];
            options.insert("pruning".into(), json!(words[rng.below(4)]));
        }
        let asked = with(&question, &members, &options);
        let answer = service.ask(&asked, rng.below(2) == 0);
        fold(&answer, &asked.to_string());
        if !options.is_empty() && info.name != "gomoku_swap2" && info.name != "gomoku" {
            fold_values(&answer, &asked.to_string());
        }
        traced += 1;
    }
}
