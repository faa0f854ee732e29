//! What is wrong with an input.

/// The class of a fault; each becomes a problem type of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The input does not have the documented shape, type or range.
    Shape,
    /// The position cannot come up in a game.
    Position,
    /// A move is not legal where it is played.
    Move,
}

/// What is wrong with an input, and where. The pointer (RFC 6901) is relative to the value read and
/// grows by [`Fault::under`] on the way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{pointer}: {detail}")]
pub struct Fault {
    /// The class.
    pub kind: FaultKind,
    /// Where, `""` for the value itself.
    pub pointer: String,
    /// What is wrong and what would be right.
    pub detail: String,
}

impl Fault {
    fn new(kind: FaultKind, detail: impl Into<String>) -> Self {
        Self { kind, pointer: String::new(), detail: detail.into() }
    }

    /// A value of the wrong shape, type or range.
    pub fn shape(detail: impl Into<String>) -> Self {
        Self::new(FaultKind::Shape, detail)
    }

    /// A position that no game leads to.
    pub fn position(detail: impl Into<String>) -> Self {
        Self::new(FaultKind::Position, detail)
    }

    /// A move that is not legal.
    pub fn illegal(detail: impl Into<String>) -> Self {
        Self::new(FaultKind::Move, detail)
    }

    /// The same fault seen from the value that holds this one as its member `key`.
    #[expect(clippy::needless_pass_by_value, reason = "keys are words and numbers at hand")]
    pub fn under(mut self, key: impl ToString) -> Self {
        let escaped = key.to_string().replace('~', "~0").replace('/', "~1");
        self.pointer.insert_str(0, &format!("/{escaped}"));
        self
    }
}
