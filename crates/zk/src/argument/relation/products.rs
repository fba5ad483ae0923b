//! Products of vectors over K with the small integers of public matrices. Public.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_simd::{Isa, Token, vectorize};

use crate::field::{Element, ElementOf, Field, Lanes, P61, with_lanes};

/// Bits of the lower part of a coefficient.
const LOW: u32 = 31;
/// The largest number of lanes.
const MAX_LANES: usize = 8;
/// Most products with entries below 2^15 and parts below 2^31 that an i64 adds up.
const MAX_TERMS: usize = 1 << 17;

/// Elements of K in parts that products with integers are made of: lower and higher bits of each
/// coefficient.
pub(super) struct Halves {
    parts: [Vec<i32>; 6],
}

impl Halves {
    pub(super) fn new(elements: &[Element]) -> Self {
        let parts = core::array::from_fn(|part| {
            elements.iter().map(|element| halves(*element)[part] as i32).collect()
        });
        Self { parts }
    }

    /// The sum over i of the element number i times entry i, for up to 2^17 entries below 2^15 or
    /// 2^12 below 2^20.
    pub(super) fn dot<T: Copy + Into<i64>>(&self, isa: Isa, entries: &[T]) -> Element {
        let mut sums = [0_i64; 6];
        debug_assert!(entries.len() <= MAX_TERMS, "sums fit");
        with_lanes!(isa, L, token => {
            let _: Option<L> = None;
            vectorize!(token, {
                for (sum, part) in sums.iter_mut().zip(&self.parts) {
                    let products = part.iter().zip(entries);
                    *sum = products.map(|(&x, &y)| i64::from(x) * y.into()).sum();
                }
            });
        });
        element(sums)
    }
}

/// Sums over rows of integers with weights in K.
pub(super) struct Sums {
    parts: [Vec<i64>; 6],
}

impl Sums {
    pub(super) fn zeros(len: usize) -> Self {
        Self { parts: core::array::from_fn(|_| vec![0; len]) }
    }

    pub(super) fn clear(&mut self) {
        self.parts.iter_mut().for_each(|part| part.fill(0));
    }

    /// Adds `weight` times the entries: at most 2^17 rows.
    pub(super) fn add(&mut self, isa: Isa, weight: Element, entries: &[i16]) {
        let weight = halves(weight);
        with_lanes!(isa, L, token => {
            let _: Option<L> = None;
            vectorize!(token, {
                for (sums, &half) in self.parts.iter_mut().zip(&weight) {
                    let half = half as i32;
                    for (sum, &entry) in sums.iter_mut().zip(entries) {
                        *sum += i64::from(half) * i64::from(entry);
                    }
                }
            });
        });
    }

    pub(super) fn elements(&self) -> impl Iterator<Item = Element> + '_ {
        let at = |i: usize| element(core::array::from_fn(|part| self.parts[part][i]));
        (0..self.parts[0].len()).map(at)
    }
}

/// Below 2^31 each.
fn halves(element: Element) -> [u64; 6] {
    let [a, b, c] = element.coefficients();
    let low = |x| x & ((1 << LOW) - 1);
    [low(a), a >> LOW, low(b), b >> LOW, low(c), c >> LOW]
}

fn element(sums: [i64; 6]) -> Element {
    Element::from_residues([0, 2, 4].map(|at| P61::of_parts(&sums[at..at + 2])))
}

/// Makes x(1/X) prod over t of (1 - r_t + r_t X^(2^t)) of each polynomial x of n coefficients, modulo
/// X^n + 1: the second factor is the polynomial that has eq(r, y) at X^y.
pub(super) fn correlate<F: Field>(isa: Isa, x: &mut [ElementOf<F>], n: usize, r: &[ElementOf<F>]) {
    for x in x.chunks_exact_mut(n) {
        // X^-d is -X^(n - d).
        x[1..].reverse();
        x[1..].iter_mut().for_each(|x| *x = ElementOf::ZERO - *x);
    }
    if x.len() == n {
        // One in registers of many takes longer.
        return multiply_factors::<F, ElementOf<F>>((), x, n, r);
    }
    with_lanes!(isa, L<F>, token => vectorize!(token, {
        for x in x.chunks_mut(n * L::<F>::LANES) {
            multiply_factors::<F, L<F>>(token, x, n, r);
        }
    }));
}

/// Multiplies as many polynomials as there are lanes, or fewer, with the factors.
#[inline(always)]
fn multiply_factors<F: Field, L: Lanes<F>>(
    token: L::Token,
    x: &mut [ElementOf<F>],
    n: usize,
    r: &[ElementOf<F>],
) {
    let mut product = vec![L::splat(token, ElementOf::ZERO); n];
    for (y, out) in product.iter_mut().enumerate() {
        let mut of_lanes = [ElementOf::ZERO; MAX_LANES];
        for (lane, x) in of_lanes.iter_mut().zip(x.chunks_exact(n)) {
            *lane = x[y];
        }
        *out = L::gather(token, &of_lanes[..L::LANES]);
    }
    for (t, &r) in r.iter().enumerate() {
        let (r, shift) = (L::splat(token, r), 1 << t);
        // X^n is -1. What the first coefficients need is saved.
        let last = product[n - shift..].to_vec();
        for y in (shift..n).rev() {
            product[y] = product[y].line_at(product[y - shift], r);
        }
        for y in 0..shift {
            product[y] = product[y].sub(r.mul(last[y].add(product[y])));
        }
    }
    for (y, product) in product.iter().enumerate() {
        let mut of_lanes = [ElementOf::ZERO; MAX_LANES];
        product.scatter(&mut of_lanes[..L::LANES]);
        for (lane, x) in of_lanes.iter().zip(x.chunks_exact_mut(n)) {
            x[y] = *lane;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eq;
    use proptest::prelude::*;

    fn elements(count: usize, seed: u64) -> Vec<Element> {
        let element = |i: u64| {
            let x = u128::from(seed | 1).wrapping_mul(u128::from(i + 1) * 0x9e37_79b9_7f4a_7c15);
            Element::from_integers([x as i64, (x >> 20) as i64, (x >> 40) as i64].map(i128::from))
        };
        (0..count as u64).map(element).collect()
    }

    fn small(count: usize, seed: u64) -> Vec<i16> {
        (0..count as u64).map(|i| ((seed | 1).wrapping_mul(i * i + 7) >> 9) as i16).collect()
    }

    /// The coefficient of X^x in a X^y.
    fn coefficient(a: &[i16], x: usize, y: usize) -> i64 {
        if x >= y { a[x - y].into() } else { -i64::from(a[x + a.len() - y]) }
    }

    proptest! {
        #[test]
        fn kernels_agree_with_sums(len in 0_usize..70, seed: u64) {
            let (x, y) = (elements(len, seed), small(len, seed));
            let scaled = |x: Element, y: i16| x * Element::from(i64::from(y));
            let sum = x.iter().zip(&y).fold(Element::ZERO, |sum, (&x, &y)| sum + scaled(x, y));
            for isa in Isa::all() {
                prop_assert_eq!(Halves::new(&x).dot(isa, &y), sum);
                let mut sums = Sums::zeros(len);
                for &x in &x {
                    sums.add(isa, x, &y);
                }
                let all = x.iter().fold(Element::ZERO, |sum, &x| sum + x);
                let expected: Vec<Element> = y.iter().map(|&y| scaled(all, y)).collect();
                prop_assert_eq!(sums.elements().collect::<Vec<_>>(), expected);
            }
        }

        #[test]
        fn polynomials_agree_with_their_matrices(log in 0_u32..5, seed: u64) {
            let n = 1_usize << log;
            let (r, right, a) = (elements(log as usize, seed), elements(n, !seed), small(n, seed));
            let left = eq::table(&r, n);
            let at = |x: usize, y: usize| Element::from(coefficient(&a, x, y));
            let of_column = |y: usize| {
                (0..n).fold(Element::ZERO, |sum, x| sum + left[x] * at(x, y))
            };
            let of_columns: Vec<Element> = (0..n).map(of_column).collect();
            let weights: Vec<Element> = a.iter().map(|&a| Element::from(i64::from(a))).collect();
            for (isa, count) in Isa::all().flat_map(|isa| [1, 8, 11].map(|count| (isa, count))) {
                let mut products = weights.repeat(count);
                correlate(isa, &mut products, n, &r);
                prop_assert_eq!(products, of_columns.repeat(count));
            }
            // The weights of its coefficients in the sum of the matrix times weights on both sides.
            let all = of_columns.iter().zip(&right);
            let form = all.fold(Element::ZERO, |sum, (&x, &y)| sum + x * y);
            let mut omega = right;
            correlate(Isa::PORTABLE, &mut omega, n, &r);
            prop_assert_eq!(Halves::new(&omega).dot(Isa::PORTABLE, &a), form);
        }
    }

    /// The largest parts and entries, as often as they are added up.
    #[test]
    fn sums_do_not_overflow() {
        let largest = Element::from(-1);
        let entries = vec![i16::MIN; 1 << 16];
        let expected = Element::from(1 << 31);
        let x = vec![largest; entries.len()];
        assert_eq!(Halves::new(&x).dot(Isa::PORTABLE, &entries), expected);
        let mut sums = Sums::zeros(1);
        for _ in 0..1 << 16 {
            sums.add(Isa::PORTABLE, largest, &[i16::MIN]);
        }
        assert!(sums.elements().eq([expected]));
    }
}
