//! Seeds and streams: calls of `tautochrone-ctr`.

use std::collections::BTreeSet;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tautochrone_ctr::{Label, Seed};

use crate::arguments::{arg, secret, wrong_type};
use crate::errors::{self, ParameterError, StreamError};

/// The label of arrays of samples, which the program `sample` has, too.
const SAMPLES: &str = "sample";
/// Labels live as long as the process, so their number is bounded.
const MAX_LABELS: usize = 1 << 12;
const MAX_LABEL_BYTES: usize = 1 << 10;

/// A seed of 32 bytes, or one from the operating system where there is `None`.
pub(crate) fn seed(bytes: Option<&Bound<'_, PyAny>>) -> PyResult<Seed> {
    let Some(any) = bytes else { return Seed::from_os().map_err(errors::entropy) };
    let expected = "32 bytes: secrets.token_bytes(32), or rng.bytes(32) of a numpy Generator";
    let bytes = secret(any).ok_or_else(|| wrong_type(&format!("a seed of {expected}"), any))?;
    let bytes = <&[u8; 32]>::try_from(bytes.as_slice()).map_err(|_| {
        let got = bytes.len();
        ParameterError::new_err(format!("a seed has {expected}; got {got} bytes"))
    })?;
    Ok(Seed::from_bytes(*bytes))
}

/// Secret random bytes: AES-128 in counter mode under a key from `seed`, `label` and `index`.
///
/// seed: 32 bytes (of any buffer of bytes), or None for the operating system's entropy. label: a
/// name for one use of the seed. index: 0 to 2^64 - 1. Two different (label, index) never share a
/// stream, and the same three give the same bytes here, in Rust and on every machine.
///
/// Samplers take a stream as `seed=` and continue it. One thread may use a stream at a time. A
/// process made by `os.fork` may not use its parent's streams (StreamError): both would draw the
/// same bytes. Key and state are erased when the object is freed.
#[pyclass(frozen, module = "tautochrone")]
pub(crate) struct Stream {
    inner: Mutex<tautochrone_ctr::Stream>,
    process: u32,
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (seed=None, label="sample", index=0))]
    fn new(
        seed: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arg)] label: &str,
        #[pyo3(from_py_with = arg)] index: u64,
    ) -> PyResult<Self> {
        let stream = self::seed(seed)?.stream(Label::new(intern(label)?), index);
        Ok(Self { inner: Mutex::new(stream), process: process::id() })
    }

    /// The next n bytes. Python cannot erase them; where that matters, fill an array by
    /// `uniform` and erase it with `wipe`.
    #[pyo3(signature = (n, /))]
    fn bytes<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg)] n: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut guard = self.lock()?;
        let stream = &mut *guard;
        PyBytes::new_with(py, n, |out| {
            py.detach(|| stream.fill(out));
            Ok(())
        })
    }

    /// Bytes drawn so far.
    #[getter]
    fn position(&self) -> PyResult<u128> {
        Ok(self.lock()?.position())
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("Stream(position={})", self.position()?))
    }
}

impl Stream {
    /// The stream for one call. Nobody waits here: a thread that does holds the interpreter's lock.
    fn lock(&self) -> PyResult<MutexGuard<'_, tautochrone_ctr::Stream>> {
        if process::id() != self.process {
            return Err(StreamError::new_err(
                "this stream belongs to the parent process, which would draw the same bytes; \
                 make one with another seed, label or index",
            ));
        }
        self.inner.try_lock().map_err(|_| StreamError::new_err("another thread uses this stream"))
    }
}

/// Calls `f` with the stream that an argument `seed` stands for: 32 bytes, a [`Stream`], or `None`.
pub(crate) fn with_stream<T>(
    argument: Option<&Bound<'_, PyAny>>,
    f: impl FnOnce(&mut tautochrone_ctr::Stream) -> PyResult<T>,
) -> PyResult<T> {
    if let Some(stream) = argument.and_then(|any| any.cast::<Stream>().ok()) {
        return f(&mut *stream.get().lock()?);
    }
    f(&mut seed(argument)?.stream(Label::new(SAMPLES), 0))
}

/// The same text, for ever.
fn intern(text: &str) -> PyResult<&'static str> {
    static LABELS: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    let mut labels = LABELS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = labels.get(text) {
        return Ok(known);
    }
    if text.len() > MAX_LABEL_BYTES || labels.len() == MAX_LABELS {
        return Err(ParameterError::new_err(format!(
            "a label has at most {MAX_LABEL_BYTES} bytes, and a process {MAX_LABELS} labels; \
             number uses of one kind by the index"
        )));
    }
    let text: &'static str = Box::leak(text.into());
    labels.insert(text);
    Ok(text)
}
