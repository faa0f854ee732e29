//! What a client that knows no game needs to show one: titles, and the board with its pieces.

/// A title in two languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Title {
    /// English.
    pub en: &'static str,
    /// Chinese.
    pub zh: &'static str,
}

impl Title {
    /// A title in English and in Chinese.
    pub const fn new(en: &'static str, zh: &'static str) -> Self {
        Self { en, zh }
    }
}

/// Titles of a game and of its sides.
#[derive(Clone, Copy, Debug)]
pub struct Titles {
    /// The game.
    pub game: Title,
    /// The first and the second side.
    pub sides: [Title; 2],
}

impl Titles {
    /// Sides of a game that names them by their turn only.
    pub const BY_TURN: [Title; 2] =
        [Title::new("First player", "先手"), Title::new("Second player", "后手")];
    /// Sides with black stones, which move first, and white ones.
    pub const STONES: [Title; 2] = [Title::new("Black", "黑方"), Title::new("White", "白方")];
}

/// Where pieces stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// In the cells between the lines.
    Cells,
    /// On the crossings of the lines.
    Points,
}

/// What the text of a move names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveForm {
    /// The place of a new piece: column and row.
    Place,
    /// The place that a piece leaves and the one that it goes to.
    FromTo,
    /// A column.
    Column,
    /// No place of the board.
    Word,
}

/// A character of a diagram.
#[derive(Clone, Copy, Debug)]
pub struct PieceMark {
    /// The character.
    pub mark: char,
    /// Index of the side that it belongs to, if it does.
    pub side: Option<usize>,
    /// What it is.
    pub title: Title,
}

impl PieceMark {
    /// A piece of the first (0) or second (1) side.
    pub const fn of(side: usize, mark: char, en: &'static str, zh: &'static str) -> Self {
        Self { mark, side: Some(side), title: Title::new(en, zh) }
    }

    /// What belongs to no side.
    pub const fn common(mark: char, en: &'static str, zh: &'static str) -> Self {
        Self { mark, side: None, title: Title::new(en, zh) }
    }
}

/// Black and white stones as `x` and `o`.
pub const STONES: [PieceMark; 2] =
    [PieceMark::of(0, 'x', "Black stone", "黑子"), PieceMark::of(1, 'o', "White stone", "白子")];

/// A board: rows from the top, columns from the left.
#[derive(Clone, Debug)]
pub struct BoardFacts {
    /// Where pieces stand.
    pub places: Places,
    /// Names of the columns from the left, as moves have them.
    pub columns: Vec<String>,
    /// Names of the rows from the top.
    pub rows: Vec<String>,
    /// What moves name.
    pub moves: MoveForm,
    /// The characters of a diagram; any other is an empty place.
    pub pieces: Vec<PieceMark>,
}

/// The letters from `a` on.
pub fn letters(count: usize) -> Vec<String> {
    (b'a'..).take(count).map(|letter| char::from(letter).to_string()).collect()
}

/// Numbers of rows from the top: `upwards` the first is the greatest.
pub fn numbers(range: std::ops::RangeInclusive<usize>, upwards: bool) -> Vec<String> {
    let names = range.map(|number| number.to_string());
    if upwards { names.rev().collect() } else { names.collect() }
}
