//! Piskvork's file of a gomoku game: a line for the size, one for each move, and what programs say of themselves.
//!
//! ```text
//! Piskvorky 15x15, 0:0, 0
//! 8,8,0
//! 9,7,1250
//! ```
//! Column and row count from 1 at the top left; then come ms.

use serde_json::json;

use super::{FileFault, FileFormat, GameFile, from_top_left, gomoku_point};

pub(super) fn read(text: &str) -> Result<GameFile, FileFault> {
    let mut lines = text.lines();
    let head = lines.next().unwrap_or_default();
    let size = head.split_whitespace().nth(1).and_then(|size| size.split('x').next()?.parse().ok());
    let size: usize = size.filter(|size| (5..=26).contains(size)).ok_or_else(|| {
        FileFault(format!("line 1: expected `Piskvorky 15x15, ...`, got `{head}`"))
    })?;
    let mut file = GameFile::new("gomoku", FileFormat::Psq);
    file.options.insert("size".into(), json!(size));
    let mut rest = Vec::new();
    for (number, line) in lines.enumerate() {
        let numbers: Option<Vec<usize>> =
            line.split(',').map(|number| number.trim().parse().ok()).collect();
        match numbers.as_deref() {
            // Behind the moves come names and the result.
            Some([x, y, _]) if rest.is_empty() => {
                let point = x.checked_sub(1).zip(y.checked_sub(1));
                let point = point.and_then(|(x, y)| gomoku_point(x, y, size));
                file.moves.push(point.ok_or_else(|| {
                    let at = number + 2;
                    FileFault(format!("line {at}: `{line}` is no point of a board of {size}"))
                })?);
            }
            _ => rest.push(line.trim().to_owned()),
        }
    }
    let names = ["black", "white", "result"];
    file.headers = names.iter().map(|&name| name.to_owned()).zip(rest).collect();
    Ok(file)
}

/// Comments stand behind the moves, where programs read no further.
pub(super) fn write<'a>(file: &GameFile, comment: &dyn Fn(usize) -> Option<&'a str>) -> String {
    let size = file.options.get("size").and_then(serde_json::Value::as_u64).unwrap_or(15) as usize;
    let mut out = format!("Piskvorky {size}x{size}, 0:0, 0\n");
    for mv in &file.moves {
        if let Some((x, y)) = from_top_left(mv, size) {
            out += &format!("{},{},0\n", x + 1, y + 1);
        }
    }
    for name in ["black", "white", "result"] {
        out += &format!("{}\n", file.header(name).unwrap_or("-"));
    }
    for (ply, mv) in file.moves.iter().enumerate() {
        if let Some(said) = comment(ply) {
            out += &format!("{}. {mv}: {}\n", ply + 1, said.replace('\n', " "));
        }
    }
    out
}
