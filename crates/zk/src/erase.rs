//! [`Secrets`]: entries of S, erased.

use core::ops::{Deref, DerefMut};

/// Entries of S, erased when dropped. `Zeroizing` would write them one volatile byte after the other, a twentieth of a
/// proof's time (benches/record, zk).
pub(crate) struct Secrets(Vec<i8>);

impl Secrets {
    pub(crate) fn zeros(len: usize) -> Self {
        Self(vec![0; len])
    }

    pub(crate) const fn own(entries: Vec<i8>) -> Self {
        Self(entries)
    }

    pub(crate) fn copy(entries: &[i8]) -> Self {
        Self(entries.to_vec())
    }
}

impl Deref for Secrets {
    type Target = [i8];

    fn deref(&self) -> &[i8] {
        &self.0
    }
}

impl DerefMut for Secrets {
    fn deref_mut(&mut self) -> &mut [i8] {
        &mut self.0
    }
}

impl Drop for Secrets {
    fn drop(&mut self) {
        // Room beyond the end, too, may have held some.
        self.0.clear();
        self.0.resize(self.0.capacity(), 0);
        zeroize::optimization_barrier(self.0.as_slice());
    }
}
