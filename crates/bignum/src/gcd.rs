//! Greatest common divisor and modular inverse, in a fixed number of divsteps.
//!
//! Both start from an odd m and any a of n limbs with (f, g) = (m + 2 a, a): that has the same
//! divisors, f is odd, and 0 <= g <= f, which the bound on the number of steps asks for.

use tautochrone_simd::declassify;
use zeroize::Zeroizing;

use crate::error::{Error, same_width};
use crate::montgomery::common::negative_inverse;
use crate::mul::Mul;
use crate::{fz, limb, shift};

mod divsteps;
mod signed;

use divsteps::{Matrix, batches};

/// f and g, n + 1 limbs each, in two's complement: less than 3 2^(64 n) < 2^(64 n + 2).
struct Steps {
    f: Zeroizing<Vec<u64>>,
    g: Zeroizing<Vec<u64>>,
    /// Twice the delta of the steps.
    delta: Zeroizing<i64>,
}

impl Steps {
    /// The start, for an odd m.
    fn new(m: &[u64], a: &[u64]) -> Self {
        let widened = |x: &[u64]| {
            let mut wide = Zeroizing::new(Vec::with_capacity(x.len() + 1));
            wide.extend_from_slice(x);
            wide.push(0);
            wide
        };
        let (mut f, g) = (widened(m), widened(a));
        fz::add(&mut f, &g);
        fz::add(&mut f, &g);
        Self { f, g, delta: Zeroizing::new(1) }
    }

    /// Batches until g = 0.
    fn batches(&self) -> usize {
        batches(64 * (self.f.len() - 1) + 2)
    }

    /// A batch.
    fn next(&mut self) -> Zeroizing<Matrix> {
        let matrix = Zeroizing::new(Matrix::next(&mut self.delta, self.f[0], self.g[0]));
        signed::apply(&matrix, &mut self.f, &mut self.g);
        matrix
    }

    /// |f|, the greatest common divisor once g = 0, without its highest limb, and the mask of f <
    /// 0.
    fn divisor(mut self) -> (Zeroizing<Vec<u64>>, u64) {
        let negative = signed::is_negative(&self.f);
        fz::neg_gated(&mut self.f, negative);
        self.f.pop();
        (self.f, negative)
    }
}

/// `a := gcd(a, b)`, with gcd(a, 0) = a; `b` is overwritten.
///
/// Factors 2 that both have are put aside; then one of the two is odd.
///
/// # Panics
/// If the widths differ.
pub fn gcd(a: &mut [u64], b: &mut [u64]) {
    assert_eq!(a.len(), b.len(), "widths differ");
    if a.is_empty() {
        return;
    }
    let mut both = Zeroizing::new(a.to_vec());
    fz::or(&mut both, b);
    let (twos, zero) = (shift::trailing_zeros(&both), fz::is_zero(&both));
    shift::quiet_shr(a, twos);
    shift::quiet_shr(b, twos);
    let even = !fz::is_odd(a);
    fz::swap(a, b, even);
    // Only if both are zero; the divisor is then 1, and shifted out of its limbs.
    a[0] |= zero & 1;
    let mut steps = Steps::new(a, b);
    for _ in 0..steps.batches() {
        steps.next();
    }
    a.copy_from_slice(&steps.divisor().0);
    shift::quiet_shl(a, twos);
    fz::mux(a, b, zero);
}

/// `x := a^-1 mod m` for odd m; returns the mask of gcd(a, m) = 1. If it does not hold, `x` is
/// something less than m.
///
/// Invariants: f = d a and g = e a modulo m, d and e in (-2 m, m). At the end f = 1 or -1.
fn inverse_odd(x: &mut [u64], a: &[u64], m: &[u64]) -> u64 {
    let n = m.len();
    let mut steps = Steps::new(m, a);
    let (mut d, mut e) = (Zeroizing::new(vec![0; n + 1]), Zeroizing::new(vec![0; n + 1]));
    // f = m + 2 a and g = a; modulo 1 both factors are 0.
    fz::set_limb(x, 1);
    let least = fz::eq(x, m);
    (d[0], e[0]) = (2 & !least, 1 & !least);
    let inverse = Zeroizing::new(negative_inverse(m[0]).wrapping_neg());
    for _ in 0..steps.batches() {
        let matrix = steps.next();
        signed::apply_modulo(&matrix, &mut d, &mut e, m, *inverse);
    }
    let (divisor, negative) = steps.divisor();
    let unit = fz::eq(&divisor, x);
    // (-2 m, m) to (-m, m), with the sign of f, to [0, m).
    let add_if_negative = |d: &mut [u64]| {
        let negative = signed::is_negative(d);
        let carry = fz::add_gated(&mut d[..n], m, negative);
        d[n] = d[n].wrapping_add(carry);
    };
    add_if_negative(&mut d);
    fz::neg_gated(&mut d, negative);
    add_if_negative(&mut d);
    x.copy_from_slice(&d[..n]);
    unit
}

/// `x := x / y` modulo 2^(64 n) for odd y, which is the quotient where the division is exact and
/// the quotient has n limbs (Jebelean 1993).
fn divide_exactly(x: &mut [u64], y: &[u64]) {
    let inverse = Zeroizing::new(negative_inverse(y[0]).wrapping_neg());
    for i in 0..x.len() {
        let quotient = x[i].wrapping_mul(*inverse);
        let (mut borrow, mut high) = (0, 0);
        for (x, &y) in x[i..].iter_mut().zip(y) {
            let low;
            (low, high) = limb::mac(quotient, y, high, 0);
            (*x, borrow) = limb::sub(*x, low, borrow);
        }
        x[i] = quotient;
    }
}

/// `a^-1 mod m` for any modulus; for m = 1 it is 0.
///
/// For even m the roles are exchanged: with y = m^-1 mod a, a x = 1 + m (a - y) gives x = a^-1 mod
/// m, up to m, which is added for a = 1 alone. Both are computed for every modulus, and the parity
/// selects one.
///
/// # Errors
/// [`Error::ZeroModulus`], [`Error::Width`], [`Error::NoInverse`].
pub fn inverse(a: &[u64], m: &[u64]) -> Result<Vec<u64>, Error> {
    let n = m.len();
    same_width(n, a)?;
    if n == 0 || declassify(fz::is_zero(m)) != 0 {
        return Err(Error::ZeroModulus);
    }
    let swapped = !fz::is_odd(m);
    let (mut other, mut odd) = (Zeroizing::new(a.to_vec()), Zeroizing::new(m.to_vec()));
    fz::swap(&mut other, &mut odd, swapped);
    odd[0] |= 1; // only changes an operand when both are even, and then there is no inverse
    let mut y = Zeroizing::new(vec![0; n]);
    let unit = inverse_odd(&mut y, &other, &odd) & (fz::is_odd(m) | limb::mask(a[0]));
    let mut complement = odd.clone();
    fz::sub(&mut complement, &y);
    let mut x = Zeroizing::new(vec![0; n]);
    Mul::new().mul_low(&mut x, m, &complement);
    fz::add_limb(&mut x, 1);
    divide_exactly(&mut x, &odd);
    fz::reduce_once(&mut x, 0, m, &mut complement);
    fz::mux(&mut y, &x, swapped);
    if declassify(unit) == 0 { Err(Error::NoInverse) } else { Ok(core::mem::take(&mut *y)) }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;
    use crate::check::{big, mixed};

    /// Numbers at the ends of n limbs, with many factors 2, and without pattern.
    fn numbers(n: usize) -> Vec<Vec<u64>> {
        let of = |low: u64, rest: u64, top: u64| {
            let mut x = vec![rest; n];
            x[n - 1] = top;
            x[0] = low;
            x
        };
        vec![
            of(0, 0, 0),
            of(1, 0, 0),
            of(2, 0, 0),
            of(3, 0, 0),
            of(0, 0, 1 << 63),
            of(1, 0, 1 << 63),
            of(0, 0, 3 << 62),
            of(u64::MAX, u64::MAX, u64::MAX),
            of(u64::MAX - 1, u64::MAX, u64::MAX),
            of(u64::MAX - 4, u64::MAX, u64::MAX),
            of(1 << 40, u64::MAX, u64::MAX),
            mixed(n, 1),
            mixed(n, 2),
            mixed(n, 77),
            mixed(n, 1000),
        ]
    }

    fn euclid(mut a: BigUint, mut b: BigUint) -> BigUint {
        while b != BigUint::ZERO {
            (a, b) = (b.clone(), a % b);
        }
        a
    }

    #[test]
    fn divisors_and_inverses_are_those_of_euclid() {
        let one = BigUint::from(1u8);
        for n in [1, 2, 3, 8, 17] {
            let all = numbers(n);
            for (a, m) in all.iter().flat_map(|a| all.iter().map(move |m| (a, m))) {
                let (number, modulus) = (big(a), big(m));
                let divisor = euclid(number.clone(), modulus.clone());
                let (mut g, mut rest) = (a.clone(), m.clone());
                gcd(&mut g, &mut rest);
                assert_eq!(big(&g), divisor, "{a:x?}, {m:x?}");
                let result = inverse(a, m);
                if modulus == BigUint::ZERO {
                    assert_eq!(result, Err(Error::ZeroModulus));
                } else if divisor == one {
                    let x = big(&result.expect("coprime"));
                    assert!(x < modulus, "{a:x?}, {m:x?}");
                    assert_eq!(number * x % &modulus, &one % &modulus, "{a:x?}, {m:x?}");
                } else {
                    assert_eq!(result, Err(Error::NoInverse), "{a:x?}, {m:x?}");
                }
            }
        }
        gcd(&mut [], &mut []);
    }
}
