//! The shape of the house: who may import whom, what may stand where, how long a file may be.

use std::path::{Path, PathBuf};

/// For each room the rooms it may import from. The rest of `crate::` is out of bounds.
const ARROWS: &[(&str, &[&str])] = &[
    ("game", &["game"]),
    ("notation", &["game", "notation"]),
    ("games", &["game", "games", "notation"]),
    ("search", &["game", "search"]),
    ("rating", &[]),
    ("catalog", &["game", "games", "search", "rating", "notation", "catalog"]),
    ("service", &["catalog", "search", "service"]),
    ("http", &["catalog", "service", "config", "http"]),
    ("config", &["catalog", "service", "notation"]),
    ("cli", &["game", "notation", "catalog", "search", "service", "http", "config", "cli"]),
];

/// What may stand only in some rooms.
const BANS: &[(&str, &[&str])] = &[
    ("Instant::now", &["search/clock.rs", "service/", "http/", "cli/"]),
    ("thread_rng", &[]),
    ("rand::", &["game/rng.rs"]),
    (
        "serde",
        &[
            "notation/",
            "/notation.rs",
            "/literal.rs",
            "catalog/",
            "service/mod.rs",
            "http/",
            "config.rs",
            "cli/",
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

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    walk(&root, &mut found);
    let read = |path: &PathBuf| {
        let name = path.strip_prefix(&root).expect("it lies there").display().to_string();
        let text = std::fs::read_to_string(path).expect("it can be read");
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
        Source { name, code }
    };
    let is_test = |path: &PathBuf| path.ends_with("tests.rs");
    found.iter().filter(|path| !is_test(path)).map(read).collect()
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { walk(&path, found) } else { found.push(path) }
    }
}

/// Lines of code, comments left out.
fn code_lines(source: &Source) -> impl Iterator<Item = (usize, &str)> {
    let lines = source.code.lines().enumerate().map(|(n, line)| (n + 1, line));
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

#[test]
fn every_import_follows_the_arrows() {
    for source in sources() {
        let room = source.name.split(['/', '.']).next().unwrap_or_default();
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == room) else {
            assert!(["lib", "main"].contains(&room), "{} is in no known room", source.name);
            continue;
        };
        for (n, line) in code_lines(&source) {
            for part in line.split("crate::").skip(1) {
                let target = part.split(|c: char| !c.is_alphanumeric() && c != '_').next();
                let target = target.unwrap_or_default();
                let known = ARROWS.iter().any(|(name, _)| *name == target);
                assert!(
                    !known || allowed.contains(&target),
                    "src/{}:{n}: `{room}` must not know `{target}`",
                    source.name
                );
            }
        }
    }
}

#[test]
fn what_belongs_to_some_rooms_stands_nowhere_else() {
    for source in sources() {
        for (word, rooms) in BANS {
            let allowed = rooms.iter().any(|room| format!("/{}", source.name).contains(room));
            let found = code_lines(&source).find(|(_, line)| line.contains(word));
            if let (false, Some((n, line))) = (allowed, found) {
                panic!("src/{}:{n}: `{word}` has no business here: {line}", source.name);
            }
        }
        let unwrap = code_lines(&source).find(|(_, line)| line.contains(".unwrap()"));
        assert_eq!(unwrap, None, "src/{}: say why it cannot fail, with `expect`", source.name);
    }
}

/// A function as it stands in a file: its first line, the line of its closing brace and its name.
struct Function {
    first: usize,
    last: usize,
    name: String,
}

/// Whether a line begins a function, and the function's name.
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
            too_long.push(format!("src/{} has {lines} lines", source.name));
        }
        for Function { first, last, name } in functions(&source.code) {
            let length = last - first + 1;
            if length > MOST_FUNCTION_LINES {
                too_long.push(format!("src/{}:{first}: `{name}` has {length} lines", source.name));
            }
        }
    }
    assert!(too_long.is_empty(), "{too_long:#?}");
}

/// The rows of the map in ARCHITECTURE.md: what stands first on an indented line of its first code block.
fn map_rows() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(path).expect("ARCHITECTURE.md");
    let block = text.split("```").nth(1).expect("ARCHITECTURE.md begins with a map");
    let rows = block.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = rows.flat_map(|row| {
        let (names, _) = row.trim().split_once("  ").unwrap_or((row, ""));
        names.split(", ").map(|name| name.trim_end_matches('/').to_owned()).collect::<Vec<_>>()
    });
    names.collect()
}

#[test]
fn the_map_lists_the_rooms_that_there_are() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let entries = std::fs::read_dir(src).expect("src");
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.expect("an entry").file_name().to_string_lossy().into_owned()
    };
    let mut rooms: Vec<_> = entries.map(name).collect();
    let mut rows = map_rows();
    rooms.sort();
    rows.sort();
    assert_eq!(rows, rooms, "the map in ARCHITECTURE.md and the folders of src differ");
}
