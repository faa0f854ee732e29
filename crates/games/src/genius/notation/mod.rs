//! Wire format of the card duel: [`read`] and [`write`] for states, [`play`] for moves, [`record`]
//! for games.

mod pending;
mod play;
mod read;
mod record;
mod seat;
mod state;
#[cfg(test)]
mod tests;
mod view;
mod write;

use serde_json::{Value, json};

use super::evaluator::{GeniusEvaluation, GeniusEvaluator};
use super::moves::{Act, GeniusMove};
use super::state::{Genius, Profile};
use crate::notation::display::{Title, Titles};
use crate::notation::{
    Facts, Fault, Notation, OptionKind, OptionSpec, Recording, Served, Settings, StateInput,
    schema_of,
};
use engine::game::{Game, Outcome, Turn};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "deal_seed",
        kind: OptionKind::Integer { min: 0, max: 9_007_199_254_740_991, default: 0 },
        about: "seed of the start position: it draws `random` decks, then shuffles the first player's deck and \
                the second's, of which the top five cards are the hand",
    },
    OptionSpec {
        name: "decks",
        kind: OptionKind::Choice(&["starter", "random"]),
        about: "the start position: the first player with the deck `starter_1` and the second with `starter_2`, \
                or both with characters and cards drawn by `deal_seed`, where the state does not name decks",
    },
    OptionSpec {
        name: "profile",
        kind: OptionKind::Choice(&["full", "core"]),
        about: "the whole duel, or the `core` of it: eight omni dice a round and no cards, where the state does \
                not say",
    },
    OptionSpec {
        name: "evaluation",
        kind: OptionKind::Choice(&["network", "fitted", "guessed"]),
        about: "`network`: weights fitted to the results of games, corrected by a network trained by self-play; \
                `fitted`: the weights alone; `guessed`: weights in hit points, set by hand",
    },
];

/// The names of the faces, omni first.
const FACES: [&str; 8] = ["omni", "cryo", "hydro", "pyro", "electro", "geo", "dendro", "anemo"];

fn face(name: &str) -> Option<u8> {
    FACES.iter().position(|face| *face == name).map(|face| face as u8)
}

impl Notation for Genius {
    const SIDES: [&'static str; 2] = ["first", "second"];
    const TITLES: Titles = Titles {
        game: Title::new("Dice and card duel", "骰子卡牌对战"),
        sides: Titles::BY_TURN,
    };
    const END_REASONS: &'static [&'static str] = &["all_characters_defeated", "last_round"];

    fn facts() -> Facts {
        Facts {
            name: "genius",
            rules: Title::new(
                "A duel of two sides with three characters of 10 hit points, 30 cards and 8 dice a \
                    round, by the rules and card version 4.1 of the public game. Skills, switches and \
                    the end of the round pass the turn unless the opponent has ended; cards and tuning do \
                    not. A side without characters has lost; after round 15 the game is a draw. In the \
                    profile `core` (an option, or `{\"profile\": \"core\"}` as the state) all dice are omni and \
                    there are no cards. The opponent's hand \
                    and the order of the decks are hidden: they are never used, even if the state \
                    contains them.",
                "双方各三名角色(生命 10)、30 张牌、每回合 8 颗骰子的对决,依公开游戏的规则及 4.1 版卡牌。使用技能、切换角色和结束回合之后轮到对方,除非对方已结束;打牌和调和则不然。没有角色者负;15 回合后为和。`core` 模式(选项,或以 `{\"profile\": \"core\"}` 为局面)中骰子全为万能,没有手牌。对方的手牌和牌库的次序不可见:即使局面中写有,也从不使用。",
            ),
            source: "七圣召唤 (Genius Invokation TCG), rules and cards of version 4.1",
            text: None,
            moves: Title::new(
                "`skill 0` (normal attack; 1 skill, 2 burst), `switch 2`, `play Starsigns on 1` (`on \
                    summon 0`, `on opponent summon 0`, `on support 3` for what makes room), `tune Paimon \
                    cryo`, `end`, `choose 1`, `reroll cryo:2 geo:1`, `redraw Paimon, Liben`; dice that \
                    pay come last: `skill 0 with cryo:1 omni:2`, the least needed where they are left \
                    out; an object such as {\"type\": \"skill\", \"skill\": 0, \"dice\": {\"cryo\": 3}} \
                    in a string is read too; chance: `roll cryo`, `draw Paimon`",
                "`skill 0`(普通攻击;1 战技,2 爆发)、`switch 2`、`play Starsigns on 1`(`on summon 0`、`on opponent summon 0`、`on support 3` 表示腾出位置)、`tune Paimon cryo`、`end`、`choose 1`、`reroll cryo:2 geo:1`、`redraw Paimon, Liben`;所付骰子写在最后:`skill 0 with cryo:1 omni:2`,省略时为所需的最少;也读写成字符串的对象,如 {\"type\": \"skill\", \"skill\": 0, \"dice\": {\"cryo\": 3}};随机事件:`roll cryo`、`draw Paimon`",
            ),
            move_pattern: r"^(skill|switch|play|tune|end|choose|reroll|redraw|roll|draw)( .+)?$",
            unit: "100 = one hit point",
            scale: 1,
            point: 100.0,
            schema: schema_of::<state::GeniusState>(),
            example: json!({
                "game": "genius",
                "state": Self::core([["Kaeya", "Diluc", "Sucrose"], ["Fischl", "Collei", "Kaeya"]])
                    .expect("these are characters")
                    .json(),
                "ratings": "none",
                "budget": { "depth": 6 }
            }),
            repeated_movers: true,
            options: OPTIONS,
            limits: "9 characters, 33 cards, 30 in a deck and 10 in the hand, 16 dice, 15 rounds",
        }
    }

    fn read(state: StateInput<'_>, settings: &Settings) -> Result<Self, Fault> {
        match state {
            StateInput::Start => Ok(read::GeniusStart::of(settings).position()),
            StateInput::Text(text) => Err(Fault::shape(format!(
                "`{text}` is not a state; expected \"startpos\" or an object with `players`"
            ))),
            StateInput::Json(value) => read::position(value, settings),
        }
    }

    fn text(&self) -> Option<String> {
        None
    }

    fn json(&self) -> Value {
        write::position(self)
    }

    fn move_text(&self, mv: GeniusMove) -> String {
        play::text(self, mv)
    }

    fn find_move(&self, text: &str) -> Result<GeniusMove, Fault> {
        play::find(self, text)
    }

    fn reason(&self, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Win(_) => "all_characters_defeated",
            _ => "last_round",
        }
    }

    fn recordings(file: &Value, settings: &Settings) -> Result<Vec<Recording<Self>>, Fault> {
        record::games(file, settings)
    }

    /// The state and, in the action phase, all actions with their costs.
    fn observe(&self) -> Value {
        let mut seen = self.json();
        record::forget_spent(&mut seen);
        if let (Turn::Of(side), None) = (self.turn(), self.tasks.next()) {
            seen["legal"] = record::legal(self, side);
        }
        if self.profile == Profile::Core {
            seen["core"] = record::core_state(self);
        }
        seen
    }
}

impl Served for Genius {
    type Evaluator = GeniusEvaluator;

    fn evaluator(&self, settings: &Settings) -> GeniusEvaluator {
        let evaluation = match settings.choice("evaluation") {
            "fitted" => GeniusEvaluation::Fitted,
            "guessed" => GeniusEvaluation::Guessed,
            _ => GeniusEvaluation::Network,
        };
        GeniusEvaluator { evaluation }
    }

    fn is_patient(&self, mv: GeniusMove) -> bool {
        let Turn::Of(mover) = self.turn() else { return false };
        mv.act == Act::End && self.seat(mover).ends_patiently()
    }

    fn strongest(&self) -> &'static str {
        "mc_alphabeta"
    }
}

impl Genius {
    /// Name of the profile.
    fn profile_name(&self) -> &'static str {
        match self.profile {
            Profile::Full => "full",
            Profile::Core => "core",
        }
    }
}
