//! What a client shows: titles, boards, whose scores they are; and documents that it has already.

use serde_json::{Value, json};

use crate::support::server::Reply;
use crate::{position, server, strings};

fn get(server: &crate::support::server::Server, path: &str, header: &str) -> Reply {
    server.raw(format!("GET {path} HTTP/1.1\r\nhost: test\r\n{header}\r\n\r\n").as_bytes())
}

#[test]
fn titles_are_in_the_language_that_is_accepted() {
    let server = server();
    for (accepted, language, title) in [
        ("en-GB,en;q=0.9", "en", "Xiangqi (Chinese chess)"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh", "中国象棋"),
        ("en;q=0.2, zh-TW", "zh", "中国象棋"),
        ("de, fr;q=0.5", "en", "Xiangqi (Chinese chess)"),
        ("*", "en", "Xiangqi (Chinese chess)"),
        ("zh;q=0, en;q=0.1", "en", "Xiangqi (Chinese chess)"),
        ("ZH-cn", "zh", "中国象棋"),
    ] {
        let header = format!("accept-language: {accepted}");
        let reply = get(&server, "/v1/games/xiangqi", &header);
        assert_eq!(reply.header("content-language"), Some(language), "{accepted}");
        assert_eq!(reply.json()["title"], title, "{accepted}");
        let all = get(&server, "/v1/games", &header).json();
        let all = all["games"].as_array().expect("games").clone();
        assert!(all.iter().any(|game| game["title"] == title), "{accepted}");
    }
}

#[test]
fn rules_and_notations_are_in_the_language_that_is_accepted() {
    let server = server();
    let games = |header: &str| get(&server, "/v1/games", header).json()["games"].clone();
    let (english, chinese) = (games("accept-language: en"), games("accept-language: zh-CN"));
    let methods =
        |header: &str| get(&server, "/v1/algorithms", header).json()["algorithms"].clone();
    let methods = ["accept-language: en", "accept-language: zh-CN"].map(methods);
    let is_han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    assert_eq!(english.as_array().map(Vec::len), chinese.as_array().map(Vec::len));
    let is_chinese = |text: &Value| text.as_str().expect("text").chars().any(is_han);
    for (of, chinese) in methods.iter().chain([&english, &chinese]).zip([false, true, false, true])
    {
        for entry in of.as_array().expect("methods or games") {
            let options = entry["options"].as_array().expect("options").iter();
            let own = ["about", "needs", "limits"].map(|name| &entry[name]);
            let texts = own.into_iter().chain(options.map(|option| &option["about"]));
            for text in texts.filter(|text| !text.is_null()) {
                assert_eq!(is_chinese(text), chinese, "{text} of {}", entry["name"]);
            }
        }
    }
    for (en, zh) in
        english.as_array().expect("games").iter().zip(chinese.as_array().expect("games"))
    {
        for name in ["rules", "move_notation"] {
            let text = |of: &Value| of[name].as_str().expect("text").to_owned();
            assert!(text(zh).chars().any(is_han) || name == "move_notation", "{zh}");
            assert!(!text(en).replace("炮二平五", "").chars().any(is_han), "{en}");
            // Words of the notation are the same in both.
            let words = |of: &Value| -> Vec<String> {
                text(of).split('`').skip(1).step_by(2).map(str::to_owned).collect()
            };
            let sorted = |mut words: Vec<String>| {
                words.sort();
                words
            };
            if en["name"] != "nim" {
                assert_eq!(sorted(words(en)), sorted(words(zh)), "{name} of {}", en["name"]);
            }
        }
        if en["text_notation"].is_string() {
            assert!(is_chinese(&zh["text_notation"]) && !is_chinese(&en["text_notation"]));
        }
        assert!(is_chinese(&zh["value_unit"]) && !is_chinese(&en["value_unit"]), "{zh}");
        assert!(en["source"].as_str().is_some_and(|source| !source.is_empty()), "{en}");
    }
}

#[test]
fn a_client_without_rules_can_draw_every_board() {
    let server = server();
    let games = server.get("/v1/games").json();
    let mut drawn = 0;
    for game in games["games"].as_array().expect("games") {
        let mut moves: Vec<String> = Vec::new();
        for _ in 0..6 {
            let at = position(&server, &json!({ "game": game["name"], "moves": moves }));
            assert_eq!(at["board"].is_null(), game["board"].is_null(), "{}", game["name"]);
            if let (Some(rows), Some(board)) = (at["board"].as_array(), game["board"].as_object()) {
                assert_board(rows, board, &strings(&at["legal_moves"]));
                drawn += 1;
            }
            let Some(mv) = strings(&at["legal_moves"]).pop() else { break };
            moves.push(mv);
        }
    }
    assert!(drawn >= 8 * 3, "{drawn} boards");
}

/// Rows and columns are named, pieces are told, and moves name them.
fn assert_board(rows: &[Value], board: &serde_json::Map<String, Value>, legal: &[String]) {
    let columns = strings(&board["columns"]);
    let names = strings(&board["rows"]);
    assert_eq!(rows.len(), names.len());
    let marks: Vec<_> = board["pieces"].as_array().expect("pieces").iter().collect();
    for row in rows {
        let row = row.as_str().expect("a row");
        assert_eq!(row.chars().count(), columns.len(), "{row}");
        let is_known = |mark: char| {
            ".-".contains(mark) || marks.iter().any(|piece| piece["mark"] == mark.to_string())
        };
        assert!(row.chars().all(is_known), "{row}");
    }
    let places: Vec<_> =
        columns.iter().flat_map(|c| names.iter().map(move |r| format!("{c}{r}"))).collect();
    let is_named = |mv: &String| match board["moves"].as_str() {
        Some("place") => places.contains(mv) || mv.chars().all(char::is_alphabetic),
        Some("from_to") => places
            .iter()
            .any(|from| mv.strip_prefix(&**from).is_some_and(|to| places.iter().any(|p| p == to))),
        Some("column") => columns.contains(mv),
        _ => true,
    };
    assert!(legal.iter().all(is_named), "{legal:?}");
}

#[test]
fn a_document_that_the_client_has_is_not_sent_again() {
    let server = server();
    for path in ["/v1/games", "/v1/games/nim", "/v1/algorithms", "/openapi.json", "/openapi.yaml"] {
        let first = server.get(path);
        let tag = first.header("etag").expect("a tag").to_owned();
        assert_eq!(first.status, 200);
        let again = get(&server, path, &format!("if-none-match: \"other\", {tag}"));
        assert_eq!((again.status, &*again.body), (304, ""), "{path}");
        assert_eq!(again.header("etag"), Some(&*tag), "{path}");
        for other in ["W/\"0\"", "W/\"not one, but two\"", "\"", "W/"] {
            assert_eq!(
                get(&server, path, &format!("if-none-match: {other}")).status,
                200,
                "{path}"
            );
        }
        for all in [&*tag.replace("W/", ""), "*"] {
            assert_eq!(get(&server, path, &format!("if-none-match: {all}")).status, 304, "{path}");
        }
    }
    let chinese = get(&server, "/v1/games/nim", "accept-language: zh");
    assert_ne!(chinese.header("etag"), server.get("/v1/games/nim").header("etag"));
}

#[test]
fn scores_are_those_of_the_side_that_is_asked_for() {
    let server = server();
    // White is to move and a disc behind.
    let mut question = json!({
        "game": "othello", "moves": ["d3"], "budget": { "depth": 3 }, "reproducible": true,
    });
    let own = server.best_move(&question);
    question["perspective"] = json!("first");
    let first = server.best_move(&question);
    let value = |answer: &Value| answer["score"]["value"].as_f64().expect("an evaluation");
    assert_eq!(value(&own), -value(&first));
    assert_eq!(own["ratings"][0]["class"], first["ratings"][0]["class"]);
    // Black is to move after it, so that both agree there.
    assert_eq!(own["position"], first["position"]);
    let place = json!({ "game": "othello", "moves": ["d3"] });
    let mut seen = place.clone();
    seen["perspective"] = json!("first");
    let evaluation = |at: &Value| position(&server, at)["evaluation"]["value"].as_f64();
    assert_eq!(evaluation(&place), evaluation(&seen).map(|value| -value));
}

#[test]
fn an_opponent_varies_unless_it_is_told_not_to() {
    let server = server();
    let mut question = json!({ "game": "tictactoe", "choose": "random", "ratings": "all" });
    let answers: Vec<_> = (0..60).map(|_| server.best_move(&question)).collect();
    let of = |name: &str| {
        let all = answers.iter().map(|answer| answer[name].to_string());
        all.collect::<std::collections::BTreeSet<_>>().len()
    };
    // All nine moves draw.
    assert!(of("best_move") >= 5, "{} first moves", of("best_move"));
    for answer in &answers {
        assert_eq!(answer["best_move"], answer["ratings"][0]["move"]);
        assert_eq!(strings(&answer["best_moves"]).len(), 9);
    }
    let seeds: std::collections::BTreeSet<_> =
        answers.iter().map(|answer| answer["stats"]["seed"].to_string()).collect();
    assert!(seeds.len() > 1, "seeds are drawn and named");
    // The seed that an answer names brings that answer again.
    question["seed"] = answers[0]["stats"]["seed"].clone();
    assert_eq!(server.best_move(&question)["best_move"], answers[0]["best_move"]);
    question["seed"] = Value::Null;
    question["reproducible"] = json!(true);
    question["choose"] = json!("first");
    let same: Vec<_> = (0..5).map(|_| server.best_move(&question)).collect();
    assert!(same.iter().all(|answer| *answer == same[0] && answer["stats"]["seed"] == 0));
}

#[test]
fn the_scheme_of_the_ratings_is_that_of_the_question() {
    let server = server();
    let rated = |scheme: Value| {
        server.best_move(&json!({
            "game": "tree", "state": "[R, (A, 12), (B, 11.5), (C, 3), (D, 0), (E, -4)]",
            "algorithm": "minimax", "scheme": scheme,
        }))
    };
    let classes = |answer: &Value| -> Vec<String> {
        let ratings = answer["ratings"].as_array().expect("ratings").iter();
        ratings.map(|rated| rated["class"].as_str().expect("a class").to_owned()).collect()
    };
    let wide = rated(json!({ "tolerance": 1 }));
    assert_eq!(classes(&wide), ["correct", "correct", "slack", "slack", "mistake"]);
    assert_eq!(wide["scheme"]["tolerance"], 1.0);
    assert_eq!(wide["ratings"][4]["bonus"], json!(["only_mistake"]));
    let strict = rated(json!({ "tolerance": 0 }));
    assert_eq!(classes(&strict), ["correct", "slack", "slack", "slack", "mistake"]);
    assert_eq!(strict["ratings"][0]["bonus"], json!(["only_correct"]));
    // The static evaluation of an inner node is 0.
    let before = rated(json!({ "reference": "static", "tolerance": 0 }));
    assert_eq!(classes(&before), ["correct", "correct", "correct", "correct", "mistake"]);
}
