use std::convert::Infallible;

use super::lines::{Cross, OccupiedLines};
use super::material::Material;
use super::pieces::{Code, EMPTY, PieceKind, code, key, kind_of};
use super::squares::{FILES, SQUARES, bit, file_of, rank_of};
use engine::game::{Game, Outcome, Perfect, Side, Turn, zobrist};

/// Checks per side since the last capture that count for the sixty-move rule.
const COUNTED_CHECKS: u8 = 10;
/// Hash key for Black to move.
const BLACK_MOVES: u64 = zobrist::mix(0x5849_414E_4751_4901);
/// Plies without a capture that end a game, as counted by [`Xiangqi::quiet`].
pub(super) const QUIET_PLIES: u8 = 120;

/// Repetition rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum XiangqiRules {
    /// Unilateral perpetual check loses, and so does unilateral perpetual chase.
    #[default]
    Computer,
    /// Unilateral perpetual check loses; chases are allowed.
    CheckOnly,
}

/// A move: source and target square.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct XiangqiMove {
    /// Source, `rank * 9 + file`.
    pub from: u8,
    /// Target.
    pub to: u8,
}

/// A position of xiangqi. Equality compares board and side to move only.
#[derive(Clone, Copy)]
pub struct Xiangqi {
    kinds: [u128; 7],
    sides: [u128; 2],
    board: [Code; SQUARES],
    lines: OccupiedLines,
    hash: u64,
    generals: [u8; 2],
    mover: Side,
    /// Plies since the last capture, as counted for the sixty-move rule.
    quiet: u8,
    /// Checks given by each side since the last capture.
    checks: [u8; 2],
    checked: bool,
    material: Material,
    rules: XiangqiRules,
    /// Move number; counts pairs of plies.
    number: u16,
}

impl PartialEq for Xiangqi {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.mover == other.mover && self.board == other.board
    }
}

impl Eq for Xiangqi {}

impl std::fmt::Debug for XiangqiMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = |square| (char::from(b'a' + file_of(square)), rank_of(square));
        let ((from_file, from_rank), (to_file, to_rank)) = (name(self.from), name(self.to));
        write!(f, "{from_file}{from_rank}{to_file}{to_rank}")
    }
}

impl std::fmt::Debug for Xiangqi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for rank in self.board.chunks(FILES).rev() {
            let mark = |&code: &Code| char::from(b".KABNRCP.kabnrcp"[usize::from(code)]);
            writeln!(f, "{}", rank.iter().map(mark).collect::<String>())?;
        }
        write!(f, "{:?} moves, {} quiet plies", self.mover, self.quiet)
    }
}

/// Piece kinds of a back rank.
const BACK_RANK: [PieceKind; FILES] = [
    PieceKind::Chariot,
    PieceKind::Horse,
    PieceKind::Elephant,
    PieceKind::Advisor,
    PieceKind::General,
    PieceKind::Advisor,
    PieceKind::Elephant,
    PieceKind::Horse,
    PieceKind::Chariot,
];

impl Default for Xiangqi {
    fn default() -> Self {
        Self::start(XiangqiRules::default())
    }
}

impl Xiangqi {
    /// The initial position.
    pub fn start(rules: XiangqiRules) -> Self {
        let piece = |square| {
            let (file, rank) = (file_of(square), rank_of(square));
            let side = if rank < 5 { Side::First } else { Side::Second };
            let kind = match (rank.min(9 - rank), file) {
                (0, _) => BACK_RANK[usize::from(file)],
                (2, 1 | 7) => PieceKind::Cannon,
                (3, _) if file % 2 == 0 => PieceKind::Soldier,
                _ => return None,
            };
            Some((side, kind))
        };
        Self::new(piece, Side::First, 0, rules)
    }

    /// The position with these pieces, one general per side, and this number of plies since the
    /// last capture.
    ///
    /// # Panics
    /// If a side has no general.
    pub fn new(
        piece: impl Fn(u8) -> Option<(Side, PieceKind)>,
        mover: Side,
        quiet: u8,
        rules: XiangqiRules,
    ) -> Self {
        let mut pos = Self {
            kinds: [0; 7],
            sides: [0; 2],
            board: [EMPTY; SQUARES],
            lines: OccupiedLines::default(),
            hash: if mover == Side::First { 0 } else { BLACK_MOVES },
            generals: [0; 2],
            mover,
            quiet,
            checks: [0; 2],
            checked: false,
            material: Material::Open,
            rules,
            number: 1,
        };
        for square in 0..SQUARES as u8 {
            if let Some((side, kind)) = piece(square) {
                pos.flip(side, kind, square);
                pos.lines.flip(square);
                pos.board[usize::from(square)] = code(side, kind);
            }
        }
        pos.generals = Side::BOTH.map(|side| {
            let general = pos.pieces(side, PieceKind::General);
            assert!(general.count_ones() == 1, "a side has one general");
            general.trailing_zeros() as u8
        });
        pos.checked = pos.is_attacked(pos.mover);
        pos.material = Material::of(&pos);
        pos
    }

    /// The same position with this move number.
    pub(super) fn numbered(self, number: u16) -> Self {
        Self { number, ..self }
    }

    /// The same position after this many checks of each side since the last capture.
    pub(super) fn after_checks(self, checks: [u8; 2]) -> Self {
        Self { checks, ..self }
    }

    /// Adds or removes a piece in the piece sets and the hash.
    #[inline]
    fn flip(&mut self, side: Side, kind: PieceKind, square: u8) {
        self.kinds[kind.index()] ^= bit(square);
        self.sides[side.index()] ^= bit(square);
        self.hash ^= key(code(side, kind), square);
    }

    /// Side to move, while the game is not over.
    #[inline]
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// Pieces of a side and kind.
    #[inline]
    pub fn pieces(&self, side: Side, kind: PieceKind) -> u128 {
        self.kinds[kind.index()] & self.sides[side.index()]
    }

    /// Pieces of a kind, both sides.
    #[inline]
    pub fn both(&self, kind: PieceKind) -> u128 {
        self.kinds[kind.index()]
    }

    /// Pieces of a side.
    #[inline]
    pub fn of(&self, side: Side) -> u128 {
        self.sides[side.index()]
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> u128 {
        self.sides[0] | self.sides[1]
    }

    /// Piece on a square, if any.
    #[inline]
    pub fn at(&self, square: u8) -> Option<(Side, PieceKind)> {
        let code = self.board[usize::from(square)];
        kind_of(code).map(|kind| (Side::BOTH[usize::from(code >> 3 & 1)], kind))
    }

    /// Kind of the piece on a square, if any.
    #[inline]
    pub fn kind_at(&self, square: u8) -> Option<PieceKind> {
        kind_of(self.board[usize::from(square)])
    }

    /// Square of a side's general.
    #[inline]
    pub fn general(&self, side: Side) -> u8 {
        self.generals[side.index()]
    }

    /// True if the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checked
    }

    /// Plies since the last capture, at most 120, as counted for the sixty-move rule: from a side's
    /// eleventh check on, neither its checks nor the replies count.
    #[inline]
    pub fn quiet(&self) -> u8 {
        self.quiet
    }

    /// Checks given by each side since the last capture.
    pub fn checks(&self) -> [u8; 2] {
        self.checks
    }

    /// Move number; counts pairs of plies.
    pub fn number(&self) -> u16 {
        self.number
    }

    /// Repetition rules.
    #[inline]
    pub fn rules(&self) -> XiangqiRules {
        self.rules
    }

    /// True for a capture.
    #[inline]
    pub fn is_capture(&self, step: XiangqiMove) -> bool {
        self.board[usize::from(step.to)] != EMPTY
    }

    /// Occupied points of the rank and file through a square.
    #[inline]
    pub(super) fn cross(&self, square: u8) -> Cross {
        self.lines.cross(square)
    }

    /// The same position with the other side to move.
    #[inline]
    pub fn passed(&self) -> Self {
        let mut next = *self;
        next.mover = self.mover.other();
        next.hash ^= BLACK_MOVES;
        next.checked = next.is_attacked(next.mover);
        next
    }

    /// Moves a piece and removes a captured one. True for a capture.
    #[inline]
    fn shift(&mut self, step: XiangqiMove) -> bool {
        let (from, to) = (usize::from(step.from), usize::from(step.to));
        let (piece, captured) = (self.board[from], self.board[to]);
        let kind = kind_of(piece).expect("a piece moves");
        self.board[from] = EMPTY;
        self.board[to] = piece;
        let way = bit(step.from) | bit(step.to);
        self.kinds[kind.index()] ^= way;
        self.sides[self.mover.index()] ^= way;
        self.hash ^= key(piece, step.from) ^ key(piece, step.to);
        self.lines.flip(step.from);
        if kind == PieceKind::General {
            self.generals[self.mover.index()] = step.to;
        }
        match kind_of(captured) {
            Some(kind) => self.flip(self.mover.other(), kind, step.to),
            None => self.lines.flip(step.to),
        }
        captured != EMPTY
    }
}

impl Game for Xiangqi {
    type Move = XiangqiMove;
    type Chance = Infallible;
    type Info = Perfect;

    #[inline]
    fn turn(&self) -> Turn<Infallible> {
        if self.material != Material::Open && self.material.is_drawn(self) {
            return Turn::Over(Outcome::Draw);
        }
        Turn::Of(self.mover)
    }

    #[inline]
    fn moves(&self, out: &mut Vec<XiangqiMove>) {
        if self.material == Material::Open || !self.material.is_drawn(self) {
            self.legal(out);
        }
    }

    #[inline]
    fn play(&mut self, step: XiangqiMove) {
        let (own, opponent) = (self.mover, self.mover.other());
        let was_checked = self.checked;
        let may_check = self.may_check(step);
        let captures = self.shift(step);
        self.mover = opponent;
        self.number = self.number.saturating_add(own as u16);
        self.hash ^= BLACK_MOVES;
        self.checked = may_check && self.is_attacked(opponent);
        if captures {
            (self.quiet, self.checks) = (0, [0; 2]);
            self.material = Material::of(self);
            return;
        }
        self.checks[own.index()] = self.checks[own.index()].saturating_add(u8::from(self.checked));
        let idle = |checks: bool, side: Side| checks && self.checks[side.index()] > COUNTED_CHECKS;
        let counts = !idle(self.checked, own) && !idle(was_checked, opponent);
        self.quiet = QUIET_PLIES.min(self.quiet + u8::from(counts));
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    #[inline]
    fn move_code(step: XiangqiMove) -> u16 {
        u16::from(step.from) * SQUARES as u16 + u16::from(step.to)
    }
}

#[cfg(test)]
impl Xiangqi {
    /// All incremental state is equal, except for the counted checks.
    pub(super) fn check_same_state(&self, built: &Self) {
        assert!(self == built, "{self:?}\n{built:?}");
        assert_eq!((self.kinds, self.sides), (built.kinds, built.sides), "{self:?}");
        assert_eq!(self.lines, built.lines, "{self:?}");
        assert_eq!((self.hash, self.generals), (built.hash, built.generals), "{self:?}");
        assert_eq!((self.checked, self.material), (built.checked, built.material), "{self:?}");
    }
}
