//! Operands, and what they are for num-bigint.
use num_bigint::BigUint;
use proptest::prelude::*;
use tautochrone_bignum::Mul;

/// The number with these limbs.
pub(crate) fn big(x: &[u64]) -> BigUint {
    BigUint::new(x.iter().flat_map(|&w| [w as u32, (w >> 32) as u32]).collect())
}

/// Checks product, low product and square.
pub(crate) fn products_are_right(mul: Mul, x: &[u64], y: &[u64]) {
    let n = x.len();
    // A limb that is not written stays wrong.
    let (mut z, mut low) = (vec![0x5555; 2 * n], vec![0x5555; n]);
    mul.square(&mut z, x);
    assert_eq!(big(&z), big(x) * big(x), "{mul:?} {n} {x:x?}");
    z.fill(0x5555);
    mul.mul(&mut z, x, y);
    assert_eq!(big(&z), big(x) * big(y), "{mul:?} {n} {x:x?} {y:x?}");
    mul.mul_low(&mut low, x, y);
    assert_eq!(low, z[..n], "{mul:?} {n} {x:x?} {y:x?}");
}

/// Random limbs, limbs at the ends of their range, a single bit, ones up to a boundary, a small
/// number.
pub(crate) fn number(n: usize) -> BoxedStrategy<Vec<u64>> {
    let limb = prop_oneof![Just(0), Just(u64::MAX), Just(1), Just(1 << 63)];
    let bit = (0..64 * n)
        .prop_map(move |k| (0..n).map(|i| if i == k / 64 { 1 << (k % 64) } else { 0 }).collect());
    let run = (0..=n).prop_map(move |k| (0..n).map(|i| if i < k { u64::MAX } else { 0 }).collect());
    let small = any::<u8>()
        .prop_map(move |w| (0..n).map(|i| if i == 0 { u64::from(w) } else { 0 }).collect());
    prop_oneof![
        4 => prop::collection::vec(any::<u64>(), n),
        2 => prop::collection::vec(limb, n),
        1 => bit,
        1 => run,
        1 => small,
    ]
    .boxed()
}
