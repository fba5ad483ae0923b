//! The entropy coder of hints: integers in -20..=20, mostly 0, of a known variance.
//!
//! `ans` codes symbol h + 20, its frequency proportional to exp(-h^2 / (2 variance)),
//! computed in integers.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_gauss::fixed::{LOG2_E_LESS_1, exp2_neg};
use tautochrone_gauss::float;

use super::ans::{SCALE, Symbols};
use crate::error::{Fault, Reason};
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;

/// The largest absolute value of a hint.
pub const MAX_HINT: i8 = 20;
/// Values of a hint.
const SYMBOLS: usize = 2 * MAX_HINT as usize + 1;

/// Encodes hints, each at most [`MAX_HINT`] in absolute value, of variance `variance[0]` /
/// `variance[1]`.
pub fn encode(hints: &[i8], variance: [u128; 2]) -> Vec<u8> {
    debug_assert!(hints.iter().all(|h| h.unsigned_abs() <= MAX_HINT as u8), "hints are bounded");
    let mut bytes = Vec::with_capacity(hints.len() / 4);
    let values: Vec<u8> = hints.iter().map(|h| (h + MAX_HINT).cast_unsigned()).collect();
    symbols(variance).encode(&values, &mut bytes);
    bytes
}

/// Decodes `count` hints; `bytes` must be what [`encode`] makes of them. Allocates them, a byte
/// each, only after `bytes` is seen to be long enough for so many.
///
/// # Errors
/// [`Reason::Content`].
pub fn decode(bytes: &[u8], variance: [u128; 2], count: usize) -> Result<Vec<i8>, Reason> {
    // log2(16 / 13) bits each at least, as 2^d <= 4 sigma makes no hint likelier than .82.
    if 32 * (bytes.len() as u128) < count as u128 {
        return Err(Reason::Content(Fault::Encoding));
    }
    let mut values = vec![0; count];
    symbols(variance).decode(bytes, &mut values)?;
    Ok(values.into_iter().map(|value| value.cast_signed() - MAX_HINT).collect())
}

/// Bytes of the longest encoding.
pub const fn most_bytes(count: u64) -> u64 {
    Symbols::most_bytes(count)
}

/// Expected bits of a hint.
pub fn expected_bits(variance: [u128; 2]) -> f64 {
    let spread = (variance[0] as f64 / variance[1] as f64 - 1.0 / 6.0).sqrt();
    let mut bits = 0.0;
    for (h, frequency) in (-MAX_HINT..).zip(symbols(variance).frequencies()) {
        let cost = f64::from(SCALE) - float::log2(frequency.into());
        bits += probability(f64::from(h), spread) * cost;
    }
    bits
}

/// The probability that round(a + u) - round(a) is h for a uniform modulo 1 and a normal u of this
/// standard deviation: the integral of the tent of width 1 around h under the density of u.
fn probability(h: f64, spread: f64) -> f64 {
    const STEPS: i32 = 200;
    let density = |x: f64| {
        let scaled = x / spread;
        if scaled.abs() > 14.0 {
            return 0.0;
        }
        float::exp_neg(scaled * scaled / 2.0) / (spread * (2.0 * core::f64::consts::PI).sqrt())
    };
    (-STEPS..STEPS)
        .map(|i| {
            let t = (f64::from(i) + 0.5) / f64::from(STEPS);
            (1.0 - t.abs()) * density(h + t) / f64::from(STEPS)
        })
        .sum()
}

/// The symbols -20..=20 for a variance given as a fraction below 2^70 / 2^70.
fn symbols([numerator, denominator]: [u128; 2]) -> Symbols {
    // exp(-h^2 / (2 variance)) = 2^-(h^2 g), g = log2(e) denominator / (2 numerator) in units of
    // 2^-56: the product below has 57 + 71 bits.
    let log2_e = (1 << 64 | LOG2_E_LESS_1 >> 64) >> 8;
    let shrink = denominator.ilog2().max(numerator.ilog2()).saturating_sub(70);
    let g = log2_e * (denominator >> shrink) / (2 * (numerator >> shrink));
    let weights: [u128; SYMBOLS] = core::array::from_fn(|symbol| {
        let distance = (symbol as u128).abs_diff(MAX_HINT as u128);
        let exponent = distance * distance * g;
        let whole = exponent >> 56;
        if whole < 64 { exp2_neg(exponent << 72) >> 64 >> whole } else { 0 }
    });
    Symbols::of_weights(&weights, MAX_HINT as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::tests::is_canonical;
    use proptest::prelude::*;

    /// (s^2 + 1/6) of T4: about .25 + .09 + .17.
    const VARIANCE: [u128; 2] = [1, 2];

    fn decoded(bytes: &[u8], count: usize) -> Result<Vec<i8>, Reason> {
        decode(bytes, VARIANCE, count)
    }

    proptest! {
        #[test]
        fn only_canonical_bytes_decode(
            hints in prop::collection::vec(-MAX_HINT..=MAX_HINT, 0..200),
            spread in 0_i16..=20,
            flips in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
            hostile in prop::collection::vec(any::<u8>(), 0..200),
            count in 0_usize..300,
        ) {
            let hints: Vec<i8> =
                hints.into_iter().map(|h| (i16::from(h) * spread / 20) as i8).collect();
            let encode = |hints: &[i8]| encode(hints, VARIANCE);
            is_canonical(encode, decoded, &hints, &flips, (&hostile, count));
        }
    }

    #[test]
    fn twenty_is_a_hint() {
        for hint in [-20, 20] {
            assert_eq!(decoded(&encode(&[hint], VARIANCE), 1), Ok(vec![hint]));
        }
    }
}
