//! A register for any CPU.

use super::Vector;
use super::emulated::{EmulatedMask, lane_by_lane, mask};

/// One lane of 64 bits, in a general-purpose register: for code without vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct U64x1(u64);

impl U64x1 {
    #[inline(always)]
    fn map(self, f: impl Fn(u64) -> u64) -> Self {
        Self(f(self.0))
    }
    #[inline(always)]
    fn zip(self, y: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(f(self.0, y.0))
    }
    #[inline(always)]
    fn compare(self, y: Self, f: impl Fn(u64, u64) -> bool) -> EmulatedMask<1> {
        EmulatedMask([mask(f(self.0, y.0))])
    }
}

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

    lane_by_lane!(EmulatedMask<1>);

    #[inline(always)]
    fn blend(EmulatedMask([mask]): EmulatedMask<1>, yes: Self, no: Self) -> Self {
        Self(mask & yes.0 | !mask & no.0)
    }
}
