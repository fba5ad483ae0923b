//! [`WitnessEntry`]: what an entry of S is in memory. Signed bytes where all bounds are at most
//! 127, else signed integers of 32 bits.

use alloc::vec::Vec;

use tautochrone_matmul::Operand;

use crate::erase::Secrets;
use tautochrone_simd::{Isa, vectorize};

/// An entry of S in memory.
pub(crate) trait WitnessEntry:
    Operand + PartialEq + From<i8> + Into<i32> + Into<i64> + bytemuck::Pod
{
    /// |s|, without overflow.
    type Magnitude: Copy + Ord + Into<u32>;
    /// |s|.
    fn magnitude(self) -> Self::Magnitude;
    /// The largest magnitude that does not exceed `bound`.
    fn cap(bound: u32) -> Self::Magnitude;
    /// `value`, which fits, modulo the type's size.
    fn truncate(value: i32) -> Self;
    /// The sum of the squares of at most 2^32 entries of any blocks of a witness.
    fn sum_of_squares(entries: &[Self]) -> u128;
    /// Calls `f` with the entries in two's complement, little-endian.
    fn with_le_bytes(entries: &[Self], f: impl FnOnce(&[u8]));
}

impl WitnessEntry for i8 {
    type Magnitude = u8;

    fn magnitude(self) -> u8 {
        // Right for -128, too.
        self.unsigned_abs()
    }

    fn cap(bound: u32) -> u8 {
        bound.min(255) as u8
    }

    fn truncate(value: i32) -> Self {
        value as Self
    }

    fn sum_of_squares(entries: &[Self]) -> u128 {
        vectorize!(Isa::detect_vectors(), {
            // A square is at most 2^14, so 2^17 of them fit 32 bits.
            let squares = |part: &[Self]| {
                part.iter().fold(0_u32, |sum, &s| {
                    let s = i32::from(s);
                    sum + (s * s).cast_unsigned()
                })
            };
            entries.chunks(1 << 17).map(|part| u128::from(squares(part))).sum()
        })
    }

    fn with_le_bytes(entries: &[Self], f: impl FnOnce(&[u8])) {
        f(bytemuck::cast_slice(entries));
    }
}

impl WitnessEntry for i32 {
    type Magnitude = u32;

    fn magnitude(self) -> u32 {
        self.unsigned_abs()
    }

    fn cap(bound: u32) -> u32 {
        bound
    }

    fn truncate(value: i32) -> Self {
        value
    }

    fn sum_of_squares(entries: &[Self]) -> u128 {
        vectorize!(Isa::detect_vectors(), {
            // A square is at most 2^62.
            let squares = |pair: &[Self]| -> u64 {
                pair.iter().map(|&s| i64::from(s).pow(2).cast_unsigned()).sum()
            };
            entries.chunks(2).map(|pair| u128::from(squares(pair))).sum()
        })
    }

    fn with_le_bytes(entries: &[Self], f: impl FnOnce(&[u8])) {
        if cfg!(target_endian = "little") {
            return f(bytemuck::cast_slice(entries));
        }
        let swapped: Vec<Self> = entries.iter().map(|s| s.to_le()).collect();
        f(bytemuck::cast_slice(&Secrets::own(swapped)));
    }
}

/// How many parts of `size` elements these are, as columns of a matrix. Lengths are public.
#[expect(clippy::integer_division_remainder_used, reason = "the only place that divides them")]
pub(crate) const fn parts_of<T>(elements: &[T], size: usize) -> usize {
    elements.len() / size
}

/// The same entries, if those of the two types are of one size.
pub(crate) fn of_size<T: bytemuck::Pod, U: bytemuck::Pod>(entries: &[T]) -> Option<&[U]> {
    (size_of::<T>() == size_of::<U>()).then(|| bytemuck::cast_slice(entries))
}

/// Runs `$body` with `$entry` as the type of the entries of S under these parameters.
macro_rules! with_entry {
    ($params:expr, $entry:ident => $body:expr) => {
        if $params.entry_bytes() == 1 {
            type $entry = i8;
            $body
        } else {
            type $entry = i32;
            $body
        }
    };
}
pub(crate) use with_entry;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_squares_are_exact() {
        for len in [0_usize, 1, 31, 1000, (1 << 17) + 3] {
            let bytes: Vec<i8> = (0..len).map(|i| (i * 7919 % 256) as u8 as i8).collect();
            let words: Vec<i32> = bytes.iter().map(|&s| i32::from(s) << 13).collect();
            let want: u128 = bytes.iter().map(|&s| i128::from(s).pow(2).cast_unsigned()).sum();
            assert_eq!(i8::sum_of_squares(&bytes), want);
            assert_eq!(i32::sum_of_squares(&words), want << 26);
        }
        assert_eq!(i8::sum_of_squares(&vec![-128; 1 << 18]), 1 << 32);
        assert_eq!(i32::sum_of_squares(&[i32::MIN; 5]), 5 << 62);
    }

    #[test]
    fn magnitudes_do_not_overflow() {
        assert!((-128_i8).magnitude() > i8::cap(127) && (-128_i8).magnitude() <= i8::cap(1000));
        assert!(i32::MIN.magnitude() > i32::cap(i32::MAX.cast_unsigned()));
    }
}
