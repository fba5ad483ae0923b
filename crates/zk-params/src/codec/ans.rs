//! Range asymmetric numeral systems (Duda 2013): the entropy coder of Z and of hints.
//!
//! 16 coders take turns; symbol i belongs to coder i mod 16. Layout: the final states of the
//! coders, 32 bits each; then their 16-bit words in the order in which a decoder reads them. A
//! decoder must end with every state at its initial value and no word left, which makes the
//! encoding canonical.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use crate::error::{Fault, Reason};

/// Coders that take turns.
pub(super) const CODERS: usize = 16;
/// Frequencies sum to 2^16.
pub(super) const SCALE: u32 = 16;
/// States lie in [2^16, 2^32); this is where an encoder starts and a decoder must end.
const START: u32 = 1 << 16;

/// At most 256 symbols, from 0 on, and their frequencies.
pub(super) struct Symbols {
    /// Frequency, and sum of the frequencies before it.
    ranges: Vec<(u32, u32)>,
}

/// How a symbol changes the state of its coder.
#[derive(Clone, Copy)]
struct Code {
    frequency: u32,
    before: u32,
    /// floor(2^48 / frequency) + 1.
    reciprocal: u64,
}

impl Code {
    const fn of(frequency: u32, before: u32) -> Self {
        Self { frequency, before, reciprocal: (1 << 48) / frequency as u64 + 1 }
    }

    /// The state behind the symbol: x -> 2^16 floor(x / f) + before + x mod f for x < 2^16 f.
    ///
    /// With m = floor(2^48 / f) + 1, f m is from 2^48 + 1 to 2^48 + f, so that x m / 2^48 exceeds
    /// x / f by at most x / 2^48 < 2^16 f / 2^48 <= 1 / f, and has the same integer part; x m is
    /// below 2^64.
    const fn after(&self, state: u32) -> u32 {
        let quotient = (state as u64 * self.reciprocal >> 48) as u32;
        // Below 2^32, though 2^16 floor(x / f) and x on their own may add up to more.
        (quotient << SCALE) + (state - quotient * self.frequency + self.before)
    }
}

impl Symbols {
    /// Symbols of these weights: a frequency of one for each, so that all can be coded, the rest in
    /// proportion, and what rounding leaves to `likely`. All in integers, so that every machine has
    /// the same. Weights are below 2^64.
    pub(super) fn of_weights(weights: &[u128], likely: usize) -> Self {
        debug_assert!(weights.len() <= 256, "symbols fit a byte");
        let total: u128 = weights.iter().sum();
        let share = (1 << SCALE) - weights.len() as u128;
        let mut frequencies: Vec<u32> =
            weights.iter().map(|weight| 1 + (weight * share / total) as u32).collect();
        frequencies[likely] += (1 << SCALE) - frequencies.iter().sum::<u32>();
        let mut before = 0;
        let ranges = frequencies
            .into_iter()
            .map(|frequency| {
                before += frequency;
                (frequency, before - frequency)
            })
            .collect();
        Self { ranges }
    }

    /// The frequencies of all symbols.
    pub(super) fn frequencies(&self) -> impl Iterator<Item = u32> + '_ {
        self.ranges.iter().map(|&(frequency, _)| frequency)
    }

    /// The symbol that owns each of the 2^16 slots.
    fn slots(&self) -> Vec<u8> {
        let mut slots = Vec::with_capacity(1 << SCALE);
        for (symbol, frequency) in self.frequencies().enumerate() {
            slots.resize(slots.len() + frequency as usize, symbol as u8);
        }
        slots
    }

    /// Bytes of the longest encoding: a word for every symbol, as symbols of frequency 1 need it.
    /// (A state below 2^32 is below 2^16 f after one word, for every f, so no symbol needs two.)
    pub(super) const fn most_bytes(count: u64) -> u64 {
        4 * CODERS as u64 + 2 * count
    }

    /// Appends the encoding of symbols.
    pub(super) fn encode(&self, symbols: &[u8], bytes: &mut Vec<u8>) {
        let mut codes = [Code::of(1, 0); 256];
        for (code, &(frequency, before)) in codes.iter_mut().zip(&self.ranges) {
            *code = Code::of(frequency, before);
        }
        let mut states = [START; CODERS];
        // From the last on, a word for every symbol at most.
        let mut words = vec![0_u16; symbols.len()];
        let mut first = words.len();
        // Without branches: whether a state gives a word is as good as random.
        let mut step = |state: &mut u32, symbol: u8| {
            let code = &codes[usize::from(symbol)];
            let gives = *state >> SCALE >= code.frequency;
            words[first - 1] = *state as u16;
            first -= usize::from(gives);
            *state = code.after(if gives { *state >> 16 } else { *state });
        };
        let (rounds, rest) = symbols.as_chunks::<CODERS>();
        for (state, &symbol) in states.iter_mut().zip(rest).rev() {
            step(state, symbol);
        }
        for round in rounds.iter().rev() {
            for (state, &symbol) in states.iter_mut().zip(round).rev() {
                step(state, symbol);
            }
        }
        bytes.extend(states.into_iter().flat_map(u32::to_le_bytes));
        let (words, start) = (&words[first..], bytes.len());
        bytes.resize(start + 2 * words.len(), 0);
        for (bytes, word) in bytes[start..].as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
    }

    /// Decodes as many symbols as `symbols` has; `bytes` must be what [`Self::encode`] makes of
    /// them.
    pub(super) fn decode(&self, bytes: &[u8], symbols: &mut [u8]) -> Result<(), Reason> {
        let slots: Box<[u8; 1 << SCALE]> =
            self.slots().into_boxed_slice().try_into().expect("frequencies sum to 2^16");
        let mut ranges = [(0, 0); 256];
        ranges[..self.ranges.len()].copy_from_slice(&self.ranges);
        let (start, words) = bytes.split_at_checked(4 * CODERS).ok_or(Fault::Encoding)?;
        let mut states: [u32; CODERS] = core::array::from_fn(|i| {
            u32::from_le_bytes(start[4 * i..][..4].try_into().expect("four bytes"))
        });
        let (words, odd) = words.as_chunks::<2>();
        if !odd.is_empty() || states.iter().any(|&state| state < START) {
            return Err(Reason::Content(Fault::Encoding));
        }
        let mut next = 0;
        // Without branches: whether a state takes a word is as good as random.
        let mut step = |state: &mut u32, symbol: &mut u8| {
            let slot = *state & ((1 << SCALE) - 1);
            *symbol = slots[slot as usize];
            let (frequency, before): (u32, u32) = ranges[usize::from(*symbol)];
            // Below 2^32: the state's quotient is below 2^16, and slot - before below frequency.
            let decoded = frequency.wrapping_mul(*state >> SCALE).wrapping_add(slot - before);
            // Missing words read as zero; `next` tells in the end.
            let word = words.get(next).map_or(0, |&word| u16::from_le_bytes(word).into());
            let takes = decoded < START;
            *state = if takes { decoded << 16 | word } else { decoded };
            next += usize::from(takes);
        };
        let (rounds, rest) = symbols.as_chunks_mut::<CODERS>();
        for round in rounds {
            for (state, symbol) in states.iter_mut().zip(round) {
                step(state, symbol);
            }
        }
        for (state, symbol) in states.iter_mut().zip(rest) {
            step(state, symbol);
        }
        if states != [START; CODERS] || next != words.len() {
            return Err(Reason::Content(Fault::Encoding));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of all frequencies, at quotients at both ends of the range, on either side of each.
    #[test]
    fn states_are_divided_exactly() {
        for frequency in 1..=1_u32 << SCALE {
            let code = Code::of(frequency, (1 << SCALE) - frequency);
            let quotients = [0, 1, 2, 3, (1 << 15) - 1, 1 << 15, (1 << 16) - 2, (1 << 16) - 1];
            for state in
                quotients.into_iter().flat_map(|q| [q * frequency, q * frequency + (frequency - 1)])
            {
                let expected = (state / frequency) << SCALE | (state % frequency + code.before);
                assert_eq!(code.after(state), expected, "{state} / {frequency}");
            }
        }
    }
}
