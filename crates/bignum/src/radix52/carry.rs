//! Carries of columns whose lanes are neighbours.
use tautochrone_simd::vector::Mask as _;

use crate::radix52::{LANES, Radix52};

/// Registers whose lanes have a bit each in a word.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
const GROUP: usize = 64 / LANES;

/// Columns below 2^64 become digits, modulo beta^(number of columns); `carry` comes in at the
/// lowest.
///
/// The carries move up by one column, which leaves less than 2^52 + 2^12 in each. Of the rest,
/// a column above 2^52 - 1 *generates* a carry of one, a column of 2^52 - 1 *passes* one on. With
/// both as bits g and p, the carries that arrive are the carries of the sum p + 2 g: in a run of
/// passing columns the bits of p flip, and the first column after it is set.
#[inline(always)]
pub(crate) fn normalise<V: Radix52>(token: V::Token, x: &mut [V], carry: u64) {
    let digit = V::digit_mask(token);
    let mut below = V::splat(token, carry);
    for v in x.iter_mut() {
        let above = v.carry();
        *v = v.and(digit).add(above.up(below, 1));
        below = above;
    }
    let mut arriving = 0;
    for group in x.chunks_mut(GROUP) {
        let (mut generate, mut pass) = (0, 0);
        for (k, v) in group.iter().enumerate() {
            generate |= u64::from(digit.lt(*v).bits()) << (LANES * k);
            pass |= u64::from(v.eq(digit).bits()) << (LANES * k);
        }
        let (sum, over) = pass.overflowing_add(generate << 1 | arriving);
        let carries = sum ^ pass;
        arriving = generate >> 63 | u64::from(over);
        for (k, v) in group.iter_mut().enumerate() {
            let arrives = V::mask_from_bits(token, (carries >> (LANES * k)) as u32);
            *v = V::blend(arrives, v.add(V::splat(token, 1)), *v).and(digit);
        }
    }
}
