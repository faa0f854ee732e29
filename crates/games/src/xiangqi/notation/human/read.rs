//! Reads moves in human notation.

use super::{Heading, Tandem, file_number, stroke};
use crate::notation::Notation;
use crate::xiangqi::notation::{objection as objection_to, point, word};
use crate::xiangqi::pieces::PieceKind;
use crate::xiangqi::rules::{Xiangqi, XiangqiMove};
use crate::xiangqi::squares::{has, squares};
use engine::game::Game;

/// What stands for each kind, in kind order: traditional and simplified characters of both sides, and letters.
const NAMES: [&str; 7] =
    ["K帅帥将將", "A仕士", "EB相象", "HN马馬傌", "R车車俥", "C炮砲包", "P兵卒"];
/// What stands for the numbers from 1.
const NUMBERS: [&str; 3] = ["123456789", "１２３４５６７８９", "一二三四五六七八九"];

/// Which of several pieces on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Front,
    Middle,
    Rear,
    /// The one with this number, counted from the front.
    Number(u8),
    /// WXF's `+`: the front one, of four or five soldiers the second.
    Plus,
    /// WXF's `-`: the rear one, of four or five soldiers the last but one.
    Minus,
    /// WXF's file: a soldier that is neither before nor behind the middle.
    File,
}

/// Part of the name of a piece.
#[derive(Clone, Copy, Debug)]
enum Glyph {
    Name(PieceKind, bool),
    Place(Place),
    Number(u8),
}

/// A move as written.
#[derive(Clone, Copy, Debug)]
struct HumanMove {
    kind: PieceKind,
    place: Option<Place>,
    file: Option<u8>,
    stroke: (Heading, u8),
}

/// The legal moves that a text may mean.
pub(in crate::xiangqi::notation) fn meant_by(pos: &Xiangqi, text: &str) -> Vec<XiangqiMove> {
    let Some(human) = HumanMove::read(text) else { return Vec::new() };
    let mut moves = pos.legal_moves();
    moves.retain(|&step| human.names(pos, step.from) && human.stroke == stroke(pos, step));
    moves
}

/// Reason why no legal move fits.
pub(in crate::xiangqi::notation) fn objection(pos: &Xiangqi, text: &str) -> Option<String> {
    let human = HumanMove::read(text)?;
    let (side, kind) = (pos.mover(), human.kind);
    let kind_name = word(kind);
    let named: Vec<_> =
        squares(pos.pieces(side, kind)).filter(|&square| human.names(pos, square)).collect();
    if named.is_empty() {
        return Some(format!("{} has no such {kind_name}", Xiangqi::side_name(side)));
    }
    let steps = named.iter().flat_map(|&from| {
        let reach = pos.reach(from, kind);
        squares(reach).map(move |to| XiangqiMove { from, to })
    });
    let mut fitting: Vec<_> = steps.filter(|&step| human.stroke == stroke(pos, step)).collect();
    fitting.sort_by_key(|step| has(pos.of(side), step.to));
    let places = named.iter().map(|&square| format!("the {kind_name} on {}", point(square)));
    let cannot = || format!("{} cannot go there", places.collect::<Vec<_>>().join(" and "));
    Some(fitting.first().map_or_else(cannot, |&step| objection_to(pos, step)))
}

impl HumanMove {
    fn read(text: &str) -> Option<Self> {
        let marks: Vec<_> = text.chars().filter(|mark| !mark.is_whitespace()).collect();
        let [head @ .., way, count] = &marks[..] else { return None };
        let head = head.iter().map(|&mark| glyph(mark)).collect::<Option<Vec<_>>>()?;
        let (kind, place, file) = name(&head)?;
        Some(Self { kind, place, file, stroke: (read_way(*way)?, read_number(*count)?) })
    }

    /// True if it names the mover's piece on this square.
    fn names(&self, pos: &Xiangqi, square: u8) -> bool {
        let side = pos.mover();
        let fits_file = self.file.is_none_or(|file| file == file_number(side, square));
        pos.at(square) == Some((side, self.kind))
            && fits_file
            && self
                .place
                .is_none_or(|place| self.is_at(place, Tandem::of(pos, side, self.kind, square)))
    }

    fn is_at(&self, place: Place, tandem: Tandem) -> bool {
        let Tandem { before, behind, files, right } = tandem;
        let inner = u8::from(tandem.count() > 3);
        let fits = match place {
            Place::Front => before == 0,
            Place::Middle => before == behind,
            Place::Rear => behind == 0,
            // The count goes over all soldiers that share a file, unless the file is named.
            Place::Number(number) if files > 1 && self.file.is_none() => {
                right + before + 1 == number
            }
            Place::Number(number) => before + 1 == number,
            Place::Plus => before == inner,
            Place::Minus => behind == inner,
            Place::File => return before == behind || tandem.count().is_multiple_of(2),
        };
        fits && tandem.count() > 1
    }
}

/// Kind, place and file of a piece.
fn name(glyphs: &[Glyph]) -> Option<(PieceKind, Option<Place>, Option<u8>)> {
    use Glyph::{Name, Number, Place as At};
    const SOLDIER: PieceKind = PieceKind::Soldier;
    Some(match *glyphs {
        [Name(SOLDIER, true), Number(file)] => (SOLDIER, Some(Place::File), Some(file)),
        [Name(kind, _), Number(file)] => (kind, None, Some(file)),
        [Name(kind, _), At(place)] | [At(place), Name(kind, _)] => (kind, Some(place), None),
        [Number(number), Name(kind, _)] => (kind, Some(Place::Number(number)), None),
        [At(place), Name(kind, _), Number(file)] => (kind, Some(place), Some(file)),
        [Number(number), Name(kind, _), Number(file)] => {
            (kind, Some(Place::Number(number)), Some(file))
        }
        [At(Place::Plus), At(Place::Plus)] => (SOLDIER, Some(Place::Front), None),
        [At(Place::Minus), At(Place::Minus)] => (SOLDIER, Some(Place::Rear), None),
        [At(place), Number(file)] | [Number(file), At(place)] => (SOLDIER, Some(place), Some(file)),
        [Number(file), Number(again)] if file == again => {
            (SOLDIER, Some(Place::Middle), Some(file))
        }
        _ => return None,
    })
}

fn glyph(mark: char) -> Option<Glyph> {
    let place = match mark {
        '前' => Place::Front,
        '中' => Place::Middle,
        '后' | '後' => Place::Rear,
        '+' => Place::Plus,
        '-' | '–' => Place::Minus,
        _ => {
            let letter = mark.to_ascii_uppercase();
            let kind = PieceKind::ALL.into_iter().find(|kind| NAMES[kind.index()].contains(letter));
            let named = kind.map(|kind| Glyph::Name(kind, mark.is_ascii()));
            return named.or_else(|| read_number(mark).map(Glyph::Number));
        }
    };
    Some(Glyph::Place(place))
}

fn read_way(mark: char) -> Option<Heading> {
    match mark {
        '进' | '進' | '+' => Some(Heading::Forward),
        '平' | '=' | '.' => Some(Heading::Level),
        '退' | '-' | '–' => Some(Heading::Back),
        _ => None,
    }
}

fn read_number(mark: char) -> Option<u8> {
    let place = NUMBERS.iter().find_map(|digits| digits.chars().position(|digit| digit == mark));
    place.map(|place| place as u8 + 1)
}
