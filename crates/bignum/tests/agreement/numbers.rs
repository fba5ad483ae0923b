//! Operands, and what they are for num-bigint.
use num_bigint::BigUint;
use proptest::prelude::*;

/// The number with these limbs.
pub(crate) fn big(x: &[u64]) -> BigUint {
    BigUint::new(x.iter().flat_map(|&w| [w as u32, (w >> 32) as u32]).collect())
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
