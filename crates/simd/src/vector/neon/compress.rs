//! [`Compress`] on NEON: of two lanes, only the second alone has to move.
#![allow(unsafe_code)]

use core::arch::aarch64::*;

use super::super::{Compress, Vector};
use super::U64x2;
use crate::proof::HasNeon;

/// The lane that comes first in row `lanes mod 4`: the second one if only its bit is set.
const FIRST: [u64; 4] = [0, 0, u64::MAX, 0];

/// The lanes whose bits are set in `lanes`, in order, and others behind them.
#[inline(always)]
fn compress<T: HasNeon>(x: U64x2<T>, lanes: u32) -> U64x2<T> {
    let second = U64x2::splat(x.token(), FIRST[lanes as usize & 3]);
    // SAFETY: the register's token proves NEON.
    second.select(x.with(unsafe { vdupq_laneq_u64::<1>(x.raw()) }), x)
}

impl<T: HasNeon> Compress for U64x2<T> {
    #[inline(always)]
    fn compress_store(self, lanes: u32, words: &mut [u64]) {
        compress(self, lanes).store(words);
    }

    #[inline(always)]
    fn compress_store_32(self, lanes: u32, halves: &mut [u32]) {
        let halves = &mut halves[..2];
        // SAFETY: the register's token proves NEON; the slice covers eight bytes.
        unsafe { vst1_u32(halves.as_mut_ptr(), vmovn_u64(compress(self, lanes).raw())) }
    }
}
