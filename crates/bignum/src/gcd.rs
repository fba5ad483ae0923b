//! Greatest common divisor and modular inverse, in a fixed number of steps.
use tautochrone_simd::declassify;
use zeroize::Zeroizing;

use crate::error::{Error, same_width};
use crate::mul::Mul;
use crate::{div, fz, limb, shift};

/// `a := gcd(a, b)`, with gcd(a, 0) = a; `b` is overwritten.
///
/// Stein 1967, 128 n - 2 steps: each halves every even operand, after two odd ones became (|a - b|,
/// min(a, b)); a step in which both were even counts a common factor 2. Every step shortens the
/// total length of a and b, at most 128 n bits, by at least one, until both are 1, or one is zero
/// and the other odd; in both cases a or b is the answer. (A zero operand is halved too, so that
/// the factors 2 of the other one are counted and restored.) 2^(64 n - 1) and an odd number of 64 n
/// bits need all the steps.
///
/// # Panics
/// If the widths differ.
pub fn gcd(a: &mut [u64], b: &mut [u64]) {
    let mut d = Zeroizing::new(vec![0; a.len()]);
    let mut twos = 0u64;
    for _ in 2..128 * a.len() {
        let odd = fz::is_odd(a) & fz::is_odd(b);
        d.copy_from_slice(a);
        let less = fz::abs_diff(&mut d, b);
        fz::mux(b, a, odd & less);
        fz::mux(a, &d, odd);
        let (a_even, b_even) = (!fz::is_odd(a), !fz::is_odd(b));
        twos += a_even & b_even & 1;
        shr1_gated(a, a_even);
        shr1_gated(b, b_even);
    }
    fz::or(a, b);
    shift::quiet_shl(a, twos);
}

fn shr1_gated(x: &mut [u64], gate: u64) {
    let mut carry = 0;
    for w in x.iter_mut().rev() {
        let v = *w;
        *w = limb::mux(v, v >> 1 | carry, gate);
        carry = v << 63;
    }
}

/// `x := a^-1 mod m` for odd m and a < m; returns the mask of gcd(a, m) = 1.
///
/// Invariants: u = x1 a, v = x a modulo m; v is odd. Every step shortens the total length of u and
/// v, at most 128 n bits, by at least one, until u = 0 and v = gcd, or both are 1: 128 n - 2 steps.
/// 3 2^(64 n - 2) modulo 2^(64 n) - 5 needs them all.
fn inverse_odd(x: &mut [u64], a: &[u64], m: &[u64]) -> u64 {
    let n = m.len();
    let (mut u, mut v) = (Zeroizing::new(a.to_vec()), Zeroizing::new(m.to_vec()));
    let mut x1 = Zeroizing::new(vec![0; n]);
    x1[0] = 1;
    fz::clear(x);
    for _ in 2..128 * n {
        let odd = fz::is_odd(&u);
        let less = fz::lt(&u, &v) & odd;
        fz::swap(&mut u, &mut v, less);
        fz::swap(&mut x1, x, less);
        fz::sub_gated(&mut u, &v, odd);
        div::sub_mod_gated(&mut x1, x, m, odd);
        shr1_gated(&mut u, u64::MAX);
        let x_odd = fz::is_odd(&x1);
        let carry = fz::add_gated(&mut x1, m, x_odd);
        shr1_gated(&mut x1, u64::MAX);
        x1[n - 1] |= carry << 63;
    }
    fz::set_limb(&mut u, 1);
    fz::eq(&u, &v)
}

/// `a^-1 mod m` for any modulus; for m = 1 it is 0.
///
/// For even m the roles are exchanged: with y = m^-1 mod a, a x = 1 + m (a - y) gives x = a^-1 mod
/// m. Both are computed for every modulus, and the parity selects one.
///
/// # Errors
/// [`Error::ZeroModulus`], [`Error::Width`], [`Error::NoInverse`].
pub fn inverse(a: &[u64], m: &[u64]) -> Result<Vec<u64>, Error> {
    let n = m.len();
    same_width(n, a)?;
    if n == 0 || declassify(fz::is_zero(m)) != 0 {
        return Err(Error::ZeroModulus);
    }
    let zero = Zeroizing::new(vec![0; n]);
    let (mut reduced, mut rest, mut y) = (zero.clone(), zero.clone(), zero);
    let mut scratch = Zeroizing::new(a.to_vec());
    div::div_rem(&mut scratch, &mut reduced, m);
    let swapped = !fz::is_odd(m);
    let (mut small, mut odd) = (reduced.clone(), Zeroizing::new(m.to_vec()));
    fz::swap(&mut small, &mut odd, swapped);
    odd[0] |= 1; // only changes an operand when both are even, and then there is no inverse
    div::div_rem(&mut small, &mut rest, &odd);
    let unit = inverse_odd(&mut y, &rest, &odd) & (fz::is_odd(m) | fz::is_odd(&reduced));
    let mut complement = odd.clone();
    fz::sub(&mut complement, &y);
    let mut wide = Zeroizing::new(vec![0; 2 * n]);
    Mul::new().mul(&mut wide, m, &complement);
    fz::add_limb(&mut wide, 1);
    div::div_rem(&mut wide, &mut rest, &odd);
    div::div_rem(&mut wide, &mut rest, m);
    fz::mux(&mut y, &rest, swapped);
    if declassify(unit) == 0 { Err(Error::NoInverse) } else { Ok(core::mem::take(&mut *y)) }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;
    use crate::check::big;

    /// Limbs of `top` 2^(64 n - 3) + `low`.
    fn number(n: usize, top: u64, low: u64) -> Vec<u64> {
        let mut x = vec![0; n];
        x[0] = low;
        x[n - 1] |= top << 61;
        x
    }

    /// Operands that shrink by no more than one bit a step: one step fewer leaves another answer.
    #[test]
    fn the_longest_gcd_is_finished() {
        for n in [1, 2, 3, 8] {
            for low in [1, 3, 5, 0x7b] {
                let (power, odd) = (number(n, 4, 0), number(n, 4, low));
                for (a, b) in [(&power, &odd), (&odd, &power)] {
                    let (mut g, mut rest) = (a.clone(), b.clone());
                    gcd(&mut g, &mut rest);
                    assert_eq!(g, number(n, 0, 1), "{n} limbs, {low}");
                }
            }
        }
    }

    #[test]
    fn the_longest_inverse_is_finished() {
        for n in [1, 2, 3, 8] {
            for low in [5, 11, 17, 23] {
                let mut m = vec![u64::MAX; n];
                m[0] -= low - 1; // 2^(64 n) - low
                let a = number(n, 6, 0);
                let x = inverse(&a, &m).expect("coprime");
                let one = BigUint::from(1u8);
                assert_eq!(big(&a) * big(&x) % big(&m), one, "{n} limbs, {low}");
            }
        }
    }

    /// The widest powers of two, which are halved to the end, and numbers of no limbs.
    #[test]
    fn factors_two_are_restored() {
        for n in [1, 2, 3] {
            let (power, zero) = (number(n, 4, 0), vec![0; n]);
            for (a, b) in [(&power, &zero), (&zero, &power), (&power, &power)] {
                let (mut g, mut rest) = (a.clone(), b.clone());
                gcd(&mut g, &mut rest);
                assert_eq!(g, power, "{n} limbs");
            }
        }
        gcd(&mut [], &mut []);
    }
}
