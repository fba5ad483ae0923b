//! Powers modulo numbers at the ends of what a width holds, by every arithmetic, against
//! num-bigint.
use num_bigint::BigUint;
use tautochrone_bignum::{Job, Method, Montgomery, Mul, modexp, modexp_batch, modexp_pair};
use tautochrone_simd::Isa;

use crate::numbers::{big, products_are_right};

fn limbs(x: &BigUint, n: usize) -> Vec<u64> {
    let mut limbs = x.to_u64_digits();
    limbs.resize(n, 0);
    limbs
}

/// 1, 2, 3, all ones, and 2^k - 1, 2^k, 2^k + 1 for k at the ends of limbs, of digits of 52 bits
/// and of vectors of them.
fn moduli(n: usize) -> Vec<Vec<u64>> {
    let bits = 64 * n as u64;
    let one = BigUint::from(1u8);
    let powers =
        [2, 52, 63, 64, 65, 384, 416, bits / 2, bits - 32, bits - 1].map(|k: u64| &one << k);
    let mut moduli: Vec<BigUint> =
        powers.iter().flat_map(|p| [p - 1u8, p.clone(), p + 1u8]).collect();
    moduli.extend([&one << 1, one.clone(), (&one << bits) - 1u8, (&one << bits) - 2u8]);
    moduli.retain(|m| m.bits() <= bits);
    moduli.sort();
    moduli.dedup();
    moduli.iter().map(|m| limbs(m, n)).collect()
}

fn check(isa: Isa, n: usize, moduli: &[Vec<u64>], exponent: &[u64]) {
    let one = BigUint::from(1u8);
    for high in [false, true] {
        let bases: Vec<Vec<u64>> = moduli
            .iter()
            .map(|m| if high { vec![u64::MAX; n] } else { limbs(&(big(m) - &one), n) })
            .collect();
        let want: Vec<BigUint> = moduli
            .iter()
            .zip(&bases)
            .map(|(m, b)| big(b).modpow(&big(exponent), &big(m)))
            .collect();
        let jobs: Vec<Job<'_>> = moduli
            .iter()
            .zip(&bases)
            .map(|(modulus, base)| Job { base, exponent, modulus })
            .collect();
        for method in [Method::Auto, Method::Barrett] {
            for ((job, want), r) in jobs.iter().zip(&want).zip(modexp_batch(isa, method, &jobs)) {
                assert_eq!(
                    &big(&r.expect("widths")),
                    want,
                    "{isa} {method:?} {n} {:x?}",
                    job.modulus
                );
                let mut r = vec![0; n];
                modexp(isa, method, &mut r, job.base, exponent, job.modulus).expect("widths");
                assert_eq!(&big(&r), want, "{isa} {method:?} {n} {:x?}", job.modulus);
                if job.modulus[0] & 1 == 1 {
                    let ring = Montgomery::new_on(isa, job.modulus).expect("odd");
                    ring.pow(&mut r, job.base, exponent).expect("widths");
                    assert_eq!(&big(&r), want, "{isa} Montgomery {n} {:x?}", job.modulus);
                }
            }
        }
    }
}

#[test]
fn powers_are_right_on_both_sides_of_vectors_and_rows() {
    for n in [1, 3, 4, 7, 8, 11, 33, 65] {
        for isa in Isa::all() {
            check(isa, n, &moduli(n), &[u64::MAX - 5]);
        }
    }
}

/// The widest in vectors, and one limb more.
#[test]
fn powers_are_right_at_the_widest_vectors_and_beyond() {
    for n in [512, 513] {
        let moduli = moduli(n);
        let [one, .., largest] = moduli.as_slice() else { unreachable!("there are many") };
        check(Isa::detect(), n, &[one.clone(), largest.clone()], &[6]);
    }
}

/// Each modulus with the next one, odd and even.
#[test]
fn pairs_are_right_at_both_ends_of_their_widths() {
    for isa in Isa::all() {
        for n in [6, 7, 9, 10, 12, 13, 16, 17] {
            let moduli = moduli(n);
            let (base, exponent) = (vec![u64::MAX; n], [u64::MAX, 0x8000_0000_0000_0001]);
            for pair in moduli.windows(2) {
                let jobs = [&pair[0], &pair[1]].map(|modulus| Job {
                    base: &base,
                    exponent: &exponent,
                    modulus,
                });
                let powers = modexp_pair(isa, Method::Auto, jobs);
                for (power, job) in powers.into_iter().zip(jobs) {
                    let want = big(&base).modpow(&big(&exponent), &big(job.modulus));
                    assert_eq!(big(&power.expect("a modulus")), want, "{isa} {n}");
                }
            }
        }
    }
    let zero = Job { base: &[1], exponent: &[1], modulus: &[0] };
    let one = Job { base: &[1], exponent: &[1], modulus: &[3] };
    let [bad, good] = modexp_pair(Isa::detect(), Method::Auto, [zero, one]);
    assert!(bad.is_err() && good == Ok(vec![1]));
}

/// Halves that are equal, zero, all ones, and less than the other half; on the stack and on the
/// heap.
#[test]
fn products_of_extreme_numbers_are_right() {
    for isa in Isa::all() {
        for n in [34, 64, 80, 128, 160] {
            let half = n / 2;
            let number = |low: u64, high: u64| -> Vec<u64> {
                (0..n).map(|i| if i < half { low } else { high }).collect()
            };
            let ones = u64::MAX;
            let numbers = [(0, 0), (ones, 0), (0, ones), (ones, ones), (1, ones), (ones, ones - 1)]
                .map(|(low, high)| number(low, high));
            for mul in [Mul::new_on(isa), Mul::new_on(isa).with_comba(8)] {
                for (x, y) in numbers.iter().flat_map(|x| numbers.iter().map(move |y| (x, y))) {
                    products_are_right(mul, x, y);
                }
            }
        }
    }
}

/// Carries through all columns and none, where low products are in one piece, and at other widths:
/// zero, all ones, one limb of ones, all ones but for one limb, every other limb.
#[test]
fn products_of_limbs_of_ones_and_zeros_are_right() {
    for n in [8, 16, 24, 32] {
        let limbs = |f: &dyn Fn(usize) -> bool| -> Vec<u64> {
            (0..n).map(|i| if f(i) { u64::MAX } else { 0 }).collect()
        };
        let mut numbers = vec![limbs(&|_| false), limbs(&|_| true)];
        numbers.extend([limbs(&|i| i & 1 == 0), limbs(&|i| i & 1 == 1), limbs(&|i| i & 8 == 0)]);
        for k in 0..n {
            numbers.extend([limbs(&|i| i == k), limbs(&|i| i != k), limbs(&|i| i < k)]);
        }
        for isa in Isa::all() {
            for (x, y) in numbers.iter().zip(numbers.iter().rev()) {
                products_are_right(Mul::new_on(isa), x, y);
            }
        }
    }
}
