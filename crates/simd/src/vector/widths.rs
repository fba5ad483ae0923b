//! Sums and differences of narrower lanes.
#![cfg_attr(target_arch = "x86_64", allow(unsafe_code))]

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::pair::both;
use super::{Emulated, Pair, Vector};
#[cfg(target_arch = "x86_64")]
use super::{U64x4, U64x8};
#[cfg(target_arch = "x86_64")]
use crate::proof::{HasAvx2, HasAvx512};

/// A register whose lanes of 64 bits are also lanes of 8, 16 or 32 bits, the lowest first.
///
/// `BITS` is 8, 16, 32 or 64; other widths do not compile.
pub trait Widths: Vector {
    /// self + y in lanes of `BITS` bits, each modulo 2^`BITS`.
    fn add_lanes<const BITS: u32>(self, y: Self) -> Self;
    /// self - y in lanes of `BITS` bits, each modulo 2^`BITS`.
    fn sub_lanes<const BITS: u32>(self, y: Self) -> Self;
}

impl<V: Widths> Widths for Pair<V> {
    both! {
        add_lanes<const BITS: u32>(y);
        sub_lanes<const BITS: u32>(y);
    }
}

/// The highest bit of every lane of `BITS` bits.
#[expect(clippy::integer_division_remainder_used, reason = "widths are public")]
pub(super) const fn highest(bits: u32) -> u64 {
    assert!(matches!(bits, 8 | 16 | 32 | 64), "lanes have 8, 16, 32 or 64 bits");
    u64::MAX / (u64::MAX >> (64 - bits)) << (bits - 1)
}

/// The lanes without their highest bits are added or subtracted without carries or borrows between
/// them; the highest bits follow by exclusive or (Warren, Hacker's Delight, section 2-18).
impl<const N: usize> Widths for Emulated<N> {
    fn add_lanes<const BITS: u32>(self, y: Self) -> Self {
        let highest = const { highest(BITS) };
        self.zip(y, |x, y| ((x & !highest) + (y & !highest)) ^ ((x ^ y) & highest))
    }
    fn sub_lanes<const BITS: u32>(self, y: Self) -> Self {
        let highest = const { highest(BITS) };
        self.zip(y, |x, y| ((x | highest) - (y & !highest)) ^ ((x ^ !y) & highest))
    }
}

/// The methods of a register of the intrinsics for lanes of 8, 16, 32 and 64 bits.
#[cfg(target_arch = "x86_64")]
macro_rules! widths {
    ($name:ident, $has:ident, [$($add:ident)*], [$($sub:ident)*]) => {
        impl<T: $has> Widths for $name<T> {
            widths!(add_lanes, $($add)*);
            widths!(sub_lanes, $($sub)*);
        }
    };
    ($method:ident, $of_8:ident $of_16:ident $of_32:ident $of_64:ident) => {
        #[inline(always)]
        fn $method<const BITS: u32>(self, y: Self) -> Self {
            const { highest(BITS) };
            // SAFETY: the register's token proves the instructions.
            let raw = unsafe {
                match BITS {
                    8 => $of_8(self.0, y.0),
                    16 => $of_16(self.0, y.0),
                    32 => $of_32(self.0, y.0),
                    _ => $of_64(self.0, y.0),
                }
            };
            Self(raw, self.1)
        }
    };
}

#[cfg(target_arch = "x86_64")]
widths!(
    U64x4,
    HasAvx2,
    [_mm256_add_epi8 _mm256_add_epi16 _mm256_add_epi32 _mm256_add_epi64],
    [_mm256_sub_epi8 _mm256_sub_epi16 _mm256_sub_epi32 _mm256_sub_epi64]
);
#[cfg(target_arch = "x86_64")]
widths!(
    U64x8,
    HasAvx512,
    [_mm512_add_epi8 _mm512_add_epi16 _mm512_add_epi32 _mm512_add_epi64],
    [_mm512_sub_epi8 _mm512_sub_epi16 _mm512_sub_epi32 _mm512_sub_epi64]
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::tests::words;

    /// The definition itself, against sums of bytes, halves and words of Rust.
    #[test]
    fn the_emulation_adds_and_subtracts_each_lane() {
        for input in words(1000).as_chunks::<2>().0 {
            let [x, y] = input.map(u64::to_le_bytes);
            let [register_x, register_y] = input.map(|word| Emulated([word]));
            let bytes =
                |f: fn(u8, u8) -> u8| u64::from_le_bytes(core::array::from_fn(|i| f(x[i], y[i])));
            assert_eq!(register_x.add_lanes::<8>(register_y).0, [bytes(u8::wrapping_add)]);
            assert_eq!(register_x.sub_lanes::<8>(register_y).0, [bytes(u8::wrapping_sub)]);
            let lanes = |bits: u32, f: fn(u64, u64) -> u64| {
                let mask = u64::MAX >> (64 - bits);
                (0..64).step_by(bits as usize).fold(0, |all, shift| {
                    all | (f(input[0] >> shift, input[1] >> shift) & mask) << shift
                })
            };
            let (add, sub) = (u64::wrapping_add, u64::wrapping_sub);
            assert_eq!(register_x.add_lanes::<16>(register_y).0, [lanes(16, add)]);
            assert_eq!(register_x.sub_lanes::<16>(register_y).0, [lanes(16, sub)]);
            assert_eq!(register_x.add_lanes::<32>(register_y).0, [lanes(32, add)]);
            assert_eq!(register_x.sub_lanes::<32>(register_y).0, [lanes(32, sub)]);
            assert_eq!(register_x.add_lanes::<64>(register_y).0, [lanes(64, add)]);
            assert_eq!(register_x.sub_lanes::<64>(register_y).0, [lanes(64, sub)]);
        }
    }
}
