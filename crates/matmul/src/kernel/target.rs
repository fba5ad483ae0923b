//! Where tasks write their parts of a result.
#![allow(unsafe_code)]

/// A column-major matrix that several tasks write, each its own part.
#[derive(Clone, Copy)]
pub(crate) struct Target<W> {
    pub(crate) start: *mut W,
    pub(crate) stride: usize,
}

// SAFETY: a `Target` is written only within the panels of a `Job`, and jobs that run at the same time have disjoint ones.
unsafe impl<W: Send> Send for Target<W> {}
// SAFETY: as above.
unsafe impl<W: Send> Sync for Target<W> {}
