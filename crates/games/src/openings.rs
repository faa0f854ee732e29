//! Tables of solved early positions: made once, by a command, and then part of the program.

/// Maker of the table of early positions of one game. It goes on where the last run stopped.
pub trait OpeningMaker {
    /// Takes over the positions of a file of an earlier run; false if it is not whole.
    fn resume(&mut self, file: &[u8]) -> bool;

    /// Solves positions, the most useful ones first, and calls `told` after each; at its first `false` the work stops. `lines` is the last ply of the lines in which one side plays
    /// a best move and the other any; `all` the last ply of which every position is solved.
    fn make(&mut self, lines: u32, all: u32, told: &mut Told<'_>);

    /// The file of all positions solved so far.
    fn file(&self) -> Vec<u8>;
}

/// Receives what has been done, and the file so far if it asks for it; false stops the work.
pub type Told<'a> = dyn FnMut(MakerProgress, &dyn Fn() -> Vec<u8>) -> bool + 'a;

/// Work done by an [`OpeningMaker`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MakerProgress {
    /// Name of the part of the work.
    pub part: &'static str,
    /// Ply of the positions being solved.
    pub ply: u32,
    /// Positions of this part and ply that are done, and their number.
    pub done: usize,
    /// Positions of this part and ply.
    pub of: usize,
    /// Positions in the table.
    pub stored: usize,
    /// Nodes searched in this run.
    pub nodes: u64,
}
