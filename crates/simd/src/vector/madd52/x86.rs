//! AVX-512 IFMA.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::U64x8;
use super::super::intrinsics::intrinsics;
use super::Madd52;
use crate::proof::HasIfma;

impl<T: HasIfma> Madd52 for U64x8<T> {
    intrinsics! {
        madd_low(x, y) = _mm512_madd52lo_epu64;
        madd_high(x, y) = _mm512_madd52hi_epu64;
    }
}
