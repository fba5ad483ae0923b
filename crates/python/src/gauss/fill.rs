//! Arrays of samples, of any dtype that holds them.

use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use tautochrone_ctr::Stream;
use tautochrone_gauss::bitslice::{Bitslice, Sample};
use tautochrone_gauss::facct::Facct;
use tautochrone_gauss::ziggurat::Ziggurat;
use tautochrone_gauss::{self as gauss, Error};
use zeroize::Zeroizing;

use crate::arrays::{self, Array};
use crate::errors::{self, ParameterError};
use crate::sampling::fill;

/// A sampler, and what it has besides.
pub(super) trait Fill: gauss::Sampler + Send + Sync {
    /// The sampler that has samples of any type.
    fn bitslice(&self) -> Option<&Bitslice> {
        None
    }
    /// The sampler that has centres.
    fn facct(&self) -> Option<&Facct> {
        None
    }
}

impl Fill for Facct {
    fn facct(&self) -> Option<&Facct> {
        Some(self)
    }
}

impl Fill for Ziggurat {}

impl Fill for Bitslice {
    fn bitslice(&self) -> Option<&Bitslice> {
        Some(self)
    }
}

/// Fills a batch of a type: through 64 bits, `cut` to it, where the sampler has nothing better.
fn narrow<T: Sample>(
    sampler: &dyn Fill,
    stream: &mut Stream,
    out: &mut [T],
    cut: fn(i64) -> T,
) -> Result<(), Error> {
    if let Some(sampler) = sampler.bitslice() {
        return sampler.try_fill(stream, out);
    }
    let mut wide = Zeroizing::new(vec![0; out.len()]);
    sampler.fill(stream, &mut wide);
    for (out, &z) in out.iter_mut().zip(wide.iter()) {
        *out = cut(z);
    }
    Ok(())
}

/// A sampler of any kind.
#[pyclass(frozen, module = "tautochrone._native")]
pub(crate) struct Sampler(Box<dyn Fill>);

impl Sampler {
    pub(super) fn new(sampler: impl Fill + 'static) -> Self {
        Self(Box::new(sampler))
    }

    /// The sampler with centres, for an array of 64 bits.
    fn around(&self, Array(array): &Array<'_>) -> PyResult<&Facct> {
        if !arrays::is::<i64>(&array.dtype()) {
            let expected = "int64 where there is a centre";
            return Err(arrays::no_such_dtype(&array.dtype(), expected));
        }
        self.0.facct().ok_or_else(|| ParameterError::new_err("this sampler has no centre"))
    }
}

#[pymethods]
impl Sampler {
    #[getter]
    fn sigma(&self) -> f64 {
        self.0.sigma()
    }

    #[getter]
    fn bound(&self) -> u64 {
        self.0.bound()
    }

    /// Fills an array with samples around 0.
    #[pyo3(signature = (array, seed))]
    fn fill<'py>(&self, array: Array<'py>, seed: Option<&Bound<'py, PyAny>>) -> PyResult<()> {
        let (sampler, Array(array)) = (&*self.0, &array);
        let descr = array.dtype();
        macro_rules! fill_as {
            ($($t:ty, $draw:expr;)*) => {
                $(if arrays::is::<$t>(&descr) {
                    let (sigma, bound) = (sampler.sigma(), sampler.bound());
                    let limit = <$t>::MAX.unsigned_abs().into();
                    if bound > limit {
                        return Err(errors::parameter(Error::Output { sigma, bound, limit }));
                    }
                    let draw: fn(&dyn Fill, &mut Stream, &mut [$t]) -> _ = $draw;
                    return fill(array, seed, |stream, _, out| draw(sampler, stream, out));
                })*
            };
        }
        fill_as! {
            i64, |sampler, stream, out| {
                sampler.fill(stream, out);
                Ok(())
            };
            i32, |sampler, stream, out| match sampler.facct() {
                Some(sampler) => sampler.fill_i32(stream, out),
                None => narrow(sampler, stream, out, |z| z as i32),
            };
            i16, |sampler, stream, out| narrow(sampler, stream, out, |z| z as i16);
            i8, |sampler, stream, out| narrow(sampler, stream, out, |z| z as i8);
        }
        Err(arrays::no_such_dtype(&descr, "int64, int32, int16 or int8"))
    }

    /// Fills an array with samples around mu.
    #[pyo3(signature = (array, mu, seed))]
    fn fill_centred<'py>(
        &self,
        array: Array<'py>,
        mu: f64,
        seed: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let sampler = self.around(&array)?;
        fill(&array.0, seed, |stream, _, out| sampler.fill_centred(mu, stream, out))
    }

    /// Fills an array with samples around a centre each.
    #[pyo3(signature = (array, centres, seed))]
    fn fill_centres<'py>(
        &self,
        array: Array<'py>,
        centres: PyReadonlyArrayDyn<'py, f64>,
        seed: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let sampler = self.around(&array)?;
        let centres = centres.as_slice()?;
        if centres.len() != array.0.len() {
            return Err(ParameterError::new_err("not a centre for each sample"));
        }
        fill(&array.0, seed, |stream, range, out| {
            sampler.fill_centres(&centres[range], stream, out)
        })
    }
}
