//! Exact probabilities.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::IntoPyDict;
use tautochrone_gauss::exact::{self, Distance, Half, Variance};

use super::Bitslice;
use crate::arguments::arg;
use crate::errors::{self, ParameterError};

/// The argument `sigma`: a float or an int, and no other fraction, which would be rounded.
pub(super) struct Sigma(pub(super) f64);

impl<'a, 'py> FromPyObject<'a, 'py> for Sigma {
    type Error = PyErr;

    fn extract(any: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let sigma = arg(&any)?;
        // Floats have none, and an int has 1.
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

/// A width as it was given: one of two.
#[derive(Clone, Copy)]
pub(super) enum Width {
    Sigma(f64),
    /// sigma^2, a fraction.
    Variance(u128, u128),
}

impl Width {
    pub(super) fn new(sigma: Option<Sigma>, variance: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        match (sigma, variance) {
            (Some(Sigma(sigma)), None) => Ok(Self::Sigma(sigma)),
            (None, Some(ratio)) => {
                let part = |name| ratio.getattr(name)?.extract::<u128>();
                let parts = part("numerator").and_then(|n| Ok((n, part("denominator")?)));
                let (numerator, denominator) = parts.map_err(|_| {
                    ParameterError::new_err(format!(
                        "variance is {ratio}; expected a positive fractions.Fraction or int, with \
                         numerator and denominator below 2^128"
                    ))
                })?;
                Ok(Self::Variance(numerator, denominator))
            }
            _ => Err(ParameterError::new_err("give one of sigma and variance")),
        }
    }

    pub(super) fn variance(self) -> PyResult<Variance> {
        match self {
            Self::Sigma(sigma) => Variance::from_sigma(sigma),
            Self::Variance(numerator, denominator) => Variance::ratio(numerator, denominator),
        }
        .map_err(errors::parameter)
    }

    /// The same as an argument with its name.
    pub(super) fn argument(
        self,
        py: Python<'_>,
    ) -> PyResult<[(&'static str, Bound<'_, PyAny>); 1]> {
        Ok([match self {
            Self::Sigma(sigma) => ("sigma", sigma.into_pyobject(py)?.into_any()),
            Self::Variance(numerator, denominator) => {
                let fraction = py.import("fractions")?.getattr("Fraction")?;
                ("variance", fraction.call1((numerator, denominator))?)
            }
        }])
    }
}

/// Exact probabilities of a discrete Gaussian's magnitudes: masses[z] / 2^precision for |z|.
///
/// sigma: read as the decimal that it prints as (3.19 is 319/100), or a fractions.Fraction for
/// sigma^2 as `variance=`. precision: 32 to 128 bits. half: "folded" for |z|, z of D_sigma (with a
/// fair sign, that is D_sigma); "unfolded" for z given z >= 0. The masses are integers with sum
/// exactly 2^precision; `distance` says how far they are from the ideal distribution.
#[pyclass(frozen, module = "tautochrone")]
pub(crate) struct Pmf {
    pmf: exact::Pmf,
    source: Source,
}

/// Where a table comes from.
enum Source {
    Width(Width),
    Sampler(Py<Bitslice>),
}

impl Pmf {
    /// The table of a sampler.
    pub(super) fn of(sampler: Bound<'_, Bitslice>) -> Self {
        let pmf = sampler.get().sampler.pmf().clone();
        Self { pmf, source: Source::Sampler(sampler.unbind()) }
    }
}

#[pymethods]
impl Pmf {
    #[new]
    #[pyo3(signature = (sigma=None, *, variance=None, precision=64, half="folded"))]
    fn from_width(
        sigma: Option<Sigma>,
        variance: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arg)] precision: u32,
        #[pyo3(from_py_with = arg)] half: &str,
    ) -> PyResult<Self> {
        let half = match half {
            "folded" => Half::Folded,
            "unfolded" => Half::Unfolded,
            _ => return Err(ParameterError::new_err("half is \"folded\" or \"unfolded\"")),
        };
        let width = Width::new(sigma, variance)?;
        let pmf =
            exact::Pmf::new(&width.variance()?, half, precision).map_err(errors::parameter)?;
        Ok(Self { pmf, source: Source::Width(width) })
    }

    /// The standard deviation parameter.
    #[getter]
    fn sigma(&self) -> f64 {
        self.pmf.variance().sigma()
    }

    /// The integers, with sum 2^precision.
    #[getter]
    fn masses(&self) -> Vec<u128> {
        self.pmf.masses().to_vec()
    }

    /// Bits of the table.
    #[getter]
    fn precision(&self) -> u32 {
        self.pmf.precision()
    }

    /// "folded" or "unfolded".
    #[getter]
    fn half(&self) -> &'static str {
        match self.pmf.half() {
            Half::Folded => "folded",
            Half::Unfolded => "unfolded",
        }
    }

    /// The probabilities as fractions.Fraction, which sum to 1.
    fn fractions<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let fraction = py.import("fractions")?.getattr("Fraction")?;
        let total = 1_u8.into_pyobject(py)?.call_method1("__lshift__", (self.pmf.precision(),))?;
        self.pmf.masses().iter().map(|&mass| fraction.call1((mass, &total))).collect()
    }

    /// The probabilities, rounded: float64 of shape (len,).
    fn floats<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        // 2^-precision, a normal number.
        let scale = f64::from_bits(u64::from(1023 - self.pmf.precision()) << 52);
        PyArray1::from_iter(py, self.pmf.masses().iter().map(|&mass| mass as f64 * scale))
    }

    /// How far the table is from the ideal distribution, computed exactly.
    fn distance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let distance = py.detach(|| self.pmf.distance());
        let Distance { log2_statistical, log2_renyi, log2_tail, log2_ratio, .. } = distance;
        let fields = (log2_statistical, log2_renyi, log2_tail, log2_ratio);
        py.import("tautochrone._estimates")?.call_method1("Distance", fields)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (call, arguments) = match &self.source {
            Source::Width(width) => {
                let options = width.argument(py)?.into_py_dict(py)?;
                options.set_item("precision", self.precision())?;
                options.set_item("half", self.half())?;
                let class = py.get_type::<Self>();
                let make =
                    py.import("functools")?.getattr("partial")?.call((class,), Some(&options))?;
                (make, ().into_pyobject(py)?.into_any())
            }
            Source::Sampler(sampler) => {
                let get = py.import("builtins")?.getattr("getattr")?;
                (get, (sampler, "pmf").into_pyobject(py)?.into_any())
            }
        };
        Ok((call, arguments))
    }

    fn __len__(&self) -> usize {
        self.pmf.masses().len()
    }

    fn __repr__(&self) -> String {
        let (sigma, precision) = (self.sigma(), self.pmf.precision());
        format!("Pmf(sigma={sigma:?}, precision={precision}, half='{}')", self.half())
    }
}
