//! Faults of an input.

/// Class of a fault; each maps to its own problem type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Wrong shape, type or range.
    Shape,
    /// Unreachable position.
    Position,
    /// Illegal move.
    Move,
}

/// Fault of an input and its place. The pointer (RFC 6901) is relative to the parsed value;
/// [`Fault::under`] prepends members.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{pointer}: {detail}")]
pub struct Fault {
    /// Class.
    pub kind: FaultKind,
    /// JSON pointer; `""` for the value itself.
    pub pointer: String,
    /// Description with the expected input.
    pub detail: String,
}

impl Fault {
    fn new(kind: FaultKind, detail: impl Into<String>) -> Self {
        Self { kind, pointer: String::new(), detail: detail.into() }
    }

    /// Value of the wrong shape, type or range.
    pub fn shape(detail: impl Into<String>) -> Self {
        Self::new(FaultKind::Shape, detail)
    }

    /// Unreachable position.
    pub fn position(detail: impl Into<String>) -> Self {
        Self::new(FaultKind::Position, detail)
    }

    /// Illegal move.
    pub fn illegal(detail: impl Into<String>) -> Self {
        Self::new(FaultKind::Move, detail)
    }

    /// The same fault relative to the parent value, in which this value is the member `key`.
    #[expect(clippy::needless_pass_by_value, reason = "keys are words and numbers at hand")]
    pub fn under(mut self, key: impl ToString) -> Self {
        let escaped = key.to_string().replace('~', "~0").replace('/', "~1");
        self.pointer.insert_str(0, &format!("/{escaped}"));
        self
    }
}
