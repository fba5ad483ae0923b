//! Eight exponentiations at once on AVX-512 IFMA: one register holds one 52-bit digit of eight
//! numbers.
//!
//! beta = 2^52; D digits, a multiple of 8; L = 52 D - 32 >= 64 n bits.
//!
//! # The bound
//! Each lane scales its modulus: m' = m 2^s, 2^(L-1) <= m' < 2^L. mu is an approximation from
//! below, beta^(2D-1) / m' - mu < 1 + 2^-18. For a, b < 2 m' and x = a b < 4 m'^2:
//! ```text
//! q1 = columns D-1 .. 2D-2 of x, with the carry of column D-2 alone:
//!      x / beta^(D-1) - q1 < 1 + 2^-41,
//! q  = columns from D on of q1 mu, carries from column D-1 alone,
//! r  = (x + q (beta^D - m')) mod beta^D.
//! ```
//! As beta^(D-1) / m' <= 2^-19 and q1 < 2^(2L+2) / beta^(D-1) = 2^(52D-10), x / m' exceeds q1 mu /
//! beta^D by less than (1 + 2^-41) 2^-19 + (1 + 2^-18) 2^-10, and the columns left out of q1 mu,
//! below D - 1, are worth less than 2 D 2^-52 < 2^-41: together below 2^-9. So q is floor(x / m')
//! or one less, and 0 <= r < (1 + 2^-9) m': the loop needs no conditional subtraction. One comes
//! before the final shift a 2^s < 2^(2L) <= 4 m'^2, one after it.
//!
//! A column adds at most 4 D products below 2^52 before it is swept (2 D of x, 2 D of q (beta^D -
//! m')), and D <= 632 keeps that below 2^64.
//!
//! # Constant time
//! In bases, exponents and moduli: straight loops over public widths; shifts and table reads by
//! masks.
use core::array::from_fn;

use tautochrone_simd::{Token, vectorize};

use super::job::Job;
use crate::digits::digit;
use crate::radix52::{Digits, LANES, RADIX, Radix52, Scaled, zeros};

mod barrett;
mod product;

/// Widest modulus, in limbs: 52 D - 32 bits with D = 632.
pub(crate) const MAX_LIMBS: usize = 512;

/// The powers of up to eight `jobs`: bases and moduli of one width n <= [`MAX_LIMBS`], no modulus
/// zero. Missing lanes compute modulo 1.
pub(crate) fn modexp<V: Radix52>(token: V::Token, jobs: &[Job<'_>]) -> Vec<Vec<u64>> {
    assert!(!jobs.is_empty() && jobs.len() <= LANES, "jobs of one pass");
    let n = jobs[0].modulus.len();
    assert!(n <= MAX_LIMBS, "width of a pass");
    assert!(jobs.iter().all(|j| j.modulus.len() == n && j.base.len() == n), "one width");
    vectorize!(token, pass::<V>(token, jobs, n))
}

/// `d` digits of the number of each lane.
#[inline(always)]
fn digits_of<V: Radix52>(token: V::Token, x: [&[u64]; LANES], d: usize) -> Digits<V> {
    let mut digits = zeros::<V>(token, d);
    for (j, v) in digits.iter_mut().enumerate() {
        *v = V::from_array(token, x.map(|x| digit::<RADIX>(x, j)));
    }
    digits
}

#[inline(always)]
fn pass<V: Radix52>(token: V::Token, jobs: &[Job<'_>], n: usize) -> Vec<Vec<u64>> {
    // 32 guard bits, rounded up to whole blocks of eight digits.
    let d = (64 * n + 32).div_ceil(RADIX).next_multiple_of(8);
    let moduli = from_fn(|l| Scaled::new(jobs.get(l).map_or(&[1][..], |job| job.modulus), d));
    let base = digits_of(token, from_fn(|l| jobs.get(l).map_or(&[][..], |job| job.base)), d);
    let longest = jobs.iter().map(|job| job.exponent.len()).max().unwrap_or(0);
    let mut exponent = zeros::<V>(token, longest);
    for (j, v) in exponent.iter_mut().enumerate() {
        let limb = |l: usize| jobs.get(l).and_then(|job| job.exponent.get(j)).copied().unwrap_or(0);
        *v = V::from_array(token, from_fn(limb));
    }
    let powers = barrett::modexp(token, &base, &exponent, moduli);
    powers.iter().take(jobs.len()).map(|power| power[..n].to_vec()).collect()
}

// For kernels for x86-64: elsewhere, where nothing runs them, registers of so many lanes in memory
// take a compiler half an hour.
#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use tautochrone_simd::vector::Emulated;

    use super::*;
    use crate::check::big;

    /// On emulated registers, with operands at the ends of their range;
    /// `tests/agreement/batches.rs` has more for a CPU with the instructions.
    #[test]
    fn emulated_lanes_compute_powers_of_extreme_operands() {
        for n in [1, 6, 7, 13] {
            let numbers = |k: u64| -> Vec<Vec<u64>> {
                (0..8)
                    .map(|l| (0..n).map(|i| u64::MAX << (k * l * (i as u64 & 1))).collect())
                    .collect()
            };
            let (bases, mut moduli) = (numbers(1), numbers(7));
            moduli[7] = vec![0; n];
            moduli[7][n >> 1] = 1;
            let jobs: Vec<Job<'_>> = bases
                .iter()
                .zip(&moduli)
                .map(|(base, modulus)| Job { base, exponent: &[u64::MAX - 1, 5], modulus })
                .collect();
            let powers = modexp::<Emulated<8>>((), &jobs);
            for (job, power) in jobs.iter().zip(&powers) {
                let want = big(job.base).modpow(&big(job.exponent), &big(job.modulus));
                assert_eq!(big(power), want, "{n} {job:?}");
            }
        }
    }
}
