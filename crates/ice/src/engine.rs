//! Which kernel an instruction set runs, and its keys.

use tautochrone_simd::Isa;
#[cfg(any(test, tautochrone_ctgrind))]
use tautochrone_simd::vector::Emulated;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::{U64x2, U64x4, U64x8};
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::{Gfni, Vbmi};

use crate::circuit;
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
use crate::gfni::{NarrowKeys, WideKeys};
use crate::schedule::Schedule;
use crate::sliced;

/// A kernel for each number of blocks, with the rounds of a key in its form: one or two blocks, on
/// AVX-512 up to four, are fastest in lanes, more in a group, even if it is not full.
pub(crate) enum Engine {
    /// AVX-512 with VBMI and GFNI.
    #[cfg(target_arch = "x86_64")]
    Wide((Vbmi, Gfni), WideKeys),
    /// AVX2 with GFNI.
    #[cfg(target_arch = "x86_64")]
    Narrow(Gfni, NarrowKeys),
    /// Bit-sliced, on any registers.
    Sliced(Isa, Schedule, circuit::Keys),
    /// [`Self::Wide`] on emulated registers.
    #[cfg(any(test, tautochrone_ctgrind))]
    EmulatedWide(WideKeys),
    /// [`Self::Narrow`] on emulated registers.
    #[cfg(any(test, tautochrone_ctgrind))]
    EmulatedNarrow(NarrowKeys),
}

impl Engine {
    /// The fastest that the instruction set has.
    pub(crate) fn new(isa: Isa, schedule: Schedule) -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let (Some(vbmi), Some(gfni)) = (isa.vbmi(), isa.gfni()) {
                let token = (vbmi, gfni);
                return Self::Wide(token, WideKeys::new::<U64x4<_>, U64x8<_>>(token, schedule));
            }
            if let Some(gfni) = isa.gfni() {
                return Self::Narrow(gfni, NarrowKeys::new::<U64x4<_>, U64x4<_>>(gfni, schedule));
            }
        }
        let keys = circuit::Keys::new(&schedule);
        Self::Sliced(isa, schedule, keys)
    }

    /// Rounds of blocks that are worth a thread: measured such that two threads win with two tasks.
    /// That is from 0.2 ms of work on with GFNI, from 0.6 ms on for the circuit.
    #[cfg(feature = "rayon")]
    pub(crate) fn task(&self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Wide(..) => 1 << 19,
            #[cfg(target_arch = "x86_64")]
            Self::Narrow(..) => 1 << 18,
            Self::Sliced(isa, ..) => sliced::run_length(*isa) << 11,
            #[cfg(any(test, tautochrone_ctgrind))]
            Self::EmulatedWide(..) | Self::EmulatedNarrow(..) => 1 << 12,
        }
    }

    /// Encrypts or decrypts blocks, each by itself.
    ///
    /// # Constant time
    /// In keys and blocks.
    pub(crate) fn process(&self, decrypt: bool, blocks: &mut [[u8; 8]]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Wide(token, keys) => {
                keys.process::<U64x2<_>, U64x4<_>, U64x8<_>, 2>(*token, decrypt, blocks);
            }
            #[cfg(target_arch = "x86_64")]
            Self::Narrow(token, keys) => {
                keys.process::<U64x2<_>, U64x4<_>, U64x4<_>, 1>(*token, decrypt, blocks);
            }
            Self::Sliced(isa, schedule, keys) => {
                sliced::process(*isa, schedule, keys, decrypt, blocks);
            }
            #[cfg(any(test, tautochrone_ctgrind))]
            Self::EmulatedWide(keys) => {
                keys.process::<Emulated<2>, Emulated<4>, Emulated<8>, 2>((), decrypt, blocks);
            }
            #[cfg(any(test, tautochrone_ctgrind))]
            Self::EmulatedNarrow(keys) => {
                keys.process::<Emulated<2>, Emulated<4>, Emulated<4>, 1>((), decrypt, blocks);
            }
        }
    }
}

/// The kernels for GFNI on emulated registers.
#[cfg(any(test, tautochrone_ctgrind))]
impl Engine {
    /// For AVX-512, 64 blocks at a time.
    pub(crate) fn emulated_wide(schedule: Schedule) -> Self {
        Self::EmulatedWide(WideKeys::new::<Emulated<4>, Emulated<8>>((), schedule))
    }

    /// For AVX2, 32 blocks at a time.
    pub(crate) fn emulated_narrow(schedule: Schedule) -> Self {
        Self::EmulatedNarrow(NarrowKeys::new::<Emulated<4>, Emulated<4>>((), schedule))
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
                        crate::scalar::encrypt(&schedule(), u64::from_be_bytes(block)).to_be_bytes()
                    })
                    .collect();
                for engine in
                    [Engine::emulated_wide(schedule()), Engine::emulated_narrow(schedule())]
                {
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
