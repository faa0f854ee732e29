//! A position as it stands in JSON.

use schemars::JsonSchema;
use serde::Deserialize;

use super::read::MOST_ID;
use super::{LEAST_SIDE, MOST_ROUNDS};
use crate::notation::BoundedWhole;
use crate::snake_go::cells::{Enclosure, SIDE};
use crate::snake_go::rules::SnakeGoRules;
use crate::snake_go::snakes::MOST_BANK;

pub(super) type SnakeId = BoundedWhole<0, { MOST_ID as u64 }>;
pub(super) type Coordinate = BoundedWhole<0, { SIDE as u64 - 1 }>;
pub(super) type RoundNumber = BoundedWhole<1, { MOST_ROUNDS as u64 + 1 }>;

/// A player: 0 or 1.
pub(super) type Camp = BoundedWhole<0, 1>;

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum EnclosureState {
    Border,
    Sides,
}

/// A snake.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SnakeState {
    pub(super) id: SnakeId,
    pub(super) camp: Camp,
    /// Cells [x, y] from the head on.
    #[schemars(length(min = 1))]
    pub(super) body: Vec<[Coordinate; 2]>,
    /// Cells that it has still to grow; 0 by default.
    pub(super) bank: Option<BoundedWhole<0, { MOST_BANK as u64 }>>,
    /// Whether it has a melt ray.
    #[serde(default)]
    pub(super) ray: bool,
}

/// An item.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ItemState {
    pub(super) x: Coordinate,
    pub(super) y: Coordinate,
    /// Round in which it appears.
    pub(super) time: BoundedWhole<1, { MOST_ROUNDS as u64 }>,
    /// 0: length; 2: melt ray.
    #[serde(rename = "type")]
    pub(super) kind: BoundedWhole<0, 2>,
    /// Cells of length; without meaning for a ray.
    pub(super) param: Option<BoundedWhole<0, 65_535>>,
}

/// A position; without `snakes` the start of a half with these items. Rules are by default as the options say.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SnakeGoState {
    pub(super) size: Option<BoundedWhole<{ LEAST_SIDE as u64 }, { SIDE as u64 }>>,
    pub(super) max_round: Option<BoundedWhole<1, { MOST_ROUNDS as u64 }>>,
    pub(super) growth_rounds: Option<BoundedWhole<0, { MOST_ROUNDS as u64 }>>,
    pub(super) enclosure: Option<EnclosureState>,
    /// 1 by default.
    pub(super) round: Option<RoundNumber>,
    /// 0 by default.
    pub(super) player: Option<Camp>,
    /// Snakes of the player still to act this turn: the last ones in the player's list; by default all.
    pub(super) acting: Option<Vec<SnakeId>>,
    pub(super) next_id: Option<BoundedWhole<2, { MOST_ID as u64 }>>,
    #[schemars(length(max = 8))]
    pub(super) snakes: Option<Vec<SnakeState>>,
    /// [x, y, camp].
    pub(super) walls: Option<Vec<(Coordinate, Coordinate, Camp)>>,
    /// In the order in which they appear; their numbers count from 0.
    #[schemars(length(max = 256))]
    pub(super) items: Option<Vec<ItemState>>,
    /// Numbers of the items that were eaten.
    pub(super) eaten: Option<Vec<BoundedWhole<0, 255>>>,
}

impl SnakeGoState {
    /// A member that a state without snakes does not have.
    pub(super) fn beyond_the_start(&self) -> Option<&'static str> {
        let given = [
            ("round", self.round.is_some()),
            ("player", self.player.is_some()),
            ("acting", self.acting.is_some()),
            ("next_id", self.next_id.is_some()),
            ("walls", self.walls.is_some()),
            ("eaten", self.eaten.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    pub(super) fn rules(&self, rules: SnakeGoRules) -> SnakeGoRules {
        SnakeGoRules {
            size: self.size.map_or(rules.size, BoundedWhole::small),
            max_round: self.max_round.map_or(rules.max_round, BoundedWhole::medium),
            growth_rounds: self.growth_rounds.map_or(rules.growth_rounds, BoundedWhole::medium),
            enclosure: match self.enclosure {
                None => rules.enclosure,
                Some(EnclosureState::Border) => Enclosure::Border,
                Some(EnclosureState::Sides) => Enclosure::Sides,
            },
        }
    }
}
