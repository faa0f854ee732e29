//! History tables are kept from question to question of a game, where the answer need not be reproducible.

use std::sync::Mutex;
use std::time::Instant;

use bestmove::catalog::{Allowance, Catalog, Context};
use bestmove::search::{KeptHistories, SharedMemory, TableEntry};
use serde_json::{Value, json};

/// What searches leave, and how often one has taken it.
#[derive(Default)]
struct Memory(Mutex<(Vec<(u64, KeptHistories)>, usize)>);

impl Memory {
    fn left_and_taken(&self) -> (usize, usize) {
        let kept = self.0.lock().expect("no panic while locked");
        (kept.0.len(), kept.1)
    }
}

impl SharedMemory for Memory {
    fn probe(&self, _: u64) -> Option<TableEntry> {
        None
    }

    fn store(&self, _: u64, _: TableEntry) {}

    fn take_histories(&self, key: u64) -> Option<KeptHistories> {
        let mut kept = self.0.lock().expect("no panic while locked");
        let place = kept.0.iter().position(|&(own, _)| own == key)?;
        kept.1 += 1;
        Some(kept.0.remove(place).1)
    }

    fn leave_histories(&self, key: u64, histories: KeptHistories) {
        self.0.lock().expect("no panic while locked").0.push((key, histories));
    }
}

/// Nodes of a search of xiangqi to depth 6.
fn nodes(memory: &Memory, more: &Value) -> u64 {
    let mut question = json!({ "game": "xiangqi", "ratings": "none", "budget": { "depth": 6 } });
    question.as_object_mut().expect("an object").extend(more.as_object().expect("one").clone());
    let question = serde_json::from_value(question).expect("a question");
    let plan = Catalog::default().plan(&question, &Allowance::unlimited(), Instant::now());
    (plan.expect("it is valid").run)(&Context::alone(memory)).stats.nodes
}

#[test]
fn the_next_question_of_a_game_has_the_histories_of_the_last() {
    let (memory, other) = (Memory::default(), Memory::default());
    nodes(&memory, &json!({ "moves": ["h2e2"] }));
    assert_eq!(memory.left_and_taken(), (1, 0));
    let next = json!({ "moves": ["h2e2", "h9g7", "h0g2"], "seed": 3 });
    assert_ne!(nodes(&memory, &next), nodes(&other, &next), "they order the moves");
    assert_eq!((memory.left_and_taken(), other.left_and_taken()), ((1, 1), (1, 0)));
    nodes(&memory, &json!({ "options": { "rules": "check_only" } }));
    assert_eq!(memory.left_and_taken(), (2, 1), "those of another game are others");
}

#[test]
fn a_reproducible_answer_neither_has_nor_leaves_histories() {
    let memory = Memory::default();
    nodes(&memory, &json!({}));
    let cold = nodes(&Memory::default(), &json!({ "reproducible": true }));
    assert_eq!(nodes(&memory, &json!({ "reproducible": true })), cold);
    assert_eq!(memory.left_and_taken(), (1, 0));
}

#[test]
fn moves_that_gained_in_evaluation_elsewhere_come_earlier() {
    let openings = [
        json!([]),
        json!(["h2e2", "h9g7", "h0g2", "i9h9", "b2d2", "b9c7"]),
        json!(["c3c4", "h9g7", "b0c2", "c9e7", "h2e2", "b9d8"]),
        json!(["h2e2", "h7e7", "h0g2", "h9g7", "i0h0", "i9i8", "h0h6", "i8d8"]),
        json!(["g3g4", "c6c5", "h0g2", "b9c7", "b0a2", "g9e7", "a0a1", "a9a8"]),
    ];
    let all = |options: Value| -> u64 {
        let question =
            |moves: &Value| json!({ "moves": moves, "options": options, "budget": { "depth": 9 } });
        openings.iter().map(|moves| nodes(&Memory::default(), &question(moves))).sum()
    };
    let (with, without) = (all(json!({ "history_evaluation": 100 })), all(json!({})));
    assert!(with * 10 < without * 9, "{with} nodes, {without} without");
}
