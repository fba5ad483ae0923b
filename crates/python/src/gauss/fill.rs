//! Arrays of samples around 0, of any dtype that holds them.

use numpy::{PyUntypedArray, PyUntypedArrayMethods, dtype};
use pyo3::prelude::*;
use tautochrone_ctr::Stream;
use tautochrone_gauss::bitslice::Bitslice;
use tautochrone_gauss::facct::Facct;
use tautochrone_gauss::ziggurat::Ziggurat;
use tautochrone_gauss::{Error, Sampler};
use zeroize::Zeroizing;

use crate::arrays::{self, Array};
use crate::errors;
use crate::sampling::fill;

/// Arguments that all samplers take.
pub(super) struct Request<'a, 'py> {
    pub(super) size: Option<&'a Bound<'py, PyAny>>,
    pub(super) dtype: Option<&'a Bound<'py, PyAny>>,
    pub(super) out: Option<&'a Array<'py>>,
    pub(super) seed: Option<&'a Bound<'py, PyAny>>,
}

impl<'py> Request<'_, 'py> {
    /// An array that was filled, or its scalar where neither a size nor an array was asked for.
    pub(super) fn answer(&self, array: Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyAny>> {
        if self.size.is_none() && self.out.is_none() && array.ndim() == 0 {
            return arrays::scalar(&array);
        }
        Ok(array.into_any())
    }
}

/// How a sampler fills a batch of each type: through 64 bits where it has nothing better.
pub(super) trait Fill: Sampler + Sync {
    fn draw_i64(&self, stream: &mut Stream, out: &mut [i64]) -> Result<(), Error> {
        self.fill(stream, out);
        Ok(())
    }
    fn draw_i32(&self, stream: &mut Stream, out: &mut [i32]) -> Result<(), Error> {
        self.narrow(stream, out, |z| z as i32)
    }
    fn draw_i16(&self, stream: &mut Stream, out: &mut [i16]) -> Result<(), Error> {
        self.narrow(stream, out, |z| z as i16)
    }
    fn draw_i8(&self, stream: &mut Stream, out: &mut [i8]) -> Result<(), Error> {
        self.narrow(stream, out, |z| z as i8)
    }
    fn narrow<T>(
        &self,
        stream: &mut Stream,
        out: &mut [T],
        cut: fn(i64) -> T,
    ) -> Result<(), Error> {
        let mut wide = Zeroizing::new(vec![0; out.len()]);
        self.draw_i64(stream, &mut wide)?;
        for (out, &z) in out.iter_mut().zip(wide.iter()) {
            *out = cut(z);
        }
        Ok(())
    }
}

impl Fill for Facct {
    fn draw_i32(&self, stream: &mut Stream, out: &mut [i32]) -> Result<(), Error> {
        self.fill_i32(stream, out)
    }
}

impl Fill for Ziggurat {}

impl Fill for Bitslice {
    fn draw_i32(&self, stream: &mut Stream, out: &mut [i32]) -> Result<(), Error> {
        self.try_fill(stream, out)
    }
    fn draw_i16(&self, stream: &mut Stream, out: &mut [i16]) -> Result<(), Error> {
        self.try_fill(stream, out)
    }
    fn draw_i8(&self, stream: &mut Stream, out: &mut [i8]) -> Result<(), Error> {
        self.try_fill(stream, out)
    }
}

/// The array of samples that is asked for.
pub(super) fn sample<'py>(
    py: Python<'py>,
    sampler: &impl Fill,
    request: &Request<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let array = arrays::output(request.size, request.dtype, request.out, dtype::<i64>(py))?;
    let descr = array.dtype();
    macro_rules! fill_as {
        ($($t:ty, $draw:ident;)*) => {
            $(if arrays::is::<$t>(&descr) {
                let (sigma, bound) = (sampler.sigma(), sampler.bound());
                let limit = <$t>::MAX.unsigned_abs().into();
                if bound > limit {
                    return Err(errors::parameter(Error::Output { sigma, bound, limit }));
                }
                fill(&array, request.seed, errors::parameter, |stream, _, out: &mut [$t]| {
                    sampler.$draw(stream, out)
                })?;
                return request.answer(array);
            })*
        };
    }
    fill_as! { i64, draw_i64; i32, draw_i32; i16, draw_i16; i8, draw_i8; }
    Err(arrays::no_such_dtype(&descr, "int64, int32, int16 or int8"))
}
