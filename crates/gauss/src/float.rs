//! Logarithms and exponentials in plain `f64` additions, multiplications and divisions: IEEE 754
//! fixes every bit of them, so results are the same on every machine, independent of its
//! mathematical library.

mod methods;

use crate::fixed;
pub use methods::CoreFloat;
pub(crate) use methods::power_of_two;

/// ln 2 to 33 bits: k LN_2_HIGH is exact for |k| < 2^20.
const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
/// ln 2 - LN_2_HIGH, rounded.
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Terms of the exponential series: 0.35^15 / 15! < 2^-62.
const TERMS: usize = 15;

/// (-1)^k / k!.
const SERIES: [f64; TERMS] = {
    let mut table = [1.0; TERMS];
    let mut k = 1;
    while k < TERMS {
        table[k] = -table[k - 1] / k as f64;
        k += 1;
    }
    table
};

/// 1.5 2^52: adding it rounds to an integer, which then stands in the low bits.
pub(crate) const ROUND: f64 = 6_755_399_441_055_744.0;

/// exp(-t) for 0 <= t < 700, relative error below 2^-50.
///
/// t = k ln 2 + r with |r| <= 0.347. The reduction errs by less than 2^-54, the series by 2^-62;
/// its even and odd parts err by at most 2^-53 (1 + r^2) of sums below cosh r and sinh r / r for
/// each Horner step, and each such error is then multiplied by r^2 <= 0.12: in all less than 2^-51.
#[inline]
#[must_use]
pub fn exp_neg(t: f64) -> f64 {
    let shifted = t * core::f64::consts::LOG2_E + ROUND;
    let k = shifted - ROUND;
    let r = (t - k * LN_2_HIGH) - k * LN_2_LOW;
    // Two chains side by side: half the latency of one.
    let square = r * r;
    let (mut even, mut odd) = (SERIES[TERMS - 1], SERIES[TERMS - 2]);
    for pair in SERIES[..TERMS - 2].rchunks_exact(2) {
        (even, odd) = (even * square + pair[1], odd * square + pair[0]);
    }
    even = even * square + SERIES[0];
    let scale = f64::from_bits((1023_u64 << 52).wrapping_sub(shifted.to_bits() << 52));
    (even + odd * r) * scale
}

/// 2^x, relative error below 2^-49; 0 for x <= -1023, infinite for x > 1023.
#[must_use]
pub fn exp2(x: f64) -> f64 {
    let k = x.ceil();
    if k <= -1023.0 {
        return 0.0;
    }
    if k > 1023.0 {
        return f64::INFINITY;
    }
    exp_neg((k - x) * core::f64::consts::LN_2) * f64::from_bits(((k as i64 + 1023) as u64) << 52)
}

/// (e, l) with ln y = e ln 2 + l, |l| <= 0.347, for a positive normal y; relative error of l about
/// 2^-50. Without branches, so that loops over it are vectorised.
///
/// y = m 2^e with m in [sqrt(1/2), sqrt 2); ln m = 2 artanh s, s = (m - 1) / (m + 1), |s| <= 0.172:
/// the first term left out is s^23 / 23 < 2^-62.
#[inline(always)]
fn split(y: f64) -> (f64, f64) {
    const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    let shifted = y.to_bits().wrapping_sub(SQRT_HALF);
    let e = shifted.cast_signed() >> 52;
    let m = f64::from_bits((shifted & ((1 << 52) - 1)) + SQRT_HALF);
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    // Two halves side by side: shorter chains than Horner's.
    let z2 = z * z;
    let even = 1.0
        + z2 * (1.0 / 5.0
            + z2 * (1.0 / 9.0 + z2 * (1.0 / 13.0 + z2 * (1.0 / 17.0 + z2 * (1.0 / 21.0)))));
    let odd =
        1.0 / 3.0 + z2 * (1.0 / 7.0 + z2 * (1.0 / 11.0 + z2 * (1.0 / 15.0 + z2 * (1.0 / 19.0))));
    // e as an `f64`, by an addition that every instruction set has for all lanes of a register.
    let e = f64::from_bits(ROUND.to_bits().wrapping_add(e.cast_unsigned())) - ROUND;
    (e, 2.0 * s * (even + z * odd))
}

/// ln y for a positive normal y, relative error about 2^-50.
#[inline(always)]
#[must_use]
pub fn ln(y: f64) -> f64 {
    let (e, l) = split(y);
    e * LN_2_HIGH + (l + e * LN_2_LOW)
}

/// log2 y for a positive normal y, relative error about 2^-50; exact for powers of two.
#[inline]
#[must_use]
pub fn log2(y: f64) -> f64 {
    let (e, l) = split(y);
    e + l * core::f64::consts::LOG2_E
}

/// ln y for a positive normal y, rounded to nearest: the error is below half a unit in the last
/// place plus 2^-115.
///
/// Slower than [`ln`]: for constants of a format that any implementation must be able to recompute,
/// bit for bit.
#[must_use]
pub fn ln_nearest(y: f64) -> f64 {
    let bits = y.to_bits();
    let exponent = i128::from(bits >> 52) - 1023;
    let mantissa = u128::from(bits & ((1 << 52) - 1) | 1 << 52) << 75;
    // log2 y in units of 2^-116, below 2^126; times ln 2 the unit is the same.
    let log2 = (exponent << 116) + (fixed::log2_mantissa(mantissa) >> 12).cast_signed();
    let (ln, _) = fixed::mul_wide(log2.unsigned_abs(), fixed::LN_2);
    let magnitude = ln as f64 * f64::from_bits((1023 - 116) << 52);
    if log2 < 0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::big::{Big, big};
    use proptest::prelude::*;

    #[test]
    fn ln_2_in_two_parts() {
        let ln2 = big(2.0).ln();
        assert_eq!(LN_2_HIGH.to_bits().trailing_zeros(), 21);
        let low = (ln2 - big(LN_2_HIGH)).to_f64().value();
        assert_eq!(low, LN_2_LOW);
    }

    fn relative_error(got: f64, want: Big) -> f64 {
        ((big(got) - want.clone()) / want).to_f64().value().abs()
    }

    #[test]
    fn powers_of_two() {
        for e in -1022..=1023_i32 {
            let y = f64::from_bits(((1023 + e) as u64) << 52);
            assert_eq!(log2(y), f64::from(e));
            assert_eq!(exp2(f64::from(e)), y);
        }
        assert_eq!((exp2(-1023.0), exp2(1023.5)), (0.0, f64::INFINITY));
        assert_eq!((ln_nearest(1.0), ln_nearest(2.0)), (0.0, core::f64::consts::LN_2));
        assert_eq!(ln_nearest(3.0), 1.098_612_288_668_109_8);
    }

    proptest! {
        #[test]
        fn logarithms_and_powers(bits in 1_u64 << 52..0x7ff << 52, x in -1000.0_f64..1000.0) {
            let y = f64::from_bits(bits);
            let want = big(y).ln();
            prop_assert_eq!(ln_nearest(y), want.to_f64().value(), "ln_nearest({})", y);
            prop_assert!(relative_error(ln(y), want.clone()) < 2.0_f64.powi(-49), "ln({})", y);
            let want = want / big(2.0).ln();
            prop_assert!(relative_error(log2(y), want) < 2.0_f64.powi(-49), "log2({})", y);
            let want = (big(x) * big(2.0).ln()).exp();
            prop_assert!(relative_error(exp2(x), want) < 2.0_f64.powi(-49), "2^{}", x);
        }

        #[test]
        fn logarithms_near_one(away in -1e-3_f64..1e-3) {
            for y in [1.0 + away, 1.0 + away * away] {
                let want = big(y).ln();
                prop_assert_eq!(ln_nearest(y), want.to_f64().value(), "ln_nearest({})", y);
                if y != 1.0 {
                    prop_assert!(relative_error(ln(y), want) < 2.0_f64.powi(-49), "ln({})", y);
                }
            }
        }

        #[test]
        fn exponential_to_2_50(t in 0.0_f64..120.0) {
            let want = (-big(t)).exp();
            let error = relative_error(exp_neg(t), want);
            prop_assert!(error < 2.0_f64.powi(-50), "exp(-{}): {:e}", t, error);
        }
    }
}
