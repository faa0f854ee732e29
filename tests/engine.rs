//! The engine on standard input and output, as graphical clients talk to it: lines in, lines out.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use bestmove::catalog::Catalog;
use bestmove::catalog::answer::PositionAnswer;
use serde_json::json;

/// A client and its engine.
struct Client {
    engine: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Client {
    fn new(args: &[&str]) -> Self {
        let mut engine = Command::new(env!("CARGO_BIN_EXE_bestmove"));
        let engine = engine.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut engine = engine.expect("the program starts");
        let output = BufReader::new(engine.stdout.take().expect("it is piped"));
        Self { input: engine.stdin.take(), output, engine }
    }

    fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it is open");
        writeln!(input, "{line}").expect("somebody reads");
    }

    /// Lines up to the first with this prefix.
    fn hear(&mut self, last: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let bytes = self.output.read_line(&mut line).expect("UTF-8");
            assert!(bytes > 0, "the engine ended without `{last}`: {lines:?}");
            lines.push(line.trim_end().to_owned());
            if lines.last().is_some_and(|line| line.starts_with(last)) {
                return lines;
            }
        }
    }

    /// Output of a command, up to the answer to `isready` (exclusive).
    fn ask(&mut self, line: &str) -> Vec<String> {
        self.say(line);
        self.say("isready");
        let mut lines = self.hear("readyok");
        lines.pop();
        lines
    }

    /// Searches, and returns all output and the move.
    fn go(&mut self, line: &str) -> (Vec<String>, String) {
        self.say(line);
        self.moved()
    }

    fn moved(&mut self) -> (Vec<String>, String) {
        let lines = self.hear("bestmove");
        let best = lines.last().expect("a line").split(' ').nth(1).expect("a move").to_owned();
        (lines, best)
    }

    /// Ends the conversation and returns the remaining output.
    fn end(mut self) -> Vec<String> {
        self.input = None;
        let rest = self.output.by_ref().lines().collect::<Result<_, _>>().expect("UTF-8");
        assert!(self.engine.wait().expect("it ends").success());
        rest
    }
}

/// The number after a word.
fn number(line: &str, word: &str) -> Option<i64> {
    let mut words = line.split(' ').skip_while(|&other| other != word);
    words.nth(1)?.parse().ok()
}

fn position(game: &str, state: &str, moves: &[&str]) -> PositionAnswer {
    let question = json!({ "game": game, "state": state, "moves": moves });
    let question = serde_json::from_value(question).expect("a question");
    Catalog::default().position(&question).expect("a position")
}

/// Red mates at once by d2e2, and in no other way.
const MATE_IN_ONE: &str = "4k4/9/9/9/9/9/p8/3R5/9/3K1R3 w - - 0 1";
/// Black is mated.
const MATED: &str = "3Rk4/3R5/9/9/9/9/9/9/9/3K5 b - - 0 1";

#[test]
fn an_engine_introduces_itself_and_takes_all_its_options_as_they_are() {
    for (dialect, last) in [("uci", "uciok"), ("ucci", "ucciok")] {
        let mut client = Client::new(&[dialect]);
        client.say(dialect);
        let lines = client.hear(last);
        assert!(lines[0].starts_with("id name bestmove "), "{lines:?}");
        let options: Vec<_> = lines.iter().filter(|line| line.starts_with("option ")).collect();
        let expected = ["Threads", "UCI_Variant", "Algorithm", "aspiration", "rules"];
        for name in expected {
            let is_there = |line: &&&String| line.to_lowercase().contains(&name.to_lowercase());
            assert!(options.iter().any(|line| is_there(&line)), "{name}: {lines:?}");
        }
        for option in options {
            let (name, rest) = option.split_once(" type ").expect("an option has a type");
            let name = name.trim_start_matches("option ").trim_start_matches("name ");
            let after = rest.split_once("default ").map_or("", |(_, after)| after);
            let value = after.split(' ').next().unwrap_or_default();
            let said = client.ask(&match dialect {
                "uci" => format!("setoption name {name} value {value}"),
                _ => format!("setoption {name} {value}"),
            });
            assert_eq!(said, [""; 0], "{option}");
        }
        // A client may read five lines a second and wait for ten.
        assert!(lines.len() <= 45, "{}", lines.len());
        let set = if dialect == "uci" { "name late_moves value 6" } else { "late_moves 6" };
        assert_eq!(client.ask(&format!("setoption {set}")), [""; 0]);
        client.say("quit");
        let rest = client.end();
        assert_eq!(rest, if dialect == "uci" { vec![] } else { vec!["bye"] });
    }
}

#[test]
fn every_game_with_a_notation_is_played_from_any_position() {
    for game in Catalog::default().games() {
        let info = game.describe();
        if info.text_notation.is_none() {
            let output = Command::new(env!("CARGO_BIN_EXE_bestmove"))
                .args(["uci", "--game", info.name])
                .output()
                .expect("the program starts");
            let why = String::from_utf8(output.stderr).expect("UTF-8");
            assert!(!output.status.success() && why.contains("known: nim, "), "{why}");
            continue;
        }
        let mut client = Client::new(&["uci", "--game", info.name]);
        let state = info.start.text.expect("a start position in writing");
        let first = &position(info.name, &state, &[]).legal_moves[0];
        // Connect four writes its empty board as nothing.
        let start = if state.is_empty() { "startpos".into() } else { format!("fen {state}") };
        client.say(&format!("position {start} moves {first}"));
        let (lines, best) = client.go("go movetime 20");
        let legal = position(info.name, &state, &[first]).legal_moves;
        let is_legal = if legal.is_empty() { best == "(none)" } else { legal.contains(&best) };
        assert!(is_legal, "{}: {lines:?}", info.name);
    }
}

#[test]
fn a_client_may_change_the_game() {
    let mut client = Client::new(&["uci"]);
    assert_eq!(client.ask("setoption name UCI_Variant value connect4"), [""; 0]);
    client.say("position fen 4455");
    assert_eq!(client.go("go depth 6").1, "3");
    let refused = client.ask("setoption name UCI_Variant value checkers");
    assert!(
        refused[0].contains("unknown game `checkers`, or one without text notation; known: nim,"),
        "{refused:?}"
    );
}

#[test]
fn an_endless_search_keeps_its_move_until_it_is_told_to_stop() {
    let mut client = Client::new(&["uci"]);
    client.say(&format!("position fen {MATE_IN_ONE}"));
    client.say("go infinite");
    client.hear("info depth 1 multipv 1 score mate 1 ");
    assert!(client.ask("").iter().all(|line| !line.starts_with("bestmove")));
    client.say("stop");
    let (_, best) = client.moved();
    assert_eq!(best, "d2e2");
    // The same in the middle of an endless search.
    client.say("position startpos");
    client.say("go infinite");
    client.hear("info depth 2 ");
    let refused = client.ask("go depth 1");
    assert!(refused.contains(&"info string a search is running; `stop` ends it".into()));
    client.say("stop");
    client.moved();
}

#[test]
fn the_end_of_input_ends_a_search_with_its_move() {
    let mut client = Client::new(&["uci"]);
    client.say("go infinite");
    client.hear("info depth 2 ");
    let rest = client.end();
    assert!(rest.last().expect("a move").starts_with("bestmove "), "{rest:?}");
    let mut client = Client::new(&["ucci"]);
    client.say("go infinite");
    client.hear("info depth 2 ");
    client.say("quit");
    let rest = client.end();
    assert!(rest[rest.len() - 2].starts_with("bestmove "), "{rest:?}");
    assert_eq!(rest.last().map(String::as_str), Some("bye"));
}

#[test]
fn a_search_that_ponders_waits_for_the_move_of_the_foe() {
    let mut client = Client::new(&["uci"]);
    client.say(&format!("position fen {MATE_IN_ONE}"));
    client.say("go ponder wtime 1000 btime 1000");
    client.hear("info depth 1 ");
    assert!(client.ask("").iter().all(|line| !line.starts_with("bestmove")));
    client.say("ponderhit");
    client.moved();
    client.say("position startpos");
    client.say("go ponder wtime 1000 btime 1000");
    client.hear("info depth 2 ");
    client.say("ponderhit");
    client.moved();
    client.say("go ponder movetime 1000");
    client.say("stop");
    client.moved();
}

#[test]
fn the_best_lines_are_told_best_first() {
    let mut client = Client::new(&["uci"]);
    client.ask("setoption name MultiPV value 3");
    client.say(&format!("position fen {MATE_IN_ONE}"));
    let (lines, best) = client.go("go depth 3");
    let last = &lines[lines.len() - 4..lines.len() - 1];
    let firsts: Vec<_> = last
        .iter()
        .map(|line| line.split(" pv ").nth(1).and_then(|pv| pv.split(' ').next()).expect("a move"))
        .collect();
    assert_eq!(firsts[0], best);
    assert!(firsts[0] != firsts[1] && firsts[1] != firsts[2] && firsts[0] != firsts[2]);
    let places: Vec<_> = last.iter().map(|line| number(line, "multipv")).collect();
    assert_eq!(places, [Some(1), Some(2), Some(3)]);
    assert!(last.is_sorted_by_key(|line| number(line, "mate").unwrap_or(1_000)), "{last:?}");
    let each = lines.iter().filter(|line| line.starts_with("info depth 1 ")).count();
    assert_eq!(each % 3, 0, "{lines:?}");
}

#[test]
fn the_choice_of_moves_can_be_restricted() {
    let mut client = Client::new(&["uci"]);
    client.say("position startpos");
    let (_, best) = client.go("go searchmoves a0a1 i0i1 depth 2");
    assert!(["a0a1", "i0i1"].contains(&best.as_str()), "{best}");
    let (lines, best) = client.go("go depth 2 searchmoves e0e5");
    assert_eq!(best, "(none)");
    assert!(lines[0].contains("`e0e5` is not a legal move here"), "{lines:?}");

    let mut client = Client::new(&["ucci"]);
    client.say("setoption reproducible true");
    client.say("position startpos");
    let (_, best) = client.go("go depth 2");
    client.say(&format!("banmoves {best}"));
    let (_, other) = client.go("go depth 2");
    assert_ne!(best, other);
    client.say("position startpos");
    assert_eq!(client.go("go depth 2").1, best, "a new position lifts the ban");
}

#[test]
fn a_mate_is_counted_in_moves() {
    let mut client = Client::new(&["uci"]);
    client.say(&format!("position fen {MATE_IN_ONE}"));
    let (lines, best) = client.go("go mate 1");
    assert_eq!(best, "d2e2");
    assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "{lines:?}");
    let mut client = Client::new(&["uci", "--game", "connect4"]);
    // The opponent has an open three.
    client.say("position fen 44556");
    let (lines, _) = client.go("go depth 4");
    assert!(lines.iter().any(|line| line.contains(" score mate -1 ")), "{lines:?}");
    let mut client = Client::new(&["ucci"]);
    client.say(&format!("position fen {MATE_IN_ONE}"));
    let (lines, _) = client.go("go depth 3");
    assert!(lines.iter().any(|line| line.contains(" score 9999 ")), "{lines:?}");
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let mut client = Client::new(&["uci"]);
    client.say(&format!("position fen {MATED}"));
    let (lines, _) = client.go("go depth 3");
    assert_eq!(lines, ["bestmove (none)"]);
    let mut client = Client::new(&["ucci"]);
    client.say(&format!("position fen {MATED}"));
    client.say("go depth 3");
    assert_eq!(client.hear("nobestmove"), ["nobestmove"]);
    client.say("stop");
    assert_eq!(client.hear("nobestmove"), ["nobestmove"], "nothing was running");
}

#[test]
fn a_game_goes_on_where_the_client_has_another_rule_of_repetition() {
    let mut client = Client::new(&["uci"]);
    let circle = "a0a1 a9a8 a1a0 a8a9 ".repeat(4);
    let said = client.ask(&format!("position startpos moves {circle}"));
    assert_eq!(said, [""; 0]);
    assert_ne!(client.go("go depth 2").1, "(none)");
    // Exactly at the third occurrence.
    client.say(&format!("position startpos moves {}", "a0a1 a9a8 a1a0 a8a9 ".repeat(2)));
    assert_ne!(client.go("go depth 2").1, "(none)");
}

#[test]
fn wrong_input_is_explained_and_changes_nothing() {
    let mut client = Client::new(&["uci"]);
    client.say("position startpos moves h2e2");
    let cases = [
        ("nonsense 1 2", "unknown command `nonsense`"),
        ("position", "expected `startpos` or `fen FEN`"),
        ("position fen", "expected `startpos` or `fen FEN`"),
        ("position fen 9/9 w - - 0 1", "state"),
        ("position startpos moves h2e2 h2e3", "/moves/1: `h2e3` is not a legal move here"),
        ("setoption Hash 64", "expected `setoption name NAME value VALUE`"),
        ("setoption name Colour value red", "unknown option `Colour`"),
        ("setoption name Hash value many", "`Hash` must be a whole number from 1 to 16384"),
        ("setoption name Threads value 0", "`Threads` must be a whole number from 1 to"),
        ("setoption name MultiPV value -1", "`MultiPV` must be a whole number from 1 to"),
        ("setoption name Ponder value maybe", "`Ponder` must be true or false"),
        ("setoption name pvs value maybe", "`pvs` must be true or false"),
        ("setoption name ordering value best", "`ordering` must be one of"),
        ("setoption name Algorithm value magic", "`Algorithm` must be one of: auto, "),
        ("setoption name rules value mine", "`rules` must be one of"),
    ];
    for (line, why) in cases {
        let said = client.ask(line);
        assert!(said.len() == 1 && said[0].starts_with("info string "), "{line}: {said:?}");
        assert!(said[0].contains(why), "{line}: {said:?}");
        if line.starts_with("position") {
            let (said, best) = client.go("go depth 1");
            assert!(said[0].contains("the position was refused"), "{line}: {said:?}");
            assert_eq!(
                best, "(none)",
                "{line}: a move of an older position would be none of this one"
            );
        }
    }
    client.say("position startpos moves h2e2");
    for (line, why) in [
        ("go depth", "`depth` needs a number"),
        ("go movetime soon", "`movetime` needs a number, got `soon`"),
        ("go perft 3", "`go perft` is not supported"),
    ] {
        let (said, best) = client.go(line);
        assert!(said[0].contains(why), "{said:?}");
        assert_eq!(best, "(none)", "who waits for a move gets an answer");
    }
    assert_eq!(client.ask("go_slowly\r"), ["info string unknown command `go_slowly`"]);
    assert_eq!(client.ask("   "), [""; 0]);
    client.ask("d").iter().find(|line| line.contains(" b - - ")).expect("Black is to move");
    client.ask("setoption name Reproducible value true");
    let (said, _) = client.go("go movetime 10");
    assert!(said[0].contains("a reproducible answer cannot depend on time"), "{said:?}");
}

#[test]
fn knowledge_goes_on_from_move_to_move_unless_answers_must_be_reproducible() {
    let mut client = Client::new(&["uci", "--game", "connect4"]);
    let nodes = |client: &mut Client| {
        client.say("position fen 44");
        let (lines, _) = client.go("go depth 11");
        number(&lines[lines.len() - 2], "nodes").expect("nodes")
    };
    let first = nodes(&mut client);
    let again = nodes(&mut client);
    assert!(again * 10 < first, "{first} and then {again}");
    client.say("ucinewgame");
    assert!(nodes(&mut client) * 2 > first, "a new game begins with nothing");
    client.ask("setoption name Reproducible value true");
    assert_eq!(nodes(&mut client), nodes(&mut client));
}

#[test]
fn xiangqi_clients_count_in_seconds_until_both_agree_on_milliseconds() {
    let mut client = Client::new(&["ucci"]);
    // An hour: only `stop` ends it.
    client.say("go time 3600 movestogo 1");
    client.hear("info depth 2 ");
    client.say("stop");
    client.moved();
    client.ask("setoption usemillisec true");
    let (lines, _) = client.go("go time 90 movestogo 1 opptime 5 oppincrement 1");
    let time = lines.iter().filter_map(|line| number(line, "time")).max();
    assert!(time.expect("a time") < 30_000, "{lines:?}");
}

#[test]
fn a_batch_is_worked_off_line_by_line() {
    let mut client = Client::new(&["ucci"]);
    for line in [
        "setoption batch true",
        "position startpos",
        "go depth 3",
        "position startpos moves h2e2",
        "go depth 3",
        "go depth 0",
        "quit",
    ] {
        client.say(line);
    }
    let lines = client.end();
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 2, "{lines:?}");
    let judged = &lines[lines.len() - 3..];
    assert!(judged[0].starts_with("info depth 0 score "), "{judged:?}");
    assert_eq!(judged[1..], ["nobestmove", "bye"]);
}

#[test]
fn what_is_remembered_of_a_position_can_be_asked_for() {
    let mut client = Client::new(&["ucci"]);
    assert_eq!(client.ask("probe startpos moves h2e2"), ["pophash"]);
    client.say("position startpos");
    let (_, best) = client.go("go depth 4");
    let said = client.ask(&format!("probe startpos moves {best}"));
    assert!(said[0].starts_with("pophash bestmove ") && said[0].ends_with(" depth 3"), "{said:?}");
    assert_eq!(client.ask("probe fen 9/9")[0], "pophash");
    // Entries found with one set of options are not valid for another.
    client.ask("setoption Seed 5");
    assert_eq!(client.ask(&format!("probe startpos moves {best}")), ["pophash"]);
    let (_, best) = client.go("go depth 4");
    let said = client.ask(&format!("probe startpos moves {best}"));
    assert!(said[0].starts_with("pophash bestmove "), "{said:?}");
}
