//! Ratings of played moves and reviews of games: held against solved games, against one another, and against what
//! cannot change them.

mod support;

use bestmove::SharedTable;
use bestmove::catalog::question::Question;
use bestmove::catalog::review::{ReviewAnswer, ReviewQuestion};
use bestmove::catalog::{Allowance, AnyGame, Catalog, Context, Refusal};
use bestmove::game::Rng;
use bestmove::games::files::{self, FileFormat};
use bestmove::notation::StateInput;
use serde_json::{Map, Value, json};
use std::io::Read;
use std::time::Instant;
use support::random_game;

fn question(value: &Value) -> ReviewQuestion {
    serde_json::from_value(value.clone()).unwrap_or_else(|why| panic!("{value}: {why}"))
}

/// Reviews a game without a service.
fn review(value: &Value) -> ReviewAnswer {
    let catalog = Catalog::default();
    let plan = catalog.plan_review(&question(value)).unwrap_or_else(|why| panic!("{value}: {why}"));
    let table = SharedTable::new(100_000);
    let ask = |question: &Question| {
        let plan = catalog.plan(question, &Allowance::unlimited(), Instant::now())?;
        Ok::<_, Refusal>((plan.run)(&Context::alone(&table)))
    };
    plan.review(&plan.search(ask).unwrap_or_else(|why| panic!("{value}: {why}")))
}

#[test]
fn blunders_of_solved_games_are_named_and_answered() {
    // By the complete table: only the centre holds against a corner.
    let game = review(&json!({ "game": "tictactoe", "moves": ["a1", "b1", "b2", "c3", "a3"] }));
    let labels: Vec<_> = game.moves.iter().map(|one| json!(one.label)).collect();
    assert_eq!(labels, ["best", "blunder", "best", "best", "best"]);
    let blunder = &game.moves[1];
    assert_eq!((blunder.loss, json!(blunder.class)), (Some(0.5), json!("mistake")));
    assert_eq!(blunder.best.as_ref().expect("one").mv, "b2");
    assert_eq!(blunder.refutation.len(), 5, "the line to the end");
    assert!(!blunder.forced && !blunder.missed_win);
    assert_eq!(game.win_probabilities, [0.5, 0.5, 1.0, 1.0, 1.0, 1.0].map(Some));
    assert_eq!((game.shares.skill, game.shares.unexplained), (Some(0.5), Some(0.0)));
    assert_eq!((game.drama.lead_changes, game.turning_points.as_slice()), (0, &[1][..]));
    // 1 to the heap of 3 wins by nim sums; the rest throws the win away.
    let game = review(&json!({ "game": "nim", "state": "1;2;4", "moves": ["1:1", "3:2", "2:2"] }));
    let missed: Vec<_> = game.moves.iter().map(|one| one.missed_win).collect();
    assert_eq!(missed, [true, false, false]);
    assert_eq!(game.sides[0].missed_wins, 1);
}

#[test]
fn what_is_proved_to_lose_is_a_mistake_even_where_little_was_left_to_lose() {
    // Black holds by f3 alone, and stands badly there.
    let state = "=......o.ox...../...o.xxxoxo..../.....oxox.xoo../\
                 ..x..xxoooxx.o./.xoooxxxoxxoxx./...xoxooxxxooo./.x..xo.oxoox.../...oxxxooxx.o../\
                 ....xooxxxo..../..oxxxoxo.o..../..ooo........../.....o........./............... x";
    let empty = ".".repeat(15);
    let state = state.replacen('=', &format!("{empty}/{empty}/"), 1);
    let game = review(&json!({
        "game": "gomoku", "state": state, "moves": ["m10"], "budget": { "depth": 6 },
        "options": { "evaluation": "hand" },
    }));
    let one = &game.moves[0];
    assert_eq!(json!(one.score)["kind"], "loss", "{one:?}");
    assert!(one.loss.is_some_and(|loss| loss > 0.02 && loss < 0.10), "{one:?}");
    assert_eq!((json!(one.label), one.refutation.is_empty()), (json!("mistake"), false), "{one:?}");
}

#[test]
fn the_better_line_is_written_as_people_write_it() {
    let asked = json!({ "game": "xiangqi", "moves": ["h2e2", "a9a8"], "budget": { "depth": 3 } });
    let game = review(&asked);
    let best = game.moves[1].best.as_ref().expect("one");
    let mut moves = vec!["h2e2".to_owned()];
    moves.extend(best.principal_variation.iter().cloned());
    let question = json!({ "game": "xiangqi", "moves": moves });
    let question = serde_json::from_value(question).expect("a question");
    let position = Catalog::default().position(&question).expect("best play is legal");
    for name in ["chinese", "wxf"] {
        assert_eq!(best.notations[name], position.played[name][1..], "{name}");
        assert!(best.notations[name].len() > 1);
    }
}

#[test]
fn a_played_move_and_its_refutation_are_written_as_people_write_them() {
    // The last move gives a chariot away.
    let played = ["a0a1", "a9a8", "a1d1", "a8d8"];
    let reviewed = |depth: u32| {
        let asked = json!({ "game": "xiangqi", "moves": played, "budget": { "depth": depth } });
        let game = review(&asked);
        assert!(depth < 3 || game.moves[3].refutation[0] == "d1d8");
        game.moves.into_iter().enumerate().collect::<Vec<_>>()
    };
    let moves = [reviewed(1), reviewed(3)].concat();
    assert!(moves.iter().any(|(_, one)| one.refutation.len() == 1), "the reply alone");
    for (ply, one) in moves {
        let line: Vec<_> = one.refutation.iter().map(String::as_str).collect();
        let moves = [&played[..=ply], &line[..]].concat();
        let question = json!({ "game": "xiangqi", "moves": moves });
        let question = serde_json::from_value(question).expect("a question");
        let position = Catalog::default().position(&question).expect("the line is legal");
        for name in ["chinese", "wxf"] {
            assert_eq!(one.notations[name], position.played[name][ply..], "{name} of {ply}");
        }
    }
}

#[test]
fn values_of_moves_are_those_of_the_side_that_is_asked_for() {
    let mut asked = json!({ "game": "tictactoe", "moves": ["a1", "b1", "b2", "c3", "a3"] });
    let own = review(&asked);
    asked["perspective"] = json!("first");
    let first = review(&asked);
    let mirrored = |kind: &str| match kind {
        "win" => "loss".to_owned(),
        "loss" => "win".to_owned(),
        other => other.to_owned(),
    };
    for (ply, (own, first)) in own.moves.iter().zip(&first.moves).enumerate() {
        let kind = |score: &Option<_>| json!(score)["kind"].as_str().map(str::to_owned);
        let (p, one) = (own.win_probability.expect("known"), first.win_probability.expect("known"));
        if ply % 2 == 0 {
            assert_eq!(own, first);
        } else {
            assert_eq!(p + one, 1.0, "{ply}");
            assert_eq!(kind(&first.score), kind(&own.score).map(|kind| mirrored(&kind)));
        }
        assert_eq!((own.loss, own.class, own.points), (first.loss, first.class, first.points));
    }
    assert_eq!(own.win_probabilities, first.win_probabilities);
    assert_eq!(own.sides, first.sides);
}

#[test]
fn a_review_is_a_file_with_comments_if_that_is_wanted() {
    use FileFormat::{Json, Pgn, Sgf};
    let games = [
        ("xiangqi", "pgn", Pgn),
        ("gomoku", "sgf", Sgf),
        ("othello", "sgf", Sgf),
        ("connect4", "sgf", Json),
        ("snake_go", "pgn", Json),
        ("genius", "json", Json),
    ];
    for (game, wanted, held) in games {
        let asked = json!({
            "game": game, "moves": random_game(game, 12, 7), "file": wanted, "budget": { "nodes": 500 },
            "reproducible": true, "state": "startpos", "algorithm": "mc_alphabeta", "options": { "samples": 2 },
        });
        let found = review(&asked);
        let text = found.file.as_ref().expect("a file was asked for");
        let read = files::read(text, Some(game)).unwrap_or_else(|why| panic!("{why}: {text}"));
        assert_eq!((read.len(), read[0].format), (1, held), "{text}");
        assert!(read[0].state.is_none() && !text.contains("startpos"), "{text}");
        assert!(!read[0].options.contains_key("samples"), "{text}");
        let again = json!({ "game": game, "moves": read[0].moves, "options": read[0].options });
        let plan = Catalog::default().plan_review(&question(&again));
        plan.unwrap_or_else(|why| panic!("{why}: {text}"));
        assert_eq!(read[0].moves.len(), found.moves.len() + found.chance.len(), "{text}");
        for one in &found.moves {
            let annotation = &read[0].annotations[one.ply];
            let comment = annotation.comment.as_deref().unwrap_or_default();
            assert!(comment.contains(" %, "), "{one:?}: {text}");
            assert_eq!(comment.contains("; answered by "), !one.refutation.is_empty(), "{text}");
            let is_bad = ["inaccuracy", "mistake", "blunder"].map(|word| json!(word));
            assert_eq!(annotation.mark.is_some(), is_bad.contains(&json!(one.label)), "{text}");
        }
    }
    assert_eq!(review(&json!({ "game": "nim", "moves": ["1:1"] })).file, None);
}

#[test]
fn forced_moves_do_not_count_unless_asked() {
    let mut value = json!({ "game": "nim", "state": "1;1;1", "moves": ["1:1", "2:1", "3:1"] });
    let game = review(&value);
    let forced: Vec<_> = game.moves.iter().map(|one| one.forced).collect();
    assert_eq!(forced, [false, false, true]);
    assert_eq!((game.sides[0].moves, game.sides[0].forced), (2, 1));
    assert_eq!(game.excitement, Some(5.0), "equal moves share the mean of their places");
    value["count_forced"] = json!(true);
    assert_eq!(review(&value).excitement, Some(20.0 / 3.0), "the only move has 10 points");
}

#[test]
fn sides_and_order_of_moves_change_nothing() {
    let budget = json!({ "depth": 6 });
    let ask = |game: &str, state: &str, moves: &[&str]| {
        let question = json!({
            "game": game, "state": state, "moves": moves, "budget": budget, "algorithm": "alphabeta",
            "reproducible": true,
        });
        review(&question)
    };
    let moves = ["a1a2", "a4a3", "b1b2", "c4c3", "b2b3", "d4d3"];
    let one = ask("two_eat_one", "oooo/..../..../xxxx x", &moves);
    let other = ask("two_eat_one", "xxxx/..../..../oooo o", &moves);
    let facts = |game: &ReviewAnswer| {
        let of = |one: &bestmove::catalog::review::answer::MoveReview| {
            json!([
                one.score,
                one.loss,
                one.class,
                one.label,
                one.points,
                one.bonus,
                one.refutation
            ])
        };
        game.moves.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(facts(&one), facts(&other), "the sides are swapped");
    assert_eq!(one.excitement, other.excitement);
    for (one, other) in one.win_probabilities.iter().zip(&other.win_probabilities) {
        assert_eq!(one.map(|p| 1.0 - p), *other);
    }
    // After d3 c5.
    let discs = |first: &str, second: &str| {
        let [none, of] = ["-", first].map(|disc| move |count| disc.repeat(count));
        [none(19), of(1), none(7), of(2), none(5), second.repeat(3), none(27), format!(" {first}")]
            .concat()
    };
    let [one, other] =
        [discs("X", "O"), discs("O", "X")].map(|state| ask("othello", &state, &["d6", "e3"]));
    assert_eq!(facts(&one), facts(&other), "the colours of the discs are swapped");
    let four = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
    let [one, other] = ["4433526", "3344526"].map(|text| {
        let moves = four(text);
        ask("connect4", "startpos", &moves.iter().map(String::as_str).collect::<Vec<_>>())
    });
    assert_eq!(facts(&one)[4..], facts(&other)[4..], "the same position by another order");
    let start = ".../.../... x";
    let before = ask("tictactoe", start, &["a1", "b2", "c3", "a2", "c2"]);
    let swapped = ask("tictactoe", start, &["c3", "b2", "a1", "a2", "c2"]);
    assert_eq!(facts(&before)[3..], facts(&swapped)[3..], "the same positions by another order");
}

#[test]
fn points_of_a_position_sum_to_five_a_move_and_bonuses() {
    let catalog = Catalog::default();
    let table = SharedTable::new(100_000);
    for (game, seed) in ["tictactoe", "connect4", "othello", "two_eat_one", "xiangqi", "easycard"]
        .into_iter()
        .flat_map(|game| (1..8).map(move |seed| (game, seed)))
    {
        let value = json!({
            "game": game, "moves": random_game(game, seed as usize * 2, seed), "seed": 1,
            "budget": { "depth": 2 }, "scheme": { "one_depth": true }, "algorithm": "alphabeta",
        });
        let question = serde_json::from_value(value.clone()).expect("a question");
        let plan = catalog.plan(&question, &Allowance::unlimited(), Instant::now());
        let answer = json!((plan.expect("it is valid").run)(&Context::alone(&table)));
        let Some(ratings) = answer["ratings"].as_array().filter(|all| !all.is_empty()) else {
            continue;
        };
        let sum: f64 = ratings.iter().filter_map(|one| one["points"].as_f64()).sum();
        let bonus = |one: &Value| match one["bonus"][0].as_str() {
            Some("only_mistake") => -10.0,
            Some(_) => 10.0,
            None => 0.0,
        };
        let bonuses: f64 = ratings.iter().map(bonus).sum();
        let each = if ratings.len() == 1 { 10.0 } else { 5.0 };
        // Moves to one position share a rank: they are rated once, and listed each.
        let expected = each * ratings.len() as f64 + bonuses;
        assert!((sum - expected).abs() < 1e-4, "{value}: {sum}, not {expected}");
    }
}

/// A random tree of depth `plies` whose expectations are whole: five halvings of multiples of 64.
fn random_tree(rng: &mut Rng, plies: u32, name: &mut u32) -> Value {
    *name += 1;
    let own = format!("n{name}");
    if plies == 0 {
        return json!({ "name": own, "value": (rng.below(21) as i64 - 10) * 64 });
    }
    let count = 2 + rng.below(2);
    let children: Vec<_> = (0..count).map(|_| random_tree(rng, plies - 1, name)).collect();
    if rng.below(3) > 0 {
        let mover = ["max", "min"][rng.below(2)];
        return json!({ "name": own, "mover": mover, "children": children });
    }
    let shares = if count == 2 { vec![0.5, 0.5] } else { vec![0.25, 0.25, 0.5] };
    let with = |(mut child, share): (Value, f64)| {
        child["probability"] = json!(share);
        child
    };
    let children: Vec<_> = children.into_iter().zip(shares).map(with).collect();
    json!({ "name": own, "mover": "chance", "children": children })
}

#[test]
fn skill_and_luck_make_the_result() {
    let catalog = Catalog::default();
    let (mut chances, mut losses) = (0, 0);
    for seed in 1..60 {
        let mut rng = Rng::new(seed);
        let tree = random_tree(&mut rng, 5, &mut 0);
        let game = catalog.game("tree").expect("a game");
        let position = game.open(StateInput::Json(&tree), &[], &mut Map::new());
        let mut position = position.unwrap_or_else(|why| panic!("{tree}: {why}"));
        let mut moves = Vec::new();
        while let Some(mv) = position.roll(&mut rng).or_else(|| position.draw(&mut rng)) {
            position.play(&mv).expect("it is legal");
            moves.push(mv);
        }
        let game = review(&json!({
            "game": "tree", "state": tree, "moves": moves, "algorithm": "expectiminimax",
            "budget": { "depth": 20 },
        }));
        let unexplained = game.shares.unexplained.expect("all values are known");
        assert!(unexplained.abs() < 1e-9, "{seed}: {unexplained} of {game:?}");
        // In the answer's text, too.
        let written = serde_json::to_value(&game).expect("JSON");
        let share = |name: &str| written["shares"][name].as_f64().expect("a number");
        let sum = share("start") + share("skill") + share("luck");
        assert!((sum - share("result")).abs() < 1e-9, "{seed}: {written}");
        let events = written["chance"].as_array().expect("a list").iter();
        let luck: f64 = events.map(|event| event["luck"].as_f64().expect("a number")).sum();
        assert!((luck - share("luck")).abs() < 1e-9, "{seed}: {written}");
        chances += game.chance.len();
        losses += game.moves.iter().filter(|one| one.loss > Some(0.0)).count();
    }
    assert!(chances > 50 && losses > 20, "{chances} events, {losses} losses");
}

#[test]
fn luck_is_what_came_less_what_might_have_come() {
    let tree = json!({ "name": "root", "mover": "chance", "children": [
        { "name": "good", "value": 10, "probability": 0.25 },
        { "name": "bad", "value": -10, "probability": 0.75 },
    ]});
    let game = review(&json!({ "game": "tree", "state": tree, "moves": ["good"] }));
    let event = &game.chance[0];
    let expected = event.expected.expect("known");
    assert!((expected - 0.25).abs() < 1e-9, "a quarter of a win: {event:?}");
    assert!((event.luck.expect("known") - 0.75).abs() < 1e-9, "{event:?}");
    assert_eq!((game.moves.len(), game.excitement), (0, None));
}

#[test]
fn the_luck_of_all_that_may_come_has_the_mean_nothing() {
    // Playouts value a position otherwise in each question; an empty table makes them the same for the same question.
    let catalog = Catalog::default();
    let ask = |question: &Question| {
        let plan = catalog.plan(question, &Allowance::unlimited(), Instant::now())?;
        Ok::<_, Refusal>((plan.run)(&Context::alone(&SharedTable::new(1_000))))
    };
    let mut events = 0;
    for seed in 1..80 {
        let tree = random_tree(&mut Rng::new(seed), 4, &mut 0);
        let outcomes = tree["children"].as_array().expect("children");
        let decides = |outcome: &Value| outcome["mover"] != "chance";
        if decides(&tree) || !outcomes.iter().all(decides) {
            continue;
        }
        let luck = |outcome: &Value| {
            let asked = question(&json!({
                "game": "tree", "state": tree, "moves": [outcome["name"]], "algorithm": "uct",
                "budget": { "simulations": 90 },
            }));
            let plan = catalog.plan_review(&asked).expect("it is valid");
            let game = plan.review(&plan.search(ask).expect("it is answered"));
            let luck = game.chance[0].luck.expect("it is known");
            events += usize::from(luck != 0.0);
            outcome["probability"].as_f64().expect("a number") * luck
        };
        let mean: f64 = outcomes.iter().map(luck).sum();
        assert!(mean.abs() < 1e-9, "{tree}: {mean}");
    }
    assert!(events > 9, "{events} events");
}

#[test]
fn the_played_move_is_searched_as_deep_as_the_best() {
    let catalog = Catalog::default();
    let moves = random_game("othello", 16, 5);
    let asked = json!({ "game": "othello", "moves": moves, "budget": { "nodes": 4_000 } });
    let plan = catalog.plan_review(&question(&asked)).expect("it is valid");
    let table = SharedTable::new(100_000);
    let (mut depth, mut compared) = (None, 0);
    let ask = |question: &Question| {
        let plan = catalog.plan(question, &Allowance::unlimited(), Instant::now())?;
        let answer = (plan.run)(&Context::alone(&table));
        if !question.search_moves.is_empty() {
            let limit = json!(question.budget.depth);
            assert_eq!(limit, json!(depth), "that of the search before: {question:?}");
            assert!(json!(answer.stats.depth).as_u64() <= limit.as_u64());
            compared += 1;
        }
        depth = (!answer.proved).then_some(answer.stats.depth);
        Ok::<_, Refusal>(answer)
    };
    plan.search(ask).expect("it is answered");
    assert!(compared > 4, "{compared} played moves");
}

#[test]
fn every_move_of_every_game_is_rated() {
    let catalog = Catalog::default();
    for game in catalog.games().map(AnyGame::name).filter(|&game| game != "tree") {
        for seed in 1..4 {
            let moves = random_game(game, 12, seed);
            let game =
                review(&json!({ "game": game, "moves": moves, "budget": { "nodes": 30_000 } }));
            assert!(!game.moves.is_empty(), "{}: {moves:?}", game.game);
            for one in &game.moves {
                let is_rated = one.loss.is_some() && one.class.is_some() && one.points.is_some();
                assert!(is_rated, "{}: {one:?} in {moves:?}", game.game);
            }
        }
    }
}

#[test]
fn a_move_that_the_game_lists_in_another_form_is_rated_too() {
    // Recorded elsewhere: some moves are paid by other dice than those of the listed move.
    let packed: &[u8] = include_bytes!("data/gitcg-traces.json.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).expect("gzip");
    let recorded = &files::read(&text, Some("genius")).expect("games")[0];
    let moves = &recorded.moves[..16];
    let asked = json!({
        "game": "genius", "state": recorded.state, "options": recorded.options, "moves": moves,
        "budget": { "depth": 1 },
    });
    let game = review(&asked);
    let listed = |ply: usize| {
        let mut before = asked.clone();
        before["moves"] = json!(moves[..ply]);
        before.as_object_mut().expect("an object").remove("budget");
        let question = serde_json::from_value(before).expect("a question");
        Catalog::default().position(&question).expect("legal").legal_moves
    };
    let unlisted: Vec<_> =
        game.moves.iter().filter(|one| !listed(one.ply).contains(&one.mv)).collect();
    assert!(!unlisted.is_empty(), "{moves:?}");
    for one in unlisted {
        assert!(one.win_probability.is_some() && one.loss.is_some(), "{one:?}");
        assert!(one.best.is_some() && one.label.is_some(), "{one:?}");
    }
}

#[test]
fn what_a_correct_move_may_lose_is_the_schemes() {
    let moves = random_game("othello", 20, 3);
    let reviewed = |tolerance: Value| {
        review(&json!({
            "game": "othello", "moves": moves, "budget": { "depth": 4 },
            "scheme": { "tolerance": tolerance },
        }))
    };
    let correct =
        |game: &ReviewAnswer| game.moves.iter().filter(|one| json!(one.class) == "correct").count();
    let [strict, usual, some, wide] =
        [json!(0), Value::Null, json!(6), json!(100_000)].map(reviewed);
    let counts = [&strict, &usual, &some, &wide].map(correct);
    assert!(counts.is_sorted() && counts[1] < counts[2] && counts[2] < counts[3], "{counts:?}");
    assert_eq!(counts[3], moves.len());
    let mut labels = wide.moves.iter().map(|one| json!(one.label));
    assert!(labels.all(|label| label != "blunder"), "what is correct is at least good");
}
