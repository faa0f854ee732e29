//! The only random numbers: a generator seeded by the request, and seeds for requests without one.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng};
use rand_distr::{Distribution, Gamma};

/// A seed from 1 to `most`, drawn by the system.
pub fn drawn_seed(most: u64) -> u64 {
    rand::random_range(1..=most)
}

/// A fast seeded generator (xoshiro256++, Blackman and Vigna 2019): the same seed gives the same
/// numbers on every platform.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// A generator that depends only on `seed`.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..n`. `n` must be positive; the bias is below n / 2^32.
    // CITE: Lemire 2019, "Fast random integer generation in an interval", without the rejection.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        debug_assert!(n > 0 && n <= u32::MAX as usize, "no number lies below {n}");
        (((self.bits() >> 32) * n as u64) >> 32) as usize
    }

    /// A number in `[0, 1)`.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// One of `items`, or `None` when there are none.
    #[inline]
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }

    /// Index of an item drawn with probability proportional to its weight; the weights must not all be zero.
    pub fn weighted<T>(&mut self, items: &[(T, f64)]) -> usize {
        let mut left = self.unit() * items.iter().map(|(_, weight)| weight).sum::<f64>();
        for (index, (_, weight)) in items.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return index;
            }
        }
        items.len() - 1
    }

    /// So many positive numbers that sum up to 1, by the symmetric Dirichlet distribution of this concentration: the
    /// smaller it is, the fewer of them are large. It must be positive.
    pub fn dirichlet(&mut self, concentration: f64, count: usize) -> Vec<f64> {
        let gamma = Gamma::new(concentration, 1.0).expect("a positive concentration");
        let mut shares: Vec<_> = (0..count).map(|_| gamma.sample(&mut self.0)).collect();
        let all: f64 = shares.iter().sum();
        // All of them may be too small for a number.
        if all > 0.0 {
            shares.iter_mut().for_each(|share| *share /= all);
        } else {
            shares.fill(1.0 / count as f64);
        }
        shares
    }

    /// Puts `items` in a random order.
    // CITE: Durstenfeld 1964 (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
