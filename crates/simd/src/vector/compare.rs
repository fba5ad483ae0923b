//! [`Compare`]: signed comparisons, and comparisons of 32-bit lanes.

use super::emulated::mask;
use super::{Emulated, EmulatedMask, Pair, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// Comparisons that [`Vector`] does not have.
pub trait Compare: Vector {
    /// Where self < y, signed.
    fn lt_signed(self, y: Self) -> Self::Mask;
    /// In each lane of 32 bits, that of `yes` where self < y, unsigned, else that of `no`.
    fn blend_lt_32(self, y: Self, yes: Self, no: Self) -> Self;
}

impl<V: Compare> Compare for Pair<V> {
    #[inline(always)]
    fn lt_signed(self, y: Self) -> Self::Mask {
        Pair(self.0.lt_signed(y.0), self.1.lt_signed(y.1))
    }

    #[inline(always)]
    fn blend_lt_32(self, y: Self, yes: Self, no: Self) -> Self {
        Self(self.0.blend_lt_32(y.0, yes.0, no.0), self.1.blend_lt_32(y.1, yes.1, no.1))
    }
}

impl<const N: usize> Compare for Emulated<N> {
    fn lt_signed(self, y: Self) -> EmulatedMask<N> {
        self.compare(y, |x, y| x.cast_signed() < y.cast_signed())
    }

    fn blend_lt_32(self, y: Self, yes: Self, no: Self) -> Self {
        let low = |condition: bool| mask(condition) & u64::from(u32::MAX);
        let less = self.zip(y, |x, y| low((x as u32) < y as u32) | low(x >> 32 < y >> 32) << 32);
        less.select(yes, no)
    }
}
