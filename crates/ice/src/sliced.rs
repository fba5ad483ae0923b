//! Blocks to bit planes and back, on the widest registers that there are.

use tautochrone_simd::Isa;
use tautochrone_simd::vector::U64x1;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use tautochrone_simd::vector::U64x2;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::{U64x4, U64x8};

use crate::circuit::Keys;
use crate::engine::Engine;
use crate::scalar;
use crate::schedule::Schedule;

mod planes;

/// Up to so many blocks are faster one by one than as a run of the circuit, which costs the same
/// for one as for all.
const MAX_SINGLE: usize = 5;

/// The rounds of a key for single blocks, and for runs of the circuit on the widest registers.
pub(crate) struct Sliced {
    isa: Isa,
    schedule: Schedule,
    keys: Keys,
}

impl Sliced {
    pub(crate) fn new(isa: Isa, schedule: Schedule) -> Self {
        let keys = Keys::new(&schedule);
        Self { isa, schedule, keys }
    }

    /// Blocks of a run.
    fn run_length(&self) -> usize {
        #[cfg(target_arch = "x86_64")]
        if self.isa.avx512().is_some() {
            return 512;
        } else if self.isa.avx2().is_some() {
            return 256;
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        if self.isa.neon().is_some() {
            return 128;
        }
        64
    }
}

impl Engine for Sliced {
    #[cfg(feature = "rayon")]
    fn task(&self) -> usize {
        self.run_length() << 11
    }

    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    fn process(&self, decrypt: bool, blocks: &mut [[u8; 8]]) {
        let Self { isa, schedule, keys } = self;
        let rest = blocks.len() % self.run_length();
        let singles = if rest <= MAX_SINGLE { rest } else { 0 };
        let (runs, singles) = blocks.split_at_mut(blocks.len() - singles);
        for block in singles {
            let word = u64::from_be_bytes(*block);
            *block = scalar::process(schedule, decrypt, word).to_be_bytes();
        }
        if runs.is_empty() {
            return;
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = isa.avx512() {
            return planes::run::<U64x8<_>>(token, keys, decrypt, runs);
        } else if let Some(token) = isa.avx2() {
            return planes::run::<U64x4<_>>(token, keys, decrypt, runs);
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        if let Some(token) = isa.neon() {
            return planes::run::<U64x2<_>>(token, keys, decrypt, runs);
        }
        planes::run::<U64x1>((), keys, decrypt, runs);
    }
}
