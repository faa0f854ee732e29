use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::evaluator::EasyCardEvaluator;
use super::rules::{
    Action, EasyCard, EasyCardSetup, EasyCardSide, Hand, MOST_CARDS, MOST_DICE, MOST_HP,
    MOST_ROUNDS, MOST_SHIELD,
};
use crate::notation::board::OrderTurn;
use crate::notation::display::{Title, Titles};
use crate::notation::{
    BoundedWhole, Facts, Fault, Notation, OptionKind, OptionSpec, Served, Settings, StateInput,
    read_state, schema_of,
};
use engine::game::Outcome;

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

impl Notation for EasyCard {
    const SIDES: [&'static str; 2] = ["first", "second"];
    const TITLES: Titles = Titles {
        game: Title::new("Card duel, small", "简易卡牌对战"),
        sides: Titles::BY_TURN,
    };
    const END_REASONS: &'static [&'static str] = &["no_hit_points_left", "last_round"];

    fn facts() -> Facts {
        Facts {
            name: "easycard",
            rules: Title::new(
                "A card duel without luck. Six dice a round for each side. Quick, the mover keeps the \
                    move: focus (card, boost +1), coin (card, one die more, up to 8), meal (card and a \
                    die, heals 2, once a round), guard (a die, shield +1, up to 2). Fighting, the move \
                    passes unless the opponent has ended: attack (3 dice, 2 damage and the boost), heavy (5 \
                    dice, 4 damage and the boost), end. Shields take damage first; a blow spends the \
                    boost. When both have ended, dice are six, shields 0, and the first to end begins. \
                    A side without hit points has lost; after the last round more hit points win.",
                "没有运气成分的卡牌对决。每方每回合六颗骰子。快速行动后仍由己方行动:focus(一张牌,增益 +1)、coin(一张牌,多一颗骰子,至多 8 颗)、meal(一张牌和一颗骰子,回复 2 点,每回合一次)、guard(一颗骰子,护盾 +1,至多 2)。战斗行动后轮到对方,除非对方已结束:attack(3 颗骰子,伤害 2 加增益)、heavy(5 颗骰子,伤害 4 加增益)、end。护盾先承受伤害;攻击用尽增益。双方都结束后,骰子恢复为六颗,护盾清零,先结束者先行动。生命耗尽者负;最后一回合后生命多者胜。",
            ),
            source: "of this project: a small duel for tests and lessons",
            text: None,
            moves: Title::new(
                "`focus`, `coin`, `meal`, `guard`, `attack`, `heavy`, `end`",
                "`focus`、`coin`、`meal`、`guard`、`attack`、`heavy`、`end`",
            ),
            move_pattern: r"^(focus|coin|meal|guard|attack|heavy|end)$",
            unit: "100 = one hit point",
            scale: 1,
            point: 100.0,
            schema: schema_of::<EasyCardState>(),
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

/// Cards of a kind.
type CardCount = BoundedWhole<0, { MOST_CARDS as u64 }>;

/// Cards of a side.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EasyCardHand {
    focus: CardCount,
    coin: CardCount,
    meal: CardCount,
}

/// A side.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EasyCardSeat {
    hp: BoundedWhole<0, { MOST_HP as u64 }>,
    dice: BoundedWhole<0, { MOST_DICE as u64 }>,
    shield: BoundedWhole<0, { MOST_SHIELD as u64 }>,
    boost: CardCount,
    hand: EasyCardHand,
    fed: bool,
    ended: bool,
}

/// A position.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EasyCardState {
    /// Round from 1; the one after the last denotes the end of the game.
    round: BoundedWhole<1, { MOST_ROUNDS as u64 + 1 }>,
    /// By default as the option says.
    rounds: Option<BoundedWhole<1, { MOST_ROUNDS as u64 }>>,
    /// Side to move.
    turn: OrderTurn,
    /// The first and the second side.
    sides: [EasyCardSeat; 2],
}

impl From<EasyCardSeat> for EasyCardSide {
    fn from(seat: EasyCardSeat) -> Self {
        let EasyCardHand { focus, coin, meal } = seat.hand;
        Self {
            hp: seat.hp.small(),
            dice: seat.dice.small(),
            shield: seat.shield.small(),
            boost: seat.boost.small(),
            hand: Hand { focus: focus.small(), coin: coin.small(), meal: meal.small() },
            fed: seat.fed,
            ended: seat.ended,
        }
    }
}

fn from_json(value: &Value, settings: &Settings) -> Result<EasyCard, Fault> {
    let EasyCardState { round, rounds, turn, sides } = read_state(value)?;
    let rounds = rounds.map_or_else(|| setup(settings).rounds, BoundedWhole::small);
    let round = round.small();
    if round > rounds + 1 {
        let why = format!("expected a round from 1 to {}, got {round}", rounds + 1);
        return Err(Fault::shape(why).under("round"));
    }
    let sides = sides.map(EasyCardSide::from);
    let pos = EasyCard { round, rounds, mover: turn.into(), sides };
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
