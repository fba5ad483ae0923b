//! Bytes looked up in plain Rust.

use core::hint::black_box;

use super::generic::{Bytes, Lookup, Table};

impl Lookup for Bytes {
    type Table = Table;

    fn table(table: &Table) -> Table {
        *table
    }

    /// All bytes of the table are read, so that the emulation has no secret address either.
    fn add_picked(self, table: Table, numbers: Self) -> Self {
        let mut total = self;
        for (total, number) in total.0.iter_mut().zip(numbers.0) {
            for (at, &byte) in (0..).zip(table.iter().flat_map(|line| &line.0)) {
                // All ones for the number that is picked, else 0; hidden, lest the compiler makes it a jump.
                let differs = u16::from((number ^ at) % 128);
                let mask = black_box((differs.wrapping_sub(1) >> 8) as u8);
                *total = total.wrapping_add(byte & mask);
            }
        }
        total
    }
}
