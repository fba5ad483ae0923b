//! The exact decision of a trial whose uniform number falls within the margin of the fast
//! probability: see [`super`], on precision.

use core::hint::black_box;

use super::setup::{EXACT_BITS, Table};
use crate::fixed::{exp2_neg, mul_high, mul_wide};

/// Whether the 128-bit fraction `uniform` is below 2^-E, for cell x, offset y and a further
/// distance `beyond` (whole and fraction of 2^128) from the centre.
pub(super) fn accepts(table: &Table, x: u32, y: u64, beyond: (u64, u128), uniform: u128) -> bool {
    uniform < probability(table, x, y, beyond)
}

/// floor(2^128 2^-E) to about 2^18.
pub(super) fn probability(table: &Table, x: u32, y: u64, (whole, fraction): (u64, u128)) -> u128 {
    let e = exponent(table, x, y + whole, fraction);
    let (whole, fraction) = (e >> EXACT_BITS, e << (128 - EXACT_BITS));
    exp2_neg(fraction).unbounded_shr(whole as u32)
}

/// E = g d (d + 2 K x) / K^2 + l_x in 2^-112, d = y + fraction.
fn exponent(table: &Table, x: u32, y: u64, fraction: u128) -> u128 {
    let (k, x, y) = (u128::from(table.trial.k), u128::from(x), u128::from(y));
    let scaled = mul_high(table.g, fraction);
    let over_k_squared = |(high, low)| divide(high, low, k * k);
    over_k_squared(mul_wide(table.g, y * (y + 2 * k * x)))
        + over_k_squared(mul_wide(scaled, 2 * (y + k * x)))
        + over_k_squared((0, mul_high(scaled, fraction)))
        + table.exact_excess[x as usize]
}

/// floor(2^112 (high + low / 2^128) / divisor), bit by bit without branches. divisor < 2^126; the
/// quotient fits.
pub(super) fn divide(high: u128, low: u128, divisor: u128) -> u128 {
    let (mut rest, mut quotient) = (0_u128, 0_u128);
    for i in (0..128 + EXACT_BITS).rev() {
        let bit = if i >= EXACT_BITS { high >> (i - EXACT_BITS) } else { low >> (i + 16) } & 1;
        rest = rest << 1 | bit;
        // Compilers turn masks that they see through, such as the result of a comparison, into
        // branches.
        let fits = black_box(u64::from(rest >= divisor));
        rest -= divisor & u128::from(fits).wrapping_neg();
        quotient = quotient << 1 | u128::from(fits);
    }
    quotient
}
