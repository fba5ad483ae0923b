//! Suite 2: range asymmetric numeral systems (Duda 2013) for the high part of |z|, plain bits for
//! the rest.
//!
//! With k = max(0, floor(log2 sigma) - 3), the symbol is |z| >> k: the Gaussian is nearly constant
//! over the 2^k <= sigma / 8 values that share one, so the low k bits and the sign are stored as
//! they are. Layout: the plane of low bits and signs, padded to whole bytes; then the final states
//! of [`WAYS`] interleaved coders, 32 bits each; then their 16-bit words in the order in which a
//! decoder reads them. A decoder must end with every state at its initial value and no word left,
//! which makes the encoding canonical.

use super::bits::{BitReader, BitWriter};
use crate::error::Reason;
use tautochrone_gauss::fixed::{LOG2_E_LESS_1, exp2_neg};

/// Coders that take turns; coefficient i belongs to coder i mod WAYS.
const WAYS: usize = 4;
/// Frequencies sum to 2^16.
const SCALE: u32 = 16;
/// States lie in [2^16, 2^32); this is where an encoder starts and a decoder must end.
const START: u32 = 1 << 16;

/// Frequencies of the symbols for one sigma, computed in integers so that every machine has the
/// same.
struct Model {
    k: u32,
    /// (frequency, sum of the frequencies before it).
    symbols: Vec<(u32, u32)>,
}

/// Bits of |z| below its symbol.
const fn low_bits(sigma: u64) -> u32 {
    sigma.ilog2().saturating_sub(3)
}

/// Symbols of the magnitudes up to 14 sigma.
fn symbols(sigma: u64) -> u64 {
    (14 * sigma >> low_bits(sigma)) + 1
}

/// Bytes of the longest encoding: a word for every coefficient, as symbols of frequency 1 need it.
/// (A state below 2^32 is below 2^16 f after one word, for every f, so no symbol needs two.)
pub(super) const fn most_bytes(count: u64, sigma: u64) -> u64 {
    let low = (count * (low_bits(sigma) as u64 + 1)).div_ceil(8);
    low + 4 * WAYS as u64 + 2 * count
}

/// The largest magnitude of the last symbol.
pub(super) fn largest(sigma: u64) -> u64 {
    (symbols(sigma) << low_bits(sigma)) - 1
}

impl Model {
    fn new(sigma: u64) -> Self {
        let (k, count) = (low_bits(sigma), symbols(sigma));
        // exp(-((s + 1/2) 2^k)^2 / (2 sigma^2)) = 2^-((2 s + 1)^2 g), g = 2^(2 k) log2(e) / (8
        // sigma^2) in 2^-64.
        let log2_e = 1 << 64 | LOG2_E_LESS_1 >> 64;
        let g = (log2_e << (2 * k)) / (8 * u128::from(sigma) * u128::from(sigma));
        let weights: Vec<u128> = (0..count)
            .map(|s| {
                let exponent = u128::from((2 * s + 1) * (2 * s + 1)) * g;
                let whole = exponent >> 64;
                // Weights of 64 bits, so that 2^16 times their sum fits.
                if whole < 64 { exp2_neg(exponent << 64) >> 64 >> whole } else { 0 }
            })
            .collect();
        let total: u128 = weights.iter().sum();
        // One for every symbol, so that each can be coded; the rest in proportion; what rounding
        // leaves to symbol 0.
        let share = (1 << SCALE) - u128::from(count);
        let mut frequencies: Vec<u32> =
            weights.iter().map(|weight| 1 + (weight * share / total) as u32).collect();
        frequencies[0] += (1 << SCALE) - frequencies.iter().sum::<u32>();
        let mut before = 0;
        let symbols = frequencies
            .into_iter()
            .map(|frequency| {
                before += frequency;
                (frequency, before - frequency)
            })
            .collect();
        Self { k, symbols }
    }

    /// The symbol that owns each of the 2^16 slots.
    fn slots(&self) -> Vec<u8> {
        let mut slots = Vec::with_capacity(1 << SCALE);
        for (symbol, &(frequency, _)) in self.symbols.iter().enumerate() {
            // At most 14 * 16 + 1 = 225 symbols.
            slots.resize(slots.len() + frequency as usize, symbol as u8);
        }
        slots
    }
}

pub(super) fn encode(z: &[i64], sigma: u64) -> Vec<u8> {
    let model = Model::new(sigma);
    let k = model.k;
    let mut low = BitWriter::with_capacity(low_plane_bytes(z.len(), k) + 2 * z.len());
    for &z in z {
        low.put(z.unsigned_abs() & ((1 << k) - 1) | u64::from(z < 0) << k, k + 1);
    }

    let mut states = [START; WAYS];
    let mut words = Vec::with_capacity(z.len() / 2);
    for (i, &z) in z.iter().enumerate().rev() {
        let (frequency, before) = model.symbols[(z.unsigned_abs() >> k) as usize];
        let state = &mut states[i % WAYS];
        if *state >> SCALE >= frequency {
            words.push(*state as u16);
            *state >>= 16;
        }
        *state = (*state / frequency) << SCALE | (*state % frequency + before);
    }

    let mut bytes = low.finish();
    bytes.extend(states.into_iter().flat_map(u32::to_le_bytes));
    bytes.extend(words.into_iter().rev().flat_map(u16::to_le_bytes));
    bytes
}

pub(super) fn decode(bytes: &[u8], sigma: u64, z: &mut [i64]) -> Result<(), Reason> {
    let model = Model::new(sigma);
    let (k, slots) = (model.k, model.slots());
    let split = low_plane_bytes(z.len(), k);
    let high = bytes.get(split..).and_then(|high| high.split_first_chunk::<{ 4 * WAYS }>());
    let Some((start, words)) = high else {
        return Err(Reason::Encoding);
    };
    let mut states: [u32; WAYS] = core::array::from_fn(|i| {
        u32::from_le_bytes(start[4 * i..][..4].try_into().expect("four bytes"))
    });
    let (words, odd) = words.as_chunks::<2>();
    let mut bad = !odd.is_empty() || states.iter().any(|&state| state < START);

    let mut low = BitReader::new(&bytes[..split]);
    let mut next = 0;
    for (i, z) in z.iter_mut().enumerate() {
        let state = &mut states[i % WAYS];
        let slot = *state & ((1 << SCALE) - 1);
        let symbol = slots[slot as usize];
        let (frequency, before) = model.symbols[usize::from(symbol)];
        *state = frequency * (*state >> SCALE) + slot - before;
        if *state < START {
            // Missing words read as zero; `next` tells in the end.
            *state =
                *state << 16 | words.get(next).map_or(0, |&word| u16::from_le_bytes(word).into());
            next += 1;
        }
        let field = low.take(k + 1);
        let sign = field >> k;
        let magnitude = u64::from(symbol) << k | field & ((1 << k) - 1);
        bad |= sign == 1 && magnitude == 0;
        *z = (magnitude as i64 ^ -(sign as i64)) + sign as i64;
    }
    if bad || states != [START; WAYS] || next != words.len() || !low.ends_cleanly() {
        return Err(Reason::Encoding);
    }
    Ok(())
}

fn low_plane_bytes(count: usize, k: u32) -> usize {
    (count * (k as usize + 1)).div_ceil(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_sum_to_the_scale() {
        for sigma in [2, 3, 15, 16, 17, 1000, 640_000, (1 << 32) - 1] {
            let model = Model::new(sigma);
            assert!(model.symbols.iter().all(|&(frequency, _)| frequency >= 1));
            assert_eq!(
                model.symbols.iter().map(|&(frequency, _)| frequency).sum::<u32>(),
                1 << SCALE
            );
            assert!(model.symbols.len() <= 256, "symbols fit a byte");
            assert_eq!(model.slots().len(), 1 << SCALE);
        }
    }
}
