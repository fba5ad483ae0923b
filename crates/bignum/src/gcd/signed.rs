//! Numbers with a sign, in two's complement, and matrices of divsteps applied to them.

use tautochrone_simd::value_barrier;

use super::divsteps::{BATCH, Matrix};
use crate::limb;

/// The words (lo, hi) of a number 64 i bits up, after which it goes on with the next word.
#[derive(Clone, Copy, Default)]
struct Sum {
    carry: i128,
    below: u64,
}

impl Sum {
    /// Adds to the sum at the next word, and returns the word of the sum / 2^`BATCH` that is known
    /// by it: the one below.
    #[inline(always)]
    fn add(&mut self, products: i128) -> u64 {
        let sum = self.carry + products;
        let word = sum as u64;
        let shifted = self.below >> BATCH | word << (64 - BATCH);
        *self = Self { carry: sum >> 64, below: word };
        shifted
    }

    /// The highest word.
    #[inline(always)]
    fn last(self) -> u64 {
        self.below >> BATCH | (self.carry as u64) << (64 - BATCH)
    }
}

#[inline(always)]
fn product(a: i64, word: u64) -> i128 {
    i128::from(a) * i128::from(word)
}

#[inline(always)]
fn signed_product(a: i64, word: u64) -> i128 {
    i128::from(a) * i128::from(word as i64)
}

/// (f, g) := the matrix times (f, g), divided by 2^[`BATCH`], which is exact.
///
/// A sum of two products is less than 2^`BATCH` 2^64 = 2^125, the value of a carry less than 2^62.
pub(super) fn apply(matrix: &Matrix, f: &mut [u64], g: &mut [u64]) {
    let Matrix { f: [u, v], g: [q, r] } = *matrix;
    let (mut new_f, mut new_g) = (Sum::default(), Sum::default());
    let (Some((f_top, f)), Some((g_top, g))) = (f.split_last_mut(), g.split_last_mut()) else {
        return;
    };
    assert_eq!(f.len(), g.len(), "widths differ");
    let (mut f_dropped, mut g_dropped) = (0, 0);
    let (mut f_below, mut g_below) = (&mut f_dropped, &mut g_dropped);
    for (f_i, g_i) in f.iter_mut().zip(g) {
        let (x, y) = (*f_i, *g_i);
        *f_below = new_f.add(product(u, x) + product(v, y));
        *g_below = new_g.add(product(q, x) + product(r, y));
        (f_below, g_below) = (f_i, g_i);
    }
    let (x, y) = (*f_top, *g_top);
    *f_below = new_f.add(signed_product(u, x) + signed_product(v, y));
    *g_below = new_g.add(signed_product(q, x) + signed_product(r, y));
    (*f_top, *g_top) = (new_f.last(), new_g.last());
}

/// (d, e) := the matrix times (d, e), divided by 2^[`BATCH`] modulo m, for d and e in (-2 m, m):
/// they are in it again. `inverse` is m^-1 modulo 2^64.
///
/// With m added to a negative one, d and e are in (-m, m), and a row's sum in (-2^`BATCH` m,
/// 2^`BATCH` m). The multiple of m that makes it divisible is less than 2^`BATCH` m and is
/// subtracted: (-2 m, m) after the division. For m in place of d and e, the row adds at most
/// 2^`BATCH` m either way: the factor of m is at most 2^62, its products are less than 2^126, and
/// all sums less than 2^127.
pub(super) fn apply_modulo(matrix: &Matrix, d: &mut [u64], e: &mut [u64], m: &[u64], inverse: u64) {
    let Matrix { f: [u, v], g: [q, r] } = *matrix;
    let (mut new_d, mut new_e) = (Sum::default(), Sum::default());
    let (Some((d_top, d)), Some((e_top, e))) = (d.split_last_mut(), e.split_last_mut()) else {
        return;
    };
    assert!(d.len() == m.len() && e.len() == m.len(), "widths differ");
    let sign = |top: u64| value_barrier((top as i64 >> 63) as u64) as i64;
    let (d_sign, e_sign) = (sign(*d_top), sign(*e_top));
    let factor = |a: i64, b: i64| {
        let added = (a & d_sign) + (b & e_sign);
        let lowest = (a as u64)
            .wrapping_mul(d[0])
            .wrapping_add((b as u64).wrapping_mul(e[0]))
            .wrapping_add((added as u64).wrapping_mul(m[0]));
        added - (lowest.wrapping_mul(inverse) & ((1 << BATCH) - 1)) as i64
    };
    let (multiple_d, multiple_e) = (factor(u, v), factor(q, r));
    let (mut d_dropped, mut e_dropped) = (0, 0);
    let (mut d_below, mut e_below) = (&mut d_dropped, &mut e_dropped);
    for ((d_i, e_i), &m_i) in d.iter_mut().zip(e).zip(m) {
        let (x, y) = (*d_i, *e_i);
        *d_below = new_d.add(product(u, x) + product(v, y) + product(multiple_d, m_i));
        *e_below = new_e.add(product(q, x) + product(r, y) + product(multiple_e, m_i));
        (d_below, e_below) = (d_i, e_i);
    }
    let (x, y) = (*d_top, *e_top);
    *d_below = new_d.add(signed_product(u, x) + signed_product(v, y));
    *e_below = new_e.add(signed_product(q, x) + signed_product(r, y));
    (*d_top, *e_top) = (new_d.last(), new_e.last());
}

/// The mask of a negative number.
pub(super) fn is_negative(x: &[u64]) -> u64 {
    limb::mask(x.last().map_or(0, |top| top >> 63))
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;
    use crate::check::big;
    use crate::fz;
    use crate::montgomery::common::negative_inverse;

    fn signed(x: &[u64]) -> BigInt {
        let modulus = BigInt::from(1) << (64 * x.len());
        let value = BigInt::from(big(x));
        if is_negative(x) == 0 { value } else { value - modulus }
    }

    /// a x + b y + c z, in n + 1 limbs.
    fn sum(terms: &[(i64, &[u64])]) -> Vec<u64> {
        let n = terms[0].1.len();
        let mut all = vec![0; n];
        for &(a, x) in terms {
            for _ in 0..a.unsigned_abs() {
                if a < 0 {
                    fz::sub(&mut all, x)
                } else {
                    fz::add(&mut all, x)
                };
            }
        }
        all
    }

    const TOP: i64 = 1 << BATCH;
    const ROWS: [[i64; 2]; 8] = [
        [TOP, 0],
        [-TOP, 0],
        [0, TOP],
        [0, -TOP],
        [TOP / 2, TOP / 2],
        [-TOP / 2, -TOP / 2],
        [TOP / 2, -TOP / 2],
        [1 - TOP, 1],
    ];

    #[test]
    fn rows_at_their_bounds_fit() {
        for n in [1, 2, 5] {
            for low in [1, 3, u64::MAX] {
                let mut m = vec![u64::MAX; n + 1];
                (m[0], m[n]) = (low, 0);
                let mut one = vec![0; n + 1];
                one[0] = 1;
                let ends = [
                    sum(&[(-2, &m), (1, &one)]),
                    sum(&[(1, &m), (-1, &one)]),
                    sum(&[(-1, &m)]),
                    sum(&[(1, &one)]),
                    sum(&[(-1, &one)]),
                ];
                let inverse = negative_inverse(low).wrapping_neg();
                let modulus = signed(&m);
                let ends = ends.into_iter().filter(|x| signed(x) < modulus).collect::<Vec<_>>();
                for f in ROWS {
                    for g in ROWS {
                        for d in &ends {
                            for e in &ends {
                                let (mut x, mut y) = (d.clone(), e.clone());
                                let matrix = Matrix { f, g };
                                apply_modulo(&matrix, &mut x, &mut y, &m[..n], inverse);
                                for ([a, b], got) in [(f, &x), (g, &y)] {
                                    let got = signed(got);
                                    let want: BigInt = signed(d) * a + signed(e) * b;
                                    let difference: BigInt = (got.clone() << BATCH) - want;
                                    assert_eq!(difference % &modulus, BigInt::ZERO);
                                    assert!(got < modulus && got > &modulus * -2);
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
