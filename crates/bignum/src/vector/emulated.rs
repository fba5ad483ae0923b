//! Eight lanes in memory: the definition of every operation.
use core::array::from_fn;

use super::{DIGIT, LANES, RADIX, Vector};
use crate::limb;

/// A vector that needs no special CPU.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub(crate) struct Emulated([u64; LANES]);

impl zeroize::DefaultIsZeroes for Emulated {}

impl Emulated {
    // Not inlined, here and below: a kernel unrolled on lanes in memory takes minutes to compile.
    #[inline(never)]
    fn map(self, f: impl Fn(u64) -> u64) -> Self {
        Self(self.0.map(f))
    }

    #[inline(never)]
    fn with(self, y: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(from_fn(|l| f(self.0[l], y.0[l])))
    }

    /// One bit of a mask from each lane, where `f` is not zero.
    #[inline(never)]
    fn mask(self, y: Self, f: impl Fn(u64, u64) -> u64) -> u8 {
        (0..LANES).fold(0, |m, l| m | (limb::is_nonzero(f(self.0[l], y.0[l])) as u8 & 1) << l)
    }
}

fn product(x: u64, y: u64) -> u128 {
    u128::from(x & DIGIT) * u128::from(y & DIGIT)
}

impl Vector for Emulated {
    type Token = ();

    fn enter<R>((): (), f: impl FnOnce() -> R) -> R {
        f()
    }

    fn from_array(lanes: [u64; LANES]) -> Self {
        Self(lanes)
    }

    fn to_array(self) -> [u64; LANES] {
        self.0
    }

    fn splat(x: u64) -> Self {
        Self([x; LANES])
    }

    fn splat_element(x: &[Self], at: usize) -> Self {
        Self::splat(x[at / LANES].0[at % LANES])
    }

    fn add(self, y: Self) -> Self {
        self.with(y, u64::wrapping_add)
    }

    fn sub(self, y: Self) -> Self {
        self.with(y, u64::wrapping_sub)
    }

    fn and(self, y: Self) -> Self {
        self.with(y, |x, y| x & y)
    }

    fn or(self, y: Self) -> Self {
        self.with(y, |x, y| x | y)
    }

    fn xor(self, y: Self) -> Self {
        self.with(y, |x, y| x ^ y)
    }

    fn carry(self) -> Self {
        self.map(|x| x >> RADIX)
    }

    fn first(self) -> u64 {
        self.0[0]
    }

    fn from_first(x: u64) -> Self {
        Self([x, 0, 0, 0, 0, 0, 0, 0])
    }

    fn splat_lane<const L: usize>(self) -> Self {
        Self([self.0[L]; LANES])
    }

    fn borrow(self) -> Self {
        self.map(|x| (x as i64 >> RADIX) as u64)
    }

    fn shl(self, count: Self) -> Self {
        self.with(count, |x, n| (x << (n & 63)) & limb::is_zero(n >> 6))
    }

    fn shr(self, count: Self) -> Self {
        self.with(count, |x, n| (x >> (n & 63)) & limb::is_zero(n >> 6))
    }

    #[inline(never)]
    fn madd_low(self, x: Self, y: Self) -> Self {
        Self(from_fn(|l| self.0[l].wrapping_add(product(x.0[l], y.0[l]) as u64 & DIGIT)))
    }

    #[inline(never)]
    fn madd_high(self, x: Self, y: Self) -> Self {
        Self(from_fn(|l| self.0[l].wrapping_add((product(x.0[l], y.0[l]) >> RADIX) as u64)))
    }

    fn madd_low_in(self, mask: u8, x: Self, y: Self) -> Self {
        self.blend(mask, self.madd_low(x, y))
    }

    fn madd_high_in(self, mask: u8, x: Self, y: Self) -> Self {
        self.blend(mask, self.madd_high(x, y))
    }

    fn eq_mask(self, y: Self) -> u8 {
        self.mask(y, |x, y| limb::is_zero(x ^ y))
    }

    fn gt_mask(self, y: Self) -> u8 {
        self.mask(y, |x, y| limb::sub(y, x, 0).1)
    }

    fn test_mask(self, y: Self) -> u8 {
        self.mask(y, |x, y| x & y)
    }

    #[inline(never)]
    fn blend(self, mask: u8, y: Self) -> Self {
        Self(from_fn(|l| limb::mux(self.0[l], y.0[l], limb::mask(u64::from(mask >> l)))))
    }

    #[inline(never)]
    fn up(self, below: Self, n: usize) -> Self {
        Self(from_fn(|l| if l < n { below.0[LANES + l - n] } else { self.0[l - n] }))
    }

    #[inline(never)]
    fn interleave(self, y: Self) -> (Self, Self) {
        let lane = |k: usize| if k & 1 == 0 { self.0[k >> 1] } else { y.0[k >> 1] };
        (Self(from_fn(lane)), Self(from_fn(|k| lane(k + LANES))))
    }

    fn sum(self) -> u64 {
        self.0.iter().fold(0, |a, &x| a.wrapping_add(x))
    }
}
