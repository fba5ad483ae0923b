//! How long S C can be, how wide Y must be to hide it, and how long a column of Z may be.
//!
//! sigma and B^2 go into statements, so they must not depend on a platform's mathematical library:
//! besides additions, multiplications, divisions and square roots, which IEEE 754 fixes, there are
//! only logarithms rounded to nearest.
#![expect(clippy::integer_division_remainder_used, reason = "parameters are public")]

use alloc::boxed::Box;
use core::f64::consts::LN_2;

use once_cell::race::OnceBox;
use tautochrone_gauss::float::ln_nearest;

use crate::rejection::Rho;
use crate::suite::Challenge;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use tautochrone_gauss::float::CoreFloat as _;

/// The rho that parameters have by default.
///
/// A proof takes rho attempts on average, and sigma is alpha(rho) times what S C can be: alpha(128)
/// is 12.2 for 3 and 19.3 for 2, which makes every entry of Z log2(19.3 / 12.2) = .66 bits longer.
/// At its end a proof takes the products T C and A' Z_1, which are of the size of an attempt; so an
/// attempt less on average weighs more than those bits (docs/sizes.md).
pub(super) const DEFAULT_RHO: Rho = Rho::Two;

/// The Chernoff factor sqrt(x / 2): with C ternary, `||S C||_F` > `||S||_F` sqrt(x / 2) has
/// probability at most e^-t, t = lambda ln 2, where x > n is the root of (n / 2) (x / n - 1 - ln(x
/// / n)) = t.
///
/// Each column of C has independent centred entries of variance 1/2, subgaussian with that
/// variance, so `||S c||^2` / (`||S||_F^2` / 2) has a moment generating function no larger than
/// a squared normal variable's (the rank-one S is the worst case); the bound is Chernoff's
/// for a sum of n of them.
///
/// The factor of the first lambda and n is kept: all parameters that a search tries share them.
pub fn ternary_factor(lambda: u32, n: u32) -> f64 {
    static FIRST: OnceBox<([u32; 2], f64)> = OnceBox::new();
    let factor = || (largest_square_sum(f64::from(lambda) * LN_2, n) / 2.0).sqrt();
    let &(of, first) = FIRST.get_or_init(|| Box::new(([lambda, n], factor())));
    if of == [lambda, n] { first } else { factor() }
}

/// x > n with (n / 2) (x / n - 1 - ln(x / n)) = t: a sum of squares of n independent variables,
/// none of which has a larger moment generating function than a normal variable of variance 1,
/// exceeds it with probability at most e^-t (Chernoff).
fn largest_square_sum(t: f64, n: u32) -> f64 {
    let n = f64::from(n);
    let tail = |x: f64| n / 2.0 * (x / n - 1.0 - ln_nearest(x / n));
    first_above(n, 2.0 * n, |x| tail(x) >= t)
}

/// The value that the sum of squares of n discrete Gaussians of standard deviation `micros` / 10^6
/// exceeds with probability at most 2^-64.
pub fn gaussian_square_sum(n: u32, micros: u64) -> f64 {
    let sigma = micros as f64 / 1e6;
    largest_square_sum(64.0 * LN_2, n) * sigma * sigma
}

/// alpha = sigma / `||S C||`: (tau + sqrt(tau^2 + 2 ln rho)) / (2 ln rho), tau = sqrt(2 (lambda +
/// 1) ln 2).
///
/// With it the quotient of densities exceeds rho with probability at most 2^-lambda: <Z, M> /
/// (sigma `||M||`) is subgaussian of variance 1 and exceeds tau with probability e^(-tau^2/2) =
/// 2^-(lambda + 1).
pub fn alpha(lambda: u32, rho: Rho) -> f64 {
    let tau = (2.0 * (f64::from(lambda) + 1.0) * LN_2).sqrt();
    let ln_rho = ln_nearest(rho.get().into());
    (tau + (tau * tau + 2.0 * ln_rho).sqrt()) / (2.0 * ln_rho)
}

/// The smallest sigma for witnesses of this Frobenius norm, ternary challenges and this rho:
/// ceil(alpha sqrt(x / 2) F), the bound on `||S C||_F` times alpha.
pub(super) fn of_frobenius(lambda: u32, n: u32, frobenius_squared: u128, rho: Rho) -> u64 {
    let norm = (frobenius_squared as f64).sqrt();
    (alpha(lambda, rho) * (norm * ternary_factor(lambda, n))).ceil() as u64
}

/// The smallest sigma for this challenge and rho, which is alpha times a public bound on
/// `||S C||_F`; with ternary challenges as [`of_frobenius`].
pub(super) fn needed(
    challenge: Challenge,
    lambda: u32,
    n: u32,
    l: u64,
    frobenius_squared: u128,
    rho: Rho,
) -> u64 {
    match challenge {
        Challenge::Ternary => of_frobenius(lambda, n, frobenius_squared, rho),
        // ||S C||_F <= s1(S) ||C||_F <= s sqrt(l n).
        Challenge::Binary { norm_bound } => {
            let bound = norm_bound as f64 * (l as f64 * f64::from(n)).sqrt();
            (alpha(lambda, rho) * bound).ceil() as u64
        }
    }
}

/// A bound on the largest singular value that random matrices with entries in [-b, b] meet: b (sqrt
/// v + sqrt l).
///
/// For independent entries of standard deviation d it is close to d (sqrt v + sqrt l) (Bai, Yin
/// 1993), and d < b.
pub(super) fn random_matrix_norm(b: u32, v: u32, l: u64) -> u64 {
    (f64::from(b) * (f64::from(v).sqrt() + (l as f64).sqrt())).ceil() as u64
}

/// How many of the last columns of T are rounded, to multiples of 2^`round_t`, where those before
/// them are whole: columns of dummies behind keys. No header of a statement file has this.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundedColumns {
    /// How many.
    pub columns: u32,
    /// Bits that are rounded off.
    pub round_t: u32,
}

impl RoundedColumns {
    /// `columns` 4^`round_t`; 0 where nothing is rounded off.
    pub(super) const fn squared(self) -> u128 {
        if self.round_t == 0 { 0 } else { self.columns as u128 * power_of_four(self.round_t) }
    }
}

/// The rounding: d bits of W, dT bits of T, whose columns may be sums of `weight` rounded
/// ones, and l columns of T there are; or bits of the last of these alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounded {
    /// sigma_Z.
    pub(super) sigma: u64,
    /// Twice the squared norm of a column of C: l, or 2 c where a bound is asked for, as with
    /// narrow masks, where a column meets S, too.
    pub(super) l: u64,
    pub(super) round_w: u32,
    pub(super) round_t: u32,
    pub(super) weight: u32,
    pub(super) last: RoundedColumns,
}

impl Rounded {
    /// f^2: the variance of an entry of E over sigma^2. To Z_2's it adds what is rounded off W,
    /// uniform in an interval of length 2^d, and the product of what is rounded off a row of T with
    /// a column of C.
    pub(super) fn error_factor(self) -> f64 {
        let square = self.sigma as f64 * self.sigma as f64;
        let of_w = power_of_four(self.round_w) as f64 / 12.0;
        1.0 + (of_w + self.of_t() as f64 / 24.0) / square
    }

    /// The variance of a hint, as a fraction: s^2 + 1/6, s^2 = (sigma^2 + l 4^dT weight^2 / 24) /
    /// 4^d being the variance of (Z_2 - T_0 C) / 2^d, and two roundings. Where the last columns
    /// alone are rounded, they are l.
    pub(super) fn hint_variance(self) -> [u128; 2] {
        let square = u128::from(self.sigma) * u128::from(self.sigma);
        let numerator = 24 * square + 4 * power_of_four(self.round_w);
        [numerator.saturating_add(self.of_t()), 24 * power_of_four(self.round_w)]
    }

    /// Whether ten standard deviations of a hint are at most 20, the largest that is encoded: a
    /// larger one then has probability below 2 e^-50 < 2^-71. Of sums of rounded columns only the
    /// largest weight is known, so what is rounded off T does not count.
    pub(super) fn hints_fit(self) -> bool {
        let certain = if self.weight == 1 { self } else { Self { round_t: 0, ..self } };
        let [numerator, denominator] = certain.hint_variance();
        numerator <= 4 * denominator
    }

    /// Where masks are narrow: whether 13 standard deviations of a hint are at most 20. Here the l
    /// of a row of T_0 is 2 c.
    pub(super) fn narrow_hints_fit(self) -> bool {
        let square = u128::from(self.sigma) * u128::from(self.sigma);
        (24 * square).saturating_add(self.of_t()) <= 48 * power_of_four(self.round_w)
    }

    /// l 4^dT weight^2; over the last columns where the others are whole; 0 where T is.
    fn of_t(self) -> u128 {
        if self.round_t == 0 {
            return self.last.squared();
        }
        let (l, weight) = (u128::from(self.l), u128::from(self.weight));
        l.saturating_mul(power_of_four(self.round_t)).saturating_mul(weight * weight)
    }

    /// B^2: kappa_B^2 sigma^2 (k + r f^2) for columns (z, e) of k + r entries, where the entries of
    /// e have variance f^2 sigma^2.
    pub(super) fn norm_bound_squared(self, [r, k]: [u32; 2], factor: f64) -> u128 {
        let rows = f64::from(k) + f64::from(r) * self.error_factor();
        (factor * (self.sigma as f64 * self.sigma as f64) * rows).floor() as u128
    }
}

/// kappa_B^2 for columns of v entries: 1.15^2 where v >= 2400, which an honest column exceeds with
/// probability below 2^-74; for smaller v the kappa for which n columns exceed it with probability
/// 2^-64, so that an honest prover does not stall.
pub fn kappa_squared(v: u32, n: u32) -> f64 {
    if v >= 2400 { 529.0 / 400.0 } else { small_kappa_squared(v, n) }
}

/// kappa_B^2 for columns of v entries, with 2^-64 for all v.
pub(super) fn small_kappa_squared(v: u32, n: u32) -> f64 {
    let kappa = small_kappa(v, n);
    kappa * kappa
}

/// 4^`bits` for up to 62 of them.
const fn power_of_four(bits: u32) -> u128 {
    1 << (2 * bits)
}

/// dT: as many bits as a proof hardly notices, max(0, floor(log2(0.6 sigma sqrt(24 / l)))). What
/// they add to the variance of E is then at most 0.36 sigma^2.
pub(super) fn unnoticed_rounding(sigma: u64, l: u64) -> u32 {
    // l 4^dT <= 24 0.36 sigma^2 = 216 sigma^2 / 25.
    let most = 216 * u128::from(sigma) * u128::from(sigma) / (25 * u128::from(l));
    most.checked_ilog2().unwrap_or(0) / 2
}

/// kappa > 1 with n kappa^v e^(v (1 - kappa^2) / 2) = 2^-64 (Banaszczyk's tail bound).
fn small_kappa(v: u32, n: u32) -> f64 {
    let (v, ln_n) = (f64::from(v), ln_nearest(n.into()));
    let ln_failure = |kappa: f64| ln_n + v * ln_nearest(kappa) + v * (1.0 - kappa * kappa) / 2.0;
    first_above(1.0, 2.0, |kappa| ln_failure(kappa) <= -64.0 * LN_2)
}

/// The least number above `low` for which `reached` holds, as it does for all larger ones: `high`
/// is doubled until it does, and then bisection until nothing lies between.
fn first_above(mut low: f64, mut high: f64, reached: impl Fn(f64) -> bool) -> f64 {
    while !reached(high) {
        high *= 2.0;
    }
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return high;
        }
        if reached(middle) { high = middle } else { low = middle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, want: f64, tolerance: f64) {
        assert!((got - want).abs() <= tolerance, "{got} instead of {want}");
    }

    /// To the last bit, wherever this runs.
    #[test]
    fn headers_are_the_same_on_every_platform() {
        let bits = |(v, n)| small_kappa(v, n).to_bits();
        let kappa = [(64, 20), (200, 20), (300, 142), (512, 130), (1024, 140)].map(bits);
        let want = [
            0x3fff_45c9_99cf_15e6,
            0x3ff8_5353_8e35_e963,
            0x3ff6_df1f_475e_2293,
            0x3ff5_3167_ba56_69fb,
            0x3ff3_a158_acf0_e07d,
        ];
        assert_eq!(kappa, want, "{kappa:x?}");
        let bits = |(lambda, n)| ternary_factor(lambda, n).to_bits();
        let factor = [(128, 20), (128, 140), (128, 146), (256, 270)].map(bits);
        let want = [
            0x4026_42e2_7188_2eae,
            0x402f_6e60_f4f7_70ac,
            0x402f_c38d_4fba_b83d,
            0x4036_0691_d284_0041,
        ];
        assert_eq!(factor, want, "{factor:x?}");
    }

    /// Roots of the equation by another program, with bisection in Python.
    #[test]
    fn square_sums_of_gaussians() {
        close(gaussian_square_sum(1024, 1_000_000) / 1024.0, 1.475_935, 1e-6);
        close(gaussian_square_sum(1, 1_000_000).sqrt(), 9.709_222, 1e-6);
        let [one, two] = [1_000_000, 3_000_000].map(|micros| gaussian_square_sum(40, micros));
        close(two / one, 9.0, 1e-9);
    }

    #[test]
    fn norm_bounds() {
        assert_eq!(kappa_squared(2400, 130), 1.3225);
        // At v = 2400 the fixed 1.15 must leave less than 2^-64 for n columns.
        assert!(small_kappa(2400, 1) < 1.15);
    }
}
