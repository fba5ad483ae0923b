//! [`Computed`]: a value that is computed on first use.

use crate::sync::OnceLock;

/// A value that whoever needs it first computes, in parallel if need be, and that nobody waits for.
pub(crate) struct Computed<T>(OnceLock<T>);

impl<T> Computed<T> {
    /// Not computed yet.
    pub(crate) fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The value, if it was computed.
    pub(crate) fn get(&self) -> Option<&T> {
        self.0.get()
    }

    /// The value, by `compute` if there is none yet. Several threads may compute it at once; the
    /// first to finish is stored, and all get this one.
    pub(crate) fn get_or_compute(&self, compute: impl FnOnce() -> T) -> &T {
        if let Some(value) = self.get() {
            return value;
        }
        // Not inside `get_or_init`: `compute` is parallel, and a thread that waits for its parts
        // may take up another task meanwhile that needs this value too, and would wait for it
        // forever.
        let value = compute();
        self.0.get_or_init(|| value)
    }
}
