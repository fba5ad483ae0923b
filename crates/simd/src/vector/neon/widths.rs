//! [`Widths`] on NEON.
#![allow(unsafe_code)]

use core::arch::aarch64::*;

use super::super::Widths;
use super::super::widths::highest;
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
