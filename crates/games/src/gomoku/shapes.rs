//! The original evaluation of gomoku: shapes of stones in windows of five and six points.

use super::rules::{DIRECTIONS, Point};

/// Content of a point from the perspective of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineCell {
    /// Empty (in the originally published evaluation also beyond the edge).
    Empty,
    /// An own stone.
    Own,
    /// A stone of the opponent or, if edges count, the edge.
    Wall,
}

/// Patterns of five or six points from the start of a window (`x` own stone, `.` empty), and their
/// values.
const PATTERNS: [(&str, i64); 15] = [
    (".xx..", 50),
    ("..xx.", 50),
    ("xx.x.", 200),
    ("..xxx", 500),
    ("xxx..", 500),
    (".xxx.", 5_000),
    (".x.xx.", 5_000),
    (".xx.x.", 5_000),
    ("xxx.x", 5_000),
    ("xx.xx", 5_000),
    ("x.xxx", 5_000),
    ("xxxx.", 5_000),
    (".xxxx", 5_000),
    (".xxxx.", 50_000),
    ("xxxxx", 99_999_999),
];

const WINDOW: usize = 6;

/// Value of the best pattern for each window of six cells, indexed in base 3, first cell most
/// significant.
static WORTH: [i64; 3_usize.pow(WINDOW as u32)] = worth_of_windows();

const fn worth_of_windows() -> [i64; 3_usize.pow(WINDOW as u32)] {
    let mut table = [0; 3_usize.pow(WINDOW as u32)];
    let mut code = 0;
    while code < table.len() {
        let mut pattern = 0;
        while pattern < PATTERNS.len() {
            let (shape, worth) = PATTERNS[pattern];
            if matches(shape.as_bytes(), code) && worth > table[code] {
                table[code] = worth;
            }
            pattern += 1;
        }
        code += 1;
    }
    table
}

const fn matches(shape: &[u8], code: usize) -> bool {
    let mut n = 0;
    let mut weight = 3_usize.pow(WINDOW as u32 - 1);
    while n < shape.len() {
        let wanted = if shape[n] == b'x' { LineCell::Own } else { LineCell::Empty };
        if code / weight % 3 != wanted as usize {
            return false;
        }
        n += 1;
        weight /= 3;
    }
    true
}

/// A counted shape: value, first five points, direction.
struct Shape {
    worth: i64,
    points: [(i8, i8); 5],
    direction: usize,
}

/// Sum of the shape values of one side's stones, in the given order: a stone inside a shape already
/// counted in a direction counts no other there, and each point shared by a new and an earlier
/// shape adds both their values again. `cell` returns the content of a point.
pub fn score(stones: &[Point], cell: impl Fn((i8, i8)) -> LineCell) -> i64 {
    let mut shapes: Vec<Shape> = Vec::new();
    let mut total = 0;
    for &stone in stones {
        for (direction, &step) in DIRECTIONS.iter().enumerate() {
            let here = (stone.x as i8, stone.y as i8);
            let counted =
                |shape: &Shape| shape.direction == direction && shape.points.contains(&here);
            if shapes.iter().any(counted) {
                continue;
            }
            if let Some(shape) = best_window(stone, direction, step, &cell) {
                let shared = |earlier: &Shape| {
                    let common =
                        earlier.points.iter().filter(|point| shape.points.contains(point)).count();
                    common as i64 * (earlier.worth + shape.worth)
                };
                total += shape.worth + shapes.iter().map(shared).sum::<i64>();
                shapes.push(shape);
            }
        }
    }
    total
}

/// First of the most valuable windows of a direction that contain the stone; a window may start
/// five points before the stone, its sixth point.
fn best_window(
    stone: Point,
    direction: usize,
    step: (i8, i8),
    cell: &impl Fn((i8, i8)) -> LineCell,
) -> Option<Shape> {
    let line: [usize; 2 * WINDOW - 1] =
        std::array::from_fn(|n| cell(stone.step(step, n as i8 - 5)) as usize);
    let mut best: Option<(i64, i8)> = None;
    for start in 0..WINDOW {
        let code = line[start..start + WINDOW].iter().fold(0, |code, digit| code * 3 + digit);
        if WORTH[code] > best.map_or(0, |(worth, _)| worth) {
            best = Some((WORTH[code], start as i8 - 5));
        }
    }
    best.map(|(worth, start)| {
        let points = std::array::from_fn(|n| stone.step(step, start + n as i8));
        Shape { worth, points, direction }
    })
}

/// Evaluation for the owner of `own`: own score minus a tenth of the opponent's. Not antisymmetric
/// between the sides.
pub fn evaluation(
    own: &[Point],
    enemy: &[Point],
    beyond_edge: impl Fn((i8, i8)) -> LineCell + Copy,
) -> f64 {
    let seen = |friends: &[Point], opponents: &[Point]| {
        let at = |stones: &[Point], (x, y): (i8, i8)| {
            stones.iter().any(|stone| (stone.x as i8, stone.y as i8) == (x, y))
        };
        score(friends, |point| {
            if at(opponents, point) {
                LineCell::Wall
            } else if at(friends, point) {
                LineCell::Own
            } else {
                beyond_edge(point)
            }
        })
    };
    seen(own, enemy) as f64 - 0.1 * seen(enemy, own) as f64
}
