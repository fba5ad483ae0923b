//! Erasing.

use alloc::vec::Vec;

use tautochrone_simd::wipe;

/// Overwrites the entries, and what lies beyond their end.
pub fn erase<T: Copy + Default + PartialEq>(entries: &mut Vec<T>) {
    // Capacity beyond the end, too, may have held some.
    entries.resize(entries.capacity(), T::default());
    wipe(entries, T::default());
}
