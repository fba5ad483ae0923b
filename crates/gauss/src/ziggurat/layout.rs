//! [`Layout`]: how the bits of a trial select a sign, a rectangle and x. [`Block`]: the results of
//! trials.

use tautochrone_simd::wipe_on_drop;

#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use crate::float::CoreFloat as _;

/// Trials in a block.
pub(super) const BLOCK: usize = 512;
/// Words of the buffer beyond two for each trial, for the comparisons.
pub(super) const SPARE: usize = 256;

/// How one trial's bits are dealt out; public numbers of (sigma, m).
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Bits that choose the rectangle: log2 m, or 24 where m is not a power of two.
    pub(super) index_bits: u32,
    /// m.
    pub(super) m: u64,
    /// Rejection bound of the choice: 2^index_bits mod m.
    pub(super) index_bound: u64,
    /// Bits of the first word that do not belong to x: index and sign, or 0 where x has a word of
    /// its own.
    pub(super) low: u32,
    /// Whether 1 + X_m takes more than 32 bits.
    pub(super) wide: bool,
    /// Expected trials for a sample.
    pub(super) trials: f64,
    /// Probability that a trial needs a closer look.
    pub(super) doubt: f64,
}

impl Layout {
    pub(super) fn new(m: usize, bound: u64, acceptance: f64, doubt: f64) -> Self {
        let m = m as u64;
        let index_bits = if m.is_power_of_two() { m.trailing_zeros() } else { 24 };
        let rest = 63 - index_bits;
        // One word will do if x is left at least six more bits than it has values: rejections are
        // rare then.
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

    /// Trials that surely give almost as many samples as are missing: these over the rate of
    /// rejection.
    pub(super) fn trials_for(&self, missing: usize) -> usize {
        (missing as f64 * self.trials * 1.02) as usize + 1
    }

    /// (words of so many trials, words drawn ahead for their comparisons): public numbers decide.
    pub(super) fn draws(&self, trials: usize) -> (usize, usize) {
        let expected = trials as f64 * self.doubt;
        let spare = ((expected + 3.0 * expected.sqrt()) as usize + 1).min(SPARE);
        (trials * self.words(), spare)
    }

    /// Words for each trial.
    pub(super) const fn words(&self) -> usize {
        if self.low == 0 { 2 } else { 1 }
    }

    /// (rectangle - 1, whether the choice is to be rejected) from the first word.
    #[inline(always)]
    pub(super) fn rectangle(&self, word: u64) -> (usize, bool) {
        let mask = (1 << self.index_bits) - 1;
        let product = (word & mask) * self.m;
        ((product >> self.index_bits) as usize, product & mask < self.index_bound)
    }

    /// 0 or 1: the sign.
    #[inline(always)]
    pub(super) const fn sign(&self, word: u64) -> i64 {
        (word >> self.index_bits & 1) as i64
    }

    /// (x, low half of the product) for x uniform in 0..n (Lemire 2019): `word` is the trial's last
    /// word.
    #[inline(always)]
    pub(super) fn abscissa(&self, word: u64, n: u64) -> (u64, u64) {
        let product = u128::from(word >> self.low << self.low) * u128::from(n);
        ((product >> 64) as u64, product as u64)
    }

    /// The exact rejection rule for a low half below n 2^low: below 2^b mod n, b = 64 - low bits of
    /// randomness.
    pub(super) fn rejects(&self, half: u64, n: u64) -> bool {
        let excess = ((1_u128 << (64 - self.low)) % u128::from(n)) as u64;
        half >> self.low < excess
    }
}

/// One rectangle, as the fast path takes it: two adjacent words for the kernels.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Side {
    /// 1 + X_i.
    pub(super) n: u64,
    /// X_{i-1}.
    pub(super) left: u64,
}

/// Signed values of a block of trials, and a set bit for each that the fast path does not accept
/// for certain; erased on drop.
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

wipe_on_drop!(Block, values: 0, doubt: [0; 8]);
