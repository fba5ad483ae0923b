//! Carries of columns whose lanes are neighbours.
use crate::vector::{DIGIT, LANES, Vector};

/// Columns below 2^64 become digits, modulo beta^(number of columns); `carry` comes in at the
/// lowest.
///
/// The carries move up by one column, which leaves less than 2^52 + 2^12 in each. Of what is left,
/// a column above 2^52 - 1 *generates* a carry of one, a column of 2^52 - 1 *passes* one on. With
/// both as bits g and p, the carries that arrive are those of the sum p + 2 g: in a run of passing
/// columns the bits of p flip, and the first column after it is set.
#[inline(always)]
pub(super) fn normalise<V: Vector>(x: &mut [V], carry: u64) {
    let digit = V::splat(DIGIT);
    let mut below = V::splat(carry);
    for v in x.iter_mut() {
        let above = v.carry();
        *v = v.and(digit).add(above.up(below, 1));
        below = above;
    }
    let mut arriving = 0;
    for group in x.chunks_mut(64 / LANES) {
        let (mut generate, mut pass) = (0, 0);
        for (k, v) in group.iter().enumerate() {
            generate |= u64::from(v.gt_mask(digit)) << (LANES * k);
            pass |= u64::from(v.eq_mask(digit)) << (LANES * k);
        }
        let (sum, over) = pass.overflowing_add(generate << 1 | arriving);
        let carries = sum ^ pass;
        arriving = generate >> 63 | u64::from(over);
        for (k, v) in group.iter_mut().enumerate() {
            *v = v.blend((carries >> (LANES * k)) as u8, v.add(V::splat(1))).and(digit);
        }
    }
}
