//! The entropy coder of hints: integers in -20..=20, mostly 0, of a known variance.
//!
//! *Suite 1*: a prefix code. 0 is a zero bit; other hints are a one bit, a sign bit (1 for negative
//! ones), and |h| - 1 in unary, as that many ones and a zero. The last byte is padded with zero
//! bits.
//!
//! *Suite 2*: range asymmetric numeral systems, as for the high parts of Z: symbol h + 20, its
//! frequency proportional to exp(-h^2 / (2 variance)), computed in integers.

use tautochrone_gauss::fixed::{LOG2_E_LESS_1, exp2_neg};

use crate::codec::bits::{BitReader, BitWriter};
use crate::error::Reason;
use crate::suite::Encoding;

/// The largest absolute value of a hint.
pub(super) const MAX_HINT: i64 = 20;
/// Values of a hint.
const SYMBOLS: usize = 2 * MAX_HINT as usize + 1;
/// Coders that take turns; hint i belongs to coder i mod CODERS.
const CODERS: usize = 4;
/// Frequencies sum to 2^16.
const SCALE: u32 = 16;
/// States lie in [2^16, 2^32); this is where an encoder starts and a decoder must end.
const START: u32 = 1 << 16;

/// Encodes hints, each at most [`MAX_HINT`] in absolute value, of variance `variance[0]` /
/// `variance[1]`.
pub(super) fn encode(encoding: Encoding, hints: &[i64], variance: [u128; 2]) -> Vec<u8> {
    match encoding {
        Encoding::Rice => encode_prefix(hints),
        Encoding::Rans => encode_rans(hints, &frequencies(variance)),
    }
}

/// Decodes as many hints as `hints` has; `bytes` must be what [`encode`] makes of them.
pub(super) fn decode(
    encoding: Encoding,
    bytes: &[u8],
    variance: [u128; 2],
    hints: &mut [i64],
) -> Result<(), Reason> {
    match encoding {
        Encoding::Rice => decode_prefix(bytes, hints),
        Encoding::Rans => decode_rans(bytes, &frequencies(variance), hints),
    }
}

fn encode_prefix(hints: &[i64]) -> Vec<u8> {
    let mut bits = BitWriter::with_capacity(hints.len() / 4);
    for &hint in hints {
        if hint == 0 {
            bits.put(0, 1);
        } else {
            let ones = hint.unsigned_abs() as u32 - 1;
            bits.put(1 | u64::from(hint < 0) << 1 | ((1 << ones) - 1) << 2, ones + 3);
        }
    }
    bits.finish()
}

fn decode_prefix(bytes: &[u8], hints: &mut [i64]) -> Result<(), Reason> {
    let mut bits = BitReader::new(bytes);
    for hint in hints.iter_mut() {
        let next = bits.peek();
        if next & 1 == 0 {
            bits.skip(1);
            *hint = 0;
            continue;
        }
        let magnitude = i64::from((next >> 2).trailing_ones()) + 1;
        if magnitude > MAX_HINT {
            return Err(Reason::Encoding);
        }
        bits.skip(magnitude as u64 + 2);
        *hint = if next >> 1 & 1 == 1 { -magnitude } else { magnitude };
    }
    if bits.ends_cleanly() { Ok(()) } else { Err(Reason::Encoding) }
}

/// The frequencies of -20..=20 for a variance given as a fraction below 2^70 / 2^70: the same on
/// every machine.
fn frequencies([numerator, denominator]: [u128; 2]) -> [u32; SYMBOLS] {
    // exp(-h^2 / (2 variance)) = 2^-(h^2 g), g = log2(e) denominator / (2 numerator) in units of
    // 2^-56: the product below has 57 + 71 bits.
    let log2_e = (1 << 64 | LOG2_E_LESS_1 >> 64) >> 8;
    let shrink = denominator.ilog2().saturating_sub(70);
    let g = log2_e * (denominator >> shrink) / (2 * (numerator >> shrink));
    let weights: [u128; SYMBOLS] = core::array::from_fn(|symbol| {
        let hint = symbol as u128;
        let distance = hint.abs_diff(MAX_HINT as u128);
        let exponent = distance * distance * g;
        let whole = exponent >> 56;
        if whole < 64 { exp2_neg(exponent << 72) >> 64 >> whole } else { 0 }
    });
    let total: u128 = weights.iter().sum();
    let share = (1 << SCALE) - SYMBOLS as u128;
    let mut frequencies = weights.map(|weight| 1 + (weight * share / total) as u32);
    frequencies[MAX_HINT as usize] += (1 << SCALE) - frequencies.iter().sum::<u32>();
    frequencies
}

/// Sum of the frequencies before each symbol.
fn cumulative(frequencies: &[u32; SYMBOLS]) -> [u32; SYMBOLS] {
    let mut before = 0;
    frequencies.map(|frequency| {
        before += frequency;
        before - frequency
    })
}

fn encode_rans(hints: &[i64], frequencies: &[u32; SYMBOLS]) -> Vec<u8> {
    let before = cumulative(frequencies);
    let (mut states, mut words) = ([START; CODERS], Vec::with_capacity(hints.len() / 8));
    for (i, &hint) in hints.iter().enumerate().rev() {
        let symbol = (hint + MAX_HINT) as usize;
        let (frequency, state) = (frequencies[symbol], &mut states[i % CODERS]);
        if *state >> SCALE >= frequency {
            words.push(*state as u16);
            *state >>= 16;
        }
        *state = (*state / frequency) << SCALE | (*state % frequency + before[symbol]);
    }
    let states = states.into_iter().flat_map(u32::to_le_bytes);
    states.chain(words.into_iter().rev().flat_map(u16::to_le_bytes)).collect()
}

fn decode_rans(
    bytes: &[u8],
    frequencies: &[u32; SYMBOLS],
    hints: &mut [i64],
) -> Result<(), Reason> {
    let before = cumulative(frequencies);
    let (states, words) = bytes.split_first_chunk::<{ 4 * CODERS }>().ok_or(Reason::Encoding)?;
    let mut states: [u32; CODERS] =
        core::array::from_fn(|i| u32::from_le_bytes(states.as_chunks().0[i]));
    let (words, odd) = words.as_chunks::<2>();
    let mut words = words.iter();
    if !odd.is_empty() || states.iter().any(|&state| state < START) {
        return Err(Reason::Encoding);
    }
    for (i, hint) in hints.iter_mut().enumerate() {
        let state = &mut states[i % CODERS];
        let slot = *state & ((1 << SCALE) - 1);
        let symbol = before.partition_point(|&before| before <= slot) - 1;
        *state = frequencies[symbol] * (*state >> SCALE) + slot - before[symbol];
        if *state < START {
            let word = words.next().ok_or(Reason::Encoding)?;
            *state = *state << 16 | u32::from(u16::from_le_bytes(*word));
        }
        *hint = symbol as i64 - MAX_HINT;
    }
    let ended = states == [START; CODERS] && words.next().is_none();
    if ended { Ok(()) } else { Err(Reason::Encoding) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SUITES: [Encoding; 2] = [Encoding::Rice, Encoding::Rans];
    /// (s^2 + 1/6) of T4: about .25 + .09 + .17.
    const VARIANCE: [u128; 2] = [1, 2];

    fn decoded(encoding: Encoding, bytes: &[u8], count: usize) -> Result<Vec<i64>, Reason> {
        let mut hints = vec![0; count];
        decode(encoding, bytes, VARIANCE, &mut hints).map(|()| hints)
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(
            hints in prop::collection::vec(-MAX_HINT..=MAX_HINT, 0..200),
            spread in 0_i64..=20,
        ) {
            let hints: Vec<i64> = hints.into_iter().map(|h| h * spread / 20).collect();
            for suite in SUITES {
                let bytes = encode(suite, &hints, VARIANCE);
                prop_assert_eq!(decoded(suite, &bytes, hints.len()), Ok(hints.clone()));
            }
        }

        #[test]
        fn only_canonical_bytes_decode(
            hints in prop::collection::vec(-3_i64..=3, 1..60),
            flips in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
            count in 1_usize..60,
        ) {
            for suite in SUITES {
                let mut bytes = encode(suite, &hints, VARIANCE);
                for flip in &flips {
                    let bit = flip.index(bytes.len() * 8);
                    bytes[bit / 8] ^= 1 << (bit % 8);
                }
                if let Ok(other) = decoded(suite, &bytes, count) {
                    prop_assert_eq!(encode(suite, &other, VARIANCE), bytes);
                }
            }
        }

        #[test]
        fn hostile_bytes_do_not_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            count in 0_usize..300,
        ) {
            for suite in SUITES {
                if let Ok(hints) = decoded(suite, &bytes, count) {
                    prop_assert_eq!(encode(suite, &hints, VARIANCE), bytes.clone());
                }
            }
        }
    }

    #[test]
    fn twenty_is_a_hint_and_twenty_one_is_not() {
        let prefix = |ones: u32| {
            let mut bits = BitWriter::default();
            bits.put(1 | ((1 << ones) - 1) << 2, ones + 3);
            decoded(Encoding::Rice, &bits.finish(), 1)
        };
        assert_eq!(prefix(19), Ok(vec![20]));
        for ones in 20..50 {
            assert_eq!(prefix(ones), Err(Reason::Encoding), "{ones}");
        }
        for suite in SUITES {
            for hint in [-20, 20] {
                assert_eq!(decoded(suite, &encode(suite, &[hint], VARIANCE), 1), Ok(vec![hint]));
            }
        }
    }

    /// Frequencies and sizes against the entropy of a rounded Gaussian.
    #[test]
    fn sizes_are_close_to_the_entropy() {
        for s in [0.26_f64, 0.3, 0.5, 0.6, 0.75] {
            let variance = s * s + 1.0 / 6.0;
            let fraction = [(variance * 1e9) as u128, 1_000_000_000];
            let frequencies = frequencies(fraction);
            assert_eq!(frequencies.iter().sum::<u32>(), 1 << SCALE);
            assert!(frequencies.iter().all(|&frequency| frequency >= 1));
            // h = round(a + u) - round(a) for uniform a and normal u of deviation s: its
            // probability is the integral of the tent of width 1 around h under the density of u.
            let density = |x: f64| {
                (-x * x / (2.0 * s * s)).exp() / (s * (2.0 * core::f64::consts::PI).sqrt())
            };
            let steps = 4000;
            let probability = |h: i64| {
                (-steps..steps)
                    .map(|i| {
                        let t = (f64::from(i) + 0.5) / f64::from(steps);
                        (1.0 - t.abs()) * density(h as f64 + t) / f64::from(steps)
                    })
                    .sum::<f64>()
            };
            let (mut entropy, mut coded) = (0.0, 0.0);
            for (h, frequency) in (-MAX_HINT..).zip(frequencies) {
                let p = probability(h);
                if p > 1e-30 {
                    entropy -= p * p.log2();
                    coded += p * (f64::from(SCALE) - f64::from(frequency).log2());
                }
            }
            assert!((coded - entropy) < 0.004, "s = {s}: {coded} bits, entropy {entropy}");
        }
    }
}
