//! AVX2 and AVX-512. In code for VNNI compilers make one instruction of the two.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::intrinsics::expressions;
use super::super::{U64x4, U64x8};
use super::Dot;
use crate::proof::{HasAvx2, HasAvx512};

impl<T: HasAvx2> Dot for U64x4<T> {
    expressions! { add_dot(sum, x, y) = _mm256_add_epi32(sum, _mm256_madd_epi16(x, y)); }
}

impl<T: HasAvx512> Dot for U64x8<T> {
    expressions! { add_dot(sum, x, y) = _mm512_add_epi32(sum, _mm512_madd_epi16(x, y)); }
}
