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
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let Ok(centres) = centre.cast::<PyUntypedArray>() else {
        let mu: f64 = centre.extract()?;
        let array = output(py, &request)?;
        fill(&array, request.seed, errors::parameter, |stream, _, out| {
            sampler.fill_centred(mu, stream, out)
        })?;
        return Ok(array);
    };
    if !arrays::is::<f64>(&arrays::native(&centres.dtype())?) {
        return Err(arrays::no_such_dtype(&centres.dtype(), "float64 for centres"));
    }
    let shape = centre.getattr("shape")?;
    let default = (request.shape.is_none() && request.out.is_none()).then_some(&shape);
    let array = output(py, &Request { shape: request.shape.or(default), ..request })?;
    let centres = Centres::new(centres, &array)?;
    let values =
        centres.array.cast::<PyArrayDyn<f64>>()?.try_readonly().map_err(errors::parameter)?;
    let values = values.as_slice()?;
    fill(&array, request.seed, errors::parameter, |stream, range, out| {
        sampler.fill_centres(&values[range], stream, out)
    })?;
    Ok(array)
}

fn output<'py>(
    py: Python<'py>,
    request: &Request<'_, 'py>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let array = arrays::output(request.shape, request.dtype, request.out, dtype::<i64>(py))?;
    if !arrays::is::<i64>(&array.dtype()) {
        let descr: Bound<'_, PyArrayDescr> = array.dtype();
        return Err(arrays::no_such_dtype(&descr, "int64 where there is a centre"));
    }
    Ok(array)
}

/// Centres in C order, as many as samples: the caller's array, or a copy that is erased.
struct Centres<'py> {
    array: Bound<'py, PyUntypedArray>,
    is_copy: bool,
}

impl<'py> Centres<'py> {
    fn new(
        centres: &Bound<'py, PyUntypedArray>,
        samples: &Bound<'py, PyUntypedArray>,
    ) -> PyResult<Self> {
        let is_whole = centres.shape() == samples.shape() && centres.is_c_contiguous();
        if is_whole && centres.is_aligned() && arrays::is_native(centres)? {
            return Ok(Self { array: centres.clone(), is_copy: false });
        }
        let numpy = centres.py().import("numpy")?;
        let view = numpy
            .call_method1("broadcast_to", (centres, samples.getattr("shape")?))
            .map_err(|_| {
                let (got, wanted) = (centres.shape(), samples.shape());
                let text = format!("centres of shape {got:?} do not broadcast to {wanted:?}");
                ParameterError::new_err(text)
            })?;
        Ok(Self { array: arrays::copied(view.cast()?)?, is_copy: true })
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
