//! The draw: blocks of trials without branches, then the few that need a closer look.

use tautochrone_ctr::Stream;
use zeroize::Zeroize;

use super::Ziggurat;
use super::chords::Verdict;
use super::compare;

/// Trials in a block.
pub(super) const BLOCK: usize = 512;
/// Words of the buffer beyond two for each trial, for the comparisons.
pub(super) const SPARE: usize = 256;

/// A source of uniform words.
pub(super) trait Words {
    /// The next words.
    fn fill(&mut self, out: &mut [u64]);

    /// The next word.
    fn word(&mut self) -> u64 {
        let mut word = [0];
        self.fill(&mut word);
        word[0]
    }
}

impl Words for Stream {
    fn fill(&mut self, out: &mut [u64]) {
        self.fill_u64(out);
    }
}

/// Any random number generator.
pub(super) struct Rng<'a, R: ?Sized>(pub(super) &'a mut R);

impl<R: rand::Rng + ?Sized> Words for Rng<'_, R> {
    fn fill(&mut self, out: &mut [u64]) {
        for word in out {
            *word = self.0.next_u64();
        }
    }
}

/// Words drawn ahead for the comparisons of a block, then the source itself.
struct Ahead<'a, W> {
    drawn: &'a [u64],
    source: &'a mut W,
}

impl<W: Words> Words for Ahead<'_, W> {
    fn fill(&mut self, out: &mut [u64]) {
        for word in out {
            *word = self.word();
        }
    }

    #[inline]
    fn word(&mut self) -> u64 {
        match self.drawn.split_first() {
            Some((&word, rest)) => {
                self.drawn = rest;
                word
            }
            None => self.source.word(),
        }
    }
}

/// How one trial's bits are dealt out; public numbers of (sigma, m).
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Bits that choose the rectangle: log2 m, or 24 where m is not a power of two.
    pub(super) index_bits: u32,
    /// m.
    pub(super) m: u64,
    /// Rejection bound of the choice: 2^index_bits mod m.
    pub(super) index_bound: u64,
    /// Bits of the first word that do not belong to x: index and sign, or 0 where x has a word of its own.
    pub(super) low: u32,
    /// Whether 1 + X_m takes more than 32 bits.
    pub(super) wide: bool,
    /// Expected trials for a sample.
    trials: f64,
    /// Probability that a trial needs a closer look.
    doubt: f64,
}

impl Layout {
    pub(super) fn new(m: usize, bound: u64, acceptance: f64, doubt: f64) -> Self {
        let m = m as u64;
        let index_bits = if m.is_power_of_two() { m.trailing_zeros() } else { 24 };
        let rest = 63 - index_bits;
        // One word will do if x is left at least six more bits than it has values: rejections are rare then.
        let narrow = bound < 1 << (rest - 6);
        Self {
            index_bits,
            m,
            index_bound: (1 << index_bits) % m,
            low: if narrow { index_bits + 1 } else { 0 },
            wide: bound >= u32::MAX.into(),
            trials: 1.0 / acceptance,
            doubt,
        }
    }

    /// Words for each trial.
    pub(super) const fn words(&self) -> usize {
        if self.low == 0 { 2 } else { 1 }
    }

    /// (rectangle - 1, whether the choice is to be rejected) from the first word.
    #[inline(always)]
    fn rectangle(&self, word: u64) -> (usize, bool) {
        let mask = (1 << self.index_bits) - 1;
        let product = (word & mask) * self.m;
        ((product >> self.index_bits) as usize, product & mask < self.index_bound)
    }

    /// 0 or 1: the sign.
    #[inline(always)]
    const fn sign(&self, word: u64) -> i64 {
        (word >> self.index_bits & 1) as i64
    }

    /// (x, low half of the product) for x uniform in 0..n (Lemire 2019): `word` is the trial's last word.
    #[inline(always)]
    fn abscissa(&self, word: u64, n: u64) -> (u64, u64) {
        let product = u128::from(word >> self.low << self.low) * u128::from(n);
        ((product >> 64) as u64, product as u64)
    }

    /// The exact rejection rule for a low half below n 2^low: below 2^b mod n, b = 64 - low bits of randomness.
    fn rejects(&self, half: u64, n: u64) -> bool {
        let excess = ((1_u128 << (64 - self.low)) % u128::from(n)) as u64;
        half >> self.low < excess
    }
}

/// One rectangle, as the fast path wants it: two words side by side for the kernels.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Side {
    /// 1 + X_i.
    pub(super) n: u64,
    /// X_{i-1}.
    pub(super) left: u64,
}

/// Signed values of a block of trials, and a set bit for each that is not sure to be kept.
pub(super) struct Block {
    pub(super) values: [i64; BLOCK],
    /// Little-endian: bit j of byte k of group g is trial 64 g + 8 k + j.
    pub(super) doubt: [[u8; 8]; BLOCK / 64],
}

impl Block {
    pub(super) const fn new() -> Self {
        Self { values: [0; BLOCK], doubt: [[0; 8]; BLOCK / 64] }
    }
}

/// The fast path: every trial's value, and whether it lies in a left rectangle without any doubt.
fn trials<const WORDS: usize>(layout: &Layout, sides: &[Side], words: &[u64], block: &mut Block) {
    let groups = words.chunks(64 * WORDS).zip(block.values.chunks_mut(64)).zip(&mut block.doubt);
    for ((words, values), doubt) in groups {
        let mut bits = 0_u64;
        for (word, value) in words.as_chunks::<WORDS>().0.iter().zip(values) {
            let (index, again) = layout.rectangle(word[0]);
            let side = sides[index];
            let (x, half) = layout.abscissa(word[WORDS - 1], side.n);
            let sign = layout.sign(word[0]);
            *value = (x as i64 ^ -sign) + sign;
            // x - 1 wraps for x = 0.
            let sure = !again & (x.wrapping_sub(1) < side.left) & (half >= side.n << layout.low);
            bits = bits >> 1 | u64::from(!sure) << 63;
        }
        // The first trial's bit has been shifted once for each.
        bits >>= 64 - words.len() / WORDS;
        *doubt = bits.to_le_bytes();
    }
}

impl Ziggurat {
    /// Fills `out` from a source of words.
    pub(super) fn fill_from(&self, source: &mut impl Words, out: &mut [i64]) {
        let layout = &self.layout;
        let mut buffer = [0; 2 * BLOCK + SPARE];
        let mut block = Block::new();
        let mut done = 0;
        while done < out.len() {
            // Public numbers decide how much is drawn: the missing samples over the rates of rejection and doubt.
            let missing = (out.len() - done) as f64;
            let count = ((missing * layout.trials * 1.02) as usize + 1).min(BLOCK);
            let expected = count as f64 * layout.doubt;
            let spare = ((expected + 3.0 * expected.sqrt()) as usize + 1).min(SPARE);
            let used = count * layout.words();
            source.fill(&mut buffer[..used + spare]);
            let (words, drawn) = buffer[..used + spare].split_at(used);
            self.trials(&buffer, count, &mut block);
            let mut ahead = Ahead { drawn, source };
            done += self.settle(words, count, &mut block, &mut ahead, &mut out[done..]);
        }
        buffer.zeroize();
        block.values.zeroize();
        block.doubt.zeroize();
    }

    /// The fast path on the best instruction set, for the `count` trials at the front of `buffer`.
    pub(super) fn trials(&self, buffer: &[u64], count: usize, block: &mut Block) {
        let layout = &self.layout;
        let sides = &self.sides[..];
        // Two words are for laws too wide for one: there is no such narrow kernel.
        let shape = (layout.words(), layout.wide);
        #[cfg(target_arch = "x86_64")]
        {
            use super::{avx2, avx512};
            if let Some(token) = self.isa.avx512() {
                let kernel = match shape {
                    (1, false) => avx512::trials::<1, false>,
                    (1, true) => avx512::trials::<1, true>,
                    _ => avx512::trials::<2, true>,
                };
                return kernel(token, layout, sides, buffer, count, block);
            }
            if let Some(token) = self.isa.avx2() {
                let kernel = match shape {
                    (1, false) => avx2::trials::<1, false>,
                    (1, true) => avx2::trials::<1, true>,
                    _ => avx2::trials::<2, true>,
                };
                return kernel(token, layout, sides, buffer, count, block);
            }
        }
        let words = &buffer[..count * shape.0];
        match shape {
            (1, _) => trials::<1>(layout, sides, words, block),
            _ => trials::<2>(layout, sides, words, block),
        }
    }

    /// Decides the doubtful trials of a block, in order, and moves what is kept to `out`; returns how many.
    fn settle(
        &self,
        words: &[u64],
        count: usize,
        block: &mut Block,
        source: &mut impl Words,
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
            let mut dropped = 0;
            while doubt != 0 {
                let j = doubt.trailing_zeros() as usize;
                doubt &= doubt - 1;
                let at = (64 * group + j) * per;
                // Without a branch: about half of the closer looks drop.
                dropped |= u64::from(!self.keeps(words[at], words[at + per - 1], source)) << j;
            }
            let out = &mut out[done..];
            if dropped == 0 && values.len() <= out.len() {
                out[..values.len()].copy_from_slice(values);
                done += values.len();
            } else {
                let mut kept = 0;
                for (j, &value) in values.iter().enumerate() {
                    if kept == out.len() {
                        return done + kept;
                    }
                    out[kept] = value;
                    kept += (!dropped >> j & 1) as usize;
                }
                done += kept;
            }
        }
        done
    }

    /// The full rule for one trial.
    fn keeps(&self, first: u64, last: u64, source: &mut impl Words) -> bool {
        let layout = &self.layout;
        let (index, again) = layout.rectangle(first);
        if again {
            return false;
        }
        let Side { n, left } = self.sides[index];
        let (x, half) = layout.abscissa(last, n);
        if half < n << layout.low && layout.rejects(half, n) {
            return false;
        }
        if x == 0 {
            // +0 and -0 are one value: half of them go. At the top p(i, 0) may be below 1, as y_0 is above 1.
            return layout.sign(first) == 0
                && (index + 1 > self.capped || self.below(index, 0, source));
        }
        x <= left || self.below(index, x, source)
    }

    /// Draws u and decides u < p(i, x), i = index + 1.
    #[inline]
    fn below(&self, index: usize, x: u64, source: &mut impl Words) -> bool {
        let word = self.digits.word(0, source.word());
        let u = word as f64 * f64::from_bits((1023 - 64) << 52);
        if let Some(chords) = &self.chords
            && x > 0
        {
            match chords.verdict(index + 1, x, u) {
                Verdict::Keep => return true,
                Verdict::Drop => return false,
                Verdict::Unsure => {}
            }
        }
        let curve = &self.partition.curve;
        let (c, b) = self.lines[index];
        let (p, error) = curve.level_1(c, b, x as f64);
        if (p - u).abs() > error {
            return p > u;
        }
        compare::decide(curve, self.digits, (index + 1, x), word, source)
    }
}
