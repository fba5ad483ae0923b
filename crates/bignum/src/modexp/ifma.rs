//! One exponentiation at a time on AVX-512 IFMA: registers hold eight digits of one number.
//!
//! beta = 2^52. [`montgomery`] is for odd moduli, [`barrett`] for any, in the same time for all of
//! one width; [`pair`] is for two odd moduli at once.
//!
//! # Constant time
//! In base, exponent and modulus: straight loops over public widths; shifts and table reads by
//! masks; carries ripple in the adder of general registers.
use crate::digits::digit;
use crate::radix52::{Digits, LANES, RADIX, Radix52, zeros};

pub(crate) mod barrett;
pub(crate) mod montgomery;
pub(crate) mod pair;

/// Bits of a window: 32 entries, one product for five squarings. With 64 entries, reading one would
/// cost more than the products that it saves.
const WINDOW: usize = 5;

/// Digits of a number.
#[inline(always)]
fn digits_of<V: Radix52>(token: V::Token, x: &[u64], registers: usize) -> Digits<V> {
    let mut digits = zeros(token, registers);
    split(token, &mut digits, x);
    digits
}

/// out := digits of x.
#[inline(always)]
fn split<V: Radix52>(token: V::Token, out: &mut [V], x: &[u64]) {
    for (k, v) in out.iter_mut().enumerate() {
        *v = V::from_array(token, core::array::from_fn(|l| digit::<RADIX>(x, LANES * k + l)));
    }
}

// For kernels for x86-64: elsewhere, where nothing runs them, registers of so many lanes in memory
// take a compiler half an hour.
#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use tautochrone_simd::Isa;
    use tautochrone_simd::vector::{Emulated, U64x8};

    use super::*;
    use crate::check::{big, check, with_secret};
    use crate::modexp::job::Job;
    use crate::radix52::DIGIT;
    use crate::radix52::normalise;

    /// Widths of one part, of several, of several parts of columns.
    #[test]
    fn barrett_is_right_for_one_and_several_parts_of_columns() {
        let widths = [2, 5, 6, 7, 12, 32, 130];
        check((), with_secret(barrett::modexp::<Emulated<8>>), &widths, true);
        check((), with_secret(barrett::modexp::<Emulated<8>>), &[1], false);
        if let Some(ifma) = Isa::detect().ifma() {
            check(ifma, with_secret(barrett::modexp::<U64x8<_>>), &widths, true);
        }
    }

    /// Numbers of registers with columns ahead, and without, at both ends of their widths.
    #[test]
    fn montgomery_is_right_at_both_ends_of_each_number_of_registers() {
        check((), with_secret(montgomery::modexp::<Emulated<8>>), &[1, 12, 13, 51], false);
        if let Some(ifma) = Isa::detect().ifma() {
            let ends = [1, 6, 7, 12, 13, 19, 20, 25, 26, 32, 33, 38, 39, 51, 52, 64];
            check(ifma, with_secret(montgomery::modexp::<U64x8<_>>), &ends, false);
        }
    }

    /// A pair is two powers: the one to be checked with one of another width, base and exponent, on
    /// either side.
    #[test]
    fn pairs_are_two_powers() {
        fn both<V: pair::Register>(
            token: V::Token,
            r: &mut [u64],
            base: &[u64],
            exponent: &[u64],
            m: &[u64],
        ) {
            let job = Job { base, exponent, modulus: m };
            let n = m.len().saturating_sub(2).max(1);
            let modulus: Vec<u64> = (0..n as u64).map(|i| (!i << (i & 5)) | 1).collect();
            let exponent = &[0x8000_0000_0000_0001, 5];
            let other = Job { base: &base[..n], exponent, modulus: &modulus };
            let want = big(&base[..n]).modpow(&big(exponent), &big(&modulus));
            let [first, second] = pair::modexp::<V>(token, [job, other]);
            assert_eq!(big(&second), want);
            assert_eq!(pair::modexp::<V>(token, [other, job]), [second, first.clone()]);
            r.copy_from_slice(&first);
        }
        check((), both::<Emulated<8>>, &[1, 12, 16], false);
        if let Some(ifma) = Isa::detect().ifma() {
            let ends = [1, 9, 10, 12, 13, 16];
            check(ifma, both::<U64x8<_>>, &ends, false);
        }
    }

    #[test]
    fn carries_ripple_across_registers_and_groups() {
        let digit = DIGIT;
        // (columns of the first lanes, what comes in, digits): the rest is zero; a run of all ones
        // passes a carry across registers and across groups of eight registers.
        for (run, start) in [(3, 0), (20, 1), (90, 5), (150, 60)] {
            let columns: Vec<u64> = (0..160)
                .map(|j| {
                    if j == start {
                        digit + 1
                    } else if j > start && j <= start + run {
                        digit
                    } else {
                        0
                    }
                })
                .collect();
            let mut x = zeros::<Emulated<8>>((), 20);
            for (x, columns) in x.iter_mut().zip(columns.as_chunks().0) {
                *x = Emulated::from_array((), *columns);
            }
            normalise((), &mut x, 0);
            let end = start + run + 1;
            let got: Vec<u64> = x.iter().flat_map(|v| v.to_array()).collect();
            let want: Vec<u64> = (0..160).map(|j| u64::from(j == end)).collect();
            assert_eq!(got, want, "{run} {start}");
        }
    }
}
