use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::rules::{TicTacToe, TicTacToeFault};
use crate::notation::board::{Written, mark, rows_text, turns};
use crate::notation::display::{
    BoardFacts, MoveForm, Ornaments, Paint, PieceForm, PieceMark, Places, Title, Titles, letters,
    numbers,
};
use crate::notation::{
    Facts, Fault, Notation, Served, Settings, StateInput, read_state, schema_of,
};
use engine::game::{Game, Outcome, Plain, Side, Turn};

turns! {
    /// Side to move.
    TicTacToeTurn: X = "X"; O = "O"
}

/// A position.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TicTacToeState {
    /// Rows from the top.
    #[schemars(length(equal = 3), inner(regex(pattern = r"^[xo.]{3}$")))]
    board: Vec<String>,
    /// Side to move; by default by the number of stones.
    turn: Option<TicTacToeTurn>,
}

impl Notation for TicTacToe {
    const SIDES: [&'static str; 2] = ["x", "o"];
    const TITLES: Titles = Titles {
        game: Title::new("Tic-tac-toe", "井字棋"),
        sides: [Title::new("X", "X"), Title::new("O", "O")],
    };
    const END_REASONS: &'static [&'static str] = &["three_in_a_row", "board_full"];

    fn facts() -> Facts {
        Facts {
            name: "tictactoe",
            rules: Title::new(
                "Three by three cells, x moves first. Three in a row, column or diagonal win; a \
                    full board without them is a draw.",
                "三乘三的格子,x 先走。横、竖或斜连成三子者胜;棋盘填满而无人连成为和。",
            ),
            source: "traditional, also noughts and crosses",
            text: Some("rows from the top, then the side to move: `x.o/.x./..o x`"),
            moves: Title::new(
                "file letter and rank from the bottom: `b2` is the centre",
                "列字母加从下数起的行号:`b2` 是中心",
            ),
            move_pattern: r"^[a-c][1-3]$",
            unit: "none: unfinished positions are worth 0",
            scale: 1,
            point: 1.0,
            schema: schema_of::<TicTacToeState>(),
            example: json!({ "game": "tictactoe", "state": "x.o/.x./..o x", "algorithm": "tablebase" }),
            repeated_movers: false,
            options: &[],
            limits: "none",
        }
    }

    fn read(state: StateInput<'_>, _: &Settings) -> Result<Self, Fault> {
        let written = match state {
            StateInput::Start => return Ok(Self::default()),
            StateInput::Text(text) => Written::from_text(text)?,
            StateInput::Json(value) => {
                let state: TicTacToeState = read_state(value)?;
                Written::from_rows(&state.board, state.turn.map(Side::from))?
            }
        };
        from_rows(&written.sized(3, 3)?)
    }

    fn text(&self) -> Option<String> {
        Some(format!("{} {}", rows_text(self.rows()), Self::side_name(self.mover())))
    }

    fn json(&self) -> Value {
        let rows: Vec<_> = self.rows().collect();
        json!({ "board": rows, "turn": Self::side_name(self.mover()) })
    }

    fn move_text(&self, mv: u8) -> String {
        format!("{}{}", char::from(b'a' + mv % 3), 3 - mv / 3)
    }

    fn board() -> Option<BoardFacts> {
        Some(BoardFacts {
            places: Places::Cells,
            columns: letters(3),
            rows: numbers(1..=3, true),
            moves: MoveForm::Place,
            pieces: vec![
                PieceMark::of(0, 'x', "X", "X").drawn(PieceForm::Glyph, Paint::Blue).written("✕"),
                PieceMark::of(1, 'o', "O", "O").drawn(PieceForm::Glyph, Paint::Red).written("◯"),
            ],
            ornaments: Ornaments::default(),
        })
    }

    fn reason(&self, outcome: Outcome) -> &'static str {
        if outcome == Outcome::Draw { "board_full" } else { "three_in_a_row" }
    }
}

impl Served for TicTacToe {
    type Evaluator = Plain;

    fn evaluator(&self, _: &Settings) -> Plain {
        Plain
    }

    fn strongest(&self) -> &'static str {
        "tablebase"
    }
}

impl TicTacToe {
    fn rows(self) -> impl Iterator<Item = String> {
        (0..3).map(move |row| {
            let stone = |column: u32| {
                let cell = 1 << (3 * row + column);
                Side::BOTH.into_iter().find(|&side| self.stones(side) & cell != 0)
            };
            (0..3).map(|column| mark(stone(column))).collect()
        })
    }
}

fn from_rows(written: &Written) -> Result<TicTacToe, Fault> {
    let cells = written.rows.iter().flatten().enumerate();
    let stones = |side| {
        cells.clone().filter(|(_, stone)| **stone == Some(side)).map(|(cell, _)| 1 << cell).sum()
    };
    let pos = TicTacToe::new(stones(Side::First), stones(Side::Second)).map_err(|why| {
        let fault = Fault::position(match why {
            TicTacToeFault::Count { first, second } => format!(
                "{first} x and {second} o; x moves first, so there are as many x as o, or one more"
            ),
            TicTacToeFault::BothWon => "both sides have three in a row".into(),
            TicTacToeFault::PlayedOn => "a side moved after the other had three in a row".into(),
        });
        written.at("board", fault)
    })?;
    match written.mover {
        Some(mover) if mover != pos.mover() && matches!(pos.turn(), Turn::Of(_)) => {
            let right = TicTacToe::side_name(pos.mover());
            let why = format!("by the number of stones it is {right}'s turn");
            Err(written.at("turn", Fault::position(why)))
        }
        _ => Ok(pos),
    }
}
