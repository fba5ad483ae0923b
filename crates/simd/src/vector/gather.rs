//! [`Gather`]: rows of tables in memory, at public indices.
#![allow(unsafe_code)]

use super::{Emulated, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// Two-word rows into two registers. **Not for secret indices**: they become addresses.
pub trait Gather: Vector {
    /// The words with even indices and the words with odd indices, of self's lanes followed by the
    /// lanes of `y`.
    fn unzip(self, y: Self) -> (Self, Self);
    /// The first and the second words of the rows that the lanes are indices of.
    ///
    /// # Safety
    /// Every lane is below the number of rows.
    unsafe fn gather_rows(self, rows: &[[u64; 2]]) -> (Self, Self);
}

impl<const N: usize> Gather for Emulated<N> {
    fn unzip(self, y: Self) -> (Self, Self) {
        let word = |i: usize| if i < N { self.0[i] } else { y.0[i - N] };
        let every_second = |first| Self(core::array::from_fn(|i| word(first + 2 * i)));
        (every_second(0), every_second(1))
    }

    unsafe fn gather_rows(self, rows: &[[u64; 2]]) -> (Self, Self) {
        (self.map(|i| rows[i as usize][0]), self.map(|i| rows[i as usize][1]))
    }
}
