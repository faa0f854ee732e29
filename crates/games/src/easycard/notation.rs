use serde_json::{Map, Value, json};

use super::evaluator::EasyCardEvaluator;
use super::rules::{
    Action, EasyCard, EasyCardSetup, EasyCardSide, Hand, MOST_CARDS, MOST_DICE, MOST_HP,
    MOST_ROUNDS, MOST_SHIELD,
};
use crate::notation::display::{Title, Titles};
use crate::notation::{
    Facts, Fault, Notation, OptionKind, OptionSpec, Served, Settings, StateInput, members,
};
use engine::game::{Outcome, Side};

const fn cards(name: &'static str, about: &'static str) -> OptionSpec {
    let kind = OptionKind::Integer { min: 0, max: MOST_CARDS as i64, default: 1 };
    OptionSpec { name, kind, about }
}

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "hp",
        kind: OptionKind::Integer { min: 1, max: MOST_HP as i64, default: MOST_HP as i64 },
        about: "hit points of each side at the start",
    },
    OptionSpec {
        name: "rounds",
        kind: OptionKind::Integer { min: 1, max: MOST_ROUNDS as i64, default: 4 },
        about: "rounds of the game",
    },
    cards("focus", "cards `focus` of each side at the start"),
    cards("coin", "cards `coin` of each side at the start"),
    cards("meal", "cards `meal` of each side at the start"),
];

const NAMES: [&str; 7] = ["focus", "coin", "meal", "guard", "attack", "heavy", "end"];
const STATE: &[&str] = &["round", "rounds", "turn", "sides"];
const SIDE: &[&str] = &["hp", "dice", "shield", "boost", "hand", "fed", "ended"];

impl Notation for EasyCard {
    const SIDES: [&'static str; 2] = ["first", "second"];
    const TITLES: Titles = Titles {
        game: Title::new("Card duel, small", "简易卡牌对战"),
        sides: Titles::BY_TURN,
    };

    fn facts() -> Facts {
        Facts {
            name: "easycard",
            rules: "A card duel without luck. Six dice a round for each side. Quick, the mover keeps the \
                    move: focus (card, boost +1), coin (card, one die more, up to 8), meal (card and a \
                    die, heals 2, once a round), guard (a die, shield +1, up to 2). Fighting, the move \
                    passes unless the opponent has ended: attack (3 dice, 2 damage and the boost), heavy (5 \
                    dice, 4 damage and the boost), end. Shields take damage first; a blow spends the \
                    boost. When both have ended, dice are six, shields 0, and the first to end begins. \
                    A side without hit points has lost; after the last round more hit points win.",
            text: None,
            moves: "`focus`, `coin`, `meal`, `guard`, `attack`, `heavy`, `end`",
            unit: "100 = one hit point",
            scale: 1,
            point: 100.0,
            schema: schema(),
            example: json!({ "game": "easycard", "options": { "hp": 6, "rounds": 2 } }),
            repeated_movers: true,
            options: OPTIONS,
            limits: "10 hit points, 9 rounds, 5 cards of a kind",
        }
    }

    fn read(state: StateInput<'_>, settings: &Settings) -> Result<Self, Fault> {
        match state {
            StateInput::Start => Ok(Self::new(setup(settings))),
            StateInput::Text(text) => {
                let why = format!("`{text}` is not a state; expected \"startpos\" or an object");
                Err(Fault::shape(why))
            }
            StateInput::Json(value) => from_json(value, settings),
        }
    }

    fn text(&self) -> Option<String> {
        None
    }

    fn json(&self) -> Value {
        let side = |fighter: &EasyCardSide| {
            let EasyCardSide { hp, dice, shield, boost, hand, fed, ended } = *fighter;
            let hand = json!({ "focus": hand.focus, "coin": hand.coin, "meal": hand.meal });
            json!({
                "hp": hp, "dice": dice, "shield": shield, "boost": boost, "hand": hand,
                "fed": fed, "ended": ended
            })
        };
        json!({
            "round": self.round,
            "rounds": self.rounds,
            "turn": Self::side_name(self.mover),
            "sides": [side(&self.sides[0]), side(&self.sides[1])]
        })
    }

    fn move_text(&self, action: Action) -> String {
        NAMES[action as usize].into()
    }

    fn reason(&self, _: Outcome) -> &'static str {
        if self.round > self.rounds { "last_round" } else { "no_hit_points_left" }
    }
}

impl Served for EasyCard {
    type Evaluator = EasyCardEvaluator;

    fn evaluator(&self, _: &Settings) -> EasyCardEvaluator {
        EasyCardEvaluator
    }

    fn strongest(&self) -> &'static str {
        "alphabeta"
    }
}

fn setup(settings: &Settings) -> EasyCardSetup {
    let of = |name| settings.integer(name) as u8;
    let hand = Hand { focus: of("focus"), coin: of("coin"), meal: of("meal") };
    EasyCardSetup { hp: of("hp"), rounds: of("rounds"), hand }
}

fn schema() -> Value {
    let whole = |most: u8| json!({ "type": "integer", "minimum": 0, "maximum": most });
    let flag = json!({ "type": "boolean" });
    let cards = whole(MOST_CARDS);
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["round", "turn", "sides"],
        "properties": {
            "round": { "type": "integer", "minimum": 1, "maximum": MOST_ROUNDS + 1 },
            "rounds": { "type": "integer", "minimum": 1, "maximum": MOST_ROUNDS },
            "turn": { "enum": ["first", "second"] },
            "sides": {
                "type": "array",
                "minItems": 2,
                "maxItems": 2,
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": SIDE,
                    "properties": {
                        "hp": whole(MOST_HP),
                        "dice": whole(MOST_DICE),
                        "shield": whole(MOST_SHIELD),
                        "boost": whole(MOST_CARDS),
                        "hand": {
                            "type": "object",
                            "additionalProperties": false,
                            "required": ["focus", "coin", "meal"],
                            "properties": { "focus": cards, "coin": cards, "meal": cards }
                        },
                        "fed": flag,
                        "ended": flag
                    }
                }
            }
        }
    })
}

fn whole(map: &Map<String, Value>, key: &str, least: u8, most: u8) -> Result<u8, Fault> {
    let value = map.get(key).unwrap_or(&Value::Null);
    let found = value.as_u64().filter(|n| (u64::from(least)..=u64::from(most)).contains(n));
    found.map(|n| n as u8).ok_or_else(|| {
        let why = format!("expected a whole number from {least} to {most}, got {value}");
        Fault::shape(why).under(key)
    })
}

fn flag(map: &Map<String, Value>, key: &str) -> Result<bool, Fault> {
    let value = map.get(key).and_then(Value::as_bool);
    value.ok_or_else(|| Fault::shape("expected true or false").under(key))
}

fn read_hand(value: &Value) -> Result<Hand, Fault> {
    let map = members(value, &["focus", "coin", "meal"])?;
    let of = |key| whole(map, key, 0, MOST_CARDS);
    Ok(Hand { focus: of("focus")?, coin: of("coin")?, meal: of("meal")? })
}

fn read_side(value: &Value) -> Result<EasyCardSide, Fault> {
    let map = members(value, SIDE)?;
    let hand = map.get("hand").unwrap_or(&Value::Null);
    Ok(EasyCardSide {
        hp: whole(map, "hp", 0, MOST_HP)?,
        dice: whole(map, "dice", 0, MOST_DICE)?,
        shield: whole(map, "shield", 0, MOST_SHIELD)?,
        boost: whole(map, "boost", 0, MOST_CARDS)?,
        hand: read_hand(hand).map_err(|fault| fault.under("hand"))?,
        fed: flag(map, "fed")?,
        ended: flag(map, "ended")?,
    })
}

fn from_json(value: &Value, settings: &Settings) -> Result<EasyCard, Fault> {
    let map = members(value, STATE)?;
    let rounds = match map.get("rounds") {
        None => setup(settings).rounds,
        Some(_) => whole(map, "rounds", 1, MOST_ROUNDS)?,
    };
    let mover = match map.get("turn").and_then(Value::as_str) {
        Some("first") => Side::First,
        Some("second") => Side::Second,
        _ => return Err(Fault::shape("expected `first` or `second`").under("turn")),
    };
    let Some([first, second]) = map.get("sides").and_then(Value::as_array).map(Vec::as_slice)
    else {
        return Err(Fault::shape("expected a list of two sides").under("sides"));
    };
    let side = |value, n: usize| read_side(value).map_err(|fault| fault.under(n).under("sides"));
    let sides = [side(first, 0)?, side(second, 1)?];
    // Round `rounds + 1` denotes the end of the game.
    let round = whole(map, "round", 1, rounds + 1)?;
    let pos = EasyCard { round, rounds, mover, sides };
    check(&pos)?;
    Ok(pos)
}

fn check(pos: &EasyCard) -> Result<(), Fault> {
    let at =
        |why: &str, n: usize, key| Err(Fault::position(why).under(key).under(n).under("sides"));
    let [first, second] = pos.sides;
    if first.hp == 0 && second.hp == 0 {
        return at("only one side can have lost its last hit point", 1, "hp");
    }
    if first.ended && second.ended {
        return at("if both sides have ended, the next round has begun", 1, "ended");
    }
    let mover = pos.fighter(pos.mover);
    if mover.ended {
        return at("a side that has ended cannot be to move", pos.mover.index(), "ended");
    }
    for (n, side) in pos.sides.iter().enumerate() {
        if side.boost + side.hand.focus > MOST_CARDS {
            let why = "`boost` and cards `focus` must sum to 5 at most";
            return at(why, n, "boost");
        }
    }
    Ok(())
}
