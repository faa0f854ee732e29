//! Games of every kind as JSON: `{"game", "state", "options", "moves"}` as in requests, and recorded games of the card
//! duel.

use engine::game::{Outcome, Side};
use serde_json::{Map, Value, json};

use super::{
    Annotation, AnnotationMark, FileFault, FileFormat, GAME_NAMES, GameFile, read_result,
    result_word,
};
use crate::genius::Genius;
use crate::notation::{Fault, Notation, RecordStep, Settings};

/// Reads one game or a list of games.
pub(super) fn read(text: &str, game: Option<&str>) -> Result<Vec<GameFile>, FileFault> {
    let value: Value = serde_json::from_str(text).map_err(|why| {
        let message = why.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        FileFault::new(why.line().max(1), format!("not JSON: {message}"))
    })?;
    if is_trace(&value) {
        return traces(&value, text);
    }
    let bodies = match value {
        Value::Array(bodies) => bodies,
        body => vec![body],
    };
    let mut lines = MoveLines::new(text);
    let read = |body: Value| {
        let in_state = body["state"].get("moves").is_some();
        let first = lines.next_list();
        // The list of a state may come before that of the game.
        let second = if in_state { lines.next_list() } else { Vec::new() };
        let count = body["moves"].as_array().map_or(0, Vec::len);
        let is_first = !in_state || first.len() == count + 1;
        read_body(body, game, if is_first { first } else { second })
    };
    bodies.into_iter().map(read).collect()
}

/// Lines of the elements of the members `moves` in a text of JSON, in order.
struct MoveLines<'a> {
    text: &'a str,
    line: usize,
}

impl<'a> MoveLines<'a> {
    const fn new(text: &'a str) -> Self {
        Self { text, line: 1 }
    }

    fn advance(&mut self, bytes: usize) {
        let (passed, rest) = self.text.split_at(bytes);
        self.line += passed.matches('\n').count();
        self.text = rest;
    }

    /// The lines of the strings of the next list that is called `moves`, and then that of the name itself.
    fn next_list(&mut self) -> Vec<usize> {
        let Some(at) = self.text.find("\"moves\"") else { return vec![self.line] };
        self.advance(at + "\"moves\"".len());
        let name_line = self.line;
        let mut lines = Vec::new();
        while let Some(at) = self.text.find(['"', ']']) {
            self.advance(at);
            if self.text.starts_with(']') {
                break;
            }
            lines.push(self.line);
            self.skip_string();
        }
        lines.push(name_line);
        lines
    }

    /// Passes the string that begins here.
    fn skip_string(&mut self) {
        let mut is_escaped = false;
        let end = self.text.char_indices().skip(1).find(|&(_, mark)| {
            let ends = mark == '"' && !is_escaped;
            is_escaped = mark == '\\' && !is_escaped;
            ends
        });
        self.advance(end.map_or(self.text.len(), |(at, _)| at + 1));
    }
}

fn read_body(
    body: Value,
    wanted: Option<&str>,
    mut lines: Vec<usize>,
) -> Result<GameFile, FileFault> {
    let place = lines.pop().unwrap_or(1);
    let wrong = |what: &str| FileFault::new(place, format!("expected {what}"));
    let Value::Object(mut body) = body else {
        return Err(wrong("an object with `game`, `state`, `options` and `moves`"));
    };
    let name = body.get("game").and_then(Value::as_str).or(wanted).unwrap_or_default();
    let known = GAME_NAMES.into_iter().chain(["tree"]).find(|known| *known == name);
    let expected = || wrong(&format!("`game`, the name of a game, got `{name}`"));
    let mut file = GameFile::new(known.ok_or_else(expected)?, FileFormat::Json);
    file.state = body.remove("state").filter(|state| !state.is_null() && state != "startpos");
    match body.remove("options") {
        None | Some(Value::Null) => {}
        Some(Value::Object(options)) => file.options = options,
        Some(_) => return Err(wrong("an object in `options`")),
    }
    let moves = match body.remove("moves") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(moves)) => moves,
        Some(_) => return Err(wrong("a list in `moves`")),
    };
    let is_text = moves.iter().all(Value::is_string);
    for (index, value) in moves.into_iter().enumerate() {
        let line = lines.get(index).copied().filter(|_| is_text).unwrap_or(place);
        match value {
            Value::String(text) => file.push(text, line),
            // An action of the card duel.
            value => file.push(value.to_string(), line),
        }
    }
    read_extras(&mut file, &body);
    Ok(file)
}

/// What a request does not have: headers, result and annotations.
fn read_extras(file: &mut GameFile, body: &Map<String, Value>) {
    for pair in body.get("headers").and_then(Value::as_array).into_iter().flatten() {
        if let (Some(name), Some(value)) = (pair[0].as_str(), pair[1].as_str()) {
            file.headers.push((name.to_owned(), value.to_owned()));
        }
    }
    file.result = body.get("result").and_then(Value::as_str).and_then(read_result).flatten();
    let read = |value: &Value| Annotation {
        mark: value["mark"].as_str().and_then(|symbol| {
            AnnotationMark::ALL.into_iter().find(|mark| mark.symbol() == symbol)
        }),
        comment: value["comment"].as_str().map(str::to_owned),
    };
    let annotations = body.get("annotations").and_then(Value::as_array).into_iter().flatten();
    file.annotations = annotations.map(read).collect();
    file.annotations.truncate(file.moves.len());
}

/// The game in JSON, a move a line.
pub(super) fn write(file: &GameFile, annotations: &[Annotation]) -> String {
    let mut body = Map::new();
    body.insert("game".into(), json!(file.game));
    if let Some(state) = &file.state {
        body.insert("state".into(), state.clone());
    }
    if !file.options.is_empty() {
        body.insert("options".into(), json!(file.options));
    }
    body.insert("moves".into(), json!(file.moves));
    if !file.headers.is_empty() {
        body.insert("headers".into(), json!(file.headers));
    }
    if file.result.is_some() {
        body.insert("result".into(), json!(result_word(file.result)));
    }
    let write = |annotation: &Annotation| {
        let mut written = Map::new();
        if let Some(mark) = annotation.mark {
            written.insert("mark".into(), json!(mark.symbol()));
        }
        if let Some(comment) = &annotation.comment {
            written.insert("comment".into(), json!(comment));
        }
        Value::Object(written)
    };
    let annotations = &annotations[..annotations.len().min(file.moves.len())];
    if annotations.iter().any(|annotation| *annotation != Annotation::default()) {
        body.insert("annotations".into(), annotations.iter().map(write).collect());
    }
    format!("{:#}\n", Value::Object(body))
}

/// True for recorded games of the card duel.
fn is_trace(value: &Value) -> bool {
    let is_list = |name: &str| value.get(name).is_some_and(Value::is_array);
    let is_core = value.get(0).is_some_and(|first| first.get("teams").is_some());
    value.get("moves").is_none() && (is_list("games") || is_list("cases") || is_core)
}

/// Recorded games of the card duel as states and moves; their observations are left out.
fn traces(value: &Value, text: &str) -> Result<Vec<GameFile>, FileFault> {
    let settings = Settings::defaults(Genius::facts().options);
    let fault = |fault: Fault| FileFault::new(1, format!("a recorded card duel: {fault}"));
    let games = Genius::recordings(value, &settings).map_err(fault)?;
    let line = text.lines().position(|line| !line.trim().is_empty()).unwrap_or(0) + 1;
    let convert = |recording: crate::notation::Recording<Genius>| {
        let mut file = GameFile::new("genius", FileFormat::Trace);
        file.state = Some(recording.start.json());
        for step in recording.steps {
            if let RecordStep::Play(text) = step {
                file.push(text, line);
            }
        }
        file
    };
    let mut files: Vec<_> = games.into_iter().map(convert).collect();
    let records = value.get("games").or(Some(value)).and_then(Value::as_array);
    for (file, record) in files.iter_mut().zip(records.into_iter().flatten()) {
        file.result = match record["winner"].as_u64() {
            Some(0) => Some(Outcome::Win(Side::First)),
            Some(1) => Some(Outcome::Win(Side::Second)),
            _ => None,
        };
    }
    Ok(files)
}
