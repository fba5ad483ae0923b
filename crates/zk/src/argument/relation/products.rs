//! Products of vectors over K with the small integers of public matrices. Public.

use alloc::vec::Vec;

use tautochrone_simd::{Isa, Token, vectorize};

use crate::field::{Coefficients, ElementOf, Field, Lanes, with_lanes};

/// The largest number of lanes.
const MAX_LANES: usize = 8;
/// Most products with entries up to 2^15 and parts below 2^31 that sums are made of.
const MAX_TERMS: usize = 1 << 16;

/// Elements of K in [parts](Field::part) that products with integers are made of.
pub(super) struct Parts(Vec<Vec<i32>>);

impl Parts {
    pub(super) fn new<F: Field>(elements: &[ElementOf<F>]) -> Self {
        let parts = (0..F::Coefficients::COUNT * F::PARTS)
            .map(|index| elements.iter().map(|&element| part(element, index)).collect());
        Self(parts.collect())
    }

    /// The sum over i of the element number i times entry i, for up to 2^16 entries up to 2^15 or
    /// 2^12 below 2^20.
    pub(super) fn dot<F: Field, T: Copy + Into<i64>>(
        &self,
        isa: Isa,
        entries: &[T],
    ) -> ElementOf<F> {
        let mut sums = vec![0_i64; self.0.len()];
        debug_assert!(entries.len() <= MAX_TERMS, "sums fit");
        with_lanes!(isa, L, token => {
            let _: Option<L> = None;
            vectorize!(token, {
                for (sum, part) in sums.iter_mut().zip(&self.0) {
                    let products = part.iter().zip(entries);
                    *sum = products.map(|(&x, &y)| i64::from(x) * y.into()).sum();
                }
            });
        });
        element(&sums)
    }
}

/// Sums over rows of integers with weights in K.
pub(super) struct Sums(Vec<Vec<i64>>);

impl Sums {
    pub(super) fn zeros<F: Field>(len: usize) -> Self {
        Self(vec![vec![0; len]; F::Coefficients::COUNT * F::PARTS])
    }

    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|part| part.fill(0));
    }

    /// Adds `weight` times the entries: at most 2^16 rows.
    pub(super) fn add<F: Field>(&mut self, isa: Isa, weight: ElementOf<F>, entries: &[i16]) {
        with_lanes!(isa, L, token => {
            let _: Option<L> = None;
            vectorize!(token, {
                for (index, sums) in self.0.iter_mut().enumerate() {
                    let part = part(weight, index);
                    for (sum, &entry) in sums.iter_mut().zip(entries) {
                        *sum += i64::from(part) * i64::from(entry);
                    }
                }
            });
        });
    }

    pub(super) fn elements<F: Field>(&self) -> impl Iterator<Item = ElementOf<F>> + '_ {
        let mut sums = vec![0; self.0.len()];
        (0..self.0[0].len()).map(move |i| {
            sums.iter_mut().zip(&self.0).for_each(|(sum, part)| *sum = part[i]);
            element(&sums)
        })
    }
}

/// Part number `index` of an element, the parts of a coefficient following each other.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "indices of parts")]
fn part<F: Field>(element: ElementOf<F>, index: usize) -> i32 {
    F::part(element.coefficients().as_ref()[index / F::PARTS], index % F::PARTS)
}

/// The element of these sums of its parts.
fn element<F: Field>(sums: &[i64]) -> ElementOf<F> {
    let mut coefficients = F::Coefficients::ZERO;
    let parts = sums.chunks_exact(F::PARTS);
    coefficients.as_mut().iter_mut().zip(parts).for_each(|(x, parts)| *x = F::of_parts(parts));
    ElementOf::from_residues(coefficients)
}

/// Makes x(1/X) prod over t of (1 - r_t + r_t X^(2^t)) of each polynomial x of n coefficients,
/// modulo X^n + 1: the second factor is the polynomial that has eq(r, y) at X^y.
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
    use crate::field::{Element, P61};
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
                prop_assert_eq!(Parts::new(&x).dot(isa, &y), sum);
                let mut sums = Sums::zeros::<P61>(len);
                for &x in &x {
                    sums.add(isa, x, &y);
                }
                let all = x.iter().fold(Element::ZERO, |sum, &x| sum + x);
                let expected: Vec<Element> = y.iter().map(|&y| scaled(all, y)).collect();
                prop_assert_eq!(sums.elements().collect::<Vec<Element>>(), expected);
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
            prop_assert_eq!(Parts::new(&omega).dot(Isa::PORTABLE, &a), form);
        }
    }

    /// The largest parts and entries, as often as they are added up.
    #[test]
    fn sums_do_not_overflow() {
        let largest = Element::from(-1);
        let entries = vec![i16::MIN; 1 << 16];
        let expected = Element::from(1 << 31);
        let x = vec![largest; entries.len()];
        assert_eq!(Parts::new(&x).dot(Isa::PORTABLE, &entries), expected);
        let mut sums = Sums::zeros::<P61>(1);
        for _ in 0..1 << 16 {
            sums.add(Isa::PORTABLE, largest, &[i16::MIN]);
        }
        assert!(sums.elements::<P61>().eq([expected]));
    }
}
