//! AVX-512.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::U64x8;
use super::{Lanes, Vector};
use crate::proof::HasAvx512;

impl<T: HasAvx512> U64x8<T> {
    /// The lanes of registers, one after the other.
    #[inline(always)]
    pub fn words(registers: &[Self]) -> &[u64] {
        const { assert!(size_of::<Self>() == 64) };
        // SAFETY: a register is its lanes, without padding or invalid patterns: a token has no
        // size, which leaves the lanes at offset 0.
        unsafe { core::slice::from_raw_parts(registers.as_ptr().cast(), 8 * registers.len()) }
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
