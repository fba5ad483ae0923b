//! Registers of 128 bits on NEON. [`Pair`](super::Pair) makes wider ones of them.
#![allow(unsafe_code)]

mod arithmetic;
mod logic;
mod moves;

use core::arch::aarch64::*;

use super::intrinsics::{expressions, intrinsics, raw};
use super::{Mask, Vector};
use crate::proof::HasNeon;

/// Two lanes of 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct U64x2<T>(uint64x2_t, T);

/// All ones or all zeros in each lane of a register.
#[derive(Clone, Copy, Debug)]
pub struct LaneMask<T>(U64x2<T>);

raw!(U64x2<HasNeon>(uint64x2_t));

impl<T: HasNeon> U64x2<T> {
    /// Each lane shifted left by the lowest byte of its count, a signed number: negative ones shift
    /// right.
    #[inline(always)]
    fn shifted(self, counts: int64x2_t) -> Self {
        // SAFETY: the register's token proves NEON.
        self.with(unsafe { vshlq_u64(self.0, counts) })
    }
}

impl<T: HasNeon> Mask for LaneMask<T> {
    const LANES: u32 = 2;

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0.and(other.0))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0.or(other.0))
    }
    #[inline(always)]
    fn andnot(self, other: Self) -> Self {
        Self(self.0.andnot(other.0))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        let bits = self.0.and(U64x2::load(self.0.1, &[1, 2]));
        // SAFETY: the register's token proves NEON.
        unsafe { vaddvq_u64(bits.0) as u32 }
    }
}

impl<T: HasNeon> Vector for U64x2<T> {
    type Token = T;
    type Mask = LaneMask<T>;
    const LANES: usize = 2;

    #[inline(always)]
    fn token(self) -> T {
        self.1
    }

    #[inline(always)]
    fn splat(token: T, x: u64) -> Self {
        // SAFETY: the token proves NEON.
        Self(unsafe { vdupq_n_u64(x) }, token)
    }
    #[inline(always)]
    fn load(token: T, words: &[u64]) -> Self {
        let words = &words[..2];
        // SAFETY: the token proves NEON; the slice covers the register.
        Self(unsafe { vld1q_u64(words.as_ptr()) }, token)
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words = &mut words[..2];
        // SAFETY: as above.
        unsafe { vst1q_u64(words.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn load_bytes(token: T, bytes: &[u8]) -> Self {
        let bytes = &bytes[..16];
        // SAFETY: as above.
        Self(unsafe { vreinterpretq_u64_u8(vld1q_u8(bytes.as_ptr())) }, token)
    }
    #[inline(always)]
    fn store_bytes(self, bytes: &mut [u8]) {
        let bytes = &mut bytes[..16];
        // SAFETY: as above.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), vreinterpretq_u8_u64(self.0)) }
    }

    intrinsics! {
        and(y) = vandq_u64;
        or(y) = vorrq_u64;
        xor(y) = veorq_u64;
        select(one, zero) = vbslq_u64;
        add(y) = vaddq_u64;
        sub(y) = vsubq_u64;
    }
    expressions! {
        andnot(x, y) = vbicq_u64(y, x);
        mul_low_32(x, y) = vmull_u32(vmovn_u64(x), vmovn_u64(y));
    }

    // Shifts by a constant register: the intrinsics take their count as another type of constant
    // than `N`, and not 0. They compile to the instruction with an immediate.
    #[inline(always)]
    fn shl<const N: u32>(self) -> Self {
        // SAFETY: the register's token proves NEON, as everywhere below.
        self.shifted(unsafe { vdupq_n_s64(N.into()) })
    }
    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        // SAFETY: as above.
        self.shifted(unsafe { vdupq_n_s64(-i64::from(N)) })
    }
    #[inline(always)]
    fn shl_each(self, counts: Self) -> Self {
        let counted = counts.lt(Self::splat(self.1, 64)).0;
        // SAFETY: as above.
        self.shifted(unsafe { vreinterpretq_s64_u64(counts.0) }).and(counted)
    }
    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        let counted = counts.lt(Self::splat(self.1, 64)).0;
        // SAFETY: as above.
        self.shifted(unsafe { vnegq_s64(vreinterpretq_s64_u64(counts.0)) }).and(counted)
    }

    #[inline(always)]
    fn eq(self, y: Self) -> LaneMask<T> {
        // SAFETY: as above.
        LaneMask(self.with(unsafe { vceqq_u64(self.0, y.0) }))
    }
    #[inline(always)]
    fn lt(self, y: Self) -> LaneMask<T> {
        // SAFETY: as above.
        LaneMask(self.with(unsafe { vcltq_u64(self.0, y.0) }))
    }
    #[inline(always)]
    fn sign(self) -> LaneMask<T> {
        // SAFETY: as above.
        LaneMask(self.with(unsafe { vcltzq_s64(vreinterpretq_s64_u64(self.0)) }))
    }
    #[inline(always)]
    fn blend(mask: LaneMask<T>, yes: Self, no: Self) -> Self {
        mask.0.select(yes, no)
    }
}
