//! GFNI in registers of AVX2 and AVX-512.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::{U64x2, U64x4, U64x8};
use super::Gf2p8;
use crate::proof::{HasAvx512, HasGfni};

macro_rules! gf2p8 {
    ($name:ident<$has:path $(, $too:path)?>, $affine:ident, $inverse:ident, $multiply:ident) => {
        impl<T: $has $(+ $too)?> Gf2p8 for $name<T> {
            #[inline(always)]
            fn affine<const C: i32>(self, matrix: Self) -> Self {
                // SAFETY: the register's token proves GFNI in this width, as everywhere below.
                Self(unsafe { $affine::<C>(self.0, matrix.0) }, self.1)
            }
            #[inline(always)]
            fn inverse_affine(self, matrix: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $inverse::<0>(self.0, matrix.0) }, self.1)
            }
            #[inline(always)]
            fn multiply(self, y: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $multiply(self.0, y.0) }, self.1)
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
