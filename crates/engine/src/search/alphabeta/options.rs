//! What can be switched off. Nothing here changes a value, only the work to find it.

/// Which bounds may cut a search short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// Both bounds.
    Both,
    /// Only the root side's: the opponent's nodes are cut when they are worse than what he has.
    Alpha,
    /// Only the opponent's: the root side's nodes are cut when the opponent would not allow them.
    Beta,
    /// None: plain minimax.
    None,
}

impl Pruning {
    /// Whether a node of the root side (or of its opponent) hands what it has found down as a bound.
    #[inline]
    pub(super) fn narrows(self, is_root_side: bool) -> bool {
        match self {
            Self::Both => true,
            Self::Alpha => is_root_side,
            Self::Beta => !is_root_side,
            Self::None => false,
        }
    }
}

/// Where the order of moves comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordering {
    /// The order in which the game lists them.
    None,
    /// The game's evaluator.
    Static,
    /// Table, killers, history and the evaluator.
    Full,
}

/// Which tables remember positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableUse {
    /// A private one for all nodes and the shared one for the costly.
    Shared,
    /// The private one.
    Private,
    /// None.
    Off,
}

/// The switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which bounds cut. Anything but [`Pruning::Both`] also goes without the evaluator's short cuts.
    pub pruning: Pruning,
    /// Whether to search depth 1, 2, 3 and so on; otherwise the greatest depth at once.
    pub deepening: bool,
    /// Where the order of moves comes from.
    pub ordering: Ordering,
    /// Which tables remember.
    pub table: TableUse,
    /// Size of the private table in MiB.
    pub table_mib: usize,
    /// Whether later moves are first asked only if they are better than the best so far.
    pub pvs: bool,
    /// Whether a root move's value is first looked for near the last one.
    pub aspiration: bool,
    /// Whether bounds reach through chance.
    pub star1: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            pruning: Pruning::Both,
            deepening: true,
            ordering: Ordering::Full,
            table: TableUse::Shared,
            table_mib: 4,
            pvs: true,
            aspiration: true,
            star1: true,
        }
    }
}
