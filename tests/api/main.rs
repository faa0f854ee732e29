//! The contract over a socket: answers to valid questions.

mod display;
mod history;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use support::server::Server;

fn server() -> Server {
    Server::start(env!("CARGO_BIN_EXE_bestmove"), &[])
}

/// Plays moves by the service's own rules and returns the position.
fn position(server: &Server, question: &Value) -> Value {
    let reply = server.post("/v1/position", &question.to_string());
    assert_eq!(reply.status, 200, "{question}: {}", reply.body);
    reply.json()
}

fn strings(list: &Value) -> Vec<String> {
    let list = list.as_array().unwrap_or_else(|| panic!("{list} is a list"));
    list.iter().map(|item| item.as_str().expect("a string").to_owned()).collect()
}

/// Invariants of every answer: the best move is legal and begins the line, every line replays, and the
/// ratings cover all legal moves.
fn assert_sound(server: &Server, question: &Value, answer: &Value) {
    let base = |extra: &[String]| {
        let mut moves = question.get("moves").map(strings).unwrap_or_default();
        moves.extend_from_slice(extra);
        let mut base = json!({ "game": question["game"], "moves": moves });
        if let Some(state) = question.get("state") {
            base["state"] = state.clone();
        }
        base
    };
    let legal = strings(&position(server, &base(&[]))["legal_moves"]);
    let best = answer["best_move"].as_str().expect("a move").to_owned();
    assert!(legal.contains(&best), "{best} in {legal:?}");
    let line = strings(&answer["principal_variation"]);
    assert_eq!(line[0], best);
    position(server, &base(&line));
    assert!(strings(&answer["best_moves"]).contains(&best));
    let ratings = answer["ratings"].as_array().expect("ratings");
    for rating in ratings {
        let line = strings(&rating["principal_variation"]);
        assert_eq!(Value::from(line[0].clone()), rating["move"]);
        position(server, &base(&line));
    }
    let rated: BTreeSet<_> = ratings.iter().map(|rating| rating["move"].as_str()).collect();
    let legal: BTreeSet<_> = legal.iter().map(|mv| Some(mv.as_str())).collect();
    // A search of listed moves rates those.
    if answer["moves"] == "expert" {
        assert!(rated.is_subset(&legal) && !rated.is_empty(), "listed moves are legal");
    } else {
        assert_eq!(rated, legal, "every legal move is rated once");
    }
    assert_eq!(rated.len(), ratings.len(), "no move is rated twice");
}

#[test]
fn xiangqi_is_asked_and_answered_in_the_notations_of_its_players() {
    let server = server();
    let mut question = json!({ "game": "xiangqi", "moves": ["炮二平五", "H8+7"] });
    let state = position(&server, &question);
    assert_eq!(
        state["state"]["text"].as_str().map(|fen| &fen[..26]),
        Some("rnbakab1r/9/1c4nc1/p1p1p1p")
    );
    let played = json!({ "chinese": ["炮二平五", "马８进７"], "wxf": ["C2=5", "H8+7"] });
    assert_eq!(state["played"], played);
    for name in ["chinese", "wxf"] {
        let texts = strings(&state["notations"][name]);
        assert_eq!(texts.len(), strings(&state["legal_moves"]).len(), "{name}");
        for (text, wire) in texts.iter().zip(strings(&state["legal_moves"])) {
            let after = |text| {
                position(&server, &json!({ "game": "xiangqi", "moves": ["h2e2", "h9g7", text] }))
            };
            assert_eq!(after(text)["state"], after(&wire)["state"], "{text} for {wire}");
        }
    }
    question["search_moves"] = json!(["马二进三", "R1+1"]);
    question["budget"] = json!({ "depth": 2 });
    let reply = server.post("/v1/bestmove", &question.to_string()).json();
    for answer in reply["ratings"].as_array().expect("ratings").iter().chain([&reply]) {
        let line = strings(&answer["principal_variation"]);
        for name in ["chinese", "wxf"] {
            assert_eq!(strings(&answer["notations"][name]).len(), line.len(), "{answer}");
        }
        let first = if line[0] == "h0g2" { "马二进三" } else { "车一进一" };
        assert_eq!(answer["notations"]["chinese"][0], first);
    }
    let other = position(&server, &json!({ "game": "connect4", "moves": ["4"] }));
    assert_eq!((other.get("notations"), other.get("played")), (None, None));
    let game = server.get("/v1/games/xiangqi").json();
    assert_eq!(game["notations"], json!(["chinese", "wxf"]));
}

#[test]
fn every_algorithm_that_a_game_offers_answers_soundly() {
    let server = server();
    let games = server.get("/v1/games").json();
    for game in games["games"].as_array().expect("games") {
        let name = &game["name"];
        let mut setups = vec![json!({ "game": name })];
        if name == "gomoku" {
            setups = vec![json!({ "game": name, "state": "...../..x../..o../...../..... x" })];
        }
        if name == "gomoku_swap2" {
            let states = ["c3", "c3 a1 e5", "c3 a1 e5 stay b2"];
            let setup = |moves: &str| {
                let moves: Vec<_> = moves.split(' ').collect();
                json!({ "game": name, "state": { "size": 5, "moves": moves } })
            };
            setups = states.map(setup).to_vec();
        }
        for algorithm in strings(&game["algorithms"]) {
            let info = server.get("/v1/algorithms").json();
            let all = info["algorithms"].as_array().expect("algorithms").iter();
            let info = all.clone().find(|info| info["name"] == algorithm.as_str());
            let limits = strings(&info.expect("it is listed")["budgets"]);
            let mut budget = json!({ "time_ms": 60 });
            if limits.iter().any(|limit| limit == "depth") {
                budget["depth"] = 3.into();
            }
            for setup in &setups {
                let mut question = setup.clone();
                question["algorithm"] = algorithm.clone().into();
                question["budget"] = budget.clone();
                let answer = server.best_move(&question);
                assert_eq!(answer["algorithm"], algorithm.as_str());
                assert_eq!(answer["game"], *name);
                assert_sound(&server, setup, &answer);
            }
        }
    }
}

#[test]
fn the_example_of_every_game_works() {
    let server = server();
    for game in server.get("/v1/games").json()["games"].as_array().expect("games") {
        let answer = server.best_move(&game["example"]);
        assert!(answer["best_move"].is_string(), "{answer}");
        let one = server.get(&format!("/v1/games/{}", game["name"].as_str().expect("a name")));
        assert_eq!(one.json(), *game);
    }
}

#[test]
fn the_textbook_tree_is_answered_as_in_the_textbook() {
    let server = server();
    let tree = "[A, [B, (E, 3), (F, 12), (G, 8)], [C, (H, 2), (I, 4), (J, 6)], [D, (K, 14), (L, 5), (M, 2)]]";
    let quoted = "['A', ['B', ('E', 3), ('F', 12), ('G', 8)], ['C', ('H', 2), ('I', 4), ('J', 6)], ['D', ('K', 14), ('L', 5), ('M', 2)]]";
    let json_form = json!(["A", ["B", { "E": 3 }, { "F": 12 }], ["C", ["H", 2]]]);
    for state in [json!(tree), json!(quoted), json_form] {
        let answer = server.best_move(&json!({ "game": "tree", "state": state }));
        assert_eq!(answer["best_move"], "B");
        let score =
            json!({ "kind": "payoff", "value": 3, "unit": "1 = one unit of a leaf's value" });
        assert_eq!(answer["score"], score);
        assert_eq!(answer["exact"], true);
        assert_eq!(answer["principal_variation"], json!(["B", "E"]));
    }
}

#[test]
fn a_tree_with_chance_and_repeated_movers_is_searched_by_what_can_handle_it() {
    let server = server();
    let tree = json!({ "name": "root", "children": [
        { "name": "safe", "value": 4 },
        { "name": "dice", "mover": "chance", "children": [
            { "name": "good", "probability": 0.25, "mover": "max", "children": [
                { "name": "ten", "value": 10 }, { "name": "two", "value": 2 } ] },
            { "name": "bad", "probability": 0.75, "value": 1.5 } ] } ] });
    let answer = server.best_move(&json!({ "game": "tree", "state": tree }));
    assert_eq!(answer["algorithm"], "expectiminimax");
    assert_eq!(answer["best_move"], "safe");
    // 0.25 * 10 + 0.75 * 1.5
    assert_eq!(answer["ratings"][1]["score"]["value"], 3.625);
    let question = json!({ "game": "tree", "state": tree, "algorithm": "alphabeta" });
    let reply = server.post("/v1/bestmove", &question.to_string());
    assert_eq!((reply.status, &reply.json()["code"]), (422, &json!("unsupported_algorithm")));
    let chance = json!({ "game": "tree", "state": tree, "moves": ["dice"] });
    let view = position(&server, &chance);
    assert_eq!(view["side_to_move"], "chance");
    assert_eq!(view["legal_moves"], json!(["good", "bad"]));
}

#[test]
fn a_finished_game_is_reported_and_not_searched() {
    let server = server();
    let question = json!({ "game": "connect4", "moves": ["1", "2", "1", "2", "1", "2", "1"] });
    let answer = server.best_move(&question);
    assert_eq!(answer["best_move"], Value::Null);
    assert_eq!(answer["outcome"], json!({ "result": "first", "reason": "four_in_a_row" }));
    let view = position(&server, &question);
    assert_eq!(view["outcome"], answer["outcome"]);
    assert_eq!(view["legal_moves"], json!([]));
}

#[test]
fn othello_is_scored_in_discs() {
    let server = server();
    let board = "xxxx--oxoxoo-oo-ooxxxxxxoxooxxx-oxoooxx-ooxxooxxooooooo-oooooooo o";
    let answer = server.best_move(&json!({ "game": "othello", "state": board }));
    assert_eq!((&answer["algorithm"], &answer["best_move"]), (&json!("probcut"), &json!("h7")));
    let unit = "discs of the final margin";
    assert_eq!(answer["score"], json!({ "kind": "payoff", "value": 32, "unit": unit }));
    assert_eq!((&answer["exact"], &answer["win_probability"]), (&json!(true), &json!(1.0)));
    assert_eq!(answer["ratings"][4]["score"]["value"], 14);
    let line = &answer["principal_variation"];
    let ended = json!({ "game": "othello", "state": board, "moves": line });
    let outcome = &position(&server, &ended)["outcome"];
    assert_eq!((&outcome["result"], &outcome["payoff"]), (&json!("white"), &json!(-32)));
    // With the last disc to place, playouts tell the winner, not the margin.
    let moves = line.as_array().expect("a line");
    let question = json!({
        "game": "othello", "state": board, "moves": moves[..moves.len() - 1],
        "algorithm": "flat_mc", "budget": { "simulations": 100 }
    });
    let played_out = server.best_move(&question);
    let value = played_out["score"]["value"].as_f64().expect("an estimate");
    assert!([0.0, 1.0].contains(&value), "{played_out}");
    let tie = json!({ "game": "tree", "state": "(A, 0)" });
    assert_eq!(position(&server, &tie)["outcome"]["result"], "draw");
}

#[test]
fn reproducible_answers_are_equal_to_the_byte_under_load_too() {
    let server = server();
    let questions: Vec<_> = [
        json!({ "game": "connect4", "state": "4455", "algorithm": "alphabeta", "budget": { "nodes": 20_000 } }),
        json!({ "game": "connect4", "state": "44", "algorithm": "uct", "budget": { "simulations": 5_000 } }),
        json!({ "game": "tictactoe", "algorithm": "flat_mc", "budget": { "simulations": 900 } }),
        json!({ "game": "gomoku", "moves": ["h8"], "ratings": "none", "budget": { "depth": 3 } }),
        json!({ "game": "nim", "algorithm": "rollout_minimax", "budget": { "depth": 2 } }),
        json!({ "game": "gomoku", "moves": ["h8"], "algorithm": "random" }),
    ]
    .into_iter()
    .map(|mut question| {
        question["reproducible"] = true.into();
        question["seed"] = 11.into();
        question.to_string()
    })
    .collect();
    let ask = |question: &String| {
        let reply = server.post("/v1/bestmove", question);
        assert_eq!(reply.status, 200, "{}", reply.body);
        reply.body
    };
    let calm: Vec<_> = questions.iter().map(ask).collect();
    std::thread::scope(|scope| {
        // Other searches of the same positions fill the shared table meanwhile.
        let noise = scope.spawn(|| {
            for seed in 0..10 {
                server.best_move(&json!({
                    "game": "othello", "seed": seed, "budget": { "time_ms": 40 }
                }));
            }
        });
        for _ in 0..3 {
            assert_eq!(questions.iter().map(ask).collect::<Vec<_>>(), calm);
        }
        noise.join().expect("the other client ends");
    });
}

#[test]
fn an_answer_that_the_servers_time_cuts_is_not_reproducible_and_says_so() {
    let server =
        Server::start(env!("CARGO_BIN_EXE_bestmove"), &["--max-time-ms", "500", "--slots", "2"]);
    let mut question =
        json!({ "game": "xiangqi", "reproducible": true, "budget": { "depth": 60 } });
    let says = |answer: &Value| answer["warnings"].to_string().contains("not reproducible");
    let cut = server.best_move(&question);
    assert_eq!(
        (&cut["stats"]["stopped_by"], &cut["stats"]["reproducible"]),
        (&json!("time"), &json!(false))
    );
    assert!(says(&cut), "{cut}");
    question["budget"] = json!({ "depth": 1 });
    let whole = server.best_move(&question);
    assert!(whole["stats"]["reproducible"] == true && !says(&whole), "{whole}");
}

#[test]
fn the_same_question_again_costs_next_to_nothing() {
    let server = server();
    let ask = |moves: &[&str], depth: u32| {
        let question = json!({ "game": "connect4", "moves": moves, "budget": { "depth": depth } });
        let answer = server.best_move(&question);
        (answer["stats"]["nodes"].as_f64().expect("nodes"), answer)
    };
    let (first, answer) = ask(&["4", "4"], 13);
    let (again, same) = ask(&["4", "4"], 13);
    let scores = |answer: &Value| -> Vec<_> {
        let ratings = answer["ratings"].as_array().expect("ratings").clone();
        ratings.into_iter().map(|r| (r["move"].clone(), r["score"].clone())).collect()
    };
    assert_eq!(scores(&answer), scores(&same));
    assert!(again <= first * 0.01, "{again} of {first} nodes");
    assert_eq!(answer["score"], same["score"]);
    let best = answer["best_move"].as_str().expect("a move");
    let (next, _) = ask(&["4", "4", best], 13);
    let fresh = self::server();
    let question =
        json!({ "game": "connect4", "moves": ["4", "4", best], "budget": { "depth": 13 } });
    let alone = fresh.best_move(&question)["stats"]["nodes"].as_f64().expect("nodes");
    assert!(next <= alone * 0.7, "{next} of {alone} nodes");
}

#[test]
fn a_heavy_question_among_trivial_ones_of_its_kind_is_not_cut_short() {
    let server = server();
    let ask = |state: &str| {
        server.best_move(&json!({ "game": "nim", "state": state, "algorithm": "sg" }))
    };
    for n in 0..200 {
        assert_eq!(
            ask(&format!("1;{}", 2 + n % 3))["best_move"].as_str().map(|mv| &mv[..2]),
            Some("2:")
        );
    }
    // However busy the machine is.
    let heavy = server.best_move(&json!({
        "game": "nim", "state": "9;9;9;9", "algorithm": "sg", "budget": { "time_ms": 60_000 }
    }));
    assert_eq!(heavy["score"]["kind"], "loss");
    assert_eq!(heavy["stats"]["stopped_by"], "solved");
}

#[test]
fn the_id_comes_back_and_restrictions_are_kept() {
    let server = server();
    let answer = server.best_move(&json!({
        "game": "tictactoe", "id": "game 7", "search_moves": ["a1", "b1"], "avoid_moves": ["b1"]
    }));
    assert_eq!(answer["id"], "game 7");
    assert_eq!(answer["best_move"], "a1");
    assert_eq!(answer["ratings"].as_array().map(Vec::len), Some(1));
    let answer = server.best_move(&json!({ "game": "tictactoe", "ratings": 3, "budget": { "depth": 9 }, "algorithm": "alphabeta" }));
    assert_eq!(answer["ratings"].as_array().map(Vec::len), Some(3));
    assert_eq!(answer["score"], json!({ "kind": "draw" }));
    let answer = server.best_move(&json!({ "game": "tictactoe", "ratings": "none" }));
    assert_eq!(answer["ratings"], json!([]));
}

#[test]
fn limits_stop_a_search_and_say_so() {
    let server = server();
    let stopped = |budget: Value, algorithm: &str| {
        let question = json!({
            "game": "gomoku", "moves": ["h8"], "algorithm": algorithm, "budget": budget, "ratings": "none",
        });
        server.best_move(&question)["stats"].clone()
    };
    let stats = stopped(json!({ "nodes": 3_000 }), "alphabeta");
    assert_eq!((&stats["stopped_by"], &stats["nodes"]), (&json!("nodes"), &json!(3_000)));
    assert_eq!(stopped(json!({ "depth": 1 }), "alphabeta")["stopped_by"], "depth");
    let stats = stopped(json!({ "simulations": 500 }), "uct");
    assert_eq!((&stats["stopped_by"], &stats["simulations"]), (&json!("simulations"), &json!(500)));
    assert_eq!(stopped(json!({ "time_ms": 30 }), "uct")["stopped_by"], "time");
    let question = json!({ "game": "gomoku", "deadline_ms": 60, "ratings": "none" });
    assert_eq!(server.best_move(&question)["stats"]["stopped_by"], "deadline");
}

#[test]
fn probes_answer_and_the_process_ends_when_asked() {
    let program = env!("CARGO_BIN_EXE_bestmove");
    let mut server =
        Server::start(program, &["--slots", "1", "--max-wait-ms", "0", "--short-ms", "0"]);
    for path in ["/healthz", "/livez"] {
        assert_eq!(server.get(path).status, 200);
    }
    // Tables are computed first, and the service says so meanwhile.
    let mut ready = std::iter::repeat_with(|| server.get("/readyz"));
    let ready = ready.find(|reply| reply.json()["status"] != "preparing" || reply.status != 503);
    let ready = ready.expect("it ends");
    assert_eq!((ready.status, &ready.json()["status"]), (200, &json!("ok")));
    let health = std::process::Command::new(program)
        .args(["healthcheck", "--listen", &server.address.to_string()])
        .status();
    assert!(health.expect("the program starts").success());
    // A running search returns its best move so far.
    let answer = std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let long = json!({ "game": "othello", "budget": { "time_ms": 50_000 } }).to_string();
            // The others may hold the only slot at first.
            let replies = std::iter::repeat_with(|| server.post("/v1/bestmove", &long));
            let mut answers = replies.filter(|reply| reply.status == 200);
            answers.next().expect("one is answered in the end").json()
        });
        // It holds the only slot of long searches once others are refused.
        let other = json!({ "game": "othello", "budget": { "depth": 6 } }).to_string();
        while server.post("/v1/bestmove", &other).status == 200 {}
        server.terminate();
        asking.join().expect("an answer comes")
    });
    assert_eq!(answer["stats"]["stopped_by"], "shutdown");
    assert_eq!(server.wait(), Some(0));
}

#[test]
fn the_deepest_dive_into_the_largest_position_fits_the_stack() {
    let server = Server::start(env!("CARGO_BIN_EXE_bestmove"), &["--slots", "2"]);
    for threads in [1, 2] {
        let question = json!({
            "game": "snake_go",
            "algorithm": "alphabeta",
            "options": { "deepening": false },
            "budget": { "depth": 250, "nodes": 20_000 },
            "threads": threads,
        });
        assert!(server.best_move(&question)["best_move"].is_string());
    }
}

#[test]
fn one_leaf_or_one_node_does_not_hold_up_the_clock() {
    let server = server();
    // Without a timely look at the clock each of these takes minutes.
    let budget = json!({ "time_ms": 50 });
    let leaf = json!({
        "game": "snake_go", "algorithm": "rollout_minimax", "budget": budget,
        "options": { "playout": "expert", "playouts": 100_000, "max_round": 4_096 },
    });
    let node = json!({
        "game": "two_eat_one", "algorithm": "uct", "budget": budget,
        "options": { "terminal_search": 8 },
    });
    for question in [leaf, node] {
        assert_eq!(server.best_move(&question)["stats"]["stopped_by"], "time", "{question}");
    }
}

#[test]
fn moves_that_seem_not_worth_it_are_searched_when_all_others_lose() {
    let server = server();
    // The last operation of the half: the ray melts eleven own cells and loses, a step into the wall costs
    // a snake of two and wins by 14 to 12.
    let walls = (2..13).map(|x| json!([x, 0, 1])).chain((2..13).map(|x| json!([x, 8, 0])));
    let snake = |id: u32, camp: u32, body: serde_json::Value| json!({ "id": id, "camp": camp, "body": body });
    let mut last = snake(5, 1, json!([[1, 0], [0, 0]]));
    last["bank"] = json!(1);
    last["ray"] = json!(true);
    let state = json!({
        "max_round": 40, "round": 40, "player": 1, "acting": [5], "next_id": 6,
        "snakes": [
            snake(0, 0, json!([[8, 12]])),
            snake(1, 1, json!([[1, 1]])),
            snake(3, 1, json!([[14, 14]])),
            snake(4, 1, json!([[12, 14]])),
            last,
        ],
        "walls": walls.collect::<Vec<_>>(),
    });
    for ratings in [json!("none"), json!("all")] {
        let question = json!({ "game": "snake_go", "state": state, "ratings": ratings });
        let answer = server.best_move(&question);
        assert_eq!(answer["score"], json!({ "kind": "win", "plies": 1 }), "{answer}");
        assert_ne!(answer["best_move"], "melt");
    }
}
