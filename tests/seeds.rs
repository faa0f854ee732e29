//! docs/seeds.md, run: every request is answered as the page says, every command and test that it names exists.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use bestmove::SharedTable;
use bestmove::catalog::{Allowance, Catalog, Context};
use serde_json::Value;

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path:?}: {why}"))
}

/// A row of a table: lines of the text, claim, what to ask, answer.
struct Row {
    claim: String,
    ask: String,
    answer: String,
}

fn rows() -> Vec<Row> {
    let page = file("docs/seeds.md");
    let cells = |line: &str| -> Option<[String; 4]> {
        let cells: Vec<_> = line.trim().trim_matches('|').split(" | ").collect();
        <[&str; 4]>::try_from(cells).ok().map(|cells| cells.map(|cell| cell.trim().to_owned()))
    };
    let rows = page.lines().filter(|line| line.starts_with("| ")).filter_map(cells);
    rows.filter(|[lines, ..]| lines != "lines" && !lines.starts_with("---"))
        .map(|[_, claim, ask, answer]| Row { claim, ask, answer })
        .collect()
}

/// The parts of a cell in backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// The quoted JSON of a cell.
fn json(cell: &str) -> Option<Value> {
    quoted(cell)
        .find(|part| part.starts_with('{'))
        .map(|text| serde_json::from_str(text).unwrap_or_else(|why| panic!("{why} in {text}")))
}

/// Asserts that everything in `part` stands in `whole`.
fn assert_within(part: &Value, whole: &Value, what: &str) {
    match part {
        Value::Object(members) => {
            for (name, value) in members {
                assert_within(value, &whole[name], &format!("{what}, {name}"));
            }
        }
        value => assert_eq!(value, whole, "{what}"),
    }
}

#[test]
fn every_request_is_answered_as_the_page_says() {
    let catalog = Catalog::default();
    let mut asked = 0;
    for row in rows() {
        let Some(question) = json(&row.ask) else { continue };
        let parsed = serde_json::from_value(question.clone());
        let parsed = parsed.unwrap_or_else(|why| panic!("{why}: {question}"));
        let plan = catalog.plan(&parsed, &Allowance::unlimited(), Instant::now());
        let plan = plan.unwrap_or_else(|why| panic!("{}: {why}: {question}", row.claim));
        let answer = (plan.run)(&Context::alone(&SharedTable::new(1 << 16)));
        let answer = serde_json::to_value(&answer).expect("an answer is JSON");
        let wanted = json(&row.answer).unwrap_or_else(|| panic!("{question} has no answer"));
        assert_within(&wanted, &answer, &format!("{question}"));
        asked += 1;
    }
    assert!(asked > 40, "{asked} requests");
}

#[test]
fn every_command_and_test_that_the_page_names_exists() {
    for row in rows() {
        for part in quoted(&row.ask).chain(quoted(&row.answer)) {
            if let Some(words) = part.strip_prefix("bestmove ") {
                let named =
                    words.split(' ').take_while(|word| word.chars().all(char::is_alphabetic));
                let help =
                    Command::new(env!("CARGO_BIN_EXE_bestmove")).args(named).arg("--help").output();
                assert!(help.expect("the program starts").status.success(), "{part}");
            }
            if let Some((path, name)) = part.split_once("::")
                && path.ends_with(".rs")
            {
                assert!(file(path).contains(&format!("fn {name}()")), "{part}");
            }
            if part.ends_with(".md") || part.starts_with("benches/") {
                let path = part.split(' ').next().unwrap_or(part);
                assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists(), "{part}");
            }
        }
    }
}
