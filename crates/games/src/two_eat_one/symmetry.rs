//! The eight symmetries of the board, applied to both sides' stones at once.
// CITE: delta swaps, Knuth, TAOCP 4A, 7.1.3.

/// The least image of a position: a canonical representative of its symmetry class.
#[inline]
pub(super) fn least_image(own: u16, opponent: u16) -> (u16, u16) {
    let mut image = u32::from(own) << 16 | u32::from(opponent);
    let mut least = image;
    // Two reflections in alternation generate all eight images.
    for n in 0..7 {
        image = if n % 2 == 0 { left_right(image) } else { transposed(image) };
        least = least.min(image);
    }
    ((least >> 16) as u16, least as u16)
}

/// Left-right reflection: reverses the four bits of each row.
#[inline]
const fn left_right(x: u32) -> u32 {
    let x = x >> 1 & 0x5555_5555 | (x & 0x5555_5555) << 1;
    x >> 2 & 0x3333_3333 | (x & 0x3333_3333) << 2
}

/// Reflection at the main diagonal: swaps rows and columns.
#[inline]
const fn transposed(x: u32) -> u32 {
    let swap = (x ^ x >> 3) & 0x0A0A_0A0A;
    let x = x ^ swap ^ swap << 3;
    let swap = (x ^ x >> 6) & 0x00CC_00CC;
    x ^ swap ^ swap << 6
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The image of a cell under each of the eight symmetries.
    fn images() -> impl Iterator<Item = impl Fn(u32) -> u32> {
        (0..8).map(|n| {
            move |cell: u32| {
                let (mut row, mut column) = (cell / 4, cell % 4);
                if n & 1 != 0 {
                    column = 3 - column;
                }
                if n & 2 != 0 {
                    row = 3 - row;
                }
                if n & 4 != 0 {
                    (row, column) = (column, row);
                }
                4 * row + column
            }
        })
    }

    #[test]
    fn the_least_of_all_eight_images_is_found() {
        for (own, opponent) in
            [(0xF000, 0x000F), (0x0001, 0x8000), (0x1234, 0x0081), (0x0033, 0x4800)]
        {
            let image = |to: &dyn Fn(u32) -> u32, stones: u16| -> u16 {
                (0..16).filter(|cell| stones >> cell & 1 == 1).map(|cell| 1 << to(cell)).sum()
            };
            let all: Vec<_> = images().map(|to| (image(&to, own), image(&to, opponent))).collect();
            let least = *all.iter().min().expect("there are eight");
            for (own, opponent) in all {
                assert_eq!(least_image(own, opponent), least);
            }
        }
    }
}
