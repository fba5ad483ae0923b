//! Scratch memory: 64-byte aligned, erased when dropped.

use alloc::vec;
use alloc::vec::Vec;

use tautochrone_simd::wipe;

/// Words of a cache line.
const LINE: usize = 8;

/// A growing run of cache lines. It grows to fresh zero pages where the allocator has them, so that
/// memory that is overwritten anyway is not written twice.
#[derive(Default)]
pub(crate) struct Buffer {
    /// A cache line more than is used.
    words: Vec<u64>,
    /// The first word at the start of a cache line.
    start: usize,
}

impl Buffer {
    /// The first `count` 64-bit words, after growing to at least that many; their contents are left
    /// over from earlier use.
    pub(crate) fn words_mut(&mut self, count: usize) -> &mut [u64] {
        if self.words.len() < self.start + count {
            self.erase();
            // Both at the same time would be the peak of memory.
            self.words = Vec::new();
            self.words = vec![0; count + LINE - 1];
            self.start = self.words.as_ptr().align_offset(8 * LINE);
        }
        &mut self.words[self.start..][..count]
    }

    /// The first `count` 64-bit words.
    pub(crate) fn words(&self, count: usize) -> &[u64] {
        &self.words[self.start..][..count]
    }

    /// The first `bytes` bytes, after growing to at least that many; their contents are left over
    /// from earlier use.
    pub(crate) fn bytes_mut(&mut self, bytes: usize) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(self.words_mut(bytes.div_ceil(8)))[..bytes]
    }

    /// The first `bytes` bytes.
    pub(crate) fn bytes(&self, bytes: usize) -> &[u8] {
        &bytemuck::cast_slice(self.words(bytes.div_ceil(8)))[..bytes]
    }

    /// Overwrites everything with zeros, in a way that the compiler may not leave out.
    pub(crate) fn erase(&mut self) {
        wipe(&mut self.words, 0);
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.erase();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_start_at_cache_lines_and_keep_their_length() {
        let mut buffer = Buffer::default();
        assert!(buffer.bytes(0).is_empty());
        for bytes in [1, 63, 64, 65, 1000, 7, 1 << 20] {
            let run = buffer.bytes_mut(bytes);
            assert_eq!((run.len(), run.as_ptr().align_offset(64)), (bytes, 0));
            run.fill(1);
            assert!(buffer.bytes(bytes).iter().all(|&byte| byte == 1));
        }
        buffer.erase();
        assert!(buffer.bytes(1 << 20).iter().all(|&byte| byte == 0));
    }
}
