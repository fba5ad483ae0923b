//! The draw: blocks of trials without branches, then the few that need a closer look.

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use tautochrone_simd::vector::U64x2;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::{U64x4, U64x8};
use tautochrone_simd::wipe;

use super::Ziggurat;
use super::compare;
use super::layout::{BLOCK, Block, Layout, SPARE, Side};
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")))]
use super::vector;
use crate::source::Source;

/// The fast path: every trial's value, and whether it lies in a left rectangle without any doubt.
fn trials<const WORDS: usize>(layout: &Layout, sides: &[Side], words: &[u64], block: &mut Block) {
    let groups = words.chunks(64 * WORDS).zip(block.values.chunks_mut(64)).zip(&mut block.doubt);
    for ((words, values), doubt) in groups {
        let mut bits = 0_u64;
        for (word, value) in words.as_chunks::<WORDS>().0.iter().zip(values) {
            let (index, biased) = layout.rectangle(word[0]);
            let side = sides[index];
            let (x, half) = layout.abscissa(word[WORDS - 1], side.n);
            let sign = layout.sign(word[0]);
            *value = (x as i64 ^ -sign) + sign;
            // x - 1 wraps for x = 0.
            let sure = !biased & (x.wrapping_sub(1) < side.left) & (half >= side.n << layout.low);
            bits = bits >> 1 | u64::from(!sure) << 63;
        }
        // The first trial's bit has been shifted once for each.
        bits >>= 64 - words.len() / WORDS;
        *doubt = bits.to_le_bytes();
    }
}

impl Ziggurat {
    /// One sample: trials one by one, without the buffers of a block.
    pub(super) fn one(&self, source: &mut (impl Source + ?Sized)) -> i64 {
        let mut more = || source.word();
        loop {
            let first = more();
            let last = if self.layout.words() == 1 { first } else { more() };
            if self.accepts(first, last, &mut more) {
                let (index, _) = self.layout.rectangle(first);
                let (x, _) = self.layout.abscissa(last, self.sides[index].n);
                let sign = self.layout.sign(first);
                return (x as i64 ^ -sign) + sign;
            }
        }
    }

    /// Fills `out` from a source of words.
    pub(super) fn fill_words(&self, source: &mut dyn Source, out: &mut [i64]) {
        let mut done = 0;
        let mut buffer = [0; 2 * BLOCK + SPARE];
        let mut block = Block::new();
        while done < out.len() {
            // Public numbers decide how much is drawn.
            let count = self.layout.trials_for(out.len() - done).min(BLOCK);
            let (used, spare) = self.layout.draws(count);
            source.fill_u64(&mut buffer[..used + spare]);
            let (words, drawn) = buffer[..used + spare].split_at(used);
            self.trials(&buffer, count, &mut block);
            // For the comparisons.
            let mut drawn = drawn.iter();
            let mut more = || drawn.next().copied().unwrap_or_else(|| source.word());
            let rest = &mut out[done..];
            done += self.settle(words, count, &block, &mut more, rest);
        }
        wipe(&mut buffer, 0);
    }

    /// The fast path on the best instruction set, for the `count` trials at the front of `buffer`.
    pub(super) fn trials(&self, buffer: &[u64], count: usize, block: &mut Block) {
        let (layout, sides) = (&self.layout, &self.sides[..]);
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = self.isa.avx512() {
            return vector::trials::<U64x8<_>>(token, layout, sides, buffer, count, block);
        } else if let Some(token) = self.isa.avx2() {
            return vector::trials::<U64x4<_>>(token, layout, sides, buffer, count, block);
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        if let Some(token) = self.isa.neon() {
            return vector::trials::<U64x2<_>>(token, layout, sides, buffer, count, block);
        }
        let words = &buffer[..count * layout.words()];
        match layout.words() {
            1 => trials::<1>(layout, sides, words, block),
            _ => trials::<2>(layout, sides, words, block),
        }
    }

    /// Decides the doubtful trials of a block, in order, and moves the accepted values to `out`;
    /// returns how many.
    fn settle(
        &self,
        words: &[u64],
        count: usize,
        block: &Block,
        more: &mut impl FnMut() -> u64,
        out: &mut [i64],
    ) -> usize {
        let per = self.layout.words();
        let mut done = 0;
        for (group, values) in block.values[..count].chunks(64).enumerate() {
            if done == out.len() {
                break;
            }
            let mut doubt = u64::from_le_bytes(block.doubt[group]);
            // A kernel may have rounded the block up.
            doubt &= u64::MAX >> (64 - values.len());
            let mut rejected = 0;
            while doubt != 0 {
                let j = doubt.trailing_zeros() as usize;
                doubt &= doubt - 1;
                let at = (64 * group + j) * per;
                // Without a branch: about half of the closer looks reject.
                rejected |= u64::from(!self.accepts(words[at], words[at + per - 1], more)) << j;
            }
            let out = &mut out[done..];
            if rejected == 0 && values.len() <= out.len() {
                out[..values.len()].copy_from_slice(values);
                done += values.len();
            } else {
                let mut stored = 0;
                for (j, &value) in values.iter().enumerate() {
                    if stored == out.len() {
                        return done + stored;
                    }
                    out[stored] = value;
                    stored += (!rejected >> j & 1) as usize;
                }
                done += stored;
            }
        }
        done
    }

    /// The full rule for one trial.
    fn accepts(&self, first: u64, last: u64, more: &mut impl FnMut() -> u64) -> bool {
        let layout = &self.layout;
        let (index, biased) = layout.rectangle(first);
        if biased {
            return false;
        }
        let Side { n, left } = self.sides[index];
        let (x, half) = layout.abscissa(last, n);
        if half < n << layout.low && layout.rejects(half, n) {
            return false;
        }
        if x == 0 {
            // +0 and -0 are one value: half of them go. At the top p(i, 0) may be below 1, as y_0
            // is above 1.
            return layout.sign(first) == 0
                && (index + 1 > self.capped || self.below(index, 0, more));
        }
        x <= left || self.below(index, x, more)
    }

    /// Draws u, of words that `more` gives, and decides u < p(i, x), i = index + 1.
    #[inline]
    fn below(&self, index: usize, x: u64, more: &mut impl FnMut() -> u64) -> bool {
        let word = self.digits.word(0, more());
        let u = word as f64 * f64::from_bits((1023 - 64) << 52);
        if let Some(chords) = &self.chords
            && x > 0
            && let Some(below) = chords.decide(index + 1, x, u)
        {
            return below;
        }
        let curve = &self.partition.curve;
        let (c, b) = self.lines[index];
        let (p, error) = curve.level_1(c, b, x as f64);
        if (p - u).abs() > error {
            return p > u;
        }
        compare::decide(curve, self.digits, (index + 1, x), word, more)
    }
}
