//! Nested list form of a tree: `[A, [B, (E, 3), (F, 12)], [C, (H, 2)]]`, names quoted or not.

use super::notation::{DraftKind, MAX_DEPTH, TreeDraft, thousandths};
use crate::notation::Fault;

/// Delimiters of an unquoted name.
const DELIMITERS: [char; 5] = [',', '[', ']', '(', ')'];
const QUOTES: [char; 2] = ['\'', '"'];

/// A name in a form that [`read`] accepts, quoted if necessary; `None` if not even quotes suffice.
pub(super) fn quoted(name: &str) -> Option<String> {
    let plain = !name.is_empty()
        && name.trim() == name
        && !name.starts_with(QUOTES)
        && !name.contains(DELIMITERS);
    if plain {
        return Some(name.to_owned());
    }
    let quote = QUOTES.into_iter().find(|&quote| !name.contains(quote))?;
    Some(format!("{quote}{name}{quote}"))
}

struct LiteralReader<'a> {
    text: &'a str,
    at: usize,
}

/// Parses a whole literal.
pub(super) fn read(text: &str) -> Result<TreeDraft, Fault> {
    let mut reader = LiteralReader { text, at: 0 };
    let draft = reader.node(0)?;
    match reader.peek() {
        None => Ok(draft),
        Some(rest) => Err(reader.fault(&format!("`{rest}` after the end of the tree"))),
    }
}

impl<'a> LiteralReader<'a> {
    fn fault(&self, what: &str) -> Fault {
        let nth = self.text[..self.at].chars().count() + 1;
        Fault::shape(format!(
            "{what} (character {nth}); a node is `[name, child, ...]`, a leaf `(name, value)`"
        ))
    }

    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, wanted: char) -> Result<(), Fault> {
        match self.peek() {
            Some(found) if found == wanted => {
                self.at += found.len_utf8();
                Ok(())
            }
            Some(found) => Err(self.fault(&format!("expected `{wanted}`, found `{found}`"))),
            None => Err(self.fault(&format!("expected `{wanted}`, found the end"))),
        }
    }

    fn node(&mut self, depth: usize) -> Result<TreeDraft, Fault> {
        if depth > MAX_DEPTH {
            return Err(self.fault(&format!("a tree has at most {MAX_DEPTH} levels")));
        }
        match self.peek() {
            Some('(') => self.leaf(),
            Some('[') => {
                self.eat('[')?;
                let name = self.word()?.to_owned();
                let mut children = Vec::new();
                while self.peek() == Some(',') {
                    self.eat(',')?;
                    children.push(self.node(depth + 1)?);
                }
                self.eat(']')?;
                if children.is_empty() {
                    return Err(self.fault(&format!("`{name}` has no children")));
                }
                let kind = DraftKind::Inner { mover: None, children };
                Ok(TreeDraft { name, probability: None, kind })
            }
            Some(found) => Err(self.fault(&format!("expected `[` or `(`, found `{found}`"))),
            None => Err(self.fault("expected a node, found the end")),
        }
    }

    fn leaf(&mut self) -> Result<TreeDraft, Fault> {
        self.eat('(')?;
        let name = self.word()?.to_owned();
        self.eat(',')?;
        let word = self.word()?;
        let value: f64 =
            word.parse().map_err(|_| self.fault(&format!("`{word}` is not a number")))?;
        let kind = DraftKind::Leaf(thousandths(value).map_err(|why| self.fault(&why))?);
        self.eat(')')?;
        Ok(TreeDraft { name, probability: None, kind })
    }

    /// A name or number: quoted text, or everything up to a delimiter.
    fn word(&mut self) -> Result<&'a str, Fault> {
        let text = self.text;
        if let Some(quote) = self.peek().filter(|mark| QUOTES.contains(mark)) {
            let start = self.at + 1;
            let end =
                text[start..].find(quote).ok_or_else(|| self.fault("a quote is not closed"))?;
            self.at = start + end + 1;
            return Ok(&text[start..start + end]);
        }
        let start = self.at;
        let end = text[start..].find(DELIMITERS).map_or(text.len(), |n| start + n);
        let word = text[start..end].trim();
        if word.is_empty() {
            return Err(self.fault("expected a name or a number"));
        }
        self.at = end;
        Ok(word)
    }
}
