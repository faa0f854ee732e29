//! The card duel as recorded by other programs: whole games, single actions, games of the core profile, and
//! counts and lines of play worked out from the rules.

use std::io::Read;
use std::path::Path;

use bestmove::game::{Game, Side, Turn};
use bestmove::games::genius::Genius;
use bestmove::notation::{Notation, Settings, StateInput};
use serde_json::{Value, json};

use crate::list;
use crate::perft::check;
use crate::support::data;

fn settings() -> Settings {
    Settings::defaults(Genius::facts().options)
}

fn traces() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gitcg-traces.json.gz");
    let packed = std::fs::read(path).expect("the recorded games");
    let mut text = String::new();
    let read = flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text);
    read.expect("gzip");
    serde_json::from_str(&text).expect("JSON")
}

/// Replays recordings: their number, their moves and the states compared.
fn replayed(file: &Value) -> [usize; 3] {
    let games = Genius::recordings(file, &settings()).unwrap_or_else(|fault| panic!("{fault}"));
    let (mut moves, mut seen) = (0, 0);
    for (n, game) in games.iter().enumerate() {
        let replayed = game.replay();
        assert_eq!(replayed.difference, None, "game {n} after {} moves", replayed.moves);
        moves += replayed.moves;
        seen += replayed.seen;
    }
    [games.len(), moves, seen]
}

#[test]
fn recorded_games_go_the_same_way_with_the_same_choices() {
    // 2,707 actions and the dice between them; every state, and the last of each game.
    let [games, moves, seen] = replayed(&traces());
    assert_eq!((games, seen), (25, 2_707 + 25));
    assert!(moves > 2_707);
}

#[test]
fn every_recorded_step_is_the_same_from_its_state_alone() {
    let file = traces();
    let mut steps = Vec::new();
    for game in list(&file["games"]) {
        let mut first = game["first"].clone();
        let rows = list(&game["steps"]);
        for (n, row) in rows.iter().enumerate() {
            let ended = |side: usize| row["state"]["players"][side]["ended"] == true;
            if row["action"]["type"] == "end" && !ended(0) && !ended(1) {
                first = row["actor"].clone();
            }
            // Events interrupted by a defeat are not recorded.
            if row["state"]["phase"] == "death" {
                continue;
            }
            let mut row = row.clone();
            if row["next"].is_null() {
                row["next"] = rows[n + 1]["state"].clone();
            }
            steps.push(json!({ "first": first, "steps": [row] }));
        }
    }
    let count = steps.len();
    let [games, _, seen] = replayed(&json!({ "games": steps }));
    assert_eq!((games, seen), (count, 2 * count));
    assert_eq!(count, 2_707 - 84);
}

#[test]
fn recorded_cases_come_out_the_same() {
    assert_eq!(replayed(&data("gitcg-scenarios.json")), [46, 46, 46]);
}

#[test]
fn recorded_games_of_the_core_profile_go_the_same_way() {
    let [games, moves, _] = replayed(&data("tcg_core_traces.json"));
    assert_eq!((games, moves), (24, 917));
}

fn core(first: [&str; 3], second: [&str; 3]) -> Genius {
    Genius::core([first, second]).expect("these are characters")
}

const KDS: [&str; 3] = ["Kaeya", "Diluc", "Sucrose"];
const DKS: [&str; 3] = ["Diluc", "Kaeya", "Sucrose"];
const FCK: [&str; 3] = ["Fischl", "Collei", "Kaeya"];

#[test]
fn perft_of_the_core_profile_is_that_recorded() {
    let counts = [1, 5, 25, 125, 609, 2_757, 11_785];
    for first in [DKS, FCK] {
        for second in [DKS, FCK] {
            check(&core(first, second), &counts, &format!("{first:?} against {second:?}"));
        }
    }
    let alone = |mut state: Value| {
        for player in [0, 1] {
            for fallen in [1, 2] {
                state["players"][player]["chars"][fallen] = json!({ "name": "Diluc", "hp": 0 });
            }
        }
        Genius::read(StateInput::Json(&state), &settings()).expect("a position")
    };
    let one = alone(core(["Diluc"; 3], ["Diluc"; 3]).json());
    check(&one, &[1, 3, 9, 27, 65, 131], "one Diluc each");
}

fn line(first: [&str; 3], second: [&str; 3], moves: &[&str]) -> Genius {
    let mut pos = core(first, second);
    for text in moves {
        pos.play(pos.find_move(text).unwrap_or_else(|fault| panic!("{fault}")));
    }
    pos
}

/// Hit points and aura of a fighter.
fn fighter(pos: &Genius, side: usize, place: usize) -> (u64, Value) {
    let fighter = &pos.json()["players"][side]["chars"][place];
    (fighter["hp"].as_u64().expect("a number"), fighter["aura"].clone())
}

fn standing(pos: &Genius, side: usize, zone: &str) -> Value {
    pos.json()["players"][side][zone].clone()
}

#[test]
fn lines_of_play_of_the_core_profile_come_out_as_worked_out() {
    let pos = line(KDS, FCK, &["skill", "skill", "skill"]);
    assert_eq!(fighter(&pos, 0, 0), (9, json!(["electro"])));
    assert_eq!(fighter(&pos, 1, 0), (4, json!(["cryo"])));
    assert_eq!(standing(&pos, 1, "summons"), json!([{ "name": "Oz", "n": 2 }]));

    let pos = line(KDS, FCK, &["skill", "na", "switch next", "na", "skill"]);
    assert_eq!(fighter(&pos, 1, 0), (2, json!([])), "melt");

    let second = ["Kaeya", "Diluc", "Sucrose"];
    let pos = line(FCK, second, &["skill", "na", "switch next", "na", "skill"]);
    assert_eq!(fighter(&pos, 1, 0).0, 5, "quicken");
    assert_eq!(standing(&pos, 0, "team"), json!([{ "name": "Catalyzing Field", "n": 2 }]));

    let second = ["Diluc", "Collei", "Fischl"];
    let pos = line(KDS, second, &["skill", "na", "switch previous", "na", "skill"]);
    let cryo = json!(["cryo"]);
    assert_eq!(fighter(&pos, 1, 0), (4, json!([])), "swirl");
    assert_eq!(fighter(&pos, 1, 1), (9, cryo.clone()));
    assert_eq!(fighter(&pos, 1, 2), (9, cryo));
    assert_eq!(standing(&pos, 1, "active"), 2);

    let teams = (["Fischl", "Diluc", "Sucrose"], ["Kaeya", "Collei", "Sucrose"]);
    let pos = line(teams.0, teams.1, &["skill", "end", "switch next", "skill"]);
    assert_eq!(fighter(&pos, 1, 0).0, 4, "overload");
    assert_eq!(standing(&pos, 1, "active"), 1);
    assert_eq!(pos.turn(), Turn::Of(Side::First));

    let pos = line(teams.0, teams.1, &["skill", "end", "end"]);
    assert_eq!(fighter(&pos, 1, 0), (8, json!(["electro"])));
    assert_eq!(standing(&pos, 0, "summons"), json!([{ "name": "Oz", "n": 1 }]));
    assert_eq!((pos.json()["round"].clone(), pos.turn()), (json!(2), Turn::Of(Side::Second)));
}

/// A side that can play every card of the pairs, and a summon of the opponent that one Send Off removes.
fn everything(hand: [&str; 2]) -> Genius {
    let chars = ["Kaeya", "Fischl", "Bennett"].map(|name| json!({ "name": name, "hp": 5 }));
    let deck = ["Vanarana", "Dawn Winery", "Toss-Up", "Magic Guide", "White Tassel"];
    let oz = json!([{ "name": "Oz", "n": 2 }]);
    let side = json!({
        "active": 0, "dice": { "omni": 10 }, "hand": hand, "deck": deck, "chars": chars, "summons": oz,
    });
    let state = json!({ "round": 2, "phase": "action", "turn": 0, "players": [side, side] });
    Genius::read(StateInput::Json(&state), &settings()).expect("a position")
}

/// First way to play a card at the start.
fn first_way(start: &Genius, card: &str) -> String {
    let text = format!("play {card}");
    let mut ways = start.legal_moves().into_iter().map(|mv| start.move_text(mv));
    let way = ways.find(|way| way.starts_with(&text)).unwrap_or_else(|| panic!("{card}"));
    way.split(" with ").next().unwrap_or(&way).to_owned()
}

/// Plays a card, and keeps all dice.
fn with_card(pos: &Genius, way: &str) -> Option<Genius> {
    let mut next = pos.after(pos.find_move(way).ok()?);
    while let Ok(keep) = next.find_move("reroll nothing") {
        next.play(keep);
    }
    Some(next)
}

#[test]
fn cards_that_commute_lead_to_one_hash() {
    const SUPPORTS: [&str; 3] = ["Paimon", "Liben", "Katheryne"];
    let mut same = 0;
    for pair in list(&data("gitcg-commute.json")) {
        let [one, other] = [&pair[0], &pair[1]].map(|name| name.as_str().expect("a card"));
        let start = everything([one, other]);
        let ways = [first_way(&start, one), first_way(&start, other)];
        let [there, back] = [[0, 1], [1, 0]]
            .map(|[a, b]| with_card(&start, &ways[a]).and_then(|pos| with_card(&pos, &ways[b])));
        match pair[2].as_str() {
            // Supports act in order of arrival.
            Some("set") if SUPPORTS.contains(&one) => {}
            Some("same" | "set") => {
                let (there, back) = (there.expect(one), back.expect(other));
                assert_eq!(there.hash(), back.hash(), "{one} and {other}");
                same += 1;
            }
            _ => assert!(there.is_none() && back.is_none(), "{one} and {other}"),
        }
    }
    assert_eq!(same, 107 + 6);
}
