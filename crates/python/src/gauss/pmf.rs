//! Exact probabilities.

use numpy::PyArray1;
use pyo3::prelude::*;
use tautochrone_gauss::exact::{self, Half, Variance};

use crate::errors::{self, ParameterError};

/// The argument `sigma`: a float or an int, and no other fraction, which would be rounded.
pub(super) struct Sigma(pub(super) f64);

impl<'a, 'py> FromPyObject<'a, 'py> for Sigma {
    type Error = PyErr;

    fn extract(any: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let sigma = any.extract()?;
        // Floats have none, and that of an int is 1.
        if let Ok(denominator) = any.getattr("denominator")
            && !denominator.eq(1)?
        {
            return Err(ParameterError::new_err(format!(
                "sigma is {}, which would be rounded; give float(sigma), or, of Bitslice and Pmf, \
                 sigma^2 as variance=",
                *any
            )));
        }
        Ok(Self(sigma))
    }
}

/// The squared width: one of the two is given.
pub(super) fn width(
    sigma: Option<Sigma>,
    variance: Option<&Bound<'_, PyAny>>,
) -> PyResult<Variance> {
    let width = match (sigma, variance) {
        (Some(Sigma(sigma)), None) => Variance::from_sigma(sigma),
        (None, Some(ratio)) => {
            let part = |name| ratio.getattr(name)?.extract::<u128>();
            let parts = part("numerator").and_then(|n| Ok((n, part("denominator")?)));
            let (numerator, denominator) = parts.map_err(|_| {
                ParameterError::new_err(format!(
                    "variance is {ratio}; expected a positive fractions.Fraction or int, with \
                     numerator and denominator below 2^128"
                ))
            })?;
            Variance::ratio(numerator, denominator)
        }
        _ => return Err(ParameterError::new_err("give one of sigma and variance")),
    };
    width.map_err(errors::parameter)
}

/// Exact probabilities of a discrete Gaussian's magnitudes: masses[z] / 2^precision for |z|.
///
/// sigma: read as the decimal that it prints as (3.19 is 319/100), or a fractions.Fraction for
/// sigma^2 as `variance=`. precision: 32 to 128 bits. half: "folded" for |z|, z of D_sigma (with a
/// fair sign, that is D_sigma); "unfolded" for z given z >= 0. The masses are integers with sum
/// exactly 2^precision; `distance` says how far they are from the ideal distribution.
#[pyclass(frozen, module = "tautochrone")]
pub(crate) struct Pmf(exact::Pmf);

impl Pmf {
    pub(super) fn new(pmf: exact::Pmf) -> Self {
        Self(pmf)
    }
}

#[pymethods]
impl Pmf {
    #[new]
    #[pyo3(signature = (sigma=None, *, variance=None, precision=64, half="folded"))]
    fn from_width(
        sigma: Option<Sigma>,
        variance: Option<&Bound<'_, PyAny>>,
        precision: u32,
        half: &str,
    ) -> PyResult<Self> {
        let half = match half {
            "folded" => Half::Folded,
            "unfolded" => Half::Unfolded,
            _ => return Err(ParameterError::new_err("half is \"folded\" or \"unfolded\"")),
        };
        let pmf = exact::Pmf::new(&width(sigma, variance)?, half, precision);
        pmf.map(Self).map_err(errors::parameter)
    }

    /// The standard deviation parameter.
    #[getter]
    fn sigma(&self) -> f64 {
        self.0.variance().sigma()
    }

    /// The integers, with sum 2^precision.
    #[getter]
    fn masses(&self) -> Vec<u128> {
        self.0.masses().to_vec()
    }

    /// Bits of the table.
    #[getter]
    fn precision(&self) -> u32 {
        self.0.precision()
    }

    /// "folded" or "unfolded".
    #[getter]
    fn half(&self) -> &'static str {
        match self.0.half() {
            Half::Folded => "folded",
            Half::Unfolded => "unfolded",
        }
    }

    /// The probabilities as fractions.Fraction, which sum to 1.
    fn fractions<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let fraction = py.import("fractions")?.getattr("Fraction")?;
        let total = 1_u8.into_pyobject(py)?.call_method1("__lshift__", (self.0.precision(),))?;
        self.0.masses().iter().map(|&mass| fraction.call1((mass, &total))).collect()
    }

    /// The probabilities, rounded: float64 of shape (len,).
    fn floats<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        // 2^-precision, a normal number.
        let scale = f64::from_bits(u64::from(1023 - self.0.precision()) << 52);
        PyArray1::from_iter(py, self.0.masses().iter().map(|&mass| mass as f64 * scale))
    }

    /// How far the table is from the ideal distribution, computed exactly.
    fn distance(&self, py: Python<'_>) -> Distance {
        let distance = py.detach(|| self.0.distance());
        Distance {
            log2_statistical: distance.log2_statistical,
            log2_renyi: distance.log2_renyi,
            log2_tail: distance.log2_tail,
            log2_ratio: distance.log2_ratio,
        }
    }

    fn __len__(&self) -> usize {
        self.0.masses().len()
    }

    fn __repr__(&self) -> String {
        let (sigma, precision) = (self.sigma(), self.0.precision());
        format!("Pmf(sigma={sigma:?}, precision={precision}, half='{}')", self.half())
    }
}

/// Distance of a table from the ideal distribution, as base-2 logarithms (-inf for zero).
#[pyclass(frozen, get_all, module = "tautochrone")]
pub(crate) struct Distance {
    /// Statistical (total variation) distance.
    log2_statistical: f64,
    /// Renyi divergence of order 2, less one.
    log2_renyi: f64,
    /// Ideal mass of the values beyond the table's last one.
    log2_tail: f64,
    /// Largest relative error of a probability of at least 2^(40 - precision).
    log2_ratio: f64,
}

#[pymethods]
impl Distance {
    fn __repr__(&self) -> String {
        let Self { log2_statistical, log2_renyi, log2_tail, log2_ratio } = self;
        format!(
            "Distance(log2_statistical={log2_statistical:.2}, log2_renyi={log2_renyi:.2}, \
             log2_tail={log2_tail:.2}, log2_ratio={log2_ratio:.2})"
        )
    }
}
