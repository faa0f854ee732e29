use serde_json::{Value, json};

use super::cells::{Cells, Enclosure, Loop, SIDE};
use super::items::{LASTS, MOST_GAIN};
use super::{Item, Op, SnakeGo, SnakeGoEvaluation, SnakeGoEvaluator, SnakeGoRules, generate};
use crate::notation::laws::{check_bounds, check_notation, check_same_game};
use crate::notation::{Notation, Settings, StateInput};
use engine::game::laws::{check_evaluator, check_game_within};
use engine::game::{Evaluator, Game, Outcome, Rng, Side, Turn};

const SMALL: SnakeGoRules =
    SnakeGoRules { size: 5, max_round: 12, growth_rounds: 5, enclosure: Enclosure::Border };

fn settings() -> Settings {
    Settings::defaults(SnakeGo::facts().options)
}

fn read(state: &Value) -> SnakeGo {
    SnakeGo::read(StateInput::Json(state), &settings()).expect("a position")
}

/// Plays operations written by name or number.
fn play(mut pos: SnakeGo, ops: &str) -> SnakeGo {
    for op in ops.split_whitespace() {
        pos.play(pos.find_move(op).expect("a legal operation"));
    }
    pos
}

fn names(pos: &SnakeGo) -> Vec<String> {
    let moves = pos.legal_moves();
    moves.into_iter().map(|op| pos.move_text(op)).collect()
}

/// A snake of each side, the second's far away in a corner.
fn facing(first: &Value) -> Value {
    json!({ "round": 20, "snakes": [first, { "id": 1, "camp": 1, "body": [[15, 0]] }] })
}

#[test]
fn snake_go_keeps_the_laws() {
    for seed in 1..4 {
        let start = SnakeGo::new(SMALL, &generate(seed, SMALL.size, SMALL.max_round));
        let evaluator = SnakeGoEvaluator::new(SnakeGoEvaluation::Territory, &start);
        check_game_within(&start, seed, 60, 200);
        check_evaluator(&start, &evaluator, 2, seed, 6);
        check_evaluator(
            &start,
            &SnakeGoEvaluator::new(SnakeGoEvaluation::Score, &start),
            2,
            seed,
            2,
        );
        check_notation(&start, &settings(), seed, 10);
    }
    let full = SnakeGo::new(SnakeGoRules::default(), &generate(7, SIDE, 512));
    check_notation(&full, &settings(), 7, 6);
}

#[test]
fn no_evaluation_is_beyond_its_bound() {
    check_bounds::<SnakeGo>(1);
}

#[test]
fn a_state_read_back_is_the_same_game() {
    check_same_game::<SnakeGo>(1);
}

#[test]
fn two_by_two_loops_of_growing_snakes_end_the_half() {
    let pos = play(SnakeGo::new(SnakeGoRules::default(), &[]), "1 3 4 2 3 1 2 4");
    let walls = json!([
        [0, 14, 0],
        [0, 15, 0],
        [1, 14, 0],
        [1, 15, 0],
        [14, 0, 1],
        [14, 1, 1],
        [15, 0, 1],
        [15, 1, 1],
    ]);
    assert_eq!(pos.json()["walls"], walls);
    assert_eq!((pos.round, pos.score()), (4, [4, 4]));
    let tie = Outcome::Win(Side::Second);
    assert_eq!(pos.turn(), Turn::Over(tie), "a tie is the second player's");
    assert_eq!(pos.reason(tie), "equal_cells");
}

/// The outline of a band two cells wide around a hole of 2 x 2, as one path.
const TWO_WIDE_C: [[u8; 2]; 32] = [
    [3, 0],
    [4, 0],
    [5, 0],
    [5, 1],
    [5, 2],
    [5, 3],
    [5, 4],
    [5, 5],
    [4, 5],
    [3, 5],
    [2, 5],
    [1, 5],
    [0, 5],
    [0, 4],
    [0, 3],
    [0, 2],
    [0, 1],
    [0, 0],
    [1, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [1, 3],
    [1, 4],
    [2, 4],
    [3, 4],
    [4, 4],
    [4, 3],
    [4, 2],
    [4, 1],
    [3, 1],
];

#[test]
fn a_hole_outside_of_the_path_is_enclosed_by_one_reading_only() {
    // The tail lies one cell before the beginning of the band and moves on when the head arrives.
    let mut body: Vec<[u8; 2]> = TWO_WIDE_C.iter().rev().map(|[x, y]| [x + 5, y + 5]).collect();
    body.push([8, 4]);
    for (enclosure, cells) in [("border", 36), ("sides", 32)] {
        let mut state = facing(&json!({ "id": 0, "camp": 0, "body": body }));
        state["enclosure"] = json!(enclosure);
        let pos = play(read(&state), "-y");
        assert_eq!(pos.score(), [cells, 1], "{enclosure}");
    }
}

/// The cells unreachable from outside, found cell by cell.
fn cut_off(path: &[u8], size: u8) -> Cells {
    let is_path =
        |x: i32, y: i32| x >= 0 && y >= 0 && path.iter().any(|&cell| i32::from(cell) == 16 * y + x);
    let last = i32::from(size);
    let mut queue = vec![(-1, -1)];
    let mut outside = std::collections::HashSet::from([(-1, -1)]);
    while let Some((x, y)) = queue.pop() {
        for (x, y) in [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)] {
            let on_sheet = (-1..=last).contains(&x) && (-1..=last).contains(&y);
            if on_sheet && !is_path(x, y) && outside.insert((x, y)) {
                queue.push((x, y));
            }
        }
    }
    let mut area = Cells::EMPTY;
    for (x, y) in (0..last).flat_map(|x| (0..last).map(move |y| (x, y))) {
        if !outside.contains(&(x, y)) {
            area.insert((16 * y + x) as u8);
        }
    }
    area
}

/// Cells on and inside of a polygon by its area.
// CITE: Pick 1899.
fn by_pick(path: &[u8]) -> u32 {
    let at = |n: usize| {
        let cell = path[n % path.len()];
        (i32::from(cell % SIDE), i32::from(cell / SIDE))
    };
    let doubled: i32 = (0..path.len())
        .map(|n| {
            let ((x, y), (nx, ny)) = (at(n), at(n + 1));
            x * ny - nx * y
        })
        .sum();
    (doubled.unsigned_abs() + path.len() as u32) / 2 + 1
}

/// A random walk from a random cell until it meets itself: the loop, if it is one.
fn random_loop(size: u8, rng: &mut Rng) -> Option<Vec<u8>> {
    let mut at = [0; 2].map(|_| rng.below(usize::from(size)) as i32);
    let mut walk: Vec<u8> = Vec::new();
    loop {
        let cell = (16 * at[1] + at[0]) as u8;
        if let Some(begin) = walk.iter().position(|&other| other == cell) {
            return Some(walk.split_off(begin)).filter(|path| path.len() >= 4);
        }
        walk.push(cell);
        let back = walk.len().checked_sub(2).map(|n| walk[n]);
        // Straight on or around a corner; a walk off the map is not a loop.
        let axis = rng.below(2);
        at[axis] += if rng.below(2) == 0 { 1 } else { -1 };
        if !(0..i32::from(size)).contains(&at[axis]) || back == Some((16 * at[1] + at[0]) as u8) {
            return None;
        }
    }
}

#[test]
fn areas_are_those_of_a_flood_cell_by_cell_and_of_pick() {
    let mut rng = Rng::new(1);
    let mut loops: Vec<(u8, Vec<u8>)> = (0..250_000_u32)
        .filter_map(|n| {
            let size = 4 + (n % 13) as u8;
            random_loop(size, &mut rng).map(|path| (size, path))
        })
        .collect();
    loops.push((SIDE, TWO_WIDE_C.map(|[x, y]| 16 * y + x).to_vec()));
    let mut differing = 0;
    for (size, cells) in &loops {
        let mut path = Loop::default();
        for n in 0..cells.len() {
            path.step(cells[n], cells[(n + 1) % cells.len()]);
        }
        let border = path.area(*size, Enclosure::Border);
        let sides = path.area(*size, Enclosure::Sides);
        assert_eq!(border, cut_off(cells, *size), "{size}: {cells:?}");
        assert_eq!(sides.count(), by_pick(cells), "{cells:?}");
        assert_eq!(sides & border, sides, "{cells:?}");
        differing += u32::from(sides != border);
    }
    assert!(loops.len() > 10_000 && differing > 0, "{} loops, {differing} differ", loops.len());
}

#[test]
fn a_loop_takes_what_it_encloses_and_kills_who_has_a_cell_there() {
    // A ring of 12 around 2 x 2: inside lie a wall and a snake of the second player.
    let state = json!({
        "round": 20,
        "snakes": [
            {
                "id": 0, "camp": 0,
                "body": [[4, 5], [4, 4], [4, 3], [5, 3], [6, 3], [7, 3], [7, 4], [7, 5], [7, 6],
                         [6, 6], [5, 6], [4, 6], [3, 6]]
            },
            { "id": 1, "camp": 1, "body": [[15, 0]] },
            { "id": 2, "camp": 1, "body": [[5, 4]] }
        ],
        "walls": [[6, 5, 1], [0, 0, 1]]
    });
    let pos = play(read(&state), "+y");
    assert_eq!(pos.score(), [16, 2], "{}", pos.json());
    assert_eq!(pos.json()["snakes"].as_array().map(Vec::len), Some(1));
    assert!(pos.walls[0].contains(16 * 5 + 6), "the wall inside has changed its owner");
    assert_eq!(pos.player, Side::Second, "the first player has no snake left");
}

#[test]
fn a_snake_of_four_closes_a_loop_only_while_it_grows() {
    let body = json!([[4, 4], [4, 5], [5, 5], [5, 4]]);
    let mut state = facing(&json!({ "id": 0, "camp": 0, "body": body }));
    let moved = play(read(&state), "+x");
    assert_eq!((moved.score(), moved.walls().count()), ([4, 1], 0), "the tail has gone on");
    state["snakes"][0]["bank"] = json!(1);
    assert_eq!(play(read(&state), "+x").walls[0].count(), 4);
}

#[test]
fn the_neck_is_no_target_while_it_stays() {
    let state = |body: &Value, bank: u16| {
        read(&facing(&json!({ "id": 0, "camp": 0, "body": body, "bank": bank })))
    };
    let two = json!([[5, 5], [4, 5]]);
    assert_eq!(names(&state(&two, 0)), ["+x", "+y", "-x", "-y", "split"]);
    assert_eq!(names(&state(&two, 1)), ["+x", "+y", "-y", "split"]);
    assert_eq!(names(&state(&json!([[5, 5], [4, 5], [3, 5]]), 0)), ["+x", "+y", "-y", "split"]);
    assert_eq!(names(&state(&json!([[5, 5]]), 3)), ["+x", "+y", "-x", "-y"]);
    let turned = play(state(&two, 0), "-x");
    assert_eq!(turned.json()["snakes"][0]["body"], json!([[4, 5], [5, 5]]));
}

#[test]
fn walls_the_edge_and_other_snakes_kill() {
    let state = json!({
        "round": 20,
        "snakes": [
            { "id": 0, "camp": 0, "body": [[0, 5], [0, 6], [0, 7]] },
            { "id": 2, "camp": 0, "body": [[9, 9]] },
            { "id": 1, "camp": 1, "body": [[0, 4]] }
        ],
        "walls": [[1, 5, 0]]
    });
    for deadly in ["-x", "+x", "-y"] {
        let pos = play(read(&state), deadly);
        assert_eq!(pos.score(), [2, 1], "{deadly}");
        assert_eq!(pos.json()["acting"], json!([2]), "the next of his snakes acts");
    }
}

#[test]
fn a_split_keeps_the_larger_half_in_front() {
    let body = json!([[5, 5], [6, 5], [7, 5], [7, 6], [7, 7]]);
    let snake = json!({ "id": 0, "camp": 0, "body": body, "bank": 3, "ray": true });
    let pos = play(read(&facing(&snake)), "split");
    let expected = json!([
        { "id": 0, "camp": 0, "body": [[5, 5], [6, 5], [7, 5]], "bank": 0, "ray": true },
        { "id": 2, "camp": 0, "body": [[7, 7], [7, 6]], "bank": 3, "ray": false },
        { "id": 1, "camp": 1, "body": [[15, 0]], "bank": 0, "ray": false }
    ]);
    assert_eq!(pos.json()["snakes"], expected);
    assert_eq!(pos.player, Side::Second, "the new snake does not act in this round");
    let next = play(pos, "+y");
    assert_eq!((&next.json()["acting"], &next.json()["next_id"]), (&json!([0, 2]), &json!(3)));
    let four = play(next, "split split +y");
    assert_eq!(four.json()["acting"], json!([0, 3, 2, 4]));
    assert!(!names(&four).contains(&"split".to_owned()), "four snakes are the most");
}

#[test]
fn a_ray_melts_every_wall_ahead_and_is_used_up() {
    let mut state = facing(&json!({
        "id": 0, "camp": 0, "body": [[5, 5], [5, 4]], "bank": 1, "ray": true
    }));
    state["walls"] = json!([[5, 7, 0], [5, 15, 1], [6, 7, 1], [5, 3, 1]]);
    let pos = play(read(&state), "melt");
    assert_eq!(pos.json()["walls"], json!([[5, 3, 1], [6, 7, 1]]));
    assert_eq!(pos.json()["snakes"][0]["ray"], json!(false));
    assert_eq!(pos.score(), [2, 3], "it does not move and does not grow");
}

#[test]
fn items_appear_are_eaten_at_once_and_vanish() {
    let item = |cell, gain, time| Item { cell, gain, time };
    // Under the first snake in round 2, and a length in the way of the second.
    let items = [item(16 * 15 + 1, 0, 2), item(14, 4, 2), item(40, 2, 2)];
    let rules = SnakeGoRules { growth_rounds: 0, ..SnakeGoRules::default() };
    let pos = play(SnakeGo::new(rules, &items), "+x +y");
    let [first, second] = [0, 1].map(|n| pos.json()["snakes"][n].clone());
    assert_eq!((&first["ray"], &second["bank"]), (&json!(true), &json!(0)));
    let pos = play(pos, "+x -y");
    let pos = play(pos, "+x -x");
    assert_eq!((pos.score(), &pos.json()["snakes"][1]["bank"]), ([1, 1], &json!(4)));
    assert_eq!(pos.json()["eaten"], json!([0, 1]));
    // The second player leaves the map, the first goes to and fro.
    let mut pos = play(pos, "-x -y");
    while pos.round < 2 + LASTS {
        assert!(pos.lying.contains(40), "it lies for {LASTS} rounds, round {} too", pos.round);
        pos = play(pos, if pos.round.is_multiple_of(2) { "-x" } else { "+x" });
    }
    assert!(!pos.lying.contains(40), "and no longer");
}

#[test]
fn who_has_no_snake_is_skipped_to_the_last_round() {
    let state = json!({
        "max_round": 23, "round": 20,
        "snakes": [{ "id": 3, "camp": 1, "body": [[5, 5]] }], "player": 1,
        "walls": [[0, 0, 0]]
    });
    let pos = play(read(&state), "+x +x +x");
    assert_eq!((pos.round, pos.player), (23, Side::Second));
    let pos = play(pos, "+x");
    assert_eq!((pos.round, pos.turn()), (24, Turn::Over(Outcome::Win(Side::Second))));
    assert_eq!(names(&pos), [] as [&str; 0]);
}

#[test]
fn generated_items_are_those_of_the_rules() {
    let (mut count, mut rays) = (0, 0);
    for seed in 1..=200 {
        let items = generate(seed, SIDE, 512);
        assert_eq!(items, generate(seed, SIDE, 512), "a seed is one list");
        SnakeGo::read(
            StateInput::Json(&SnakeGo::new(SnakeGoRules::default(), &items).json()),
            &settings(),
        )
        .expect("no two lie on one cell at a time");
        for item in &items {
            let side = 16.min(4 + 2 * ((item.time - 1) / 20)) as u8;
            let inner = (16 - side) / 2..(16 + side) / 2;
            assert!(inner.contains(&(item.cell % 16)) && inner.contains(&(item.cell / 16)));
            assert!(item.gain <= MOST_GAIN);
        }
        count += items.len();
        rays += items.iter().filter(|item| item.gain == 0).count();
    }
    let (mean, share) = (count as f64 / 200.0, rays as f64 / count as f64);
    assert!((mean - 128.0).abs() < 3.0, "{mean} items a game, expected 512 / 4");
    // One in six for 64 rounds, two in seven for 320, three in seven for 128.
    let expected = (64.0 / 6.0 + 320.0 * 2.0 / 7.0 + 128.0 * 3.0 / 7.0) / 512.0;
    assert!((share - expected).abs() < 0.01, "{share} of the items are rays, not {expected}");
}

#[test]
fn a_playout_never_kills_its_own_snake_while_another_operation_exists() {
    let mut rng = Rng::new(9);
    for seed in 1..=20 {
        let mut pos = SnakeGo::new(SnakeGoRules::default(), &generate(seed, SIDE, 200));
        let evaluator = SnakeGoEvaluator::new(SnakeGoEvaluation::Territory, &pos);
        while let Some(op) = evaluator.playout_move(&pos, &mut rng, &mut Vec::new()) {
            let legal = pos.legal_moves();
            // A snake that disappeared without leaving a wall was killed.
            let cells =
                |pos: &SnakeGo, side: Side| (pos.snakes_of(side).len(), pos.walls[side.index()]);
            let mover = pos.player;
            let is_kill = |op: Op| {
                let (before, after) = (cells(&pos, mover), cells(&pos.after(op), mover));
                after.0 < before.0 && after.1 == before.1
            };
            assert!(
                !is_kill(op) || legal.iter().all(|&op| is_kill(op)),
                "{op:?} in {}",
                pos.json()
            );
            pos.play(op);
        }
    }
}
