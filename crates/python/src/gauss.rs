//! Samplers: calls of `tautochrone-gauss`, with the calls of the files below.

pub(crate) mod fill;
pub(crate) mod pmf;
pub(crate) mod uniform;

use pyo3::prelude::*;
use tautochrone_gauss::bitslice::{Bitslice, Kind};
use tautochrone_gauss::facct::Facct;
use tautochrone_gauss::ziggurat::{Options, Ziggurat};
use tautochrone_simd::Isa;

use crate::arguments::arg;
use crate::errors::{self, ParameterError};
use fill::Sampler;
use pmf::{Table, variance_of};

const KINDS: [(&str, Kind); 4] = [
    ("full", Kind::Full),
    ("folded-half", Kind::FoldedHalf),
    ("unfolded-half", Kind::UnfoldedHalf),
    ("bimodal", Kind::Bimodal),
];

#[pyfunction]
pub(crate) fn facct(#[pyo3(from_py_with = arg)] sigma: f64) -> PyResult<Sampler> {
    Facct::new(sigma).map(Sampler::new).map_err(errors::parameter)
}

/// A sampler, its table, and the factor of its samples' sums.
#[pyfunction]
#[pyo3(signature = (sigma, variance, precision, kind, bits, tail))]
pub(crate) fn bitslice(
    #[pyo3(from_py_with = arg)] sigma: Option<f64>,
    variance: Option<(u128, u128)>,
    #[pyo3(from_py_with = arg)] precision: u32,
    #[pyo3(from_py_with = arg)] kind: &str,
    #[pyo3(from_py_with = arg)] bits: Option<u32>,
    #[pyo3(from_py_with = arg)] tail: Option<f64>,
) -> PyResult<(Sampler, Table, Option<u32>)> {
    let kind = KINDS.iter().find(|(name, _)| *name == kind).ok_or_else(|| {
        let names = KINDS.map(|(name, _)| name).join(", ");
        ParameterError::new_err(format!("kind is {kind:?}; expected one of {names}"))
    })?;
    let variance = variance_of(sigma, variance)?;
    let mut builder = Bitslice::builder().variance(variance).precision(precision).kind(kind.1);
    if let Some(bits) = bits {
        builder = builder.bits(bits);
    }
    if let Some(tail) = tail {
        builder = builder.tail(tail);
    }
    let sampler = builder.build().map_err(errors::parameter)?;
    let (table, factor) = (Table(sampler.pmf().clone()), sampler.factor());
    Ok((Sampler::new(sampler), table, factor))
}

#[pyfunction]
#[pyo3(signature = (sigma, rectangles, factor))]
pub(crate) fn ziggurat(
    #[pyo3(from_py_with = arg)] sigma: f64,
    #[pyo3(from_py_with = arg)] rectangles: usize,
    #[pyo3(from_py_with = arg)] factor: Option<u32>,
) -> PyResult<Sampler> {
    let options = Options { rectangles, factor, omega: None };
    let sampler = Ziggurat::new_on(Isa::detect_vectors(), sigma, options);
    sampler.map(Sampler::new).map_err(errors::parameter)
}
