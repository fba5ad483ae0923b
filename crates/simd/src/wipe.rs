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

/// `Drop` for a type, which [`wipe`]s these fields.
///
/// ```
/// struct Key {
///     words: [u64; 4],
///     mask: Vec<u8>,
/// }
/// tautochrone_simd::wipe_on_drop!(Key, words: 0, mask: 0);
/// # assert!(core::mem::needs_drop::<Key>());
/// ```
#[macro_export]
macro_rules! wipe_on_drop {
    ($type:ty, $($field:tt: $zero:expr),+) => {
        impl Drop for $type {
            fn drop(&mut self) {
                $($crate::wipe(&mut self.$field, $zero);)+
            }
        }
    };
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
    use super::Scratch;

    #[test]
    fn fields_are_overwritten() {
        struct Secrets<'a>(&'a mut [u8], &'a mut [f64], u8);
        wipe_on_drop!(Secrets<'_>, 0: 7, 1: 0.0);
        let (mut bytes, mut floats) = ([3; 5], [1.0; 2]);
        let secrets = Secrets(&mut bytes[1..4], &mut floats[..], 1);
        assert_eq!(secrets.2, 1);
        drop(secrets);
        assert_eq!((bytes, floats), ([3, 7, 7, 7, 3], [0.0; 2]));
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
