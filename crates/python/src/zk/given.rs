//! A' and public keys of another program, as arrays of integers.

use numpy::{PyArray2, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use tautochrone_zk::{Expansion, Params, PublicMatrix};

use crate::arrays::{self, Array};
use crate::errors::{self, ParameterError};

/// Integers modulo 2^w, in the order of a file of them.
pub(super) struct Words {
    name: &'static str,
    shape: [u64; 2],
    words: Vec<u64>,
}

impl Words {
    /// A', row after row.
    pub(super) fn matrix(array: &Array<'_>) -> PyResult<Self> {
        Self::new("matrix", array, "C")
    }

    /// Keys, column after column.
    pub(super) fn keys(array: &Array<'_>) -> PyResult<Self> {
        Self::new("keys", array, "F")
    }

    fn new(name: &'static str, Array(array): &Array<'_>, order: &str) -> PyResult<Self> {
        let descr = array.dtype();
        let &[rows, columns] = array.shape() else {
            let got = array.ndim();
            return Err(errors::parameter(format!("{name} has {got} dimensions; expected 2")));
        };
        if !matches!(descr.kind(), b'i' | b'u') {
            return Err(arrays::no_such_dtype(&descr, "integers"));
        }
        let array = copied(array, order)?;
        let words = array.try_readonly().map_err(errors::parameter)?.as_slice()?.to_vec();
        Ok(Self { name, shape: [rows, columns].map(|n| n as u64), words })
    }

    /// As the bytes of a file of an array of this shape.
    fn bytes(&self, params: &Params, shape: [u64; 2]) -> PyResult<Vec<u8>> {
        let (name, w) = (self.name, params.w());
        if self.shape != shape {
            let got = self.shape;
            return Err(errors::parameter(format!("{name} has shape {got:?}; expected {shape:?}")));
        }
        if self.words.iter().any(|word| *word > u64::MAX >> (64 - w)) {
            return Err(errors::parameter(format!(
                "{name}: expected integers from 0 to 2^{w} - 1"
            )));
        }
        let width = w.div_ceil(8) as usize;
        Ok(self.words.iter().flat_map(|word| word.to_le_bytes().into_iter().take(width)).collect())
    }

    /// Keys as the bytes of a file.
    pub(super) fn file(&self, params: &Params) -> PyResult<Vec<u8>> {
        self.bytes(params, [params.r().into(), params.l()])
    }
}

fn copied<'py>(
    array: &Bound<'py, PyUntypedArray>,
    order: &str,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    // A negative number becomes larger than 2^63.
    Ok(array.call_method1("astype", ("uint64", order))?.cast_into()?)
}

/// A of these parameters: of an A' where one is given, else of a seed.
pub(super) fn public_matrix(
    params: &Params,
    seed_a: [u8; 32],
    matrix: Option<&Words>,
) -> PyResult<PublicMatrix> {
    match (params.expansion(), matrix) {
        (Expansion::Given, Some(words)) => {
            let bytes =
                words.bytes(params, [params.r(), params.v() - params.r()].map(u64::from))?;
            PublicMatrix::given(params, &bytes).map_err(errors::zk)
        }
        (Expansion::Given, None) => {
            Err(ParameterError::new_err("A' of this statement is given in full: expected a matrix"))
        }
        (_, Some(_)) => {
            Err(ParameterError::new_err("A' of this statement is of a seed; expected no matrix"))
        }
        (_, None) => Ok(PublicMatrix::new(params, seed_a)),
    }
}
