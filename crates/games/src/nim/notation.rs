use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::rules::{MAX_HEAPS, Nim, NimEvaluator, Take};
use crate::notation::board::OrderTurn;
use crate::notation::display::{Title, Titles};
use crate::notation::{
    BoundedWhole, Facts, Fault, Notation, OptionKind, OptionSpec, Served, Settings, StateInput,
    read_json, read_state, schema_of,
};
use engine::game::{Outcome, Side};

const OPTIONS: &[OptionSpec] = &[OptionSpec {
    name: "misere",
    kind: OptionKind::Flag { default: false },
    about: "who takes the last stone loses",
}];

/// Maximum number of reachable positions for the solver; above it the evaluation plays better.
const SOLVABLE: u64 = 1_000_000;

/// A position.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NimState {
    /// Stones of each heap.
    #[schemars(length(min = 1, max = 16))]
    heaps: Vec<BoundedWhole<0, 255>>,
    /// Whether taking the last stone loses; by default as the option says.
    misere: Option<bool>,
    /// Side to move; by default the first.
    turn: Option<OrderTurn>,
}

impl Notation for Nim {
    const SIDES: [&'static str; 2] = ["first", "second"];
    const TITLES: Titles =
        Titles { game: Title::new("Nim", "尼姆游戏"), sides: Titles::BY_TURN };
    const END_REASONS: &'static [&'static str] = &["last_stone_taken"];

    fn facts() -> Facts {
        Facts {
            name: "nim",
            rules: Title::new(
                "Several heaps of stones. The side to move takes at least one stone from one \
                    heap. Taking the last stone wins; in misere play it loses.",
                "若干堆石子。轮到的一方从某一堆中取走至少一颗。取走最后一颗者胜;反常规则(misere)下则负。",
            ),
            source: "Bouton 1901, \"Nim, a game with a complete mathematical theory\"",
            text: Some(
                "the heaps: `3;4;5`, then ` misere` for misere play, then ` second` when the second player is to move",
            ),
            moves: Title::new(
                "`heap:stones`, heaps counted from 1: `2:3` takes 3 from heap 2",
                "`堆:石子数`,堆从 1 数起:`2:3` 从第 2 堆取 3 颗",
            ),
            move_pattern: r"^[1-9][0-9]?:[1-9][0-9]*$",
            unit: "100 = won by the nim-sum",
            scale: 1,
            point: 100.0,
            schema: schema_of::<NimState>(),
            example: json!({ "game": "nim", "state": "3;4;5", "algorithm": "sg" }),
            repeated_movers: false,
            options: OPTIONS,
            limits: "1 to 16 heaps of 0 to 255 stones",
        }
    }

    fn read(state: StateInput<'_>, settings: &Settings) -> Result<Self, Fault> {
        let misere = settings.flag("misere");
        match state {
            StateInput::Start => from_heaps(&[3, 4, 5], misere),
            StateInput::Text(text) => from_text(text, misere),
            StateInput::Json(value) => from_json(value, misere),
        }
    }

    fn text(&self) -> Option<String> {
        let heaps: Vec<_> = self.heaps().iter().map(u8::to_string).collect();
        let misere = if self.misere() { " misere" } else { "" };
        let second = if self.mover() == Side::Second { " second" } else { "" };
        Some(format!("{}{misere}{second}", heaps.join(";")))
    }

    fn json(&self) -> Value {
        let turn = Self::side_name(self.mover());
        json!({ "heaps": self.heaps(), "misere": self.misere(), "turn": turn })
    }

    fn move_text(&self, mv: Take) -> String {
        format!("{}:{}", mv.heap + 1, mv.stones)
    }

    fn reason(&self, _: Outcome) -> &'static str {
        "last_stone_taken"
    }
}

impl Served for Nim {
    type Evaluator = NimEvaluator;

    fn evaluator(&self, _: &Settings) -> NimEvaluator {
        NimEvaluator
    }

    fn strongest(&self) -> &'static str {
        if self.reachable() <= SOLVABLE { "sg" } else { "alphabeta" }
    }
}

fn from_heaps(heaps: &[u8], misere: bool) -> Result<Nim, Fault> {
    let nim = if heaps.is_empty() { None } else { Nim::new(heaps, misere) };
    nim.ok_or_else(|| Fault::shape(format!("{} heaps; expected 1 to {MAX_HEAPS}", heaps.len())))
}

fn from_text(text: &str, misere: bool) -> Result<Nim, Fault> {
    let mut words = text.split_whitespace();
    let heaps: Result<Vec<u8>, _> =
        words.next().unwrap_or_default().split(';').map(str::parse).collect();
    let heaps = heaps.map_err(|_| {
        Fault::shape(format!("`{text}` is not a list of heaps from 0 to 255 such as `3;4;5`"))
    })?;
    let mut nim = from_heaps(&heaps, misere)?;
    for word in words {
        nim = match word {
            "misere" => from_heaps(&heaps, true)?.with_mover(nim.mover()),
            "first" => nim.with_mover(Side::First),
            "second" => nim.with_mover(Side::Second),
            _ => {
                let why = format!("`{word}` after the heaps; known: `misere`, `first`, `second`");
                return Err(Fault::shape(why));
            }
        };
    }
    Ok(nim)
}

fn from_json(value: &Value, misere: bool) -> Result<Nim, Fault> {
    // Heaps alone are a state, too.
    let state = match value {
        Value::Array(_) => NimState { heaps: read_json(value)?, misere: None, turn: None },
        _ => read_state(value)?,
    };
    let heaps: Vec<u8> = state.heaps.iter().map(|heap| heap.small()).collect();
    let nim = from_heaps(&heaps, state.misere.unwrap_or(misere));
    let nim = nim.map_err(|fault| fault.under("heaps"))?;
    Ok(nim.with_mover(state.turn.map_or(Side::First, Side::from)))
}
