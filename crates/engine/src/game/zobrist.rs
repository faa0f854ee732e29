//! Hash keys without tables to fill at run time.
// CITE: Zobrist 1970, "A new hashing method with application for game playing"; the mixing
// function is the finaliser of SplitMix64 (Steele, Lea and Flood 2014).

/// Scrambles 64 bits: a bijection in which every input bit changes about half of the output.
#[inline]
pub const fn mix(bits: u64) -> u64 {
    let z = bits.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// `N` independent keys, one for each feature (a stone on a point, say). Different `domain`s give
/// different keys; give every kind of feature its own.
pub const fn keys<const N: usize>(domain: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut n = 0;
    while n < N {
        keys[n] = mix(mix(domain) ^ n as u64);
        n += 1;
    }
    keys
}
