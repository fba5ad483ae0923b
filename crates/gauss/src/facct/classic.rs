//! [`Classic`]: the sampler of the FACCT paper for any sigma, as a reference.
//!
//! Nothing here is fast: one trial at a time, integers throughout. It shares the distribution of
//! [`Facct`](super::Facct), but neither its proposal, nor its exponent, nor floating point.
//!
//! After Zhao, Steinfeld, Sakzad (eprint 2018/1234, section 4; the binary Gaussian is that of
//! Ducas, Durmus, Lepoint, Lyubashevsky, CRYPTO 2013). Let sigma_0 = sqrt(1 / (2 ln 2)), so that
//! exp(-x^2 / (2 sigma_0^2)) = 2^(-x^2), K the first integer above sigma / sigma_0 and
//! a = sigma_0 / sigma. A trial
//!
//! 1. draws x >= 0 with probability 2^-(x^2 + 1), exactly (or fails, with what is left of
//!    probability);
//! 2. draws y uniform in 0..K and lets z = K x + y;
//! 3. accepts with probability 2^-E, E = a^2 z^2 - x^2 = t (t + 2 K a x) + ((K a)^2 - 1) x^2 for
//!    t = a y. It is not negative as K a > 1;
//! 4. outputs +-z, the sign uniform, a negative zero rejected.
//!
//! The paper has sigma = k sigma_0 for an integer k, K = k, and the last term vanishes; with it,
//! any real sigma is possible. The proposal times the acceptance probability is 2^-(a^2 z^2 + 1) /
//! K, which is proportional to exp(-z^2 / (2 sigma^2)).

use tautochrone_ctr::Stream;
use tautochrone_simd::declassify;
use zeroize::Zeroizing;

use super::exact::divide;
use super::setup::{EXACT_BITS, MIN_SIGMA, SIGMA_LIMIT};
use crate::error::Error;
use crate::fixed::{LOG2_E_LESS_1, exp2_neg, mul_high};
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use crate::float::CoreFloat as _;
use crate::float::power_of_two;
use crate::uniform;

/// Values of x: what lies beyond has mass 2^-144.
const CELLS: u128 = 12;

/// The classic FACCT sampler of the discrete Gaussian D_{Z, sigma}: the reference, constant time.
/// See the [module documentation](self).
#[derive(Debug)]
pub struct Classic {
    sigma: f64,
    k: u64,
    /// sigma = `mantissa` 2^`exponent`.
    mantissa: u128,
    exponent: i32,
}

impl Classic {
    /// The sampler for this sigma.
    ///
    /// # Errors
    /// [`Error::Sigma`] unless 2 <= sigma < 2^32.
    pub fn new(sigma: f64) -> Result<Self, Error> {
        if !(MIN_SIGMA..SIGMA_LIMIT).contains(&sigma) {
            return Err(Error::Sigma { got: sigma, least: MIN_SIGMA, limit: SIGMA_LIMIT });
        }
        // 1 / sigma_0; the last factor exceeds all rounding, so that K a > 1.
        let ratio = sigma * (2.0 * core::f64::consts::LN_2).sqrt() * (1.0 + power_of_two(-50));
        let bits = sigma.to_bits();
        Ok(Self {
            sigma,
            k: ratio as u64 + 1,
            mantissa: u128::from(bits & ((1 << 52) - 1) | 1 << 52),
            exponent: (bits >> 52) as i32 - 1075,
        })
    }

    /// The standard deviation parameter.
    #[must_use]
    pub const fn sigma(&self) -> f64 {
        self.sigma
    }

    /// The largest absolute value of a sample: 12 K - 1.
    #[must_use]
    pub const fn bound(&self) -> u64 {
        CELLS as u64 * self.k - 1
    }

    /// Fills `out` with independent samples, each within 2^-100 of the ideal distribution.
    ///
    /// # Constant time
    /// In the stream and `out`; the number of trials, hence the time, is random and independent of
    /// the samples.
    pub fn fill(&self, stream: &mut Stream, out: &mut [i64]) {
        let mut done = 0;
        while done < out.len() {
            let (z, accepted) = self.trial(stream);
            out[done] = z;
            done += usize::from(declassify(accepted));
        }
    }

    /// One trial: a value, and whether it is accepted.
    fn trial(&self, stream: &mut Stream) -> (i64, bool) {
        let mut words = Zeroizing::new([0_u64; 5]);
        stream.fill_u64(&mut *words);
        let [a, b, c, d, sign] = *words;
        let mut y = [0];
        uniform::fill_below(stream, self.k, &mut y).expect("K > 0");

        let (x, valid) = binary(u128::from(a) << 64 | u128::from(b));
        let magnitude = self.k * x + y[0];
        let accepted =
            (u128::from(c) << 64 | u128::from(d)) < self.probability(x.into(), magnitude.into());
        let sign = -((sign & 1) as i64);
        let negative_zero = (sign != 0) & (magnitude == 0);
        ((magnitude as i64 ^ sign) - sign, valid & accepted & !negative_zero)
    }

    /// floor(2^128 2^-E) to about 2^18, E = z^2 log2(e) / (2 sigma^2) - x^2.
    fn probability(&self, x: u128, z: u128) -> u128 {
        // z^2 / (2 sigma^2) = z^2 2^(-2 exponent - 1) / mantissa^2 in 2^-112; z < 21 sigma, so the
        // dividend is below 2^114.
        let dividend = (z * z) << (-2 * self.exponent - 1);
        let natural = divide(dividend, 0, self.mantissa * self.mantissa);
        let binary = natural + mul_high(natural, LOG2_E_LESS_1);
        let e = binary - (x * x << EXACT_BITS);
        exp2_neg(e << (128 - EXACT_BITS)).unbounded_shr((e >> EXACT_BITS) as u32)
    }
}

/// x with probability 2^-(x^2 + 1), for x = 0, 1, .. the interval of this length in which the
/// fraction `uniform` lies; false if it lies beyond them all.
fn binary(uniform: u128) -> (u64, bool) {
    let (mut x, mut end) = (0, 0);
    for i in 0..CELLS {
        end += 1 << (127 - i * i);
        x += u64::from(uniform >= end);
    }
    (x, uniform < end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_float::FBig;
    use dashu_float::round::mode::HalfAway;
    use tautochrone_ctr::{Label, Seed};
    use tautochrone_testkit::{Battery, Distribution};

    type Big = FBig<HalfAway, 2>;

    fn big(x: u128) -> Big {
        Big::from(x).with_precision(400).value()
    }

    fn float(x: f64) -> Big {
        Big::try_from(x).unwrap().with_precision(400).value()
    }

    #[test]
    fn the_binary_gaussian_is_exact() {
        let mut start = 0_u128;
        for x in 0..CELLS {
            let length = 1 << (127 - x * x);
            assert_eq!(binary(start), (x as u64, true));
            assert_eq!(binary(start + length - 1), (x as u64, true));
            start += length;
        }
        assert!(!binary(start).1 && !binary(u128::MAX).1);
    }

    /// 2^-(x^2 + 1) 2^-E is the same multiple of exp(-z^2 / (2 sigma^2)) for every z = K x + y, to
    /// 2^-100 and what the last bits of 128 amount to.
    #[test]
    fn the_distribution_is_exact() {
        for sigma in
            [2.0, 2.5, 3.3, 215.0, 300.0, 1000.7, 3.5e5, 1e6, 4.6e7, 2e9, SIGMA_LIMIT - 1.0]
        {
            let sampler = Classic::new(sigma).unwrap();
            let k = sampler.k;
            let weight = |x: u64, y: u64| {
                let z = k * x + y;
                let p = sampler.probability(x.into(), z.into());
                let square = big(z.into()) * big(z.into());
                let ideal = (-(square / (big(2) * float(sigma) * float(sigma)))).exp();
                let proposal = big(1) / big(1 << (x * x));
                (p, (proposal * big(p) / ideal))
            };
            let (_, reference) = weight(0, 0);
            for x in 0..CELLS as u64 - 1 {
                for y in [0, 1, k / 3, k / 2, k - 1] {
                    let (p, weight) = weight(x, y);
                    let error = (weight / reference.clone() - big(1)).to_f64().value();
                    let allowed = 2.0_f64.powi(-100) + 2.0_f64.powi(20) / p as f64;
                    assert!(error.abs() < allowed, "sigma {sigma}, x {x}, y {y}: {error:e}");
                }
            }
        }
    }

    #[test]
    fn samples_have_the_distribution() {
        for sigma in [2.0, 3.3, 1000.7, 2e9] {
            let sampler = Classic::new(sigma).unwrap();
            let mut random = Seed::from_bytes([8; 32]).stream(Label::new("classic"), 0);
            Battery::new(Distribution::full(sigma, 0.0))
                .run(1 << 15, |out| sampler.fill(&mut random, out))
                .assert_accepts();
        }
    }

    #[test]
    fn bad_sigmas_are_refused() {
        for sigma in [1.999, SIGMA_LIMIT, f64::NAN] {
            assert!(matches!(Classic::new(sigma), Err(Error::Sigma { .. })), "{sigma}");
        }
    }
}
