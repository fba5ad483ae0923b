//! [`Dot`] on NEON.

use core::arch::aarch64::*;

use super::super::Dot;
use super::super::intrinsics::expressions;
use super::U64x2;
use crate::proof::HasNeon;

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
