use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::evaluator::{OthelloEvaluation, OthelloEvaluator};
use super::rules::{CENTRE, DISC, Othello, PASS};
use crate::notation::board::StoneTurn;
use crate::notation::display::{
    BoardFacts, MoveForm, Ornaments, PieceMark, Places, Title, Titles, letters, numbers,
};
use crate::notation::{
    Facts, Fault, Notation, OptionKind, OptionSpec, Served, Settings, StateInput, read_state,
    schema_of,
};
use engine::game::{Outcome, Side};

const SQUARES: usize = 64;
const WIDTH: usize = 8;

/// A position.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OthelloState {
    /// Rows 1 to 8, each from column a to h; X is black.
    #[schemars(length(equal = 8), inner(regex(pattern = r"^[-.XOxo*]{8}$")))]
    board: Vec<String>,
    /// Side to move.
    turn: StoneTurn,
}

const OPTIONS: &[OptionSpec] = &[OptionSpec {
    name: "evaluation",
    kind: OptionKind::Choice(&["network", "hand", "material"]),
    about: "`network`: the hand-made evaluation, corrected by a network of patterns trained by self-play; `hand`: \
            mobility, corners and adjacent squares, stable discs; `material`: discs alone",
}];

impl Notation for Othello {
    const SIDES: [&'static str; 2] = ["black", "white"];
    const TITLES: Titles =
        Titles { game: Title::new("Othello", "黑白棋"), sides: Titles::STONES };
    const END_REASONS: &'static [&'static str] = &["no_moves_left", "no_discs_left", "board_full"];

    fn facts() -> Facts {
        Facts {
            name: "othello",
            rules: Title::new(
                "Eight by eight squares, black (X) moves first. A disc is placed where it flanks \
                    discs of the other side in a line, and turns them over. A side that cannot \
                    place one passes; when neither can, the side with more discs wins by the \
                    difference, empty squares counted for the winner.",
                "八乘八的格子,黑方(X)先走。落子须在一直线上夹住对方棋子,被夹住的都翻转。无处可下者停一手;双方都无处可下时,棋子多者按差数得胜,空格归胜方。",
            ),
            source: "rules of the World Othello Federation",
            text: Some(
                "64 characters of `-XO` row by row from a1 to h8, then the side to move: \
                 `---------------------------OX------XO--------------------------- X`",
            ),
            moves: Title::new(
                "column letter and row number from the top, `d3`, or `pass`",
                "列字母加从上数起的行号,`d3`,或 `pass`",
            ),
            move_pattern: r"^([a-h][1-8]|pass)$",
            unit: "discs of the final margin",
            scale: DISC,
            point: 1.0,
            schema: schema_of::<OthelloState>(),
            example: json!({
                "game": "othello",
                "moves": ["d3", "c5", "e6"],
                "budget": { "time_ms": 500 }
            }),
            repeated_movers: false,
            options: OPTIONS,
            limits: "none",
        }
    }

    fn read(state: StateInput<'_>, _: &Settings) -> Result<Self, Fault> {
        match state {
            StateInput::Start => Ok(Self::default()),
            StateInput::Text(text) => from_text(text),
            StateInput::Json(value) => from_json(value),
        }
    }

    fn text(&self) -> Option<String> {
        let board: String = (0..SQUARES).map(|square| mark(self, square)).collect();
        Some(format!("{board} {}", MARKS[self.mover().index()]))
    }

    fn json(&self) -> Value {
        let row = |row: usize| -> String {
            (0..WIDTH).map(|column| mark(self, WIDTH * row + column)).collect()
        };
        let rows: Vec<_> = (0..WIDTH).map(row).collect();
        json!({ "board": rows, "turn": Self::side_name(self.mover()) })
    }

    fn move_text(&self, mv: u8) -> String {
        if mv == PASS { "pass".into() } else { square_text(usize::from(mv)) }
    }

    fn board() -> Option<BoardFacts> {
        Some(BoardFacts {
            places: Places::Cells,
            columns: letters(WIDTH),
            rows: numbers(1..=WIDTH, false),
            moves: MoveForm::Place,
            pieces: vec![
                PieceMark::of(0, 'X', "Black disc", "黑子"),
                PieceMark::of(1, 'O', "White disc", "白子"),
            ],
            ornaments: Ornaments::dots(&[[2, 2], [6, 2], [2, 6], [6, 6]]),
        })
    }

    fn reason(&self, _: Outcome) -> &'static str {
        if Side::BOTH.iter().any(|&side| self.discs(side) == 0) {
            "no_discs_left"
        } else if self.empty() == 0 {
            "board_full"
        } else {
            "no_moves_left"
        }
    }
}

impl Served for Othello {
    type Evaluator = OthelloEvaluator;

    fn evaluator(&self, settings: &Settings) -> OthelloEvaluator {
        OthelloEvaluator::new(match settings.choice("evaluation") {
            "hand" => OthelloEvaluation::Hand,
            "material" => OthelloEvaluation::Material,
            _ => OthelloEvaluation::Network,
        })
    }

    fn strongest(&self) -> &'static str {
        "probcut"
    }
}

/// Marks of black and white.
const MARKS: [char; 2] = ['X', 'O'];

fn mark(pos: &Othello, square: usize) -> char {
    let side = Side::BOTH.into_iter().find(|&side| pos.discs(side) >> square & 1 == 1);
    side.map_or('-', |side| MARKS[side.index()])
}

fn square_text(square: usize) -> String {
    format!("{}{}", char::from(b'a' + (square % WIDTH) as u8), square / WIDTH + 1)
}

/// Side of a mark, in either case; `*` also denotes black.
fn side_of(mark: char) -> Option<Side> {
    match mark {
        'X' | 'x' | '*' => Some(Side::First),
        'O' | 'o' => Some(Side::Second),
        _ => None,
    }
}

/// Adds the disc denoted by the mark on this square.
fn put(discs: &mut [u64; 2], square: usize, mark: char) -> Result<(), Fault> {
    match side_of(mark) {
        Some(side) => discs[side.index()] |= 1 << square,
        None if "-.".contains(mark) => {}
        None => {
            let square = square_text(square);
            let why = format!("`{mark}` on {square}; squares are `X` (black), `O` (white) and `-`");
            return Err(Fault::shape(why));
        }
    }
    Ok(())
}

fn read_side(word: &str) -> Result<Side, Fault> {
    let mut marks = word.chars();
    let named = Othello::SIDES.iter().position(|side| *side == word).map(|n| Side::BOTH[n]);
    let marked = marks.next().and_then(side_of).filter(|_| marks.next().is_none());
    named.or(marked).ok_or_else(|| {
        Fault::shape(format!("`{word}` is not a side to move; expected `X` (black) or `O` (white)"))
    })
}

fn from_text(text: &str) -> Result<Othello, Fault> {
    let mut words = text.split_whitespace();
    let board = words.next().unwrap_or_default();
    let mut discs = [0; 2];
    for (square, mark) in board.chars().enumerate().take(SQUARES) {
        put(&mut discs, square, mark)?;
    }
    let count = board.chars().count();
    if count != SQUARES {
        let why = format!("{count} characters for the board, which has 64 squares, a1 to h8");
        return Err(Fault::shape(why));
    }
    let missing = "missing side to move; expected `X` (black) or `O` (white) after the board";
    let mover = read_side(words.next().ok_or_else(|| Fault::shape(missing))?)?;
    if let Some(word) = words.next() {
        return Err(Fault::shape(format!("`{word}` after the side to move")));
    }
    position(discs, mover, ["", ""])
}

fn from_json(value: &Value) -> Result<Othello, Fault> {
    let OthelloState { board, turn } = read_state(value)?;
    let mut discs = [0; 2];
    for (index, row) in board.iter().enumerate().take(WIDTH) {
        read_row(&mut discs, index, row).map_err(|fault| fault.under(index).under("board"))?;
    }
    if board.len() != WIDTH {
        let why = format!("{} rows; the board has {WIDTH}", board.len());
        return Err(Fault::shape(why).under("board"));
    }
    position(discs, turn.into(), ["board", "turn"])
}

fn read_row(discs: &mut [u64; 2], index: usize, row: &str) -> Result<(), Fault> {
    let count = row.chars().count();
    if count != WIDTH {
        let why = format!("row {} has {count} squares; the board has {WIDTH} columns", index + 1);
        return Err(Fault::shape(why));
    }
    let mut marks = row.chars().enumerate();
    marks.try_for_each(|(column, mark)| put(discs, WIDTH * index + column, mark))
}

/// The position, if it passes all plausibility checks. `places` name board and turn.
fn position(discs: [u64; 2], mover: Side, places: [&str; 2]) -> Result<Othello, Fault> {
    let at = |place: &str, why: String| {
        let fault = Fault::position(why);
        Err(if place.is_empty() { fault } else { fault.under(place) })
    };
    let all = discs[0] | discs[1];
    let lowest = |squares: u64| square_text(squares.trailing_zeros() as usize);
    let pos = Othello::new(discs, mover);
    if CENTRE & !all != 0 {
        let hole = lowest(CENTRE & !all);
        let why = format!(
            "{hole} is empty; a game starts with discs on d4, e4, d5 and e5, and discs are never removed"
        );
        return at(places[0], why);
    }
    let alone = all & !connected(all);
    if alone != 0 {
        let why = format!(
            "the disc on {} stands alone; discs are placed next to others, so all are connected to the centre",
            lowest(alone)
        );
        return at(places[0], why);
    }
    let start = Othello::default();
    if all == CENTRE && Side::BOTH.iter().any(|&side| pos.discs(side) != start.discs(side)) {
        let why = "no side has moved yet, so black stands on e4 and d5, white on d4 and e5";
        return at(places[0], why.into());
    }
    // A pass is impossible so early in the game.
    let placed = all.count_ones() - CENTRE.count_ones();
    let by_count = if placed == 0 { Side::First } else { Side::Second };
    if placed <= 1 && mover != by_count {
        let done = if placed == 0 { "no side has moved yet" } else { "only black has moved" };
        let why = format!("{done}, so it is {}'s turn", Othello::side_name(by_count));
        return at(places[1], why);
    }
    Ok(pos)
}

/// The discs connected to the centre.
fn connected(discs: u64) -> u64 {
    let mut found = discs & CENTRE;
    loop {
        let wider = discs & super::bits::around(found);
        if wider == found {
            return found;
        }
        found = wider;
    }
}
