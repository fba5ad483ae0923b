//! Python's exceptions, which are defined in `tautochrone/_errors.py`, from the crates' errors.
//!
//! Exceptions can be made without the interpreter's lock; Python builds them when they are raised.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::{PyErr, Python, import_exception};
use tautochrone_zk as zk;

import_exception!(tautochrone._errors, Error);
import_exception!(tautochrone._errors, ParameterError);
import_exception!(tautochrone._errors, RangeError);
import_exception!(tautochrone._errors, InsecureError);
import_exception!(tautochrone._errors, WitnessError);
import_exception!(tautochrone._errors, MalformedError);
import_exception!(tautochrone._errors, InvalidProof);
import_exception!(tautochrone._errors, ArgumentTypeError);
import_exception!(tautochrone._errors, StreamError);
import_exception!(tautochrone._errors, EntropyError);

/// A [`ParameterError`] that says what `error` says: from the crates whose errors are all about
/// what was asked for.
pub(crate) fn parameter(error: impl core::fmt::Display) -> PyErr {
    ParameterError::new_err(error.to_string())
}

/// An exception of Python or numpy about an argument as the one of this package that is also of its
/// kind, with this text; an exception of another kind, or of this package, as it is.
pub(crate) fn argument(py: Python<'_>, error: PyErr, text: impl FnOnce() -> String) -> PyErr {
    if error.is_instance_of::<Error>(py) {
        error
    } else if error.is_instance_of::<PyOverflowError>(py) {
        RangeError::new_err(text())
    } else if error.is_instance_of::<PyTypeError>(py) {
        ArgumentTypeError::new_err(text())
    } else if error.is_instance_of::<PyValueError>(py) {
        ParameterError::new_err(text())
    } else {
        error
    }
}

/// From the operating system's entropy.
pub(crate) fn entropy(error: tautochrone_ctr::Error) -> PyErr {
    EntropyError::new_err(error.to_string())
}

/// An exception, also for an error of the proof system.
pub(crate) struct Failure(PyErr);

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl From<zk::Error> for Failure {
    fn from(error: zk::Error) -> Self {
        let text = error.to_string();
        Self(match error {
            zk::Error::Insecure(_) => InsecureError::new_err(text),
            zk::Error::Witness(_) | zk::Error::ForeignWitness | zk::Error::FalseFact => {
                WitnessError::new_err(text)
            }
            zk::Error::Malformed { .. } => MalformedError::new_err(text),
            zk::Error::Invalid(reason) => InvalidProof::new_err(reason.to_string()),
            zk::Error::Randomness(error) => entropy(error),
            zk::Error::Parameter(_) | zk::Error::Request(_) => ParameterError::new_err(text),
            _ => Error::new_err(text),
        })
    }
}

impl From<Failure> for PyErr {
    fn from(Failure(error): Failure) -> Self {
        error
    }
}
