//! Range asymmetric numeral systems (Duda 2013): the entropy coder of Z and of hints.
//!
//! 16 coders take turns; symbol i belongs to coder i mod 16. Layout: the final states of the coders,
//! 32 bits each; then their 16-bit words in the order in which a decoder reads them. A decoder must
//! end with every state at its initial value and no word left, which makes the encoding canonical.

use alloc::boxed::Box;
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
    pub(super) fn encode(
        &self,
        symbols: impl DoubleEndedIterator<Item = u8> + ExactSizeIterator,
        bytes: &mut Vec<u8>,
    ) {
        let mut states = [START; CODERS];
        let mut words = Vec::with_capacity(symbols.len() / 2);
        for (i, symbol) in symbols.enumerate().rev() {
            let (frequency, before) = self.ranges[usize::from(symbol)];
            let state = &mut states[i % CODERS];
            if *state >> SCALE >= frequency {
                words.push(*state as u16);
                *state >>= 16;
            }
            *state = (*state / frequency) << SCALE | (*state % frequency + before);
        }
        bytes.extend(states.into_iter().flat_map(u32::to_le_bytes));
        bytes.extend(words.into_iter().rev().flat_map(u16::to_le_bytes));
    }

    /// Decodes as many symbols as `symbols` has; `bytes` must be what [`Self::encode`] makes of
    /// them.
    pub(super) fn decode(&self, bytes: &[u8], symbols: &mut [u8]) -> Result<(), Reason> {
        let slots: Box<[u8; 1 << SCALE]> =
            self.slots().into_boxed_slice().try_into().expect("frequencies sum to 2^16");
        let mut ranges = [(0, 0); 256];
        ranges[..self.ranges.len()].copy_from_slice(&self.ranges);
        let (start, words) =
            bytes.split_at_checked(4 * CODERS).ok_or(Reason::Content(Fault::Encoding))?;
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

    #[test]
    fn frequencies_sum_to_the_scale() {
        for weights in [vec![1], vec![1, 1 << 63, 0], vec![u128::from(u64::MAX); 256]] {
            let symbols = Symbols::of_weights(&weights, weights.len() / 2);
            assert!(symbols.frequencies().all(|frequency| frequency >= 1));
            assert_eq!(symbols.frequencies().sum::<u32>(), 1 << SCALE);
            assert_eq!(symbols.slots().len(), 1 << SCALE);
        }
    }
}
