//! [`Logic`] on AVX2 and AVX-512.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::{U64x4, U64x8};
use super::{Logic, by_gates};
use crate::proof::{HasAvx2, HasAvx512};

impl<T: HasAvx2> Logic for U64x4<T> {
    #[inline(always)]
    fn lut3<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        if T::TERNARY_LOGIC {
            // SAFETY: the token proves AVX-512 VL.
            a.with(unsafe { _mm256_ternarylogic_epi64::<TABLE>(a.raw(), b.raw(), c.raw()) })
        } else {
            by_gates::<Self, TABLE>(a, b, c)
        }
    }
}

impl<T: HasAvx512> Logic for U64x8<T> {
    #[inline(always)]
    fn lut3<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: the register's token proves AVX-512.
        a.with(unsafe { _mm512_ternarylogic_epi64::<TABLE>(a.raw(), b.raw(), c.raw()) })
    }
}
