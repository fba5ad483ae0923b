//! GFNI in registers of AVX2 and AVX-512.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::intrinsics::intrinsics;
use super::super::{U64x2, U64x4, U64x8};
use super::Gf2p8;
use crate::proof::{HasAvx512, HasGfni};

macro_rules! gf2p8 {
    ($name:ident<$has:path $(, $too:path)?>, $affine:ident, $inverse:ident, $multiply:ident) => {
        impl<T: $has $(+ $too)?> Gf2p8 for $name<T> {
            intrinsics! {
                affine<const C: i32>(matrix) = $affine::<C>;
                inverse_affine(matrix) = $inverse::<0>;
                multiply(y) = $multiply;
            }
        }
    };
}

gf2p8!(
    U64x2<HasGfni>,
    _mm_gf2p8affine_epi64_epi8,
    _mm_gf2p8affineinv_epi64_epi8,
    _mm_gf2p8mul_epi8
);
gf2p8!(
    U64x4<HasGfni>,
    _mm256_gf2p8affine_epi64_epi8,
    _mm256_gf2p8affineinv_epi64_epi8,
    _mm256_gf2p8mul_epi8
);
gf2p8!(
    U64x8<HasGfni, HasAvx512>,
    _mm512_gf2p8affine_epi64_epi8,
    _mm512_gf2p8affineinv_epi64_epi8,
    _mm512_gf2p8mul_epi8
);
