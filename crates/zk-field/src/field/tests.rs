//! The fields by their definitions, with big numbers.

use super::*;
use num_bigint::BigUint;
use proptest::prelude::*;

pub(super) fn big(x: impl Into<u128>) -> BigUint {
    BigUint::from(x.into())
}

/// A number below p.
fn word_of<F: Field>(x: u128) -> F::Word {
    F::Word::read(&x.to_le_bytes()[..F::Word::LEN])
}

/// Residues that carry where they can: next to 0, to p, to p / 2 and to powers of two of the digits
/// of words; and any.
pub(super) fn word<F: Field>() -> impl Strategy<Value = u128> {
    let p: u128 = F::P.into();
    let bits = [0, 1, 32, 43, 52, 60, 63, 64, 86, 104, 126].map(|bits| 1_u128 << bits);
    let near = bits.into_iter().filter(|&x| x < p).flat_map(|x| [x - 1, x, p - x, p - x - 1]);
    let near = near.filter(|&x| x < p).chain([p / 2, p / 2 + 1]).collect::<Vec<_>>();
    prop_oneof![prop::sample::select(near), 0..p, Just(p - 1)]
}

/// Residues, and words that are none.
fn any_word<F: Field>() -> impl Strategy<Value = u128> {
    let p: u128 = F::P.into();
    let others = prop::sample::select(vec![p, p + 1, u128::MAX]);
    prop_oneof![word::<F>(), others, any::<u128>()]
}

pub(super) fn element<F: Field>() -> impl Strategy<Value = ElementOf<F>> {
    prop::collection::vec(word::<F>(), F::Coefficients::COUNT).prop_map(|words| {
        let mut element = ElementOf::<F>::ZERO;
        element.0.as_mut().iter_mut().zip(words).for_each(|(x, word)| *x = word_of::<F>(word));
        element
    })
}

fn numbers<F: Field>(x: ElementOf<F>) -> Vec<BigUint> {
    x.0.as_ref().iter().map(|&word| big(word)).collect()
}

fn operations_are_those_of_integers<F: Field>(words: [u128; 3]) {
    let ([x, y, z], [a, b, c]) = (words.map(big), words.map(word_of::<F>));
    let p = big(F::P);
    assert_eq!(big(F::add(a, b)), (&x + &y) % &p);
    assert_eq!(big(F::subtract(a, b)), (&x + &p - &y) % &p);
    assert_eq!(big(F::multiply(a, b)), &x * &y % &p);
    assert_eq!(big(F::multiply_add(a, b, [c, a])), (&x * &y + &z + &x) % &p);
    assert!(F::multiply(a, F::invert(a)) == F::Word::from(a != F::Word::ZERO));
}

fn small_factors_are_those_of_integers<F: Field>(a: i64, words: [u128; 3]) {
    let ([x, c, d], zero, last) = (words.map(word_of::<F>), F::Word::ZERO, F::residue(-1));
    for a in [a, (1 << 20) - 1, 1 - (1 << 20), 0, -1] {
        for [x, c, d] in [[x, c, d], [x, last, last], [last, last, zero], [zero, c, zero]] {
            let factor = if a < 0 { big(F::P) - a.unsigned_abs() } else { BigUint::from(a as u64) };
            let expected = (factor * big(x) + big(c) + big(d)) % big(F::P);
            assert_eq!(big(F::times_plus(a, x, [c, d])), expected);
        }
    }
}

fn integers_are_reduced<F: Field>(x: i128, shift: u32) {
    for x in [x, x >> shift, 0, -1, 1 << 125, -(1 << 125)] {
        let size = big(x.unsigned_abs()) % big(F::P);
        let expected = if x < 0 { (big(F::P) - size) % big(F::P) } else { size };
        assert_eq!(big(F::residue(x)), expected);
    }
}

fn uniform_bytes_are_one_number<F: Field>(bytes: &[u8; 32]) {
    for bytes in [bytes, &[u8::MAX; 32]] {
        let bytes = &bytes[..F::UNIFORM_LEN];
        let number = BigUint::from_bytes_le(bytes) % big(F::P);
        assert_eq!(big(F::uniform_residue(bytes)), number);
    }
}

/// By the definition, X^D being `power`.
fn products_are_those_of_polynomials<F: Field>(x: ElementOf<F>, y: ElementOf<F>, power: i128) {
    let (degree, power) = (F::Coefficients::COUNT, big(F::residue(power)));
    let mut product = vec![BigUint::ZERO; degree];
    for (i, a) in numbers(x).iter().enumerate() {
        for (j, b) in numbers(y).iter().enumerate() {
            let carried = if i + j < degree { a * b } else { a * b * &power };
            product[(i + j) % degree] += carried;
        }
    }
    let product: Vec<_> = product.into_iter().map(|x| x % big(F::P)).collect();
    assert_eq!(numbers(x * y), product);
    assert!(F::square(x.0) == F::product(x.0, x.0));
    let one = if x.is_zero() { ElementOf::ZERO } else { ElementOf::one() };
    assert_eq!(x * x.inverse(), one);
    let sums: Vec<_> =
        numbers(x).iter().zip(numbers(y)).map(|(x, y)| (x + y) % big(F::P)).collect();
    assert_eq!(numbers(x + y), sums);
    let (mut sum, same) = (x, x);
    sum += y;
    assert_eq!((sum - y, x - same), (x, ElementOf::ZERO));
}

fn sums_with_integers_are_exact<F: Field>(x: ElementOf<F>, integer: i64) {
    let (last, most) = (ElementOf::from_residues(x.0.map(|_| F::residue(-1))), (1 << 44) - 1);
    for (x, integer) in [(x, integer), (last, most), (last, -most), (x, most)] {
        let mut sum = Default::default();
        (0..1 << 17).for_each(|_| F::add_integer(&mut sum, integer, x.0));
        let expected = x * ElementOf::from(integer << 17);
        assert!(F::reduce_integers(sum) == expected.coefficients());
    }
}

fn parts_are_the_word<F: Field>(x: u128, factor: i64) {
    let x = word_of::<F>(x);
    let parts: Vec<i64> = (0..F::PARTS).map(|i| factor * i64::from(F::part(x, i))).collect();
    assert!(F::of_parts(&parts) == F::multiply(x, F::residue(factor.into())));
    for end in [(1_i64 << 62) - 1, 1 - (1 << 62)] {
        let unit = |i: usize| word_of::<F>((1 << (F::PART_BITS as usize * i)) % F::P.into());
        let terms = (0..F::PARTS).map(|i| F::multiply(unit(i), F::residue(end.into())));
        assert!(F::of_parts(&vec![end; F::PARTS]) == terms.fold(F::Word::ZERO, F::add));
    }
}

fn encodings_are_canonical<F: Field>(words: &[u128]) {
    let words: Vec<F::Word> = words.iter().copied().map(word_of::<F>).collect();
    let mut bytes = F::Bytes::default();
    for (bytes, &word) in bytes.as_mut().chunks_exact_mut(F::Word::LEN).zip(&words) {
        word.write(bytes);
    }
    let element = ElementOf::<F>::from_bytes(&bytes);
    assert_eq!(element.is_some(), words.iter().all(|&word| word < F::P));
    if let Some(element) = element {
        assert!(element.0.as_ref() == words && element.to_bytes().as_ref() == bytes.as_ref());
    }
}

fn numbers_are_reduced<F: SmallField>(any: u128, shift: u32) {
    let p = u128::from(F::P);
    let ends = [0, 1, (1 << 32) - 1, 1 << 32, p - 1, p, u64::MAX.into()];
    let pairs = ends.into_iter().flat_map(|x| ends.map(|y| (x << 64) + y));
    let near = [2 * p, p << 61, p * p, 1 << 122, 63 << 122, u128::MAX - 1, any, any >> shift];
    let near = near.into_iter().flat_map(|x| [x.wrapping_sub(1), x, x.wrapping_add(1)]);
    for x in pairs.chain(near) {
        assert_eq!(u128::from(F::fold(x)), x % p, "{x:x}");
    }
}

fn sums_are_reduced_once<F: SmallField>(pairs: &[(u128, u128)], c: u64) {
    let (mut sum, mut expected) = (F::Sum::default(), BigUint::ZERO);
    let pairs = pairs.iter().map(|&(a, b)| (a as u64, b as u64));
    for (a, b) in pairs.chain([(F::P - 1, F::P - 1); 32]).take(32) {
        F::add_product(&mut sum, a, b);
        expected += big(a) * b;
        assert_eq!(big(F::reduce(sum)), &expected % F::P);
        assert_eq!(big(F::times_c(a)), big(a) * c % F::P);
    }
}

/// What all fields have in common, given X^D.
macro_rules! of_all_fields {
    ($($field:ident: $F:ty, $power:expr;)*) => { $(
        mod $field {
            use super::*;

            proptest! {
                #[test]
                fn computes_as_integers_do(
                    words in [word::<$F>(), word::<$F>(), word::<$F>()],
                    a in -(1_i64 << 20) + 1..1 << 20,
                    (integer, shift) in (-(1_i128 << 125)..=1 << 125, 0_u32..125),
                    bytes in prop::array::uniform32(any::<u8>()),
                    (x, y) in (element::<$F>(), element::<$F>()),
                    factor in -(1_i64 << 31)..1 << 31,
                    any in prop::collection::vec(
                        any_word::<$F>(), <$F as Field>::Coefficients::COUNT
                    ),
                ) {
                    operations_are_those_of_integers::<$F>(words);
                    small_factors_are_those_of_integers::<$F>(a, words);
                    integers_are_reduced::<$F>(integer, shift);
                    uniform_bytes_are_one_number::<$F>(&bytes);
                    products_are_those_of_polynomials(x, y, $power);
                    parts_are_the_word::<$F>(words[0], factor);
                    encodings_are_canonical::<$F>(&any);
                }
            }

            proptest! {
                #![proptest_config(ProptestConfig::with_cases(32))]
                #[test]
                fn sums_with_integers_are_exact(
                    x in element::<$F>(), integer in -(1_i64 << 44) + 1..1 << 44
                ) {
                    super::sums_with_integers_are_exact(x, integer);
                }
            }
        }
    )* };
}
of_all_fields! {
    p61: P61, 5;
    goldilocks: Goldilocks, 2;
    p127: P127, -1;
}

proptest! {
    #[test]
    fn small_numbers_are_reduced(
        x: u128,
        shift in 0_u32..128,
        p61 in prop::collection::vec((word::<P61>(), word::<P61>()), 0..=32),
        goldilocks in prop::collection::vec((word::<Goldilocks>(), word::<Goldilocks>()), 0..=32),
    ) {
        numbers_are_reduced::<P61>(x, shift);
        numbers_are_reduced::<Goldilocks>(x, shift);
        sums_are_reduced_once::<P61>(&p61, 5);
        sums_are_reduced_once::<Goldilocks>(&goldilocks, 2);
    }
}

/// p is prime by Lucas' criterion with a generator, and X^3 - c has no root modulo p: c is no cube,
/// as c^((p - 1) / 3) is not 1. Of others it is.
#[test]
fn the_fields_are_fields() {
    for (p, generator, factors, c, cubes) in [
        (P61::P, 37, &[2, 3, 5, 7, 11, 13, 31, 41, 61, 151, 331, 1321][..], 5, &[2, 3][..]),
        (Goldilocks::P, 7, &[2, 3, 5, 17, 257, 65537], 2, &[5]),
    ] {
        let power = |a: u64, exponent: u64| big(a).modpow(&big(exponent), &big(p));
        let one = BigUint::from(1_u8);
        let mut rest = p - 1;
        for &factor in factors {
            while rest.is_multiple_of(factor) {
                rest /= factor;
            }
            assert_ne!(power(generator, (p - 1) / factor), one, "{factor}");
        }
        assert_eq!((rest, power(generator, p - 1)), (1, one.clone()), "all prime factors of p - 1");
        assert_ne!(power(c, (p - 1) / 3), one);
        assert!(cubes.iter().all(|&cube| power(cube, (p - 1) / 3) == one));
    }
    // The order of 2.
    assert_eq!(big(2_u64).modpow(&big(192_u64), &big(Goldilocks::P)), BigUint::from(1_u8));
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
            let joined = P61::of_parts(&[lower, upper]);
            assert_eq!(joined, P61::residue(integer), "{lower} {upper}");
        }
    }
}
