//! Ranks of the members of a sparse set.

/// A set of integers with their ranks: one bit per integer, and the number of members before each word of
/// bits.
// CITE: Jacobson 1989, "Space-efficient static trees and graphs" (rank of a bit vector).
#[derive(Clone, Debug)]
pub(super) struct RankIndex {
    words: Vec<u64>,
    before: Vec<u32>,
}

impl RankIndex {
    /// The set of `members`, all below `limit`.
    pub(super) fn new(limit: usize, members: impl Iterator<Item = usize>) -> Self {
        let mut words = vec![0_u64; limit.div_ceil(64)];
        for number in members {
            words[number / 64] |= 1 << (number % 64);
        }
        let mut count = 0;
        let before = words.iter().map(|word| {
            let before = count;
            count += word.count_ones();
            before
        });
        Self { before: before.collect(), words }
    }

    /// Number of members.
    pub(super) fn len(&self) -> usize {
        self.before.last().map_or(0, |&before| {
            let last = self.words.last().map_or(0, |word| word.count_ones());
            (before + last) as usize
        })
    }

    /// Memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.words[..]) + size_of_val(&self.before[..])
    }

    /// Rank of a member, from 0 on; of a non-member, that of the next member.
    #[inline]
    pub(super) fn place(&self, number: usize) -> usize {
        let below = (1_u64 << (number % 64)) - 1;
        let word = self.words[number / 64] & below;
        (self.before[number / 64] + word.count_ones()) as usize
    }

    /// Members in ascending order, which is the order of their ranks.
    pub(super) fn members(&self) -> impl Iterator<Item = usize> {
        let bits = |(n, &word): (usize, &u64)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| n * 64 + bit)
        };
        self.words.iter().enumerate().flat_map(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_the_members_before() {
        let members: Vec<usize> = (0..1_000).filter(|n| n % 7 == 3 || n / 100 == 4).collect();
        let rank_index = RankIndex::new(1_000, members.iter().copied());
        assert_eq!(rank_index.len(), members.len());
        assert!(rank_index.members().eq(members.iter().copied()));
        for (place, &number) in members.iter().enumerate() {
            assert_eq!(rank_index.place(number), place);
        }
    }
}
