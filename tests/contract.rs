//! Documentation of the service agrees with the code: the OpenAPI file, the README's table, the list of
//! settings, and the needs of each method.

use std::path::Path;
use std::process::Command;

use bestmove::catalog::Catalog;
use bestmove::catalog::info::Language;
use bestmove::http::openapi;

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path:?}: {why}"))
}

#[test]
fn the_committed_contract_is_that_of_the_code() {
    assert!(
        file("openapi.yaml") == openapi::yaml(),
        "openapi.yaml is out of date; write it anew with `bestmove openapi > openapi.yaml`"
    );
}

#[test]
fn what_is_offered_is_what_is_possible() {
    for game in Catalog::default().games() {
        let info = game.describe();
        let has = game.capabilities();
        for method in bestmove::catalog::methods::METHODS.iter() {
            let offered = info.algorithms.contains(&method.name);
            assert_eq!(offered, has.cover(method.needs), "{} for {}", method.name, info.name);
        }
        assert!(info.algorithms.contains(&info.default_algorithm));
        // Clients are told from the same types by another path. A tree may have chance.
        assert_eq!(has.no_chance, !info.chance || info.name == "tree", "{}", info.name);
        assert_eq!(has.open, !info.hidden, "{}", info.name);
    }
}

#[test]
fn a_tree_with_chance_is_refused_by_exactly_the_methods_that_need_none() {
    let catalog = Catalog::default();
    for method in bestmove::catalog::methods::METHODS.iter() {
        let question = serde_json::json!({
            "game": "tree",
            "algorithm": method.name,
            "state": { "name": "a", "children": [
                { "name": "b", "mover": "chance", "children": [{ "name": "c", "value": 1 }] }
            ] }
        });
        let question = serde_json::from_value(question).expect("a question");
        let allowance = bestmove::catalog::Allowance::unlimited();
        let plan = catalog.plan(&question, &allowance, std::time::Instant::now());
        assert_eq!(plan.is_ok(), !method.needs.no_chance, "{}", method.name);
        if let Err(refusal) = plan {
            assert!(matches!(refusal, bestmove::catalog::Refusal::Unsupported { .. }), "{refusal}");
            assert!(refusal.to_string().contains("no chance"), "{refusal}");
        }
    }
}

/// Cells of the rows of a README table, found by its heading.
fn table(readme: &str, heading: &str) -> Vec<[String; 2]> {
    let rows = readme.lines().skip_while(|line| *line != heading).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let cells = |row: &str| {
        let (first, second) = row.trim_matches('|').split_once('|').expect("two cells");
        [first.trim().to_owned(), second.trim().to_owned()]
    };
    rows.map(cells).collect()
}

fn in_backticks(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_games_in_the_documents_exist() {
    let catalog = Catalog::default();
    let rows = table(&file("docs/games.md"), "| game | state |");
    assert!(rows.len() >= 12, "{rows:?}");
    for [game, _] in rows {
        let name = in_backticks(&game)[0];
        assert!(catalog.game(name).is_ok(), "{name}");
    }
}

#[test]
fn the_algorithms_in_the_documents_need_what_is_said() {
    let rows = table(&file("docs/methods.md"), "| algorithms | need |");
    assert!(rows.len() >= 6, "{rows:?}");
    for [names, needs] in rows {
        for name in in_backticks(&names) {
            let method = bestmove::catalog::methods::method(name);
            let method = method.unwrap_or_else(|| panic!("unknown algorithm `{name}`"));
            assert_eq!(method.needs.describe(Language::English), needs, "{name}");
        }
    }
}

#[test]
fn every_setting_has_a_flag_a_variable_and_a_default_in_the_help() {
    let help = Command::new(env!("CARGO_BIN_EXE_bestmove")).args(["serve", "--help"]).output();
    let help = String::from_utf8(help.expect("the program starts").stdout).expect("UTF-8");
    let flags = help.lines().filter_map(|line| line.trim().strip_prefix("--"));
    let flags: Vec<_> =
        flags.filter_map(|flag| flag.split_once(' ')).map(|(name, _)| name).collect();
    assert!(flags.len() >= 12, "{help}");
    for flag in flags {
        let variable = format!("[env: BESTMOVE_{}=", flag.replace('-', "_").to_uppercase());
        assert!(help.contains(&variable), "{variable} for --{flag} in {help}");
    }
    assert_eq!(help.matches("[env: ").count(), help.matches("[default: ").count(), "{help}");
}

#[test]
fn the_example_of_the_readme_is_answered_as_printed() {
    // The first JSON answer of the README is what the service says, with comments.
    let readme = file("README.md");
    let answer = readme.split("```jsonc\n").nth(1).and_then(|rest| rest.split("```").next());
    let answer = answer.expect("README.md shows an answer");
    let plain: String =
        answer.lines().map(|line| line.split("//").next().unwrap_or(line)).collect();
    let shown: serde_json::Value = serde_json::from_str(&plain).expect("the answer is JSON");
    let request = readme.split("-d '").nth(1).and_then(|rest| rest.split('\'').next());
    let question = serde_json::from_str(request.expect("README.md shows a request"));
    let question = question.expect("the request is a question");
    let allowance = bestmove::catalog::Allowance::unlimited();
    let plan = Catalog::default().plan(&question, &allowance, std::time::Instant::now());
    let table = bestmove::SharedTable::new(1_000);
    let context = bestmove::catalog::Context::alone(&table);
    let answer = (plan.expect("it can be answered").run)(&context);
    let mut found = serde_json::to_value(answer).expect("an answer can be written");
    let mut shown = shown;
    for value in [&mut found, &mut shown] {
        // Members left out of the printed answer, and those that depend on the machine.
        value["stats"]["time_ms"] = 0.into();
        if let Some(ratings) = value["ratings"].as_array_mut() {
            ratings.truncate(2);
        }
    }
    assert_eq!(found, shown);
}
