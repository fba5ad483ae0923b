//! What this field has of its own, by big numbers.

use super::*;
use crate::field::tests::{big, word};
use num_bigint::BigUint;
use proptest::prelude::*;

/// p is prime by the test of Lucas and Lehmer, and -1 is no square modulo it.
#[test]
fn the_field_is_a_field() {
    let p = big(P);
    let mut s = BigUint::from(4_u8);
    for _ in 0..125 {
        s = (&s * &s + &p - 2_u8) % &p;
    }
    assert_eq!((s, P % 4), (BigUint::ZERO, 3));
    assert_eq!(big(P - 1).modpow(&big((P - 1) / 2), &p), big(P - 1));
}

proptest! {
    #[test]
    fn sums_of_two_products_are_reduced_once(
        x in [word::<P127>(), word::<P127>()], y in [word::<P127>(), word::<P127>()]
    ) {
        for [a, b] in [x, [P, P], [P - 1, P]] {
            for [c, d] in [y, [P, P], [P, 1]] {
                let sum = Number::product(a, b).plus(Number::product(c, d)).reduce();
                prop_assert_eq!(big(sum), (big(a) * b + big(c) * d) % P);
            }
        }
    }
}
