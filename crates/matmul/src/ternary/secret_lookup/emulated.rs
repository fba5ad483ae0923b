//! Look-ups in emulated registers, for checks of the algorithm by tools that do not know AVX-512.

use core::array::from_fn;
use core::hint::black_box;

use tautochrone_simd::vector::{Emulated, Vector};

use super::tiles::{BLOCK, LANES, Lookup, Signs, TERMS, Table};

impl Lookup for Emulated<8> {
    fn sums((): (), entries: &[u32; TERMS], signs: &Signs) -> Self {
        from_words(from_fn(|lane| {
            entries.iter().enumerate().fold(0, |sum: u32, (i, entry)| {
                let (plus, minus) = (signs.plus[i] >> lane & 1, signs.minus[i] >> lane & 1);
                let sign = i32::from(plus) - i32::from(minus);
                sum.wrapping_add(entry.wrapping_mul(sign.cast_unsigned()))
            })
        }))
    }

    /// All words of a table are read, so that the emulation has no secret address either.
    fn add_entries(
        tables: &[Table; BLOCK],
        indices: &mut [Self; BLOCK],
        totals: &mut [[Self; BLOCK]; BLOCK],
    ) {
        for (totals, table) in totals.iter_mut().zip(tables) {
            for (total, &indices) in totals.iter_mut().zip(&*indices) {
                let indices = to_words(indices);
                let mut sums = to_words(*total);
                for (sum, index) in sums.iter_mut().zip(indices) {
                    for (at, &word) in (0..).zip(table.iter().flat_map(|line| &line.0)) {
                        // All ones for the entry that is wanted, else 0; hidden, so that compilers
                        // do not make a branch of it.
                        let differs: u32 = (index ^ at) % 32;
                        let mask = black_box((differs.wrapping_sub(1) >> 31).wrapping_neg());
                        *sum = sum.wrapping_add(word & mask);
                    }
                }
                *total = from_words(sums);
            }
        }
        for indices in indices {
            *indices = from_words(to_words(*indices).map(|word| word >> 8));
        }
    }

    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        let rows = rows.map(to_words);
        from_fn(|j| from_words(from_fn(|i| rows[i][j])))
    }
}

fn from_words(words: [u32; LANES]) -> Emulated<8> {
    Emulated::load((), &bytemuck::cast::<_, [u64; 8]>(words))
}

fn to_words(register: Emulated<8>) -> [u32; LANES] {
    let mut words = [0; 8];
    register.store(&mut words);
    bytemuck::cast(words)
}
