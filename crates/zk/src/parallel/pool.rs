//! [`Pool`]: memory that tasks hand on to each other.

#[cfg(feature = "std")]
use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::sync::{Mutex, PoisonError};

/// Buffers of tasks, as many as there are tasks at one time: behind a lock, so that without the
/// standard library each task has a new one.
pub(crate) struct Pool<T>(
    #[cfg(feature = "std")] Mutex<Vec<T>>,
    #[cfg(not(feature = "std"))] core::marker::PhantomData<fn() -> T>,
);

impl<T> Default for Pool<T> {
    /// Without buffers.
    fn default() -> Self {
        Self(
            #[cfg(feature = "std")]
            Mutex::default(),
            #[cfg(not(feature = "std"))]
            core::marker::PhantomData,
        )
    }
}

impl<T> Pool<T> {
    /// Calls `f` with the buffer of a task that has ended, or a new one.
    #[cfg_attr(not(feature = "std"), expect(clippy::unused_self, reason = "nothing is behind it"))]
    pub(crate) fn with<R>(&self, new: impl FnOnce() -> T, f: impl FnOnce(&mut T) -> R) -> R {
        #[cfg(feature = "std")]
        let new = || self.each(Vec::pop).unwrap_or_else(new);
        let mut buffer = new();
        let result = f(&mut buffer);
        #[cfg(feature = "std")]
        self.each(|buffers| buffers.push(buffer));
        result
    }

    /// Calls `f` with the buffers that no task has.
    #[cfg(feature = "std")]
    fn each<R>(&self, f: impl FnOnce(&mut Vec<T>) -> R) -> R {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    /// One task after another takes the same memory; a task within another has its own.
    #[test]
    fn buffers_are_used_again() {
        let pool = Pool::default();
        let first = pool.with(
            || alloc::vec![0; 100],
            |bytes| {
                bytes.fill(1);
                bytes.as_ptr()
            },
        );
        pool.with(Vec::new, |bytes| {
            assert_eq!((bytes.as_ptr(), &bytes[..]), (first, &[1; 100][..]));
            pool.with(Vec::new, |within| assert_eq!(within.len(), 0));
        });
        assert_eq!(pool.each(|buffers| buffers.len()), 2);
    }
}
