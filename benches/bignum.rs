//! Products and exponentiation on one thread, compared with crypto-bigint and num-bigint; OpenSSL
//! and GMP are in `benches/peers`.
//!
//! `cargo bench --bench bignum`. Ids: `object/bits/implementation`; throughput in numbers.
//! `lanes/..` has both sides of each threshold between eight lanes and one exponentiation after the
//! other, `pair/..` the thresholds for pairs. `seed/..` is the table of bvt's unrolled Comba for
//! FFA: 100 exponentiations by Barrett, Comba up to 8, 16 or 32 limbs, Karatsuba above.
#![allow(missing_docs, reason = "criterion's macros")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tautochrone::bignum::{Barrett, Job, Method, Mul, modexp, modexp_batch, modexp_pair};
use tautochrone::simd::{Feature, Isa};
use tautochrone_benches::{bench, few_samples};

#[path = "peers/src/operands.rs"]
mod operands;
use operands::{Numbers, big, crypto_bigint_pow};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const BITS: [usize; 3] = [2048, 4096, 8192];
const ONE: Throughput = Throughput::Elements(1);

/// The portable code, the assembly, and the best there is.
fn tiers() -> Vec<(&'static str, Isa)> {
    let best = Isa::detect();
    let mut tiers = vec![("portable", Isa::PORTABLE)];
    if best.adx().is_some() {
        tiers.push(("adx", best.without(Feature::Ifma)));
    }
    if best.ifma().is_some() {
        tiers.push(("ifma", best));
    }
    tiers
}

fn products(c: &mut Criterion) {
    for bits in BITS {
        let n = bits / 64;
        let mut numbers = Numbers(1);
        let (x, y) = (numbers.full(n), numbers.full(n));
        let (bx, by) = (big(&x), big(&y));
        let mut z = vec![0; 2 * n];
        let group = &format!("product/{bits}");
        for (name, isa) in tiers().into_iter().take(2) {
            let mul = Mul::new_on(isa);
            mul.mul(&mut z, &x, &y);
            assert_eq!(big(&z), &bx * &by, "product");
            bench(c, group, &format!("mul-{name}"), ONE, || mul.mul(&mut z, &x, &y));
            bench(c, group, &format!("square-{name}"), ONE, || mul.square(&mut z, &x));
            bench(c, group, &format!("low-{name}"), ONE, || mul.mul_low(&mut z[..n], &x, &y));
        }
        bench(c, group, "mul-num-bigint", ONE, || black_box(&bx) * black_box(&by));
    }
}

fn powers(c: &mut Criterion) {
    for bits in BITS {
        let n = bits / 64;
        let mut numbers = Numbers(bits as u64);
        let (base, exponent) = (numbers.full(n), numbers.full(n));
        for parity in [1, 0] {
            let mut m = numbers.full(n);
            m[0] = m[0] & !1 | parity;
            let title = if parity == 1 { "modexp-odd" } else { "modexp-even" };
            let group = &format!("{title}/{bits}");
            let want = big(&base).modpow(&big(&exponent), &big(&m));
            let mut r = vec![0; n];
            for (name, isa) in tiers() {
                modexp(isa, Method::Auto, &mut r, &base, &exponent, &m).expect("a modulus");
                assert_eq!(big(&r), want, "{name}");
                bench(c, group, name, ONE, || {
                    modexp(isa, Method::Auto, &mut r, &base, &exponent, &m)
                });
            }
            if Isa::detect().ifma().is_some() {
                let others: Vec<_> = (0..8).map(|_| (numbers.full(n), numbers.full(n))).collect();
                let jobs: Vec<Job<'_>> = others
                    .iter()
                    .map(|(base, exponent)| Job { base, exponent, modulus: &m })
                    .collect();
                bench(c, group, "ifma-8-lanes", Throughput::Elements(8), || {
                    modexp_batch(Isa::detect(), Method::Barrett, &jobs)
                });
            }
            if let Some(peer) = crypto_bigint_pow(bits).filter(|_| parity == 1) {
                assert_eq!(big(&peer(&base, &exponent, &m)), want, "crypto-bigint");
                bench(c, group, "crypto-bigint", ONE, || peer(&base, &exponent, &m));
            }
            let (nb, ne, nm) = (big(&base), big(&exponent), big(&m));
            bench(c, group, "num-bigint", ONE, || nb.modpow(&ne, &nm));
        }
    }
}

/// A pass of eight lanes, one exponentiation for any modulus and for an odd one, at both ends of
/// each class of widths in `modexp::choose`; and a pair.
fn thresholds(c: &mut Criterion) {
    let isa = Isa::detect();
    if isa.ifma().is_none() {
        return;
    }
    for n in [2, 6, 7, 12, 13, 16, 19, 20, 25, 26, 32, 33, 48, 49, 64, 65, 128] {
        let mut numbers = Numbers(n as u64);
        let operands: Vec<[Vec<u64>; 3]> = (0..8)
            .map(|_| {
                let mut operands = [numbers.full(n), numbers.full(n), numbers.full(n)];
                operands[2][0] |= 1;
                operands
            })
            .collect();
        let jobs: Vec<Job<'_>> = operands
            .iter()
            .map(|[base, exponent, modulus]| Job { base, exponent, modulus })
            .collect();
        let mut r = vec![0; n];
        let group = &format!("lanes/{n}");
        let eight = Throughput::Elements(8);
        bench(c, group, "pass", eight, || modexp_batch(isa, Method::Barrett, &jobs));
        for (name, method) in [("any", Method::Barrett), ("odd", Method::Auto)] {
            let Job { base, exponent, modulus } = jobs[0];
            bench(c, group, name, ONE, || modexp(isa, method, &mut r, base, exponent, modulus));
        }
        if (7..=17).contains(&n) {
            let (group, pair) = (format!("pair/{n}"), [jobs[0], jobs[1]]);
            let two = Throughput::Elements(2);
            bench(c, &group, "pair", two, || modexp_pair(isa, Method::Auto, pair));
        }
    }
}

fn seed(c: &mut Criterion) {
    if Isa::detect().adx().is_none() {
        return;
    }
    for bits in BITS {
        let n = bits / 64;
        let mut numbers = Numbers(3);
        let [base, exponent, m] = [numbers.full(n), numbers.full(n), numbers.full(n)];
        let group = &format!("seed/{bits}");
        let want = big(&base).modpow(&big(&exponent), &big(&m));
        let mut r = vec![0; n];
        for words in [8, 16, 32] {
            let mul = Mul::new().with_comba(words);
            let run = |r: &mut [u64]| {
                let ring = Barrett::with(mul, &m).expect("a modulus");
                ring.pow(r, &base, &exponent).expect("widths");
            };
            run(&mut r);
            assert_eq!(big(&r), want, "comba-{words}");
            // One of the hundred: they all take the same time.
            bench(c, group, &format!("comba-{words}"), ONE, || run(&mut r));
        }
    }
}

criterion_group! { name = benches; config = few_samples(); targets = products, powers, thresholds, seed }
criterion_main!(benches);
