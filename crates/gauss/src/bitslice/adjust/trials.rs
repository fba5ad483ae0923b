//! [`Trials`]: what blocks of trials draw.

use tautochrone_simd::wipe_on_drop;

use super::super::lanes::{BLOCK, Scratch};
use super::super::sampler::Bitslice;
use crate::source::Source;

/// The bytes of a block's words, little-endian.
pub(super) type Uniform = [u8; 8 * BLOCK];

/// The base's block of candidates, then one 64-bit word of each lane.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    pub(super) candidates: &'a [i64; BLOCK],
    pub(super) uniform: &'a Uniform,
}

impl<'a> Block<'a> {
    /// Twice eight candidates and the bytes of their words, and so on.
    #[inline(always)]
    pub(super) fn pairs(self) -> impl Iterator<Item = (&'a [[i64; 8]; 2], &'a [[u8; 64]; 2])> {
        let candidates = self.candidates.as_chunks().0.as_chunks().0;
        candidates.iter().zip(self.uniform.as_chunks().0.as_chunks().0)
    }
}

/// Space for blocks of trials; erased on drop.
pub(super) struct Trials {
    candidates: [i64; BLOCK],
    uniform: Uniform,
    scratch: Scratch,
}

impl Trials {
    pub(super) const fn new() -> Self {
        Self { candidates: [0; BLOCK], uniform: [0; 8 * BLOCK], scratch: Scratch::new() }
    }

    /// The next block.
    pub(super) fn next(&mut self, base: &Bitslice, source: &mut dyn Source) -> Block<'_> {
        base.fill_with(source, &mut self.scratch, &mut self.candidates);
        source.fill(&mut self.uniform);
        Block { candidates: &self.candidates, uniform: &self.uniform }
    }
}

wipe_on_drop!(Trials, candidates: 0, uniform: 0);
