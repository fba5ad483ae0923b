//! [`Trials`]: what blocks of trials draw.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use tautochrone_ctr::FirstRound;
use tautochrone_simd::wipe;

use super::super::lanes::BLOCK;
use super::super::sampler::Bitslice;
use super::super::scratch::Scratch;
#[cfg(target_arch = "x86_64")]
use crate::keystream::Next;
use crate::source::Source;

/// Planes of a block's words.
#[cfg(target_arch = "x86_64")]
const UNIFORM: usize = 64;

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

/// What a block may be decided beside.
#[cfg(target_arch = "x86_64")]
pub(super) type Other<'a, 'b, 'c> = Option<&'a mut Next<'b, 'c>>;
/// What a block may be decided beside: nothing.
#[cfg(not(target_arch = "x86_64"))]
pub(super) type Other<'a, 'b, 'c> = Option<core::convert::Infallible>;

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

    /// Hands the next `count` blocks to `decide`, in order.
    pub(super) fn blocks(
        &mut self,
        base: &Bitslice,
        source: &mut (impl Source + ?Sized),
        count: usize,
        decide: &mut dyn FnMut(Block<'_>, Other<'_, '_, '_>),
    ) {
        #[cfg(target_arch = "x86_64")]
        if count > 1 && self.blocks_beside(base, source, count, decide).is_some() {
            return;
        }
        for _ in 0..count {
            base.fill_with(source, &mut self.scratch, &mut self.candidates);
            source.fill(&mut self.uniform);
            decide(Block { candidates: &self.candidates, uniform: &self.uniform }, None);
        }
    }

    /// The same beside the keystream; `None`, and nothing is drawn, if the source or the CPU has not
    /// what it takes, or a block takes more space than there is.
    #[cfg(target_arch = "x86_64")]
    fn blocks_beside(
        &mut self,
        base: &Bitslice,
        source: &mut (impl Source + ?Sized),
        count: usize,
        decide: &mut dyn FnMut(Block<'_>, Other<'_, '_, '_>),
    ) -> Option<()> {
        let token = (base.isa().avx512()?, base.isa().vaes()?);
        let rows = base.block_planes();
        let planes = rows + UNIFORM;
        let (mut now, mut next) = self.scratch.two_blocks(planes)?;
        let registers = source.stream()?.registers(count * planes)?;
        let mut first_round = FirstRound::new();
        // SAFETY: there are registers, so their features were detected.
        let mut keystream = unsafe { registers.beside_with(&mut first_round) };
        Next::new(token, &mut keystream, now).complete();
        for _ in 0..count {
            base.candidates(&now[..rows], &mut self.candidates);
            let uniform = now[rows..].as_flattened().first_chunk().expect("64 planes");
            let block = Block { candidates: &self.candidates, uniform };
            let mut other = Next::new(token, &mut keystream, next);
            decide(block, Some(&mut other));
            other.complete();
            core::mem::swap(&mut now, &mut next);
        }
        Some(())
    }
}

impl Drop for Trials {
    fn drop(&mut self) {
        wipe(&mut self.candidates, 0);
        wipe(&mut self.uniform, 0);
    }
}
