//! Exact probabilities.

use pyo3::prelude::*;
use tautochrone_gauss::exact::{Distance, Half, Pmf, Variance};

use crate::arguments::arg;
use crate::errors::{self, ParameterError};

/// sigma^2, from sigma or as a fraction.
pub(super) fn variance_of(sigma: Option<f64>, ratio: Option<(u128, u128)>) -> PyResult<Variance> {
    match (sigma, ratio) {
        (Some(sigma), None) => Variance::from_sigma(sigma),
        (None, Some((numerator, denominator))) => Variance::ratio(numerator, denominator),
        _ => return Err(ParameterError::new_err("give one of sigma and variance")),
    }
    .map_err(errors::parameter)
}

/// A table of exact probabilities.
#[pyclass(frozen, module = "tautochrone._native")]
pub(crate) struct Table(pub(super) Pmf);

#[pymethods]
impl Table {
    #[new]
    #[pyo3(signature = (sigma, variance, precision, half))]
    fn new(
        #[pyo3(from_py_with = arg)] sigma: Option<f64>,
        variance: Option<(u128, u128)>,
        #[pyo3(from_py_with = arg)] precision: u32,
        #[pyo3(from_py_with = arg)] half: &str,
    ) -> PyResult<Self> {
        let half = match half {
            "folded" => Half::Folded,
            "unfolded" => Half::Unfolded,
            _ => return Err(ParameterError::new_err("half is \"folded\" or \"unfolded\"")),
        };
        let variance = variance_of(sigma, variance)?;
        Pmf::new(&variance, half, precision).map(Self).map_err(errors::parameter)
    }

    #[getter]
    fn sigma(&self) -> f64 {
        self.0.variance().sigma()
    }

    #[getter]
    fn masses(&self) -> Vec<u128> {
        self.0.masses().to_vec()
    }

    #[getter]
    fn precision(&self) -> u32 {
        self.0.precision()
    }

    #[getter]
    fn half(&self) -> &'static str {
        match self.0.half() {
            Half::Folded => "folded",
            Half::Unfolded => "unfolded",
        }
    }

    /// The fields of `Distance`.
    fn distance(&self, py: Python<'_>) -> (f64, f64, f64, f64) {
        let distance = py.detach(|| self.0.distance());
        let Distance { log2_statistical, log2_renyi, log2_tail, log2_ratio, .. } = distance;
        (log2_statistical, log2_renyi, log2_tail, log2_ratio)
    }
}
