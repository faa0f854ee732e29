use std::convert::Infallible;

use engine::game::{Acyclic, Evaluator, Game, History, Outcome, Perfect, Side, Turn, zobrist};

/// Maximum number of heaps.
pub const MAX_HEAPS: usize = 16;

/// A position of nim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nim {
    heaps: [u8; MAX_HEAPS],
    count: u8,
    misere: bool,
    mover: Side,
}

/// Takes `stones` (at least one) from the heap with index `heap` (from 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Take {
    /// Index of the heap, from 0.
    pub heap: u8,
    /// Number of stones taken.
    pub stones: u8,
}

impl Nim {
    /// A position with these heaps, first player to move; `None` for more than [`MAX_HEAPS`].
    pub fn new(heaps: &[u8], misere: bool) -> Option<Self> {
        let mut all = [0; MAX_HEAPS];
        all.get_mut(..heaps.len())?.copy_from_slice(heaps);
        Some(Self { heaps: all, count: heaps.len() as u8, misere, mover: Side::First })
    }

    /// The same position with `mover` to move.
    pub fn with_mover(self, mover: Side) -> Self {
        Self { mover, ..self }
    }

    /// Heap sizes, including empty heaps.
    pub fn heaps(&self) -> &[u8] {
        &self.heaps[..usize::from(self.count)]
    }

    /// True in misere play: taking the last stone loses.
    pub fn misere(&self) -> bool {
        self.misere
    }

    /// Side to move.
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// Upper bound on the number of reachable positions, this one included and the side to move
    /// ignored.
    pub fn reachable(&self) -> u64 {
        self.heaps().iter().map(|&heap| u64::from(heap) + 1).fold(1, u64::saturating_mul)
    }
}

const HEAP_KEYS: [u64; MAX_HEAPS] = zobrist::keys(0x4e49_4d01);

impl Game for Nim {
    type Move = Take;
    type Chance = Infallible;
    type Info = Perfect;

    fn turn(&self) -> Turn<Infallible> {
        if self.heaps().iter().any(|&heap| heap > 0) {
            Turn::Of(self.mover)
        } else {
            Turn::Over(Outcome::Win(if self.misere { self.mover } else { self.mover.other() }))
        }
    }

    fn moves(&self, out: &mut Vec<Take>) {
        for (heap, &size) in (0..).zip(self.heaps()) {
            out.extend((1..=size).map(|stones| Take { heap, stones }));
        }
    }

    fn play(&mut self, mv: Take) {
        self.heaps[usize::from(mv.heap)] -= mv.stones;
        self.mover = self.mover.other();
    }

    fn hash(&self) -> u64 {
        let rules = u64::from(self.misere) << 1 | self.mover as u64;
        let heaps = HEAP_KEYS.iter().zip(self.heaps);
        heaps.fold(zobrist::mix(rules), |hash, (key, size)| {
            hash ^ zobrist::mix(key ^ u64::from(size))
        })
    }

    fn move_code(mv: Take) -> u16 {
        u16::from(mv.heap) << 8 | u16::from(mv.stones)
    }
}

impl Acyclic for Nim {}

/// Evaluates by the nim-sum.
// CITE: Bouton 1901, "Nim, a game with a complete mathematical theory".
#[derive(Clone, Copy, Debug, Default)]
pub struct NimEvaluator;

/// Units for a winning nim-sum.
const WON: i32 = 100;

impl Evaluator<Nim> for NimEvaluator {
    fn bound(&self) -> i32 {
        WON
    }

    fn evaluate(&mut self, pos: &Nim, _: Side) -> i32 {
        let sum = pos.heaps().iter().fold(0, |sum, heap| sum ^ heap);
        let only_single_stones = pos.heaps().iter().all(|&heap| heap <= 1);
        let winning = (sum != 0) != (pos.misere && only_single_stones);
        if winning { WON } else { -WON }
    }

    fn win_probability(&self, value: f64) -> f64 {
        0.5 + 0.45 * (value / f64::from(WON)).clamp(-1.0, 1.0)
    }
}

impl History for Nim {}
