//! ln and exp in plain `f64` additions, multiplications and divisions: IEEE 754 fixes every bit of them, so the result
//! is the same on every machine, whatever its mathematical library.

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
const ROUND: f64 = 6_755_399_441_055_744.0;

/// exp(-t) for 0 <= t < 700, relative error below 2^-50.
///
/// t = k ln 2 + r with |r| <= 0.347. The reduction errs by less than 2^-54, the series by 2^-62; its even and odd parts
/// err by at most 2^-53 (1 + r^2) of sums below cosh r and sinh r / r for each Horner step, and each such error is then
/// multiplied by r^2 <= 0.12: in all less than 2^-51.
#[inline]
pub(super) fn exp_neg(t: f64) -> f64 {
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

/// ln y for a positive normal y, relative error about 2^-50.
///
/// y = m 2^e with m in [sqrt(1/2), sqrt 2); ln m = 2 artanh s, s = (m - 1) / (m + 1), |s| <= 0.172: the first term left
/// out is s^23 / 23 < 2^-62.
#[inline]
pub(super) fn ln(y: f64) -> f64 {
    const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    let shifted = y.to_bits().wrapping_sub(SQRT_HALF);
    let e = (shifted as i64) >> 52;
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
    let e = e as f64;
    e * LN_2_HIGH + (2.0 * s * (even + z * odd) + e * LN_2_LOW)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_float::FBig;
    use dashu_float::round::mode::HalfAway;
    use proptest::prelude::*;

    type Big = FBig<HalfAway, 2>;

    fn big(x: f64) -> Big {
        Big::try_from(x).unwrap().with_precision(200).value()
    }

    #[test]
    fn ln_2_in_two_parts() {
        let ln2 = big(2.0).ln();
        assert_eq!(LN_2_HIGH.to_bits().trailing_zeros(), 21);
        let low = (ln2 - big(LN_2_HIGH)).to_f64().value();
        assert_eq!(low, LN_2_LOW);
    }

    proptest! {
        #[test]
        fn exponential_to_2_50(t in 0.0_f64..120.0) {
            let want = (-big(t)).exp();
            let error = ((big(exp_neg(t)) - want.clone()) / want).to_f64().value().abs();
            prop_assert!(error < 2.0_f64.powi(-50), "exp(-{}): {:e}", t, error);
        }

        #[test]
        fn logarithm_to_2_49(y in 1e-60_f64..1.0, near in 0.0_f64..1e-6) {
            for y in [y, 1.0 - near, y * y] {
                if y < 1.0 {
                    let want = big(y).ln();
                    let error = ((big(ln(y)) - want.clone()) / want).to_f64().value().abs();
                    prop_assert!(error < 2.0_f64.powi(-49), "ln({}): {:e}", y, error);
                }
            }
        }
    }
}
