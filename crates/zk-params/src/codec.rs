//! The encoding of Z: canonical, that is, decoding accepts exactly the bytes that encoding produces.
#![expect(clippy::integer_division_remainder_used, reason = "what is encoded is published")]

mod ans;
pub(crate) mod bits;
pub mod hints;
mod low_plane;
mod rans;
#[cfg(test)]
mod refusals;

use tautochrone_gauss::float;

pub use bits::is_padded;
pub use rans::{decode, encode, largest, most_bytes};
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;

/// Expected bits of a coefficient, for a Gaussian of this sigma: .01 above the entropy.
pub fn expected_bits(sigma: u64) -> f64 {
    gaussian_entropy(sigma) + 0.01
}

/// Bits of entropy of a Gaussian of this sigma: log2(sigma sqrt(2 pi e)).
fn gaussian_entropy(sigma: u64) -> f64 {
    use core::f64::consts::{E, PI};
    float::log2(sigma as f64 * (2.0 * PI * E).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Fault, Reason};
    use proptest::prelude::*;

    /// A coder takes the bytes that it makes of some values; of others none that are cut off or
    /// extended, and with bits flipped, or any at all, those alone that it makes of what it decodes.
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

    /// Answers of an independent implementation of docs/format.md, `tests/kat/encodings.py`.
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
        assert_eq!(cases, 21);
    }

    /// The example in docs/format.md.
    #[test]
    fn the_worked_example() {
        let z = [3, -6, 0, 1];
        let states = [0x0008_7427_u32, 0x000e_cfb1, 0x0006_0c16, 0x0006_3e8f];
        let all = states.into_iter().chain([1 << 16; 12]);
        let bytes: Vec<u8> = core::iter::once(0x02).chain(all.flat_map(u32::to_le_bytes)).collect();
        assert_eq!(encode(&z, 5), bytes);
        assert_eq!(decode(&bytes, 5, 4).unwrap(), z);
    }
}
