//! Rounds over columns, once all rows are bound.

use crate::field::{ElementOf, Field};
use crate::polynomial::Product;

/// Sums at the points 0, 2, .., e of a round for a variable of the columns: `table` is s^ with all
/// rows and the columns before bound, `eq` eq(tau, .) of the variables behind, and `factor` what
/// the bound ones and the claim's rows make of each range's polynomial.
///
/// # Constant time
/// In the table.
pub(in crate::argument::ranges) fn column_round<F: Field>(
    table: &[ElementOf<F>],
    eq: &[ElementOf<F>],
    factors: &[(Product, ElementOf<F>)],
    tau: ElementOf<F>,
    sums: &mut [ElementOf<F>],
) {
    for (pair, &eq) in table.chunks(2).zip(eq) {
        let high = pair.get(1).copied().unwrap_or(ElementOf::ZERO);
        let step = high - pair[0];
        let mut x = pair[0];
        for (point, sum) in sums.iter_mut().enumerate() {
            x = at_next_point(point, x, high, step);
            let terms = factors.iter().map(|&(product, factor)| factor * product.at(x));
            *sum += eq * terms.fold(ElementOf::ZERO, |sum, term| sum + term);
        }
    }
    let one = ElementOf::one();
    let (low, high) = (one - tau, tau);
    let mut factor = low;
    for (point, sum) in sums.iter_mut().enumerate() {
        factor = at_next_point(point, factor, high, high - low);
        *sum = *sum * factor;
    }
}

/// The value at point number `point` of 0, 2, 3, .. of a line, which is `high` at 1 and `x` at the
/// point before, or, for the first point, at 0.
#[inline(always)]
fn at_next_point<F: Field>(
    point: usize,
    x: ElementOf<F>,
    high: ElementOf<F>,
    step: ElementOf<F>,
) -> ElementOf<F> {
    match point {
        0 => x,
        1 => high + step,
        _ => x + step,
    }
}
