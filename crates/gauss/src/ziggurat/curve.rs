//! [`Curve`]: p(i, x) = (rho(x) - y_i) / h_i = (1 + X_i) (rho(x) / S - T_i), T_i = sum_{j > i}
//! 1 / (1 + X_j), the probability that x is accepted in the right part of rectangle i, at three
//! precisions.
//!
//! 1. `f64`, with an error bound;
//! 2. 96 fraction bits in integers, error below 2^-84: for corners, many of which the first leaves
//!    in doubt where sigma is large;
//! 3. as many bits as it takes.
//!
//! All three are bounds on the same real number: which of them decides never changes a decision.

use alloc::vec::Vec;

use num_bigint::{BigInt, BigUint};

use crate::error::Error;
use crate::exact::{Variance, fixed as big};
use crate::fixed;
use crate::float;

/// Fraction bits of level 2.
pub(super) const BITS: u32 = 96;
/// Error bound of level 2 in units of 2^-96: see [`Curve::level_2`].
pub(super) const ERROR: i128 = 1 << 12;

/// The Gaussian curve over an area S, and the bottoms of its rectangles.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    variance: Variance,
    /// 1 / (2 sigma^2).
    pub(super) slope: f64,
    /// log2(e) / (2 sigma^2) = `log` / 2^`log_shift`, `log` in [2^127, 2^128).
    log: u128,
    log_shift: u32,
    /// S = `area` 2^`area_shift`, `area` in [2^52, 2^53).
    area: u64,
    area_shift: i32,
    /// 1 + X_i, i = 1..=m at index i - 1.
    pub(super) sides: Vec<u64>,
    /// floor-like T_i 2^F; the error is below m units.
    pub(super) sums: Vec<u128>,
    /// F = 123 + floor(log2 S): T_i < 8 / S fits.
    sums_shift: i32,
}

impl Curve {
    /// The curve for `sigma` and the area `s`, with no rectangles yet.
    pub(super) fn new(sigma: f64, s: f64) -> Result<Self, Error> {
        let variance = Variance::from_binary_sigma(sigma)?;
        let (n, d) = variance.as_ratio();
        // d / (2 n ln 2) to 300 fraction bits; at least 128 of them are significant, as
        // sigma < 2^41.
        let quotient = (d << 600_u32) / (n * 2_u8 * big::ln2(300));
        let drop = quotient.bits() as u32 - 128;
        let log = (quotient >> drop).try_into().expect("128 bits");
        let exponent = (s.to_bits() >> 52) as i32 - 1023;
        Ok(Self {
            slope: 0.5 / (sigma * sigma),
            log,
            log_shift: 300 - drop,
            area: s.to_bits() & ((1 << 52) - 1) | 1 << 52,
            area_shift: exponent - 52,
            sides: Vec::new(),
            sums: Vec::new(),
            sums_shift: 123 + exponent,
            variance,
        })
    }

    /// floor(2^F / n), saturating: the height of a rectangle over S.
    pub(super) fn reciprocal(&self, n: u64) -> u128 {
        // Long division in base 2^64; F is at most 123 + 44.
        let n = u128::from(n);
        let top = 1_u128 << (self.sums_shift - 64);
        let (high, rest) = (top / n, top % n);
        if high >> 64 != 0 {
            return u128::MAX;
        }
        (high << 64) | ((rest << 64) / n)
    }

    /// S T as an f64, for T in units of 2^-F.
    pub(super) fn height(&self, sum: u128) -> f64 {
        let exponent = self.area_shift - self.sums_shift;
        // Both factors are exact powers of two; the product stays far from the subnormal numbers.
        sum as f64 * self.area as f64 * f64::from_bits(((1023 + exponent) as u64) << 52)
    }

    /// Whether S T < 1, T in units of 2^-F: exact for that T.
    pub(super) fn below_one(&self, sum: u128) -> bool {
        // S T = area sum 2^(area_shift - F), and area_shift - F = -175.
        let (high, _) = fixed::mul_wide(sum, self.area.into());
        high >> (self.sums_shift - self.area_shift - 128) == 0
    }

    /// exp(-x^2 / (2 sigma^2)) as (k, f): 2^-k f / 2^128, f in [2^127, 2^128), relative error below
    /// 2^-118.
    ///
    /// The exponent is at most 2^8 and `log` is rounded by 2^-127 of itself; `exp2_neg` adds
    /// 2^-119.
    fn rho(&self, x: u64) -> (u32, u128) {
        let (high, low) = fixed::mul_wide(u128::from(x) * u128::from(x), self.log);
        // x^2 log / 2^log_shift, 126 <= log_shift <= 208, as a whole number and a fraction.
        let (whole, fraction) = match self.log_shift {
            128 => (high, low),
            s @ ..128 => (high << (128 - s) | low >> s, low << (128 - s)),
            s => (high >> (s - 128), high << (256 - s) | low >> (s - 128)),
        };
        (whole as u32, fixed::exp2_neg(fraction))
    }

    /// Level 1: (p, bound on its error), given C = (1 + X_i) / S and B = T_i (1 + X_i) rounded.
    ///
    /// With u = 2^-53 and e = C rho: x^2 / (2 sigma^2) =: t errs by 4 u t, the exponential by 8 u,
    /// C and the product by 2 u, B by 4 u B, the difference by u (e + B). The bound is 8 u (e
    /// (t + 4) + B + 2), which leaves slack for a comparison with a 64-bit uniform rounded to an
    /// `f64`.
    #[inline]
    pub(super) fn level_1(&self, c: f64, b: f64, x: f64) -> (f64, f64) {
        let t = x * x * self.slope;
        let e = c * float::exp_neg(t);
        (e - b, (e * (t + 4.0) + b + 2.0) * f64::from_bits((1023 - 50) << 52))
    }

    /// Level 2: p(i, x) in units of 2^-96, error below [`ERROR`] units (rectangles count from 1).
    ///
    /// 1 / h_i <= 2^21 for every m <= 65536, so e = rho / h_i errs by 2^21 2^-118, and B by m n
    /// 2^-F <= 2^16 2^21 2^-122.
    #[cold]
    pub(super) fn level_2(&self, i: usize, x: u64) -> i128 {
        let n = self.sides[i - 1];
        let (k, rho) = self.rho(x);
        // n normalised to [2^51, 2^52), so that rho n / area fits 128 bits and has 125 that count.
        let lift = n.leading_zeros() - 12;
        let quotient = divide(fixed::mul_wide(rho, (n << lift).into()), self.area.into());
        let shift = (128 - BITS + lift + k) as i32 + self.area_shift;
        let e = if shift < 128 { quotient >> shift } else { 0 };
        let (high, low) = fixed::mul_wide(self.sums[i - 1], n.into());
        let drop = self.sums_shift as u32 - BITS;
        // Where T has saturated, y_i is far above 1 and p far below 0.
        let b = if high >> (drop - 8) == 0 { high << (128 - drop) | low >> drop } else { 1 << 120 };
        e as i128 - b as i128
    }

    /// Level 3: p(i, x) in units of 2^-`bits`, error at most 3 units.
    pub(super) fn level_3(&self, i: usize, x: u64, bits: u32) -> BigInt {
        const GUARD: u32 = 160;
        let n = self.sides[i - 1];
        let (v, d) = self.variance.as_ratio();
        let rho = big::exp_neg(&(d * x * x), &(v * 2_u8), bits + GUARD);
        // S = area 2^area_shift, -69 - 52 <= area_shift <= 44.
        let up = (-self.area_shift).max(0);
        let down = self.area_shift.max(0);
        let e: BigUint = (((rho * n) << up) / (BigUint::from(self.area) << down)) >> GUARD;
        let one = BigUint::from(1_u8) << (bits + GUARD);
        let sum: BigUint = self.sides[i..].iter().map(|side| &one / side).sum();
        let b: BigUint = (sum * n) >> GUARD;
        BigInt::from(e) - BigInt::from(b)
    }

    /// Whether rho(x) >= y_i for x > 0, exact; `sums[i - 1]` and `sides[i..]` must be there
    /// already.
    pub(super) fn covers(&self, i: usize, x: u64) -> bool {
        debug_assert!(x > 0, "y_0 = rho(0) is possible");
        let p = self.level_2(i, x);
        if p.abs() > ERROR {
            return p > 0;
        }
        // rho(x) is transcendental and y_i rational: they differ somewhere.
        let mut bits = 256;
        loop {
            let p = self.level_3(i, x, bits);
            if *p.magnitude() > BigUint::from(3_u8) {
                return p > BigInt::ZERO;
            }
            bits *= 2;
        }
    }
}

/// floor((high 2^128 + low) / d) for d < 2^53 where it fits 128 bits.
fn divide((high, low): (u128, u128), d: u128) -> u128 {
    let mut rest = high % d;
    debug_assert!(high / d == 0, "the quotient fits");
    let mut quotient = 0;
    for limb in [low >> 64, low & u128::from(u64::MAX)] {
        let value = rest << 64 | limb;
        quotient = (quotient << 64) | (value / d);
        rest = value % d;
    }
    quotient
}
