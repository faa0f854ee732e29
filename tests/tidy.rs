//! Architecture rules: imports, places, names, lengths, and the map in ARCHITECTURE.md.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Imports that cargo cannot forbid, because both sides are in one crate or one depends on the other: a folder
/// and a word that must not occur in it.
const FORBIDDEN_IMPORTS: &[(&str, &str)] = &[
    ("crates/engine/src/game/", "crate::search"),
    ("crates/engine/src/search/", "SharedTable"),
    ("crates/games/src/", "engine::search"),
    ("src/service/", "crate::http"),
    ("src/service/", "crate::jobs"),
    ("src/jobs/", "crate::http"),
    ("crates/jobs/", "catalog"),
    ("src/service/", "crate::cli"),
    ("src/http/", "crate::cli"),
    ("src/http/", "engine::game"),
];

/// Names allowed in some places only.
const BANS: &[(&str, &[&str])] = &[
    (
        "Instant::now",
        &[
            "engine/src/search/clock.rs",
            "bestmove/src/service/",
            "bestmove/src/http/",
            "crates/arena/",
            "crates/jobs/src/nats/lanes.rs",
            "crates/lab/",
            "crates/protocols/",
            "crates/training/",
        ],
    ),
    ("thread_rng", &[]),
    ("rand::", &["engine/src/game/rng.rs"]),
    (
        "serde",
        &[
            "games/src/notation/",
            "games/src/files/",
            "/notation.rs",
            "/notation/",
            "/literal.rs",
            "crates/catalog/",
            "crates/lab/",
            "crates/protocols/",
            "crates/training/",
            "crates/arena/",
            "bestmove/src/service/mod.rs",
            "bestmove/src/service/known.rs",
            "bestmove/src/http/",
            "bestmove/src/jobs/",
            "bestmove/src/json.rs",
            "bestmove/src/problem.rs",
            "crates/jobs/",
        ],
    ),
    ("unsafe ", &[]),
    ("todo!", &[]),
    ("println!", &[]),
];

const MOST_LINES: usize = 400;
const MOST_FUNCTION_LINES: usize = 60;

struct Source {
    /// Relative to `src`.
    name: String,
    /// Everything before the unit tests.
    code: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Sources of every crate without test files.
fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    walk(&root().join("src"), &mut found);
    for member in entries(&root().join("crates")) {
        walk(&member.join("src"), &mut found);
    }
    let is_test = |path: &PathBuf| {
        path.ends_with("tests.rs") || path.components().any(|part| part.as_os_str() == "tests")
    };
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("it can be read");
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
        Source { name: relative(path), code }
    };
    found.iter().filter(|path| !is_test(path)).map(read).collect()
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).expect("it lies there").display().to_string()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.is_dir() {
            walk(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Lines of code without comments.
fn code_lines(source: &Source) -> impl Iterator<Item = (usize, &str)> {
    let lines = source.code.lines().enumerate().map(|(n, line)| (n + 1, line));
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

#[test]
fn no_import_goes_where_cargo_cannot_forbid_it() {
    for source in sources() {
        for (folder, word) in FORBIDDEN_IMPORTS {
            let found = code_lines(&source).find(|(_, line)| line.contains(word));
            if let (true, Some((n, line))) = (source.name.starts_with(folder), found) {
                panic!("{}:{n}: {folder} must not know {word}: {line}", source.name);
            }
        }
    }
}

/// Name of the type or trait that a line declares.
fn declared_type(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.strip_prefix(' ')?,
        None => line,
    };
    let (keyword, rest) = line.split_once(' ')?;
    let is_type = ["struct", "enum", "trait", "type"].contains(&keyword);
    let name = rest.split(|c: char| !c.is_alphanumeric()).next()?;
    (is_type && !name.is_empty()).then_some(name)
}

/// A name with two meanings costs every reader a look at the imports. Associated types are indented and do not
/// count.
#[test]
fn a_type_name_has_one_meaning() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in sources() {
        for (n, line) in code_lines(&source) {
            if line.starts_with(' ') && line.trim_start().starts_with("type ") {
                continue;
            }
            if let Some(name) = declared_type(line) {
                places.entry(name.to_owned()).or_default().push(format!("{}:{n}", source.name));
            }
        }
    }
    assert!(places.len() > 300, "only {} types were seen", places.len());
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "{places:#?}");
}

#[test]
fn what_belongs_to_some_rooms_stands_nowhere_else() {
    for source in sources() {
        for (word, rooms) in BANS {
            let allowed =
                rooms.iter().any(|room| format!("bestmove/{}", source.name).contains(room));
            let found = code_lines(&source).find(|(_, line)| line.contains(word));
            if let (false, Some((n, line))) = (allowed, found) {
                panic!("{}:{n}: `{word}` has no business here: {line}", source.name);
            }
        }
        let unwrap = code_lines(&source).find(|(_, line)| line.contains(".unwrap()"));
        assert_eq!(unwrap, None, "{}: say why it cannot fail, with `expect`", source.name);
    }
}

/// A function in a file: its first line, the line of its closing brace and its name.
struct Function {
    first: usize,
    last: usize,
    name: String,
}

/// Name of the function that begins on a line, if any.
fn function_name(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("fn ")?;
    let words = ["pub", "pub(crate)", "pub(super)", "const", "async", "extern", "\"C\""];
    let only_qualifiers =
        before.split_whitespace().all(|word| words.contains(&word) || word.starts_with("pub(in"));
    let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (only_qualifiers && !name.is_empty()).then_some(name)
}

/// Every function with a body, nested ones too. The formatter puts the closing brace of a body at the
/// indentation of the line that begins the function, whether or not the signature takes several lines.
fn functions(code: &str) -> Vec<Function> {
    let lines: Vec<_> = code.lines().collect();
    let function = |(first, line): (usize, &&str)| {
        let name = function_name(line)?.to_owned();
        let ends_signature = |line: &&str| line.trim_end().ends_with(['{', ';', '}']);
        let signature = lines[first..].iter().position(ends_signature)?;
        if !lines[first + signature].trim_end().ends_with('{') {
            return None;
        }
        let indent = line.len() - line.trim_start().len();
        let closing = format!("{}}}", " ".repeat(indent));
        let length = lines[first..].iter().position(|line| *line == closing)?;
        Some(Function { first: first + 1, last: first + length + 1, name })
    };
    lines.iter().enumerate().filter_map(function).collect()
}

#[test]
fn a_function_is_seen_however_its_signature_is_written() {
    let code = "impl X {\n    pub(super) fn long(\n        a: u8,\n    ) -> u8 {\n        a\n    }\n}\n\
                fn one() -> u8 { 1 }\n\nfn two() {\n}\n\ntrait T {\n    fn none(&self);\n}\n";
    let seen: Vec<_> =
        functions(code).into_iter().map(|f| (f.name, f.last - f.first + 1)).collect();
    assert_eq!(seen, [("long".to_owned(), 5), ("two".to_owned(), 2)]);
}

#[test]
fn no_file_and_no_function_is_too_long_to_be_read() {
    let mut too_long = Vec::new();
    for source in sources() {
        let lines = source.code.lines().count();
        if lines > MOST_LINES {
            too_long.push(format!("{} has {lines} lines", source.name));
        }
        for Function { first, last, name } in functions(&source.code) {
            let length = last - first + 1;
            if length > MOST_FUNCTION_LINES {
                too_long.push(format!("{}:{first}: `{name}` has {length} lines", source.name));
            }
        }
    }
    assert!(too_long.is_empty(), "{too_long:#?}");
}

#[test]
fn all_networks_in_the_program_take_at_most_8_mb() {
    let lengths = entries(&root().join("crates/games/networks")).into_iter().map(|path| {
        assert_eq!(path.extension().and_then(|name| name.to_str()), Some("network"), "{path:?}");
        path.metadata().expect("a file").len()
    });
    let all: u64 = lengths.sum();
    assert!((1..=8 << 20).contains(&all), "{all} bytes");
}

/// Paths of the map in ARCHITECTURE.md: the first word of every line of its first text block.
fn mapped() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let block = text.split("```text").nth(1).and_then(|rest| rest.split("```").next());
    let block = block.expect("ARCHITECTURE.md begins with a map");
    block.lines().filter_map(|row| Some(row.split_whitespace().next()?.to_owned())).collect()
}

#[test]
fn the_map_lists_the_folders_that_there_are() {
    let hidden = |name: &String| name.starts_with('.') || name == "target";
    let top = entries(root()).into_iter().filter(|path| path.is_dir());
    let mut folders: Vec<_> = top.map(|path| relative(&path)).collect();
    folders.retain(|name| !hidden(name) && name != "src" && name != "crates");
    for parent in ["src", "crates"] {
        folders.extend(entries(&root().join(parent)).iter().map(|path| relative(path)));
    }
    let mut rows = mapped();
    folders.sort();
    rows.sort();
    assert_eq!(rows, folders, "the map in ARCHITECTURE.md and the folders differ");
}
