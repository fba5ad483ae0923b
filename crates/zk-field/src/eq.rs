//! eq(r, i) = prod over variables t of r_t where bit t of i is 1 and 1 - r_t where it is 0.

use alloc::vec;
use alloc::vec::Vec;

use crate::field::Element;

/// eq(r, i) for all i < count. Public.
pub fn table(r: &[Element], count: usize) -> Vec<Element> {
    let one = Element::monomial(1, 0);
    let mut table = vec![one];
    // From the highest variable on, so that places beyond `count` are never computed.
    for (t, &r) in r.iter().enumerate().rev() {
        let length = count.div_ceil(1 << t);
        let mut next = Vec::with_capacity(length);
        for x in table {
            let high = x * r;
            next.push(x - high);
            if next.len() < length {
                next.push(high);
            }
        }
        table = next;
    }
    table.truncate(count);
    table
}

/// eq(r, s).
#[inline]
pub fn at(r: &[Element], s: &[Element]) -> Element {
    let one = Element::monomial(1, 0);
    let factors = r.iter().zip(s).map(|(&r, &s)| r * s + (one - r) * (one - s));
    factors.fold(one, |product, factor| product * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_products() {
        let one = Element::from(1);
        for (variables, count) in
            [(0, 1), (2, 0), (1, 1), (1, 2), (3, 5), (5, 32), (5, 17), (5, 31)]
        {
            let r: Vec<Element> =
                (0..variables).map(|t| Element::from_integers([3 + t, 7 * t, 1 - t])).collect();
            let table = table(&r, count);
            assert_eq!(table.len(), count);
            for (i, &got) in table.iter().enumerate() {
                let bit = |t: usize| i >> t & 1 == 1;
                let point: Vec<Element> =
                    (0..r.len()).map(|t| if bit(t) { one } else { Element::ZERO }).collect();
                let factors = (0..r.len()).map(|t| if bit(t) { r[t] } else { one - r[t] });
                assert_eq!(got, factors.fold(one, |x, y| x * y));
                assert_eq!(got, at(&r, &point));
            }
        }
    }
}
