mod diagram;
mod read;
mod record;
mod state;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use crate::notation::display::{BoardFacts, MoveForm, Ornaments, Places, Title, Titles, numbers};
use crate::notation::{
    Facts, Fault, Notation, OptionKind, OptionSpec, Recording, Served, Settings, StateInput,
    schema_of,
};
use crate::snake_go::cells::{Enclosure, SIDE};
use crate::snake_go::evaluator::{SnakeGoEvaluation, SnakeGoEvaluator};
use crate::snake_go::items::{Item, generate};
use crate::snake_go::ops::Op;
use crate::snake_go::rules::{SnakeGo, SnakeGoRules};
use crate::snake_go::setup::Described;
use engine::game::{Outcome, Side};

/// Minimum map size.
const LEAST_SIDE: u8 = 4;
/// Maximum rounds of a half.
const MOST_ROUNDS: u16 = 4_096;
/// Parameter written for a melt ray; without meaning.
const RAY_PARAM: u16 = 512;

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "size",
        kind: OptionKind::Integer {
            min: LEAST_SIDE as i64,
            max: SIDE as i64,
            default: SIDE as i64,
        },
        about: "cells on a side of the map where the state does not say",
    },
    OptionSpec {
        name: "max_round",
        kind: OptionKind::Integer { min: 1, max: MOST_ROUNDS as i64, default: 512 },
        about: "the last round where the state does not say",
    },
    OptionSpec {
        name: "growth_rounds",
        kind: OptionKind::Integer { min: 0, max: MOST_ROUNDS as i64, default: 8 },
        about: "the last round in which the initial snakes grow by themselves, where the state does not say",
    },
    OptionSpec {
        name: "enclosure",
        kind: OptionKind::Choice(&["border", "sides"]),
        about: "what a loop that touches itself encloses, where the state does not say: cells cut off from the border, or those on the inner side of the path",
    },
    OptionSpec {
        name: "items_seed",
        kind: OptionKind::Integer { min: 0, max: (1 << 53) - 1, default: 0 },
        about: "`startpos` has the items that the published generator makes of this seed; 0 is none",
    },
    OptionSpec {
        name: "evaluation",
        kind: OptionKind::Choice(&["territory", "score"]),
        about: "how unfinished positions are judged: by cells, loops, banks and territory, or by the score alone",
    },
];

impl Notation for SnakeGo {
    const SIDES: [&'static str; 2] = ["first", "second"];
    const TITLES: Titles =
        Titles { game: Title::new("Snake Go", "Snake Go"), sides: Titles::BY_TURN };
    const END_REASONS: &'static [&'static str] = &["more_cells", "equal_cells", "no_snakes"];

    fn facts() -> Facts {
        Facts {
            name: "snake_go",
            rules: Title::new(
                "Snakes on a square map, up to four a side; each round the first player moves \
                    all own snakes, then the second. A head that steps onto its own body turns \
                    the loop and all it encloses into walls of its owner. A snake that moves off \
                    the map, into a wall or into another snake dies. Most cells of snakes and \
                    walls after the last round win; the second player wins ties.",
                "方形地图上的蛇,每方至多四条;每回合先手先移动己方所有的蛇,再由后手移动。蛇头碰到自己的身体时,所围成的圈及其内部都变成己方的墙。走出地图、撞墙或撞上别的蛇则死亡。最后一回合后,蛇和墙所占格子多者胜;相等时后手胜。",
            ),
            source: "贪吃蛇围棋, a game of the contest platform Saiblo",
            text: None,
            moves: Title::new(
                "the operation of the snake that acts next: `+x`, `+y`, `-x`, `-y`, `melt`, \
                    `split`, or its number 1 to 6",
                "下一条要行动的蛇的操作:`+x`、`+y`、`-x`、`-y`、`melt`、`split`,或其编号 1 到 6",
            ),
            move_pattern: r"^([+-][xy]|melt|split)$",
            unit: "100 = one cell of the final score",
            scale: 1,
            point: 100.0,
            schema: schema_of::<state::SnakeGoState>(),
            example: json!({
                "game": "snake_go",
                "state": {
                    "round": 40,
                    "snakes": [
                        { "id": 0, "camp": 0, "body": [[4, 9], [5, 9], [5, 8], [4, 8], [3, 8]] },
                        { "id": 1, "camp": 1, "body": [[9, 5], [9, 6]], "bank": 2, "ray": true }
                    ],
                    "walls": [[0, 0, 0], [15, 15, 1]],
                    "items": [{ "x": 7, "y": 8, "time": 35, "type": 0, "param": 4 }]
                },
                "budget": { "time_ms": 200 }
            }),
            repeated_movers: true,
            options: OPTIONS,
            limits: "4 to 16 cells a side, 4096 rounds, 256 items",
        }
    }

    fn read(state: StateInput<'_>, settings: &Settings) -> Result<Self, Fault> {
        match state {
            StateInput::Start => {
                let rules = default_rules(settings);
                let items = match settings.integer("items_seed") {
                    0 => Vec::new(),
                    seed => generate(seed as u64, rules.size, rules.max_round),
                };
                Ok(Self::new(rules, &items))
            }
            StateInput::Text(_) => {
                let why = "a state of snake_go is a JSON object or `startpos`; it has no text form";
                Err(Fault::shape(why))
            }
            StateInput::Json(value) => read::state(value, default_rules(settings)),
        }
    }

    fn text(&self) -> Option<String> {
        None
    }

    fn json(&self) -> Value {
        let SnakeGoRules { size, max_round, growth_rounds, enclosure } = self.rules;
        let waiting = &self.snakes_of(self.player)
            [self.snakes_of(self.player).len() - usize::from(self.waiting)..];
        let acting: Vec<_> = waiting.iter().map(|&place| self.snake(place).id).collect();
        json!({
            "size": size,
            "max_round": max_round,
            "growth_rounds": growth_rounds,
            "enclosure": match enclosure {
                Enclosure::Border => "border",
                Enclosure::Sides => "sides",
            },
            "round": self.round,
            "player": self.player.index(),
            "acting": acting,
            "next_id": self.next_id,
            "snakes": written_snakes(self),
            "walls": written_walls(self),
            "items": self.items().iter().map(written_item).collect::<Vec<_>>(),
            "eaten": self.eaten.iter().collect::<Vec<_>>(),
        })
    }

    fn move_text(&self, op: Op) -> String {
        NAMES[usize::from(op.index())].into()
    }

    fn also_written(&self, op: Op) -> Option<String> {
        Some((op.index() + 1).to_string())
    }

    fn board() -> Option<BoardFacts> {
        Some(BoardFacts {
            places: Places::Cells,
            columns: numbers(0..=15, false),
            rows: numbers(0..=15, true),
            moves: MoveForm::Word,
            pieces: diagram::MARKS.to_vec(),
            ornaments: Ornaments::default(),
        })
    }

    fn diagram(&self) -> Option<Vec<String>> {
        Some(diagram::rows(self))
    }

    fn reason(&self, _: Outcome) -> &'static str {
        let [first, second] = self.score();
        if first == second {
            "equal_cells"
        } else if self.bodies.is_empty() {
            "no_snakes"
        } else {
            "more_cells"
        }
    }

    fn recordings(file: &Value, settings: &Settings) -> Result<Vec<Recording<Self>>, Fault> {
        record::games(file, default_rules(settings))
    }

    fn observe(&self) -> Value {
        let mut seen = self.json();
        seen["score"] = json!(self.score());
        seen["over"] = json!(self.winner.is_some());
        seen["winner"] = json!(self.winner.map(Side::index));
        seen
    }
}

impl Served for SnakeGo {
    type Evaluator = SnakeGoEvaluator;

    fn evaluator(&self, settings: &Settings) -> SnakeGoEvaluator {
        let evaluation = match settings.choice("evaluation") {
            "score" => SnakeGoEvaluation::Score,
            _ => SnakeGoEvaluation::Territory,
        };
        SnakeGoEvaluator::new(evaluation, self)
    }

    fn strongest(&self) -> &'static str {
        "alphabeta"
    }
}

/// Names of the operations, in the order of [`Op::ALL`].
const NAMES: [&str; 6] = ["+x", "+y", "-x", "-y", "melt", "split"];

fn default_rules(settings: &Settings) -> SnakeGoRules {
    SnakeGoRules {
        size: settings.integer("size") as u8,
        max_round: settings.integer("max_round") as u16,
        growth_rounds: settings.integer("growth_rounds") as u16,
        enclosure: match settings.choice("enclosure") {
            "sides" => Enclosure::Sides,
            _ => Enclosure::Border,
        },
    }
}

fn xy(cell: u8) -> [u8; 2] {
    [cell % SIDE, cell / SIDE]
}

fn written_snakes(pos: &SnakeGo) -> Vec<Value> {
    let places = Side::BOTH.into_iter().flat_map(|side| pos.snakes_of(side));
    places
        .map(|&place| {
            let Described { id, camp, body, bank, ray } = pos.describe(place);
            let body: Vec<_> = body.into_iter().map(xy).collect();
            json!({ "id": id, "camp": camp.index(), "body": body, "bank": bank, "ray": ray })
        })
        .collect()
}

/// Walls by column from the left, each from the bottom.
fn written_walls(pos: &SnakeGo) -> Vec<[u8; 3]> {
    let mut walls: Vec<_> = Side::BOTH
        .into_iter()
        .flat_map(|side| pos.walls[side.index()].iter().map(move |cell| (cell, side.index() as u8)))
        .map(|(cell, camp)| [cell % SIDE, cell / SIDE, camp])
        .collect();
    walls.sort_unstable();
    walls
}

fn written_item(item: &Item) -> Value {
    let Item { cell, gain, time } = *item;
    let [x, y] = xy(cell);
    let (kind, param) = if gain == 0 { (2, RAY_PARAM) } else { (0, u16::from(gain)) };
    json!({ "x": x, "y": y, "time": time, "type": kind, "param": param })
}
