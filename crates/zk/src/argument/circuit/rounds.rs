//! Round polynomials of the sum over the constraints.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::argument::tables::{bind, pair, sum};
use crate::eq;
use crate::field::Element;

/// The sum over the constraints of eq(tau, .) (A z B z - C z), as far as variables are bound.
pub(super) struct Outer {
    /// A z, B z and C z. Secret.
    tables: [Zeroizing<Vec<Element>>; 3],
    /// The variables of tau that are not bound.
    tau: Vec<Element>,
    /// eq(tau, r_x) of those that are.
    factor: Element,
}

impl Outer {
    pub(super) fn new(tables: [Zeroizing<Vec<Element>>; 3], tau: &[Element]) -> Self {
        Self { tables, tau: tau.to_vec(), factor: Element::monomial(1, 0) }
    }

    /// The coefficients of 1, X^2 and X^3 of the next round polynomial.
    ///
    /// It is the line eq(tau_t, X) times a polynomial h of degree 2; sums give h(0), h(1) and the
    /// coefficient of X^2.
    ///
    /// # Constant time
    /// In the tables.
    pub(super) fn coefficients(&self) -> [Element; 3] {
        let [a, b, c] = &self.tables;
        let count = a.len().div_ceil(2);
        let eq = eq::table(&self.tau[1..], count);
        let sums = sum(count, |index| {
            let ([a0, a1], [b0, b1]) = (pair(a, index), pair(b, index));
            let [c0, c1] = pair(c, index);
            let weight = eq[index];
            let values = [a0 * b0 - c0, a1 * b1 - c1, (a1 - a0) * (b1 - b0)];
            values.map(|value| weight * value)
        });
        let [at_0, at_1, square] = *sums;
        let linear = at_1 - at_0 - square;
        let one = Element::monomial(1, 0);
        let tau = self.tau[0];
        let (low, slope) = (self.factor * (one - tau), self.factor * (tau + tau - one));
        [low * at_0, low * square + slope * linear, slope * square]
    }

    /// Binds the next variable.
    pub(super) fn bind(&mut self, r: Element) {
        let tau = self.tau.remove(0);
        self.factor = self.factor * eq::at(&[tau], &[r]);
        for table in &mut self.tables {
            *table = bind(table, r);
        }
    }

    /// A z, B z and C z at r_x, when all variables are bound.
    pub(super) fn values(&self) -> [Element; 3] {
        self.tables.each_ref().map(|table| table[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(seed: i128, len: usize) -> Zeroizing<Vec<Element>> {
        let element = |i: i128| Element::from_integers([seed * i * i + 3, i - seed, 1 << (i % 60)]);
        Zeroizing::new((0..len as i128).map(element).collect())
    }

    fn line([low, high]: [Element; 2], x: Element) -> Element {
        low + x * (high - low)
    }

    /// The polynomials by their definition, at a few points, for lengths that are no powers of two.
    #[test]
    fn coefficients_are_those_of_the_sums() {
        for len in [1, 2, 3, 7, 8, 9, 8193] {
            let tau: Vec<Element> = table(9, 14).to_vec();
            let tables = [1, 2, 5].map(|seed| table(seed, len));
            let [a, b, c] = tables.clone();
            let mut outer = Outer::new(tables, &tau);
            let got = outer.coefficients();
            let value = |x: Element| {
                let mut sum = Element::ZERO;
                for index in 0..len.div_ceil(2) {
                    let [a, b, c] = [&a, &b, &c].map(|table| line(pair(table, index), x));
                    let weights = [2 * index, 2 * index + 1].map(|place| {
                        let bits: Vec<Element> =
                            (0..14).map(|t| Element::from((place >> t & 1) as i64)).collect();
                        eq::at(&tau, &bits)
                    });
                    sum += line(weights, x) * (a * b - c);
                }
                sum
            };
            let at: Vec<Element> = (0..4).map(|x| value(Element::from(x))).collect();
            let linear = at[1] - got[0] - got[1] - got[2];
            assert_eq!(at[0], got[0]);
            for (x, &value) in (2..).zip(&at[2..]) {
                let x = Element::from(x);
                assert_eq!(got[0] + x * (linear + x * (got[1] + x * got[2])), value, "{len}");
            }
            // Bound, its value is that of the polynomial.
            let r = table(77, 5)[4];
            outer.bind(r);
            let expected = got[0] + r * (linear + r * (got[1] + r * got[2]));
            let [g0, g2, g3] = outer.coefficients();
            if len > 2 {
                let pairs = outer.tables[0].len().div_ceil(2);
                let eq = eq::table(&outer.tau[1..], pairs);
                let at_1 = (0..pairs).fold(Element::ZERO, |sum, index| {
                    let [[_, a], [_, b], [_, c]] =
                        outer.tables.each_ref().map(|table| pair(table, index));
                    sum + eq[index] * (a * b - c)
                });
                assert_eq!(g0 + outer.factor * outer.tau[0] * at_1, expected);
                assert!(g2 != g3);
            }
        }
    }
}
