//! [`Scratch`]: space for random bits on their way to samples.

use tautochrone_simd::wipe;

#[cfg(target_arch = "x86_64")]
use super::interleave;
use super::lanes::Plane;
use crate::source::Source;

/// Planes of the space: two blocks of the most demanding form, in 18 KiB.
pub(super) const CAPACITY: usize = 288;

/// Random bits that become samples, aligned for the registers; the used ones are erased on drop.
#[repr(C, align(64))]
pub(super) struct Scratch {
    planes: [Plane; CAPACITY],
    used: usize,
}

impl Scratch {
    #[expect(clippy::large_stack_arrays, reason = "18 KiB, no allocation in a fill")]
    pub(super) const fn new() -> Self {
        Self { planes: [[0; _]; CAPACITY], used: 0 }
    }

    /// So many planes at the front, from here on in use.
    fn front(&mut self, count: usize) -> &mut [Plane] {
        self.used = self.used.max(count);
        &mut self.planes[..count]
    }

    /// The next random planes.
    pub(super) fn draw(&mut self, source: &mut (impl Source + ?Sized), count: usize) -> &[Plane] {
        let planes = self.front(count);
        source.fill(planes.as_flattened_mut());
        planes
    }

    /// Space for two blocks of so many planes, if there is.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn two_blocks(&mut self, planes: usize) -> Option<(&mut [Plane], &mut [Plane])> {
        let used = interleave::space(planes);
        (used <= CAPACITY).then(|| interleave::two_blocks(planes, self.front(used)))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        wipe(self.planes[..self.used].as_flattened_mut(), 0);
    }
}
