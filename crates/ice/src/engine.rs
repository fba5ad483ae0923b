//! Which kernel an instruction set runs, and its keys.

use alloc::boxed::Box;
use core::panic::{RefUnwindSafe, UnwindSafe};

use tautochrone_simd::Isa;
#[cfg(any(test, tautochrone_ctgrind))]
use tautochrone_simd::vector::Emulated;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::{U64x2, U64x4, U64x8};

#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
use crate::gfni::{Narrow, Wide};
use crate::schedule::Schedule;
use crate::sliced::Sliced;

/// A kernel for each number of blocks, with the rounds of a key in its form.
pub(crate) trait Engine {
    /// Rounds of blocks that are worth a thread: measured such that two threads win with two tasks.
    /// That is from 0.2 ms of work on with GFNI, from 0.6 ms on for the circuit.
    #[cfg(feature = "rayon")]
    fn task(&self) -> usize;

    /// Encrypts or decrypts blocks, each by itself.
    ///
    /// # Constant time
    /// In keys and blocks.
    fn process(&self, decrypt: bool, blocks: &mut [[u8; 8]]);
}

/// Any engine, for all threads.
pub(crate) type AnyEngine = Box<dyn Engine + Send + Sync + UnwindSafe + RefUnwindSafe>;

/// The fastest that the instruction set has.
pub(crate) fn fastest(isa: Isa, schedule: Schedule) -> AnyEngine {
    #[cfg(target_arch = "x86_64")]
    if let (Some(vbmi), Some(gfni)) = (isa.vbmi(), isa.gfni()) {
        let token = (vbmi, gfni);
        return Box::new(Wide::<U64x2<_>, U64x4<_>, U64x8<_>>::new(token, schedule));
    } else if let Some(gfni) = isa.gfni() {
        return Box::new(Narrow::<U64x2<_>, U64x4<_>>::new(gfni, schedule));
    }
    Box::new(Sliced::new(isa, schedule))
}

/// The kernels for GFNI of AVX-512 (`wide`) or of AVX2, on emulated registers.
#[cfg(any(test, tautochrone_ctgrind))]
pub(crate) fn emulated(wide: bool, schedule: Schedule) -> AnyEngine {
    if wide {
        Box::new(Wide::<Emulated<2>, Emulated<4>, Emulated<8>>::new((), schedule))
    } else {
        Box::new(Narrow::<Emulated<2>, Emulated<4>>::new((), schedule))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// The kernels for GFNI on any CPU, at the borders of their groups.
    #[test]
    fn emulated_kernels_are_the_cipher() {
        for level in [0, 1, 2, 3] {
            let key: Vec<u8> = (0..crate::Ice::key_length(level) as u8)
                .map(|i| i.wrapping_mul(0x9d) ^ 0x35)
                .collect();
            let schedule = || Schedule::new(level, &key);
            for count in (0..=70).chain([
                71, 73, 80, 81, 95, 96, 97, 127, 128, 129, 133, 137, 144, 145, 193, 224, 225,
            ]) {
                let plain: Vec<[u8; 8]> = (0..count)
                    .map(|i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes())
                    .collect();
                let want: Vec<[u8; 8]> = plain
                    .iter()
                    .map(|&block| {
                        let word = u64::from_be_bytes(block);
                        crate::scalar::process(&schedule(), false, word).to_be_bytes()
                    })
                    .collect();
                for wide in [true, false] {
                    let engine = emulated(wide, schedule());
                    let mut blocks = plain.clone();
                    engine.process(false, &mut blocks);
                    assert_eq!(blocks, want, "level {level}, {count} blocks");
                    engine.process(true, &mut blocks);
                    assert_eq!(blocks, plain, "level {level}, {count} blocks");
                }
            }
        }
    }
}
