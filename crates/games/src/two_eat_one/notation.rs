use serde_json::{Value, json};

use super::evaluator::{MOST_LEAD, TwoEatOneEvaluation, TwoEatOneEvaluator};
use super::rules::{MOST_STONES, TwoEatOne, TwoEatOneFault, TwoEatOneMove};
use crate::notation::board::{Written, mark, rows_text};
use crate::notation::display::{
    BoardFacts, MoveForm, Places, STONES, Title, Titles, letters, numbers,
};
use crate::notation::{
    Facts, Fault, Notation, OptionKind, OptionSpec, Served, Settings, StateInput, members,
};
use engine::game::{Outcome, Side};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "evaluation",
        kind: OptionKind::Choice(&["stones", "none"]),
        about: "how unfinished positions are judged: by the difference of stones, or not at all",
    },
    OptionSpec {
        name: "contempt",
        kind: OptionKind::Integer { min: 0, max: MOST_LEAD as i64, default: MOST_LEAD as i64 },
        about: "stones that a search takes a draw by repetition to be behind: a side that has won far \
                beyond its depth then plays on; 0: an even game",
    },
];

/// Number of state codes: sixteen digits in base 3.
const CODES: u64 = 3_u64.pow(16);
impl Notation for TwoEatOne {
    const SIDES: [&'static str; 2] = ["black", "white"];
    const TITLES: Titles =
        Titles { game: Title::new("Two Eat One", "二吃一"), sides: Titles::STONES };

    fn facts() -> Facts {
        Facts {
            name: "two_eat_one",
            rules: "Four by four points, four stones each; black has the bottom row and moves first. A \
                    stone moves to an empty orthogonal neighbour. If then, in the row or the column \
                    of its target, two of the mover's stones stand side by side, one opponent stone next \
                    to them and the fourth point is empty, that stone is captured. A side with one \
                    stone or without a move has lost. The third repetition and 100 plies without a \
                    capture are draws.",
            text: Some(
                "rows from the top, x black and o white, then the side to move: \
                 `oooo/..../..../xxxx x`; or the code, the sum of 3^i times cell i, cells row by row \
                 from the top left, 1 = side to move, 2 = the other: `21257720`",
            ),
            moves: "from and to, files a to d, ranks 1 to 4 from the bottom: `a1a2`; cell numbers \
                    such as `12-8` are read too",
            unit: "100 = one stone",
            scale: 1,
            point: 100.0,
            schema: schema(),
            example: json!({ "game": "two_eat_one", "state": "oooo/..../..../xxxx x" }),
            repeated_movers: false,
            options: OPTIONS,
            limits: "none",
        }
    }

    fn read(state: StateInput<'_>, _: &Settings) -> Result<Self, Fault> {
        match state {
            StateInput::Start => Ok(Self::default()),
            StateInput::Text(text) => match text.trim().parse::<u64>() {
                Ok(code) => from_code(code, Side::First),
                Err(_) => from_board(&Written::from_text(text)?.sized(4, 4)?),
            },
            StateInput::Json(Value::Number(code)) => {
                let code = code.as_u64().ok_or_else(|| {
                    Fault::shape(format!(
                        "{code} is not a code of a state; codes are whole numbers of at least 0"
                    ))
                })?;
                from_code(code, Side::First)
            }
            StateInput::Json(value) => from_json(value),
        }
    }

    fn text(&self) -> Option<String> {
        let side = mark(Some(self.mover()));
        Some(format!("{} {side}", rows_text(self.rows())))
    }

    fn json(&self) -> Value {
        let rows: Vec<_> = self.rows().collect();
        json!({ "board": rows, "turn": Self::side_name(self.mover()), "code": self.code() })
    }

    fn move_text(&self, step: TwoEatOneMove) -> String {
        format!("{}{}", point(step.from), point(step.to))
    }

    fn also_written(&self, step: TwoEatOneMove) -> Option<String> {
        Some(format!("{}-{}", step.from, step.to))
    }

    fn board() -> Option<BoardFacts> {
        Some(BoardFacts {
            places: Places::Points,
            columns: letters(4),
            rows: numbers(1..=4, true),
            moves: MoveForm::FromTo,
            pieces: STONES.to_vec(),
        })
    }

    fn reason(&self, _: Outcome) -> &'static str {
        if self.stones(self.mover()).count_ones() <= 1 { "one_stone_left" } else { "no_move_left" }
    }
}

impl Served for TwoEatOne {
    type Evaluator = TwoEatOneEvaluator;

    fn evaluator(&self, settings: &Settings) -> TwoEatOneEvaluator {
        let evaluation = match settings.choice("evaluation") {
            "none" => TwoEatOneEvaluation::None,
            _ => TwoEatOneEvaluation::Stones,
        };
        TwoEatOneEvaluator { evaluation, contempt: settings.integer("contempt") as i32 }
    }

    fn strongest(&self) -> &'static str {
        "tablebase"
    }
}

fn schema() -> Value {
    let code = json!({ "type": "integer", "minimum": 0, "maximum": CODES - 1 });
    json!({
        "oneOf": [
            code,
            {
                "type": "object",
                "additionalProperties": false,
                "anyOf": [{ "required": ["board"] }, { "required": ["code"] }],
                "properties": {
                    "board": {
                        "type": "array",
                        "minItems": 4,
                        "maxItems": 4,
                        "items": { "type": "string", "pattern": "^[xo.012]{4}$" },
                        "description": "rows from the top; x or 1 is black, o or 2 white, . or 0 empty"
                    },
                    "turn": { "enum": ["black", "white", "x", "o"] },
                    "code": code
                }
            }
        ]
    })
}

/// Name of a point: file and rank.
fn point(cell: u8) -> String {
    format!("{}{}", char::from(b'a' + cell % 4), 4 - cell / 4)
}

impl TwoEatOne {
    fn stone(&self, cell: u32) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.stones(side) >> cell & 1 == 1)
    }

    fn rows(&self) -> impl Iterator<Item = String> {
        (0..4).map(|row| (0..4).map(|column| mark(self.stone(4 * row + column))).collect())
    }

    /// Code of the state: cell i counts 3^i for a stone of the mover, twice that for one of the
    /// opponent.
    pub fn code(&self) -> u64 {
        let digit = |cell| self.stone(cell).map_or(0, |side| 1 + u64::from(side != self.mover()));
        (0..16).rev().fold(0, |code, cell| 3 * code + digit(cell))
    }
}

fn position(stones: [u16; 2], mover: Side) -> Result<TwoEatOne, Fault> {
    TwoEatOne::new(stones, mover).map_err(|why| {
        let [first, second] = stones.map(u16::count_ones);
        let counts = format!("{first} black and {second} white stones");
        let name = TwoEatOne::side_name;
        Fault::position(match why {
            TwoEatOneFault::Overlap => "two stones on one point".to_owned(),
            TwoEatOneFault::TooMany(side) => {
                format!("{counts}; {} has at most {MOST_STONES}", name(side))
            }
            TwoEatOneFault::PlayedOn(side) => format!(
                "{counts}: {} had lost before its last move, so it cannot be {}'s turn",
                name(side),
                name(side.other())
            ),
            TwoEatOneFault::NoCaptor(side) => format!(
                "{counts}; {} cannot have lost its last two stones to two: that takes three",
                name(side)
            ),
        })
    })
}

fn from_code(code: u64, mover: Side) -> Result<TwoEatOne, Fault> {
    if code >= CODES {
        let why = format!("{code} is not a code of a state; codes are below 3^16 = {CODES}");
        return Err(Fault::shape(why));
    }
    let digits = (0..16).map(|cell| code / 3_u64.pow(cell) % 3);
    let of = |wanted: u64| -> u16 {
        let cells = digits.clone().enumerate().filter(|(_, digit)| *digit == wanted);
        cells.map(|(cell, _)| 1 << cell).sum()
    };
    let (own, opponent) = (of(1), of(2));
    let stones = if mover == Side::First { [own, opponent] } else { [opponent, own] };
    position(stones, mover)
}

fn from_board(written: &Written) -> Result<TwoEatOne, Fault> {
    let cells = written.rows.iter().flatten().enumerate();
    let of = |side| {
        cells
            .clone()
            .filter(|(_, stone)| **stone == Some(side))
            .map(|(cell, _)| 1_u16 << cell)
            .sum()
    };
    let mover = written.mover.unwrap_or(Side::First);
    position([of(Side::First), of(Side::Second)], mover).map_err(|fault| written.at("board", fault))
}

/// Parses `{"board": ["oooo", ...], "turn": "black", "code": 21257720}`: a board, a code, or both
/// if consistent.
fn from_json(value: &Value) -> Result<TwoEatOne, Fault> {
    let map = members(value, &["board", "turn", "code"])?;
    let code = map.get("code").map(|code| {
        let code =
            code.as_u64().ok_or_else(|| Fault::shape("expected a whole number of at least 0"));
        code.map_err(|fault| fault.under("code"))
    });
    let code = code.transpose()?;
    let mut board = value.clone();
    // With only a code, an empty board stands in, so that the other members are parsed in one
    // place.
    if let (None, Some(_)) = (map.get("board"), code) {
        board["board"] = json!(["....", "....", "....", "...."]);
    }
    for row in board["board"].as_array_mut().into_iter().flatten() {
        if let Value::String(text) = row {
            *text = text.replace('0', ".").replace('1', "x").replace('2', "o");
        }
    }
    let written = Written::from_json(&board, &["code"], TwoEatOne::SIDES)?.sized(4, 4)?;
    let Some(code) = code else { return from_board(&written) };
    let at_code = |fault: Fault| fault.under("code");
    let by_code = from_code(code, written.mover.unwrap_or(Side::First)).map_err(at_code)?;
    if map.contains_key("board") {
        let by_board = from_board(&written)?;
        if by_board != by_code {
            let why = format!("expected the code {} of the board, got {code}", by_board.code());
            return Err(at_code(Fault::position(why)));
        }
    }
    Ok(by_code)
}
