//! The second round, in small integers: rows of the table are s + r (s* - s) then, for entries s and s*
//! of S, and P at a point is a polynomial in r.

use zeroize::Zeroizing;

use super::super::Ranges;
use super::{Chunk, RowRound, Weighted, transpose};
use crate::field::{Element, Integer, Integers, Lanes};
use crate::witness::columns::SourceEntry;

impl RowRound {
    /// Adds what the pairs of four whole entries each count, the first variable being bound to r.
    ///
    /// # Constant time
    /// In the entries.
    #[inline(always)]
    fn add_lines<L: Lanes, const DEGREE: usize>(
        &self,
        r: L,
        part: &Weighted,
        (first, weights, sums): &Chunk<'_>,
        entries: &[i64],
        out: &mut [L],
    ) {
        let token = r.token();
        // By points, then by powers of r up to the degree.
        let mut totals = [[L::Integers::zero(token); Self::MAX_DEGREE + 1]; Self::MAX_POINTS];
        for (g, weights) in (*first..).zip(weights.chunks_exact(self.messages)) {
            let four = &entries[4 * g * L::LANES..];
            let mut rows = [L::integers(token, four); 4];
            for (i, row) in rows.iter_mut().enumerate() {
                *row = L::integers(token, &four[i * L::LANES..]);
            }
            let [low, low_next, high, high_next] = rows;
            let [mut a, mut b] = [low, low_next.sub(low)];
            let [step_a, step_b] = [high.sub(a), high_next.sub(high).sub(b)];
            for (point, (totals, &weight)) in totals.iter_mut().zip(weights).enumerate() {
                if point == 1 {
                    // From 0 to 2.
                    [a, b] = [a.add(step_a), b.add(step_b)];
                }
                if point > 0 {
                    [a, b] = [a.add(step_a), b.add(step_b)];
                }
                let coefficients = part.product.at_line::<L::Integer, DEGREE>(a, b);
                for (total, value) in totals[..=DEGREE].iter_mut().zip(coefficients) {
                    total.add(value, weight);
                }
            }
        }
        for ((out, totals), &sum) in out.iter_mut().zip(&totals).zip(sums) {
            let mut value = totals[DEGREE].reduce(sum);
            for total in totals[..DEGREE].iter().rev() {
                value = value.mul(r).add(total.reduce(sum));
            }
            *out = out.add(value);
        }
    }

    /// Adds sum over columns j of eq_j sum over pairs and terms of E P(s^) at the points, for
    /// columns whose first variable is bound to r. Nothing is reduced before the end: see
    /// [`Self::fits_halved`].
    ///
    /// # Constant time
    /// In the columns.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    pub(in crate::argument::ranges) fn add_halved<T: SourceEntry, L: Lanes>(
        &self,
        token: L::Token,
        r: Element,
        (entries, beta): (&[T], &[Element]),
        eq: &[Element],
        sums: &mut [Element],
    ) {
        let rows = entries.len() / eq.len();
        let chunks = self.chunks(L::MAX_INTEGERS);
        self.add_with::<L>(
            token,
            eq,
            sums,
            #[inline(always)]
            |group, out| {
                let entries = transpose::<T, L>(entries, rows, group);
                let r = L::splat(token, r);
                for (part, chunks) in self.parts.iter().zip(&chunks) {
                    for chunk in chunks {
                        match part.product.degree() {
                            1 => self.add_lines::<L, 1>(r, part, chunk, &entries, out),
                            2 => self.add_lines::<L, 2>(r, part, chunk, &entries, out),
                            3 => self.add_lines::<L, 3>(r, part, chunk, &entries, out),
                            4 => self.add_lines::<L, 4>(r, part, chunk, &entries, out),
                            _ => self.add_lines::<L, 5>(r, part, chunk, &entries, out),
                        }
                    }
                }
                // The pair that the last rows make with beta, or with rows of 0.
                let (whole, rest) = (rows / 4, rows % 4);
                let zero = L::splat(token, Element::ZERO);
                let mut last = [zero; 4];
                for (i, last) in last[..rest].iter_mut().enumerate() {
                    let entry = L::integers(token, &entries[(4 * whole + i) * L::LANES..]);
                    *last = L::of_integers(entry);
                }
                last[rest] = L::gather(token, &beta[group * L::LANES..]);
                let [a, b, c, d] = last;
                let bound = [a.add(r.mul(b.sub(a))), c.add(r.mul(d.sub(c)))];
                let bound = Zeroizing::new([bound[0].store(), bound[1].store()]);
                self.add_pairs(token, &bound[..(rest + 1).div_ceil(2)], whole, out);
            },
        );
    }

    /// Most degree of P in [`Self::add_halved`].
    const MAX_DEGREE: usize = 5;

    /// Whether no sum of [`Self::add_halved`] overflows: at a point x up to e a pair is A + r B with
    /// |A| at most (2 e + 1) times the largest entry and |B| at most twice that, and no coefficient of
    /// P(A + r B) exceeds the bound of P at |A| + |B|, which is to be below 2^42.
    pub(in crate::argument::ranges) fn fits_halved(&self, ranges: &Ranges) -> bool {
        let most = ranges.largest().saturating_mul(3 * (2 * self.messages as u64 + 1));
        let fits = |part: &Weighted| {
            let product = part.product;
            product.degree() <= Self::MAX_DEGREE
                && product.bound(most).is_some_and(|bound| bound < 1 << 42)
        };
        self.messages <= Self::MAX_POINTS && self.parts.iter().all(fits)
    }
}
