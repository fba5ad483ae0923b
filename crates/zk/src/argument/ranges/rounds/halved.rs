//! The second round, in small integers: rows of the table are s + r (s* - s) then, for entries s and s*
//! of S, and P at a point is a polynomial in r.

use zeroize::Zeroizing;

use super::super::Ranges;
use super::{RowRound, Weighted};
use crate::argument::field::Element;
use crate::witness::columns::SourceEntry;

impl Weighted {
    /// Adds what the pairs of four whole entries each count, the first variable being bound to r.
    ///
    /// # Constant time
    /// In the entries.
    #[inline(always)]
    fn add_halved<T: SourceEntry, const DEGREE: usize>(
        &self,
        r: Element,
        column: &[T],
        messages: usize,
        out: &mut [Element],
    ) {
        // By points, then by powers of r up to the degree.
        let mut totals = [[[0_i128; 3]; RowRound::MOST_DEGREE + 1]; RowRound::MOST_POINTS];
        let weights = self.coefficients.chunks_exact(messages);
        for (g, weights) in self.pairs.clone().zip(weights) {
            let Some(four) = column.get(4 * g..4 * g + 4) else { continue };
            let [low, low_next, high, high_next]: [i64; 4] =
                core::array::from_fn(|i| four[i].into());
            let [mut a, mut b] = [low, low_next - low];
            let [step_a, step_b] = [high - a, high_next - high - b];
            for (point, (totals, weight)) in totals.iter_mut().zip(weights).enumerate() {
                if point == 1 {
                    // From 0 to 2.
                    [a, b] = [a + step_a, b + step_b];
                }
                if point > 0 {
                    [a, b] = [a + step_a, b + step_b];
                }
                let coefficients = self.product.at_line::<DEGREE>(a, b);
                for (total, value) in totals[..=DEGREE].iter_mut().zip(coefficients) {
                    for (total, &weight) in total.iter_mut().zip(weight) {
                        *total += i128::from(value) * i128::from(weight);
                    }
                }
            }
        }
        for (out, totals) in out.iter_mut().zip(&totals) {
            let totals = totals[..=DEGREE].iter().rev();
            *out +=
                totals.fold(Element::ZERO, |sum, &total| sum * r + Element::from_integers(total));
        }
    }
}

impl RowRound {
    /// Adds sum over columns j of eq_j sum over pairs and terms of E P(s^) at the points, for columns
    /// of which the first variable is bound to r. Nothing is reduced before the end: see
    /// [`Self::fits_halved`].
    ///
    /// # Constant time
    /// In the columns.
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    pub(in crate::argument::ranges) fn add_halved<T: SourceEntry>(
        &self,
        r: Element,
        entries: &[T],
        beta: &[Element],
        eq: &[Element],
        sums: &mut [Element],
    ) {
        let rows = entries.len() / eq.len();
        self.add_with(eq, sums, |j, out| {
            let column = &entries[j * rows..(j + 1) * rows];
            for part in &self.parts {
                match part.product.degree() {
                    1 => part.add_halved::<T, 1>(r, column, self.messages, out),
                    2 => part.add_halved::<T, 2>(r, column, self.messages, out),
                    3 => part.add_halved::<T, 3>(r, column, self.messages, out),
                    4 => part.add_halved::<T, 4>(r, column, self.messages, out),
                    _ => part.add_halved::<T, 5>(r, column, self.messages, out),
                }
            }
            // The pair that the last rows make with beta, or with rows of 0.
            let (whole, rest) = column.split_at(rows / 4 * 4);
            let mut last = Zeroizing::new([Element::ZERO; 4]);
            for (element, &entry) in last.iter_mut().zip(rest) {
                *element = Element::from(Into::<i64>::into(entry));
            }
            last[rest.len()] = beta[j];
            let bound = [0, 2].map(|i| last[i] + r * (last[i + 1] - last[i]));
            let count = (rest.len() + 1).div_ceil(2);
            self.add_pairs(&Zeroizing::new(bound)[..count], whole.len() / 4, out);
        });
    }

    /// Most degree of P in [`Self::add_halved`].
    const MOST_DEGREE: usize = 5;

    /// Whether no sum of [`Self::add_halved`] overflows: at a point x up to e a pair is A + r B with
    /// |A| at most (2 e + 1) times the largest entry and |B| at most twice that, and no coefficient of
    /// P(A + r B) exceeds the bound of P at |A| + |B|, which is to be below 2^44.
    pub(in crate::argument::ranges) fn fits_halved(&self, ranges: &Ranges) -> bool {
        let most = ranges.largest().saturating_mul(3 * (2 * self.messages as u64 + 1));
        let fits = |part: &Weighted| {
            let product = part.product;
            product.degree() <= Self::MOST_DEGREE
                && product.bound(most).is_some_and(|bound| bound < 1 << 44)
        };
        self.messages <= Self::MOST_POINTS && self.height <= 1 << 19 && self.parts.iter().all(fits)
    }
}
