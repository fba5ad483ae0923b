//! Where tasks write their parts of a result.
#![allow(unsafe_code)]

use crate::matrix::MatrixMut;
use crate::word::Word;

/// A column-major matrix that several tasks write, each its own part.
#[derive(Clone, Copy)]
pub(crate) struct Target<W> {
    pub(super) start: *mut W,
    pub(super) stride: usize,
}

impl<W: Word> Target<W> {
    /// The entries of `z`, which outlives the tasks that write them.
    pub(crate) fn new(z: &mut MatrixMut<'_, W>) -> Self {
        let (stride, entries) = z.reborrow().into_data();
        Self { start: entries.as_mut_ptr(), stride }
    }
}

// SAFETY: a `Target` is written only within the panels of a `Task`, and tasks that run at the same
// time have disjoint ones.
unsafe impl<W: Send> Send for Target<W> {}
// SAFETY: as above.
unsafe impl<W: Send> Sync for Target<W> {}
