//! The acceptance test: the definition, one function compiled for each instruction set, with the
//! same bits on all of them.

use tautochrone_simd::{Isa, declassify, vectorize};
use zeroize::Zeroize;

use super::super::lanes::BLOCK;
use super::trials::Block;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use crate::float::CoreFloat as _;
use crate::float::ROUND;

/// Bit l % 8 of byte l / 8: whether lane l is accepted.
pub(super) type Accepted = [u8; BLOCK.div_ceil(8)];

/// Half-width, in 2^-64, of the interval around a probability in which the polynomial does not
/// decide. The polynomial's relative error is below 2^-47, the definition's below (x + 4) 2^-51 of
/// a probability 2^-x, and exponents that are computed in another order differ by less than (x + 4)
/// 2^-50: together less than 2^18.
pub(super) const MARGIN: u64 = 1 << 21;

/// Coefficients of x in units of log2: A, B and the scale of the acceptance.
pub(super) struct Exponent {
    pub(super) a: f64,
    pub(super) b: f64,
    pub(super) scale: f64,
    /// Half of the interval of doubt: [`MARGIN`]; tests widen it.
    pub(super) margin: u64,
}

impl Drop for Exponent {
    fn drop(&mut self) {
        self.a.zeroize();
        self.b.zeroize();
        self.scale.zeroize();
    }
}

/// Terms of the Taylor series of 2^-f: at |f| <= 1/2 the first left out is below 2^-62.
const TERMS: usize = 14;

/// (-ln 2)^i / i!.
const SERIES: [f64; TERMS] = {
    let mut c = [1.0; TERMS];
    let mut i = 1;
    while i < TERMS {
        c[i] = c[i - 1] * -core::f64::consts::LN_2 / i as f64;
        i += 1;
    }
    c
};

/// 2^-f. Even and odd terms apart: half the latency.
#[inline(always)]
fn series(f: f64) -> f64 {
    let square = f * f;
    let sum = |parity: usize| {
        SERIES.iter().skip(parity).step_by(2).rev().fold(0.0_f64, |sum, &t| sum.mul_add(square, t))
    };
    sum(1).mul_add(f, sum(0))
}

impl Exponent {
    /// From the public s, 1 / s' and the scale. No division by a secret.
    pub(super) fn new(s: f64, inverse: f64, scale: f64) -> Self {
        let half_log = core::f64::consts::LOG2_E / 2.0;
        let b = half_log * inverse * inverse;
        // At s' = s rounding may leave a negative zero of a difference.
        let a = (b - half_log / (s * s)).max(0.0);
        Self { a, b, scale, margin: MARGIN }
    }

    /// The acceptance probability of candidate z' for centre fraction r, times 2^63, rounded down.
    #[inline(always)]
    pub(super) fn threshold(&self, candidate: i32, r: f64) -> u64 {
        // b = 1 for a positive candidate: by shifts, as a comparison or a mask compiles to a branch
        // where there are no vectors. The bits of 1.0 are 2^62 - 2^52.
        let positive = candidate.wrapping_neg().cast_unsigned() >> 31;
        let b = f64::from_bits((u64::from(positive) << 62) - (u64::from(positive) << 52));
        let z = f64::from(candidate.abs() - positive.cast_signed());
        let c = (1.0 - (r + r)).mul_add(b, r);
        let cross = (z + z).mul_add(c, c * c);
        let x = (z * z).mul_add(self.a, cross * self.b);
        // 2^-x = 2^-k 2^-f, |f| <= 1/2; k = 0 implies f >= 0.
        let rounded = x + ROUND;
        let f = x - (rounded - ROUND);
        let k = rounded.to_bits() & 0x7_ffff_ffff_ffff;
        let power = series(f);
        let bits = (power * self.scale).to_bits();
        let mantissa = (bits & ((1 << 52) - 1) | 1 << 52) << 11;
        // mantissa 2^-63 is in [1, 2): the exponent of `bits` is at most the exponent of 1.
        let shift = (k + 1023 - (bits >> 52)).min(126);
        let half = shift >> 1;
        mantissa >> half >> (shift - half)
    }
}

#[inline(always)]
fn every_lane(
    e: &Exponent,
    trials: Block<'_>,
    fractions: &[f64; BLOCK],
    accepted: &mut [u8; BLOCK],
) {
    for lane in 0..BLOCK {
        let u = u64::from_le_bytes(trials.uniform.as_chunks().0[lane]) >> 1;
        let threshold = e.threshold(trials.candidates[lane] as i32, fractions[lane]);
        accepted[lane] = u8::from(u < threshold);
    }
}

/// Which lanes' uniform words are below their thresholds. That is public.
pub(super) fn lanes(
    isa: Isa,
    e: &Exponent,
    trials: Block<'_>,
    fractions: &[f64; BLOCK],
) -> Accepted {
    let mut accepted = [0; BLOCK];
    vectorize!(isa, every_lane(e, trials, fractions, &mut accepted));
    let accepted = declassify(accepted);
    let mut all = [0; _];
    for (all, accepted) in all.iter_mut().zip(accepted.as_chunks().0) {
        // Byte i, 0 or 1, goes to bit 56 + i; no two products of it meet below.
        *all = (u64::from_le_bytes(*accepted).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    }
    all
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;
    use crate::exact::fixed;

    /// Dyadic widths and centres, so that the exact exponent is a ratio of small integers.
    #[test]
    fn thresholds_agree_with_big_numbers() {
        // s = 2, s' = n / 16, r = m / 64.
        for n in [8_u64, 16, 20, 25, 31, 32] {
            let sigma = n as f64 / 16.0;
            let e = Exponent::new(2.0, 1.0 / sigma, 1.0);
            for m in [0_u64, 1, 7, 32, 63] {
                for candidate in -20..=21_i32 {
                    let z = i64::from(if candidate > 0 { candidate - 1 } else { -candidate });
                    // (z' - r)^2 / 2 s'^2 - z^2 / 8 over the common denominator 2 64^2 n^2.
                    let d = i64::from(candidate) * 64 - m as i64;
                    let numerator = d * d * 256 - z * z * 1024 * (n * n) as i64;
                    assert!(numerator >= 0);
                    let denominator = BigUint::from(2 * 64 * 64 * n * n);
                    let numerator = BigUint::from(numerator.unsigned_abs());
                    let exact = fixed::exp_neg(&numerator, &denominator, 163) >> 100_u32;
                    let exact = exact.iter_u64_digits().next().unwrap_or(0);
                    let got = e.threshold(candidate, m as f64 / 64.0);
                    let x = 63.0 - (exact.max(1) as f64).log2();
                    // One unit for the floor; s' = n / 16 has a rounded inverse, hence the slack in
                    // z.
                    let allowed = 2.0 + exact as f64 * (x + 4.0 + (z * z) as f64) * 2_f64.powi(-51);
                    assert!(
                        got.abs_diff(exact) as f64 <= allowed,
                        "{n} {m} {candidate}: {got} {exact}"
                    );
                }
            }
        }
    }

    /// Exponent 0 and probability 1.
    #[test]
    fn certain_acceptance_is_certain() {
        let e = Exponent::new(2.0, 0.5, 1.0);
        assert_eq!(e.threshold(0, 0.0), 1 << 63);
        for z in 0..40 {
            assert_eq!(e.threshold(-z, 0.0), 1 << 63, "s' = s and r = 0 accept every z of b = 0");
        }
        assert_eq!(
            e.threshold(30_000, 0.0),
            0,
            "and nothing is accepted where the distribution ends"
        );
    }
}
