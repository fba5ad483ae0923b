//! Scratch memory: 64-byte aligned, erased when dropped.

use alloc::vec::Vec;

use tautochrone_simd::wipe;

/// A cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Line([u64; 8]);

const LINE: usize = size_of::<Line>();

/// A growing run of cache lines.
#[derive(Default)]
pub(crate) struct Buffer(Vec<Line>);

impl Buffer {
    /// Lines that hold `bytes` bytes.
    pub(crate) const fn lines(bytes: usize) -> usize {
        bytes.div_ceil(LINE)
    }

    /// The first `bytes` bytes, after growing to at least that many; their contents are left over
    /// from earlier use.
    pub(crate) fn bytes_mut(&mut self, bytes: usize) -> &mut [u8] {
        let lines = Self::lines(bytes);
        if self.0.len() < lines {
            self.erase();
            self.0 = Vec::new();
            self.0.resize(lines, Line([0; 8]));
        }
        as_bytes_mut(&mut self.0, bytes)
    }

    /// The first `bytes` bytes.
    pub(crate) fn bytes(&self, bytes: usize) -> &[u8] {
        as_bytes(&self.0, bytes)
    }

    /// The first `count` 64-bit words, after growing to at least that many.
    pub(crate) fn words_mut(&mut self, count: usize) -> &mut [u64] {
        self.bytes_mut(8 * count);
        let lines: &mut [Line] = &mut self.0;
        #[allow(unsafe_code)]
        // SAFETY: a `Line` is eight `u64`, and the borrow is exclusive.
        let words = unsafe {
            core::slice::from_raw_parts_mut(lines.as_mut_ptr().cast::<u64>(), 8 * lines.len())
        };
        &mut words[..count]
    }

    /// The first `count` 64-bit words.
    pub(crate) fn words(&self, count: usize) -> &[u64] {
        #[allow(unsafe_code)]
        // SAFETY: a `Line` is eight `u64`.
        let words =
            unsafe { core::slice::from_raw_parts(self.0.as_ptr().cast::<u64>(), 8 * self.0.len()) };
        &words[..count]
    }

    /// Overwrites everything with zeros, in a way that the compiler may not leave out.
    pub(crate) fn erase(&mut self) {
        wipe(&mut self.0, Line([0; 8]));
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.erase();
    }
}

#[allow(unsafe_code)]
fn as_bytes(lines: &[Line], bytes: usize) -> &[u8] {
    let all = size_of_val(lines);
    // SAFETY: a `Line` is eight `u64` without padding: all its bytes are initialised, and any
    // alignment will do for bytes.
    let all = unsafe { core::slice::from_raw_parts(lines.as_ptr().cast::<u8>(), all) };
    &all[..bytes]
}

#[allow(unsafe_code)]
fn as_bytes_mut(lines: &mut [Line], bytes: usize) -> &mut [u8] {
    let all = size_of_val(lines);
    // SAFETY: as in `as_bytes`; any bytes make a valid `Line`, and the borrow is exclusive.
    let all = unsafe { core::slice::from_raw_parts_mut(lines.as_mut_ptr().cast::<u8>(), all) };
    &mut all[..bytes]
}
