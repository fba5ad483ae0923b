//! Tables of elements of K with one more variable bound, and sums of products over them.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::field::Element;

/// Pairs that are summed together.
const CHUNK: usize = 1 << 12;

/// A pair of a table, which is 0 behind its end.
pub(super) fn pair(table: &[Element], index: usize) -> [Element; 2] {
    [table[2 * index], table.get(2 * index + 1).copied().unwrap_or(Element::ZERO)]
}

/// The sum over pairs 0 to `count` - 1 of what `f` makes of each.
pub(super) fn sum<const N: usize>(
    count: usize,
    f: impl Fn(usize) -> [Element; N] + Sync + Send,
) -> Zeroizing<[Element; N]> {
    let mut parts = Zeroizing::new(vec![[Element::ZERO; N]; count.div_ceil(CHUNK)]);
    crate::parallel::for_chunks(&mut parts, 1, |chunk, out| {
        for index in (chunk * CHUNK..count).take(CHUNK) {
            out[0].iter_mut().zip(f(index)).for_each(|(sum, x)| *sum += x);
        }
    });
    let mut total = Zeroizing::new([Element::ZERO; N]);
    for part in parts.iter() {
        total.iter_mut().zip(part).for_each(|(sum, &x)| *sum += x);
    }
    total
}

/// A table with its lowest variable bound.
///
/// # Constant time
/// In the table.
pub(super) fn bind(table: &[Element], r: Element) -> Zeroizing<Vec<Element>> {
    let mut bound = Zeroizing::new(vec![Element::ZERO; table.len().div_ceil(2)]);
    crate::parallel::for_chunks(&mut bound, CHUNK, |chunk, out| {
        for (index, out) in (chunk * CHUNK..).zip(out) {
            let [low, high] = pair(table, index);
            *out = low + r * (high - low);
        }
    });
    bound
}

/// The coefficients of 1 and X^2 of the next round polynomial of a sum of
/// products a_i b_i, over two tables of one length.
///
/// # Constant time
/// In both tables.
pub(super) fn inner(a: &[Element], b: &[Element]) -> [Element; 2] {
    let sums = sum(b.len().div_ceil(2), |index| {
        let ([a0, a1], [b0, b1]) = (pair(a, index), pair(b, index));
        [a0 * b0, (a1 - a0) * (b1 - b0)]
    });
    *sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(seed: i128, len: usize) -> Vec<Element> {
        let element = |i: i128| Element::from_integers([seed * i * i + 3, i - seed, 1 << (i % 60)]);
        (0..len as i128).map(element).collect()
    }

    /// By the definition, at a few points, for lengths that are no powers of two.
    #[test]
    fn coefficients_are_those_of_the_sums() {
        let line = |[low, high]: [Element; 2], x: Element| low + x * (high - low);
        for len in [1, 2, 3, 7, 8, 9, 8193] {
            let [a, b] = [4, 6].map(|seed| table(seed, len));
            let [low, square] = inner(&a, &b);
            let value = |x: Element| {
                (0..len.div_ceil(2)).fold(Element::ZERO, |sum, index| {
                    sum + line(pair(&a, index), x) * line(pair(&b, index), x)
                })
            };
            let (one, two) = (Element::from(1), Element::from(2));
            assert_eq!(value(Element::ZERO), low);
            let linear = value(one) - low - square;
            assert_eq!(value(two), low + two * (linear + two * square));
            // Bound, the sum of the products is the value.
            let r = table(77, 5)[4];
            let [bound_a, bound_b] = [&a, &b].map(|table| bind(table, r));
            let sum = bound_a.iter().zip(bound_b.iter());
            let sum = sum.fold(Element::ZERO, |sum, (&a, &b)| sum + a * b);
            assert_eq!(sum, low + r * (linear + r * square));
        }
    }
}
