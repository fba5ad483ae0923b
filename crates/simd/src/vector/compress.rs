//! [`Compress`]: some lanes of a register moved together.

use super::{Emulated, Pair, Vector};

#[cfg(target_arch = "x86_64")]
mod x86;

/// Stores of the lanes whose bits are set in a word. That word is public: it decides where other
/// lanes are stored.
pub trait Compress: Vector {
    /// Stores the lanes whose bits are set in `lanes` at the front of the first [`Vector::LANES`]
    /// words, in order; the words after them are arbitrary.
    ///
    /// # Panics
    /// If there are fewer.
    fn compress_store(self, lanes: u32, words: &mut [u64]);
    /// As [`Self::compress_store`], of the low halves of the lanes.
    ///
    /// # Panics
    /// If there are fewer.
    fn compress_store_32(self, lanes: u32, halves: &mut [u32]);
}

/// The part of `out` after the lanes that the low `lanes` bits of `mask` select.
#[inline(always)]
fn after<T>(out: &mut [T], lanes: usize, mask: u32) -> &mut [T] {
    let count = (mask & ((1 << lanes) - 1)).count_ones() as usize;
    // Always so, but compilers do not know it of a count of ones, and would check the slice below.
    let count = if count < lanes { count } else { lanes };
    &mut out[count..2 * lanes]
}

impl<V: Compress> Compress for Pair<V> {
    #[inline(always)]
    fn compress_store(self, lanes: u32, words: &mut [u64]) {
        let words = &mut words[..2 * V::LANES];
        self.0.compress_store(lanes, words);
        self.1.compress_store(lanes >> V::LANES, after(words, V::LANES, lanes));
    }
    #[inline(always)]
    fn compress_store_32(self, lanes: u32, halves: &mut [u32]) {
        let halves = &mut halves[..2 * V::LANES];
        self.0.compress_store_32(lanes, halves);
        self.1.compress_store_32(lanes >> V::LANES, after(halves, V::LANES, lanes));
    }
}

impl<const N: usize> Compress for Emulated<N> {
    fn compress_store(self, lanes: u32, words: &mut [u64]) {
        let set = (0..N).filter(|i| lanes >> i & 1 == 1);
        for (word, i) in words[..N].iter_mut().zip(set) {
            *word = self.0[i];
        }
    }
    fn compress_store_32(self, lanes: u32, halves: &mut [u32]) {
        let set = (0..N).filter(|i| lanes >> i & 1 == 1);
        for (half, i) in halves[..N].iter_mut().zip(set) {
            *half = self.0[i] as u32;
        }
    }
}
