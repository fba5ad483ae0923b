//! AVX2 and AVX-512; `vpternlog`, also with a chosen destination.
#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::*;

use super::super::intrinsics::expressions;
use super::super::{LaneMask, U64x2, U64x4, U64x8, Vector};
use super::{Compare, Logic, OrderedLogic, by_gates};
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

macro_rules! ordered {
    ($name:ident($raw:ty): $has:ident, $ternary:ident, $before:ident, $register:literal) => {
        /// The function of x, y and z with the truth table `TABLE`, in the register of x.
        #[inline]
        #[target_feature(enable = "avx512f,avx512vl")]
        fn $ternary<const TABLE: i32>(mut x: $raw, y: $raw, z: $raw) -> $raw {
            // SAFETY: registers go in and out, nothing else.
            unsafe {
                asm!(
                    concat!(
                        "vpternlogq {x:", $register, "}, {y:", $register, "}, {z:", $register,
                        "}, {table}"
                    ),
                    x = inout(zmm_reg) x,
                    y = in(zmm_reg) y,
                    z = in(zmm_reg) z,
                    table = const TABLE,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            x
        }

        /// x and y, about which the compiler then knows nothing.
        #[inline]
        #[target_feature(enable = "avx512f,avx512vl")]
        fn $before(mut x: $raw, mut y: $raw) -> ($raw, $raw) {
            // SAFETY: no instructions.
            unsafe {
                asm!(
                    concat!("/* {x:", $register, "} {y:", $register, "} */"),
                    x = inout(zmm_reg) x,
                    y = inout(zmm_reg) y,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            (x, y)
        }

        impl<T: $has> OrderedLogic for $name<T> {
            #[inline(always)]
            fn select_ordered(self, one: Self, zero: Self) -> Self {
                if !T::TERNARY_LOGIC {
                    return self.select(one, zero);
                }
                // SAFETY: only tokens that include AVX-512 have `TERNARY_LOGIC`, here and below.
                Self(unsafe { $ternary::<0xe2>(one.0, self.0, zero.0) }, self.1)
            }
            #[inline(always)]
            fn xor_masked_ordered(self, y: Self, mask: Self) -> Self {
                if !T::TERNARY_LOGIC {
                    return self.xor_masked(y, mask);
                }
                // SAFETY: as above.
                Self(unsafe { $ternary::<0x6c>(mask.0, self.0, y.0) }, self.1)
            }
            #[inline(always)]
            fn xor3_ordered(self, y: Self, z: Self) -> Self {
                if !T::TERNARY_LOGIC {
                    return self.xor3(y, z);
                }
                // SAFETY: as above.
                Self(unsafe { $ternary::<0x96>(z.0, y.0, self.0) }, self.1)
            }
            #[inline(always)]
            fn before(self, later: Self) -> (Self, Self) {
                if !T::TERNARY_LOGIC {
                    return (self, later);
                }
                // SAFETY: as above.
                let (x, y) = unsafe { $before(self.0, later.0) };
                (Self(x, self.1), Self(y, self.1))
            }
        }
    };
}

ordered!(U64x2(__m128i): HasAvx2, ternary128, before128, "x");
ordered!(U64x4(__m256i): HasAvx2, ternary256, before256, "y");
ordered!(U64x8(__m512i): HasAvx512, ternary512, before512, "z");

impl<T: HasAvx2> Compare for U64x4<T> {
    expressions! {
        blend_lt_32(x, y, yes, no) =
            blend_32(_mm256_cmpeq_epi32(_mm256_max_epu32(x, y), x), no, yes);
    }

    #[inline(always)]
    fn of_mask(_: T, mask: LaneMask<Self>) -> Self {
        mask.0
    }
}

/// In each lane of 32 bits, the lane of `yes` where the mask has its highest bit set, else of
/// `no`.
#[target_feature(enable = "avx2")]
#[inline]
fn blend_32(mask: __m256i, yes: __m256i, no: __m256i) -> __m256i {
    let [mask, yes, no] =
        [_mm256_castsi256_ps(mask), _mm256_castsi256_ps(yes), _mm256_castsi256_ps(no)];
    _mm256_castps_si256(_mm256_blendv_ps(no, yes, mask))
}

impl<T: HasAvx512> Compare for U64x8<T> {
    expressions! {
        blend_lt_32(x, y, yes, no) =
            _mm512_mask_blend_epi32(_mm512_cmplt_epu32_mask(x, y), no, yes);
    }

    #[inline(always)]
    fn of_mask(token: T, mask: __mmask8) -> Self {
        // SAFETY: the token proves AVX-512.
        Self::from_raw(token, unsafe { _mm512_movm_epi64(mask) })
    }

    // The least of all.
    #[inline(always)]
    fn record(token: T) -> Self {
        Self::splat(token, u64::MAX)
    }
    #[inline(always)]
    fn note(self, x: Self, _: Self) -> Self {
        // SAFETY: as above.
        self.with(unsafe { _mm512_min_epu64(self.raw(), x.raw()) })
    }
    #[inline(always)]
    fn noted(self, limit: Self) -> __mmask8 {
        self.lt(limit)
    }
}
