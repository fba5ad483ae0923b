//! AVX2 with FMA, AVX-512, GFNI and AVX-512 IFMA.
#![allow(unsafe_code)]

use core::arch::x86_64::*;

use super::super::intrinsics::{arithmetic, expressions, intrinsics};
use super::super::{LookUp, U64x2, U64x4, U64x8, Vector};
use super::{Dot, Float, Gf2p8, Madd52, Product, Widths, highest};
use crate::proof::{HasAvx2, HasAvx512, HasGfni, HasIfma};

/// The methods of a register of the intrinsics for lanes of 8, 16, 32 and 64 bits.
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

widths!(
    U64x4,
    HasAvx2,
    [_mm256_add_epi8 _mm256_add_epi16 _mm256_add_epi32 _mm256_add_epi64],
    [_mm256_sub_epi8 _mm256_sub_epi16 _mm256_sub_epi32 _mm256_sub_epi64]
);
widths!(
    U64x8,
    HasAvx512,
    [_mm512_add_epi8 _mm512_add_epi16 _mm512_add_epi32 _mm512_add_epi64],
    [_mm512_sub_epi8 _mm512_sub_epi16 _mm512_sub_epi32 _mm512_sub_epi64]
);

impl<T: HasAvx2> Dot for U64x4<T> {
    expressions! { add_dot(sum, x, y) = _mm256_add_epi32(sum, _mm256_madd_epi16(x, y)); }
}

impl<T: HasAvx512> Dot for U64x8<T> {
    expressions! { add_dot(sum, x, y) = _mm512_add_epi32(sum, _mm512_madd_epi16(x, y)); }
}

impl<T: HasIfma> Madd52 for U64x8<T> {
    intrinsics! {
        madd_low(x, y) = _mm512_madd52lo_epu64;
        madd_high(x, y) = _mm512_madd52hi_epu64;
    }
}

impl<T: HasAvx2> Product for U64x4<T> {}

impl<T: HasIfma> Product for U64x8<T> {
    #[inline(always)]
    fn product_52(self, factor: Self) -> (Self, Self) {
        let zero = Self::zero(self.token());
        (zero.madd_high(self, factor), zero.madd_low(self, factor))
    }

    #[inline(always)]
    fn add_product(self, x: Self, factor: Self) -> Self {
        self.madd_low(x, factor)
    }
}

/// 2^52: the bits of 2^52 + n, n below 2^52, are the bits of 2^52 plus n.
const INTEGERS: f64 = 4_503_599_627_370_496.0;
/// 1.5 2^52, for signed n, |n| <= 2^51.
const SIGNED: f64 = 1.5 * INTEGERS;

/// `vreducepd`: to multiples of 2^-4, to nearest; and to whole numbers below.
const SIXTEENTHS: i32 = 4 << 4 | _MM_FROUND_NO_EXC;
const WHOLE: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;

impl<T: HasAvx2> Float for U64x4<T> {
    const CONVERTS: bool = false;

    arithmetic! {
        _mm256_castsi256_pd, _mm256_castpd_si256:
        add_f64(y) = _mm256_add_pd;
        sub_f64(y) = _mm256_sub_pd;
        mul_f64(y) = _mm256_mul_pd;
        mul_add_f64(factor, summand) = _mm256_fmadd_pd;
        floor_f64() = _mm256_floor_pd;
    }

    #[inline(always)]
    fn to_f64(self) -> Self {
        let magic = Self::splat_f64(self.token(), INTEGERS);
        self.or(magic).sub_f64(magic)
    }

    #[inline(always)]
    fn to_i64(self) -> Self {
        let magic = Self::splat_f64(self.token(), SIGNED);
        self.add_f64(magic).sub(magic)
    }

    #[inline(always)]
    fn to_u64(self) -> Self {
        let token = self.token();
        let splat = |x| Self::splat_f64(token, x);
        let (magic, two_32) = (splat(INTEGERS), splat(4_294_967_296.0));
        let high = self.mul_f64(splat(1.0 / 4_294_967_296.0)).floor_f64();
        // SAFETY: the register's token proves AVX2 and FMA.
        let low = Self::from_raw(token, unsafe {
            let (high, two_32) =
                (_mm256_castsi256_pd(high.raw()), _mm256_castsi256_pd(two_32.raw()));
            _mm256_castpd_si256(_mm256_fnmadd_pd(high, two_32, _mm256_castsi256_pd(self.raw())))
        });
        let low = low.floor_f64();
        // SAFETY: as above.
        let over = Self::from_raw(token, unsafe {
            let (high, two_32) =
                (_mm256_castsi256_pd(high.raw()), _mm256_castsi256_pd(two_32.raw()));
            _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_GE_OQ>(high, two_32))
        });
        Self::low_halves(low.add_f64(magic), high.add_f64(magic)).or(over)
    }
}

impl<T: HasAvx512> Float for U64x8<T> {
    const CONVERTS: bool = true;

    arithmetic! {
        _mm512_castsi512_pd, _mm512_castpd_si512:
        add_f64(y) = _mm512_add_pd;
        sub_f64(y) = _mm512_sub_pd;
        mul_f64(y) = _mm512_mul_pd;
        mul_add_f64(factor, summand) = _mm512_fmadd_pd;
        floor_f64() = _mm512_roundscale_pd::<_MM_FROUND_TO_NEG_INF>;
        beyond_sixteenth() = _mm512_reduce_pd::<SIXTEENTHS>;
    }

    #[inline(always)]
    fn floor_parts(self) -> (Self, Self) {
        // SAFETY: the register's token proves AVX-512.
        unsafe {
            let x = _mm512_castsi512_pd(self.raw());
            let floor =
                _mm512_cvt_roundpd_epi64::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(x);
            let rest = _mm512_reduce_pd::<WHOLE>(x);
            (self.with(floor), self.with(_mm512_castpd_si512(rest)))
        }
    }

    expressions! {
        to_f64(x) = _mm512_castpd_si512(_mm512_cvtepi64_pd(x));
        to_i64(x) = _mm512_cvtpd_epi64(_mm512_castsi512_pd(x));
        to_u64(x) = _mm512_cvttpd_epu64(_mm512_castsi512_pd(x));
    }
}

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
