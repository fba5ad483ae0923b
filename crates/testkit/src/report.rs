//! [`Report`]: what the battery found.

use core::fmt;

use statrs::function::erf::erfc_inv;
use statrs::function::gamma::gamma_ur;

/// p-values outside [this, 1 - this] are failures.
const P_LIMIT: f64 = 1e-6;
/// |z| of a single normal score beyond this is a failure (two-sided probability 5.7e-7).
const Z_LIMIT: f64 = 5.0;
/// The two-sided normal tail at [`Z_LIMIT`].
const Z_TAIL: f64 = 5.733e-7;

/// One test of the battery: its statistic and whether it lies within its limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Which test.
    pub name: String,
    /// A z-score, a p-value or a count, as the name says.
    pub value: f64,
    /// Whether the value lies within the limits.
    pub passed: bool,
}

/// All the tests of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    checks: Vec<Check>,
}

impl Report {
    /// A normal score: fails at |z| >= 5 (and for NaN).
    pub fn z(&mut self, name: impl Into<String>, value: f64) {
        self.add(name, value, value.abs() < Z_LIMIT);
    }

    /// The largest of many normal scores: the limit is raised so that the family fails as rarely as
    /// one score alone.
    pub fn largest_z(&mut self, name: impl Into<String>, scores: impl IntoIterator<Item = f64>) {
        let (mut count, mut worst) = (0.0_f64, 0.0_f64);
        for z in scores {
            count += 1.0;
            // NaN is the worst of all, and stays.
            if z.is_nan() || z.abs() > worst.abs() {
                worst = z;
            }
        }
        let limit = core::f64::consts::SQRT_2 * erfc_inv(Z_TAIL / count.max(1.0));
        self.add(name, worst, worst.abs() < limit);
    }

    /// A chi-square statistic of `freedom` degrees: fails if its p-value is outside [1e-6,
    /// 1 - 1e-6].
    pub fn chi_square(&mut self, name: impl Into<String>, statistic: f64, freedom: f64) {
        let p = if !statistic.is_finite() || statistic < 0.0 {
            0.0
        } else if statistic == 0.0 {
            1.0
        } else {
            gamma_ur(freedom / 2.0, statistic / 2.0)
        };
        self.add(name, p, (P_LIMIT..=1.0 - P_LIMIT).contains(&p));
    }

    /// A count that must be zero.
    pub fn none(&mut self, name: impl Into<String>, count: u64) {
        self.add(name, count as f64, count == 0);
    }

    fn add(&mut self, name: impl Into<String>, value: f64, passed: bool) {
        self.checks.push(Check { name: name.into(), value, passed });
    }

    /// Every test, in order.
    #[must_use]
    pub fn checks(&self) -> &[Check] {
        &self.checks
    }

    /// Whether any test failed.
    #[must_use]
    pub fn rejects(&self) -> bool {
        self.checks.iter().any(|c| !c.passed)
    }

    /// # Panics
    /// If any test failed; the message is the whole report.
    pub fn assert_accepts(&self) {
        assert!(!self.rejects(), "the battery rejects:\n{self}");
    }

    /// # Panics
    /// If no test failed; the message is the whole report.
    pub fn assert_rejects(&self) {
        assert!(self.rejects(), "the battery does not reject:\n{self}");
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in &self.checks {
            writeln!(
                f,
                "{} {:<40} {:.6}",
                if c.passed { "  ok" } else { "FAIL" },
                c.name,
                c.value
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        let mut r = Report::default();
        r.z("in", 4.9);
        r.largest_z("many", (0..1000).map(|i| 5.5 * f64::from(i) / 1000.0));
        r.chi_square("median", 99.334, 100.0);
        r.none("outside", 0);
        r.assert_accepts();
        assert!((r.checks()[2].value - 0.5).abs() < 1e-3, "{r}");
        let bad: [fn(&mut Report); 6] = [
            |r| r.z("out", -5.1),
            |r| r.z("nan", f64::NAN),
            |r| r.largest_z("one", [1.0, 6.9, 2.0]),
            |r| r.largest_z("nan", [f64::NAN, 1.0]),
            |r| r.chi_square("too good", 30.0, 100.0),
            |r| r.none("some", 1),
        ];
        for (i, break_it) in bad.iter().enumerate() {
            let mut r = Report::default();
            break_it(&mut r);
            assert!(r.rejects(), "{i}");
        }
    }
}
