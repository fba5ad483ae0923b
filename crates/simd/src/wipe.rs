//! Erasing secrets.

use alloc::boxed::Box;
use core::ops::{Deref, DerefMut};

/// Overwrites secrets with `zero` at the speed of `memset`, behind a barrier that keeps the
/// compiler from dropping the stores. `zero` is the value to leave behind.
#[inline]
pub fn wipe<T: Copy>(secrets: &mut [T], zero: T) {
    secrets.fill(zero);
    zeroize::optimization_barrier(secrets);
}

/// Elements on the heap, overwritten with zeros when dropped. The type needs no zero of its own:
/// registers have none without a token.
pub struct Scratch<T: Copy> {
    elements: Box<[T]>,
    zero: T,
}

impl<T: Copy> Scratch<T> {
    /// `len` elements of `zero`.
    #[inline(always)]
    #[must_use]
    pub fn new(len: usize, zero: T) -> Self {
        Self { elements: alloc::vec![zero; len].into_boxed_slice(), zero }
    }
}

impl<T: Copy> Clone for Scratch<T> {
    fn clone(&self) -> Self {
        Self { elements: self.elements.clone(), zero: self.zero }
    }
}

impl<T: Copy> Drop for Scratch<T> {
    fn drop(&mut self) {
        wipe(&mut self.elements, self.zero);
    }
}

impl<T: Copy> Deref for Scratch<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.elements
    }
}

impl<T: Copy> DerefMut for Scratch<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.elements
    }
}

/// The length; the elements are secret.
impl<T: Copy> core::fmt::Debug for Scratch<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Scratch").field("len", &self.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{Scratch, wipe};

    #[test]
    fn everything_is_overwritten() {
        let mut secrets = [3_u16; 37];
        wipe(&mut secrets[1..36], 0);
        assert_eq!(secrets.iter().map(|&x| u32::from(x)).sum::<u32>(), 6);
    }

    #[test]
    fn scratch_starts_with_one_value_and_prints_no_elements() {
        let mut scratch = Scratch::new(3, 7_u8);
        assert_eq!(*scratch, [7; 3]);
        scratch[1] = 9;
        assert_eq!(*scratch.clone(), [7, 9, 7]);
        assert_eq!(std::format!("{scratch:?}"), "Scratch { len: 3, .. }");
    }
}
