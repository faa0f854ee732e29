use std::convert::Infallible;

use crate::gomoku::{Gomoku, Point, SIZES};
use engine::game::{Acyclic, Game, History, Outcome, Perfect, Rng, Side, Turn, zobrist};

/// Choice announced in the opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// The second player takes black.
    Swap,
    /// The second player takes white.
    Stay,
    /// The second player places two more stones and leaves the choice to the first.
    Two,
    /// The first player takes black.
    Black,
    /// The first player takes white.
    White,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swap2Move {
    /// A stone of the colour whose turn it is, on an empty point.
    Put(Point),
    /// A choice.
    Say(Word),
}

/// Phase of the opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The first player places three stones.
    Three,
    /// The second player chooses.
    Choice,
    /// The second player places two more stones.
    Two,
    /// The first player chooses a colour.
    Colour,
    /// The opening is over.
    Play {
        /// Player of the black stones.
        black: Side,
        /// True if the second player placed two more stones.
        extended: bool,
    },
}

impl Phase {
    /// The legal words.
    pub fn words(self) -> &'static [Word] {
        match self {
            Self::Choice => &[Word::Swap, Word::Stay, Word::Two],
            Self::Colour => &[Word::Black, Word::White],
            Self::Three | Self::Two | Self::Play { .. } => &[],
        }
    }

    /// Small number identifying the phase.
    fn number(self) -> u64 {
        match self {
            Self::Three => 0,
            Self::Choice => 1,
            Self::Two => 2,
            Self::Colour => 3,
            Self::Play { black, extended } => 4 + black.index() as u64 + 2 * u64::from(extended),
        }
    }
}

/// Maximum game length: every point of the largest board, and two words.
const LONGEST: usize = (*SIZES.end() as usize).pow(2) + 2;

/// A position of gomoku with the opening swap2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GomokuSwap2 {
    /// The stones. Colours alternate in the opening too, so this is always a valid gomoku position.
    board: Gomoku,
    phase: Phase,
    /// All moves so far; the rest of the array is unused.
    moves: [Swap2Move; LONGEST],
    count: u16,
}

const PHASES: [u64; 8] = zobrist::keys(0x5357_4150_0001);

impl GomokuSwap2 {
    /// The start of the opening on an empty board.
    pub fn new(board: Gomoku) -> Self {
        debug_assert!(board.stones() == 0, "an opening begins on an empty board");
        let moves = [Swap2Move::Say(Word::Swap); LONGEST];
        Self { board, phase: Phase::Three, moves, count: 0 }
    }

    /// The stones, as a position of gomoku.
    pub fn board(&self) -> &Gomoku {
        &self.board
    }

    /// Phase of the opening.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// All moves so far.
    pub fn played(&self) -> &[Swap2Move] {
        &self.moves[..usize::from(self.count)]
    }

    /// Player of a colour, given the player of black.
    fn owner(black: Side, colour: Side) -> Side {
        if colour == Side::First { black } else { black.other() }
    }

    /// Side to move, while the game is not over.
    #[inline]
    pub fn mover(&self) -> Side {
        match self.phase {
            Phase::Three | Phase::Colour => Side::First,
            Phase::Choice | Phase::Two => Side::Second,
            Phase::Play { black, .. } => Self::owner(black, self.board.mover()),
        }
    }
}

/// The phase after a word.
fn said(word: Word) -> Phase {
    let play = |black, extended| Phase::Play { black, extended };
    match word {
        Word::Swap => play(Side::Second, false),
        Word::Stay => play(Side::First, false),
        Word::Two => Phase::Two,
        Word::Black => play(Side::First, true),
        Word::White => play(Side::Second, true),
    }
}

impl Game for GomokuSwap2 {
    type Move = Swap2Move;
    type Chance = Infallible;
    type Info = Perfect;

    #[inline]
    fn turn(&self) -> Turn<Infallible> {
        match (self.phase, self.board.turn()) {
            (Phase::Play { black, .. }, Turn::Over(Outcome::Win(colour))) => {
                Turn::Over(Outcome::Win(Self::owner(black, colour)))
            }
            (Phase::Play { .. }, Turn::Over(outcome)) => Turn::Over(outcome),
            _ => Turn::Of(self.mover()),
        }
    }

    fn moves(&self, out: &mut Vec<Swap2Move>) {
        let words = self.phase.words();
        if !words.is_empty() {
            out.extend(words.iter().map(|&word| Swap2Move::Say(word)));
        } else if !self.board.has_five() {
            let board = &self.board;
            let may = |at: &Point| board.stone(*at).is_none() && board.foul(*at).is_none();
            out.extend(board.points().filter(may).map(Swap2Move::Put));
        }
    }

    #[inline]
    fn play(&mut self, mv: Swap2Move) {
        self.moves[usize::from(self.count)] = mv;
        self.count += 1;
        match mv {
            Swap2Move::Say(word) => self.phase = said(word),
            Swap2Move::Put(at) => {
                self.board.play(at);
                self.phase = match (self.phase, self.board.stones()) {
                    (Phase::Three, 3) => Phase::Choice,
                    (Phase::Two, 5) => Phase::Colour,
                    (phase, _) => phase,
                };
            }
        }
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.board.hash() ^ PHASES[self.phase.number() as usize]
    }

    fn move_code(mv: Swap2Move) -> u16 {
        match mv {
            Swap2Move::Put(at) => Gomoku::move_code(at),
            Swap2Move::Say(word) => 0xFF00 | word as u16,
        }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<Swap2Move>) -> Option<Swap2Move> {
        if self.phase.words().is_empty() {
            // The board rarely needs the list; an empty one does not allocate.
            return self.board.random_move(rng, &mut Vec::new()).map(Swap2Move::Put);
        }
        scratch.clear();
        self.moves(scratch);
        rng.pick(scratch)
    }
}

impl Acyclic for GomokuSwap2 {}

impl History for GomokuSwap2 {}
