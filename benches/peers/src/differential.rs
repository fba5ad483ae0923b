//! Every operation against GMP, on random and hostile operands, on every instruction set: `cargo
//! test --release`.
use std::ffi::{c_int, c_ulong};

use tautochrone_bignum::{
    Barrett, Error, Job, Method, Montgomery, Mul, convert, div, fz, gcd, modexp, modexp_batch,
    prime, shift,
};
use tautochrone_simd::Isa;

use crate::gmp::{self, Integer, Mpz};
use crate::operands::Numbers;

#[link(name = "gmp")]
unsafe extern "C" {
    fn __gmpz_add(r: *mut Mpz, x: *const Mpz, y: *const Mpz);
    fn __gmpz_sub(r: *mut Mpz, x: *const Mpz, y: *const Mpz);
    fn __gmpz_mul(r: *mut Mpz, x: *const Mpz, y: *const Mpz);
    fn __gmpz_fdiv_q(r: *mut Mpz, x: *const Mpz, y: *const Mpz);
    fn __gmpz_fdiv_r(r: *mut Mpz, x: *const Mpz, y: *const Mpz);
    fn __gmpz_and(r: *mut Mpz, x: *const Mpz, y: *const Mpz);
    fn __gmpz_ior(r: *mut Mpz, x: *const Mpz, y: *const Mpz);
    fn __gmpz_xor(r: *mut Mpz, x: *const Mpz, y: *const Mpz);
    fn __gmpz_gcd(r: *mut Mpz, x: *const Mpz, y: *const Mpz);
    fn __gmpz_mul_2exp(r: *mut Mpz, x: *const Mpz, bits: c_ulong);
    fn __gmpz_fdiv_q_2exp(r: *mut Mpz, x: *const Mpz, bits: c_ulong);
    fn __gmpz_fdiv_r_2exp(r: *mut Mpz, x: *const Mpz, bits: c_ulong);
    fn __gmpz_invert(r: *mut Mpz, x: *const Mpz, m: *const Mpz) -> c_int;
    fn __gmpz_cmp(x: *const Mpz, y: *const Mpz) -> c_int;
    fn __gmpz_probab_prime_p(x: *const Mpz, rounds: c_int) -> c_int;
}

type Binary = unsafe extern "C" fn(*mut Mpz, *const Mpz, *const Mpz);

/// f(x, y) modulo 2^(64 n), in n words.
fn of(f: Binary, x: &[u64], y: &[u64], n: usize) -> Vec<u64> {
    let (x, y, mut r) = (Integer::new(x), Integer::new(y), Integer::new(&[]));
    // SAFETY: all are initialised; divisors are not zero.
    unsafe {
        f(r.raw_mut(), x.raw(), y.raw());
        let whole: *const Mpz = r.raw();
        __gmpz_fdiv_r_2exp(r.raw_mut(), whole, 64 * n as c_ulong);
    }
    r.words(n)
}

/// x shifted by `bits`, modulo 2^(64 n).
fn shifted(
    f: unsafe extern "C" fn(*mut Mpz, *const Mpz, c_ulong),
    x: &[u64],
    bits: usize,
) -> Vec<u64> {
    let (y, mut r) = (Integer::new(x), Integer::new(&[]));
    // SAFETY: all are initialised.
    unsafe {
        f(r.raw_mut(), y.raw(), bits as c_ulong);
        let whole: *const Mpz = r.raw();
        __gmpz_fdiv_r_2exp(r.raw_mut(), whole, 64 * x.len() as c_ulong);
    }
    r.words(x.len())
}

/// x^-1 modulo m, if there is one.
fn inverse(x: &[u64], m: &[u64]) -> Option<Vec<u64>> {
    let (x, y, mut r) = (Integer::new(x), Integer::new(m), Integer::new(&[]));
    // SAFETY: all are initialised, m is not zero.
    (unsafe { __gmpz_invert(r.raw_mut(), x.raw(), y.raw()) } != 0).then(|| r.words(m.len()))
}

fn power(x: &[u64], e: &[u64], m: &[u64]) -> Vec<u64> {
    let mut r = Integer::new(&[]);
    r.pow(&Integer::new(x), &Integer::new(e), &Integer::new(m));
    r.words(m.len())
}

/// Zero, one, all ones, a bit, ones up to a boundary, words at the ends of their range, random.
fn number(random: &mut Numbers, n: usize) -> Vec<u64> {
    let bit = random.word() as usize % (64 * n);
    let run = random.word() as usize % (n + 1);
    match random.word() % 10 {
        0 => vec![0; n],
        1 => (0..n).map(|i| u64::from(i == 0)).collect(),
        2 => vec![u64::MAX; n],
        3 => (0..n).map(|i| if i == bit / 64 { 1 << (bit % 64) } else { 0 }).collect(),
        4 => (0..n).map(|i| if i < run { u64::MAX } else { 0 }).collect(),
        5 => (0..n).map(|_| [0, 1, u64::MAX, 1 << 63][random.word() as usize % 4]).collect(),
        _ => (0..n).map(|_| random.word()).collect(),
    }
}

/// Calls `check` with pairs of numbers of each width.
fn pairs(
    seed: u64,
    rounds: usize,
    widths: &[usize],
    mut check: impl FnMut(&mut Numbers, &[u64], &[u64]),
) {
    let mut random = Numbers(seed);
    for &n in widths {
        for _ in 0..rounds {
            let (x, y) = (number(&mut random, n), number(&mut random, n));
            check(&mut random, &x, &y);
        }
        let x = number(&mut random, n);
        check(&mut random, &x, &x);
    }
}

fn changed(x: &[u64], f: impl FnOnce(&mut [u64])) -> Vec<u64> {
    let mut x = x.to_vec();
    f(&mut x);
    x
}

#[test]
fn whole_numbers() {
    pairs(1, 200, &[1, 2, 5, 8, 17, 33], |random, x, y| {
        let n = x.len();
        let add = changed(x, |x| {
            fz::add(x, y);
        });
        let sub = changed(x, |x| {
            fz::sub(x, y);
        });
        assert_eq!(add, of(__gmpz_add, x, y, n));
        assert_eq!(sub, of(__gmpz_sub, x, y, n));
        assert_eq!(changed(y, fz::neg), of(__gmpz_sub, &[], y, n));
        assert_eq!(changed(x, |x| fz::and(x, y)), of(__gmpz_and, x, y, n));
        assert_eq!(changed(x, |x| fz::or(x, y)), of(__gmpz_ior, x, y, n));
        assert_eq!(changed(x, |x| fz::xor(x, y)), of(__gmpz_xor, x, y, n));
        let (a, b) = (Integer::new(x), Integer::new(y));
        // SAFETY: both are initialised.
        let order = unsafe { __gmpz_cmp(a.raw(), b.raw()) };
        assert_eq!(
            [fz::lt(x, y), fz::eq(x, y), fz::gt(x, y)],
            [order < 0, order == 0, order > 0].map(|is| if is { u64::MAX } else { 0 })
        );
        let distance = if order < 0 { of(__gmpz_sub, y, x, n) } else { of(__gmpz_sub, x, y, n) };
        assert_eq!(
            changed(x, |x| {
                fz::abs_diff(x, y);
            }),
            distance
        );
        let bits = random.word() as usize % (64 * n);
        let (left, right) =
            (shifted(__gmpz_mul_2exp, x, bits), shifted(__gmpz_fdiv_q_2exp, x, bits));
        assert_eq!(changed(x, |x| shift::shl(x, bits)), left);
        assert_eq!(changed(x, |x| shift::shr(x, bits)), right);
        assert_eq!(changed(x, |x| shift::quiet_shl(x, bits as u64)), left);
        assert_eq!(changed(x, |x| shift::quiet_shr(x, bits as u64)), right);
        let (left, right) =
            (shifted(__gmpz_mul_2exp, x, bits & 63), shifted(__gmpz_fdiv_q_2exp, x, bits & 63));
        assert_eq!(changed(x, |x| shift::sublimb_shl_soft(x, bits as u64 & 63)), left);
        assert_eq!(changed(x, |x| shift::sublimb_shr_soft(x, bits as u64 & 63)), right);
        assert_eq!(convert::from_hex(&convert::to_hex(x), n).as_deref(), Ok(x));
    });
}

#[test]
fn products() {
    pairs(2, 60, &[1, 7, 8, 9, 16, 24, 32, 33, 40, 64, 66, 128], |_, x, y| {
        let n = x.len();
        let (mut want, mut square) = (vec![0; 2 * n], vec![0; 2 * n]);
        gmp::mul(&mut want, x, y);
        gmp::square(&mut square, x);
        for mul in Isa::all().flat_map(|isa| {
            let mul = Mul::new_on(isa);
            [mul, mul.with_comba(32), mul.with_comba(16), mul.with_comba(8)]
        }) {
            let mut z = vec![1; 2 * n];
            mul.mul(&mut z, x, y);
            assert_eq!(z, want, "{mul:?}");
            mul.square(&mut z, x);
            assert_eq!(z, square, "{mul:?}");
            mul.mul_low(&mut z[..n], x, y);
            assert_eq!(z[..n], want[..n], "{mul:?}");
        }
    });
}

#[test]
fn division() {
    pairs(3, 60, &[1, 2, 5, 8, 32], |_, x, y| {
        let n = x.len();
        if fz::is_zero(y) != 0 {
            return;
        }
        let (mut q, mut r) = (x.to_vec(), vec![0; n]);
        div::div_rem(&mut q, &mut r, y);
        assert_eq!(q, of(__gmpz_fdiv_q, x, y, n));
        assert_eq!(r, of(__gmpz_fdiv_r, x, y, n));
    });
}

#[test]
fn modular() {
    pairs(4, 30, &[1, 2, 3, 8, 16, 24, 32, 34, 64, 72, 128], |random, x, m| {
        let n = m.len();
        if fz::is_zero(m) != 0 {
            assert_eq!(Barrett::new(m).err(), Some(Error::ZeroModulus));
            return;
        }
        let (y, e) = (number(random, n), number(random, 1));
        let wide = [&y[..], x].concat();
        let want = power(x, &e, m);
        let mut r = vec![0; n];
        for isa in Isa::all() {
            let ring = Barrett::new_on(isa, m).expect("not zero");
            ring.reduce(&mut r, &wide).expect("widths");
            assert_eq!(r, of(__gmpz_fdiv_r, &wide, m, n), "{isa}");
            ring.mul(&mut r, x, &y).expect("widths");
            assert_eq!(r, of(__gmpz_fdiv_r, &of(__gmpz_mul, x, &y, 2 * n), m, n), "{isa}");
            ring.square(&mut r, x).expect("widths");
            assert_eq!(r, power(x, &[2], m), "{isa}");
            ring.pow(&mut r, x, &e).expect("widths");
            assert_eq!(r, want, "{isa}");
            if m[0] & 1 == 1 {
                Montgomery::new_on(isa, m).expect("odd").pow(&mut r, x, &e).expect("widths");
                assert_eq!(r, want, "{isa}");
            }
            modexp(isa, Method::Auto, &mut r, x, &e, m).expect("widths");
            assert_eq!(r, want, "{isa}");
            let jobs = [Job { base: x, exponent: &e, modulus: m }; 8];
            for power in modexp_batch(isa, Method::Auto, &jobs) {
                assert_eq!(power.as_ref(), Ok(&want), "{isa}");
            }
        }
    });
}

#[test]
fn divisors_and_primes() {
    pairs(5, 60, &[1, 2, 4, 7], |random, x, m| {
        let n = m.len();
        let mut g = x.to_vec();
        gcd::gcd(&mut g, &mut m.to_vec());
        assert_eq!(g, of(__gmpz_gcd, x, m, n));
        if fz::is_zero(m) == 0 {
            let ours = gcd::inverse(x, m);
            // GMP has no inverse modulo 1; ours is 0.
            if *m == changed(m, |m| fz::set_limb(m, 1))[..] {
                assert_eq!(ours, Ok(vec![0; n]));
            } else {
                assert_eq!(ours.ok(), inverse(x, m));
            }
        }
        let witness = number(random, n);
        let candidate = Integer::new(m);
        // SAFETY: it is initialised.
        let is_prime = unsafe { __gmpz_probab_prime_p(candidate.raw(), 30) } != 0;
        let passed = prime::miller_rabin(m, &witness) == Ok(u64::MAX);
        assert!(passed || !is_prime, "a prime passes every witness");
        // A composite number passes at most a quarter of the witnesses: not twenty random ones.
        let all = (0..20).all(|_| {
            let witness: Vec<u64> = (0..n).map(|_| random.word()).collect();
            prime::miller_rabin(m, &witness) == Ok(u64::MAX)
        });
        assert_eq!(all, is_prime, "{m:?}");
    });
}
