//! The shape of the house: who may import whom, what may stand where, how long a file may be.

use std::path::{Path, PathBuf};

/// For each room the rooms it may import from. The rest of `crate::` is out of bounds.
const ARROWS: &[(&str, &[&str])] = &[
    ("game", &["game"]),
    ("wire", &["game", "wire"]),
    ("games", &["game", "games", "wire"]),
    ("search", &["game", "search"]),
    ("rating", &[]),
    ("catalog", &["game", "games", "search", "rating", "wire", "catalog"]),
    ("service", &["catalog", "search", "service"]),
    ("http", &["catalog", "service", "config", "http"]),
    ("config", &["catalog", "service", "wire"]),
    ("cli", &["game", "wire", "catalog", "search", "service", "http", "config", "cli"]),
];

/// What may stand only in some rooms.
const BANS: &[(&str, &[&str])] = &[
    ("Instant::now", &["search/clock.rs", "service/", "http/", "cli/"]),
    ("thread_rng", &[]),
    ("rand::", &["game/rng.rs"]),
    (
        "serde",
        &[
            "wire/",
            "/wire.rs",
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

const MOST_LINES: usize = 500;
const MOST_FUNCTION_LINES: usize = 80;

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
        match path.is_dir() {
            true => walk(&path, found),
            false => found.push(path),
        }
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

#[test]
fn no_file_and_no_function_is_too_long_to_be_read() {
    for source in sources() {
        let lines = source.code.lines().count();
        assert!(lines <= MOST_LINES, "src/{} has {lines} lines", source.name);
        let mut begun: Option<(usize, String, String)> = None;
        for (n, line) in source.code.lines().enumerate() {
            let indent: String = line.chars().take_while(|c| *c == ' ').collect();
            let is_function = line.contains("fn ") && line.trim_end().ends_with('{');
            if begun.is_none() && is_function && !line.trim_start().starts_with("//") {
                begun = Some((n, indent.clone(), line.trim().to_owned()));
            }
            if let Some((start, depth, name)) = &begun
                && line == format!("{depth}}}")
            {
                let length = n - start + 1;
                assert!(
                    length <= MOST_FUNCTION_LINES,
                    "src/{}: {length} lines: {name}",
                    source.name
                );
                begun = None;
            }
        }
    }
}

#[test]
fn every_public_room_is_listed_in_the_map() {
    let map =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md"));
    let map = map.expect("ARCHITECTURE.md");
    for source in sources() {
        let room = source.name.split('/').next().unwrap_or_default();
        assert!(map.contains(room), "ARCHITECTURE.md does not know src/{room}");
    }
}
