//! AVX2 and AVX-512.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::{LaneMask, U64x4, U64x8};
use super::{Lanes, Vector};
use crate::proof::{HasAvx2, HasAvx512};

/// The lanes of registers in memory.
macro_rules! words {
    ($name:ident<$has:ident>, $lanes:literal) => {
        impl<T: $has> $name<T> {
            /// The lanes of registers, one after the other.
            #[inline(always)]
            pub fn words(registers: &[Self]) -> &[u64] {
                const { assert!(size_of::<Self>() == 8 * $lanes) };
                // SAFETY: a register is its lanes, without padding or invalid patterns: a token has
                // no size, which leaves the lanes at offset 0.
                unsafe {
                    core::slice::from_raw_parts(registers.as_ptr().cast(), $lanes * registers.len())
                }
            }
        }
    };
}
words!(U64x4<HasAvx2>, 4);
words!(U64x8<HasAvx512>, 8);

impl<T: HasAvx2> Lanes for U64x4<T> {
    #[inline(always)]
    fn mask_from_bits(token: T, bits: u32) -> LaneMask<Self> {
        let bit = Self::load(token, &[1, 2, 4, 8]);
        Self::splat(token, bits.into()).and(bit).eq(bit)
    }

    #[inline(always)]
    fn first(self) -> u64 {
        // SAFETY: the register's token proves AVX2, as everywhere below.
        unsafe { _mm_cvtsi128_si64(_mm256_castsi256_si128(self.0)) as u64 }
    }
    #[inline(always)]
    fn from_first(token: T, x: u64) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_zextsi128_si256(_mm_cvtsi64_si128(x as i64)) }, token)
    }
    #[inline(always)]
    fn splat_element(token: T, registers: &[Self], at: usize) -> Self {
        Self::splat(token, Self::words(registers)[at])
    }

    #[inline(always)]
    fn up(self, below: Self, n: usize) -> Self {
        // SAFETY: as above.
        let two = unsafe { _mm256_permute2x128_si256::<0x21>(below.0, self.0) };
        let moved = match n {
            // SAFETY: as above.
            1 => unsafe { _mm256_alignr_epi8::<8>(self.0, two) },
            2 => two,
            // SAFETY: as above.
            3 => unsafe { _mm256_alignr_epi8::<8>(two, below.0) },
            _ => self.0,
        };
        Self(moved, self.1)
    }
    #[inline(always)]
    fn sum(self) -> u64 {
        let mut lanes = [0; 4];
        self.store(&mut lanes);
        let [a, b, c, d] = lanes;
        a.wrapping_add(b).wrapping_add(c.wrapping_add(d))
    }
}

impl<T: HasAvx512> Lanes for U64x8<T> {
    #[inline(always)]
    fn mask_from_bits(_: T, bits: u32) -> __mmask8 {
        bits as __mmask8
    }

    #[inline(always)]
    fn first(self) -> u64 {
        // SAFETY: the register's token proves AVX-512, as everywhere below.
        unsafe { _mm_cvtsi128_si64(_mm512_castsi512_si128(self.0)) as u64 }
    }
    #[inline(always)]
    fn from_first(token: T, x: u64) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_zextsi128_si512(_mm_cvtsi64_si128(x as i64)) }, token)
    }
    #[inline(always)]
    fn splat_element(token: T, registers: &[Self], at: usize) -> Self {
        Self::splat(token, Self::words(registers)[at])
    }

    #[inline(always)]
    fn up(self, below: Self, n: usize) -> Self {
        macro_rules! of_count {
            ($($n:literal)*) => {
                match n {
                    // SAFETY: as above.
                    $($n => unsafe { _mm512_alignr_epi64::<{ 8 - $n }>(self.0, below.0) },)*
                    _ => self.0,
                }
            };
        }
        Self(of_count!(1 2 3 4 5 6 7), self.1)
    }
    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: as above.
        unsafe { _mm512_reduce_add_epi64(self.0) as u64 }
    }
}
