//! Tests of the engines behind `modexp`, against num-bigint.
use num_bigint::BigUint;

use crate::exponent::Exponent;

pub(crate) fn big(x: &[u64]) -> BigUint {
    x.iter().rev().fold(BigUint::ZERO, |a, &w| a << 64 | BigUint::from(w))
}

/// n limbs without a pattern, others for each seed.
pub(crate) fn mixed(n: usize, seed: u64) -> Vec<u64> {
    (seed..).take(n).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(i as u32)).collect()
}

/// Checks that an engine, which takes a token, the result, base, exponent and modulus, computes the
/// powers that num-bigint does: for moduli at the ends of their range, 1, and even ones if `even`.
pub(crate) fn check<T: Copy>(
    token: T,
    engine: impl Fn(T, &mut [u64], &[u64], &[u64], &[u64]),
    widths: &[usize],
    even: bool,
) {
    for &n in widths {
        let mut one = vec![0; n];
        one[0] = 1;
        let mut top = vec![0; n];
        top[n - 1] = 1 << 63;
        let ones = vec![u64::MAX; n];
        let mixed = mixed(n, 0);
        let mut small = one.clone();
        small[0] = 3;
        for m in [&one, &small, &top, &ones, &mixed] {
            let mut m = m.clone();
            if !even {
                m[0] |= 1;
            }
            for base in [&ones, &mixed] {
                let exponent = if n > 32 { &[u64::MAX - 1] } else { &mixed[..n.min(3)] };
                let mut r = vec![0; n];
                engine(token, &mut r, base, exponent, &m);
                assert_eq!(big(&r), big(base).modpow(&big(exponent), &big(&m)), "{n}");
            }
            let mut r = vec![0; n];
            engine(token, &mut r, &ones, &[], &m);
            assert_eq!(big(&r), BigUint::from(1u8) % big(&m), "{n}");
        }
    }
}

/// The engine `modexp` with secret exponents, for [`check`].
pub(crate) fn with_secret<T: Copy>(
    modexp: impl Fn(T, &mut [u64], &[u64], Exponent<'_>, &[u64]),
) -> impl Fn(T, &mut [u64], &[u64], &[u64], &[u64]) {
    move |token, r, base, exponent, m| modexp(token, r, base, Exponent::secret(exponent), m)
}
