//! Samplers: calls of `tautochrone-gauss`, with the calls of the files below.

mod centres;
mod fill;
pub(crate) mod pmf;
pub(crate) mod uniform;

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use tautochrone_gauss::bitslice::Kind;
use tautochrone_gauss::{bitslice, facct, ziggurat};

use crate::arguments::arg;
use crate::arrays::Array;
use crate::errors::{self, ParameterError};
use fill::{Request, sample};
use pmf::{Pmf, Sigma, Width};

/// Positional and keyword arguments that make an object again, for pickle and copy.
type NewArgs<'py, T> = (T, Bound<'py, PyDict>);

/// Discrete Gaussian samples for any real 2 <= sigma < 2^32 and any centre, in constant time.
///
/// P(z) is proportional to exp(-(z - mu)^2 / (2 sigma^2)), within 2^-100 of that distribution, and
/// |z - mu| <= bound + 1. After FACCT (Zhao, Steinfeld, Sakzad, IEEE TC 2020). Raises
/// ParameterError for another sigma.
#[pyclass(frozen, module = "tautochrone")]
pub(crate) struct Facct(facct::Facct);

#[pymethods]
impl Facct {
    #[new]
    #[pyo3(signature = (sigma))]
    fn new(sigma: Sigma) -> PyResult<Self> {
        facct::Facct::new(sigma.0).map(Self).map_err(errors::parameter)
    }

    /// The standard deviation parameter.
    #[getter]
    fn sigma(&self) -> f64 {
        self.0.sigma()
    }

    /// The largest absolute value of a sample around 0.
    #[getter]
    fn bound(&self) -> u64 {
        self.0.bound()
    }

    /// Independent samples in an array of any shape.
    ///
    /// size: int or tuple of ints; the shape of `out` or `centre` if it is left out, or one scalar
    /// without either. dtype: int64 (the default), int32, int16 or int8, if `bound` fits. centre:
    /// mu, |mu| < 2^51: None for 0, a number for all samples, or an array or list of numbers that
    /// broadcasts to the size, one for each sample; with a centre, samples are int64. out:
    /// C-contiguous array to fill and return. seed: 32 bytes, a Stream to continue, or None for the
    /// operating system's entropy.
    ///
    /// Constant time in samples, seed and centres. The interpreter's lock is released; Ctrl-C is
    /// heeded every 65536 samples and leaves zeros in `out`.
    #[pyo3(signature = (size=None, *, dtype=None, centre=None, out=None, seed=None))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        size: Option<&Bound<'py, PyAny>>,
        dtype: Option<&Bound<'py, PyAny>>,
        centre: Option<&Bound<'py, PyAny>>,
        out: Option<Array<'py>>,
        seed: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let request = Request { size, dtype, out: out.as_ref(), seed };
        match centre {
            None => sample(py, &self.0, &request),
            Some(centre) => centres::sample(py, &self.0, centre, request),
        }
    }

    fn __getnewargs__(&self) -> (f64,) {
        (self.0.sigma(),)
    }

    fn __repr__(&self) -> String {
        format!("Facct(sigma={:?})", self.0.sigma())
    }
}

/// Discrete Gaussian samples by Boolean circuits or byte look-ups, in constant time.
///
/// sigma: read as the decimal that it prints as (3.19 is 319/100), or a fractions.Fraction for
/// sigma^2 as `variance=`. precision: bits of the probability table, 32 to 128. kind: "full" for
/// D_sigma; "folded-half" for |z|; "unfolded-half" for z given z >= 0; "bimodal" for -z or z + 1, z
/// an unfolded half. bits: refuse magnitudes of more bits. tail: refuse tables that reach less than
/// this many sigma. Raises ParameterError, which says what would work.
#[pyclass(frozen, module = "tautochrone")]
pub(crate) struct Bitslice {
    sampler: bitslice::Bitslice,
    /// The arguments that made it.
    width: Width,
    precision: u32,
    bits: Option<u32>,
    tail: Option<f64>,
}

#[pymethods]
impl Bitslice {
    #[new]
    #[pyo3(signature = (
        sigma=None, *, variance=None, precision=64, kind="full", bits=None, tail=None
    ))]
    fn new(
        sigma: Option<Sigma>,
        variance: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arg)] precision: u32,
        #[pyo3(from_py_with = arg)] kind: &str,
        #[pyo3(from_py_with = arg)] bits: Option<u32>,
        #[pyo3(from_py_with = arg)] tail: Option<f64>,
    ) -> PyResult<Self> {
        let kind = KINDS.iter().find(|(name, _)| *name == kind).ok_or_else(|| {
            let names = KINDS.map(|(name, _)| name).join(", ");
            ParameterError::new_err(format!("kind is {kind:?}; expected one of {names}"))
        })?;
        let width = Width::new(sigma, variance)?;
        let mut builder = bitslice::Bitslice::builder()
            .variance(width.variance()?)
            .precision(precision)
            .kind(kind.1);
        if let Some(bits) = bits {
            builder = builder.bits(bits);
        }
        if let Some(tail) = tail {
            builder = builder.tail(tail);
        }
        let sampler = builder.build().map_err(errors::parameter)?;
        Ok(Self { sampler, width, precision, bits, tail })
    }

    /// The standard deviation parameter.
    #[getter]
    fn sigma(&self) -> f64 {
        self.sampler.sigma()
    }

    /// The largest absolute value of a sample.
    #[getter]
    fn bound(&self) -> u64 {
        self.sampler.bound()
    }

    /// Bits of the probability table: at least what was asked for.
    #[getter]
    fn precision(&self) -> u32 {
        self.sampler.precision()
    }

    /// Which distribution: "full", "folded-half", "unfolded-half" or "bimodal".
    #[getter]
    fn kind(&self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self.sampler.kind()).map_or("", |(name, _)| *name)
    }

    /// The integers that samples are drawn by: exact probabilities of magnitudes. If `factor` is
    /// not None, of the magnitudes of x1 and x2 in z = x1 + factor x2.
    #[getter]
    fn pmf(slf: Bound<'_, Self>) -> Pmf {
        Pmf::of(slf)
    }

    /// k if samples are sums x1 + k x2 of two narrower ones, else None.
    #[getter]
    fn factor(&self) -> Option<u32> {
        self.sampler.factor()
    }

    /// Independent samples in an array of any shape.
    ///
    /// size: int or tuple of ints; the shape of `out`, or one scalar, if it is left out. dtype:
    /// int64 (the default), int32, int16 or int8, if `bound` fits; int8 is the fastest. out:
    /// C-contiguous array to fill and return. seed: 32 bytes, a Stream to continue, or None for the
    /// operating system's entropy.
    ///
    /// Constant time in samples and seed. The interpreter's lock is released; Ctrl-C is heeded
    /// every 65536 samples and leaves zeros in `out`.
    #[pyo3(signature = (size=None, *, dtype=None, out=None, seed=None))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        size: Option<&Bound<'py, PyAny>>,
        dtype: Option<&Bound<'py, PyAny>>,
        out: Option<Array<'py>>,
        seed: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        sample(py, &self.sampler, &Request { size, dtype, out: out.as_ref(), seed })
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<NewArgs<'py, ()>> {
        let options = self.width.argument(py)?.into_py_dict(py)?;
        options.set_item("precision", self.precision)?;
        options.set_item("kind", self.kind())?;
        options.set_item("bits", self.bits)?;
        options.set_item("tail", self.tail)?;
        Ok(((), options))
    }

    fn __repr__(&self) -> String {
        let (sigma, precision) = (self.sampler.sigma(), self.sampler.precision());
        format!("Bitslice(sigma={sigma:?}, precision={precision}, kind='{}')", self.kind())
    }
}

const KINDS: [(&str, Kind); 4] = [
    ("full", Kind::Full),
    ("folded-half", Kind::FoldedHalf),
    ("unfolded-half", Kind::UnfoldedHalf),
    ("bimodal", Kind::Bimodal),
];

/// Exact discrete Gaussian samples for 1/2 <= sigma <= 2^40. NOT constant time.
///
/// The distribution is the discrete Gaussian cut at ceil(13 sigma), without any rounding.
/// rectangles: 1 to
/// 65536. factor: extra points stored per rectangle, at most 255, for chords in place of
/// exponentials; None for none. Only where nobody can time the calls, or samples are public.
#[pyclass(frozen, module = "tautochrone")]
pub(crate) struct Ziggurat {
    sampler: ziggurat::Ziggurat,
    /// The arguments that made it.
    rectangles: usize,
    factor: Option<u32>,
}

#[pymethods]
impl Ziggurat {
    #[new]
    #[pyo3(signature = (sigma, *, rectangles=1024, factor=None))]
    fn new(
        sigma: Sigma,
        #[pyo3(from_py_with = arg)] rectangles: usize,
        #[pyo3(from_py_with = arg)] factor: Option<u32>,
    ) -> PyResult<Self> {
        let isa = tautochrone_simd::Isa::detect_vectors();
        let options = ziggurat::Options { rectangles, factor, omega: None };
        let sampler = ziggurat::Ziggurat::new_on(isa, sigma.0, options);
        Ok(Self { sampler: sampler.map_err(errors::parameter)?, rectangles, factor })
    }

    /// The standard deviation parameter.
    #[getter]
    fn sigma(&self) -> f64 {
        self.sampler.sigma()
    }

    /// The largest absolute value of a sample: ceil(13 sigma).
    #[getter]
    fn bound(&self) -> u64 {
        self.sampler.bound()
    }

    /// Independent samples in an array of any shape.
    ///
    /// size: int or tuple of ints; the shape of `out`, or one scalar, if it is left out. dtype:
    /// int64 (the default), int32, int16 or int8, if `bound` fits. out: C-contiguous array to fill
    /// and return. seed: 32 bytes, a Stream to continue, or None for the operating system's
    /// entropy.
    ///
    /// NOT constant time. The interpreter's lock is released; Ctrl-C is heeded every 65536 samples
    /// and leaves zeros in `out`.
    #[pyo3(signature = (size=None, *, dtype=None, out=None, seed=None))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        size: Option<&Bound<'py, PyAny>>,
        dtype: Option<&Bound<'py, PyAny>>,
        out: Option<Array<'py>>,
        seed: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        sample(py, &self.sampler, &Request { size, dtype, out: out.as_ref(), seed })
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<NewArgs<'py, (f64,)>> {
        let options = [("rectangles", self.rectangles)].into_py_dict(py)?;
        options.set_item("factor", self.factor)?;
        Ok(((self.sigma(),), options))
    }

    fn __repr__(&self) -> String {
        format!("Ziggurat(sigma={:?})", self.sampler.sigma())
    }
}
