//! Evaluation terms and their numbering. Every term has a weight for the opening and one for the
//! endgame; see `weights`.

use super::super::squares::{FILES, RANKS, SQUARES};
use engine::game::Side;

/// Visitor of the evaluation terms: sums weights, or counts terms.
pub(super) trait TermSink {
    /// A term occurs `times` times for Red (negative: for Black).
    fn add(&mut self, term: usize, times: i32);
}

/// Squares with mirror images (left-right) merged.
const FOLDED: usize = RANKS * FOLDED_FILES;
const FOLDED_FILES: usize = FILES.div_ceil(2);

/// Start and length of the table that follows another one.
const fn after((start, length): (usize, usize), next: usize) -> (usize, usize) {
    (start + length, next)
}

/// Placement, by kind and square.
const PLACED: (usize, usize) = (0, 7 * FOLDED);
/// Mobility of horses, chariots and cannons: number of moves and captures.
const HORSE: (usize, usize) = after(PLACED, 9);
const CHARIOT: (usize, usize) = after(HORSE, 18);
const CANNON: (usize, usize) = after(CHARIOT, 18);
/// Missing guards by number of the opponent's attacking pieces of a kind: three by three.
const ADVISORS_CHARIOTS: (usize, usize) = after(CANNON, 9);
const ADVISORS_HORSES: (usize, usize) = after(ADVISORS_CHARIOTS, 9);
const ADVISORS_CANNONS: (usize, usize) = after(ADVISORS_HORSES, 9);
const ELEPHANTS_CHARIOTS: (usize, usize) = after(ADVISORS_CANNONS, 9);
const ELEPHANTS_CANNONS: (usize, usize) = after(ELEPHANTS_CHARIOTS, 9);
/// Attacked points of the opponent's palace, by kind of attacker; then number of attackers.
const PALACE_HORSE: (usize, usize) = after(ELEPHANTS_CANNONS, 1);
const PALACE_CHARIOT: (usize, usize) = after(PALACE_HORSE, 1);
const PALACE_CANNON: (usize, usize) = after(PALACE_CHARIOT, 1);
const PALACE_SOLDIER: (usize, usize) = after(PALACE_CANNON, 1);
const ASSAULT: (usize, usize) = after(PALACE_SOLDIER, 8);
/// Cannons on a line with the opponent's general, by number of screens (0 to 2); on the file and on
/// the back rank.
const CANNON_FILE: (usize, usize) = after(ASSAULT, 3);
const CANNON_RANK: (usize, usize) = after(CANNON_FILE, 3);
/// A hollow cannon (no screen) supported by a chariot.
const HOLLOW_HELPED: (usize, usize) = after(CANNON_RANK, 1);
/// Own pieces pinned by a chariot, a general or a cannon, by kind.
const PINNED: (usize, usize) = after(HOLLOW_HELPED, 7);
/// Pairs of adjacent soldiers beyond the river.
const PAIR: (usize, usize) = after(PINNED, 1);
/// Pieces of the opponent attacked by a soldier; chariots attacked by a horse or a cannon.
const SOLDIER_THREAT: (usize, usize) = after(PAIR, 1);
const CHARIOT_THREAT: (usize, usize) = after(SOLDIER_THREAT, 1);
/// Side to move.
const TEMPO: (usize, usize) = after(CHARIOT_THREAT, 1);

/// Number of terms.
pub(super) const TERMS: usize = TEMPO.0 + TEMPO.1;

/// Placement term of a piece on a square, from its own side.
pub(super) const fn placed(kind: usize, seen_from: usize) -> usize {
    let (file, rank) = (seen_from % FILES, seen_from / FILES);
    let folded = if file < FOLDED_FILES { file } else { FILES - 1 - file };
    PLACED.0 + kind * FOLDED + rank * FOLDED_FILES + folded
}

/// A square from a side's perspective.
pub(super) fn seen_by(side: Side, square: u8) -> usize {
    let square = usize::from(square);
    match side {
        Side::First => square,
        Side::Second => square + SQUARES - FILES * (2 * (square / FILES) + 1),
    }
}

macro_rules! tables {
    ($($name:ident = $table:ident;)*) => {
        $(pub(super) const fn $name(n: usize) -> usize {
            $table.0 + if n < $table.1 { n } else { $table.1 - 1 }
        })*
    };
}

tables! {
    horse = HORSE;
    chariot = CHARIOT;
    cannon = CANNON;
    assault = ASSAULT;
    cannon_file = CANNON_FILE;
    cannon_rank = CANNON_RANK;
    pinned = PINNED;
    advisors_chariots = ADVISORS_CHARIOTS;
    advisors_horses = ADVISORS_HORSES;
    advisors_cannons = ADVISORS_CANNONS;
    elephants_chariots = ELEPHANTS_CHARIOTS;
    elephants_cannons = ELEPHANTS_CANNONS;
}

pub(super) const PALACE_BY_HORSE: usize = PALACE_HORSE.0;
pub(super) const PALACE_BY_CHARIOT: usize = PALACE_CHARIOT.0;
pub(super) const PALACE_BY_CANNON: usize = PALACE_CANNON.0;
pub(super) const PALACE_BY_SOLDIER: usize = PALACE_SOLDIER.0;
pub(super) const HELPED: usize = HOLLOW_HELPED.0;
pub(super) const SIDE_BY_SIDE: usize = PAIR.0;
pub(super) const BY_SOLDIER: usize = SOLDIER_THREAT.0;
pub(super) const ON_CHARIOT: usize = CHARIOT_THREAT.0;
pub(super) const TO_MOVE: usize = TEMPO.0;
