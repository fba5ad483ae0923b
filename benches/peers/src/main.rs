//! Exponentiation and products beside OpenSSL, GMP, s2n-bignum (products of 1024 and 2048 bits),
//! crypto-bigint and num-bigint on one thread:
//! every contestant runs once in each round, so that a drift of the clock hits all of them;
//! medians, and medians of the rounds' ratios.
//!
//! `cargo run --release -- [BITS].. [--rounds N]`; all results are compared before anything is
//! timed.
use std::hint::black_box;
use std::time::Instant;

use tautochrone_bignum::{Job, Method, Mul, modexp, modexp_batch, modexp_pair};
use tautochrone_simd::{Feature, Isa};

mod gmp;
mod openssl;
mod operands;
#[cfg(s2n_bignum)]
mod s2n;
use operands::{Numbers, big, crypto_bigint_pow};

/// A contestant: its name, how many results a call gives, and the call.
struct Contestant<'a> {
    name: String,
    results: u32,
    run: Box<dyn FnMut() + 'a>,
}

fn contestant<'a>(name: &str, results: u32, run: impl FnMut() + 'a) -> Contestant<'a> {
    Contestant { name: name.to_owned(), results, run: Box::new(run) }
}

fn median(mut x: Vec<f64>) -> f64 {
    x.sort_by(f64::total_cmp);
    x[x.len() / 2]
}

/// Prints nanoseconds per result, and how many times the time of ours each contestant takes, for
/// `ours` (columns).
fn race(title: &str, rounds: usize, repeat: u32, mut all: Vec<Contestant<'_>>, ours: &[usize]) {
    let mut times = vec![Vec::new(); all.len()];
    for _ in 0..rounds {
        for (c, times) in all.iter_mut().zip(&mut times) {
            let start = Instant::now();
            for _ in 0..repeat {
                (c.run)();
            }
            times.push(start.elapsed().as_nanos() as f64 / f64::from(repeat * c.results));
        }
    }
    print!("\n### {title}\n| | ns |");
    for &o in ours {
        print!(" / {} |", all[o].name);
    }
    println!("\n|---|---|{}", "---|".repeat(ours.len()));
    for (i, c) in all.iter().enumerate() {
        print!("| {} | {:.0} |", c.name, median(times[i].clone()));
        for &o in ours {
            let ratios = times[i].iter().zip(&times[o]).map(|(a, b)| a / b).collect();
            print!(" {:.2} |", median(ratios));
        }
        println!();
    }
}

fn powers(bits: usize, rounds: usize) {
    let n = bits / 64;
    let mut numbers = Numbers(bits as u64);
    let (base, exponent) = (numbers.full(n), numbers.full(n));
    let (mut odd, mut even) = (numbers.full(n), numbers.full(n));
    odd[0] |= 1;
    even[0] &= !1;
    let best = Isa::detect();
    let without = best.without(Feature::Ifma);
    let scalar = best.without(Feature::Avx2);
    let single = |isa, method, m: &[u64]| {
        let mut r = vec![0; n];
        modexp(isa, method, &mut r, &base, &exponent, m).expect("a modulus");
        r
    };
    let others: Vec<[Vec<u64>; 3]> =
        (0..8).map(|_| [numbers.full(n), numbers.full(n), numbers.full(n)]).collect();
    let mut jobs: Vec<Job<'_>> =
        others.iter().map(|[b, e, m]| Job { base: b, exponent: e, modulus: m }).collect();
    // Lanes 0 and 1 have the problems that the others solve.
    jobs[0] = Job { base: &base, exponent: &exponent, modulus: &odd };
    jobs[1] = Job { base: &base, exponent: &exponent, modulus: &even };

    let (gb, ge) = (gmp::Integer::new(&base), gmp::Integer::new(&exponent));
    let (go, gm) = (gmp::Integer::new(&odd), gmp::Integer::new(&even));
    let (ob, oe) = (openssl::Number::new(&base), openssl::Number::new(&exponent));
    let (oo, om) = (openssl::Number::new(&odd), openssl::Number::new(&even));
    let (nb, ne, no, nm) = (big(&base), big(&exponent), big(&odd), big(&even));
    let peer = crypto_bigint_pow(bits);

    // Everybody agrees.
    let mut g = gmp::Integer::new(&[]);
    let mut o = openssl::Number::new(&[]);
    g.pow_sec(&gb, &ge, &go);
    let want_odd = g.words(n);
    g.pow(&gb, &ge, &gm);
    let want_even = g.words(n);
    o.pow_consttime(&ob, &oe, &oo);
    assert_eq!(o.words(n), want_odd, "OpenSSL");
    o.pow(&ob, &oe, &om);
    assert_eq!(o.words(n), want_even, "OpenSSL, even");
    for isa in [best, without, scalar] {
        for method in [Method::Auto, Method::Barrett] {
            assert_eq!(single(isa, method, &odd), want_odd, "ours {isa}");
            assert_eq!(single(isa, method, &even), want_even, "ours {isa}, even");
        }
    }
    let lanes = modexp_batch(best, Method::Auto, &jobs);
    assert_eq!(lanes[0].as_ref(), Ok(&want_odd), "ours in lanes");
    assert_eq!(lanes[1].as_ref(), Ok(&want_even), "ours in lanes, even");
    if let Some(peer) = peer {
        assert_eq!(peer(&base, &exponent, &odd), want_odd, "crypto-bigint");
    }
    assert_eq!(nb.modpow(&ne, &no), big(&want_odd), "num-bigint");

    let (mut g1, mut g2, mut g3) =
        (gmp::Integer::new(&[]), gmp::Integer::new(&[]), gmp::Integer::new(&[]));
    let (mut o1, mut o2) = (openssl::Number::new(&[]), openssl::Number::new(&[]));
    let mut all = vec![
        contestant("ours, one", 1, || drop(black_box(single(best, Method::Auto, &odd)))),
        contestant("ours, 8 in lanes", 8, || {
            black_box(modexp_batch(best, Method::Auto, &jobs));
        }),
        contestant("ours, one, even", 1, || drop(black_box(single(best, Method::Auto, &even)))),
        contestant("ours, without IFMA, odd", 1, || {
            drop(black_box(single(without, Method::Auto, &odd)));
        }),
        contestant("ours, scalar, odd", 1, || {
            drop(black_box(single(scalar, Method::Auto, &odd)));
        }),
        contestant("ours, without IFMA, even", 1, || {
            drop(black_box(single(without, Method::Barrett, &even)));
        }),
        contestant("OpenSSL BN_mod_exp_mont_consttime, odd", 1, || o1.pow_consttime(&ob, &oe, &oo)),
        contestant("OpenSSL BN_mod_exp, even, variable time", 1, || o2.pow(&ob, &oe, &om)),
        contestant("GMP mpz_powm_sec, odd", 1, || g1.pow_sec(&gb, &ge, &go)),
        contestant("GMP mpz_powm, odd, variable time", 1, || g2.pow(&gb, &ge, &go)),
        contestant("GMP mpz_powm, even, variable time", 1, || g3.pow(&gb, &ge, &gm)),
    ];
    if let Some(peer) = peer {
        let (base, exponent, odd) = (&base, &exponent, &odd);
        all.push(contestant("crypto-bigint FixedMontyForm::pow, odd", 1, move || {
            drop(black_box(peer(base, exponent, odd)));
        }));
    }
    all.push(contestant("num-bigint modpow, odd, variable time", 1, || {
        drop(black_box(nb.modpow(&ne, &no)));
    }));
    if bits <= 4096 {
        all.push(contestant("num-bigint modpow, even, variable time", 1, || {
            drop(black_box(nb.modpow(&ne, &nm)));
        }));
    }
    race(&format!("modexp, {bits} bits"), rounds, 1, all, &[0, 1, 2, 3]);
}

/// Two odd moduli at once, one after the other, and OpenSSL's pair.
fn pairs(bits: usize, rounds: usize) {
    let n = bits / 64;
    let mut numbers = Numbers(bits as u64 + 2);
    let operands = [(); 2].map(|()| {
        let mut operands = [numbers.full(n), numbers.full(n), numbers.full(n)];
        operands[2][0] |= 1;
        operands
    });
    let jobs = [0, 1].map(|i| {
        let [base, exponent, modulus] = &operands[i];
        Job { base, exponent, modulus }
    });
    let peers =
        [0, 1].map(|i: usize| [0, 1, 2].map(|j: usize| openssl::Number::new(&operands[i][j])));
    let peers = [0, 1].map(|i: usize| [&peers[i][0], &peers[i][1], &peers[i][2]]);
    let (mut o1, mut o2) = (openssl::Number::new(&[]), openssl::Number::new(&[]));
    openssl::Number::pow_consttime_x2([&mut o1, &mut o2], peers);
    let isa = Isa::detect();
    let ours = modexp_pair(isa, Method::Auto, jobs).map(|power| power.expect("a modulus"));
    assert_eq!(ours, [o1.words(n), o2.words(n)], "pairs");
    let mut r = vec![0; n];
    let all = vec![
        contestant("ours, a pair", 1, || drop(black_box(modexp_pair(isa, Method::Auto, jobs)))),
        contestant("ours, one after the other", 1, || {
            for Job { base, exponent, modulus } in jobs {
                modexp(isa, Method::Auto, &mut r, base, exponent, modulus).expect("a modulus");
            }
        }),
        contestant("OpenSSL BN_mod_exp_mont_consttime_x2", 1, || {
            openssl::Number::pow_consttime_x2([&mut o1, &mut o2], peers);
        }),
    ];
    race(&format!("two powers, {bits} bits"), rounds, 1, all, &[0]);
}

fn products(bits: usize, rounds: usize) {
    let n = bits / 64;
    let mut numbers = Numbers(bits as u64 + 1);
    let (x, y) = (numbers.full(n), numbers.full(n));
    let (mul, general) = (Mul::new(), Mul::new_on(Isa::detect_vectors().without(Feature::Ifma)));
    let mut want = vec![0; 2 * n];
    let mut z = vec![0; 2 * n];
    for mul in [mul, general] {
        gmp::mul(&mut want, &x, &y);
        mul.mul(&mut z, &x, &y);
        assert_eq!(z, want, "product");
        mul.mul_low(&mut z[..n], &x, &y);
        assert_eq!(z[..n], want[..n], "low product");
        gmp::square(&mut want, &x);
        mul.square(&mut z, &x);
        assert_eq!(z, want, "square");
    }
    let mut buffers = vec![vec![0; 2 * n]; 11];
    let [a, b, c, d, e, f, g, h, i, j, k] = &mut buffers[..] else { unreachable!("eleven") };
    let (ox, oy) = (openssl::Number::new(&x), openssl::Number::new(&y));
    let (mut o1, mut o2) = (openssl::Number::new(&[]), openssl::Number::new(&[]));
    let mut all = vec![
        contestant("ours, product", 1, || mul.mul(black_box(a), &x, &y)),
        contestant("ours, square", 1, || mul.square(black_box(b), &x)),
        contestant("ours, low product", 1, || mul.mul_low(&mut black_box(&mut *c)[..n], &x, &y)),
        contestant("general registers, product", 1, || general.mul(black_box(g), &x, &y)),
        contestant("general registers, square", 1, || general.square(black_box(h), &x)),
        contestant("general registers, low product", 1, || {
            general.mul_low(&mut black_box(&mut *i)[..n], &x, &y);
        }),
        contestant("GMP mpn_mul_n", 1, || gmp::mul(black_box(d), &x, &y)),
        contestant("GMP mpn_sqr", 1, || gmp::square(black_box(e), &x)),
        contestant("GMP mpn_mullo_n", 1, || gmp::mul_low(black_box(f), &x, &y)),
        contestant("OpenSSL BN_mul", 1, || o1.mul(&ox, &oy)),
        contestant("OpenSSL BN_sqr", 1, || o2.square(&ox)),
    ];
    #[cfg(s2n_bignum)]
    if s2n::has(n) {
        s2n::mul(j, &x, &y);
        gmp::mul(&mut want, &x, &y);
        assert_eq!(*j, want, "s2n-bignum, product");
        s2n::square(k, &x);
        gmp::square(&mut want, &x);
        assert_eq!(*k, want, "s2n-bignum, square");
        all.push(contestant("s2n-bignum kmul", 1, || s2n::mul(black_box(j), &x, &y)));
        all.push(contestant("s2n-bignum ksqr", 1, || s2n::square(black_box(k), &x)));
    }
    #[cfg(not(s2n_bignum))]
    let _ = (j, k, &mut all);
    race(&format!("products, {bits} bits"), rounds, 1000, all, &[0, 1, 2, 3, 4, 5]);
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut sizes, mut rounds) = (Vec::new(), None);
    while let Some(a) = arguments.next() {
        if a == "--rounds" {
            rounds = arguments.next().and_then(|r| r.parse::<usize>().ok());
        } else {
            sizes.push(a.parse::<usize>().expect("a size in bits"));
        }
    }
    if sizes.is_empty() {
        sizes = vec![2048, 4096, 8192];
    }
    println!("{}, one thread", Isa::detect());
    for bits in sizes {
        products(bits, rounds.unwrap_or(100));
        pairs(bits, rounds.unwrap_or(100).min(100 * 2048 / bits));
        powers(bits, rounds.unwrap_or(40 * 2048 * 2048 / bits / bits).max(3));
    }
}
