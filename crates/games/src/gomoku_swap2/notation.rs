use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::evaluator::Swap2Evaluator;
use super::rules::{GomokuSwap2, Phase, Swap2Move, Word};
use crate::gomoku::{Gomoku, RULES, SIZE, empty, rules};
use crate::notation::display::{
    BoardFacts, MoveForm, Ornaments, Places, STAR_POINTS, STONES, Title, Titles, letters, numbers,
};
use crate::notation::{
    BoundedWhole, Facts, Fault, Notation, OptionSpec, Served, Settings, StateInput, read_state,
    schema_of,
};
use engine::game::{Game, Outcome, Turn};

const OPTIONS: &[OptionSpec] = &[SIZE, RULES];
/// All words.
const WORDS: [Word; 5] = [Word::Swap, Word::Stay, Word::Two, Word::Black, Word::White];

impl Notation for GomokuSwap2 {
    const SIDES: [&'static str; 2] = ["first", "second"];
    const TITLES: Titles = Titles {
        game: Title::new("Gomoku, Swap2 opening", "五子棋（Swap2 开局）"),
        sides: Titles::BY_TURN,
    };
    const END_REASONS: &'static [&'static str] = Gomoku::END_REASONS;

    fn facts() -> Facts {
        let gomoku = Gomoku::facts();
        Facts {
            name: "gomoku_swap2",
            rules: Title::new(
                "Gomoku with the swap2 opening. The first player places three stones: black, white, \
                    black. The second player says `swap` (takes black), `stay` (takes white) or `two` \
                    (places another white and black stone); after `two` the first player chooses a \
                    colour, `black` or `white`. White moves next, and play continues as in gomoku.",
                "采用 swap2 开局的五子棋。第一位棋手下三子:黑、白、黑。第二位棋手说 `swap`(执黑)、`stay`(执白)或 `two`(再下一白一黑);说 `two` 后由第一位棋手选择颜色,`black` 或 `white`。接着白方走,此后同五子棋。",
            ),
            source: "the opening of gomoku tournaments under rules of the Renju International Federation",
            text: Some("all moves from the empty board, with spaces: `h8 i9 c3 swap j7`"),
            moves: Title::new(
                "file letter and rank from the bottom: `h8`; in the opening also the words `swap`, `stay` \
                    and `two`, or `black` and `white`",
                "列字母加从下数起的行号:`h8`;开局时还有 `swap`、`stay`、`two`,或 `black`、`white`",
            ),
            move_pattern: r"^([a-t]([1-9]|1[0-9]|20)|swap|stay|two|black|white)$",
            unit: "hundredths of a point",
            schema: schema_of::<Swap2State>(),
            example: json!({
                "game": "gomoku_swap2", "moves": ["h8", "i9", "c3"], "budget": { "time_ms": 500 }
            }),
            repeated_movers: true,
            options: OPTIONS,
            ..gomoku
        }
    }

    fn check_settings(settings: &Settings) -> Result<(), Fault> {
        Gomoku::check_settings(settings)
    }

    fn read(state: StateInput<'_>, settings: &Settings) -> Result<Self, Fault> {
        match state {
            StateInput::Start => start(settings.integer("size"), settings),
            StateInput::Text(text) => from_text(text, settings),
            StateInput::Json(value) => from_json(value, settings),
        }
    }

    fn text(&self) -> Option<String> {
        Some(self.written().join(" "))
    }

    fn json(&self) -> Value {
        json!({ "size": self.board().size(), "moves": self.written() })
    }

    fn move_text(&self, mv: Swap2Move) -> String {
        match mv {
            Swap2Move::Put(at) => self.board().move_text(at),
            Swap2Move::Say(word) => name(word).to_owned(),
        }
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

    fn diagram(&self) -> Option<Vec<String>> {
        self.board().diagram()
    }

    fn reason(&self, outcome: Outcome) -> &'static str {
        self.board().reason(outcome)
    }

    fn objection(&self, text: &str) -> Option<String> {
        if matches!(self.turn(), Turn::Over(_)) {
            return Some("the game is over".into());
        }
        let board = self.board();
        let at = board.points().find(|&at| board.move_text(at).eq_ignore_ascii_case(text));
        let is_word = WORDS.iter().any(|&word| name(word).eq_ignore_ascii_case(text));
        match (at, is_word) {
            (Some(at), _) if self.phase().words().is_empty() => board.why_not(at),
            (None, false) => None,
            _ => Some(self.due().into()),
        }
    }
}

impl Served for GomokuSwap2 {
    type Evaluator = Swap2Evaluator;

    fn evaluator(&self, _: &Settings) -> Swap2Evaluator {
        Swap2Evaluator::default()
    }

    fn strongest(&self) -> &'static str {
        "alphabeta"
    }
}

fn name(word: Word) -> &'static str {
    match word {
        Word::Swap => "swap",
        Word::Stay => "stay",
        Word::Two => "two",
        Word::Black => "black",
        Word::White => "white",
    }
}

/// A position by its moves.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Swap2State {
    /// Points on a side; by default as the option says.
    size: Option<BoundedWhole<5, 20>>,
    /// All moves from the empty board: points, and the words of the opening.
    #[schemars(inner(regex(pattern = r"^([a-t]([1-9]|1[0-9]|20)|swap|stay|two|black|white)$")))]
    moves: Option<Vec<String>>,
}

impl GomokuSwap2 {
    fn written(&self) -> Vec<String> {
        self.played().iter().map(|&mv| self.move_text(mv)).collect()
    }

    /// Description of the expected move.
    fn due(&self) -> &'static str {
        match self.phase() {
            Phase::Three => "the first player places three stones now: black, white, black",
            Phase::Choice => "the second player says `swap`, `stay` or `two` now",
            Phase::Two => "the second player places two more stones now: white, black",
            Phase::Colour => "the first player says `black` or `white` now",
            Phase::Play { .. } => "the opening is over; moves are points now",
        }
    }

    /// Plays a move from its text.
    fn play_written(mut self, text: &str) -> Result<Self, Fault> {
        if matches!(self.turn(), Turn::Over(_)) {
            return Err(Fault::illegal("the game is over before this move"));
        }
        self.play(self.find_move(text)?);
        Ok(self)
    }
}

fn start(size: i64, settings: &Settings) -> Result<GomokuSwap2, Fault> {
    empty(size, rules(settings)).map(GomokuSwap2::new)
}

/// Parses `h8 i9 c3 swap j7`; an error names the illegal move.
fn from_text(text: &str, settings: &Settings) -> Result<GomokuSwap2, Fault> {
    let start = start(settings.integer("size"), settings)?;
    text.split_whitespace().enumerate().try_fold(start, |pos, (index, word)| {
        pos.play_written(word).map_err(|fault| Fault {
            detail: format!("move {}: {}", index + 1, fault.detail),
            ..fault
        })
    })
}

fn from_json(value: &Value, settings: &Settings) -> Result<GomokuSwap2, Fault> {
    let Swap2State { size, moves } = read_state(value)?;
    let size = size.map_or_else(|| settings.integer("size"), |size| i64::from(size.small()));
    let start = start(size, settings).map_err(|fault| fault.under("size"))?;
    moves.unwrap_or_default().iter().enumerate().try_fold(start, |pos, (index, text)| {
        pos.play_written(text).map_err(|fault| fault.under(index).under("moves"))
    })
}
