//! Gomoku and othello in SGF: what the properties mean.

use engine::game::{Outcome, Side};
use serde_json::json;

use super::sgf::{self, SgfGame, SgfProperty};
use super::stones_board::{SgfBoard, StoneSetup, letters, read_board};
use super::stones_write::{MARKS, result_text};
use super::{FileFault, FileFormat, GameFile, excerpt, passes};

/// Properties of the root that are written anew, and no headers.
const OWN_PROPERTIES: [&str; 10] = ["FF", "GM", "CA", "SZ", "AB", "AW", "AE", "PL", "BO", "TY"];
/// Largest board that is read.
const LARGEST: usize = 20;

/// Reads all games.
pub(super) fn read(text: &str, game: Option<&str>) -> Result<Vec<GameFile>, FileFault> {
    sgf::read(text)?.iter().map(|tree| read_game(tree, game)).collect()
}

fn read_game(tree: &SgfGame, wanted: Option<&str>) -> Result<GameFile, FileFault> {
    let board = board_of(tree, wanted)?;
    let name = if board.is_othello { "othello" } else { "gomoku" };
    let mut file = GameFile::new(name, FileFormat::Sgf);
    let mut setup = StoneSetup::new(board.size);
    let mut movers = Vec::new();
    for (index, node) in tree.nodes.iter().enumerate() {
        for property in node {
            match property.name.as_str() {
                "B" | "W" => {
                    let move_text = board.read_move(property)?;
                    movers.push(side_of(property));
                    file.push(move_text, property.line);
                }
                "AB" | "AW" | "AE" => setup.add(board, property, file.moves.is_empty())?,
                "PL" => setup.mover = read_side(property.value()),
                "BO" => file.state = Some(read_board(property)?),
                _ if index == 0 => read_header(&mut file, property),
                _ => {}
            }
        }
        annotate(&mut file, node, index);
    }
    if !setup.is_empty() {
        file.state = setup.state(board, movers.first().copied());
    }
    if board.is_othello {
        passes::complete(&mut file);
    } else {
        file.options.insert("size".into(), json!(board.size));
        check_turns(&file, &movers, setup.first_mover(movers.first().copied()))?;
    }
    Ok(file)
}

/// The game and the size of its board.
fn board_of(tree: &SgfGame, wanted: Option<&str>) -> Result<SgfBoard, FileFault> {
    let size = match tree.find("SZ") {
        Some(property) => Some(read_size(property)?),
        None => None,
    };
    let kind = tree.find("GM").map_or("", SgfProperty::value);
    let is_othello = match (kind, wanted, size) {
        (_, Some("gomoku"), _) => {
            kind.eq_ignore_ascii_case("othello") || kind == "2" && size == Some(8)
        }
        (_, Some("othello"), _) | ("2", ..) => kind != "4",
        ("4", ..) => false,
        (name, ..) if name.eq_ignore_ascii_case("othello") => true,
        ("", _, Some(8)) => true,
        ("", _, Some(15 | 20)) => false,
        _ => {
            let line = tree.find("GM").map_or(tree.line, |property| property.line);
            let why = format!("{}; expected gomoku, `GM[4]`, or othello, `GM[2]`", kind_name(kind));
            return Err(FileFault::new(line, why));
        }
    };
    let size = size.unwrap_or_else(|| if is_othello { 8 } else { size_of_moves(tree) });
    if is_othello && size != 8 {
        let why = format!("a board of {size} points a side; othello is played on 8");
        return Err(FileFault::new(tree.line, why));
    }
    Ok(SgfBoard { is_othello, size })
}

/// The game of a number in `GM`, <https://www.red-bean.com/sgf/properties.html#GM>.
fn kind_name(kind: &str) -> String {
    let known = match kind {
        "" | "1" => "Go",
        "3" => "chess",
        "5" => "Nine Men's Morris",
        "6" => "backgammon",
        "7" => "xiangqi",
        "8" => "shogi",
        "11" => "Hex",
        _ => return format!("`GM[{}]`", excerpt(kind)),
    };
    if kind.is_empty() {
        "no `GM`, which means Go".into()
    } else {
        format!("`GM[{kind}]` is {known}")
    }
}

fn read_size(property: &SgfProperty) -> Result<usize, FileFault> {
    let text = property.value();
    let (width, height) = text.split_once(':').unwrap_or((text, text));
    let read = |text: &str| text.trim().parse::<usize>().ok();
    match (read(width), read(height)) {
        (Some(width), Some(height)) if width == height && (5..=LARGEST).contains(&width) => {
            Ok(width)
        }
        _ => {
            let why = format!("`SZ[{}]`; expected a square board of 5 to 20 points", excerpt(text));
            Err(FileFault::new(property.line, why))
        }
    }
}

/// The smallest usual board that holds all moves of a file that does not name its size.
fn size_of_moves(tree: &SgfGame) -> usize {
    let moves = tree.nodes.iter().flatten().filter(|p| ["B", "W"].contains(&p.name.as_str()));
    let places = moves.filter_map(|property| letters(property.value()));
    let largest = places.map(|(x, y)| x.max(y) + 1).filter(|&most| most <= LARGEST).max();
    [15, 19].into_iter().find(|&size| largest.is_none_or(|most| most <= size)).unwrap_or(LARGEST)
}

fn side_of(property: &SgfProperty) -> Side {
    if property.name == "B" { Side::First } else { Side::Second }
}

fn read_side(text: &str) -> Option<Side> {
    match text.chars().next()?.to_ascii_lowercase() {
        'b' | '1' => Some(Side::First),
        'w' | '2' => Some(Side::Second),
        _ => None,
    }
}

fn read_header(file: &mut GameFile, property: &SgfProperty) {
    let (name, value) = (property.name.as_str(), property.value());
    if name == "RE" {
        file.result = read_result(value);
        if value.eq_ignore_ascii_case(result_text(file.result)) {
            return;
        }
    }
    if name == "RU"
        && let Some(rules) = rules_of(value, file.game)
    {
        file.options.insert("rules".into(), json!(rules));
    }
    if !OWN_PROPERTIES.contains(&name) {
        file.headers.push((name.to_owned(), value.to_owned()));
    }
}

/// The option for the rules that a name of rules means.
fn rules_of(value: &str, game: &str) -> Option<&'static str> {
    let value = value.to_ascii_lowercase();
    let known = [
        ("freestyle", "freestyle"),
        ("standard", "standard"),
        ("exact", "standard"),
        ("renju", "renju"),
        ("caro", "caro"),
    ];
    let found = known.into_iter().find(|(word, _)| value.contains(word)).map(|(_, rules)| rules);
    // The numbers of the Gomocup.
    let numbered = match value.as_str() {
        "0" => Some("freestyle"),
        "1" => Some("standard"),
        "4" => Some("renju"),
        "8" => Some("caro"),
        _ => None,
    };
    found.or(numbered).filter(|_| game == "gomoku")
}

/// The result: `B+R`, `0`, or the lead of black in discs as in GGF.
fn read_result(value: &str) -> Option<Outcome> {
    let lower = value.to_ascii_lowercase();
    let number = lower.split(':').next().unwrap_or_default().trim().parse::<f64>().ok();
    match lower.as_bytes() {
        [b'b', b'+', ..] => Some(Outcome::Win(Side::First)),
        [b'w', b'+', ..] => Some(Outcome::Win(Side::Second)),
        _ if lower.starts_with(['黑']) => Some(Outcome::Win(Side::First)),
        _ if lower.starts_with(['白']) => Some(Outcome::Win(Side::Second)),
        _ if lower.starts_with(['和', '平']) => Some(Outcome::Draw),
        _ if lower.starts_with("draw") || lower.starts_with("jigo") => Some(Outcome::Draw),
        _ if lower.starts_with("black") => Some(Outcome::Win(Side::First)),
        _ if lower.starts_with("white") => Some(Outcome::Win(Side::Second)),
        _ => number.map(|lead| match lead {
            lead if lead > 0.0 => Outcome::Win(Side::First),
            lead if lead < 0.0 => Outcome::Win(Side::Second),
            _ => Outcome::Draw,
        }),
    }
}

fn annotate(file: &mut GameFile, node: &[SgfProperty], index: usize) {
    for property in node {
        if property.name == "C" && (index > 0 || !file.moves.is_empty()) {
            file.comment(property.value());
        }
        let is_strong = property.value() == "2";
        let fits = |&&(name, value, _): &&(&str, &str, _)| {
            property.name == name && (value.is_empty() || is_strong == (value == "2"))
        };
        if let Some(&(_, _, mark)) = MARKS.iter().find(fits) {
            file.mark(mark);
        }
    }
}

/// Checks that the colours take turns, as gomoku has no pass.
fn check_turns(file: &GameFile, movers: &[Side], first: Side) -> Result<(), FileFault> {
    let mut due = first;
    for (&mover, &line) in movers.iter().zip(&file.places) {
        if mover != due {
            let why = format!("a move by {}; expected one by {}", colour(mover), colour(due));
            return Err(FileFault::new(line, why));
        }
        due = due.other();
    }
    Ok(())
}

const fn colour(side: Side) -> &'static str {
    ["black", "white"][side.index()]
}
