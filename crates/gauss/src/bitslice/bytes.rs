//! The byte-sliced form: slot, threshold and alias looked up byte by byte, 16 to 64 lanes an
//! instruction.
//!
//! Random bytes of a block, in order: slot bytes (one or two for each lane, the sign bit on top of
//! the last), then threshold bytes from the least significant. No generation, no unpacking, and
//! every table entry is read for every sample: no secret address.

use alloc::vec::Vec;

use super::alias::AliasTable;
use super::lanes::BLOCK;
use super::raw::Raw;

/// A byte of each of 64 consecutive slots.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Line(pub(super) [u8; 64]);

/// One random byte of each lane of a block.
pub(super) type ByteRow = [u8; BLOCK];

/// Bytes of a table entry at most: 16 of threshold, two of alias.
pub(super) const MAX_ENTRY: usize = 18;

/// An alias table (identity primaries) cut into lines of bytes.
#[derive(Clone, Debug)]
#[expect(clippy::struct_field_names, reason = "the unit")]
pub(super) struct Bytes {
    pub(super) slot_bits: u32,
    /// Bytes of a slot index and sign.
    pub(super) index_bytes: usize,
    pub(super) threshold_bytes: usize,
    /// Bytes of an alias.
    pub(super) alias_bytes: usize,
    /// For each 64 slots: threshold bytes, then alias bytes.
    pub(super) lines: Vec<Line>,
}

impl Bytes {
    /// Slot bits for a distribution of `n` values, and precision that whole threshold bytes give:
    /// at least `precision`.
    pub(super) fn shape(n: usize, precision: u32) -> (u32, u32) {
        let slot_bits = n.next_power_of_two().ilog2().max(6);
        (slot_bits, slot_bits + (precision.saturating_sub(slot_bits)).next_multiple_of(8))
    }

    pub(super) fn new(table: &AliasTable, signed: bool) -> Self {
        let slot_bits = table.slot_bits();
        let index_bytes = (slot_bits + u32::from(signed)).div_ceil(8) as usize;
        let threshold_bytes = table.threshold_bits().div_ceil(8) as usize;
        let alias_bytes = slot_bits.div_ceil(8) as usize;
        // Whole bytes of r may hold more bits than the threshold (at P = 128): the surplus are low
        // bits, which do not decide.
        let surplus = 8 * threshold_bytes as u32 - table.threshold_bits();
        let mut lines = Vec::new();
        for slots in table.slots().chunks(64) {
            for b in 0..threshold_bytes + alias_bytes {
                let mut line = Line([0; 64]);
                for (byte, slot) in line.0.iter_mut().zip(slots) {
                    *byte = match b.checked_sub(threshold_bytes) {
                        None => (slot.threshold << surplus).to_le_bytes()[b],
                        Some(b) => slot.alias.to_le_bytes()[b],
                    };
                }
                lines.push(line);
            }
        }
        Self { slot_bits, index_bytes, threshold_bytes, alias_bytes, lines }
    }

    /// Rows of random bytes that a block consumes.
    pub(super) fn rows(&self) -> usize {
        self.index_bytes + self.threshold_bytes
    }

    /// Bytes of a table entry.
    pub(super) fn entry(&self) -> usize {
        self.threshold_bytes + self.alias_bytes
    }
}

/// The definition: every slot is compared with every lane. Plain byte loops, which compilers
/// vectorise.
pub(super) fn block_portable<R: Raw>(t: &Bytes, random: &[ByteRow], out: &mut [R; BLOCK]) {
    const LANES: usize = 64;
    let (index, threshold) = random.split_at(t.index_bytes);
    let top = (1_u32 << t.slot_bits) - 1;
    let [low_mask, high_mask, ..] = top.to_le_bytes();
    for (group, out) in out.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let at = LANES * group;
        let low: [u8; LANES] = core::array::from_fn(|l| index[0][at + l] & low_mask);
        let raw_high: [u8; LANES] = core::array::from_fn(|l| index[t.index_bytes - 1][at + l]);
        let high: [u8; LANES] =
            core::array::from_fn(|l| if t.slot_bits > 8 { raw_high[l] & high_mask } else { 0 });
        let mut entry = [[0_u8; LANES]; MAX_ENTRY];
        for (lines, first) in t.lines.chunks_exact(t.entry()).zip((0_u16..).step_by(64)) {
            for j in 0..64 {
                let [slot_low, slot_high] = (first + j as u16).to_le_bytes();
                let hit: [u8; LANES] = core::array::from_fn(|l| {
                    0_u8.wrapping_sub(u8::from((low[l] ^ slot_low) | (high[l] ^ slot_high) == 0))
                });
                for (entry, line) in entry.iter_mut().zip(lines) {
                    for (e, h) in entry.iter_mut().zip(&hit) {
                        *e |= h & line.0[j];
                    }
                }
            }
        }
        let mut below = [0_u8; LANES];
        for (row, entry) in threshold.iter().zip(&entry) {
            for l in 0..LANES {
                let (x, t) = (row[at + l], entry[l]);
                below[l] = u8::from(x < t) | u8::from(x == t) & below[l];
            }
        }
        let alias = &entry[t.threshold_bytes..];
        for l in 0..LANES {
            let primary = 0_u8.wrapping_sub(below[l]);
            let select = |p: u8, a: u8| a ^ (a ^ p) & primary;
            let z_low = select(low[l], alias[0][l]);
            let z_high = if t.alias_bytes > 1 { select(high[l], alias[1][l]) } else { 0 };
            let sign = raw_high[l] & 0x80;
            out[l] = if R::VALUE_BITS == 7 {
                R::join(z_low | sign, 0)
            } else {
                R::join(z_low, z_high | sign)
            };
        }
    }
}

/// `$block::<R, THRESHOLD, ENTRY>` of the arguments: compiled for every number of threshold bytes
/// (3 to 16) and of alias bytes, so that an entry stays in registers. Narrow lanes have one of
/// alias.
#[cfg(target_arch = "x86_64")]
macro_rules! every_width {
    ($block:ident, $r:ty, $t:expr, $arguments:tt) => {
        if const { <$r>::VALUE_BITS < 8 } || $t.alias_bytes == 1 {
            every_width!(@ $block, $r, $t, $arguments, 1: 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
        } else {
            every_width!(@ $block, $r, $t, $arguments, 2: 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
        }
    };
    (
        @ $block:ident, $r:ty, $t:expr, $arguments:tt, $alias:literal: $($threshold:literal)*
    ) => {
        match $t.threshold_bytes {
            $($threshold => $block::<$r, $threshold, { $threshold + $alias }> $arguments,)*
            bytes => unreachable!("threshold of {bytes} bytes"),
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use every_width;
