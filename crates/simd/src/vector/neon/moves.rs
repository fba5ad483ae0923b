//! [`Compress`], [`Gather`] and [`LookUp`] on NEON.
#![allow(unsafe_code)]

use core::arch::aarch64::*;

use super::super::intrinsics::expressions;
use super::super::{Compress, Gather, LookUp, Vector};
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

/// The first and the second words of two registers.
#[inline(always)]
fn unzip<T: HasNeon>(x: U64x2<T>, y: U64x2<T>) -> (U64x2<T>, U64x2<T>) {
    // SAFETY: the register's token proves NEON.
    unsafe { (x.with(vuzp1q_u64(x.0, y.0)), x.with(vuzp2q_u64(x.0, y.0))) }
}

impl<T: HasNeon> Gather for U64x2<T> {
    #[inline(always)]
    fn unzip(self, y: Self) -> (Self, Self) {
        unzip(self, y)
    }

    #[inline(always)]
    unsafe fn gather_rows(self, rows: &[[u64; 2]]) -> (Self, Self) {
        // SAFETY: the register's token proves NEON.
        let indices = unsafe { [vgetq_lane_u64::<0>(self.0), vgetq_lane_u64::<1>(self.0)] };
        // SAFETY: the caller promises indices of rows, of two words each.
        let row = |index: u64| unsafe { vld1q_u64(rows.as_ptr().add(index as usize).cast()) };
        unzip(self.with(row(indices[0])), self.with(row(indices[1])))
    }
}

/// The bytes at `places`, which are below 128, of a table of 128 bytes. An index outside of four
/// registers gives zero in one instruction, and leaves what there was in the other.
#[inline(always)]
fn look_up<T: HasNeon>(places: U64x2<T>, [low, high]: &[uint8x16x4_t; 2]) -> U64x2<T> {
    // SAFETY: the register's token proves NEON.
    places.with(unsafe {
        let places = vreinterpretq_u8_u64(places.0);
        let found = vqtbl4q_u8(*low, places);
        vreinterpretq_u64_u8(vqtbx4q_u8(found, *high, vsubq_u8(places, vdupq_n_u8(64))))
    })
}

/// 128 bytes in registers.
#[inline(always)]
fn table<T: HasNeon>(token: T, words: [u64; 16]) -> [uint8x16x4_t; 2] {
    // SAFETY: the token proves NEON.
    let register =
        |i: usize| unsafe { vreinterpretq_u8_u64(U64x2::load(token, &words[2 * i..]).0) };
    [
        uint8x16x4_t(register(0), register(1), register(2), register(3)),
        uint8x16x4_t(register(4), register(5), register(6), register(7)),
    ]
}

impl<T: HasNeon> LookUp for U64x2<T> {
    type Table = [uint8x16x4_t; 2];

    #[inline(always)]
    fn table_32(token: T, entries: &[u32; 32]) -> Self::Table {
        let word = |i: usize| u64::from(entries[2 * i]) | u64::from(entries[2 * i + 1]) << 32;
        table(token, core::array::from_fn(word))
    }
    #[inline(always)]
    fn table_64(token: T, entries: &[u64; 16]) -> Self::Table {
        table(token, *entries)
    }
    #[inline(always)]
    fn look_up_32(self, table: &Self::Table) -> Self {
        let index = self.and(Self::splat(self.1, 31 << 32 | 31));
        // Four times the index in every byte of its lane, and the number of the byte.
        // SAFETY: the register's token proves NEON.
        let places = self.with(unsafe {
            vreinterpretq_u64_u32(vmlaq_u32(
                vdupq_n_u32(0x0302_0100),
                vreinterpretq_u32_u64(index.0),
                vdupq_n_u32(0x0404_0404),
            ))
        });
        look_up(places, table)
    }
    #[inline(always)]
    fn look_up_64(self, table: &Self::Table) -> Self {
        // The lowest byte of each lane, in every byte.
        let lowest = Self::load(self.1, &[0, 0x0808_0808_0808_0808]);
        let index = self.and(Self::splat(self.1, 15)).shl::<3>();
        // SAFETY: as above.
        let places = self.with(unsafe {
            vreinterpretq_u64_u8(vqtbl1q_u8(
                vreinterpretq_u8_u64(index.0),
                vreinterpretq_u8_u64(lowest.0),
            ))
        });
        look_up(places.or(Self::splat(self.1, 0x0706_0504_0302_0100)), table)
    }

    expressions! {
        low_halves(low, high) = vreinterpretq_u64_u32(vtrn1q_u32(
            vreinterpretq_u32_u64(low),
            vreinterpretq_u32_u64(high),
        ));
        high_halves(low, high) = vreinterpretq_u64_u32(vtrn2q_u32(
            vreinterpretq_u32_u64(low),
            vreinterpretq_u32_u64(high),
        ));
    }
}
