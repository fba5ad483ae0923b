//! [`Buffer`]: random words on their way to samples.

use bytemuck::cast_slice_mut;
use tautochrone_simd::wipe;

use crate::source::Source;

/// `N` words, aligned for the registers; the used ones are erased on drop.
#[repr(C, align(64))]
pub(crate) struct Buffer<const N: usize> {
    words: [u64; N],
    used: usize,
}

impl<const N: usize> Buffer<N> {
    pub(crate) const fn new() -> Self {
        Self { words: [0; N], used: 0 }
    }

    /// So many words at the front, from here on in use.
    pub(crate) fn front(&mut self, count: usize) -> &mut [u64] {
        self.used = self.used.max(count);
        &mut self.words[..count]
    }

    /// The next words of `source`.
    pub(crate) fn draw(&mut self, source: &mut (impl Source + ?Sized), count: usize) -> &[u64] {
        let words = self.front(count);
        source.fill_u64(words);
        words
    }

    /// The next bytes of `source`.
    pub(crate) fn draw_bytes(&mut self, source: &mut (impl Source + ?Sized), len: usize) -> &[u8] {
        let bytes = &mut cast_slice_mut(self.front(len.div_ceil(8)))[..len];
        source.fill(bytes);
        bytes
    }
}

impl<const N: usize> Drop for Buffer<N> {
    fn drop(&mut self) {
        wipe(&mut self.words[..self.used], 0);
    }
}
