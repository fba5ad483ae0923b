//! Range asymmetric numeral systems for the high part of |z|, plain bits for the rest.
//!
//! With k = max(0, floor(log2 sigma) - 3), the symbol is |z| >> k: the Gaussian is nearly constant
//! over the 2^k <= sigma / 8 values that share one, so the low k bits and the sign are stored as
//! they are. Layout: the plane of low bits and signs, padded to whole bytes; then the symbols by
//! `ans`.

use alloc::vec;
use alloc::vec::Vec;

use super::ans::Symbols;
use super::low_plane;
use crate::error::{Fault, Reason};
use crate::words::Word as _;
use tautochrone_gauss::fixed::{LOG2_E_LESS_1, exp2_neg};

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
