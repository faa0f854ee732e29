//! What a client that knows no game needs to show one: titles, and the board with its pieces.

/// A title, or another text, in two languages.
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

/// What a piece looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceForm {
    /// A round stone or disc.
    Stone,
    /// A disc with its glyph on it.
    Token,
    /// The glyph alone.
    Glyph,
    /// A block that fills its cell, with its glyph on it where it has one.
    Block,
}

/// The colour of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Black.
    Black,
    /// White.
    White,
    /// Red.
    Red,
    /// Yellow.
    Yellow,
    /// Green.
    Green,
    /// Blue.
    Blue,
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
    /// What it looks like.
    pub form: PieceForm,
    /// Its colour.
    pub paint: Paint,
    /// What is written on it.
    pub glyph: Option<&'static str>,
}

impl PieceMark {
    /// A stone of the first (0) side, black, or of the second (1), white.
    pub const fn of(side: usize, mark: char, en: &'static str, zh: &'static str) -> Self {
        let paint = if side == 0 { Paint::Black } else { Paint::White };
        let (form, side) = (PieceForm::Stone, Some(side));
        Self { mark, side, title: Title::new(en, zh), form, paint, glyph: None }
    }

    /// What belongs to no side: a green glyph.
    pub const fn common(
        mark: char,
        en: &'static str,
        zh: &'static str,
        glyph: &'static str,
    ) -> Self {
        let (form, paint) = (PieceForm::Glyph, Paint::Green);
        Self { mark, side: None, title: Title::new(en, zh), form, paint, glyph: Some(glyph) }
    }

    /// The same piece in another shape and colour.
    pub const fn drawn(self, form: PieceForm, paint: Paint) -> Self {
        Self { form, paint, ..self }
    }

    /// The same piece with something written on it.
    pub const fn written(self, glyph: &'static str) -> Self {
        Self { glyph: Some(glyph), ..self }
    }
}

/// Dots of a board of 15 x 15 points.
pub const STAR_POINTS: [BoardPlace; 5] = [[3, 3], [11, 3], [7, 7], [3, 11], [11, 11]];

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
    /// What is drawn beside the grid.
    pub ornaments: Ornaments,
}

/// A place of a board: column from the left and row from the top, from 0.
pub type BoardPlace = [usize; 2];

/// What is drawn on a board beside its grid.
#[derive(Clone, Debug, Default)]
pub struct Ornaments {
    /// Lines from a place to a place.
    pub lines: Vec<[BoardPlace; 2]>,
    /// Places with a dot.
    pub dots: Vec<BoardPlace>,
    /// The row from the top below which the lines between the outer columns are interrupted.
    pub river: Option<usize>,
}

impl Ornaments {
    /// Dots alone.
    pub fn dots(dots: &[BoardPlace]) -> Self {
        Self { dots: dots.to_vec(), ..Self::default() }
    }
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
