//! Suite 2: range asymmetric numeral systems for the high part of |z|, plain bits for the rest.
//!
//! With k = max(0, floor(log2 sigma) - 3), the symbol is |z| >> k: the Gaussian is nearly constant
//! over the 2^k <= sigma / 8 values that share one, so the low k bits and the sign are stored as
//! they are. Layout: the plane of low bits and signs, padded to whole bytes; then the symbols by
//! [`ans`](super::ans), with 4 coders in version 1 and 16 in version 2.

use alloc::vec;
use alloc::vec::Vec;

use super::ans::Symbols;
use super::bits::BitWriter;
use super::low_plane;
use crate::error::Reason;
use crate::suite::Version;
use tautochrone_gauss::fixed::{LOG2_E_LESS_1, exp2_neg};

/// Bits of |z| below its symbol.
const fn low_bits(sigma: u64) -> u32 {
    sigma.ilog2().saturating_sub(3)
}

/// Symbols of the magnitudes up to 14 sigma: at most 14 * 16 + 1 = 225.
fn count(sigma: u64) -> u64 {
    (14 * sigma >> low_bits(sigma)) + 1
}

/// Bytes of the longest encoding.
pub(super) const fn most_bytes(version: Version, count: u64, sigma: u64) -> u64 {
    let low = (count * (low_bits(sigma) as u64 + 1)).div_ceil(8);
    low + match version {
        Version::One => Symbols::most_bytes::<4>(count),
        Version::Two => Symbols::most_bytes::<16>(count),
    }
}

/// The largest magnitude of the last symbol.
pub(super) fn largest(sigma: u64) -> u64 {
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

pub(super) fn encode(version: Version, z: &[i64], sigma: u64) -> Vec<u8> {
    let k = low_bits(sigma);
    let mut low = BitWriter::with_capacity(low_plane::bytes(z.len(), k) + 2 * z.len());
    for &z in z {
        low.put(z.unsigned_abs() & ((1 << k) - 1) | u64::from(z < 0) << k, k + 1);
    }
    let mut bytes = low.finish();
    let high = z.iter().map(|z| (z.unsigned_abs() >> k) as u8);
    match version {
        Version::One => symbols(sigma).encode::<4>(high, &mut bytes),
        Version::Two => symbols(sigma).encode::<16>(high, &mut bytes),
    }
    bytes
}

pub(super) fn decode(
    version: Version,
    bytes: &[u8],
    sigma: u64,
    z: &mut [i64],
) -> Result<(), Reason> {
    let k = low_bits(sigma);
    let split = low_plane::bytes(z.len(), k);
    let (low, high) = bytes.split_at_checked(split).ok_or(Reason::Encoding)?;
    let mut parts = vec![0; z.len()];
    match version {
        Version::One => symbols(sigma).decode::<4>(high, &mut parts)?,
        Version::Two => symbols(sigma).decode::<16>(high, &mut parts)?,
    }
    low_plane::join(low, k, &parts, z)
}
