//! [`Pool`]: memory that tasks hand on to each other.

use alloc::vec::Vec;
#[cfg(not(feature = "rayon"))]
use core::cell::RefCell;
#[cfg(feature = "rayon")]
use std::sync::{Mutex, PoisonError};

/// Buffers of tasks, as many as there are tasks at one time.
pub(crate) struct Pool<T>(
    #[cfg(feature = "rayon")] Mutex<Vec<T>>,
    #[cfg(not(feature = "rayon"))] RefCell<Vec<T>>,
);

impl<T> Default for Pool<T> {
    /// Without buffers.
    fn default() -> Self {
        #[cfg(feature = "rayon")]
        return Self(Mutex::new(Vec::new()));
        #[cfg(not(feature = "rayon"))]
        Self(RefCell::new(Vec::new()))
    }
}

impl<T> Pool<T> {
    /// Calls `f` with the buffer of a task that has ended, or a new one.
    pub(crate) fn with<R>(&self, new: impl FnOnce() -> T, f: impl FnOnce(&mut T) -> R) -> R {
        let mut buffer = self.each(Vec::pop).unwrap_or_else(new);
        let result = f(&mut buffer);
        self.each(|buffers| buffers.push(buffer));
        result
    }

    /// Calls `f` with the buffers that no task has.
    fn each<R>(&self, f: impl FnOnce(&mut Vec<T>) -> R) -> R {
        #[cfg(feature = "rayon")]
        return f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
        #[cfg(not(feature = "rayon"))]
        f(&mut self.0.borrow_mut())
    }
}

#[cfg(test)]
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
