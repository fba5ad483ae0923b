//! The encoding of Z: canonical, that is, decoding accepts exactly the bytes that encoding
//! produces.
//!
//! With k = max(0, floor(log2 sigma) - 3), the symbol of a coefficient is |z| >> k: the Gaussian is
//! nearly constant over the 2^k <= sigma / 8 values that share one, so the low k bits and the sign
//! are stored as they are. Layout: the plane of low bits and signs, padded to whole bytes; then the
//! symbols by `ans`.
#![expect(clippy::integer_division_remainder_used, reason = "what is encoded is published")]

mod ans;
pub(crate) mod bits;
pub mod hints;
mod low_plane;
#[cfg(test)]
mod refusals;

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_gauss::fixed::{LOG2_E_LESS_1, exp2_neg};
use tautochrone_gauss::float;

use crate::error::{Fault, Reason};
use crate::words::Word as _;
use ans::Symbols;
pub use bits::is_padded;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;

/// Expected bits of a coefficient: .01 above the entropy of a Gaussian of this sigma, which is
/// log2(sigma sqrt(2 pi e)).
pub fn expected_bits(sigma: u64) -> f64 {
    use core::f64::consts::{E, PI};
    float::log2(sigma as f64 * (2.0 * PI * E).sqrt()) + 0.01
}

/// Bits of |z| below its symbol.
const fn low_bits(sigma: u64) -> u32 {
    sigma.ilog2().saturating_sub(3)
}

/// Symbols of the magnitudes up to 14 sigma: at most 14 * 16 + 1 = 225.
fn count(sigma: u64) -> u64 {
    (14 * sigma >> low_bits(sigma)) + 1
}

/// Bytes of the longest encoding of `count` coefficients, which [`largest`] alone reaches.
pub const fn most_bytes(count: u64, sigma: u64) -> u64 {
    (count * (low_bits(sigma) as u64 + 1)).div_ceil(8) + Symbols::most_bytes(count)
}

/// The largest absolute value that can be encoded, which belongs to the last symbol: at least 14
/// sigma, which verifiers check, and less than 2^37.
pub fn largest(sigma: u64) -> u64 {
    (count(sigma) << low_bits(sigma)) - 1
}

/// The symbols of one sigma.
fn symbols(sigma: u64) -> Symbols {
    let k = low_bits(sigma);
    // exp(-((s + 1/2) 2^k)^2 / (2 sigma^2)) = 2^-((2 s + 1)^2 g), g = 2^(2 k) log2(e) / (8 sigma^2)
    // in 2^-64.
    let log2_e = 1 << 64 | LOG2_E_LESS_1 >> 64;
    let g = (log2_e << (2 * k)) / (8 * u128::from(sigma) * u128::from(sigma));
    let weights: Vec<u128> = (0..count(sigma))
        .map(|s| {
            let exponent = u128::from((2 * s + 1) * (2 * s + 1)) * g;
            let whole = exponent >> 64;
            // Weights of 64 bits, so that 2^16 times their sum fits.
            if whole < 64 { exp2_neg(exponent << 64) >> 64 >> whole } else { 0 }
        })
        .collect();
    Symbols::of_weights(&weights, 0)
}

/// Encodes coefficients, each at most [`largest`] in absolute value.
pub fn encode(z: &[i64], sigma: u64) -> Vec<u8> {
    debug_assert!(
        z.iter().all(|z| z.unsigned_abs() <= largest(sigma)),
        "entries are bounded where a proof is made or read"
    );
    let k = low_bits(sigma);
    let low = z.iter().map(|z| z.unsigned_abs() & ((1 << k) - 1) | u64::from(*z < 0) << k);
    let mut bytes = u64::pack(&low.collect::<Vec<_>>(), z.len().max(1), k + 1);
    let high: Vec<u8> = z.iter().map(|z| (z.unsigned_abs() >> k) as u8).collect();
    symbols(sigma).encode(&high, &mut bytes);
    bytes
}

/// Decodes `count` coefficients, perhaps larger than any that is encoded. Allocates them, 8 bytes
/// each, only after `bytes` is seen to be long enough for so many.
///
/// # Errors
/// [`Reason::Content`].
pub fn decode(bytes: &[u8], sigma: u64, count: usize) -> Result<Vec<i64>, Reason> {
    let k = low_bits(sigma);
    // Low bits and sign, besides the words of the coders.
    if 8 * (bytes.len() as u128) < count as u128 * u128::from(k + 1) {
        return Err(Reason::Content(Fault::Encoding));
    }
    let (low, high) = bytes.split_at_checked(low_plane::bytes(count, k)).ok_or(Fault::Encoding)?;
    let mut parts = vec![0; count];
    symbols(sigma).decode(high, &mut parts)?;
    let mut z = vec![0; count];
    low_plane::join(low, k, &parts, &mut z)?;
    Ok(z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A coder takes the bytes that it makes of some values; of others none that are cut off or
    /// extended, and with bits flipped, or any at all, those alone that it makes of what it
    /// decodes.
    pub(super) fn is_canonical<T: PartialEq + core::fmt::Debug>(
        encode: impl Fn(&[T]) -> Vec<u8>,
        decode: impl Fn(&[u8], usize) -> Result<Vec<T>, Reason>,
        values: &[T],
        flips: &[prop::sample::Index],
        (hostile, count): (&[u8], usize),
    ) {
        let mut bytes = encode(values);
        assert_eq!(decode(&bytes, values.len()).unwrap(), values);
        let refused = Err(Reason::Content(Fault::Encoding));
        for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            assert_eq!(decode(&bytes[..cut], values.len()), refused);
        }
        assert_eq!(decode(&[&bytes[..], &[0]].concat(), values.len()), refused);
        for flip in flips {
            let bit = flip.index(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        for (bytes, count) in [(&bytes[..], values.len()), (&bytes, count), (hostile, count)] {
            if let Ok(others) = decode(bytes, count) {
                assert_eq!(encode(&others), bytes);
            }
        }
    }

    proptest! {
        #[test]
        fn only_canonical_bytes_decode(
            sigma in 2_u64..1 << 32,
            values in prop::collection::vec(-1.0_f64..=1.0, 0..300),
            exponent in prop::sample::select(vec![1, 5, 99]),
            flips in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
            hostile in prop::collection::vec(any::<u8>(), 0..400),
            count in 0_usize..200,
        ) {
            let entry = |x: &f64| (x.powi(exponent) * (14 * sigma) as f64) as i64;
            let z: Vec<i64> = values.iter().map(entry).collect();
            let (encode, decode) =
                (|z: &[i64]| encode(z, sigma), |bytes: &[u8], count| decode(bytes, sigma, count));
            is_canonical(encode, decode, &z, &flips, (&hostile, count));
        }
    }

    #[test]
    fn what_can_be_held_is_more_than_what_verifiers_accept() {
        for sigma in [2, 3, 4, 15, 16, 17, 1000, 640_000, (1 << 32) - 1] {
            let most = largest(sigma);
            assert!((14 * sigma..1 << 37).contains(&most), "{sigma}: {most}");
            let z = [most as i64, -(most as i64), 0];
            assert_eq!(decode(&encode(&z, sigma), sigma, 3).unwrap(), z);
        }
    }

    /// Answers of an independent implementation of docs/format.md, `tests/kat/encodings.py`, with
    /// the worked example there.
    #[test]
    fn known_answers() {
        let mut cases = 0;
        for line in include_str!("../tests/kat/encodings.txt").lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            let sigma: u64 = fields[0].parse().unwrap();
            let z: Vec<i64> = fields[1].split(',').map(|z| z.parse().unwrap()).collect();
            let bytes: Vec<u8> = (0..fields[2].len() / 2)
                .map(|i| u8::from_str_radix(&fields[2][2 * i..2 * i + 2], 16).unwrap())
                .collect();
            assert_eq!(encode(&z, sigma), bytes, "sigma = {sigma}");
            assert_eq!(decode(&bytes, sigma, z.len()).unwrap(), z);
            cases += 1;
        }
        assert_eq!(cases, 22);
    }
}
