//! Suite 1, Rice coding (Rice, Plaunt 1971) of sign and magnitude in two planes.
//!
//! With k = floor(log2 sigma): the first plane holds, for every coefficient in turn, the low k bits
//! of |z| and then the sign bit; the second holds |z| >> k in unary, as that many ones and a zero.
//! Each plane is padded with zero bits to whole bytes. A Gaussian costs 0.13 to 0.15 bit more than
//! its entropy. (Zigzag instead of sign and magnitude would cost 0.28 bit.)

use super::bits::{BitReader, BitWriter};
use crate::error::Reason;

/// Ones in the unary part, at most: |z| <= 14 sigma and 2^k > sigma / 2.
const MOST_ONES: u32 = 28;

/// The largest magnitude with that many ones.
pub(super) fn largest(sigma: u64) -> u64 {
    (u64::from(MOST_ONES + 1) << sigma.ilog2()) - 1
}

/// Bytes of the longest encoding: every unary part at its longest.
pub(super) const fn most_bytes(count: u64, sigma: u64) -> u64 {
    let low = (count * (sigma.ilog2() as u64 + 1)).div_ceil(8);
    low + (count * (MOST_ONES as u64 + 1)).div_ceil(8)
}

pub(super) fn encode(z: &[i64], sigma: u64) -> Vec<u8> {
    let k = sigma.ilog2();
    let mut low = BitWriter::with_capacity(low_plane_bytes(z.len(), k));
    let mut high = BitWriter::with_capacity(z.len() / 2);
    for &z in z {
        let magnitude = z.unsigned_abs();
        let sign = u64::from(z < 0);
        low.put(magnitude & ((1 << k) - 1) | sign << k, k + 1);
        let ones = (magnitude >> k) as u32;
        high.put((1 << ones) - 1, ones + 1);
    }
    let mut bytes = low.finish();
    bytes.extend(high.finish());
    bytes
}

pub(super) fn decode(bytes: &[u8], sigma: u64, z: &mut [i64]) -> Result<(), Reason> {
    let k = sigma.ilog2();
    let split = low_plane_bytes(z.len(), k);
    if bytes.len() < split {
        return Err(Reason::Encoding);
    }
    let (low, high) = bytes.split_at(split);
    let (mut low, mut high) = (BitReader::new(low), BitReader::new(high));
    let mut bad = false;
    for z in z.iter_mut() {
        let ones = high.peek().trailing_ones();
        // 57 bits are visible.
        bad |= ones > MOST_ONES;
        let ones = ones.min(MOST_ONES);
        high.skip(ones + 1);
        let field = low.take(k + 1);
        let sign = field >> k;
        let magnitude = u64::from(ones) << k | field & ((1 << k) - 1);
        bad |= sign == 1 && magnitude == 0;
        *z = (magnitude as i64 ^ -(sign as i64)) + sign as i64;
    }
    if bad || !low.ends_cleanly() || !high.ends_cleanly() {
        return Err(Reason::Encoding);
    }
    Ok(())
}

fn low_plane_bytes(count: usize, k: u32) -> usize {
    (count * (k as usize + 1)).div_ceil(8)
}
