use engine::game::Rng;
use proptest::prelude::*;

use super::*;

/// A random game of some plies.
pub(super) fn random_game<G: Notation>(
    name: &'static str,
    format: FileFormat,
    seed: u64,
    plies: usize,
) -> GameFile {
    let mut file = GameFile::new(name, format);
    let mut pos =
        G::read(StateInput::Start, &Settings::defaults(G::facts().options)).expect("start");
    let mut rng = Rng::new(seed);
    for _ in 0..plies {
        if matches!(pos.turn(), Turn::Over(_)) {
            break;
        }
        let moves = choices(&pos);
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.below(moves.len())];
        let text = match G::NOTATIONS {
            [] => pos.move_text(mv),
            names => match rng.below(names.len() + 1) {
                0 => pos.move_text(mv),
                n => pos.human(mv, names[n - 1]),
            },
        };
        file.push(text, 1);
        pos.play(mv);
    }
    file
}

fn any_game() -> impl Strategy<Value = GameFile> {
    let kind = 0..8_usize;
    (kind, any::<u64>(), 1..90_usize).prop_map(|(kind, seed, plies)| match kind {
        0 => {
            let mut file = random_game::<Gomoku>("gomoku", FileFormat::Sgf, seed, plies);
            file.options.insert("size".into(), json!(15));
            file
        }
        1 => random_game::<Othello>("othello", FileFormat::Sgf, seed, plies),
        2 => random_game::<Xiangqi>("xiangqi", FileFormat::Pgn, seed, plies),
        3 => {
            let mut file = random_game::<Gomoku>("gomoku", FileFormat::Psq, seed, plies);
            file.options.insert("size".into(), json!(15));
            file
        }
        4 => random_game::<Gomoku>("gomoku", FileFormat::Moves, seed, plies),
        5 => random_game::<Othello>("othello", FileFormat::Moves, seed, plies),
        6 => random_game::<Connect4>("connect4", FileFormat::Columns, seed, plies),
        _ => random_game::<Genius>("genius", FileFormat::Json, seed, plies.min(12)),
    })
}

fn any_result() -> impl Strategy<Value = Option<Outcome>> {
    let wins = Side::BOTH.map(|side| Some(Outcome::Win(side)));
    prop_oneof![Just(None), Just(Some(Outcome::Draw)), Just(wins[0]), Just(wins[1])]
}

fn any_annotation() -> impl Strategy<Value = Annotation> {
    let comment = prop::option::of("[a-z\\]\\[(){;\\\\\"局%$1]{1,12}( [a-z%\\]]{1,9}){0,9}");
    (prop::option::of(0..6_usize), comment).prop_map(|(mark, comment)| Annotation {
        mark: mark.map(|n| AnnotationMark::ALL[n]),
        comment,
    })
}

proptest! {
    #[test]
    fn a_game_written_and_read_is_the_same(
        mut file in any_game(),
        result in any_result(),
        annotations in prop::collection::vec(any_annotation(), 0..20),
        player in "[A-Za-z\\]\\\\\" 华]{0,12}",
    ) {
        use FileFormat::{Json, Pgn, Psq, Sgf};
        if file.format != Psq {
            file.result = result;
        }
        if matches!(file.format, Json | Pgn | Sgf) {
            let name = if file.format == Pgn { "Red" } else { "PB" };
            let player: Vec<_> = player.split_whitespace().collect();
            file.headers.push((name.into(), player.join(" ")));
            file.annotations = annotations;
            file.annotations.truncate(file.moves.len());
        }
        let text = write(&file, &file.annotations);
        let again = read(&text, Some(file.game)).map_err(|why| TestCaseError::fail(format!("{why}: {text}")))?;
        prop_assert_eq!(again.len(), 1, "{}", text);
        prop_assert_eq!(placeless(again[0].clone()), placeless(file), "{}", text);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>(), game in 0..GAME_NAMES.len()) {
        let _ = read(&text, None);
        let _ = read(&text, Some(GAME_NAMES[game]));
    }

    #[test]
    fn no_text_of_the_words_of_the_formats_makes_the_reader_panic(
        words in prop::collection::vec(prop::sample::select(WORDS), 0..40),
        game in 0..GAME_NAMES.len(),
    ) {
        let text = words.concat();
        for game in [None, Some(GAME_NAMES[game])] {
            for file in read(&text, game).unwrap_or_default() {
                prop_assert_eq!(file.moves.len(), file.places.len());
                prop_assert!(file.annotations.len() <= file.moves.len());
                let written = write(&file, &file.annotations);
                let again = read(&written, Some(file.game)).map_err(|why| TestCaseError::fail(format!("{why}: {written}")))?;
                prop_assert_eq!(again.len(), 1, "{}", written);
                prop_assert_eq!((&again[0].moves, again[0].result), (&file.moves, file.result), "{}", written);
            }
        }
    }

    #[test]
    fn no_damaged_file_makes_the_reader_panic(
        file in any_game(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = write(&file, &[]).into_bytes();
        for (at, byte) in cuts {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let text = String::from_utf8_lossy(&bytes);
        for file in read(&text, None).unwrap_or_default() {
            let _ = write(&file, &file.annotations);
        }
    }
}

/// Parts of files of every format.
const WORDS: &[&str] = &[
    "(",
    ")",
    ";",
    "(;",
    "GM[4]",
    "GM[2]",
    "SZ[15]",
    "SZ[8]",
    "AB[hh]",
    "AW[aa:cc]",
    "B[hh]",
    "W[]",
    "B[tt]",
    "W[h8]",
    "C[x\\]",
    "]",
    "[",
    "\\",
    "BO[8 -]",
    "PL[W]",
    "RE[0]",
    "\n",
    " ",
    "[FEN \"",
    "\"]",
    "[Game \"xiangqi\"]\n",
    "1.",
    "h2e2",
    "C2=5",
    "炮二平五",
    "馬８進７",
    "{",
    "}",
    "$1",
    "$9",
    "1-0",
    "*",
    "Piskvorky 15x15, 1:1, 0\n",
    "1,1,0\n",
    "-3,99,0\n",
    "f5",
    "d6",
    "pass",
    "--",
    "4455",
    "-2",
    "{\"game\":\"gomoku\",\"moves\":[",
    "\"h8\"",
    "]}",
    "é",
    "＋",
    "[{",
    "\u{feff}",
    "Nf3",
    "O-O",
    "b10",
    "9",
    "swap",
];

#[test]
fn deep_nesting_and_long_games_are_read_in_linear_time() {
    let deep = "(;GM[4]".to_owned() + &"(;C[x]".repeat(200_000) + ";B[hh]" + &")".repeat(200_001);
    assert_eq!(one(&deep).moves, ["h8"]);
    let variations = "1. h2e2 ".to_owned() + &"( h9g7 ".repeat(200_000) + &")".repeat(200_000);
    assert_eq!(one(&variations).moves, ["h2e2"]);
    let long = "(;GM[4]".to_owned() + &";B[hh];W[ii]".repeat(100_000) + ")";
    assert_eq!(one(&long).moves.len(), 200_000);
    assert!(read(&"[".repeat(200_000), None).is_err());
    assert!(read(&"(".repeat(200_000), None).is_err());
    assert!(read(&"(;".repeat(200_000), None).is_err());
}
