//! Polynomials: for ranges and norms, and for rounds from their values.

use alloc::vec;
use alloc::vec::Vec;

use crate::field::{Element, Integer, Lanes};

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

    /// Its degree.
    #[inline]
    pub const fn degree(self) -> usize {
        if self.squared { 2 } else { (self.high - self.low + 1) as usize }
    }

    /// Its value: x (x^2 - 1) (x^2 - 4) .. as far as the range is symmetric, then the rest.
    ///
    /// # Constant time
    /// In x.
    #[inline(always)]
    pub fn at<L: Lanes>(self, x: L) -> L {
        if self.squared {
            return x.square();
        }
        let both = self.high.min(-self.low);
        let mut value = x;
        if both > 0 {
            let square = x.square();
            for i in 1..=both as u64 {
                value = value.mul(square.sub(number(x, i * i)));
            }
        }
        for i in both + 1..=self.high.max(-self.low) {
            let i = number(x, i as u64);
            value = value.mul(if both == self.high { x.add(i) } else { x.sub(i) });
        }
        value
    }

    /// Its value at an integer.
    ///
    /// # Constant time
    /// In x.
    #[inline(always)]
    pub fn at_integer<I: Integer>(self, x: I) -> I {
        if self.squared {
            return x.mul(x);
        }
        let mut value = x.sub(x.number(self.low.into()));
        for i in self.low + 1..=self.high {
            value = value.mul(x.sub(x.number(i.into())));
        }
        value
    }

    /// The coefficients of its value at a + b r, that of 1 first; the degree is its own.
    ///
    /// # Constant time
    /// In a and b.
    #[inline(always)]
    pub fn at_line<I: Integer, const DEGREE: usize>(self, a: I, b: I) -> [I; 6] {
        debug_assert!(DEGREE == self.degree() && DEGREE < 6);
        let zero = a.number(0);
        if self.squared {
            return [a.mul(a), a.add(a).mul(b), b.mul(b), zero, zero, zero];
        }
        let mut coefficients = [a.number(1), zero, zero, zero, zero, zero];
        for (degree, i) in (0..DEGREE).zip(i64::from(self.low)..) {
            let factor = a.sub(a.number(i));
            for k in (1..=degree + 1).rev() {
                coefficients[k] = coefficients[k].mul(factor).add(coefficients[k - 1].mul(b));
            }
            coefficients[0] = coefficients[0].mul(factor);
        }
        coefficients
    }

    /// A bound on the absolute value at integers of absolute value at most x.
    pub fn bound(self, x: u64) -> Option<u64> {
        let factor = x.checked_add(self.high.max(-self.low).unsigned_abs().into())?;
        factor.checked_pow(self.degree() as u32)
    }
}

/// A number below p, in as many lanes as `like` has.
#[inline(always)]
fn number<L: Lanes>(like: L, value: u64) -> L {
    L::splat(like.token(), Element::monomial(value, 0))
}

/// Polynomials of degree e by their values at 0, 1, .., e.
#[derive(Debug)]
pub struct Interpolation {
    /// The coefficients of the polynomial that is 1 at a point and 0 at the others, for each point.
    bases: Vec<Vec<Element>>,
}

impl Interpolation {
    /// For polynomials of this degree.
    pub fn new(degree: usize) -> Self {
        let number = |x: usize| Element::monomial(x as u64, 0);
        let basis = |point: usize| {
            let mut coefficients = vec![number(1)];
            let mut scale = number(1);
            for other in (0..=degree).filter(|&other| other != point) {
                scale = scale * (number(point) - number(other));
                // Times X - other.
                coefficients.insert(0, Element::ZERO);
                for i in 0..coefficients.len() - 1 {
                    let next = coefficients[i + 1];
                    coefficients[i] = coefficients[i] - number(other) * next;
                }
            }
            let scale = scale.inverse();
            coefficients.into_iter().map(|x| x * scale).collect()
        };
        Self { bases: (0..=degree).map(basis).collect() }
    }

    /// The coefficients, that of 1 first.
    ///
    /// # Constant time
    /// In the values.
    pub fn coefficients(&self, values: &[Element]) -> Vec<Element> {
        let coefficient = |i: usize| {
            let terms = self.bases.iter().zip(values).map(|(basis, &value)| basis[i] * value);
            terms.fold(Element::ZERO, |sum, term| sum + term)
        };
        (0..self.bases.len()).map(coefficient).collect()
    }
}

/// The value of a polynomial, by its coefficients.
#[inline]
pub fn evaluate(coefficients: &[Element], x: Element) -> Element {
    coefficients.iter().rev().fold(Element::ZERO, |value, &next| value * x + next)
}

#[cfg(test)]
mod tests {
    use super::*;

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
                    assert_eq!(i128::from(product.at_integer(x)), expected);
                    assert!(expected.unsigned_abs() <= bound.into());
                }
            }
        }
        assert_eq!(Product::new(-8, 8).bound(u64::MAX), None);
    }

    #[test]
    fn norms_are_squares_and_lines() {
        for x in [-127, -3, 0, 1, 5, 1 << 20] {
            let square = i128::from(x) * i128::from(x);
            assert_eq!(
                Product::SQUARE.at(Element::from(x)),
                Element::from_integers([square, 0, 0])
            );
            assert_eq!(i128::from(Product::SQUARE.at_integer(x)), square);
            assert_eq!(Product::SQUARE.bound(x.unsigned_abs()), Some(square as u64));
            assert_eq!(Product::LINE.at(Element::from(x)), x.into());
            assert_eq!(Product::LINE.at_integer(x), x);
        }
        assert_eq!((Product::SQUARE.degree(), Product::LINE.degree()), (2, 1));
    }

    #[test]
    fn products_on_a_line_are_polynomials() {
        let r = Element::from_integers([3, -7, 1 << 60]);
        let check = |product: Product, a: i64, b: i64, coefficients: &[i64]| {
            let coefficients: Vec<Element> = coefficients.iter().map(|&c| c.into()).collect();
            let x = Element::from(a) + r * b.into();
            assert_eq!(evaluate(&coefficients, r), product.at(x), "{product:?} {a} {b}");
        };
        for (a, b) in [(0, 0), (1, -2), (-9, 18), (40, -40), (3, 77)] {
            let two = Product::new(0, 1);
            check(two, a, b, &two.at_line::<i64, 2>(a, b));
            for low in [-2, -1, 0] {
                let three = Product::new(low, low + 2);
                check(three, a, b, &three.at_line::<i64, 3>(a, b));
            }
            check(Product::SQUARE, a, b, &Product::SQUARE.at_line::<i64, 2>(a, b));
            check(Product::LINE, a, b, &Product::LINE.at_line::<i64, 1>(a, b));
            let four = Product::new(-1, 2);
            check(four, a, b, &four.at_line::<i64, 4>(a, b));
            let five = Product::new(-2, 2);
            check(five, a, b, &five.at_line::<i64, 5>(a, b));
        }
    }

    #[test]
    fn polynomials_follow_from_their_values() {
        for degree in [1_usize, 3, 4, 18] {
            let given: Vec<Element> = (0..=degree)
                .map(|i| Element::from_integers([1 << i, -(i as i128), 1 << 60]))
                .collect();
            let values: Vec<Element> =
                (0..=degree).map(|x| evaluate(&given, Element::from(x as i64))).collect();
            assert_eq!(Interpolation::new(degree).coefficients(&values), given);
        }
    }
}
