//! A slow network, one sum after the other in numbers that never overflow: the fast one must have the same values.

use super::{ACTIVE, MoveRows, NetworkInput, WEIGHT};
use crate::game::Game;

/// A slow network.
#[derive(Debug)]
pub struct ReferenceNetwork {
    /// All numbers of the file, in its order.
    numbers: Vec<i64>,
    hidden: usize,
    rows: usize,
    move_rows: usize,
    views: usize,
    buckets: usize,
    scale: i64,
}

impl ReferenceNetwork {
    /// Reads the file of a network with `hidden` sums per view.
    ///
    /// # Panics
    /// If the file has no first line.
    pub fn read<G: Game, I: NetworkInput<G>>(file: &[u8], hidden: usize) -> Self {
        let end = file.iter().position(|&byte| byte == b'\n').expect("a network has a first line");
        let (small, large) =
            file[end + 1..].split_at(file.len() - end - 1 - 4 * (I::BUCKETS + I::MOVE_ROWS));
        let (small, large) = (small.as_chunks::<2>().0, large.as_chunks::<4>().0);
        let small = small.iter().map(|two| i64::from(i16::from_le_bytes(*two)));
        let large = large.iter().map(|four| i64::from(i32::from_le_bytes(*four)));
        Self {
            numbers: small.chain(large).collect(),
            hidden,
            rows: I::ROWS,
            move_rows: I::MOVE_ROWS,
            views: I::VIEWS,
            buckets: I::BUCKETS,
            scale: I::SCALE.into(),
        }
    }

    /// Value for the side to move of the active rows of every view, that of the side to move first.
    pub fn value(&self, seen: &[Vec<u32>], bucket: usize) -> i32 {
        let (numbers, hidden) = (&self.numbers, self.hidden);
        let outputs = (self.rows + 1) * hidden;
        let offsets = outputs + (self.buckets * self.views + self.move_rows) * hidden;
        let mut total = numbers[offsets + bucket];
        for (view, rows) in seen.iter().enumerate() {
            for n in 0..hidden {
                let sum = self.sum(rows, n);
                let output = numbers[outputs + (bucket * self.views + view) * hidden + n];
                total += sum.clamp(0, ACTIVE.into()).pow(2) * output;
            }
        }
        (total * self.scale / i64::from(ACTIVE).pow(2) / i64::from(WEIGHT)) as i32
    }

    /// Logit of a move in hundredths, of the active rows of the side to move.
    pub fn logit(&self, seen: &[u32], rows: MoveRows) -> i32 {
        let (numbers, hidden) = (&self.numbers, self.hidden);
        let moves = (self.rows + 1 + self.buckets * self.views) * hidden;
        let offsets = moves + self.move_rows * hidden + self.buckets;
        let of_row = |row: u32| {
            let lane = |n| {
                let active = self.sum(seen, n).clamp(0, ACTIVE.into());
                active * numbers[moves + row as usize * hidden + n]
            };
            numbers[offsets + row as usize] + (0..hidden).map(lane).sum::<i64>()
        };
        (rows.map(of_row).iter().sum::<i64>() * 100 / i64::from(ACTIVE) / i64::from(WEIGHT)) as i32
    }

    /// A sum of the first layer.
    fn sum(&self, rows: &[u32], n: usize) -> i64 {
        let weights = rows.iter().map(|&row| self.numbers[row as usize * self.hidden + n]);
        self.numbers[self.rows * self.hidden + n] + weights.sum::<i64>()
    }
}
