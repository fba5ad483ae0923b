//! Eight exponentiations side by side: one register holds one 52-bit digit of eight numbers (AVX-512 IFMA).
//!
//! beta = 2^52; D digits, a multiple of 8; L = 52 D - 32 >= 64 n bits.
//!
//! # The bound
//! Each lane scales its modulus: m' = m 2^s, 2^(L-1) <= m' < 2^L. mu is an approximation from below,
//! beta^(2D-1) / m' - mu < 1 + 2^-18. For a, b < 2 m' and x = a b < 4 m'^2:
//! ```text
//! q1 = columns D-1 .. 2D-2 of x, with the carry of column D-2 alone:  x / beta^(D-1) - q1 < 1 + 2^-41,
//! q  = columns from D on of q1 mu, carries from column D-1 alone,
//! r  = (x + q (beta^D - m')) mod beta^D.
//! ```
//! As beta^(D-1) / m' <= 2^-19 and q1 < 2^(2L+2) / beta^(D-1) = 2^(52D-10), x / m' exceeds q1 mu / beta^D by less than
//! (1 + 2^-41) 2^-19 + (1 + 2^-18) 2^-10, and the columns left out of q1 mu, below D - 1, are worth less than
//! 2 D 2^-52 < 2^-41: together below 2^-9. So q is floor(x / m') or one less, and 0 <= r < (1 + 2^-9) m': the loop
//! needs no conditional subtraction. One comes before the final shift a 2^s < 2^(2L) <= 4 m'^2, one after it.
//!
//! A column adds at most 4 D products below 2^52 before it is swept (2 D of x, 2 D of q (beta^D - m')), and
//! D <= 632 keeps that below 2^64.
//!
//! # Constant time
//! In bases, exponents and moduli: straight loops over public widths; shifts and table reads by masks.
#![allow(unsafe_code)]
use core::arch::x86_64::{__m512i, _mm512_set1_epi64, _mm512_setzero_si512};
use core::hint::black_box;

use tautochrone_simd::Ifma;

use crate::Job;

mod barrett;
mod product;
mod shift;

/// Numbers in one pass.
pub(crate) const LANES: usize = 8;
/// Widest modulus, in words: 52 D - 32 bits with D = 632.
pub(crate) const MAX_WORDS: usize = 512;

type V = __m512i;
/// Eight digits of eight numbers.
type Block = [V; 8];

/// A buffer of digits that is wiped when dropped.
struct Digits(Vec<Block>);

impl Digits {
    #[target_feature(enable = "avx512f")]
    fn zero(blocks: usize) -> Self {
        Self(vec![[_mm512_setzero_si512(); 8]; blocks])
    }
}

impl Drop for Digits {
    fn drop(&mut self) {
        for block in &mut self.0 {
            // SAFETY: all bit patterns are valid, and zero is one.
            *block = unsafe { core::mem::zeroed() };
        }
        // The buffer is observed after the stores, so they stay.
        black_box(self.0.as_ptr());
    }
}

/// Digits of a number of `words` words: 32 guard bits, rounded up to whole blocks.
fn blocks_for(words: usize) -> usize {
    (64 * words + 32).div_ceil(52).div_ceil(8)
}

/// Digit `j` of `x` in base 2^52.
fn digit(x: &[u64], j: usize) -> u64 {
    let (w, b) = ((52 * j) >> 6, 52 * j & 63);
    let low = x.get(w).copied().unwrap_or(0);
    let high = x.get(w + 1).copied().unwrap_or(0);
    (low >> b | (high << 1) << (63 - b)) & ((1 << 52) - 1)
}

#[target_feature(enable = "avx512f")]
fn splat(x: u64) -> V {
    _mm512_set1_epi64(x as i64)
}

/// Eight words as a register.
fn gather_words(words: [u64; LANES]) -> V {
    // SAFETY: both are 64 bytes without invalid patterns.
    unsafe { core::mem::transmute(words) }
}

/// The powers of up to eight `jobs`: bases and moduli of one width n <= [`MAX_WORDS`], no modulus zero. Missing lanes
/// compute modulo 1.
pub(crate) fn modexp(_: Ifma, jobs: &[Job<'_>]) -> Vec<Vec<u64>> {
    assert!(!jobs.is_empty() && jobs.len() <= LANES, "jobs of one pass");
    let n = jobs[0].modulus.len();
    assert!(n <= MAX_WORDS, "width of a pass");
    assert!(jobs.iter().all(|j| j.modulus.len() == n && j.base.len() == n), "one width");
    // SAFETY: the token proves that AVX-512 and IFMA were detected.
    unsafe { pass(jobs, n) }
}

#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn pass(jobs: &[Job<'_>], n: usize) -> Vec<Vec<u64>> {
    let nb = blocks_for(n);
    let one = [1];
    let lane = |of: &dyn Fn(&Job<'_>) -> u64, absent: u64| {
        let mut words = [absent; LANES];
        for (w, job) in words.iter_mut().zip(jobs) {
            *w = of(job);
        }
        gather_words(words)
    };
    let (mut base, mut modulus) = (Digits::zero(nb), Digits::zero(nb));
    for (j, v) in base.0.as_flattened_mut().iter_mut().enumerate() {
        *v = lane(&|job| digit(job.base, j), 0);
    }
    for (j, v) in modulus.0.as_flattened_mut().iter_mut().enumerate() {
        *v = lane(&|job| digit(job.modulus, j), digit(&one, j));
    }
    let width = jobs.iter().map(|job| job.exponent.len()).max().unwrap_or(0);
    let mut exponent = Digits::zero(width.div_ceil(8));
    for (j, v) in exponent.0.as_flattened_mut()[..width].iter_mut().enumerate() {
        *v = lane(&|job| job.exponent.get(j).copied().unwrap_or(0), 0);
    }
    let ring = barrett::Ring::new(&modulus);
    let power = ring.pow(&base, &exponent.0.as_flattened()[..width]);
    (0..jobs.len()).map(|lane| words_of(&power, lane, n)).collect()
}

/// Lane `lane` of swept digits, as `n` words.
fn words_of(x: &Digits, lane: usize, n: usize) -> Vec<u64> {
    let mut out = vec![0; n];
    for (j, &v) in x.0.as_flattened().iter().enumerate() {
        // SAFETY: both are 64 bytes without invalid patterns.
        let words: [u64; LANES] = unsafe { core::mem::transmute(v) };
        let (w, b) = ((52 * j) >> 6, 52 * j & 63);
        if let Some(o) = out.get_mut(w) {
            *o |= words[lane] << b;
        }
        if let Some(o) = out.get_mut(w + 1) {
            *o |= (words[lane] >> 1) >> (63 - b);
        }
    }
    out
}
