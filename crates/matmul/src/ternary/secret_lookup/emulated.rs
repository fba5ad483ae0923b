//! Look-ups in emulated registers, for checks of the algorithm by tools that do not know AVX-512.

use core::array::from_fn;

use tautochrone_simd::vector::{Emulated, LookUp, Vector, Widths};

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

    fn add_entries(
        tables: &[Table; BLOCK],
        indices: &mut [Self; BLOCK],
        totals: &mut [[Self; BLOCK]; BLOCK],
    ) {
        for (totals, table) in totals.iter_mut().zip(tables) {
            let table = Self::table_32((), &from_fn(|i| table[i / LANES].0[i % LANES]));
            for (total, indices) in totals.iter_mut().zip(&*indices) {
                *total = total.add_lanes::<32>(indices.look_up_32(&table));
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
