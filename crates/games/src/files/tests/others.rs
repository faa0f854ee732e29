use super::*;

/// Files written by other programs, their game, and how many games they hold.
const FILES: &[(&str, &str, usize)] = &[
    (include_str!("../../../../../tests/data/game_files/connect4_columns.txt"), "connect4", 5),
    (include_str!("../../../../../tests/data/game_files/gomoku.sgf"), "gomoku", 2),
    (include_str!("../../../../../tests/data/game_files/gomoku_list.txt"), "gomoku", 2),
    (include_str!("../../../../../tests/data/game_files/othello_list.txt"), "othello", 5),
    (include_str!("../../../../../tests/data/game_files/xiangqi_chinese.pgn"), "xiangqi", 1),
    (include_str!("../../../../../tests/data/game_files/xiangqi_coordinates.pgn"), "xiangqi", 1),
    (include_str!("../../../../../tests/data/game_files/xiangqi_wxf.pgn"), "xiangqi", 2),
];

/// The canonical text of the position at the end.
fn end_text(file: &GameFile) -> Option<String> {
    match file.game {
        "connect4" => end_of::<Connect4>(file).text(),
        "gomoku" => end_of::<Gomoku>(file).text(),
        "othello" => end_of::<Othello>(file).text(),
        _ => end_of::<Xiangqi>(file).text(),
    }
}

#[test]
fn games_of_other_programs_are_replayed_and_written_back() {
    for &(text, game, count) in FILES {
        let games = read(text, None).unwrap_or_else(|fault| panic!("{game}: {fault}"));
        assert_eq!(games.len(), count, "{game}");
        for file in games {
            assert_eq!(file.game, game);
            assert!(end_text(&file).is_some());
            let again =
                read(&write(&file, &file.annotations), Some(game)).expect("what was written");
            assert_eq!(again.len(), 1);
            assert_eq!(placeless(again[0].clone()), placeless(file));
        }
    }
}

/// The ends of the first games of the files of a game.
fn ends(game: &str) -> Vec<String> {
    let texts = FILES.iter().filter(|file| file.1 == game);
    let games = texts.map(|(text, ..)| read(text, None).expect("it is read").remove(0));
    games.map(|file| end_text(&file).expect("the position has a text")).collect()
}

#[test]
fn a_game_of_xiangqi_ends_alike_in_every_notation() {
    let ends = ends("xiangqi");
    assert!(ends.len() == 3 && ends.iter().all(|end| *end == ends[0]), "{ends:?}");
}

#[test]
fn a_game_of_gomoku_ends_alike_in_every_format() {
    let [in_sgf, in_list] = &ends("gomoku")[..] else { panic!("two files") };
    // The library that wrote the SGF counts rows from the bottom, and so turns the board over.
    let (board, side) = in_list.split_once(' ').expect("a board and a side");
    let rows: Vec<_> = board.split('/').rev().collect();
    assert_eq!(*in_sgf, format!("{} {side}", rows.join("/")));
}

#[test]
fn a_game_in_gb18030_is_that_of_its_coordinates() {
    let bytes = include_bytes!("../../../../../tests/data/game_files/xiangqi_gb18030.pgn");
    let file = one(&decode(bytes).expect("GB18030"));
    assert_eq!(file.headers[1..], [("Red".into(), "甲".into()), ("Black".into(), "乙".into())]);
    assert_eq!(file.annotations[1].comment.as_deref(), Some("中炮对屏风马"));
    let other = one("1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 4. c3c4 g6g5");
    assert_eq!(file.moves.len(), 8);
    assert_eq!(end_text(&file), end_text(&other));
}
