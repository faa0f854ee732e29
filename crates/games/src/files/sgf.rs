//! Smart Game Format as text: nodes with properties, <https://www.red-bean.com/sgf/sgf4.html>.
//!
//! An own reader: that of the crate `sgf-parse` names no lines, knows the moves of Go only, and drops its trees by
//! recursion, which a long game brings to overflow. This one keeps the main line alone, without recursion.

use super::{FileFault, excerpt};

/// Property of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SgfProperty {
    /// Name in upper case; FF\[1\] to FF\[3\] may add lower-case letters, which are left out.
    pub(super) name: String,
    /// Values without escapes.
    pub(super) values: Vec<String>,
    /// Line of the name, from 1.
    pub(super) line: usize,
}

impl SgfProperty {
    /// The first value, or an empty one.
    pub(super) fn value(&self) -> &str {
        self.values.first().map_or("", |value| value.trim())
    }
}

/// Main line of a game: the first child of every node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SgfGame {
    /// Nodes in the order of play; the first one is the root.
    pub(super) nodes: Vec<Vec<SgfProperty>>,
    /// Line of the opening parenthesis, from 1.
    pub(super) line: usize,
}

impl SgfGame {
    /// Adds a property to the last node.
    fn add(&mut self, property: SgfProperty) {
        match self.nodes.last_mut() {
            Some(node) => node.push(property),
            None => self.nodes.push(vec![property]),
        }
    }

    /// The first value of a property of the root or, in a sloppy file, of a later node.
    pub(super) fn find(&self, name: &str) -> Option<&SgfProperty> {
        self.nodes.iter().flatten().find(|property| property.name == name)
    }
}

/// True if the text begins with a game tree; GGF has the number of games before it.
pub(super) fn is_tree(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    text.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with([';', '(']))
}

/// Variations that are still open, and which of them is skipped.
#[derive(Debug, Default)]
struct SgfNesting {
    /// For each open parenthesis whether a child has begun.
    open: Vec<bool>,
    /// Number of open parentheses around the skipped variation.
    skipped_at: Option<usize>,
}

impl SgfNesting {
    fn enter(&mut self) {
        let depth = self.open.len();
        if let Some(has_child) = self.open.last_mut()
            && std::mem::replace(has_child, true)
        {
            self.skipped_at.get_or_insert(depth);
        }
        self.open.push(false);
    }

    fn leave(&mut self) {
        self.open.pop();
        if self.skipped_at == Some(self.open.len()) {
            self.skipped_at = None;
        }
    }
}

/// Characters with their line.
struct SgfCursor<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> SgfCursor<'a> {
    fn next(&mut self) -> Option<char> {
        let mut marks = self.rest.chars();
        let mark = marks.next()?;
        self.rest = marks.as_str();
        self.line += usize::from(mark == '\n');
        Some(mark)
    }

    fn skip_space(&mut self) {
        while self.rest.starts_with(char::is_whitespace) {
            self.next();
        }
    }

    fn letters(&mut self) -> &'a str {
        let rest = self.rest;
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        self.rest = &rest[end..];
        &rest[..end]
    }

    /// The value after an opening bracket, up to the closing one.
    fn value(&mut self) -> Option<String> {
        let mut value = String::new();
        loop {
            match self.next()? {
                ']' => return Some(value),
                '\\' => match self.next()? {
                    '\r' => self.rest = self.rest.strip_prefix('\n').unwrap_or(self.rest),
                    '\n' => {}
                    mark => value.push(mark),
                },
                mark => value.push(mark),
            }
        }
    }

    fn property(&mut self) -> Result<SgfProperty, FileFault> {
        let line = self.line;
        let letters = self.letters();
        let mut name: String = letters.chars().filter(char::is_ascii_uppercase).collect();
        if name.is_empty() {
            name = letters.to_ascii_uppercase();
        }
        let mut values = Vec::new();
        self.skip_space();
        while let Some(rest) = self.rest.strip_prefix('[') {
            let line = self.line;
            self.rest = rest;
            let unclosed = || FileFault::new(line, format!("the value of `{name}` has no `]`"));
            values.push(self.value().ok_or_else(unclosed)?);
            self.skip_space();
        }
        if values.is_empty() {
            let why = format!("`{letters}` has no value; expected a property such as `B[hh]`");
            return Err(FileFault::new(line, why));
        }
        Ok(SgfProperty { name, values, line })
    }
}

/// Reads the main lines of all games.
pub(super) fn read(text: &str) -> Result<Vec<SgfGame>, FileFault> {
    let mut cursor = SgfCursor { rest: text, line: 1 };
    let mut games = Vec::new();
    // Anything may stand between games.
    while let Some(mark) = cursor.rest.chars().next() {
        if mark == '(' && is_tree(cursor.rest) {
            games.push(game(&mut cursor)?);
        } else {
            cursor.next();
        }
    }
    Ok(games)
}

/// Reads a game up to its closing parenthesis; the last ones may be missing.
fn game(cursor: &mut SgfCursor<'_>) -> Result<SgfGame, FileFault> {
    let mut nesting = SgfNesting::default();
    let mut game = SgfGame { nodes: Vec::new(), line: cursor.line };
    loop {
        cursor.skip_space();
        let Some(mark) = cursor.rest.chars().next() else { return Ok(game) };
        let is_kept = nesting.skipped_at.is_none();
        match mark {
            '(' => nesting.enter(),
            ')' => nesting.leave(),
            ';' if is_kept => game.nodes.push(Vec::new()),
            ';' => {}
            'A'..='Z' | 'a'..='z' => {
                let property = cursor.property()?;
                if is_kept {
                    game.add(property);
                }
                continue;
            }
            _ => return Err(unexpected(cursor)),
        }
        cursor.next();
        if nesting.open.is_empty() {
            return Ok(game);
        }
    }
}

fn unexpected(cursor: &SgfCursor<'_>) -> FileFault {
    let found = excerpt(cursor.rest);
    let expected = "`;`, `(`, `)` or a property such as `B[hh]`";
    FileFault::new(cursor.line, format!("`{found}` in a game tree; expected {expected}"))
}

/// A value with its escapes.
pub(super) fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace(']', "\\]")
}
