//! [`Source`]: where the samplers' random bits come from, a stream of this workspace or any
//! generator.

use bytemuck::cast_slice_mut;
use tautochrone_ctr::Stream;

/// A source of uniform bytes. One that delivers the bytes of a [`Stream`] gives the samples of that
/// stream.
pub(crate) trait Source {
    /// The next bytes.
    fn fill(&mut self, out: &mut [u8]);

    /// The next words, little-endian.
    fn fill_u64(&mut self, out: &mut [u64]) {
        self.fill(cast_slice_mut(out));
        for word in out {
            *word = u64::from_le(*word);
        }
    }

    /// The next word.
    fn word(&mut self) -> u64 {
        let mut word = [0];
        self.fill_u64(&mut word);
        word[0]
    }

    /// The stream that this is, if it is one: kernels may interleave its encryption with their work.
    fn stream(&mut self) -> Option<&mut Stream> {
        None
    }
}

impl Source for Stream {
    fn fill(&mut self, out: &mut [u8]) {
        Self::fill(self, out);
    }

    fn stream(&mut self) -> Option<&mut Stream> {
        Some(self)
    }
}

/// Any generator.
pub(crate) struct Generator<'a, R: ?Sized>(pub(crate) &'a mut R);

impl<R: rand::Rng + ?Sized> Source for Generator<'_, R> {
    fn fill(&mut self, out: &mut [u8]) {
        self.0.fill_bytes(out);
    }
}
