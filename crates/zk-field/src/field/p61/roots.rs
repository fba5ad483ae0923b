//! Cube roots in K.
//!
//! K* has 27 n elements, 3 not dividing n. Its elements of order 27 are powers of X^n: X is no
//! cube, as its norm 5 is none in F. With 3 e = n + 1 the cube of x^e is x times x^n, a power of
//! X^n.

use crate::field::Element;

/// n = (p^3 - 1) / 27, and e = (n + 1) / 3, the lowest of three words first.
const N: [u64; 3] = quotient(cube_of_p_plus(-1), 27);
const E: [u64; 3] = quotient(cube_of_p_plus(26), 81);

/// p^3 + more = 2^183 - 3 2^122 + 3 2^61 - 1 + more.
const fn cube_of_p_plus(more: i64) -> [u64; 3] {
    [((3_u64 << 61) - 1).wrapping_add_signed(more), (3_u64 << 58).wrapping_neg(), (1 << 55) - 1]
}

/// The quotient of a number that the divisor divides.
#[expect(clippy::integer_division_remainder_used, reason = "a constant")]
const fn quotient(mut words: [u64; 3], divisor: u128) -> [u64; 3] {
    let (mut rest, mut i) = (0, 3);
    while i > 0 {
        i -= 1;
        let dividend = rest << 64 | words[i] as u128;
        (words[i], rest) = ((dividend / divisor) as u64, dividend % divisor);
    }
    assert!(rest == 0, "it divides the number");
    words
}

/// x^exponent.
fn power(x: Element, exponent: [u64; 3]) -> Element {
    (0..192).rev().fold(Element::one(), |power, bit| {
        let square = power * power;
        if exponent[bit >> 6] >> (bit & 63) & 1 == 1 { square * x } else { square }
    })
}

/// (s, k) with s^3 X^k = x, for an x other than 0. Its time depends on x.
pub(super) fn cube_root_vartime(x: Element) -> Option<(Element, usize)> {
    let generator = power(Element::monomial(1, 1), N);
    let inverse = Element::monomial(1, 1).inverse();
    let mut cube = x;
    for k in 0..3 {
        let mut root = power(cube, E);
        for _ in 0..9 {
            if root * root * root == cube {
                return Some((root, k));
            }
            root = root * generator;
        }
        cube = cube * inverse;
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::P;
    use super::*;

    proptest! {
        #[test]
        fn roots_are_roots(words in prop::array::uniform3(0..P), real: bool) {
            let [a, b, c] = words;
            let x = Element::from_residues(if real { [a, 0, 0] } else { [a, b, c] });
            prop_assume!(!x.is_zero());
            let (root, k) = cube_root_vartime(x).unwrap();
            prop_assert!(x == root * root * root * Element::monomial(1, k));
            prop_assert!(!real || k == 0, "each element of F is a cube");
        }
    }
}
