//! [`Dot`] on NEON.

use core::arch::aarch64::*;

use super::super::Dot;
use super::U64x2;
use crate::proof::HasNeon;

impl<T: HasNeon> Dot for U64x2<T> {
    #[inline(always)]
    fn add_dot(self, x: Self, y: Self) -> Self {
        // SAFETY: the register's token proves NEON.
        unsafe {
            let [x, y] = [x.raw(), y.raw()].map(|register| vreinterpretq_s16_u64(register));
            let low = vmull_s16(vget_low_s16(x), vget_low_s16(y));
            let dots = vpaddq_s32(low, vmull_high_s16(x, y));
            let sum = vaddq_s32(vreinterpretq_s32_u64(self.raw()), dots);
            self.with(vreinterpretq_u64_s32(sum))
        }
    }
}
