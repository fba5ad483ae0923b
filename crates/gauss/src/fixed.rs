//! Constant-time fixed-point arithmetic on `u128`: exponential and logarithm to base 2, the same on
//! every machine, without floating point and without a mathematical library. Tables, rejection
//! steps and exact comparisons use it.
//!
//! A "fraction" is a `u128` x that stands for x / 2^128.

/// High half of the 256-bit product: floor(a b / 2^128), error below 2^-128 for fractions.
#[must_use]
pub const fn mul_high(a: u128, b: u128) -> u128 {
    mul_wide(a, b).0
}

/// The 256-bit product as (high, low).
#[must_use]
pub const fn mul_wide(a: u128, b: u128) -> (u128, u128) {
    const MASK: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & MASK, b >> 64, b & MASK);
    let (low, mid1, mid2, high) = (a0 * b0, a1 * b0, a0 * b1, a1 * b1);
    let carry = ((low >> 64) + (mid1 & MASK) + (mid2 & MASK)) >> 64;
    let result = high + (mid1 >> 64) + (mid2 >> 64) + carry;
    (result, a.wrapping_mul(b))
}

/// ln 2 as a fraction: 2^128 ln 2 rounded down. `tests::constants` recomputes it.
pub const LN_2: u128 = 0xb172_17f7_d1cf_79ab_c9e3_b398_03f2_f6af;
/// log2 e - 1 as a fraction. `tests::constants` recomputes it.
pub const LOG2_E_LESS_1: u128 = 0x7154_7652_b82f_e177_7d0f_fda0_d23a_7d11;

/// log2 of x / 2^127 for x in [2^127, 2^128), as a fraction: error below 2^-120.
///
/// Bit by bit: squaring doubles the logarithm, and each time the square passes 2 the next bit is
/// one. An error e of a squaring reaches the result divided by two for every bit already found.
#[must_use]
pub const fn log2_mantissa(x: u128) -> u128 {
    debug_assert!(x >> 127 == 1, "normalised");
    let mut x = x;
    let mut result = 0;
    let mut bit = 128;
    while bit > 0 {
        bit -= 1;
        // (x / 2^127)^2 = square / 2^126, in [1, 4).
        let square = mul_high(x, x);
        let carry = square >> 127;
        result |= carry << bit;
        x = square << (1 - carry);
    }
    result
}

/// log2 x for x >= 1: (whole, fraction), error below 2^-120.
#[must_use]
pub const fn log2(x: u128) -> (u32, u128) {
    let shift = x.leading_zeros();
    (127 - shift, log2_mantissa(x << shift))
}

/// Terms of the series below: ln(2)^33 / 33! < 2^-140.
const TERMS: usize = 33;

/// 1/k as a fraction, k = 1.. (index k); 1/1 is rounded down to 1 - 2^-128.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
const RECIPROCALS: [u128; TERMS + 1] = {
    let mut table = [u128::MAX; TERMS + 1];
    let mut k = 2;
    while k <= TERMS {
        table[k] = u128::MAX / k as u128;
        k += 1;
    }
    table
};

/// 2^-f for a fraction f, as a fraction in (2^127, 2^128): error below 2^-120.
///
/// Taylor series of e^-x at x = f ln 2 in Horner form, 1 - x (1 - x/2 (1 - x/3 (..))), every factor
/// in (0, 1). Constant time: 33 rounds of multiplications and additions.
#[must_use]
pub const fn exp2_neg(f: u128) -> u128 {
    let x = mul_high(f, LN_2);
    let mut sum = u128::MAX;
    let mut k = TERMS;
    while k >= 1 {
        sum = u128::MAX - mul_high(mul_high(x, RECIPROCALS[k]), sum);
        k -= 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::big::{Big, big};
    use proptest::prelude::*;

    fn scale(x: Big) -> u128 {
        let scaled = (x * big(u128::MAX)).floor();
        scaled.to_int().value().try_into().unwrap()
    }

    fn ln_2() -> Big {
        big(2).ln()
    }

    #[test]
    fn constants() {
        assert!(scale(ln_2()).abs_diff(LN_2) <= 1);
        let one = big(1);
        assert!(scale(one.clone() / ln_2() - one).abs_diff(LOG2_E_LESS_1) <= 1);
    }

    fn check(f: u128) {
        let two_128 = big(1_u128 << 127) * big(2);
        let want = scale((-(big(f) / two_128 * ln_2())).exp());
        let got = exp2_neg(f);
        assert!(got.abs_diff(want) < 1 << 8, "2^-{f:#x}: {got:#x} against {want:#x}");
    }

    fn check_log2(x: u128) {
        let (whole, fraction) = log2(x);
        // At 480 bits the quotient of a power of two can come out just below its whole part.
        let want = scale((big(x).ln() / ln_2() - Big::from(whole)).max(Big::ZERO));
        assert!(fraction.abs_diff(want) < 1 << 8, "log2 {x:#x}: {fraction:#x} against {want:#x}");
    }

    #[test]
    fn logarithms_at_the_ends() {
        assert_eq!(log2(1), (0, 0));
        assert_eq!(log2(1 << 127), (127, 0));
        for x in [3, (1 << 64) + 1, (1 << 127) + 1, u128::MAX - 1, u128::MAX] {
            check_log2(x);
        }
        for shift in 0..128 {
            check_log2(1 << shift);
        }
    }

    #[test]
    fn ends_of_the_range() {
        for f in [0, 1, 1 << 64, 1 << 127, u128::MAX] {
            check(f);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn exponential_is_exact_to_120_bits(f: u128) {
            check(f);
        }

        #[test]
        fn logarithm_is_exact_to_120_bits(x in 1_u128.., shift in 0_u32..128) {
            check_log2((x >> shift).max(1));
        }

        #[test]
        fn wide_product_agrees_with_halves(a: u128, b: u64) {
            // a b for a 64-bit b from two 128-bit products.
            let (low, high) = ((a & u128::from(u64::MAX)) * u128::from(b), (a >> 64) * u128::from(b));
            let (sum, carry) = low.overflowing_add(high << 64);
            prop_assert_eq!(mul_wide(a, u128::from(b)), ((high >> 64) + u128::from(carry), sum));
        }
    }
}
