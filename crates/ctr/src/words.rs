//! Words seen as bytes.
#![allow(unsafe_code)]

/// The bytes of `words`, in memory order.
pub(crate) fn bytes_mut(words: &mut [u64]) -> &mut [u8] {
    // SAFETY: every byte of a word is initialised, any byte is valid in one, and bytes need no alignment; the new slice
    // covers the old one's memory exactly and borrows it for as long.
    unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), size_of_val(words)) }
}
