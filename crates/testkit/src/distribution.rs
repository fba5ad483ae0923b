//! [`Distribution`]: the exact discrete distribution that samplers are tested against.

/// Cells per standard deviation, at least, once single integers become too many.
const CELLS_PER_SIGMA: f64 = 512.0;
/// Bits of a sample that are examined.
pub(crate) const LOW_BITS: u32 = 16;
/// The range, in standard deviations, outside which a sample is a failure: the mass beyond is below
/// 2^-125.
const TAIL: f64 = 13.0;

/// A discrete Gaussian distribution on an interval of integers,
/// rho(x) = exp(-(x - c)^2 / (2 sigma^2)), normalised.
///
/// Stored as equally wide cells of consecutive integers (single integers for sigma < 1024). The sum
/// of a smooth function over the w integers of a cell is w times its mean at two points
/// sqrt((w^2 - 1) / 12) from the middle, exact for cubics; at 512 cells per sigma the relative
/// error is below 1e-11, invisible to any sample that fits a computer.
#[derive(Clone, Debug)]
pub struct Distribution {
    shape: Shape,
    sigma: f64,
    centre: f64,
    lo: i64,
    hi: i64,
    width: i64,
    cells: Vec<f64>,
    pub(crate) mean: f64,
    /// The standard deviation of the discrete distribution (not its parameter sigma).
    pub(crate) deviation: f64,
    /// E[((X - mean) / deviation)^k], k = 0..=8.
    pub(crate) moments: [f64; 9],
    mass: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Full,
    UnfoldedHalf,
    FoldedHalf,
    Bimodal,
}

impl Distribution {
    /// The Gaussian on all integers, of any centre.
    #[must_use]
    pub fn full(sigma: f64, centre: f64) -> Self {
        let reach = (TAIL * sigma).ceil();
        Self::new(
            Shape::Full,
            sigma,
            centre,
            (centre - reach).floor() as i64,
            (centre + reach).ceil() as i64,
        )
    }

    /// The Gaussian of centre 0 restricted to x >= 0: weight rho(x) at every x, zero included.
    #[must_use]
    pub fn unfolded_half(sigma: f64) -> Self {
        Self::new(Shape::UnfoldedHalf, sigma, 0.0, 0, (TAIL * sigma).ceil() as i64)
    }

    /// |X| for X of the full Gaussian of centre 0: weight rho(0) at zero, 2 rho(x) elsewhere.
    ///
    /// # Panics
    /// If sigma >= 1024: the weights are not smooth at zero, where a cell must then be one integer.
    #[must_use]
    pub fn folded_half(sigma: f64) -> Self {
        let distribution =
            Self::new(Shape::FoldedHalf, sigma, 0.0, 0, (TAIL * sigma).ceil() as i64);
        assert_eq!(distribution.width, 1, "sigma {sigma} is too wide for the folded half");
        distribution
    }

    /// b + (2b - 1) z for a fair bit b and z of the unfolded half: the two-humped proposal of
    /// Falcon's `SamplerZ`.
    #[must_use]
    pub fn bimodal(sigma: f64) -> Self {
        let reach = (TAIL * sigma).ceil() as i64;
        Self::new(Shape::Bimodal, sigma, 0.0, -reach, reach + 1)
    }

    /// The same distribution cut to `lo..=hi` and normalised again: anything outside is a failure.
    #[must_use]
    pub fn cut(&self, lo: i64, hi: i64) -> Self {
        Self::new(self.shape, self.sigma, self.centre, lo, hi)
    }

    fn new(shape: Shape, sigma: f64, centre: f64, lo: i64, hi: i64) -> Self {
        assert!(
            sigma > 0.0 && sigma.is_finite() && centre.is_finite() && lo <= hi,
            "no such distribution"
        );
        let width = ((sigma / CELLS_PER_SIGMA).floor() as i64).max(1);
        let count = hi.abs_diff(lo) / width as u64 + 1;
        let mut distribution = Self {
            shape,
            sigma,
            centre,
            lo,
            hi,
            width,
            cells: vec![0.0; count as usize],
            mean: 0.0,
            deviation: 1.0,
            moments: [0.0; 9],
            mass: 1.0,
        };
        distribution.cells = (0..count as usize)
            .map(|i| distribution.nodes(i).map(|(_, weight)| weight).iter().sum())
            .collect();
        distribution.mass = distribution.cells.iter().sum();
        distribution.cells.iter_mut().for_each(|p| *p /= distribution.mass);
        distribution.mean = distribution.expect(|x| x);
        let mean = distribution.mean;
        distribution.deviation = distribution.expect(|x| (x - mean) * (x - mean)).sqrt();
        let deviation = distribution.deviation;
        distribution.moments = core::array::from_fn(|k| {
            distribution.expect(|x| ((x - mean) / deviation).powi(k as i32))
        });
        distribution
    }

    /// The weight of a real point, by the shape, up to a constant factor.
    fn density(&self, x: f64) -> f64 {
        let t = match self.shape {
            Shape::Full => x - self.centre,
            Shape::UnfoldedHalf | Shape::FoldedHalf => x,
            Shape::Bimodal if x < 0.5 => x,
            Shape::Bimodal => x - 1.0,
        } / self.sigma;
        let halved = self.shape == Shape::FoldedHalf && x == 0.0;
        (-0.5 * t * t).exp() * if halved { 0.5 } else { 1.0 }
    }

    /// The two points and weights whose sum stands for cell `i`.
    fn nodes(&self, i: usize) -> [(f64, f64); 2] {
        let first = self.lo.wrapping_add((i as i64).wrapping_mul(self.width));
        let last = first.saturating_add(self.width - 1).min(self.hi);
        let w = (last - first + 1) as f64;
        let middle = first as f64 + (w - 1.0) / 2.0;
        let away = ((w * w - 1.0) / 12.0).sqrt();
        [middle - away, middle + away].map(|x| (x, w / 2.0 * self.density(x) / self.mass))
    }

    fn expect(&self, f: impl Fn(f64) -> f64) -> f64 {
        (0..self.cells.len()).flat_map(|i| self.nodes(i)).map(|(x, weight)| weight * f(x)).sum()
    }

    /// P(X = x).
    #[must_use]
    pub fn pmf(&self, x: i64) -> f64 {
        if (self.lo..=self.hi).contains(&x) { self.density(x as f64) / self.mass } else { 0.0 }
    }

    /// P(X < 0).
    #[must_use]
    pub fn negative(&self) -> f64 {
        let whole = (-self.lo).clamp(0, self.hi - self.lo + 1) / self.width;
        let below: f64 = self.cells[..whole as usize].iter().sum();
        below + (self.lo + whole * self.width..0).map(|x| self.pmf(x)).sum::<f64>()
    }

    /// P(bit `b` of X, in two's complement, is 1); `None` where this distribution is too wide to
    /// sum it exactly and the bit is not balanced by smoothness to below 2^-15.
    #[must_use]
    pub fn bit(&self, b: u32) -> Option<f64> {
        if self.hi - self.lo < 1 << 22 {
            return Some(
                (self.lo..=self.hi).filter(|x| x >> b & 1 == 1).map(|x| self.pmf(x)).sum(),
            );
        }
        let period = 2.0_f64.powi(b as i32 + 1);
        let smooth =
            if self.shape == Shape::Full { self.sigma / 8.0 } else { self.sigma / 65536.0 };
        (period <= smooth).then_some(0.5)
    }

    /// The first and last integer with a positive probability.
    #[must_use]
    pub fn range(&self) -> (i64, i64) {
        (self.lo, self.hi)
    }

    /// Whether vectors of samples are close enough to a multivariate normal for tests of normality.
    pub(crate) fn nearly_normal(&self) -> bool {
        self.shape == Shape::Full && self.sigma >= 1.0 && (self.moments[4] - 3.0).abs() < 1e-3
    }

    /// Probabilities of the cells, from the lowest up.
    pub(crate) fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// The cell of `x`, if it is in range.
    pub(crate) fn cell(&self, x: i64) -> Option<usize> {
        (self.lo..=self.hi).contains(&x).then(|| {
            if self.width == 1 {
                x.abs_diff(self.lo) as usize
            } else {
                (x.abs_diff(self.lo) / self.width as u64) as usize
            }
        })
    }

    /// Whether each cell is one integer, the first one the least of the range.
    pub(crate) fn has_single_cells(&self) -> bool {
        self.width == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, relative: f64) {
        assert!((a - b).abs() <= relative * b.abs().max(1e-300), "{a} is not {b}");
    }

    #[test]
    fn sums_to_one_and_has_the_moments_of_poisson_summation() {
        // For sigma >= 2 the moments agree with the continuous ones to exp(-2 pi^2 sigma^2).
        for sigma in [2.0, 3.19, 215.0, 511.0, 1024.0, 1.6e5, 2e9, 1.0995e12] {
            let distribution = Distribution::full(sigma, 0.0);
            close(distribution.cells().iter().sum(), 1.0, 1e-12);
            close(distribution.deviation, sigma, 1e-10);
            for (k, want) in [(2, 1.0), (4, 3.0), (6, 15.0), (8, 105.0)] {
                close(distribution.moments[k], want, 1e-8);
            }
            close(distribution.pmf(0), 1.0 / (sigma * core::f64::consts::TAU.sqrt()), 1e-10);
            close(distribution.negative(), (1.0 - distribution.pmf(0)) / 2.0, 1e-10);
        }
    }

    #[test]
    fn small_distributions_are_the_definition() {
        let distribution = Distribution::full(0.8, 0.3);
        let z: f64 = (-20..=20).map(|x| (-0.5 * ((x as f64 - 0.3) / 0.8_f64).powi(2)).exp()).sum();
        close(distribution.pmf(1), (-0.5 * (0.7 / 0.8_f64).powi(2)).exp() / z, 1e-13);
        let half = Distribution::unfolded_half(2.0);
        close(half.pmf(3) / half.pmf(0), (-9.0 / 8.0_f64).exp(), 1e-13);
        assert_eq!(half.negative(), 0.0);
        let (folded, full) = (Distribution::folded_half(2.0), Distribution::full(2.0, 0.0));
        close(folded.pmf(0), full.pmf(0), 1e-13);
        close(folded.pmf(3), 2.0 * full.pmf(3), 1e-13);
        let two = Distribution::bimodal(1.5);
        close(two.pmf(0), two.pmf(1), 1e-13);
        close(two.negative(), 0.5 - two.pmf(0), 1e-13);
        close(two.mean, 0.5, 1e-13);
    }

    #[test]
    fn cells_cover_the_range_once() {
        for distribution in [
            Distribution::full(700.0, 0.5),
            Distribution::unfolded_half(5000.0),
            Distribution::full(3.0, 0.0).cut(-7, 7),
        ] {
            let (lo, hi) = distribution.range();
            let mut counts = vec![0.0; distribution.cells().len()];
            for x in lo..=hi {
                counts[distribution.cell(x).unwrap()] += distribution.pmf(x);
            }
            for (a, b) in counts.iter().zip(distribution.cells()) {
                close(*a, *b, 1e-8);
            }
            assert_eq!((distribution.cell(lo - 1), distribution.cell(hi + 1)), (None, None));
        }
    }

    #[test]
    fn bits_of_a_half_distribution_are_not_balanced() {
        let distribution = Distribution::unfolded_half(2.0);
        let odd: f64 = (1..40).step_by(2).map(|x| distribution.pmf(x)).sum();
        close(distribution.bit(0).unwrap(), odd, 1e-12);
        assert_eq!(Distribution::full(2e9, 0.0).bit(20), Some(0.5));
        assert_eq!(Distribution::full(2e9, 0.0).bit(30), None);
    }
}
