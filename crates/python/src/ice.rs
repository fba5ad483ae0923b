//! The block cipher ICE: calls of `tautochrone-ice`.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tautochrone_ice as ice;

use crate::arguments::{Data, arg, secret, wrong_type};
use crate::errors::{self, ParameterError};
use crate::signals::Signals;
use crate::threads;

/// Blocks between two looks at signals.
const BLOCKS: usize = 1 << 20;

/// The block cipher ICE (Kwan 1997), in constant time: for files of programs that use it.
///
/// level: 0 for Thin-ICE, 1 for ICE, n for ICE-n. key: 8 max(1, level) bytes. Not for new designs:
/// blocks have 64 bits, and equal blocks give equal blocks (ECB). Round keys are erased when the
/// object is freed.
#[pyclass(frozen, module = "tautochrone")]
pub(crate) struct Ice(ice::Ice);

#[pymethods]
impl Ice {
    #[new]
    #[pyo3(signature = (level, key))]
    fn new(#[pyo3(from_py_with = arg)] level: u8, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let key = secret(key).ok_or_else(|| wrong_type("bytes", key))?;
        ice::Ice::new(level, &key).map(Self).map_err(errors::parameter)
    }

    /// The level.
    #[getter]
    fn level(&self) -> u8 {
        self.0.level()
    }

    /// Encrypts each block of 8 bytes by itself.
    ///
    /// data: bytes, a bytearray, a memoryview or an array of uint8, a multiple of 8 bytes. Returns
    /// bytes of the same length. Constant time in key and data. On all threads; the interpreter's
    /// lock is released, and Ctrl-C is heeded every 8 MiB.
    #[pyo3(signature = (data, /))]
    fn encrypt<'py>(&self, py: Python<'py>, data: Data) -> PyResult<Bound<'py, PyBytes>> {
        self.process(py, &data.0, ice::Ice::encrypt_parallel)
    }

    /// Decrypts what encrypt gave.
    #[pyo3(signature = (data, /))]
    fn decrypt<'py>(&self, py: Python<'py>, data: Data) -> PyResult<Bound<'py, PyBytes>> {
        self.process(py, &data.0, ice::Ice::decrypt_parallel)
    }

    fn __repr__(&self) -> String {
        format!("Ice(level={})", self.0.level())
    }
}

impl Ice {
    fn process<'py>(
        &self,
        py: Python<'py>,
        data: &[u8],
        f: fn(&ice::Ice, &mut [[u8; 8]]),
    ) -> PyResult<Bound<'py, PyBytes>> {
        if !data.len().is_multiple_of(8) {
            return Err(ParameterError::new_err(format!(
                "data has {} bytes; expected a multiple of 8",
                data.len()
            )));
        }
        PyBytes::new_with(py, data.len(), |out| {
            py.detach(|| {
                out.copy_from_slice(data);
                let mut signals = Signals::new();
                let (blocks, _) = out.as_chunks_mut();
                blocks.chunks_mut(BLOCKS).try_for_each(|blocks| {
                    threads::install(|| f(&self.0, blocks))?;
                    signals.check()
                })
            })
        })
    }
}
