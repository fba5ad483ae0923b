//! A' and public keys of another program, as arrays of integers.

use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use tautochrone_zk::{Expansion, Params, PublicMatrix};

use crate::errors::{self, Failure, ParameterError};

/// Integers modulo 2^w, in the order of a file of them: the rows of A', or the columns of keys.
pub(super) struct Words<'a> {
    name: &'static str,
    shape: [u64; 2],
    words: &'a [u64],
}

impl<'a> Words<'a> {
    /// The array of an argument of this name, in C order.
    pub(super) fn new(
        name: &'static str,
        array: Option<&'a PyReadonlyArray2<'_, u64>>,
    ) -> PyResult<Option<Self>> {
        let Some(array) = array else { return Ok(None) };
        let shape = [array.shape()[0], array.shape()[1]].map(|n| n as u64);
        Ok(Some(Self { name, shape, words: array.as_slice()? }))
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
        self.bytes(params, [params.l(), params.r().into()])
    }
}

/// A of these parameters: of an A' where one is given, else of a seed.
pub(super) fn public_matrix(
    params: &Params,
    seed_a: [u8; 32],
    matrix: Option<&Words<'_>>,
) -> Result<PublicMatrix, Failure> {
    match (params.expansion(), matrix) {
        (Expansion::Given, Some(words)) => {
            let bytes =
                words.bytes(params, [params.r(), params.v() - params.r()].map(u64::from))?;
            Ok(PublicMatrix::given(params, &bytes)?)
        }
        (Expansion::Given, None) => {
            let text = "A' of this statement is given in full: expected a matrix";
            Err(ParameterError::new_err(text).into())
        }
        (_, Some(_)) => {
            let text = "A' of this statement is of a seed; expected no matrix";
            Err(ParameterError::new_err(text).into())
        }
        (_, None) => Ok(PublicMatrix::new(params, seed_a)),
    }
}
