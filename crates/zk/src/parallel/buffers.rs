//! [`Buffers`]: memory that tasks hand on to each other.

use alloc::vec::Vec;
#[cfg(not(feature = "rayon"))]
use core::cell::RefCell;
#[cfg(feature = "rayon")]
use std::sync::{Mutex, PoisonError};

/// Buffers of public bytes, as many as there are tasks at one time.
#[derive(Default)]
pub(crate) struct Buffers(
    #[cfg(feature = "rayon")] Mutex<Vec<Vec<u8>>>,
    #[cfg(not(feature = "rayon"))] RefCell<Vec<Vec<u8>>>,
);

impl Buffers {
    /// Calls `f` with `len` bytes of any values, in the buffer of a task that has ended if there is
    /// one.
    pub(crate) fn with<R>(&self, len: usize, f: impl FnOnce(&mut [u8]) -> R) -> R {
        let mut buffer = self.each(Vec::pop).unwrap_or_default();
        if buffer.len() < len {
            buffer.resize(len, 0);
        }
        let result = f(&mut buffer[..len]);
        self.each(|buffers| buffers.push(buffer));
        result
    }

    /// Calls `f` with the buffers that no task has.
    fn each<R>(&self, f: impl FnOnce(&mut Vec<Vec<u8>>) -> R) -> R {
        #[cfg(feature = "rayon")]
        return f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
        #[cfg(not(feature = "rayon"))]
        f(&mut self.0.borrow_mut())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One task after another takes the same memory, which is cleared only when it is new; a task
    /// within another has its own.
    #[test]
    fn buffers_are_used_again() {
        let buffers = Buffers::default();
        let first = buffers.with(100, |bytes| {
            assert_eq!(bytes, [0; 100]);
            bytes.fill(1);
            bytes.as_ptr()
        });
        buffers.with(50, |bytes| {
            assert_eq!((bytes.as_ptr(), &*bytes), (first, &[1; 50][..]));
            buffers.with(10, |within| assert_eq!(within, [0; 10]));
        });
        assert_eq!(buffers.each(|buffers| buffers.len()), 2);
    }
}
