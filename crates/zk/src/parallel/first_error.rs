//! [`FirstError`]: which error a loop would have stopped at.

use crate::sync::{AtomicUsize, Ordering};

/// The least index of a call that has failed: rayon itself chooses the error of the thread
/// that comes first.
pub(crate) struct FirstError(AtomicUsize);

impl FirstError {
    /// None has failed.
    pub(crate) fn new() -> Self {
        Self(AtomicUsize::new(usize::MAX))
    }

    /// `f()`, unless a call of a smaller index is known to have failed. The first error by index
    /// among the results does not depend on the order of the calls.
    pub(crate) fn call<T, E>(
        &self,
        index: usize,
        f: impl FnOnce() -> Result<T, E>,
    ) -> Option<Result<T, E>> {
        if self.0.load(Ordering::Relaxed) < index {
            return None;
        }
        let result = f();
        if result.is_err() {
            self.0.fetch_min(index, Ordering::Relaxed);
        }
        Some(result)
    }
}
