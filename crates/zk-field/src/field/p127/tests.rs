//! The field by big numbers.

use super::*;
use num_bigint::BigUint;
use proptest::prelude::*;

type Element = ElementOf<P127>;

fn big(x: u128) -> BigUint {
    BigUint::from(x)
}

/// p is prime by the test of Lucas and Lehmer, and -1 is no square modulo it.
#[test]
fn the_field_is_a_field() {
    let p = big(P);
    let mut s = big(4);
    for _ in 0..125 {
        s = (&s * &s + &p - big(2)) % &p;
    }
    assert_eq!((s, P % 4), (BigUint::ZERO, 3));
    assert_eq!(big(P - 1).modpow(&big((P - 1) / 2), &p), big(P - 1));
}

fn residue() -> impl Strategy<Value = u128> {
    let near = [0, 1, 2, u64::MAX.into(), 1 << 64, 1 << 126, (1 << 126) - 1];
    let ends: Vec<u128> = near.iter().flat_map(|&x| [x, (P - 1).saturating_sub(x)]).collect();
    prop_oneof![0..P, prop::sample::select(ends)]
}

fn element() -> impl Strategy<Value = [u128; 2]> {
    [residue(), residue()]
}

/// By Python's integers, a * b % p.
#[test]
fn known_products() {
    for (a, b, product) in [
        (
            0x1fedcba987654321_0123456789abcdef,
            0x7edcba9876543210_fedcba9876543210,
            0x10ecbd1a8d9ed6bc_fec8042ab314c741,
        ),
        (P - 1, P - 1, 1),
        (1 << 126, 1 << 126, 1 << 125),
        (
            0x7fffffffffffffff_0000000000000001,
            0x4000000000000000_ffffffffffffffff,
            0x0000000000000002_7ffffffffffffffd,
        ),
    ] {
        assert_eq!(P127::multiply(a, b), product, "{a:x} {b:x}");
    }
}

proptest! {
    #[test]
    fn operations_are_those_of_integers(a in residue(), b in residue(), c in residue()) {
        prop_assert_eq!(big(P127::add(a, b)), (big(a) + b) % P);
        prop_assert_eq!(big(P127::subtract(a, b)), (big(a) + P - b) % P);
        prop_assert_eq!(big(P127::multiply(a, b)), big(a) * b % P);
        prop_assert_eq!(big(P127::multiply_add(a, b, [c, a])), (big(a) * b + c + a) % P);
        prop_assert_eq!(P127::multiply(a, P127::invert(a)), u128::from(a != 0));
        for shift in [0, 1, 63, 64, 78, 126] {
            prop_assert_eq!(big(rotate(a, shift)), (big(a) << shift) % P);
        }
    }

    #[test]
    fn small_factors_are_those_of_integers(
        a in -(1_i64 << 20) + 1..1 << 20, x in residue(), c in residue(), d in residue()
    ) {
        for a in [a, (1 << 20) - 1, 1 - (1 << 20), 0, -1] {
            for [x, c, d] in [[x, c, d], [x, P - 1, P - 1], [P - 1, P - 1, 0], [0, c, 0]] {
                let factor = big(i128::from(a).rem_euclid(P.cast_signed()).cast_unsigned());
                let expected = (factor * x + c + d) % P;
                prop_assert_eq!(big(P127::times_plus(a, x, [c, d])), expected);
            }
        }
    }

    #[test]
    fn sums_of_two_products_are_reduced_once(x in element(), y in element()) {
        for [a, b] in [x, [P, P], [P - 1, P]] {
            for [c, d] in [y, [P, P], [P, 1]] {
                let sum = Number::product(a, b).plus(Number::product(c, d)).reduce();
                prop_assert_eq!(big(sum), (big(a) * b + big(c) * d) % P);
            }
        }
    }

    #[test]
    fn integers_are_reduced(x in -(1_i128 << 125)..=1 << 125, shift in 0..125) {
        for x in [x, x >> shift, 0, -1, 1 << 125, -(1 << 125)] {
            prop_assert_eq!(P127::residue(x), x.rem_euclid(P.cast_signed()).cast_unsigned());
        }
    }

    #[test]
    fn uniform_bytes_are_one_number(bytes in prop::array::uniform32(any::<u8>())) {
        for bytes in [bytes, [u8::MAX; 32]] {
            let number = BigUint::from_bytes_le(&bytes) % P;
            prop_assert_eq!(big(P127::uniform_residue(&bytes)), number);
        }
    }

    #[test]
    fn products_are_those_of_polynomials([a, b] in element(), [c, d] in element()) {
        let (x, y) = (Element::from_residues([a, b]), Element::from_residues([c, d]));
        let minus = big(P) - d;
        let expected = [big(a) * c + big(b) * minus, big(a) * d + big(b) * c].map(|x| x % P);
        prop_assert_eq!((x * y).coefficients().map(big), expected);
        prop_assert_eq!(P127::square([a, b]), P127::product([a, b], [a, b]));
        let one = if x.is_zero() { Element::ZERO } else { Element::one() };
        prop_assert_eq!(x * x.inverse(), one);
        prop_assert_eq!((x + y - y, x - x), (x, Element::ZERO));
    }

    #[test]
    fn sums_with_integers_are_exact(x in element(), integer in -(1_i64 << 44) + 1..1 << 44) {
        let most = (1 << 44) - 1;
        for (x, integer) in [(x, integer), ([P - 1; 2], most), ([P - 1; 2], -most), (x, most)] {
            let mut sum = Default::default();
            (0..1 << 17).for_each(|_| P127::add_integer(&mut sum, integer, x));
            let x = Element::from_residues(x);
            let expected = x * Element::from(integer << 17);
            prop_assert_eq!(P127::reduce_integers(sum), expected.coefficients());
        }
    }

    #[test]
    fn parts_are_the_word(x in residue(), factor in -(1_i64 << 31)..1 << 31) {
        let parts: Vec<i64> =
            (0..P127::PARTS).map(|i| factor * i64::from(P127::part(x, i))).collect();
        let expected = P127::multiply(x, P127::residue(factor.into()));
        prop_assert_eq!(P127::of_parts(&parts), expected);
        let ends = [(1_i64 << 62) - 1, 1 - (1 << 62)];
        for end in ends {
            let sum = (0..5).fold(BigUint::ZERO, |sum, i| sum + (BigUint::from(end.unsigned_abs()) << (26 * i)));
            let sum = sum % P;
            let expected = if end < 0 { big(P) - sum } else { sum };
            prop_assert_eq!(big(P127::of_parts(&[end; 5])), expected);
        }
    }

    #[test]
    fn encodings_are_canonical(words in prop::array::uniform2(prop_oneof![
        residue(), Just(P), Just(P + 1), Just(u128::MAX), any::<u128>()
    ])) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let bytes: [u8; 32] = bytes.try_into().expect("two words");
        let element = words.iter().all(|&word| word < P).then(|| Element::from_residues(words));
        prop_assert_eq!(Element::from_bytes(&bytes), element);
        if let Some(element) = element {
            prop_assert_eq!(element.to_bytes(), bytes);
        }
    }
}
