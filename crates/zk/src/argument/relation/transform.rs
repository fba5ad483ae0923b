//! [`Transform`]: products of polynomials modulo X^n + 1 over the integers, by number theoretic
//! transforms modulo 2^64 - 2^32 + 1. Residues are the integers themselves, as these are below
//! 2^63.

use alloc::vec::Vec;

use tautochrone_simd::value_barrier;

use crate::field::{Field, Goldilocks};
use crate::scalar::ScalarOf;

type Scalar = ScalarOf<Goldilocks>;

/// A generator of the group of the field, of order p - 1 = 2^32 (2^32 - 1).
const GENERATOR: u32 = 7;

/// Transforms of n coefficients, a power of two.
///
/// # Constant time
/// In the coefficients.
pub(super) struct Transform {
    /// psi^i for a root psi of X^n + 1, at the place with the bits of i in reverse order.
    roots: Vec<Scalar>,
    /// Of 1 / psi.
    inverses: Vec<Scalar>,
    scale: Scalar,
}

fn power(base: Scalar, exponent: u64) -> Scalar {
    (0..64).rev().fold(Scalar::ONE, |power, bit| {
        let squared = power * power;
        if exponent >> bit & 1 == 1 { squared * base } else { squared }
    })
}

fn table(root: Scalar, n: usize) -> Vec<Scalar> {
    let bits = n.ilog2();
    let mut table = alloc::vec![Scalar::ONE; n];
    let mut next = Scalar::ONE;
    for i in 0..n as u32 {
        let place = if bits == 0 { 0 } else { i.reverse_bits() >> (32 - bits) };
        table[place as usize] = next;
        next = next * root;
    }
    table
}

impl Transform {
    #[expect(clippy::integer_division_remainder_used, reason = "n is public")]
    pub(super) fn new(n: usize) -> Self {
        let root = power(Scalar::from(GENERATOR), (Goldilocks::P - 1) / (2 * n as u64));
        Self {
            roots: table(root, n),
            inverses: table(root.inverse(), n),
            scale: Scalar::from(n as u32).inverse(),
        }
    }

    /// The values at the roots of X^n + 1, in some order.
    pub(super) fn forward(&self, x: &mut [Scalar]) {
        let (mut half, mut count) = (x.len() >> 1, 1);
        while half > 0 {
            let roots = &self.roots[count..2 * count];
            for (x, &root) in x.chunks_exact_mut(2 * half).zip(roots) {
                let (low, high) = x.split_at_mut(half);
                for (low, high) in low.iter_mut().zip(high) {
                    let product = *high * root;
                    (*low, *high) = (*low + product, *low - product);
                }
            }
            (half, count) = (half >> 1, 2 * count);
        }
    }

    /// The coefficients.
    pub(super) fn backward(&self, x: &mut [Scalar]) {
        let (mut half, mut count) = (1, x.len() >> 1);
        while count > 0 {
            let roots = &self.inverses[count..2 * count];
            for (x, &root) in x.chunks_exact_mut(2 * half).zip(roots) {
                let (low, high) = x.split_at_mut(half);
                for (low, high) in low.iter_mut().zip(high) {
                    (*low, *high) = (*low + *high, (*low - *high) * root);
                }
            }
            (half, count) = (2 * half, count >> 1);
        }
        for x in x {
            *x = *x * self.scale;
        }
    }
}

/// The residue of an integer.
pub(super) fn residue(x: i64) -> Scalar {
    Scalar::of_residue(Goldilocks::residue(x.into()))
}

/// The integer below p / 2 in absolute value.
pub(super) const fn integer(x: Scalar) -> i64 {
    // 1 if x is above (p - 1) / 2, which is below 2^63: then less p, which is 1 - 2^32 modulo 2^64.
    // A mask of it would become a branch.
    let above = value_barrier((Goldilocks::P >> 1).wrapping_sub(x.value()) >> 63);
    x.value().wrapping_add(above << 32).wrapping_sub(above).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_the_least() {
        let half = (Goldilocks::P >> 1) as i64;
        for x in [0, 1, -1, half, -half, 1 << 62, -(1 << 62)] {
            assert_eq!(integer(residue(x)), x);
        }
    }
}
