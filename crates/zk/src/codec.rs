//! Encodings of Z: canonical, that is, decoding accepts exactly the bytes that encoding produces.
#![expect(clippy::integer_division_remainder_used, reason = "what is encoded is published")]

mod ans;
pub(crate) mod bits;
pub(crate) mod hints;
mod low_plane;
mod rans;
#[cfg(test)]
mod refusals;
mod rice;

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_gauss::float;

use crate::error::Reason;
use crate::suite::{Encoding, Version};
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;

/// An encoding suite, and the version that it is used in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Suite {
    pub(crate) encoding: Encoding,
    pub(crate) version: Version,
}

/// Expected bits a coefficient above the entropy log2(sigma sqrt(2 pi e)), for a Gaussian of this
/// sigma.
pub(crate) fn overhead_bits(encoding: Encoding, sigma: u64) -> f64 {
    let entropy = gaussian_entropy(sigma);
    match encoding {
        Encoding::Rice => {
            // k + 1 low bits, one bit to end the unary part, and E floor(|z| / 2^k) ones in it.
            let k = sigma.ilog2();
            let t = (1_u64 << k) as f64 / sigma as f64;
            // E floor(|z| / 2^k) = sum over j >= 1 of P(|z| >= j 2^k), integrated numerically.
            let ones: f64 = (1..=28).map(|j| upper_tail(f64::from(j) * t)).sum();
            f64::from(k) + 2.0 + ones - entropy
        }
        Encoding::Rans => 0.01,
    }
}

/// Bits of entropy of a Gaussian of this sigma: log2(sigma sqrt(2 pi e)).
pub(crate) fn gaussian_entropy(sigma: u64) -> f64 {
    use core::f64::consts::{E, PI};
    float::log2(sigma as f64 * (2.0 * PI * E).sqrt())
}

/// P(|x| >= t) for a standard normal x, by Simpson's rule; for size estimates only.
fn upper_tail(t: f64) -> f64 {
    let (steps, end) = (400, 14.0_f64);
    if t >= end {
        return 0.0;
    }
    let h = (end - t) / f64::from(steps);
    let density = |x: f64| float::exp_neg(x * x / 2.0);
    let sum: f64 = (0..=steps)
        .map(|i| {
            let weight = if i == 0 || i == steps {
                1.0
            } else if i % 2 == 1 {
                4.0
            } else {
                2.0
            };
            weight * density(t + f64::from(i) * h)
        })
        .sum();
    2.0 * sum * h / 3.0 / (2.0 * core::f64::consts::PI).sqrt()
}

/// The largest absolute value that an encoding can hold: at least 14 sigma, which verifiers check,
/// and less than 2^37.
pub(crate) fn largest(encoding: Encoding, sigma: u64) -> u64 {
    match encoding {
        Encoding::Rice => rice::largest(sigma),
        Encoding::Rans => rans::largest(sigma),
    }
}

/// Bytes of the longest encoding of `count` coefficients, which that of [`largest`] alone reaches.
pub(crate) const fn most_bytes(suite: Suite, count: u64, sigma: u64) -> u64 {
    match suite.encoding {
        Encoding::Rice => rice::most_bytes(count, sigma),
        Encoding::Rans => rans::most_bytes(suite.version, count, sigma),
    }
}

/// Encodes coefficients, each at most [`largest`] in absolute value.
pub(crate) fn encode(suite: Suite, z: &[i64], sigma: u64) -> Vec<u8> {
    debug_assert!(
        z.iter().all(|z| z.unsigned_abs() <= largest(suite.encoding, sigma)),
        "entries are bounded where a proof is made or read"
    );
    match suite.encoding {
        Encoding::Rice => rice::encode(z, sigma),
        Encoding::Rans => rans::encode(suite.version, z, sigma),
    }
}

/// Decodes `count` coefficients, perhaps larger than any that is encoded. Allocates them, 8 bytes
/// each, only after `bytes` is seen to be long enough for so many.
pub(crate) fn decode(
    suite: Suite,
    bytes: &[u8],
    sigma: u64,
    count: usize,
) -> Result<Vec<i64>, Reason> {
    // Low bits, sign and, in unary, at least the final zero; or low bits and sign, besides the
    // words of the coders.
    let k = u128::from(sigma.ilog2());
    let least = match suite.encoding {
        Encoding::Rice => k + 2,
        Encoding::Rans => k.saturating_sub(3) + 1,
    };
    if 8 * (bytes.len() as u128) < count as u128 * least {
        return Err(Reason::Encoding);
    }
    let mut z = vec![0; count];
    match suite.encoding {
        Encoding::Rice => rice::decode(bytes, sigma, &mut z)?,
        Encoding::Rans => rans::decode(suite.version, bytes, sigma, &mut z)?,
    }
    Ok(z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn suite(encoding: Encoding, version: Version) -> Suite {
        Suite { encoding, version }
    }

    /// Rice coding is the same in both versions.
    const SUITES: [Suite; 3] = [
        suite(Encoding::Rice, Version::One),
        suite(Encoding::Rans, Version::One),
        suite(Encoding::Rans, Version::Two),
    ];

    /// A crude Gaussian from the sum of twelve uniforms: good enough for sizes.
    fn gaussian_like(sigma: u64, count: usize, mut state: u64) -> Vec<i64> {
        let mut uniform = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / 2.0_f64.powi(53)
        };
        (0..count)
            .map(|_| {
                (((0..12).map(|_| uniform()).sum::<f64>() - 6.0) * sigma as f64).round() as i64
            })
            .collect()
    }

    proptest! {
        #[test]
        fn round_trip(sigma in 2_u64..1 << 32, values in prop::collection::vec(-1.0_f64..=1.0, 0..300), spike: bool) {
            let z: Vec<i64> = values
                .iter()
                .map(|x| (x.powi(if spike { 1 } else { 5 }) * (14 * sigma) as f64) as i64)
                .collect();
            for suite in SUITES {
                let bytes = encode(suite, &z, sigma);
                prop_assert_eq!(&decode(suite, &bytes, sigma, z.len()).unwrap(), &z);
            }
        }

        #[test]
        fn only_canonical_bytes_decode(
            sigma_bits in 2_u32..32,
            seed: u64,
            count in 1_usize..60,
            flips in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
        ) {
            let sigma = 1 << sigma_bits;
            let z = gaussian_like(sigma, count, seed);
            for suite in SUITES {
                let mut bytes = encode(suite, &z, sigma);
                for flip in &flips {
                    let bit = flip.index(bytes.len() * 8);
                    bytes[bit / 8] ^= 1 << (bit % 8);
                }
                if let Ok(other) = decode(suite, &bytes, sigma, count) {
                    prop_assert_eq!(encode(suite, &other, sigma), bytes);
                }
            }
        }

        #[test]
        fn hostile_bytes_do_not_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..400),
            sigma in 2_u64..1 << 32,
            count in 0_usize..200,
        ) {
            for suite in SUITES {
                if let Ok(z) = decode(suite, &bytes, sigma, count) {
                    prop_assert_eq!(encode(suite, &z, sigma), bytes.clone());
                }
            }
        }
    }

    #[test]
    fn what_can_be_held_is_more_than_what_verifiers_accept() {
        for sigma in [2, 3, 4, 15, 16, 17, 1000, 640_000, (1 << 32) - 1] {
            for suite in SUITES {
                let most = largest(suite.encoding, sigma);
                assert!((14 * sigma..1 << 37).contains(&most), "{suite:?}, {sigma}: {most}");
                let z = [most as i64, -(most as i64), 0];
                assert_eq!(decode(suite, &encode(suite, &z, sigma), sigma, 3).unwrap(), z);
            }
        }
    }

    #[test]
    fn truncated_and_extended_bytes_are_refused() {
        let z = gaussian_like(1000, 500, 7);
        for suite in SUITES {
            let bytes = encode(suite, &z, 1000);
            for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
                assert_eq!(decode(suite, &bytes[..cut], 1000, z.len()), Err(Reason::Encoding));
            }
            let longer = [&bytes[..], &[0]].concat();
            assert_eq!(decode(suite, &longer, 1000, z.len()), Err(Reason::Encoding));
        }
    }

    #[test]
    fn sizes_are_as_estimated() {
        for sigma in [300, 640_000, 1 << 27] {
            let z = gaussian_like(sigma, 40_000, sigma);
            let bits = |suite: Suite| encode(suite, &z, sigma).len() as f64 * 8.0 / z.len() as f64;
            let overhead = |suite| bits(suite) - gaussian_entropy(sigma);
            let [rice, four, sixteen] = SUITES.map(overhead);
            assert!((rice - overhead_bits(Encoding::Rice, sigma)).abs() < 0.02, "Rice: {rice}");
            assert!(four < 0.03 && sixteen < 0.03, "rANS: {four}, {sixteen}");
        }
    }

    #[test]
    fn a_negative_zero_is_refused() {
        // Rice, sigma = 4, one coefficient: low plane = 00 and sign, high plane = 0.
        assert_eq!(decode(SUITES[0], &[0b000, 0], 4, 1), Ok(vec![0]));
        assert_eq!(decode(SUITES[0], &[0b100, 0], 4, 1), Err(Reason::Encoding));
        assert_eq!(decode(SUITES[0], &[0b101, 0], 4, 1), Ok(vec![-1]));
    }

    /// Answers of an independent implementation of docs/format.md, `tests/kat/encodings.py`.
    #[test]
    fn known_answers() {
        let mut cases = 0;
        for line in include_str!("../tests/kat/encodings.txt").lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            let suite = if fields[0] == "rice" { SUITES[0] } else { SUITES[1] };
            let sigma: u64 = fields[1].parse().unwrap();
            let z: Vec<i64> = fields[2].split(',').map(|z| z.parse().unwrap()).collect();
            let bytes: Vec<u8> = (0..fields[3].len() / 2)
                .map(|i| u8::from_str_radix(&fields[3][2 * i..2 * i + 2], 16).unwrap())
                .collect();
            assert_eq!(encode(suite, &z, sigma), bytes, "{suite:?}, sigma = {sigma}");
            assert_eq!(decode(suite, &bytes, sigma, z.len()).unwrap(), z);
            cases += 1;
        }
        assert_eq!(cases, 42);
    }

    /// The example in docs/format.md.
    #[test]
    fn the_worked_example() {
        let z = [3, -6, 0, 1];
        assert_eq!(encode(SUITES[0], &z, 5), [0x33, 0x02, 0x02]);
        assert_eq!(decode(SUITES[0], &[0x33, 0x02, 0x02], 5, 4).unwrap(), z);
    }
}
