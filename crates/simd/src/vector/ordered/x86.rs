//! `vpternlog` with a chosen destination.
#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::{__m128i, __m256i, __m512i};

use super::super::{U64x2, U64x4, U64x8};
use super::{OrderedLogic, Vector};
use crate::proof::{HasAvx2, HasAvx512};

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
