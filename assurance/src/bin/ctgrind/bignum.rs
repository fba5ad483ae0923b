//! Big numbers: every value is secret, moduli and exponents included; widths are public.

use std::hint::black_box;

use tautochrone_assurance::valgrind::{secret, secret_array};
use tautochrone_bignum::{
    Barrett, Fixed, Job, Method, Montgomery, Mul, convert, div, fz, gcd, limb, modexp,
    modexp_batch, prime, shift,
};
use tautochrone_simd::Isa;

use crate::report::{Report, still_secret};

/// A secret number of `n` limbs.
fn number(n: usize, salt: u64) -> Vec<u64> {
    let mut x = salt | 1;
    let step = |_| {
        x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        x ^ x >> 29
    };
    secret((0..n).map(step).collect())
}

/// A secret odd number.
fn odd(n: usize, salt: u64) -> Vec<u64> {
    let mut x = number(n, salt);
    x[0] |= 1;
    secret(x)
}

/// Salts for the lanes of a register.
const LANES: [u64; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// The power of base, exponent and modulus.
fn job([base, exponent, modulus]: &[Vec<u64>; 3]) -> Job<'_> {
    Job { base, exponent, modulus }
}

pub fn check(report: &mut Report, isa: Isa) {
    products(report, isa);
    rings(report, isa);
    batch(report, isa);
    // The functions below have one implementation.
    if isa == Isa::PORTABLE {
        limbs(report);
        numbers(report);
        shifts(report);
        divisions(report);
        conversions(report);
        #[cfg(tautochrone_ctgrind)]
        vectors(report);
    }
}

fn products(report: &mut Report, isa: Isa) {
    let mul = Mul::new_on(isa);
    // FFA's columns in assembly.
    let comba = [8, 16, 32, 64].map(|n| ("comba", n, mul.with_comba(n)));
    // Columns, rows in assembly, Karatsuba once and twice, odd.
    let others = [1, 3, 8, 16, 32, 33, 64, 128].map(|n| ("mul", n, mul));
    for (name, n, mul) in comba.into_iter().chain(others) {
        report.clean(&format!("bignum/{name}/{n}/{isa}"), || {
            let (x, y) = (number(n, 1), number(n, 2));
            let mut z = vec![0; 2 * n];
            mul.mul(&mut z, &x, &y);
            still_secret(&z);
            mul.square(&mut z, &x);
            still_secret(&z);
            mul.mul_low(&mut z[..n], &x, &y);
            still_secret(&z);
        });
    }
}

fn rings(report: &mut Report, isa: Isa) {
    const N: usize = 8;
    report.clean(&format!("bignum/barrett/{isa}"), || {
        let ring = Barrett::new_on(isa, &number(N, 3)).expect("a modulus");
        let mut r = vec![0; N];
        ring.reduce(&mut r, &number(2 * N, 4)).expect("widths");
        ring.mul(&mut r, &number(N, 5), &number(N, 6)).expect("widths");
        ring.square(&mut r, &number(N, 5)).expect("widths");
        ring.pow(&mut r, &number(N, 5), &number(1, 9)).expect("widths");
        still_secret(&r);
    });
    // Limbs one by one, long rows by groups of 8 and 16 limbs, all at once, and by groups of 32;
    // windows of 6 bits.
    for (n, exponent) in [(3, 1), (8, 1), (16, 1), (32, 1), (96, 1), (3, 32)] {
        report.clean(&format!("bignum/montgomery/{n}, exponent {exponent}/{isa}"), || {
            let ring = Montgomery::new_on(isa, &odd(n, 3)).expect("a modulus");
            let mut r = vec![0; n];
            ring.pow(&mut r, &number(n, 5), &number(exponent, 9)).expect("widths");
            still_secret(&r);
        });
    }
    // Nine limbs are no whole row of general registers.
    let all = [Method::Auto, Method::Barrett, Method::Montgomery].map(|method| (method, N));
    for (method, n) in [(Method::Auto, 9)].into_iter().chain(all) {
        report.clean(&format!("bignum/modexp/{method:?}/{n}/{isa}"), || {
            let mut r = vec![0; n];
            modexp(isa, method, &mut r, &number(n, 5), &number(2, 9), &odd(n, 3)).expect("widths");
            still_secret(&r);
        });
    }
}

/// Eight at a time where the CPU has IFMA.
fn batch(report: &mut Report, isa: Isa) {
    const N: usize = 4;
    for (name, modulus) in [("any", number as fn(usize, u64) -> Vec<u64>), ("odd", odd)] {
        report.clean(&format!("bignum/batch/{name}/{isa}"), || {
            let operands = LANES.map(|l| [number(N, l), number(1, 9 + l), modulus(N, 20 + l)]);
            for r in modexp_batch(isa, Method::Auto, &operands.each_ref().map(job)) {
                still_secret(&r.expect("a modulus"));
            }
        });
    }
}

/// The kernels for AVX-512 IFMA, on emulated vectors.
#[cfg(tautochrone_ctgrind)]
fn vectors(report: &mut Report) {
    use tautochrone_bignum::emulated;

    use tautochrone_assurance::leaky;
    // One block of registers, and two.
    for n in [7, 26] {
        report.clean(&format!("bignum/ifma/products/{n}"), || {
            let (x, y) = (number(n, 5), number(n, 9));
            let mut z = vec![0; 2 * n];
            emulated::mul(&mut z, &x, &y);
            still_secret(&z);
            emulated::square(&mut z, &x);
            still_secret(&z);
            emulated::mul_low(&mut z[..n], &x, &y);
            still_secret(&z[..n]);
        });
    }
    for n in [1, 7, 13] {
        report.clean(&format!("bignum/ifma/one/{n}"), || {
            let mut r = vec![0; n];
            emulated::modexp(&mut r, &number(n, 5), &number(1, 9), &number(n, 4));
            still_secret(&r);
        });
        report.clean(&format!("bignum/ifma/lanes/{n}"), || {
            let operands = LANES.map(|l| [number(n, l), number(1, 9 + l), number(n, 20 + l)]);
            for r in emulated::modexp_lanes(&operands.each_ref().map(job)) {
                still_secret(&r);
            }
        });
    }
    for n in [1, 12, 13] {
        report.clean(&format!("bignum/ifma/odd/{n}"), || {
            let mut r = vec![0; n];
            emulated::modexp_odd(&mut r, &number(n, 5), &number(1, 9), &odd(n, 4));
            still_secret(&r);
        });
    }
    // Two at once, of one width and of two.
    for widths in [[16, 16], [13, 4]] {
        report.clean(&format!("bignum/ifma/pair/{}+{}", widths[0], widths[1]), || {
            let operands =
                widths.map(|n| [number(n, 5), number(1, 9 + n as u64), odd(n, 4 + n as u64)]);
            for r in emulated::modexp_pair(operands.each_ref().map(job)) {
                still_secret(&r);
            }
        });
    }
    // The same with a branch on its result: the emulation keeps track of secrets.
    report.leaky("bignum/ifma/leak", || {
        let mut r = vec![0; 1];
        emulated::modexp(&mut r, &number(1, 5), &number(1, 9), &number(1, 4));
        black_box(leaky::leaky_branch(r[0]));
    });
}

fn limbs(report: &mut Report) {
    report.clean("bignum/limb", || {
        let [a, b, c] = secret_array([5_u64, 7, 1]);
        black_box((
            limb::is_nonzero(a),
            limb::is_zero(a),
            limb::mask(c),
            limb::mux(a, b, limb::mask(c)),
        ));
        black_box((limb::add(a, b, c), limb::sub(a, b, c), limb::mac(a, b, c, a)));
        black_box((limb::shl_gated(a, 3, limb::mask(c)), limb::shr_gated(a, 3, limb::mask(c))));
    });
}

fn numbers(report: &mut Report) {
    report.clean("bignum/fz", || {
        let (mut x, mut y, m) = (number(9, 1), number(9, 2), odd(9, 3));
        let [w, bit] = secret_array([11_u64, 1]);
        let gate = limb::mask(bit);
        fz::set_limb(&mut x, w);
        fz::mux(&mut x, &y, gate);
        fz::swap(&mut x, &mut y, gate);
        black_box((
            fz::is_zero(&x),
            fz::is_odd(&x),
            fz::eq(&x, &y),
            fz::lt(&x, &y),
            fz::gt(&x, &y),
        ));
        black_box((fz::add(&mut x, &y), fz::add_gated(&mut x, &y, gate), fz::add_limb(&mut x, w)));
        black_box((fz::sub(&mut x, &y), fz::sub_gated(&mut x, &y, gate)));
        black_box(fz::abs_diff(&mut x, &y));
        fz::neg(&mut x);
        fz::neg_gated(&mut x, gate);
        black_box(fz::reduce_once(&mut x, bit, &m, &mut [0; 9]));
        fz::and(&mut x, &y);
        fz::or(&mut x, &y);
        fz::xor(&mut x, &y);
        fz::not(&mut x);
        still_secret(&x);
    });
}

fn shifts(report: &mut Report) {
    report.clean("bignum/shift", || {
        let mut x = number(9, 1);
        let [count] = secret_array([133_u64]);
        black_box((shift::measure(&x), shift::trailing_zeros(&x)));
        shift::shl(&mut x, 70);
        shift::shr(&mut x, 70);
        shift::quiet_shl(&mut x, count);
        shift::quiet_shr(&mut x, count);
        shift::sublimb_shl(&mut x, count & 63);
        shift::sublimb_shr(&mut x, count & 63);
        shift::sublimb_shl_soft(&mut x, count & 63);
        shift::sublimb_shr_soft(&mut x, count & 63);
        still_secret(&x);
    });
}

fn divisions(report: &mut Report) {
    report.clean("bignum/div", || {
        let (mut x, mut r) = (number(6, 1), vec![0; 3]);
        div::div_rem(&mut x, &mut r, &number(3, 2));
        black_box(&x);
        still_secret(&r);
    });
    report.clean("bignum/gcd", || {
        let (mut a, mut b) = (number(3, 1), number(3, 2));
        gcd::gcd(&mut a, &mut b);
        black_box(&a);
    });
    report.clean("bignum/inverse", || {
        // 2^192 - 237 is prime.
        let m = secret(vec![u64::MAX - 236, u64::MAX, u64::MAX]);
        black_box(gcd::inverse(&number(3, 1), &m).expect("prime"));
        black_box(gcd::inverse(&odd(3, 1), &secret(vec![0, 1, 0])).expect("odd modulo 2^64"));
    });
    report.clean("bignum/miller_rabin", || {
        let n = secret(vec![u64::MAX - 236, u64::MAX, u64::MAX]);
        black_box(prime::miller_rabin(&n, &number(3, 1)).expect("widths"));
    });
}

fn conversions(report: &mut Report) {
    report.clean("bignum/convert", || {
        let x = number(3, 1);
        black_box(convert::to_le_bytes(&x));
        black_box(convert::to_be_bytes(&x));
        still_secret(&Fixed::<3>::from_le_bytes(&secret(vec![7; 24])).expect("width"));
        still_secret(&Fixed::<3>::from_be_bytes(&secret(vec![7; 24])).expect("width"));
    });
    report.clean("bignum/to_hex", || {
        black_box(convert::to_hex(&number(3, 1)));
    });
    report.clean("bignum/number", || {
        let owned = |salt| Fixed::<3>::from_limbs(number(3, salt).try_into().expect("3 limbs"));
        black_box(owned(1) == owned(2));
        black_box((format!("{:x}", owned(1)), format!("{:#X}", owned(1))));
    });
    report.clean("bignum/from_hex", || {
        let digits = secret(b"00ff19ab5CD7".to_vec());
        // SAFETY: ASCII is UTF-8; a checked conversion would look at the secret digits.
        let digits = unsafe { std::str::from_utf8_unchecked(&digits) };
        black_box(Fixed::<3>::from_hex(digits).expect("digits"));
    });
}
