//! Algebraic notation of xiangqi, which chess programs such as XBoard write: `Che2`, `Cxe6`, `gf3`. What a move means
//! depends on the position, so the game is replayed.

use engine::game::Game;

use super::GameFile;
use crate::notation::{Notation, StateInput, take_options};
use crate::xiangqi::{PieceKind, Xiangqi};

/// Letters of the pieces in kind order, with those of other programs after the first.
const LETTERS: [&str; 7] = ["K", "A", "EB", "HN", "R", "C", "P"];

/// A move as written: its piece, what is known of its first point, and its second point.
struct AlgebraicMove<'a> {
    kind: PieceKind,
    from: &'a str,
    to: &'a str,
}

/// True for a move in this notation, as far as one word tells.
pub(super) fn is_algebraic(word: &str) -> bool {
    AlgebraicMove::read(word).is_some()
}

impl<'a> AlgebraicMove<'a> {
    fn read(word: &'a str) -> Option<Self> {
        let (head, to) = word.split_at_checked(word.len().checked_sub(2)?)?;
        let head = head.strip_suffix(['x', '-']).unwrap_or(head);
        let kind = |letter: char| {
            PieceKind::ALL.into_iter().find(|kind| LETTERS[kind.index()].contains(letter))
        };
        let piece = head.chars().next().filter(char::is_ascii_uppercase);
        let from = if piece.is_some() { &head[1..] } else { head };
        let is_from = matches!(
            from.as_bytes(),
            [] | [b'a'..=b'i'] | [b'0'..=b'9'] | [b'a'..=b'i', b'0'..=b'9']
        );
        let is_to = matches!(to.as_bytes(), [b'a'..=b'i', b'0'..=b'9']);
        let kind = piece.map_or(Some(PieceKind::Soldier), kind)?;
        (is_from && is_to).then_some(Self { kind, from, to })
    }

    /// The coordinates of the only legal move that it may mean.
    fn find(&self, pos: &Xiangqi) -> Option<String> {
        let fits = |text: &String, kind: Option<PieceKind>| {
            let (from, to) = text.split_at(2);
            kind == Some(self.kind) && to == self.to && from.contains(self.from)
        };
        let moves = pos.legal_moves().into_iter();
        let mut texts = moves.map(|mv| (pos.move_text(mv), pos.at(mv.from).map(|(_, kind)| kind)));
        let found = texts.find(|(text, kind)| fits(text, *kind))?.0;
        texts.all(|(text, kind)| !fits(&text, kind)).then_some(found)
    }
}

/// Writes the moves as coordinates, as far as they are legal.
pub(super) fn resolve(file: &mut GameFile) {
    if !file.moves.iter().any(|text| is_algebraic(text)) {
        return;
    }
    let Ok(settings) = take_options(Xiangqi::facts().options, &mut file.options.clone()) else {
        return;
    };
    let state = StateInput::read(file.state.as_ref());
    let Ok(mut pos) = Xiangqi::read(state, &settings) else { return };
    for text in &mut file.moves {
        if let Some(found) = AlgebraicMove::read(text).and_then(|written| written.find(&pos)) {
            *text = found;
        }
        let Ok(mv) = pos.find_move(text) else { return };
        pos.play(mv);
    }
}
