use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::diagram::{from_board, has_five};
use super::evaluator::{BoardEdge, GomokuEvaluation, GomokuEvaluator};
use super::renju::Foul;
use super::rules::{Gomoku, GomokuRules, Point, SIZES};
use super::sequence::{Spot, StoneSequence};
use crate::notation::board::{StoneTurn, Written, mark, rows_text};
use crate::notation::display::{
    BoardFacts, MoveForm, Ornaments, Places, STAR_POINTS, STONES, Title, Titles, letters, numbers,
};
use crate::notation::{
    BoundedWhole, Facts, Fault, Notation, OptionKind, OptionSpec, Served, Settings, StateInput,
    read_state, schema_of,
};
use engine::game::{Game, Outcome, Side, Turn};

/// Maximum weight of defence. Not tuned; the published evaluation has 1.
const MOST_RATIO: f64 = 100.0;
/// The board size of renju.
const RENJU_SIZE: i64 = 15;

/// The option for the size of the board.
pub(crate) const SIZE: OptionSpec = OptionSpec {
    name: "size",
    kind: OptionKind::Integer { min: *SIZES.start() as i64, max: *SIZES.end() as i64, default: 15 },
    about: "points on a side of the board of `startpos`",
};
/// The option for the rules.
pub(crate) const RULES: OptionSpec = OptionSpec {
    name: "rules",
    kind: OptionKind::Choice(&["freestyle", "standard", "renju", "caro"]),
    about: "what wins: five or more; exactly five; by `renju` also what is forbidden to black, on 15 points \
            a side; by `caro` six or more, or five not blocked at both ends",
};
const OPTIONS: &[OptionSpec] = &[
    SIZE,
    RULES,
    OptionSpec {
        name: "evaluation",
        kind: OptionKind::Choice(&["network", "hand", "edge", "seed"]),
        about: "`network`: what stones would make, corrected by a network trained by self-play; `hand`: the same \
                with fitted weights alone; shapes of stones: `edge` takes the edge for a wall, `seed` for empty \
                points",
    },
    OptionSpec {
        name: "ratio",
        kind: OptionKind::Number { min: 0.0, max: MOST_RATIO, default: 1.0 },
        about: "weight of defence where shapes of stones are counted: a tenth of the opponent's shapes times this \
                number is taken from the own ones",
    },
    OptionSpec {
        name: "stones",
        kind: OptionKind::Choice(&["board", "played"]),
        about: "the order in which shapes of stones are counted, which matters where shapes share stones: by the \
                board, or as the stones were `played`: with it `seed` is the published evaluation to the unit, and \
                positions that differ in the order of stones are different positions",
    },
];

impl Notation for Gomoku {
    const SIDES: [&'static str; 2] = ["black", "white"];
    const TITLES: Titles =
        Titles { game: Title::new("Gomoku", "五子棋"), sides: Titles::STONES };
    const END_REASONS: &'static [&'static str] = &["five_in_a_row", "no_legal_move", "board_full"];

    fn facts() -> Facts {
        Facts {
            name: "gomoku",
            rules: Title::new(
                "A square board, black (x) moves first, one stone a turn on an empty point. \
                    Five or more in a row, column or diagonal win (by the option `rules` only exactly \
                    five, or five that is not blocked); a full board is a draw. In renju black may \
                    not make six in a line, two fours or two threes at once.",
                "方形棋盘,黑方(x)先走,每次在空点下一子。横、竖或斜连成五子或更多者胜(选项 `rules` 可改为恰好五子,或未被两头堵住的五子);棋盘下满为和。连珠规则下,黑方不得长连、双四或双三。",
            ),
            source: "traditional, East Asia; renju by the rules of the Renju International Federation of 1996",
            text: Some(
                "rows from the top, then the side to move: `...../..x../...../...../..... o`, and with `stones` \
                 played all stones in their order; or moves from the empty board: `h8i9g7`; or a `.psq` file",
            ),
            moves: Title::new(
                "file letter and rank from the bottom: `h8`",
                "列字母加从下数起的行号:`h8`",
            ),
            move_pattern: r"^[a-t]([1-9]|1[0-9]|20)$",
            unit: "hundredths of a point; with `evaluation` edge or seed the value of a shape of stones: open two 50, open \
                   three 5000, open four 50000",
            scale: 1,
            point: 100.0,
            schema: schema_of::<GomokuState>(),
            example: json!({
                "game": "gomoku", "moves": ["h8", "i9", "h9"], "budget": { "time_ms": 500 }
            }),
            repeated_movers: false,
            options: OPTIONS,
            limits: "5 to 20 points a side",
        }
    }

    fn check_settings(settings: &Settings) -> Result<(), Fault> {
        check_size(settings.integer("size"), rules(settings)).map_err(|fault| fault.under("size"))
    }

    fn read(state: StateInput<'_>, settings: &Settings) -> Result<Self, Fault> {
        match state {
            StateInput::Start => start(settings.integer("size"), settings),
            StateInput::Text(text) => match StoneSequence::read(text) {
                Some(course) => from_course(&course?, settings),
                None => from_rows(text, settings),
            },
            StateInput::Json(value) => from_json(value, settings),
        }
    }

    fn text(&self) -> Option<String> {
        let side = mark(Some(self.mover()));
        let order: String = self.written_order().concat();
        let order = if order.is_empty() { order } else { format!(" {order}") };
        Some(format!("{} {side}{order}", rows_text(self.written_rows().into_iter())))
    }

    fn json(&self) -> Value {
        let turn = Self::side_name(self.mover());
        let mut state = json!({ "size": self.size(), "board": self.written_rows(), "turn": turn });
        if self.keeps_order() {
            state["order"] = json!(self.written_order());
        }
        state
    }

    fn move_text(&self, mv: Point) -> String {
        format!("{}{}", char::from(b'a' + mv.x), mv.y + 1)
    }

    fn board() -> Option<BoardFacts> {
        Some(BoardFacts {
            places: Places::Points,
            columns: letters(15),
            rows: numbers(1..=15, true),
            moves: MoveForm::Place,
            pieces: STONES.to_vec(),
            ornaments: Ornaments::dots(&STAR_POINTS),
        })
    }

    fn reason(&self, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Draw => "board_full",
            _ if self.has_five() => "five_in_a_row",
            _ => "no_legal_move",
        }
    }

    fn objection(&self, text: &str) -> Option<String> {
        let at = self.points().find(|&at| self.move_text(at).eq_ignore_ascii_case(text))?;
        Some(self.why_not(at).unwrap_or_else(|| "the game is over".into()))
    }
}

impl Served for Gomoku {
    type Evaluator = GomokuEvaluator;

    fn evaluator(&self, settings: &Settings) -> GomokuEvaluator {
        GomokuEvaluator::new(match settings.choice("evaluation") {
            "edge" => GomokuEvaluation::Shapes(BoardEdge::Wall),
            "seed" => GomokuEvaluation::Shapes(BoardEdge::Empty),
            "hand" => GomokuEvaluation::Patterns,
            _ => GomokuEvaluation::Network,
        })
        .with_ratio(settings.number("ratio"))
    }

    fn strongest(&self) -> &'static str {
        "selective"
    }
}

impl Gomoku {
    /// Reason why a point is illegal for the side to move, if any.
    pub(crate) fn why_not(&self, at: Point) -> Option<String> {
        let point = self.move_text(at);
        if self.stone(at).is_some() {
            return Some(format!("{point} is taken"));
        }
        let why = match self.foul(at)? {
            Foul::Overline => "it makes six or more in a line",
            Foul::DoubleFour => "it makes two fours at once",
            Foul::DoubleThree => "it makes two threes at once",
        };
        Some(format!("{point} is forbidden to black: {why}"))
    }

    /// The stones in the order played, where it is kept.
    fn written_order(&self) -> Vec<String> {
        self.course().into_iter().map(|at| self.move_text(at)).collect()
    }

    fn written_rows(&self) -> Vec<String> {
        let row = |y: u8| (0..self.size()).map(|x| mark(self.stone(Point { x, y }))).collect();
        (0..self.size()).rev().map(row).collect()
    }
}

/// The rule set selected by the option.
pub(crate) fn rules(settings: &Settings) -> GomokuRules {
    match settings.choice("rules") {
        "standard" => GomokuRules::Standard,
        "renju" => GomokuRules::Renju,
        "caro" => GomokuRules::Caro,
        _ => GomokuRules::Freestyle,
    }
}

/// The empty board of these settings, with the order of stones kept where it counts.
fn start(size: i64, settings: &Settings) -> Result<Gomoku, Fault> {
    let board = empty(size, rules(settings))?;
    Ok(if keeps_order(settings) { board.keeping_order() } else { board })
}

fn keeps_order(settings: &Settings) -> bool {
    settings.choice("stones") == "played"
}

/// Checks that the game of these rules is played on that size.
fn check_size(size: i64, rules: GomokuRules) -> Result<(), Fault> {
    if rules == GomokuRules::Renju && size != RENJU_SIZE {
        let why = format!("renju is played on {RENJU_SIZE} points a side, got {size}");
        return Err(Fault::shape(why));
    }
    Ok(())
}

/// The empty board.
///
/// # Errors
/// If the game is not played on that size.
pub(crate) fn empty(size: i64, rules: GomokuRules) -> Result<Gomoku, Fault> {
    check_size(size, rules)?;
    let board = u8::try_from(size).ok().and_then(|size| Gomoku::by_rules(size, rules));
    board.ok_or_else(|| {
        let (min, max) = (SIZES.start(), SIZES.end());
        Fault::shape(format!("a board has {min} to {max} points a side, got {size}"))
    })
}

/// A point in a list of moves.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a point such as \"h8\" or [7, 7]")]
enum GomokuPoint {
    /// File letter and rank from the bottom.
    Named(#[schemars(regex(pattern = r"^[a-t]([1-9]|1[0-9]|20)$"))] String),
    /// File and rank from 0.
    At([BoundedWhole<0, 19>; 2]),
}

/// A position by its board or by its moves.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GomokuState {
    /// Points on a side; by default those of the board, or as the option says.
    size: Option<BoundedWhole<5, 20>>,
    /// Rows from the top; x is black.
    #[schemars(length(min = 5, max = 20), inner(regex(pattern = r"^[xo.]+$")))]
    board: Option<Vec<String>>,
    /// Instead of `board`: points in the order played, black first.
    moves: Option<Vec<GomokuPoint>>,
    /// Side to move; by default by the number of stones.
    turn: Option<StoneTurn>,
    /// With the option `stones` played: the stones of `board` in their order.
    order: Option<Vec<String>>,
}

fn from_json(value: &Value, settings: &Settings) -> Result<Gomoku, Fault> {
    let GomokuState { size, board, moves, turn, order } = read_state(value)?;
    let size = size.map(|size| i64::from(size.small()));
    let mover = turn.map(Side::from);
    if let Some(rows) = board {
        if moves.is_some() {
            return Err(Fault::shape("give `board` or `moves`, not both").under("moves"));
        }
        let written = Written::from_rows(&rows, mover)?;
        let order = order_of(&order.unwrap_or_default(), settings);
        let order = order.map_err(|fault| fault.under("order"))?;
        let pos = from_board(&written, rules(settings), order.as_deref())?;
        if size.is_some_and(|size| size != i64::from(pos.size())) {
            let why = format!("the board has {} rows", pos.size());
            return Err(Fault::shape(why).under("size"));
        }
        return Ok(pos);
    }
    if order.is_some() {
        return Err(Fault::shape("`order` belongs to `board`").under("order"));
    }
    let size = size.unwrap_or_else(|| settings.integer("size"));
    let start = start(size, settings).map_err(|fault| fault.under("size"))?;
    let moves = moves.unwrap_or_default();
    let pos = moves.iter().enumerate().try_fold(start, |pos, (index, mv)| {
        play_written(pos, mv).map_err(|fault| fault.under(index).under("moves"))
    })?;
    match mover {
        Some(mover) if mover != pos.mover() => {
            let why = format!("by the moves it is {}'s turn", Gomoku::side_name(pos.mover()));
            Err(Fault::position(why).under("turn"))
        }
        _ => Ok(pos),
    }
}

/// Reads rows, the side to move, and the order of the stones.
fn from_rows(text: &str, settings: &Settings) -> Result<Gomoku, Fault> {
    let words: Vec<_> = text.split_whitespace().collect();
    if let [board, side, order] = words[..]
        && let Some(course) = StoneSequence::read(order)
    {
        let names: Vec<_> = course?.moves.into_iter().map(|(name, _)| name).collect();
        let order = order_of(&names, settings)?;
        let written = Written::from_text(&format!("{board} {side}"))?;
        return from_board(&written, rules(settings), order.as_deref());
    }
    let order = order_of(&[], settings)?;
    from_board(&Written::from_text(text)?, rules(settings), order.as_deref())
}

/// The points of a written order; `None` where the order does not count.
fn order_of(names: &[String], settings: &Settings) -> Result<Option<Vec<Point>>, Fault> {
    if !keeps_order(settings) {
        let why = "an order of stones counts only with the option `stones`: \"played\"";
        return if names.is_empty() { Ok(None) } else { Err(Fault::shape(why)) };
    }
    let largest = empty(i64::from(*SIZES.end()), GomokuRules::Freestyle)?;
    names.iter().map(|name| largest.find_move(name)).collect::<Result<_, _>>().map(Some)
}

/// Plays a point written `"h8"` or `[7, 7]` (file and rank from 0).
fn play_written(pos: Gomoku, mv: &GomokuPoint) -> Result<Gomoku, Fault> {
    if matches!(pos.turn(), Turn::Over(_)) {
        let five = Side::BOTH.into_iter().find_map(|side| Some((side, pos.five_of(side)?)));
        let won = five.map(|(side, at)| format!(": {}", has_five(&pos, side, at)));
        let why = format!("the game is over before this move{}", won.unwrap_or_default());
        return Err(Fault::illegal(why));
    }
    let point = match mv {
        GomokuPoint::Named(text) => return pos.find_move(text).map(|point| pos.after(point)),
        GomokuPoint::At([x, y]) => Point { x: x.small(), y: y.small() },
    };
    if point.x.max(point.y) >= pos.size() {
        let why = format!("[{}, {}] is no point [x, y] of the board", point.x, point.y);
        return Err(Fault::shape(why));
    }
    match pos.why_not(point) {
        Some(why) => Err(Fault::illegal(why)),
        None => Ok(pos.after(point)),
    }
}

/// Plays a parsed game; an error names the illegal move.
fn from_course(course: &StoneSequence, settings: &Settings) -> Result<Gomoku, Fault> {
    let size = course.size.unwrap_or_else(|| settings.integer("size"));
    let mut pos = start(size, settings)?;
    for (index, (word, spot)) in course.moves.iter().enumerate() {
        let illegal = |why: String| Fault::illegal(format!("move {}, `{word}`: {why}", index + 1));
        if matches!(pos.turn(), Turn::Over(_)) {
            let (last, _) = &course.moves[index - 1];
            return Err(illegal(format!("the game is over after move {index}, `{last}`")));
        }
        let point = on_board(&pos, *spot).map_err(illegal)?;
        if let Some(why) = pos.why_not(point) {
            return Err(illegal(why));
        }
        pos = pos.after(point);
    }
    Ok(pos)
}

fn on_board(pos: &Gomoku, spot: Spot) -> Result<Point, String> {
    let size = pos.size();
    spot.on(size).ok_or_else(|| match spot {
        Spot::FromBottom(..) => {
            let corner = pos.move_text(Point { x: size - 1, y: size - 1 });
            format!("it is off the board; points are a1 to {corner}")
        }
        Spot::FromTop(..) => {
            format!("it is off the board; points are 1,1 to {size},{size}")
        }
    })
}
