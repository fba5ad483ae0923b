//! [`LookUp`] on NEON: tables of bytes, at the places of the bytes of an entry.
#![allow(unsafe_code)]

use core::arch::aarch64::*;

use super::super::intrinsics::expressions;
use super::super::{LookUp, Vector};
use super::U64x2;
use crate::proof::HasNeon;

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
fn table<T: HasNeon, const N: usize>(token: T, words: [u64; N]) -> [uint8x16x4_t; 2] {
    const { assert!(N == 16) };
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
        table(token, core::array::from_fn::<u64, 16, _>(word))
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
