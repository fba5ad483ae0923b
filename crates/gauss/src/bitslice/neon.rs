//! Kernels of NEON intrinsics: byte look-ups by `tbl` and `tbx` of four registers, and lanes from
//! planes.
#![allow(unsafe_code)]

use core::arch::aarch64::*;

use tautochrone_simd::Neon;

use super::bytes::{ByteRow, Bytes};
use super::lanes::{BLOCK, Plane};
use super::raw::Raw;

/// Registers of 16 lanes that are looked up in the same registers of the table.
const WAYS: usize = 4;

#[inline(always)]
fn load(_: Neon, bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: the token proves NEON; the reference covers sixteen bytes.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

#[inline(always)]
fn store(_: Neon, bytes: &mut [u8; 16], x: uint8x16_t) {
    // SAFETY: as above.
    unsafe { vst1q_u8(bytes.as_mut_ptr(), x) }
}

/// Lanes from planes: two bytes of each plane spread to 16, tested, and shifted in.
pub(super) fn unpack(token: Neon, values: &[Plane], sign: &Plane, out: &mut [u8; BLOCK]) {
    // SAFETY: the token proves NEON.
    unsafe { unpack_lanes(token, values, sign, out) }
}

#[target_feature(enable = "neon")]
fn unpack_lanes(token: Neon, values: &[Plane], sign: &Plane, out: &mut [u8; BLOCK]) {
    let spread = load(token, &[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
    let bit = vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201));
    // All ones where the plane has its bit, in 16 lanes of the 128 that a register has.
    let lanes = |plane: uint8x16_t, part: u8| {
        vtstq_u8(vqtbl1q_u8(plane, vaddq_u8(spread, vdupq_n_u8(2 * part))), bit)
    };
    for (i, out) in out.as_chunks_mut::<16>().0.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let register = |plane: &Plane| load(token, &plane.as_chunks().0[i]);
        let mut x = [vdupq_n_u8(0); 8];
        for plane in values.iter().rev() {
            let plane = register(plane);
            for (part, x) in (0..).zip(&mut x) {
                // 2 x + bit.
                *x = vsliq_n_u8::<1>(lanes(plane, part), *x);
            }
        }
        let sign = register(sign);
        for ((part, x), out) in (0..).zip(x).zip(out) {
            store(token, out, vsliq_n_u8::<7>(x, lanes(sign, part)));
        }
    }
}

/// Look-ups of a block.
pub(super) fn bytes<R: Raw>(token: Neon, t: &Bytes, random: &[ByteRow], out: &mut [R; BLOCK]) {
    // SAFETY: the token proves NEON.
    unsafe { block(token, t, random, out) }
}

/// 64 lanes at a time. The bytes of an entry are looked up one after the other, for there are too
/// few registers for a whole one.
#[target_feature(enable = "neon")]
fn block<R: Raw>(token: Neon, t: &Bytes, random: &[ByteRow], out: &mut [R; BLOCK]) {
    let (index, threshold) = random.split_at(t.index_bytes);
    let (first, last) = (&index[0], &index[t.index_bytes - 1]);
    let [low_mask, high_mask, ..] = ((1_u32 << t.slot_bits) - 1).to_le_bytes();
    for (group, out) in out.as_chunks_mut::<{ 16 * WAYS }>().0.iter_mut().enumerate() {
        let row = |row: &ByteRow| -> [uint8x16_t; WAYS] {
            let row = &row.as_chunks::<16>().0.as_chunks::<WAYS>().0[group];
            [load(token, &row[0]), load(token, &row[1]), load(token, &row[2]), load(token, &row[3])]
        };
        let (mut low, top) = (row(first), row(last));
        // Up to 8 slot bits the mask is zero.
        let mut high = top;
        for (low, high) in low.iter_mut().zip(&mut high) {
            *low = vandq_u8(*low, vdupq_n_u8(low_mask));
            *high = vandq_u8(*high, vdupq_n_u8(high_mask));
        }
        let slots = Slots { low, high };
        let mut below = [vdupq_n_u8(0); WAYS];
        for (b, x) in threshold.iter().enumerate() {
            let (x, t) = (row(x), slots.look_up(token, t, b));
            for ((below, x), t) in below.iter_mut().zip(x).zip(t) {
                // x < t, or x = t and the lower bytes are below.
                *below = vbslq_u8(vceqq_u8(x, t), *below, vcltq_u8(x, t));
            }
        }
        let alias = slots.look_up(token, t, t.threshold_bytes);
        // With one byte of alias the high byte of a slot is zero.
        let high_alias = if t.alias_bytes == 2 {
            slots.look_up(token, t, t.threshold_bytes + 1)
        } else {
            slots.high
        };
        let mut bytes = [[[0; 16]; WAYS]; 2];
        for i in 0..WAYS {
            let z_low = vbslq_u8(below[i], low[i], alias[i]);
            let z_high = vbslq_u8(below[i], high[i], high_alias[i]);
            let sign = vandq_u8(top[i], vdupq_n_u8(0x80));
            if R::VALUE_BITS == 7 {
                store(token, &mut bytes[0][i], vorrq_u8(z_low, sign));
            } else {
                store(token, &mut bytes[0][i], z_low);
                store(token, &mut bytes[1][i], vorrq_u8(z_high, sign));
            }
        }
        let [low, high] = &bytes;
        let joined = low.as_flattened().iter().zip(high.as_flattened());
        for (out, (&low, &high)) in out.iter_mut().zip(joined) {
            *out = R::join(low, high);
        }
    }
}

/// The slots of 64 lanes.
struct Slots {
    low: [uint8x16_t; WAYS],
    high: [uint8x16_t; WAYS],
}

impl Slots {
    /// Byte `b` of their entries.
    #[target_feature(enable = "neon")]
    #[inline]
    fn look_up(&self, token: Neon, t: &Bytes, b: usize) -> [uint8x16_t; WAYS] {
        let mut found = [vdupq_n_u8(0); WAYS];
        let lines = t.lines[b..].iter().step_by(t.entry());
        for (line, first) in lines.zip((0_u16..).step_by(64)) {
            let [first_low, first_high] = first.to_le_bytes();
            let [a, b, c, d] = *line.0.as_chunks::<16>().0 else { continue };
            let table =
                uint8x16x4_t(load(token, &a), load(token, &b), load(token, &c), load(token, &d));
            for ((found, &low), &high) in found.iter_mut().zip(&self.low).zip(&self.high) {
                // Another 64 slots have an index above 63, for which nothing changes.
                let mut index = veorq_u8(low, vdupq_n_u8(first_low));
                if t.alias_bytes == 2 {
                    index = vornq_u8(index, vceqq_u8(high, vdupq_n_u8(first_high)));
                }
                *found = vqtbx4q_u8(*found, table, index);
            }
        }
        found
    }
}
