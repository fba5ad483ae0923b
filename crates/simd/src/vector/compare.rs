//! [`Compare`]: comparisons of 32-bit lanes, and records of comparisons.

use super::emulated::mask;
use super::pair::both;
use super::{Emulated, EmulatedMask, Pair, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// Comparisons that [`Vector`] does not have.
pub trait Compare: Vector {
    /// In each lane of 32 bits, the lane of `yes` where self < y, unsigned, else the lane of `no`.
    fn blend_lt_32(self, y: Self, yes: Self, no: Self) -> Self;
    /// A register whose [`sign`](Vector::sign) is `mask`: for masks that live long, which compilers
    /// would move to general registers and back.
    fn of_mask(token: Self::Token, mask: Self::Mask) -> Self;

    /// A record of nothing, for [`Self::note`].
    fn record(token: Self::Token) -> Self;
    /// Adds to the record whether x < limit, unsigned; the limit of a record is always the same.
    fn note(self, x: Self, limit: Self) -> Self;
    /// In which lanes of a record any x was below the limit.
    fn noted(self, limit: Self) -> Self::Mask;
}

impl<V: Compare> Compare for Pair<V> {
    both! {
        blend_lt_32(y, yes, no);
        note(x, limit);
    }

    #[inline(always)]
    fn of_mask(token: V::Token, mask: Self::Mask) -> Self {
        Self(V::of_mask(token, mask.0), V::of_mask(token, mask.1))
    }

    #[inline(always)]
    fn record(token: V::Token) -> Self {
        Self(V::record(token), V::record(token))
    }
    #[inline(always)]
    fn noted(self, limit: Self) -> Self::Mask {
        Pair(self.0.noted(limit.0), self.1.noted(limit.1))
    }
}

impl<const N: usize> Compare for Emulated<N> {
    fn blend_lt_32(self, y: Self, yes: Self, no: Self) -> Self {
        let low = |condition: bool| mask(condition) & u64::from(u32::MAX);
        let less = self.zip(y, |x, y| low((x as u32) < y as u32) | low(x >> 32 < y >> 32) << 32);
        less.select(yes, no)
    }

    fn of_mask((): (), mask: EmulatedMask<N>) -> Self {
        Self(mask.0)
    }

    fn record((): ()) -> Self {
        Self([0; N])
    }
    fn note(self, x: Self, limit: Self) -> Self {
        self.or(Self::of_mask((), x.lt(limit)))
    }
    fn noted(self, _: Self) -> EmulatedMask<N> {
        self.sign()
    }
}
