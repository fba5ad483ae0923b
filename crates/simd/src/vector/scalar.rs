//! A register for any CPU.

use super::Vector;
use super::emulated::{EmulatedMask, mask};

/// One lane of 64 bits, in a general-purpose register: for code without vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct U64x1(u64);

impl Vector for U64x1 {
    type Token = ();
    type Mask = EmulatedMask<1>;
    const LANES: usize = 1;

    #[inline(always)]
    fn token(self) {}

    #[inline(always)]
    fn splat((): (), x: u64) -> Self {
        Self(x)
    }
    #[inline(always)]
    fn load((): (), words: &[u64]) -> Self {
        Self(words[0])
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        words[0] = self.0;
    }
    #[inline(always)]
    fn load_bytes((): (), bytes: &[u8]) -> Self {
        Self(u64::from_le_bytes(*bytes.first_chunk().expect("a register's bytes")))
    }
    #[inline(always)]
    fn store_bytes(self, bytes: &mut [u8]) {
        *bytes.first_chunk_mut().expect("a register's bytes") = self.0.to_le_bytes();
    }

    #[inline(always)]
    fn and(self, y: Self) -> Self {
        Self(self.0 & y.0)
    }
    #[inline(always)]
    fn or(self, y: Self) -> Self {
        Self(self.0 | y.0)
    }
    #[inline(always)]
    fn xor(self, y: Self) -> Self {
        Self(self.0 ^ y.0)
    }
    #[inline(always)]
    fn andnot(self, y: Self) -> Self {
        Self(!self.0 & y.0)
    }

    #[inline(always)]
    fn add(self, y: Self) -> Self {
        Self(self.0.wrapping_add(y.0))
    }
    #[inline(always)]
    fn sub(self, y: Self) -> Self {
        Self(self.0.wrapping_sub(y.0))
    }
    #[inline(always)]
    fn mul_low_32(self, y: Self) -> Self {
        Self(u64::from(self.0 as u32) * u64::from(y.0 as u32))
    }
    #[inline(always)]
    fn shl<const N: u32>(self) -> Self {
        Self(self.0 << N)
    }
    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        Self(self.0 >> N)
    }
    #[inline(always)]
    fn shl_each(self, counts: Self) -> Self {
        Self(self.0 << (counts.0 & 63) & mask(counts.0 < 64))
    }
    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        Self(self.0 >> (counts.0 & 63) & mask(counts.0 < 64))
    }

    #[inline(always)]
    fn eq(self, y: Self) -> EmulatedMask<1> {
        EmulatedMask([mask(self.0 == y.0)])
    }
    #[inline(always)]
    fn lt(self, y: Self) -> EmulatedMask<1> {
        EmulatedMask([mask(self.0 < y.0)])
    }
    #[inline(always)]
    fn sign(self) -> EmulatedMask<1> {
        EmulatedMask([mask(self.0 >> 63 == 1)])
    }
    #[inline(always)]
    fn blend(EmulatedMask([mask]): EmulatedMask<1>, yes: Self, no: Self) -> Self {
        Self(mask & yes.0 | !mask & no.0)
    }
}
