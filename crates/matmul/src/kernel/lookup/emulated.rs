//! Lookups in plain Rust, for checks of the algorithm by tools that do not know AVX-512.

use core::hint::black_box;

use super::{BLOCK, LANES, Line, Lookup, Signs, TERMS, Table, Tile, Words, run};

impl Lookup for Words {
    fn sums(entries: &[u32; TERMS], signs: &Signs) -> Self {
        Line(core::array::from_fn(|lane| {
            entries.iter().enumerate().fold(0, |sum: u32, (i, entry)| {
                let (plus, minus) = (signs.plus[i] >> lane & 1, signs.minus[i] >> lane & 1);
                let sign = i32::from(plus) - i32::from(minus);
                sum.wrapping_add(entry.wrapping_mul(sign.cast_unsigned()))
            })
        }))
    }

    /// All words of a table are read, so that the emulation has no secret address either.
    fn add_picked(
        tables: &[Table; BLOCK],
        picks: &mut [Self; BLOCK],
        totals: &mut [[Self; BLOCK]; BLOCK],
    ) {
        for (totals, table) in totals.iter_mut().zip(tables) {
            for (total, picks) in totals.iter_mut().zip(&*picks) {
                for (total, &pick) in total.0.iter_mut().zip(&picks.0) {
                    for (at, &word) in (0..).zip(table.iter().flat_map(|line| &line.0)) {
                        // All ones for the number that is picked, else 0; hidden, lest the compiler makes it a jump.
                        let differs: u32 = (pick ^ at) % 32;
                        let mask = black_box((differs.wrapping_sub(1) >> 31).wrapping_neg());
                        *total = total.wrapping_add(word & mask);
                    }
                }
            }
        }
        for pick in picks.iter_mut().flat_map(|Line(picks)| picks) {
            *pick >>= 8;
        }
    }

    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        core::array::from_fn(|j| Line(core::array::from_fn(|i| rows[i].0[j])))
    }
}

/// Adds a tile's product to Z.
pub(crate) fn multiply(tile: Tile<'_, '_>) {
    run::<Words>(tile);
}
