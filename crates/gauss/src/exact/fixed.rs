//! exp, ln and log2 of big integers in fixed point: a number x is represented by an integer near x
//! 2^F.
//!
//! Variable time in everything: for set-up and tests, on public numbers only.

use num_bigint::BigUint;

use crate::float;

/// Guard bits of the working precision: the error of each function below stays under one unit of
/// the result.
const GUARD: u32 = 64;

/// floor-like 2^F exp(-numerator / denominator), error below one unit.
///
/// exp(-x) = 2^-k exp(-r) with k = floor(x / ln 2); exp(-r) from the Taylor series at r / 2^8,
/// squared eight times.
///
/// # Panics
/// If `denominator` is zero.
#[must_use]
pub fn exp_neg(numerator: &BigUint, denominator: &BigUint, bits: u32) -> BigUint {
    const HALVINGS: u32 = 8;
    // x has this many bits before the point, and x / ln 2 must be exact to well below one.
    let whole = (numerator / denominator).bits() as u32;
    if whole > 40 {
        return BigUint::ZERO; // exp(-2^40) is far below any F in use
    }
    let w = bits + GUARD + whole;
    let x = (numerator << w) / denominator;
    let ln2 = ln2(w);
    let k = &x / &ln2;
    let r = (x - &k * ln2) >> HALVINGS;
    // exp(-r) = sum (-1)^i r^i / i!, positive and negative terms apart.
    let one = BigUint::from(1_u8) << w;
    let (mut even, mut odd) = (BigUint::ZERO, BigUint::ZERO);
    let mut term = one;
    let mut i = 0_u32;
    while term != BigUint::ZERO {
        let part = if i.is_multiple_of(2) { &mut even } else { &mut odd };
        *part += &term;
        i += 1;
        term = ((term * &r) >> w) / i;
    }
    let mut y = even - odd;
    for _ in 0..HALVINGS {
        y = (&y * &y) >> w;
    }
    let k = k.iter_u64_digits().next().unwrap_or(0);
    y >> (k + u64::from(w - bits))
}

/// 2^F ln 2, error below one unit: ln 2 = 2 atanh(1/3).
#[must_use]
pub fn ln2(bits: u32) -> BigUint {
    let w = bits + GUARD;
    atanh_doubled(&BigUint::from(1_u8), &BigUint::from(3_u8), w) >> GUARD
}

/// 2^F ln(numerator / denominator) for a ratio >= 1, error below one unit.
///
/// The ratio is m 2^e with 1 <= m < 2, ln m = 2 atanh((m - 1) / (m + 1)).
///
/// # Panics
/// If `denominator` is zero, or the ratio is below one.
#[must_use]
pub fn ln(numerator: &BigUint, denominator: &BigUint, bits: u32) -> BigUint {
    assert!(numerator >= denominator, "the ratio must be at least one");
    let whole = numerator / denominator;
    let e = whole.bits() as u32 - 1;
    let w = bits + GUARD + 32;
    let scaled = denominator << e;
    let m = atanh_doubled(&(numerator - &scaled), &(numerator + &scaled), w);
    (m + ln2(w) * e) >> (w - bits)
}

/// 2^w 2 atanh(a / b) for a / b <= 1/3.
fn atanh_doubled(a: &BigUint, b: &BigUint, w: u32) -> BigUint {
    let t = (a << w) / b;
    let square = (&t * &t) >> w;
    let mut power = t;
    let mut sum = BigUint::ZERO;
    let mut i = 1_u32;
    while power != BigUint::ZERO {
        sum += &power / i;
        power = (power * &square) >> w;
        i += 2;
    }
    sum << 1_u8
}

/// log2 of a positive integer as an f64; minus infinity for zero.
#[must_use]
pub fn log2(x: &BigUint) -> f64 {
    if x.bits() == 0 {
        return f64::NEG_INFINITY;
    }
    let drop = x.bits().saturating_sub(64);
    let top = (x >> drop).iter_u64_digits().next().unwrap_or(0);
    float::log2(top as f64) + drop as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn big(x: u64) -> BigUint {
        BigUint::from(x)
    }

    #[test]
    fn exp_and_ln_are_inverse() {
        for (n, d) in [(1, 1000), (1, 3), (7, 2), (88, 1), (1234, 7)] {
            let y = exp_neg(&big(n), &big(d), 600);
            let back = ln(&(big(1) << 600_u32), &y, 200);
            let x = (big(n) << 200_u32) / big(d);
            let e = if back > x { back - &x } else { &x - back };
            assert!(e <= big(4), "{n}/{d}: {e}");
        }
        assert_eq!(exp_neg(&big(0), &big(1), 80), big(1) << 80_u32);
        assert_eq!(exp_neg(&big(u64::MAX), &big(1), 80), BigUint::ZERO);
    }
}
