//! Tests on vectors of 64 consecutive samples, as in SAGA (Howe, Prest, Ricosset, Rossi, eprint
//! 2019/1411): the covariance matrix, Mardia's skewness and kurtosis, and the omnibus test of
//! Doornik and Hansen.

use crate::report::Report;

/// Dimension of the vectors.
pub(crate) const DIM: usize = 64;
/// Vectors stored for Mardia's skewness, whose cost is quadratic in their number.
const SKEW_VECTORS: usize = 2048;
/// Vectors stored in all.
const VECTORS: usize = 1 << 15;

type Matrix = Vec<[f64; DIM]>;

/// Standardised vectors, up to a fixed number of them.
#[derive(Default)]
pub(crate) struct Vectors {
    rows: Vec<[f64; DIM]>,
}

impl Vectors {
    /// Takes standardised samples; a partial vector at the end is dropped.
    pub(crate) fn extend(&mut self, standardised: &[f64]) {
        let capacity = VECTORS - self.rows.len();
        self.rows.extend(standardised.as_chunks::<DIM>().0.iter().take(capacity));
    }

    pub(crate) fn report(mut self, report: &mut Report) {
        let n = self.rows.len() as f64;
        if self.rows.len() < 4 * DIM {
            return;
        }
        // Mean 0 and variance 1 are known: these scores are exact normal ones for large n.
        let s = covariance(&self.rows, &[0.0; DIM]);
        report.largest_z(
            "covariance, diagonal (z)",
            (0..DIM).map(|i| (s[i][i] - 1.0) * (n / 2.0).sqrt()),
        );
        let off = (0..DIM).flat_map(|i| (0..i).map(move |j| (i, j)));
        report.largest_z("covariance, off the diagonal (z)", off.map(|(i, j)| s[i][j] * n.sqrt()));

        // The statistic for skewness is quadratic in their number: it takes the first vectors only,
        // whitened by themselves (its distribution assumes that mean and covariance are the ones of
        // the very vectors it is computed from).
        let mut few = self.rows[..self.rows.len().min(SKEW_VECTORS)].to_vec();
        whiten(&mut few);
        mardia_skewness(&few, report);
        whiten(&mut self.rows);
        self.mardia_kurtosis(report);
        self.doornik_hansen(report);
    }

    /// Mardia 1970; rows are whitened.
    fn mardia_kurtosis(&self, report: &mut Report) {
        let d = DIM as f64;
        let n = self.rows.len() as f64;
        let fourth = self.rows.iter().map(|a| dot(a, a).powi(2)).sum::<f64>() / n;
        let expected = d * (d + 2.0) * (n - 1.0) / (n + 1.0);
        report.z("Mardia, kurtosis (z)", (fourth - expected) / (8.0 * d * (d + 2.0) / n).sqrt());
    }

    /// Doornik and Hansen 2008, equations (2) to (5); rows are whitened by the symmetric root.
    fn doornik_hansen(&self, report: &mut Report) {
        let n = self.rows.len() as f64;
        let mut total = 0.0;
        for i in 0..DIM {
            let moment = |k| self.rows.iter().map(|row| row[i].powi(k)).sum::<f64>() / n;
            let (m2, m3, m4) = (moment(2), moment(3), moment(4));
            let (skew, kurtosis) = (m3 / m2.powf(1.5), m4 / (m2 * m2));
            total +=
                skewness_score(skew, n).powi(2) + kurtosis_score(skew * skew, kurtosis, n).powi(2);
        }
        report.chi_square("Doornik-Hansen (p)", total, 2.0 * DIM as f64);
    }
}

/// Mardia 1970, with the small-sample factors of Mardia 1974; rows are whitened.
fn mardia_skewness(rows: &[[f64; DIM]], report: &mut Report) {
    let d = DIM as f64;
    let n = rows.len() as f64;
    let mut cubes = 0.0;
    for (i, a) in rows.iter().enumerate() {
        cubes += dot(a, a).powi(3) + 2.0 * rows[..i].iter().map(|b| dot(a, b).powi(3)).sum::<f64>();
    }
    let small = (d + 1.0) * (n + 1.0) * (n + 3.0) / (n * ((n + 1.0) * (d + 1.0) - 6.0));
    report.chi_square(
        "Mardia, skewness (p)",
        small * cubes / (6.0 * n),
        d * (d + 1.0) * (d + 2.0) / 6.0,
    );
}

/// Gives the rows mean zero and covariance one: by their own mean and deviations, then by the
/// symmetric inverse root.
fn whiten(rows: &mut [[f64; DIM]]) {
    let n = rows.len() as f64;
    let mut mean = [0.0; DIM];
    for row in rows.iter() {
        mean.iter_mut().zip(row).for_each(|(m, x)| *m += x / n);
    }
    let s = covariance(rows, &mean);
    for row in rows.iter_mut() {
        for (i, x) in row.iter_mut().enumerate() {
            *x = (*x - mean[i]) / s[i][i].sqrt();
        }
    }
    let root = inverse_root(&covariance(rows, &[0.0; DIM]));
    for row in rows.iter_mut() {
        let old = *row;
        for (x, r) in row.iter_mut().zip(root.iter()) {
            *x = dot(r, &old);
        }
    }
}

/// A normal score for a sample skewness.
fn skewness_score(skew: f64, n: f64) -> f64 {
    let beta = 3.0 * (n * n + 27.0 * n - 70.0) * (n + 1.0) * (n + 3.0)
        / ((n - 2.0) * (n + 5.0) * (n + 7.0) * (n + 9.0));
    let w2 = (2.0 * (beta - 1.0)).sqrt() - 1.0;
    let y = skew * ((w2 - 1.0) / 2.0 * (n + 1.0) * (n + 3.0) / (6.0 * (n - 2.0))).sqrt();
    y.asinh() / (0.5 * w2.ln()).sqrt()
}

/// A normal score for a sample kurtosis, given the squared skewness.
fn kurtosis_score(b1: f64, b2: f64, n: f64) -> f64 {
    let n2 = n * n;
    let delta = (n - 3.0) * (n + 1.0) * (n2 + 15.0 * n - 4.0);
    let a = (n - 2.0) * (n + 5.0) * (n + 7.0) * (n2 + 27.0 * n - 70.0) / (6.0 * delta);
    let c = (n - 7.0) * (n + 5.0) * (n + 7.0) * (n2 + 2.0 * n - 5.0) / (6.0 * delta);
    let k = (n + 5.0) * (n + 7.0) * (n2 * n + 37.0 * n2 + 11.0 * n - 313.0) / (12.0 * delta);
    let alpha = a + b1 * c;
    let chi = (b2 - 1.0 - b1) * 2.0 * k;
    ((chi / (2.0 * alpha)).cbrt() - 1.0 + 1.0 / (9.0 * alpha)) * (9.0 * alpha).sqrt()
}

/// The sum of the products of elements at equal places, as far as both go: in eight sums, as a sum
/// waits for the one before.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let len = a.len().min(b.len());
    let ((a, last_a), (b, last_b)) = (a[..len].as_chunks::<8>(), b[..len].as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for i in 0..8 {
            sums[i] += a[i] * b[i];
        }
    }
    let last = last_a.iter().zip(last_b).map(|(a, b)| a * b);
    sums.into_iter().chain(last).sum()
}

fn covariance(rows: &[[f64; DIM]], mean: &[f64; DIM]) -> Matrix {
    let mut s = vec![[0.0; DIM]; DIM];
    for row in rows {
        let centred: [f64; DIM] = core::array::from_fn(|i| row[i] - mean[i]);
        for (line, x) in s.iter_mut().zip(centred) {
            line.iter_mut().zip(&centred).for_each(|(c, y)| *c += x * y);
        }
    }
    s.iter_mut().flatten().for_each(|c| *c /= rows.len() as f64);
    s
}

fn multiply(a: &[[f64; DIM]], b: &[[f64; DIM]]) -> Matrix {
    let mut c = vec![[0.0; DIM]; DIM];
    for (row, line) in c.iter_mut().zip(a.iter()) {
        for (x, other) in line.iter().zip(b.iter()) {
            row.iter_mut().zip(other).for_each(|(r, y)| *r += x * y);
        }
    }
    c
}

/// The symmetric inverse square root of a correlation matrix near 1, by the coupled Newton-Schulz
/// iteration. It does not converge for a matrix far from 1; the nonsense that comes out then fails
/// the tests, as it should.
fn inverse_root(c: &[[f64; DIM]]) -> Matrix {
    let mut y = c.to_vec();
    let mut z = vec![[0.0; DIM]; DIM];
    (0..DIM).for_each(|i| z[i][i] = 1.0);
    for _ in 0..12 {
        let mut t = multiply(&z, &y);
        for (i, row) in t.iter_mut().enumerate() {
            for x in row.iter_mut() {
                *x *= -0.5;
            }
            row[i] += 1.5;
        }
        y = multiply(&y, &t);
        z = multiply(&t, &z);
    }
    z
}
