//! [`LookUp`]: tables in registers.

use super::emulated::mask;
use super::pair::both;
use super::{Emulated, Pair, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// Look-ups in tables of 128 bytes, which read every entry: the indices may be secret.
pub trait LookUp: Vector {
    /// A table.
    type Table: Copy;

    /// A table of 32-bit entries.
    fn table_32(token: Self::Token, entries: &[u32; 32]) -> Self::Table;
    /// A table of 64-bit entries.
    fn table_64(token: Self::Token, entries: &[u64; 16]) -> Self::Table;
    /// For each lane of 32 bits, the entry at the index lane mod 32, of a table of 32-bit entries.
    fn look_up_32(self, table: &Self::Table) -> Self;
    /// For each lane of 64 bits, the entry at the index lane mod 16, of a table of 64-bit entries.
    fn look_up_64(self, table: &Self::Table) -> Self;
    /// [`Self::look_up_64`] of self and of `y`: on AVX2 for the price of one.
    #[inline(always)]
    fn look_up_64_twice(self, y: Self, table: &Self::Table) -> (Self, Self) {
        (self.look_up_64(table), y.look_up_64(table))
    }

    /// The low half of each lane of self, below the low half of the same lane of `high`.
    fn low_halves(self, high: Self) -> Self;
    /// The high half of each lane of self, below the high half of the same lane of `high`.
    fn high_halves(self, high: Self) -> Self;
}

impl<V: LookUp> LookUp for Pair<V> {
    type Table = V::Table;

    #[inline(always)]
    fn table_32(token: V::Token, entries: &[u32; 32]) -> V::Table {
        V::table_32(token, entries)
    }
    #[inline(always)]
    fn table_64(token: V::Token, entries: &[u64; 16]) -> V::Table {
        V::table_64(token, entries)
    }
    #[inline(always)]
    fn look_up_32(self, table: &V::Table) -> Self {
        Self(self.0.look_up_32(table), self.1.look_up_32(table))
    }
    #[inline(always)]
    fn look_up_64(self, table: &V::Table) -> Self {
        let (first, second) = self.0.look_up_64_twice(self.1, table);
        Self(first, second)
    }

    both! {
        low_halves(high);
        high_halves(high);
    }
}

/// The entry at index mod N, a power of two; every entry is read, so no address is secret.
fn select_entry<const N: usize>(table: &[u64; N], index: u64) -> u64 {
    const { assert!(N.is_power_of_two()) };
    let index = index & (N as u64 - 1);
    (0..).zip(table).fold(0, |found, (i, entry)| found | entry & mask(i == index))
}

impl<const N: usize> LookUp for Emulated<N> {
    type Table = [u64; 32];

    fn table_32((): (), entries: &[u32; 32]) -> [u64; 32] {
        entries.map(u64::from)
    }
    fn table_64((): (), entries: &[u64; 16]) -> [u64; 32] {
        core::array::from_fn(|i| entries[i & 15])
    }
    fn look_up_32(self, table: &[u64; 32]) -> Self {
        self.map(|x| {
            let (low, high) = (x & u64::from(u32::MAX), x >> 32);
            select_entry(table, low) | select_entry(table, high) << 32
        })
    }
    fn look_up_64(self, table: &[u64; 32]) -> Self {
        self.map(|x| select_entry(table, x))
    }
    fn low_halves(self, high: Self) -> Self {
        self.zip(high, |x, y| x & u64::from(u32::MAX) | y << 32)
    }
    fn high_halves(self, high: Self) -> Self {
        self.zip(high, |x, y| x >> 32 | y >> 32 << 32)
    }
}
