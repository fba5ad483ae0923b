//! FACCT around a centre, or a centre for each sample.

use numpy::{
    PyArrayDescr, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use pyo3::prelude::*;
use tautochrone_gauss::facct::Facct;

use super::fill::Request;
use crate::arrays;
use crate::errors::{self, ParameterError};
use crate::sampling::fill;

pub(super) fn sample<'py>(
    py: Python<'py>,
    sampler: &Facct,
    centre: &Bound<'py, PyAny>,
    request: Request<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(mu) = centre.extract::<f64>()
        && !centre.is_instance_of::<PyUntypedArray>()
    {
        let array = output(py, &request)?;
        fill(&array, request.seed, errors::parameter, |stream, _, out| {
            sampler.fill_centred(mu, stream, out)
        })?;
        return request.answer(array);
    }
    let centres = Centres::new(centre)?;
    let shape = centres.array.getattr("shape")?;
    let default = (request.size.is_none() && request.out.is_none()).then_some(&shape);
    let array = output(py, &Request { size: request.size.or(default), ..request })?;
    let centres = centres.broadcast(&array)?;
    let values =
        centres.array.cast::<PyArrayDyn<f64>>()?.try_readonly().map_err(errors::parameter)?;
    let values = values.as_slice()?;
    fill(&array, request.seed, errors::parameter, |stream, range, out| {
        sampler.fill_centres(&values[range], stream, out)
    })?;
    request.answer(array)
}

fn output<'py>(
    py: Python<'py>,
    request: &Request<'_, 'py>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let array = arrays::output(request.size, request.dtype, request.out, dtype::<i64>(py))?;
    if !arrays::is::<i64>(&array.dtype()) {
        let descr: Bound<'_, PyArrayDescr> = array.dtype();
        return Err(arrays::no_such_dtype(&descr, "int64 where there is a centre"));
    }
    Ok(array)
}

/// Centres: the caller's array, or a copy that is erased.
struct Centres<'py> {
    array: Bound<'py, PyUntypedArray>,
    is_copy: bool,
}

impl<'py> Centres<'py> {
    /// Centres from an array, or from anything that numpy turns into one, exact as float64.
    fn new(centre: &Bound<'py, PyAny>) -> PyResult<Self> {
        let numpy = centre.py().import("numpy")?;
        let given = centre.cast::<PyUntypedArray>();
        let (array, is_copy) = if let Ok(array) = given {
            (array.clone(), false)
        } else {
            let array = numpy.call_method1("array", (centre,));
            (array.map_err(errors::numpy(centre.py()))?.cast_into()?, true)
        };
        let dtype = array.dtype();
        let centres = Self { array, is_copy };
        if numpy.call_method1("can_cast", (&dtype, "float64"))?.extract()? {
            return Ok(centres);
        }
        Err(arrays::no_such_dtype(&dtype, "float64 for centres"))
    }

    /// As many as samples, in C order, of type float64.
    fn broadcast(self, samples: &Bound<'py, PyUntypedArray>) -> PyResult<Self> {
        let centres = &self.array;
        let is_whole = centres.shape() == samples.shape() && centres.is_c_contiguous();
        if is_whole && centres.is_aligned() && arrays::is::<f64>(&centres.dtype()) {
            return Ok(self);
        }
        let numpy = centres.py().import("numpy")?;
        let view = numpy
            .call_method1("broadcast_to", (centres, samples.getattr("shape")?))
            .map_err(|_| {
                let (got, wanted) = (centres.shape(), samples.shape());
                let text = format!("centres of shape {got:?} do not broadcast to {wanted:?}");
                ParameterError::new_err(text)
            })?;
        let array = view.call_method1("astype", ("float64", "C"))?.cast_into()?;
        Ok(Self { array, is_copy: true })
    }
}

impl Drop for Centres<'_> {
    fn drop(&mut self) {
        if self.is_copy {
            // It is ours, of numbers and writable.
            let _ = self.array.call_method1("fill", (0,));
        }
    }
}
