//! The field by its definition, and by big numbers.

use super::*;
use num_bigint::BigUint;
use proptest::prelude::*;

fn power(a: u64, exponent: &BigUint) -> BigUint {
    BigUint::from(a).modpow(exponent, &BigUint::from(P))
}

/// Elements are erased by their default values.
#[test]
fn erased_elements_are_0() {
    let mut element = Element::from_integers([1, -2, 3]);
    element.zeroize();
    assert_eq!(element, Element::ZERO);
    let mut scalar = crate::scalar::Scalar::from(5_u32);
    scalar.zeroize();
    assert_eq!(scalar.value(), 0);
}

/// p is prime by Lucas' criterion with a = 37, and X^3 - 5 has no root modulo p: 5 is no cube,
/// as 5^((p - 1) / 3) is not 1. Of 2 and 3 it is.
#[test]
fn the_field_is_a_field() {
    let factors = [2_u64, 3, 5, 7, 11, 13, 31, 41, 61, 151, 331, 1321];
    let mut rest = P - 1;
    for factor in factors {
        while rest.is_multiple_of(factor) {
            rest /= factor;
        }
    }
    assert_eq!(rest, 1, "all prime factors of p - 1");
    let one = BigUint::from(1_u8);
    assert_eq!(power(37, &BigUint::from(P - 1)), one);
    for factor in factors {
        assert_ne!(power(37, &BigUint::from((P - 1) / factor)), one, "{factor}");
    }
    let third = BigUint::from((P - 1) / 3);
    assert_ne!(power(5, &third), one);
    assert_eq!((power(2, &third), power(3, &third)), (one.clone(), one));
}

/// Numbers of up to 128 bits, next to multiples of p and of powers of it.
#[test]
fn parts_of_61_bits_add_up() {
    let p = u128::from(P);
    for number in [0, p, 2 * p, p << 61, p * p, p << 66, 1 << 122, 63 << 122, u128::MAX - 1] {
        for number in [number.wrapping_sub(1), number, number + 1] {
            assert_eq!(u128::from(fold(number)), number % p, "{number:x}");
        }
    }
}

/// A product by definition, over the integers.
fn product(a: [u64; 3], b: [u64; 3]) -> [BigUint; 3] {
    let mut sums: [BigUint; 3] = Default::default();
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            let factor = if i + j < 3 { 1_u8 } else { 5 };
            sums[(i + j) % 3] += BigUint::from(a) * BigUint::from(b) * factor;
        }
    }
    sums.map(|sum| sum % P)
}

fn numbers(a: Element) -> [BigUint; 3] {
    a.0.map(BigUint::from)
}

fn coefficient() -> impl Strategy<Value = u64> {
    prop_oneof![0..P, Just(0), Just(1), Just(P - 1), Just(P / 2), Just(1 << 60)]
}

fn element() -> impl Strategy<Value = Element> {
    [coefficient(), coefficient(), coefficient()].prop_map(Element::from_residues)
}

proptest! {
    #[test]
    fn operations_are_those_of_the_definition(a in element(), b in element(), n: i64) {
        prop_assert_eq!(numbers(a * b), product(a.0, b.0));
        let sums = [0, 1, 2].map(|i| BigUint::from(a.0[i]) + b.0[i]);
        prop_assert_eq!(numbers(a + b), sums.map(|sum| sum % P));
        prop_assert_eq!(a - b + b, a);
        let mut sum = a;
        sum += b;
        prop_assert_eq!(sum, a + b);
        let residue = i128::from(n).rem_euclid(i128::from(P)) as u64;
        prop_assert_eq!(Element::from(n).0, [residue, 0, 0]);
    }

    #[test]
    fn inverses_are_inverse(a in element()) {
        let expected = if a == Element::ZERO { Element::ZERO } else { Element::from(1) };
        prop_assert_eq!(a * a.inverse(), expected);
    }

    #[test]
    fn encodings_are_canonical(words in prop::array::uniform3(prop_oneof![
        coefficient(), Just(P), Just(P + 1), Just(u64::MAX), any::<u64>()
    ])) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let bytes: [u8; 24] = bytes.try_into().expect("three words");
        let reduced = words.iter().all(|&word| word < P);
        let expected = reduced.then_some(Element::from_residues(words));
        prop_assert_eq!(Element::from_bytes(&bytes), expected);
        if reduced {
            prop_assert_eq!(Element::from_residues(words).to_bytes(), bytes);
        }
    }

    #[test]
    fn residues_are_those_of_integers(x in -(1_i128 << 125)..=1 << 125, shift in 0..125) {
        for x in [x, x >> shift, 1 << 125, -(1 << 125)] {
            prop_assert_eq!(i128::from(residue(x)), x.rem_euclid(i128::from(P)));
        }
    }

    #[test]
    fn uniform_bytes_are_one_number(bytes in prop::array::uniform24(any::<u8>())) {
        for bytes in [bytes, [u8::MAX; 24]] {
            let number = BigUint::from_bytes_le(&bytes) % P;
            prop_assert_eq!(BigUint::from(uniform_residue(&bytes)), number);
        }
    }
}

#[test]
fn zero_is_zero() {
    assert!(Element::ZERO.is_zero());
    for place in 0..3 {
        assert!(!Element::monomial(1, place).is_zero());
    }
}

#[test]
fn elements_are_not_printed() {
    assert_eq!(format!("{:?}", Element::from(7)), "Element(..)");
}

#[test]
fn halves_are_joined() {
    let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, 1 << 30, 1 << 61, (1 << 61) - 1, i64::MAX];
    for lower in ends {
        for upper in ends {
            let integer = i128::from(lower) + (i128::from(upper) << 31);
            let halves = Element::from_halves([[lower, upper], [upper, lower], [0, 0]]);
            let other = i128::from(upper) + (i128::from(lower) << 31);
            assert_eq!(halves, Element::from_integers([integer, other, 0]), "{lower} {upper}");
        }
    }
}
