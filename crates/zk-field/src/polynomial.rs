//! Polynomials: for ranges and norms, and for rounds from their values.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::field::{ElementOf, Field, P61, Ring};

/// prod of x - i, low <= i <= high; or x^2.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    low: i32,
    high: i32,
    squared: bool,
}

impl Product {
    /// x^2.
    pub const SQUARE: Self = Self { low: 0, high: 0, squared: true };
    /// x.
    pub const LINE: Self = Self::new(0, 0);

    /// That of a range.
    #[inline]
    pub const fn new(low: i32, high: i32) -> Self {
        Self { low, high, squared: false }
    }

    /// The same, of which a compiler knows the degree.
    #[inline(always)]
    pub const fn of_degree<const DEGREE: usize>(self) -> Self {
        debug_assert!(self.degree() == DEGREE);
        Self { high: self.low + DEGREE as i32 - 1, ..self }
    }

    /// Its degree.
    #[inline(always)]
    pub const fn degree(self) -> usize {
        if self.squared { 2 } else { (self.high - self.low + 1) as usize }
    }

    /// Its value.
    ///
    /// # Constant time
    /// In x.
    #[inline(always)]
    pub fn at<R: Ring>(self, x: R) -> R {
        let (root, cofactor) = (self.root(), self.cofactor(x));
        cofactor.mul(if root == 0 { x } else { x.sub(x.number(root)) })
    }

    /// m: it is x - m times its [cofactor](Self::cofactor).
    #[inline(always)]
    pub const fn root(self) -> i64 {
        let (low, high) = (self.low as i64, self.high as i64);
        // The middle of an odd number of integers.
        if self.degree() & 1 == 0 { low } else { (low + high) >> 1 }
    }

    /// The product of the other factors, at x: of pairs (x - low - i) (x - high + i) = y + (low +
    /// i) (high - i), where y = x^2 - (low + high) x; two pairs are y^2 + a y + b.
    ///
    /// # Constant time
    /// In x.
    #[inline(always)]
    pub fn cofactor<R: Ring>(self, x: R) -> R {
        if self.squared {
            return x;
        }
        let (low, high, degree) = (i64::from(self.low), i64::from(self.high), self.degree());
        let pair = |i: i64| (low + i) * (high - i);
        let mut value = x.number(1);
        let (mut next, end) = (0, (degree >> 1) as i64);
        if degree & 1 == 0 {
            (value, next) = (x.sub(x.number(high)), 1);
        }
        if next == end {
            return value;
        }
        let square = x.square();
        let y = if low + high == 0 { square } else { x.times_plus(-(low + high), square, 0) };
        // No closures: vector kernels inline what is marked alone.
        let mut first = degree & 1 == 1;
        if (end - next) & 1 == 1 {
            let factor = y.add(y.number(pair(next)));
            value = if first { factor } else { value.mul(factor) };
            (first, next) = (false, next + 1);
        }
        if next < end {
            let square = y.square();
            while next < end {
                let (a, b) = (pair(next), pair(next + 1));
                let factor = y.times_plus(a + b, square, a * b);
                value = if first { factor } else { value.mul(factor) };
                (first, next) = (false, next + 2);
            }
        }
        value
    }

    /// x^(d - 1) for its degree d: the cofactor's part of the highest degree.
    ///
    /// # Constant time
    /// In x.
    #[inline(always)]
    pub fn leading<R: Ring>(self, x: R) -> R {
        power(x, self.degree() - 1)
    }

    /// A bound on the absolute value at integers of absolute value at most x.
    pub fn bound(self, x: u64) -> Option<u64> {
        let factor = x.checked_add(self.high.max(-self.low).unsigned_abs().into())?;
        factor.checked_pow(self.degree() as u32)
    }
}

/// x^exponent.
#[inline(always)]
fn power<R: Ring>(x: R, exponent: usize) -> R {
    let mut value = x.number(1);
    for bit in (0..usize::BITS - exponent.leading_zeros()).rev() {
        let first = exponent >> bit == 1;
        if !first {
            value = value.square();
        }
        if exponent >> bit & 1 == 1 {
            value = if first { x } else { value.mul(x) };
        }
    }
    value
}

/// The value at point `index` of the line through `low` at 0 and `high` at 1. Points determine a
/// polynomial of degree D: 0, 1, -1, 2, -2, .., D of them, and infinity, where a value is the
/// coefficient of X^D.
#[inline(always)]
pub fn line_at<R: Ring>(index: usize, degree: usize, low: R, high: R) -> R {
    let step = high.sub(low);
    match index {
        _ if index == degree => step,
        0 => low,
        1 => high,
        2 => low.sub(step),
        3 => high.add(step),
        4 => low.sub(step).sub(step),
        _ => low.add(step.mul(step.number(point(index)))),
    }
}

/// Point number `index` of 0, 1, -1, 2, -2, ..
pub const fn point(index: usize) -> i64 {
    let half = (index as i64 + 1) >> 1;
    if index & 1 == 1 { half } else { -half }
}

/// Polynomials of a degree D by their values at the points of [`line_at`].
#[derive(Debug)]
pub struct Points<F: Field = P61> {
    /// The coefficients of the polynomial that has the value 1 at a point and 0 at the others, for
    /// each point.
    bases: Vec<Vec<ElementOf<F>>>,
}

impl<F: Field> Points<F> {
    /// For polynomials of this degree.
    pub fn new(degree: usize) -> Self {
        let at = |i: usize| ElementOf::<F>::from(point(i));
        // prod of X - x_i over the finite points, which is 0 at these and has the highest
        // coefficient 1.
        let mut product = vec![ElementOf::one()];
        for i in 0..degree {
            product.insert(0, ElementOf::ZERO);
            for k in 0..=i {
                let next = product[k + 1];
                product[k] = product[k] - at(i) * next;
            }
        }
        let basis = |i: usize| {
            // The product divided by X - x_i.
            let mut quotient = product[1..].to_vec();
            for k in (1..degree).rev() {
                let next = quotient[k];
                quotient[k - 1] += at(i) * next;
            }
            let scale = evaluate(&quotient, at(i)).inverse();
            quotient.into_iter().map(|x| x * scale).collect()
        };
        let mut bases: Vec<Vec<ElementOf<F>>> = (0..degree).map(basis).collect();
        bases.push(product);
        Self { bases }
    }

    /// The coefficients of the polynomial with these values, that of 1 first.
    ///
    /// # Constant time
    /// In the values.
    pub fn coefficients(&self, values: &[ElementOf<F>]) -> Zeroizing<Vec<ElementOf<F>>> {
        let mut coefficients = Zeroizing::new(vec![ElementOf::ZERO; values.len()]);
        for (basis, &value) in self.bases.iter().zip(values) {
            coefficients.iter_mut().zip(basis).for_each(|(sum, &x)| *sum += x * value);
        }
        coefficients
    }

    /// The weights of the values in that at x. Public.
    pub fn weights(&self, x: ElementOf<F>) -> Vec<ElementOf<F>> {
        self.bases.iter().map(|basis| evaluate(basis, x)).collect()
    }
}

/// The value of a polynomial, by its coefficients.
#[inline]
pub fn evaluate<F: Field>(coefficients: &[ElementOf<F>], x: ElementOf<F>) -> ElementOf<F> {
    coefficients.iter().rev().fold(ElementOf::ZERO, |value, &next| value * x + next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Element;

    #[test]
    fn products_are_zero_in_their_range_alone() {
        for (low, high) in [(0, 1), (-1, 1), (-1, 0), (-2, 2), (0, 7), (-3, 1), (-8, 8), (-16, 0)] {
            let product = Product::new(low, high);
            for x in -20_i64..=20 {
                let expected: i128 = (low..=high).map(|i| i128::from(x) - i128::from(i)).product();
                assert_eq!(product.at(Element::from(x)), Element::from_integers([expected, 0, 0]));
                let within = (i64::from(low)..=i64::from(high)).contains(&x);
                assert_eq!(
                    product.at(Element::from(x)) == Element::ZERO,
                    within,
                    "{x} in {low}..={high}"
                );
                if let Some(bound) = product.bound(20).filter(|&bound| bound < 1 << 62) {
                    assert_eq!(i128::from(product.at(x)), expected);
                    assert!(expected.unsigned_abs() <= bound.into());
                }
            }
        }
        assert_eq!(Product::new(-8, 8).bound(u64::MAX), None);
    }

    /// Values on a line, by those at its points, for all widths.
    #[test]
    fn values_follow_from_those_at_points() {
        let x = Element::from_integers([3, -7, 1 << 60]);
        let line = [4, -9].map(|i| Element::from_integers([i, 1 << 59, 5 - i]));
        let [low, high] = line;
        let on_line = |product: Product| product.at(low + x * (high - low));
        for width in 1..=26 {
            for product in
                (0..width).map(|i| Product::new(-i, width - 1 - i)).chain([Product::SQUARE])
            {
                let degree = product.degree();
                let points = Points::new(degree);
                let values: Vec<Element> = (0..=degree)
                    .map(|index| {
                        let value = line_at(index, degree, low, high);
                        if index == degree {
                            product.leading(value) * value
                        } else {
                            product.at(value)
                        }
                    })
                    .collect();
                let weights = points.weights(x);
                let sum = weights.iter().zip(&values);
                let sum = sum.fold(Element::ZERO, |sum, (&w, &value)| sum + w * value);
                assert_eq!(sum, on_line(product), "{product:?}");
                let coefficients = points.coefficients(&values);
                assert_eq!(evaluate(&coefficients, x), on_line(product), "{product:?}");
                let root = Element::from(product.root());
                assert_eq!((low - root) * product.cofactor(low), product.at(low));
            }
        }
    }
}
