//! [`Battery`]: every statistical test on one stream of samples.

use crate::distribution::{Distribution, LOW_BITS};
use crate::multivariate::{Vectors, dot};
use crate::report::Report;

/// Bins of the chi-square test are merged until at least this many samples are expected in each.
const BIN: f64 = 10.0;
/// Correlations are taken at these distances, and at the number of lanes.
const LAGS: usize = 8;
/// Samples asked for at once; a multiple of every lane count up to it that is a power of two.
const CHUNK: usize = 1 << 15;

/// The acceptance battery for samplers: chi-square against the exact distribution, the first four
/// moments, sign and zero counts, correlations of values and squares, lanes, the low 16 bits, the
/// cut, and (for the full Gaussian distribution) tests on 64-dimensional vectors.
///
/// Run it with fixed seeds, so that a pass stays a pass.
#[derive(Clone, Debug)]
pub struct Battery {
    distribution: Distribution,
    lanes: usize,
}

impl Battery {
    /// The battery against `distribution`, for a sampler of 8 lanes.
    #[must_use]
    pub fn new(distribution: Distribution) -> Self {
        Self { distribution, lanes: 8 }
    }

    /// Sample i is made by lane i mod `lanes`: mean and variance are tested for each, and
    /// correlation at that distance.
    ///
    /// # Panics
    /// If `lanes` is not a power of two of at most 2^14.
    #[must_use]
    pub fn lanes(mut self, lanes: usize) -> Self {
        assert!(lanes.is_power_of_two() && lanes < CHUNK, "lanes: a power of two of at most 2^14");
        self.lanes = lanes;
        self
    }

    /// Draws `samples` values, rounded up to a multiple of 32768, by calling `fill` on consecutive
    /// buffers.
    #[must_use]
    pub fn run(&self, samples: usize, mut fill: impl FnMut(&mut [i64])) -> Report {
        let mut tally = Tally::new(self);
        let mut values = vec![0; CHUNK];
        for _ in 0..samples.div_ceil(CHUNK) {
            fill(&mut values);
            tally.count(&values);
            tally.measure(&values);
        }
        tally.report(self)
    }
}

struct Tally<'a> {
    distribution: &'a Distribution,
    n: f64,
    counts: Vec<u64>,
    outside: u64,
    signs: Signs,
    standard: Standard,
    /// Sums of z^3 and z^4.
    cubes: f64,
    fourths: f64,
    /// Sums of z and z^2 by lane.
    lanes: Vec<[f64; 2]>,
    /// (distance, number of pairs, sum of products, sum of products of centred squares).
    lags: Vec<(usize, f64, f64, f64)>,
    vectors: Vectors,
}

/// Counts of signs and bits.
struct Signs {
    negative: u64,
    zero: u64,
    bits: Vec<u64>,
}

impl Signs {
    /// Counts `x` so many times.
    fn add(&mut self, x: i64, times: u64) {
        self.negative += if x < 0 { times } else { 0 };
        self.zero += if x == 0 { times } else { 0 };
        for (b, count) in self.bits.iter_mut().enumerate() {
            *count += (x >> b & 1) as u64 * times;
        }
    }
}

/// A chunk of samples in standard units.
struct Standard {
    z: Vec<f64>,
    /// z^2.
    squares: Vec<f64>,
    /// z^2 - 1.
    centred: Vec<f64>,
}

impl<'a> Tally<'a> {
    fn new(battery: &'a Battery) -> Self {
        let mut lags: Vec<usize> = (1..=LAGS).chain([battery.lanes]).collect();
        lags.dedup();
        let distribution = &battery.distribution;
        let bits = vec![0; LOW_BITS as usize];
        let empty = || vec![0.0; CHUNK];
        Self {
            distribution,
            n: 0.0,
            counts: vec![0; distribution.cells().len()],
            outside: 0,
            signs: Signs { negative: 0, zero: 0, bits },
            standard: Standard { z: empty(), squares: empty(), centred: empty() },
            cubes: 0.0,
            fourths: 0.0,
            lanes: vec![[0.0; 2]; battery.lanes],
            lags: lags.into_iter().map(|lag| (lag, 0.0, 0.0, 0.0)).collect(),
            vectors: Vectors::default(),
        }
    }

    /// Cells, and of what they do not tell signs and bits.
    fn count(&mut self, values: &[i64]) {
        let single = self.distribution.has_single_cells();
        for &x in values {
            let cell = self.distribution.cell(x);
            match cell {
                Some(cell) => self.counts[cell] += 1,
                None => self.outside += 1,
            }
            if cell.is_none() && single {
                self.signs.add(x, 1);
            }
        }
        if single {
            return;
        }
        self.signs.negative += values.iter().filter(|x| **x < 0).count() as u64;
        self.signs.zero += values.iter().filter(|x| **x == 0).count() as u64;
        for (b, count) in self.signs.bits.iter_mut().enumerate() {
            *count += values.iter().map(|x| (x >> b & 1) as u64).sum::<u64>();
        }
    }

    fn measure(&mut self, values: &[i64]) {
        let (mean, deviation) = (self.distribution.mean, self.distribution.deviation);
        let Standard { z, squares, centred } = &mut self.standard;
        for (((z, square), centred), &x) in
            z.iter_mut().zip(&mut *squares).zip(&mut *centred).zip(values)
        {
            *z = (x as f64 - mean) / deviation;
            *square = *z * *z;
            *centred = *square - 1.0;
        }
        self.n += z.len() as f64;
        for (row, squares) in
            z.chunks_exact(self.lanes.len()).zip(squares.chunks_exact(self.lanes.len()))
        {
            for (lane, (z, square)) in self.lanes.iter_mut().zip(row.iter().zip(squares)) {
                lane[0] += z;
                lane[1] += square;
            }
        }
        for (lag, pairs, products, of_squares) in &mut self.lags {
            *pairs += (z.len() - *lag) as f64;
            *products += dot(z, &z[*lag..]);
            *of_squares += dot(centred, &centred[*lag..]);
        }
        self.cubes += dot(squares, z);
        self.fourths += dot(squares, squares);
        self.vectors.extend(z);
    }

    /// Signs and bits that the cells tell.
    fn add_signs_of_cells(&mut self) {
        if self.distribution.has_single_cells() {
            let (lo, hi) = self.distribution.range();
            for (x, &count) in (lo..=hi).zip(&self.counts) {
                self.signs.add(x, count);
            }
        }
    }

    fn report(mut self, battery: &Battery) -> Report {
        let (distribution, n) = (self.distribution, self.n);
        self.add_signs_of_cells();
        let mut report = Report::default();
        report.none("beyond the cut (count)", self.outside);
        let (statistic, freedom) = chi_square(&self.counts, distribution.cells(), n);
        if freedom > 0.0 {
            report.chi_square("chi-square (p)", statistic, freedom);
        }
        let of_lanes = |k: usize| self.lanes.iter().map(|lane| lane[k]).sum();
        let powers: [f64; 4] = [of_lanes(0), of_lanes(1), self.cubes, self.fourths];
        for (k, name) in ["mean", "variance", "skewness", "kurtosis"].iter().enumerate() {
            let mean = distribution.moments[k + 1];
            let variance = distribution.moments[2 * k + 2] - mean * mean;
            report.z(format!("{name} (z)"), (powers[k] / n - mean) / (variance / n).sqrt());
        }
        if distribution.negative() > 0.0 {
            report.z(
                "negative values (z)",
                binomial(self.signs.negative as f64, distribution.negative(), n),
            );
        }
        report.z("zeros (z)", binomial(self.signs.zero as f64, distribution.pmf(0), n));

        let spread = distribution.moments[4] - 1.0;
        report.largest_z("correlations (z)", self.lags.iter().map(|l| l.2 / l.1.sqrt()));
        report.largest_z(
            "correlations of squares (z)",
            self.lags.iter().map(|l| l.3 / l.1.sqrt() / spread),
        );
        let per_lane = n / battery.lanes as f64;
        report.largest_z("means of lanes (z)", self.lanes.iter().map(|l| l[0] / per_lane.sqrt()));
        let variances = self.lanes.iter().map(|l| (l[1] - per_lane) / (per_lane * spread).sqrt());
        report.largest_z("variances of lanes (z)", variances);
        let bits = (0..)
            .zip(&self.signs.bits)
            .filter_map(|(b, &count)| Some(binomial(count as f64, distribution.bit(b)?, n)));
        report.largest_z("low bits (z)", bits);
        if distribution.nearly_normal() {
            self.vectors.report(&mut report);
        }
        report
    }
}

/// The normal score of a count of probability p; one that cannot vary must be exact.
fn binomial(count: f64, p: f64, n: f64) -> f64 {
    let variance = n * p * (1.0 - p);
    let off = count - n * p;
    // Fewer than BIN expected on either side: too discrete for a normal score, so one-sided and
    // lenient.
    if n * p.min(1.0 - p) < BIN {
        if off.abs() <= 4.0 * BIN { 0.0 } else { f64::INFINITY }
    } else {
        off / variance.sqrt()
    }
}

/// The statistic and its degrees of freedom, with bins merged from both tails towards the median.
fn chi_square(counts: &[u64], cells: &[f64], n: f64) -> (f64, f64) {
    let mut below = 0.0;
    let median = cells
        .iter()
        .take_while(|p| {
            below += **p;
            below < 0.5
        })
        .count();
    let mut bins = Vec::new();
    let mut rest = (0.0, 0.0);
    let pairs = || cells.iter().map(|p| n * p).zip(counts.iter().map(|c| *c as f64));
    let left: &mut dyn Iterator<Item = (f64, f64)> = &mut pairs().take(median);
    let right: &mut dyn Iterator<Item = (f64, f64)> = &mut pairs().skip(median).rev();
    for side in [left, right] {
        let mut bin = (0.0, 0.0);
        for (expected, observed) in side {
            bin = (bin.0 + expected, bin.1 + observed);
            if bin.0 >= BIN {
                bins.push(core::mem::take(&mut bin));
            }
        }
        rest = (rest.0 + bin.0, rest.1 + bin.1);
    }
    match bins.last_mut() {
        Some(last) => *last = (last.0 + rest.0, last.1 + rest.1),
        None => bins.push(rest),
    }
    (bins.iter().map(|(e, o)| (o - e).powi(2) / e).sum(), bins.len() as f64 - 1.0)
}

#[cfg(test)]
mod tests;
