use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::evaluator::{MOST_LEAD, TwoEatOneEvaluation, TwoEatOneEvaluator};
use super::rules::{MOST_STONES, TwoEatOne, TwoEatOneFault, TwoEatOneMove};
use crate::notation::board::{StoneTurn, Written, mark, rows_text};
use crate::notation::display::{
    BoardFacts, MoveForm, Ornaments, Places, STONES, Title, Titles, letters, numbers,
};
use crate::notation::{
    BoundedWhole, Facts, Fault, Notation, OptionKind, OptionSpec, Served, Settings, StateInput,
    read_json, read_state, schema_of,
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
    const END_REASONS: &'static [&'static str] = &[
        "one_stone_left",
        "no_move_left",
        "threefold_repetition",
        "hundred_plies_without_capture",
    ];

    fn facts() -> Facts {
        Facts {
            name: "two_eat_one",
            rules: Title::new(
                "Four by four points, four stones each; black has the bottom row and moves first. A \
                    stone moves to an empty orthogonal neighbour. If then, in the row or the column \
                    of its target, two of the mover's stones stand side by side, one opponent stone next \
                    to them and the fourth point is empty, that stone is captured. A side with one \
                    stone or without a move has lost. The third repetition and 100 plies without a \
                    capture are draws.",
                "四乘四的交叉点,双方各四子;黑方在最下一行,先走。一子走到相邻(横竖)的空点。此后若在落点所在的行或列中,己方两子相邻,旁边紧挨对方一子,而第四点为空,则吃掉对方那一子。只剩一子或无着可走者负。第三次重复局面,或一百步没有吃子,为和。",
            ),
            source: "traditional, China (两颗吃一颗)",
            text: Some(
                "rows from the top, x black and o white, then the side to move: \
                 `oooo/..../..../xxxx x`; or the code, the sum of 3^i times cell i, cells row by row \
                 from the top left, 1 = side to move, 2 = the other: `21257720`",
            ),
            moves: Title::new(
                "from and to, files a to d, ranks 1 to 4 from the bottom: `a1a2`; cell numbers \
                    such as `12-8` are read too",
                "起点和终点,列 a 到 d,行从下数 1 到 4:`a1a2`;也读格子编号,如 `12-8`",
            ),
            move_pattern: r"^([a-d][1-4]){2}$",
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
            StateInput::Json(value @ Value::Number(_)) => {
                from_code(read_json::<TwoEatOneCode>(value)?.0, Side::First)
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
            ornaments: Ornaments::default(),
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

/// Code of a position, by base 3.
type TwoEatOneCode = BoundedWhole<0, { CODES - 1 }>;

/// A position by its board, its code, or both.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("anyOf" = [{ "required": ["board"] }, { "required": ["code"] }]))]
struct TwoEatOneState {
    /// Rows from the top; x or 1 is black, o or 2 white, . or 0 empty.
    #[schemars(length(equal = 4), inner(regex(pattern = r"^[xo.012]{4}$")))]
    board: Option<Vec<String>>,
    /// Side to move; by default black.
    turn: Option<StoneTurn>,
    /// The code, with the side to move as 1.
    code: Option<TwoEatOneCode>,
}

fn schema() -> Value {
    json!({ "oneOf": [schema_of::<TwoEatOneCode>(), schema_of::<TwoEatOneState>()] })
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

/// Parses a board, a code, or both if consistent.
fn from_json(value: &Value) -> Result<TwoEatOne, Fault> {
    let TwoEatOneState { board, turn, code } = read_state(value)?;
    let mover = turn.map(Side::from);
    let plain = |row: &String| row.replace('0', ".").replace('1', "x").replace('2', "o");
    let by_board = board.map(|board| {
        let rows: Vec<_> = board.iter().map(plain).collect();
        from_board(&Written::from_rows(&rows, mover)?.sized(4, 4)?)
    });
    let by_board = by_board.transpose()?;
    let at_code = |fault: Fault| fault.under("code");
    let code = code.map(|code| code.0);
    let by_code = code.map(|code| from_code(code, mover.unwrap_or(Side::First)).map_err(at_code));
    match (by_board, by_code.transpose()?, code) {
        (Some(board), Some(by_code), Some(code)) if board != by_code => {
            let why = format!("expected the code {} of the board, got {code}", board.code());
            Err(at_code(Fault::position(why)))
        }
        (Some(pos), ..) | (None, Some(pos), _) => Ok(pos),
        (None, None, _) => Err(Fault::shape("expected a `board` or a `code`")),
    }
}
