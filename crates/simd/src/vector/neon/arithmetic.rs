//! [`Dot`], [`Float`] with its conversions, and [`Widths`] on NEON; [`Product`] as it is by
//! default, of products of halves.
#![allow(unsafe_code)]

use core::arch::aarch64::*;

use super::super::arithmetic::highest;
use super::super::intrinsics::{arithmetic, expressions};
use super::super::{Dot, Float, Product, Widths};
use super::U64x2;
use crate::proof::HasNeon;

/// A method of the intrinsics for lanes of 8, 16, 32 and 64 bits.
macro_rules! widths {
    ($method:ident, $of_8:ident $of_16:ident $of_32:ident $of_64:ident) => {
        #[inline(always)]
        fn $method<const BITS: u32>(self, y: Self) -> Self {
            const { highest(BITS) };
            // SAFETY: the register's token proves NEON.
            self.with(unsafe {
                match BITS {
                    8 => vreinterpretq_u64_u8($of_8(
                        vreinterpretq_u8_u64(self.0),
                        vreinterpretq_u8_u64(y.0),
                    )),
                    16 => vreinterpretq_u64_u16($of_16(
                        vreinterpretq_u16_u64(self.0),
                        vreinterpretq_u16_u64(y.0),
                    )),
                    32 => vreinterpretq_u64_u32($of_32(
                        vreinterpretq_u32_u64(self.0),
                        vreinterpretq_u32_u64(y.0),
                    )),
                    _ => $of_64(self.0, y.0),
                }
            })
        }
    };
}

impl<T: HasNeon> Widths for U64x2<T> {
    widths!(add_lanes, vaddq_u8 vaddq_u16 vaddq_u32 vaddq_u64);
    widths!(sub_lanes, vsubq_u8 vsubq_u16 vsubq_u32 vsubq_u64);
}

impl<T: HasNeon> Product for U64x2<T> {}

impl<T: HasNeon> Dot for U64x2<T> {
    expressions! {
        add_dot(sum, x, y) = {
            let (x, y) = (vreinterpretq_s16_u64(x), vreinterpretq_s16_u64(y));
            let low = vmull_s16(vget_low_s16(x), vget_low_s16(y));
            let dots = vpaddq_s32(low, vmull_high_s16(x, y));
            vreinterpretq_u64_s32(vaddq_s32(vreinterpretq_s32_u64(sum), dots))
        };
    }
}

impl<T: HasNeon> Float for U64x2<T> {
    const CONVERTS: bool = true;

    arithmetic! {
        vreinterpretq_f64_u64, vreinterpretq_u64_f64:
        add_f64(y) = vaddq_f64;
        sub_f64(y) = vsubq_f64;
        mul_f64(y) = vmulq_f64;
        floor_f64() = vrndmq_f64;
    }

    expressions! {
        mul_add_f64(x, factor, summand) = vreinterpretq_u64_f64(vfmaq_f64(
            vreinterpretq_f64_u64(summand),
            vreinterpretq_f64_u64(x),
            vreinterpretq_f64_u64(factor),
        ));
        to_f64(x) = vreinterpretq_u64_f64(vcvtq_f64_u64(x));
        to_i64(x) = vreinterpretq_u64_s64(vcvtq_s64_f64(vreinterpretq_f64_u64(x)));
        // Rounds towards zero and saturates.
        to_u64(x) = vcvtq_u64_f64(vreinterpretq_f64_u64(x));
    }
}
