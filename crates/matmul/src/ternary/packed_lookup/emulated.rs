//! Bytes looked up in emulated registers.

use core::hint::black_box;

use tautochrone_simd::vector::{Emulated, Vector};

use super::tables::LANES;
use super::tiles::Lookup;

impl Lookup for Emulated<8> {
    /// All bytes of the table are read, so that the emulation has no secret address either.
    fn add_entries(self, [low, high]: [Self; 2], numbers: Self) -> Self {
        let table = [to_bytes(low), to_bytes(high)];
        let mut totals = to_bytes(self);
        for (total, number) in totals.iter_mut().zip(to_bytes(numbers)) {
            for (at, &byte) in (0..).zip(table.as_flattened()) {
                // All ones for the byte that is wanted, else 0; hidden, so that compilers do not
                // make a branch of it.
                let differs = u16::from((number ^ at) % 128);
                let mask = black_box((differs.wrapping_sub(1) >> 8) as u8);
                *total = total.wrapping_add(byte & mask);
            }
        }
        Self::load((), &bytemuck::cast::<_, [u64; 8]>(totals))
    }
}

fn to_bytes(register: Emulated<8>) -> [u8; LANES] {
    let mut words = [0; 8];
    register.store(&mut words);
    bytemuck::cast(words)
}
