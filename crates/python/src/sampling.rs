//! Filling arrays with samples, batch by batch.

use core::ops::Range;

use numpy::{Element, PyUntypedArray};
use pyo3::prelude::*;
use tautochrone_ctr::Stream;
use tautochrone_gauss::Error;
use zeroize::{DefaultIsZeroes, Zeroize};

use crate::arrays::writable;
use crate::errors;
use crate::random::with_stream;
use crate::signals::Signals;

/// Elements drawn together. The samples depend on it, as a batch of FACCT or Ziggurat ends within
/// its random words: the program `sample` draws as many, and so its samples are the same.
const BATCH: usize = 1 << 16;

/// Fills `array`, in C order, from the stream that `seed` stands for. `batch` fills the elements of
/// a range. After an error, also after Ctrl-C, the array holds zeros.
pub(crate) fn fill<T: Element + DefaultIsZeroes>(
    array: &Bound<'_, PyUntypedArray>,
    seed: Option<&Bound<'_, PyAny>>,
    batch: impl Fn(&mut Stream, Range<usize>, &mut [T]) -> Result<(), Error> + Sync,
) -> PyResult<()> {
    let mut array = writable::<T>(array)?;
    let py = array.py();
    let out = array.as_slice_mut()?;
    with_stream(seed, |stream| {
        py.detach(|| {
            let mut signals = Signals::new();
            let result = out.chunks_mut(BATCH).enumerate().try_for_each(|(i, out)| {
                let start = i * BATCH;
                batch(stream, start..start + out.len(), out).map_err(errors::parameter)?;
                signals.check()
            });
            if result.is_err() {
                out.zeroize();
            }
            result
        })
    })
}
