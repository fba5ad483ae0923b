//! What samplers of a centre for each coordinate share: whether centres are in range, scratch
//! space, and which trials were rejected.

use tautochrone_simd::{Isa, declassify, vectorize, wipe};

use crate::element::WideSample;
use crate::error::Error;
use crate::float::ROUND;

/// Refuses centres that are not numbers or not below `limit` in absolute value, with one result for
/// all of them; nothing else about them is revealed.
pub(crate) fn check(isa: Isa, centres: &[f64], limit: f64) -> Result<(), Error> {
    // In the order of non-negative numbers as integers, infinity and NaN come last; a difference of
    // two below 2^63 has its highest bit set if it is negative.
    let largest = limit.to_bits() - 1;
    let any = vectorize!(
        isa,
        centres.iter().fold(0, |any, mu| any | largest.wrapping_sub(mu.abs().to_bits()))
    );
    if declassify(any >> 63 == 0) { Ok(()) } else { Err(Error::Centre { limit }) }
}

/// floor(mu) and mu - floor(mu), rounded (to 2^-54 at worst, if mu is tiny and negative), for
/// |mu| < 2^51. Constant time: `f64::floor` branches on its argument where SSE4.1 may not be
/// assumed, and compilers may make branches of a comparison, and of the cast of a float.
#[inline(always)]
pub(crate) fn parts(mu: f64) -> (i64, f64) {
    let rounded = mu + ROUND;
    let nearest = rounded.to_bits().wrapping_sub(ROUND.to_bits()).cast_signed();
    // -1/2 <= rest <= 1/2, exactly; a negative zero of a rest counts as zero.
    let rest = mu - (rounded - ROUND) + 0.0;
    let negative = rest.to_bits().cast_signed() >> 63;
    let fraction = rest + f64::from_bits(1.0_f64.to_bits() & negative.cast_unsigned());
    (nearest + negative, fraction)
}

/// Centres of coordinates from different places, side by side, and samples around them; erased on
/// drop.
pub(crate) struct Scratch<T: WideSample, const N: usize> {
    centres: [f64; N],
    samples: [T; N],
}

impl<T: WideSample, const N: usize> Scratch<T, N> {
    pub(crate) fn new() -> Self {
        Self { centres: [0.0; N], samples: [T::default(); N] }
    }

    /// The first trials of at most `N` coordinates: in their places if there are as many.
    #[inline(always)]
    pub(crate) fn first<A>(
        &mut self,
        centres: &[f64],
        out: &mut [T],
        trials: impl FnOnce(&[f64; N], &mut [T; N]) -> A,
    ) -> A {
        if let (Some(centres), Some(out)) = (centres.first_chunk(), out.first_chunk_mut()) {
            return trials(centres, out);
        }
        self.centres[..centres.len()].copy_from_slice(centres);
        let accepted = trials(&self.centres, &mut self.samples);
        out.copy_from_slice(&self.samples[..out.len()]);
        accepted
    }

    /// Another trial of at most `N` coordinates, wherever they are. A rejected value is overwritten
    /// when its coordinate is tried once more.
    #[inline(always)]
    pub(crate) fn again<A>(
        &mut self,
        centres: &[f64],
        indices: &[u64],
        out: &mut [T],
        trials: impl FnOnce(&[f64; N], &mut [T; N]) -> A,
    ) -> A {
        for (mu, &i) in self.centres.iter_mut().zip(indices) {
            *mu = centres[i as usize];
        }
        let accepted = trials(&self.centres, &mut self.samples);
        for (&z, &i) in self.samples.iter().zip(indices) {
            out[i as usize] = z;
        }
        accepted
    }
}

impl<T: WideSample, const N: usize> Drop for Scratch<T, N> {
    fn drop(&mut self) {
        wipe(&mut self.centres, 0.0);
        wipe(&mut self.samples, T::default());
    }
}

/// The most trials that are asked about at once: a bit-sliced block.
const MAX_TRIALS: usize = 512;

/// Row b: the positions of the bits of b that are not set, in ascending order.
static POSITIONS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut at) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 0 {
                table[byte][at] = bit;
                at += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Which of the first `len` trials were rejected, in ascending order: those whose bit of
/// `accepted`, of at most [`MAX_TRIALS`], is not set. The bits are public.
///
/// A byte at a time, without branches: which are rejected is random, and would be mispredicted.
pub(crate) fn rejected(len: usize, accepted: &[u8]) -> impl ExactSizeIterator<Item = usize> {
    // The last byte may write eight at once.
    let mut all = [0_u16; MAX_TRIALS + 8];
    let mut count = 0;
    for (&byte, start) in accepted[..len.div_ceil(8)].iter().zip((0_u16..).step_by(8)) {
        let to: &mut [u16; 8] = all[count..].first_chunk_mut().expect("a byte holds eight bits");
        for (to, &position) in to.iter_mut().zip(&POSITIONS[usize::from(byte)]) {
            *to = start + u16::from(position);
        }
        count += byte.count_zeros() as usize;
    }
    // Bits of the last byte beyond `len` were not asked about.
    let beyond = 8 * len.div_ceil(8) - len;
    if beyond > 0 {
        let last = accepted[len >> 3];
        count -= (!last >> (8 - beyond)).count_ones() as usize;
    }
    all.into_iter().take(count).map(usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rejected_ones_are_those_without_a_bit(
            accepted in prop::collection::vec(any::<u8>(), MAX_TRIALS / 8), len in 0..=MAX_TRIALS,
        ) {
            let want: Vec<usize> = (0..len).filter(|i| accepted[i >> 3] >> (i & 7) & 1 == 0).collect();
            prop_assert_eq!(rejected(len, &accepted).collect::<Vec<_>>(), want);
        }
    }

    #[test]
    fn all_or_none() {
        assert_eq!(
            rejected(MAX_TRIALS, &[0; MAX_TRIALS / 8]).collect::<Vec<_>>(),
            (0..MAX_TRIALS).collect::<Vec<_>>()
        );
        assert_eq!(rejected(MAX_TRIALS, &[0xff; MAX_TRIALS / 8]).len(), 0);
        assert_eq!(rejected(0, &[0; MAX_TRIALS / 8]).len(), 0);
    }
}
