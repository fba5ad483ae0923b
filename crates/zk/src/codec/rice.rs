//! Suite 1, Rice coding (Rice, Plaunt 1971) of sign and magnitude in two planes.
//!
//! With k = floor(log2 sigma): the first plane holds, for every coefficient in turn, the low k bits
//! of |z| and then the sign bit; the second holds |z| >> k in unary, as that many ones and a zero.
//! Each plane is padded with zero bits to whole bytes. A Gaussian costs 0.13 to 0.15 bit more than
//! its entropy. (Zigzag instead of sign and magnitude would cost 0.28 bit.)

use alloc::vec::Vec;

use tautochrone_simd::{Isa, Token};

use super::bits::{BitWriter, read_unary};
use super::low_plane;
use crate::error::Reason;

/// Ones in the unary part, at most: |z| <= 14 sigma and 2^k > sigma / 2.
const MAX_ONES: u32 = 28;

/// The largest magnitude with that many ones.
pub(super) fn largest(sigma: u64) -> u64 {
    (u64::from(MAX_ONES + 1) << sigma.ilog2()) - 1
}

/// Bytes of the longest encoding: every unary part at its longest.
pub(super) const fn most_bytes(count: u64, sigma: u64) -> u64 {
    let low = (count * (sigma.ilog2() as u64 + 1)).div_ceil(8);
    low + (count * (MAX_ONES as u64 + 1)).div_ceil(8)
}

pub(super) fn encode(z: &[i64], sigma: u64) -> Vec<u8> {
    match Isa::detect_vectors().avx2() {
        Some(token) => token.vectorize(
            #[inline(always)]
            || encode_any(z, sigma),
        ),
        None => encode_any(z, sigma),
    }
}

pub(super) fn decode(bytes: &[u8], sigma: u64, z: &mut [i64]) -> Result<(), Reason> {
    match Isa::detect_vectors().avx2() {
        Some(token) => token.vectorize(
            #[inline(always)]
            || decode_any(bytes, sigma, z),
        ),
        None => decode_any(bytes, sigma, z),
    }
}

/// Four coefficients at a time, so that a plane's writer sees as few and as long fields as fit it.
#[inline(always)]
fn encode_any(z: &[i64], sigma: u64) -> Vec<u8> {
    let k = sigma.ilog2();
    let width = k + 1;
    let field = |z: i64| z.unsigned_abs() & ((1 << k) - 1) | u64::from(z < 0) << k;
    let ones = |z: i64| (z.unsigned_abs() >> k) as u32;
    let mut low = BitWriter::with_capacity(low_plane::bytes(z.len(), k) + z.len() / 2);
    let mut high = BitWriter::with_capacity(z.len() / 2);
    let (fours, rest) = z.as_chunks();
    for &[a, b, c, d] in fours {
        for [a, b] in [[a, b], [c, d]] {
            if 2 * width <= 63 {
                low.put(field(a) | field(b) << width, 2 * width);
            } else {
                low.put(field(a), width);
                low.put(field(b), width);
            }
        }
        let first = ones(a);
        let second = first + 1 + ones(b);
        let third = second + 1 + ones(c);
        let fourth = third + 1 + ones(d);
        if fourth < 63 {
            // Ones but where a number ends.
            let ends = 1 << first | 1 << second | 1 << third;
            high.put(((1 << fourth) - 1) & !ends, fourth + 1);
        } else {
            for z in [a, b, c, d] {
                high.put((1 << ones(z)) - 1, ones(z) + 1);
            }
        }
    }
    for &z in rest {
        low.put(field(z), width);
        high.put((1 << ones(z)) - 1, ones(z) + 1);
    }
    let mut bytes = low.finish();
    bytes.extend(high.finish());
    bytes
}

#[inline(always)]
fn decode_any(bytes: &[u8], sigma: u64, z: &mut [i64]) -> Result<(), Reason> {
    let k = sigma.ilog2();
    let split = low_plane::bytes(z.len(), k);
    let (low, high) = bytes.split_at_checked(split).ok_or(Reason::Encoding)?;
    let unary = read_unary(high, z.len()).ok_or(Reason::Encoding)?;
    if unary.iter().any(|&ones| u32::from(ones) > MAX_ONES) {
        return Err(Reason::Encoding);
    }
    low_plane::join_any(low, k, &unary, z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// On every instruction set, and for every number of coefficients in the last group.
        #[test]
        fn tiers_agree(
            bits in 1_u32..32,
            z in prop::collection::vec((-(1_i64 << 36)..1 << 36, 0_u32..36), 0..40),
            flips in prop::collection::vec(any::<prop::sample::Index>(), 0..2),
        ) {
            let sigma = 3 << (bits - 1);
            let z: Vec<i64> =
                z.iter().map(|(z, shift)| (z >> shift) % (largest(sigma) + 1) as i64).collect();
            let mut bytes = encode_any(&z, sigma);
            prop_assert_eq!(&encode(&z, sigma), &bytes);
            for flip in flips {
                if !bytes.is_empty() {
                    let bit = flip.index(8 * bytes.len());
                    bytes[bit / 8] ^= 1 << (bit % 8);
                }
            }
            let (mut a, mut b) = (vec![0; z.len()], vec![0; z.len()]);
            let results = (decode_any(&bytes, sigma, &mut a), decode(&bytes, sigma, &mut b));
            prop_assert_eq!(&results.0, &results.1);
            if results.0.is_ok() {
                prop_assert_eq!(a, b);
            }
        }
    }
}
