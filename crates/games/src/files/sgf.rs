//! SGF of gomoku and othello. The main variation counts.

use serde_json::{Value, json};
use sgf_parse::unknown_game::Prop;
use sgf_parse::{GameTree, SgfNode, SgfProp, parse};

use super::{FileFault, FileFormat, GameFile, from_top_left, gomoku_point};

/// Points on a side of a gomoku board without `SZ`.
const USUAL: usize = 15;

/// Numbers of games in `GM`, and their names here.
const GAMES: [(&str, &str); 2] = [("4", "gomoku"), ("2", "othello")];

pub(super) fn read(text: &str) -> Result<Vec<GameFile>, FileFault> {
    let trees = parse(text).map_err(|why| FileFault(format!("invalid SGF: {why}")))?;
    trees.iter().map(game).collect()
}

fn game(tree: &GameTree) -> Result<GameFile, FileFault> {
    let GameTree::Unknown(root) = tree else {
        let why = "SGF without `GM`, or with GM[1], is a game of go; expected gomoku, GM[4], or othello, GM[2]";
        return Err(FileFault(why.into()));
    };
    let number = match root.get_property("GM") {
        Some(Prop::GM(number)) => number.to_string(),
        _ => String::new(),
    };
    let known = GAMES.iter().find(|(own, _)| *own == number);
    let Some((_, name)) = known else {
        return Err(FileFault(format!(
            "SGF of GM[{number}]; expected gomoku, GM[4], or othello, GM[2]"
        )));
    };
    let size = match root.get_property("SZ") {
        Some(&Prop::SZ((size, _))) => usize::from(size),
        _ if *name == "othello" => 8,
        _ => USUAL,
    };
    let mut file = GameFile::new(name, FileFormat::Sgf);
    file.headers = headers(root);
    if *name == "gomoku" && size != USUAL {
        file.options.insert("size".into(), json!(size));
    }
    if file.header("RU").is_some_and(|rules| rules.eq_ignore_ascii_case("renju")) {
        file.options.insert("rules".into(), json!("renju"));
    }
    file.state = setup(root, name, size)?;
    for prop in root.main_variation().filter_map(SgfNode::get_move) {
        let (Prop::B(point) | Prop::W(point)) = prop else { continue };
        file.moves.push(point_text(point, name, size).ok_or_else(|| {
            let ply = file.moves.len() + 1;
            FileFault(format!("move {ply}: `{point}` is no point of a board of {size}"))
        })?);
    }
    Ok(file)
}

/// A point by letters from the top left, or as players write it.
fn point_text(point: &str, game: &str, size: usize) -> Option<String> {
    let bytes = point.as_bytes();
    let is_pass = point.is_empty() || point.eq_ignore_ascii_case("tt") || point == "pass";
    match bytes {
        _ if is_pass && game == "othello" => Some("pass".into()),
        [column, rest @ ..] if !rest.is_empty() && rest.iter().all(u8::is_ascii_digit) => {
            column.is_ascii_alphabetic().then(|| point.to_ascii_lowercase())
        }
        &[x, y] => {
            let place = |letter: u8| usize::from(letter.wrapping_sub(b'a'));
            let (x, y) = (place(x), place(y));
            match game {
                "othello" if x < size && y < size => {
                    Some(format!("{}{}", char::from(b'a' + x as u8), y + 1))
                }
                "othello" => None,
                _ => gomoku_point(x, y, size),
            }
        }
        _ => None,
    }
}

/// The state with the stones that stand before the first move.
fn setup(root: &SgfNode<Prop>, game: &str, size: usize) -> Result<Option<Value>, FileFault> {
    let mut rows = vec![vec!['.'; size]; size];
    let mut stones = 0;
    for (name, mark) in [("AB", 'x'), ("AW", 'o')] {
        let Some(Prop::AB(points) | Prop::AW(points)) = root.get_property(name) else { continue };
        for point in points {
            let text = point_text(point, "gomoku", size);
            let place = text.and_then(|text| from_top_left(&text, size));
            let (x, y) = place.ok_or_else(|| {
                FileFault(format!("{name}: `{point}` is no point of a board of {size}"))
            })?;
            rows[y][x] = mark;
            stones += 1;
        }
    }
    // The four of othello's start.
    if stones == 0 || game == "othello" && stones == 4 {
        return Ok(None);
    }
    if game == "othello" {
        return Err(FileFault(
            "stones before the first move, AB and AW: expected the usual four".into(),
        ));
    }
    let rows: Vec<String> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
    let black = rows.iter().flat_map(|row| row.chars()).filter(|&mark| mark == 'x').count();
    let mover = if 2 * black > stones { "o" } else { "x" };
    Ok(Some(json!(format!("{} {mover}", rows.join("/")))))
}

fn headers(root: &SgfNode<Prop>) -> Vec<(String, String)> {
    let text = |prop: &Prop| match prop {
        Prop::PB(text)
        | Prop::PW(text)
        | Prop::RE(text)
        | Prop::RU(text)
        | Prop::DT(text)
        | Prop::EV(text) => Some((prop.identifier(), text.to_string())),
        _ => None,
    };
    root.properties().filter_map(text).collect()
}

pub(super) fn write<'a>(file: &GameFile, comment: &dyn Fn(usize) -> Option<&'a str>) -> String {
    let number = GAMES.iter().find(|(_, name)| *name == file.game).map_or("4", |(own, _)| own);
    let size = file.options.get("size").and_then(Value::as_u64).unwrap_or(USUAL as u64) as usize;
    let size = if file.game == "othello" { 8 } else { size };
    let mut out = format!("(;FF[4]CA[UTF-8]GM[{number}]SZ[{size}]");
    for (name, value) in &file.headers {
        out += &format!("{name}[{}]", escaped(value));
    }
    let (board, white_first) = stones(file, size);
    out += &board;
    for (ply, mv) in file.moves.iter().enumerate() {
        let colour = if (ply % 2 == 1) == white_first { "B" } else { "W" };
        let point = match mv.as_str() {
            "pass" => String::new(),
            mv => letters(mv, &file.game, size).unwrap_or_else(|| mv.to_owned()),
        };
        out += &format!("\n;{colour}[{point}]");
        if let Some(said) = comment(ply) {
            out += &format!("C[{}]", escaped(said));
        }
    }
    out + ")\n"
}

/// Text in which no character ends a value.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

fn letters(mv: &str, game: &str, size: usize) -> Option<String> {
    let (x, y) = from_top_left(mv, size)?;
    let y = if game == "othello" { size - 1 - y } else { y };
    Some([x, y].map(|place| char::from(b'a' + place as u8)).iter().collect())
}

/// The stones of the first state, and whether white moves first.
fn stones(file: &GameFile, size: usize) -> (String, bool) {
    let Some(Value::String(state)) = &file.state else { return (String::new(), false) };
    let (rows, mover) = state.split_once(' ').unwrap_or((state, "x"));
    let of = |mark: char| {
        let mut points = String::new();
        for (y, row) in rows.split('/').enumerate().take(size) {
            for (x, _) in row.chars().enumerate().filter(|&(_, own)| own == mark) {
                let point: String =
                    [x, y].map(|place| char::from(b'a' + place as u8)).iter().collect();
                points += &format!("[{point}]");
            }
        }
        points
    };
    let list = |name: &str, points: String| {
        if points.is_empty() { points } else { format!("{name}{points}") }
    };
    (list("AB", of('x')) + &list("AW", of('o')), mover == "o")
}
