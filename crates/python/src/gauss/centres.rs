//! FACCT around a centre, or a centre for each sample.

use numpy::{
    PyArrayDescr, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use pyo3::prelude::*;
use tautochrone_gauss::facct::Facct;

use super::fill::Request;
use crate::arrays;
use crate::errors::{self, ParameterError};
use crate::operands::Operand;
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
    let centres: Operand<'_> = centre.extract()?;
    let (given, numpy) = (centres.array().dtype(), py.import("numpy")?);
    if !numpy.call_method1("can_cast", (&given, "float64"))?.extract()? {
        return Err(arrays::no_such_dtype(&given, "float64 for centres"));
    }
    let shape = centres.array().getattr("shape")?;
    let default = (request.size.is_none() && request.out.is_none()).then_some(&shape);
    let array = output(py, &Request { size: request.size.or(default), ..request })?;
    let centres = broadcast(centres, &array)?;
    let values = centres.array().cast::<PyArrayDyn<f64>>()?;
    let values = values.try_readonly().map_err(errors::parameter)?;
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

/// As many centres as samples, in C order, of type float64.
fn broadcast<'py>(
    centres: Operand<'py>,
    samples: &Bound<'py, PyUntypedArray>,
) -> PyResult<Operand<'py>> {
    let array = centres.array();
    let is_whole = array.shape() == samples.shape() && array.is_c_contiguous();
    if is_whole && array.is_aligned() && centres.has_type::<f64>() {
        return Ok(centres);
    }
    let numpy = array.py().import("numpy")?;
    let view =
        numpy.call_method1("broadcast_to", (array, samples.getattr("shape")?)).map_err(|_| {
            let (got, wanted) = (array.shape(), samples.shape());
            let text = format!("centres of shape {got:?} do not broadcast to {wanted:?}");
            ParameterError::new_err(text)
        })?;
    Ok(Operand::copy(view.call_method1("astype", ("float64", "C"))?.cast_into()?))
}
