//! The rejection step, exactly: accept with probability min(1, exp((-2 <Z, M> + ||M||^2) / (2
//! sigma^2)) / rho), rho = 2 or 3.
//!
//! Z = Y + M with Y ~ D_sigma has density proportional to exp(-||Z - M||^2 / (2 sigma^2)) against
//! the target exp(-||Z||^2 / (2 sigma^2)); their quotient is exp((-2 <Z, M> + ||M||^2) / (2
//! sigma^2)), and rho bounds it except with the probability that the choice of sigma makes
//! negligible (Lyubashevsky, EUROCRYPT 2012, theorem 4.6). A published Z is then distributed as
//! D_sigma for every M; accepting on the *opposite* outcome publishes precisely the transcripts
//! that depend on M.

use subtle::{Choice, ConditionallySelectable, ConstantTimeLess};

use tautochrone_gauss::fixed::{LOG2_E_LESS_1, exp2_neg, mul_wide};
use tautochrone_simd::{declassify, value_barrier};

/// rho: an attempt is accepted with probability 1 / rho, so a proof takes rho attempts on average.
///
/// The smaller it is, the wider sigma must be ([`Params::rho`](crate::params::Params::rho)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rho {
    /// Of narrow masks: every attempt is accepted, and there is no rejection step.
    One,
    /// The default.
    Two,
    /// Of statements whose sigma is not wide enough for 2.
    Three,
}

impl Rho {
    /// The rho of this value, 2 or 3, by which sigma may be chosen.
    pub(crate) const fn new(rho: u32) -> Option<Self> {
        match rho {
            2 => Some(Self::Two),
            3 => Some(Self::Three),
            _ => None,
        }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Three => 3,
        }
    }

    /// log2(rho) in units of 2^-64, rounded down: floor(2^64 log2 3). `tests::constants` recomputes
    /// it.
    const fn log2(self) -> i128 {
        match self {
            Self::One => 0,
            Self::Two => 1 << 64,
            Self::Three => 0x1_95c0_1a39_fbd6_879f,
        }
    }
}

/// The result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Z may be published.
    Accept,
    /// Z, Y and M must be erased; try again with fresh Y.
    Reject,
}

/// The acceptance test for one sigma and rho.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// `log2(e) / (2 sigma^2) = reciprocal / 2^(127 + scale)`, reciprocal in [2^127, 2^128).
    reciprocal: u128,
    scale: u32,
    /// log2(rho) in units of 2^-64.
    log2_rho: i128,
}

impl Rejection {
    /// The test for sigma in [2, 2^32). That sigma is wide enough for rho is not checked here.
    ///
    /// # Panics
    /// If sigma is another.
    #[must_use]
    #[expect(clippy::integer_division_remainder_used, reason = "sigma is public")]
    pub fn new(sigma: u64, rho: Rho) -> Self {
        assert!((2..1 << 32).contains(&sigma), "sigma is {sigma}; expected 2 to 2^32 - 1");
        let denominator = 2 * u128::from(sigma) * u128::from(sigma);
        // log2(e) 2^127, divided bit by bit until 128 bits of quotient are there; all of it public.
        let numerator = 1 << 127 | LOG2_E_LESS_1 >> 1;
        let (mut quotient, mut rest) = (numerator / denominator, numerator % denominator);
        let mut scale = 0;
        while quotient >> 127 == 0 {
            rest <<= 1;
            let bit = u128::from(rest >= denominator);
            rest -= bit * denominator;
            quotient = quotient << 1 | bit;
            scale += 1;
        }
        Self { reciprocal: quotient, scale, log2_rho: rho.log2() }
    }

    /// Decides one attempt from <Z, M>, ||M||^2 and 128 uniform random bits.
    ///
    /// The acceptance probability used differs from the formula by less than 2^-62 of its value
    /// plus 2^-128, for
    /// |<Z, M>| < 2^125 and ||M||^2 < 2^126; the sums of a proof are below 2^100.
    ///
    /// # Constant time
    /// In all three arguments; only the returned verdict is public.
    #[must_use]
    pub fn decide(&self, inner: i128, norm_squared: u128, uniform: u128) -> Verdict {
        let threshold = self.threshold(inner, norm_squared);
        // `uniform < threshold`, or a threshold of 1 (represented by None's stand-in, all ones: off
        // by 2^-128).
        if declassify(uniform.ct_lt(&threshold).unwrap_u8()) == 1 {
            Verdict::Accept
        } else {
            Verdict::Reject
        }
    }

    /// The acceptance probability as a fraction of 2^128.
    fn threshold(&self, inner: i128, norm_squared: u128) -> u128 {
        // y = log2(rho) + (2 <Z,M> - ||M||^2) log2(e) / (2 sigma^2), in units of 2^-64; probability
        // 2^-y, at most 1.
        let d = (2 * inner).wrapping_sub(norm_squared as i128);
        // All ones if it is negative.
        let half = value_barrier((d >> 127) as u64);
        let sign = (u128::from(half) << 64 | u128::from(half)) as i128;
        let magnitude = (d ^ sign).wrapping_sub(sign) as u128;
        let scaled = (self.scale_down(magnitude) as i128 ^ sign).wrapping_sub(sign);
        let y = scaled + self.log2_rho;

        let fraction = (y as u128) << 64;
        let mut probability = exp2_neg(fraction);
        // 2^-floor(y) by a barrel of gated shifts; beyond 127 the probability is below 2^-127 and
        // taken as 0.
        let whole = (y >> 64) as u64;
        for bit in 0..7 {
            let shifted = probability >> (1 << bit);
            probability.conditional_assign(&shifted, Choice::from((whole >> bit & 1) as u8));
        }
        probability.conditional_assign(&0, !whole.ct_lt(&128));
        // y <= 0: certain. (A negative y has its sign bit set; y = 0 gives 2^-0 by itself.)
        let negative = Choice::from((y >> 127 & 1) as u8);
        probability.conditional_assign(&u128::MAX, negative);
        probability
    }

    /// `magnitude log2(e) / (2 sigma^2)` in units of 2^-64, saturated at 2^120.
    fn scale_down(&self, magnitude: u128) -> u128 {
        let (high, low) = mul_wide(magnitude, self.reciprocal);
        let shift = 63 + self.scale;
        let (value, overflow) = if shift >= 128 {
            (high >> (shift - 128), 0)
        } else {
            (high << (128 - shift) | low >> shift, high >> shift)
        };
        const SATURATED: u128 = 1 << 120;
        let small = overflow.ct_lt(&1) & value.ct_lt(&SATURATED);
        u128::conditional_select(&SATURATED, &value, small)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn constants() {
        // rho 2^-log2(rho) = 1.
        for rho in [Rho::Two, Rho::Three] {
            let log2 = rho.log2();
            let part = exp2_neg((log2 as u128) << 64) >> (log2 >> 64);
            let ideal = u128::MAX / u128::from(rho.get());
            assert!(part.abs_diff(ideal) < 1 << 66, "2^-log2(rho) is not 1/{}", rho.get());
        }
    }

    proptest! {
        #[test]
        fn probability_agrees_with_the_formula(
            sigma in 2_u64..1 << 32,
            inner_over_sigma2 in -30.0_f64..30.0,
            norm_over_sigma in 0.0_f64..2.0,
        ) {
            let s = sigma as f64;
            let (inner, norm) = ((inner_over_sigma2 * s * s) as i128, (norm_over_sigma * s).powi(2) as u128);
            for rho in [Rho::Two, Rho::Three] {
                let got = Rejection::new(sigma, rho).threshold(inner, norm);
                let got = got as f64 / 2.0_f64.powi(128);
                let exponent = (-2.0 * inner as f64 + norm as f64) / (2.0 * s * s);
                let want = (exponent.exp() / f64::from(rho.get())).min(1.0);
                prop_assert!((got - want).abs() <= 1e-12 * want + 1e-30, "{got} against {want}");
            }
        }

        #[test]
        fn hostile_values_stay_in_range(sigma in 2_u64..1 << 32, inner in -(1_i128 << 110)..1 << 110, norm in 0_u128..1 << 110) {
            let t = Rejection::new(sigma, Rho::Three).threshold(inner, norm);
            let d = 2.0 * inner as f64 - norm as f64;
            if d > 1e3 * (sigma as f64).powi(2) { prop_assert_eq!(t, 0); }
            if d < -1e3 * (sigma as f64).powi(2) { prop_assert_eq!(t, u128::MAX); }
        }
    }

    #[test]
    fn ends_of_the_uniform_range() {
        for rho in [Rho::Two, Rho::Three] {
            let test = Rejection::new(1 << 20, rho);
            assert_eq!(test.decide(0, 0, 0), Verdict::Accept);
            assert_eq!(test.decide(0, 0, u128::MAX), Verdict::Reject, "probability is 1/rho");
            assert_eq!(
                test.decide(-(1 << 60), 0, u128::MAX - 1),
                Verdict::Accept,
                "probability is one"
            );
            assert_eq!(test.decide(1 << 60, 0, 0), Verdict::Reject, "probability is zero");
        }
        // Between a half and a third.
        let decide = |rho| Rejection::new(1 << 20, rho).decide(0, 0, u128::MAX / 5 * 2);
        assert_eq!((decide(Rho::Two), decide(Rho::Three)), (Verdict::Accept, Verdict::Reject));
    }
}
