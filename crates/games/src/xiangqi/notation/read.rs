//! Parses positions and reports invalid ones.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{LETTERS, attackers, point, word};
use crate::notation::board::turns;
use crate::notation::{BoundedWhole, Fault, Notation, Settings, read_state};
use crate::xiangqi::pieces::PieceKind;
use crate::xiangqi::rules::{QUIET_PLIES, Xiangqi, XiangqiRules};
use crate::xiangqi::squares::{FILES, HALVES, RANKS, SQUARES, bit, points, rank_of, squares};
use engine::game::Side;

/// Maximum number of pieces per kind and side.
const SET: [usize; 7] = [1, 2, 2, 2, 2, 2, 5];

type Piece = (Side, PieceKind);

/// A parsed but not yet validated position.
struct XiangqiDraft {
    pieces: [Option<Piece>; SQUARES],
    mover: Side,
    quiet: u8,
    number: u16,
    checks: [u8; 2],
    /// True if read from JSON; faults then carry a pointer.
    json: bool,
}

pub(super) fn from_text(text: &str, settings: &Settings) -> Result<Xiangqi, Fault> {
    let mut words = text.split_whitespace();
    let rows: Vec<_> = words.next().unwrap_or_default().split('/').collect();
    let mut draft = XiangqiDraft::new(false);
    draft.read_rows(&rows)?;
    let missing = "missing side to move; expected `w` (red) or `b` (black) after the board";
    draft.mover = read_side(words.next().ok_or_else(|| Fault::shape(missing))?)?;
    for place in ["third", "fourth"] {
        if let Some(word) = words.next().filter(|word| *word != "-") {
            return Err(Fault::shape(format!("`{word}` is the {place} word; it is always `-`")));
        }
    }
    if let Some(word) = words.next() {
        let what = "the plies since the last capture";
        draft.quiet = read_number(word, what, u64::from(QUIET_PLIES) - 1)? as u8;
    }
    if let Some(word) = words.next() {
        draft.number = read_number(word, "the number of the move", u64::from(u16::MAX))? as u16;
    }
    if let Some(word) = words.next() {
        draft.checks = word.split_once('/').and_then(checks_of_text).ok_or_else(|| {
            Fault::shape(format!("`{word}` after the number of the move; {CHECKS} such as `2/0`"))
        })?;
    }
    match words.next() {
        Some(word) => Err(Fault::shape(format!("`{word}` after the checks"))),
        None => draft.position(settings),
    }
}

turns! {
    /// Side to move.
    XiangqiTurn: Red, W, R; Black, B
}

/// A position.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct XiangqiState {
    /// Ranks from 9 down to 0, each from file a to i; upper case is red's.
    #[schemars(length(equal = 10), inner(regex(pattern = r"^[KABENHRCPkabenhrcp.1-9]{1,9}$")))]
    board: Vec<String>,
    /// Side to move.
    turn: XiangqiTurn,
    /// Plies since the last capture; 0 by default.
    quiet: Option<BoundedWhole<0, { QUIET_PLIES as u64 }>>,
    /// The number of the move, one for both sides; 1 by default.
    number: Option<BoundedWhole<0, { u16::MAX as u64 }>>,
    /// Checks by red and by black since the last capture; none by default.
    checks: Option<[BoundedWhole<0, { u8::MAX as u64 }>; 2]>,
}

pub(super) fn from_json(value: &Value, settings: &Settings) -> Result<Xiangqi, Fault> {
    let XiangqiState { board, turn, quiet, number, checks } = read_state(value)?;
    let mut draft = XiangqiDraft::new(true);
    draft.read_rows(&board.iter().map(String::as_str).collect::<Vec<_>>())?;
    draft.mover = turn.into();
    draft.quiet = quiet.map_or(0, BoundedWhole::small);
    draft.number = number.map_or(1, BoundedWhole::medium);
    draft.checks = checks.map_or([0; 2], |counts| counts.map(BoundedWhole::small));
    draft.position(settings)
}

/// What the word and the member for checks hold.
const CHECKS: &str = "expected the checks by red and by black since the last capture";

fn checks_of_text((by_red, by_black): (&str, &str)) -> Option<[u8; 2]> {
    Some([by_red.parse().ok()?, by_black.parse().ok()?])
}

/// Repetition rules selected by the option.
pub(super) fn rules(settings: &Settings) -> XiangqiRules {
    match settings.choice("rules") {
        "check_only" => XiangqiRules::CheckOnly,
        _ => XiangqiRules::Computer,
    }
}

fn read_side(word: &str) -> Result<Side, Fault> {
    match word {
        "w" | "r" | "red" => Ok(Side::First),
        "b" | "black" => Ok(Side::Second),
        _ => Err(Fault::shape(format!(
            "`{word}` is not a side to move; expected `w` or `r` for red, `b` for black"
        ))),
    }
}

fn read_number(text: &str, what: &str, most: u64) -> Result<u64, Fault> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { text.parse().ok() } else { None };
    number.filter(|number| *number <= most).ok_or_else(|| {
        Fault::shape(format!("`{text}` for {what}; expected a whole number from 0 to {most}"))
    })
}

/// Piece of a letter; elephants and horses have two letters.
fn piece(letter: char) -> Option<Piece> {
    let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
    let letter = match letter.to_ascii_uppercase() {
        'E' => 'B',
        'H' => 'N',
        other => other,
    };
    LETTERS.find(letter).map(|kind| (side, PieceKind::ALL[kind]))
}

/// The points of a rank, by file.
fn read_rank(text: &str, rank: usize) -> Result<Vec<Option<Piece>>, Fault> {
    let mut points = Vec::new();
    for mark in text.chars() {
        match (piece(mark), mark.to_digit(10)) {
            (Some(piece), _) => points.push(Some(piece)),
            (None, Some(empty @ 1..)) => points.resize(points.len() + empty as usize, None),
            _ if mark == '.' => points.push(None),
            _ => {
                return Err(Fault::shape(format!(
                    "`{mark}` in rank {rank}; pieces are `{LETTERS}`, red's in upper and black's \
                     in lower case, and 1 to 9 are empty points"
                )));
            }
        }
    }
    if points.len() != FILES {
        let why = format!("rank {rank} has {} points; a rank has {FILES}", points.len());
        return Err(Fault::shape(why));
    }
    Ok(points)
}

impl XiangqiDraft {
    fn new(json: bool) -> Self {
        let pieces = [None; SQUARES];
        Self { pieces, mover: Side::First, quiet: 0, number: 1, checks: [0; 2], json }
    }

    /// A fault at this JSON member; without a pointer for text.
    fn at(&self, member: &str, fault: Fault) -> Fault {
        if self.json { fault.under(member) } else { fault }
    }

    fn at_row(&self, row: usize, fault: Fault) -> Fault {
        if self.json { fault.under(row).under("board") } else { fault }
    }

    fn read_rows(&mut self, rows: &[&str]) -> Result<(), Fault> {
        for (row, text) in rows.iter().enumerate().take(RANKS) {
            let rank = RANKS - 1 - row;
            let points = read_rank(text, rank).map_err(|fault| self.at_row(row, fault))?;
            self.pieces[rank * FILES..][..FILES].copy_from_slice(&points);
        }
        if rows.len() != RANKS {
            let why = format!("{} ranks; the board has {RANKS}, from 9 down to 0", rows.len());
            return Err(self.at("board", Fault::shape(why)));
        }
        Ok(())
    }

    /// Squares of a side's pieces of a kind.
    fn of(&self, side: Side, kind: PieceKind) -> u128 {
        let is_it = |square: &u8| self.pieces[usize::from(*square)] == Some((side, kind));
        (0..SQUARES as u8).filter(is_it).fold(0, |all, square| all | bit(square))
    }

    /// The position, if it passes all plausibility checks.
    fn position(&self, settings: &Settings) -> Result<Xiangqi, Fault> {
        for side in Side::BOTH {
            for kind in PieceKind::ALL {
                self.check_count(side, kind)?;
                if kind != PieceKind::Soldier || !settings.flag("lax") {
                    self.check_places(side, kind)?;
                }
            }
        }
        let piece = |square| self.pieces[usize::from(square)];
        let pos = Xiangqi::new(piece, self.mover, self.quiet, rules(settings))
            .numbered(self.number)
            .after_checks(self.checks);
        let waiting = self.mover.other();
        if pos.is_attacked(waiting) {
            let [mover, waiting_name] = [self.mover, waiting].map(Xiangqi::side_name);
            let why = format!(
                "it is {mover}'s turn while {waiting_name}'s general is attacked by {}; \
                 {waiting_name} left the general in check",
                attackers(&pos, waiting)
            );
            return Err(self.at("turn", Fault::position(why)));
        }
        Ok(pos)
    }

    fn check_count(&self, side: Side, kind: PieceKind) -> Result<(), Fault> {
        let (count, most) = (self.of(side, kind).count_ones() as usize, SET[kind.index()]);
        let (name, word) = (Xiangqi::side_name(side), word(kind));
        let why = match count {
            0 if kind == PieceKind::General => format!("{name} has no general"),
            _ if count > most => format!("{name} has {count} {word}s; a set has {most}"),
            _ => return Ok(()),
        };
        Err(self.at("board", Fault::position(why)))
    }

    fn check_places(&self, side: Side, kind: PieceKind) -> Result<(), Fault> {
        let allowed = points(side, kind);
        let rule = match kind {
            PieceKind::General => "a general stays in its palace",
            PieceKind::Advisor => "an advisor stands on one of these points",
            PieceKind::Elephant => "an elephant stands on one of these points",
            _ => "before the river a soldier has only moved straight ahead from its start",
        };
        let Some(square) = squares(self.of(side, kind) & !allowed).next() else { return Ok(()) };
        let home = squares(allowed & HALVES[side.index()]).map(point).collect::<Vec<_>>().join(" ");
        let (name, word) = (Xiangqi::side_name(side), word(kind));
        let at = point(square);
        let why = format!("the {name} {word} on {at} can never get there; {rule}: {home}");
        Err(self.at_row(RANKS - 1 - usize::from(rank_of(square)), Fault::position(why)))
    }
}
