use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::evaluator::{Connect4Evaluation, Connect4Evaluator};
use super::rules::{Connect4, HEIGHT, WIDTH};
use super::solver::Connect4Maker;
use crate::notation::board::{Written, mark, turns};
use crate::notation::display::{
    BoardFacts, MoveForm, Ornaments, Paint, PieceForm, PieceMark, Places, Title, Titles, numbers,
};
use crate::notation::{
    Facts, Fault, Notation, OptionKind, OptionSpec, Served, Settings, StateInput, read_state,
    schema_of,
};
use crate::openings::OpeningMaker;
use engine::game::{Game, Outcome, Side, Turn};

const OPTIONS: &[OptionSpec] = &[OptionSpec {
    name: "evaluation",
    kind: OptionKind::Choice(&["threats", "none"]),
    about: "how unfinished positions are judged: by the cells that would complete four, or not at all",
}];

turns! {
    /// Side to move, by its turn or its mark.
    Connect4Turn: First, X = "X"; Second, O = "O"
}

/// A position.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Connect4State {
    /// Rows from the top; x is the side that moved first.
    #[schemars(length(equal = 6), inner(regex(pattern = r"^[xo.]{7}$")))]
    board: Vec<String>,
    /// Side to move; by default by the number of discs.
    turn: Option<Connect4Turn>,
}

impl Notation for Connect4 {
    const SIDES: [&'static str; 2] = ["first", "second"];
    const TITLES: Titles =
        Titles { game: Title::new("Connect Four", "四子棋"), sides: Titles::BY_TURN };
    const END_REASONS: &'static [&'static str] = &["four_in_a_row", "board_full"];

    fn facts() -> Facts {
        Facts {
            name: "connect4",
            rules: Title::new(
                "Seven columns of six cells. A stone falls to the lowest empty cell of its \
                    column. Four in a line win; a full board without them is a draw.",
                "七列,每列六格。棋子落到所选列最低的空格。四子连成一线者胜;棋盘填满而无人连成为和。",
            ),
            source: "Wexler and Strongin 1974; solved by Allen and by Allis 1988",
            text: Some("the columns played from the empty board, 1 to 7: `4455`"),
            moves: Title::new("the column, `1` to `7`", "列号,`1` 到 `7`"),
            move_pattern: r"^[1-7]$",
            unit: "100 = one cell that would complete four",
            scale: 1,
            point: 100.0,
            schema: schema_of::<Connect4State>(),
            example: json!({
                "game": "connect4", "state": "4455", "budget": { "time_ms": 200 }
            }),
            repeated_movers: false,
            options: OPTIONS,
            limits: "none",
        }
    }

    fn read(state: StateInput<'_>, _: &Settings) -> Result<Self, Fault> {
        match state {
            StateInput::Start => Ok(Self::default()),
            StateInput::Text(text) => from_columns(text),
            StateInput::Json(value) => {
                let state: Connect4State = read_state(value)?;
                let written = Written::from_rows(&state.board, state.turn.map(Side::from))?;
                from_board(&written.sized(WIDTH as usize, HEIGHT as usize)?)
            }
        }
    }

    fn text(&self) -> Option<String> {
        history(self)
    }

    fn json(&self) -> Value {
        let row = |row: u32| -> String {
            (0..WIDTH).map(|column| mark(self.stone(column, row))).collect()
        };
        let rows: Vec<_> = (0..HEIGHT).rev().map(row).collect();
        json!({ "board": rows, "turn": Self::side_name(self.mover()) })
    }

    fn move_text(&self, mv: u8) -> String {
        (mv + 1).to_string()
    }

    fn board() -> Option<BoardFacts> {
        Some(BoardFacts {
            places: Places::Cells,
            columns: numbers(1..=WIDTH as usize, false),
            rows: numbers(1..=HEIGHT as usize, true),
            moves: MoveForm::Column,
            pieces: vec![
                PieceMark::of(0, 'x', "First player's disc", "先手棋子")
                    .drawn(PieceForm::Stone, Paint::Red),
                PieceMark::of(1, 'o', "Second player's disc", "后手棋子")
                    .drawn(PieceForm::Stone, Paint::Yellow),
            ],
            ornaments: Ornaments::default(),
        })
    }

    fn reason(&self, outcome: Outcome) -> &'static str {
        if outcome == Outcome::Draw { "board_full" } else { "four_in_a_row" }
    }
}

impl Served for Connect4 {
    type Evaluator = Connect4Evaluator;

    fn evaluator(&self, settings: &Settings) -> Connect4Evaluator {
        let evaluation = match settings.choice("evaluation") {
            "none" => Connect4Evaluation::None,
            _ => Connect4Evaluation::Threats,
        };
        Connect4Evaluator { evaluation }
    }

    fn strongest(&self) -> &'static str {
        "alphabeta"
    }

    fn opening_maker() -> Option<Box<dyn OpeningMaker>> {
        Some(Box::new(Connect4Maker::default()))
    }
}

fn from_columns(text: &str) -> Result<Connect4, Fault> {
    let mut pos = Connect4::default();
    for (index, mark) in text.trim().chars().enumerate() {
        let nth = index + 1;
        let column =
            mark.to_digit(10).filter(|digit| (1..=WIDTH).contains(digit)).ok_or_else(|| {
                Fault::shape(format!("`{mark}` (move {nth}) is not a column; columns are 1 to 7"))
            })?;
        if matches!(pos.turn(), Turn::Over(_)) {
            return Err(Fault::position(format!("move {nth} is played after the end of the game")));
        }
        if pos.is_full(column - 1) {
            let why = format!("move {nth} is played into column {column}, which is full");
            return Err(Fault::position(why));
        }
        pos.play(column as u8 - 1);
    }
    Ok(pos)
}

fn from_board(written: &Written) -> Result<Connect4, Fault> {
    let count = |side| written.rows.iter().flatten().filter(|cell| **cell == Some(side)).count();
    let (first, second) = (count(Side::First), count(Side::Second));
    if first != second && first != second + 1 {
        return Err(Fault::position(format!(
            "{first} x and {second} o; x moves first, so there are as many x as o, or one more"
        ))
        .under("board"));
    }
    let height = HEIGHT as usize;
    for (column, row) in (0..WIDTH as usize).flat_map(|c| (1..height).map(move |r| (c, r))) {
        let stone_at = |row: usize| written.rows[height - 1 - row][column];
        if stone_at(row).is_some() && stone_at(row - 1).is_none() {
            let (column, row) = (column + 1, row + 1);
            return Err(Fault::position(format!(
                "the disc in column {column}, row {row} from the bottom floats above an empty cell"
            ))
            .under("board"));
        }
    }
    let stone = |column: u32, row: u32| written.rows[(HEIGHT - 1 - row) as usize][column as usize];
    let pos = Connect4::from_stones(stone);
    let mover = if first == second { Side::First } else { Side::Second };
    if pos.has_four(mover.other()) && pos.has_four(mover) {
        return Err(Fault::position("both sides have four in a line").under("board"));
    }
    if pos.has_four(mover) {
        let why = "a disc was played after the other side had four in a line";
        return Err(Fault::position(why).under("board"));
    }
    if written.mover.is_some_and(|named| named != mover) {
        let why = format!("by the number of discs it is {}'s turn", Connect4::side_name(mover));
        return Err(Fault::position(why).under("turn"));
    }
    Ok(pos)
}

/// A column sequence that leads to the position, found by memoized depth-first retraction of the
/// last mover's top stones. Some arrangements with valid counts are unreachable; these have no
/// text.
fn history(pos: &Connect4) -> Option<String> {
    let mut heights = [0_u32; WIDTH as usize];
    for column in 0..WIDTH {
        let filled = (0..HEIGHT).take_while(|&row| pos.stone(column, row).is_some()).count();
        heights[column as usize] = filled as u32;
    }
    let mut dead = std::collections::HashSet::new();
    let mut columns = Vec::new();
    let last = pos.mover().other();
    unplay(pos, &mut heights, last, &mut columns, &mut dead)
        .then(|| columns.iter().rev().map(|column| char::from(b'1' + column)).collect())
}

/// Retracted positions are identified by their column heights alone: the stones below are fixed.
fn unplay(
    pos: &Connect4,
    heights: &mut [u32; WIDTH as usize],
    last: Side,
    columns: &mut Vec<u8>,
    dead: &mut std::collections::HashSet<[u32; WIDTH as usize]>,
) -> bool {
    if heights.iter().all(|&height| height == 0) {
        return true;
    }
    if dead.contains(heights) {
        return false;
    }
    for column in 0..WIDTH {
        let height = heights[column as usize];
        if height == 0 || pos.stone(column, height - 1) != Some(last) {
            continue;
        }
        heights[column as usize] -= 1;
        // No game continues after four in a line.
        let below = Connect4::from_stones(|column, row| {
            pos.stone(column, row).filter(|_| row < heights[column as usize])
        });
        columns.push(column as u8);
        let open = !below.has_four(Side::First) && !below.has_four(Side::Second);
        if open && unplay(pos, heights, last.other(), columns, dead) {
            return true;
        }
        columns.pop();
        heights[column as usize] += 1;
    }
    dead.insert(*heights);
    false
}
