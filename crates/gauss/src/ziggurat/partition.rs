//! [`Partition`]: rectangles of equal area that cover the curve.

use alloc::vec::Vec;

use tautochrone_simd::Isa;

use super::area;
use super::curve::Curve;
use crate::error::Error;
use crate::float;
#[allow(unused_imports, reason = "where std is linked, f64 has these methods itself")]
use crate::float::CoreFloat as _;

/// X_m = ceil(13 sigma): the mass beyond is below 2^-125.
const TAIL: f64 = 13.0;
/// Smallest sigma.
pub(super) const MIN_SIGMA: f64 = 0.5;
/// Largest sigma, 2^40: X_m < 2^44.
pub(super) const MAX_SIGMA: f64 = 1_099_511_627_776.0;
/// Most rectangles.
pub(super) const MAX_RECTANGLES: usize = 65_536;

/// m rectangles under y_0 >= 1, each of area S: rectangle i spans the integers 0..=X_i and the
/// heights y_i to y_{i-1}, y_m = 0, y_{i-1} = y_i + S / (1 + X_i), X_i = floor(rho^-1(y_i)) and
/// X_0 = 0.
///
/// S is an `f64` and thereby an exact number, every y_i an exact multiple of it: the areas are
/// equal by definition, not to some precision. What correctness needs has been checked exactly:
/// rho(X_i) >= y_i >= rho(X_i + 1) and y_0 >= 1.
#[derive(Clone, Debug)]
pub struct Partition {
    sigma: f64,
    area: f64,
    /// X_0..=X_m.
    x: Vec<u64>,
    /// Rectangles 1..=capped have y_{i-1} > 1, or too close to 1 to tell.
    capped: usize,
    pub(super) curve: Curve,
}

impl Partition {
    /// The partition with the smallest area, to seven digits.
    ///
    /// # Errors
    /// [`Error::Sigma`] unless 0.5 <= sigma <= 2^40, [`Error::Rectangles`] unless 1 <= m <= 65536.
    pub fn new(sigma: f64, rectangles: usize) -> Result<Self, Error> {
        if !(MIN_SIGMA..=MAX_SIGMA).contains(&sigma) {
            return Err(Error::Sigma { got: sigma, least: MIN_SIGMA, limit: MAX_SIGMA.next_up() });
        }
        if !(1..=MAX_RECTANGLES).contains(&rectangles) {
            return Err(Error::Rectangles { got: rectangles, limit: MAX_RECTANGLES });
        }
        let last = (TAIL * sigma).ceil();
        let mut area = area::smallest(Isa::detect_vectors(), sigma, rectangles, last);
        loop {
            if let Some(partition) = Self::build(sigma, rectangles, last as u64, area)? {
                return Ok(partition);
            }
            // y_0 fell short of 1 by a rounding error of the search.
            area *= 1.0 + 1e-12;
        }
    }

    /// The rectangles of a given area, or `None` if they do not reach y_0 = 1.
    fn build(sigma: f64, m: usize, last: u64, area: f64) -> Result<Option<Self>, Error> {
        let mut curve = Curve::new(sigma, area)?;
        curve.sides = alloc::vec![1; m];
        curve.sums = alloc::vec![0; m];
        let mut x = alloc::vec![0; m + 1];
        x[m] = last;
        let mut sum = 0_u128;
        let mut capped = 0;
        for i in (1..=m).rev() {
            // Rectangle i: bottom y_i = S sum, X_i to be found.
            curve.sums[i - 1] = sum;
            if i < m {
                x[i] = corner(&curve, sigma, i, x[i + 1]);
            }
            curve.sides[i - 1] = x[i] + 1;
            sum = sum.saturating_add(curve.reciprocal(x[i] + 1));
            // The sum is at most m units short.
            if !curve.below_one(sum.saturating_add(m as u128)) {
                capped += 1;
            }
        }
        let reached = !curve.below_one(sum);
        Ok(reached.then_some(Self { sigma, area, x, capped, curve }))
    }

    /// sigma.
    #[must_use]
    pub const fn sigma(&self) -> f64 {
        self.sigma
    }

    /// m, the number of rectangles.
    #[must_use]
    pub fn rectangles(&self) -> usize {
        self.x.len() - 1
    }

    /// S, the area of each.
    #[must_use]
    pub const fn area(&self) -> f64 {
        self.area
    }

    /// X_0..=X_m: 0 <= .. <= ceil(13 sigma).
    #[must_use]
    pub fn corners(&self) -> &[u64] {
        &self.x
    }

    /// The largest abscissa, X_m = ceil(13 sigma).
    #[must_use]
    pub fn bound(&self) -> u64 {
        self.x[self.x.len() - 1]
    }

    pub(super) const fn capped(&self) -> usize {
        self.capped
    }

    /// (C, B) of rectangle i: p(i, x) = C rho(x) - B.
    pub(super) fn line(&self, i: usize) -> (f64, f64) {
        let n = self.curve.sides[i - 1] as f64;
        (n / self.area, self.curve.height(self.curve.sums[i - 1]) * n / self.area)
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.x.capacity() * size_of::<u64>()
            + self.curve.sides.capacity() * size_of::<u64>()
            + self.curve.sums.capacity() * size_of::<u128>()
    }

    /// Probability that a trial is accepted: sigma sqrt(pi/2) / (m S), but for the cut.
    #[must_use]
    pub fn acceptance(&self) -> f64 {
        // For sigma >= 1/2 the sum of rho over the integers is sigma sqrt(2 pi) (1 + 2 exp(-2 pi^2
        // sigma^2)) to 1e-8.
        let sigma = self.sigma;
        let curve = (core::f64::consts::FRAC_PI_2).sqrt() * sigma;
        curve
            * (1.0
                + 2.0
                    * float::exp_neg(
                        (2.0 * (core::f64::consts::PI * sigma) * (core::f64::consts::PI * sigma))
                            .min(600.0),
                    ))
            / (self.rectangles() as f64 * self.area)
    }
}

/// X_i: the largest x <= `most` with rho(x) >= y_i, 0 if there is none.
fn corner(curve: &Curve, sigma: f64, i: usize, most: u64) -> u64 {
    let y = curve.height(curve.sums[i - 1]);
    let mut x = most.min(area::inverse(sigma, y) as u64);
    // Double precision decides unless rho is within 2^-44 of y; then exact arithmetic does.
    let covers = |x: u64| {
        let rho = float::exp_neg(x as f64 * x as f64 * curve.slope);
        let doubt = y * f64::from_bits((1023 - 44) << 52);
        if (rho - y).abs() > doubt { rho > y } else { curve.covers(i, x) }
    };
    while x > 0 && !covers(x) {
        x -= 1;
    }
    while x < most && covers(x + 1) {
        x += 1;
    }
    x
}
