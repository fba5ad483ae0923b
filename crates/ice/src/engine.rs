//! Which kernel an instruction set runs, and its keys.

use tautochrone_simd::Isa;
#[cfg(any(test, tautochrone_ctgrind))]
use tautochrone_simd::vector::Emulated;
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
use tautochrone_simd::vector::Vector;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::{U64x2, U64x4, U64x8};
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::{Gfni, Vbmi};

use crate::circuit;
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
use crate::gfni::register::LaneRegister;
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
use crate::gfni::{lanes, narrow, wide};
use crate::schedule::Schedule;
use crate::sliced;

/// A kernel with the rounds of a key in its form, and in that of [`lanes`], which few blocks go
/// through: one or two, on AVX-512 up to four. More are faster in a group, even if it is not full.
pub(crate) enum Engine {
    /// AVX-512 with VBMI and GFNI.
    #[cfg(target_arch = "x86_64")]
    Wide((Vbmi, Gfni), wide::Keys, lanes::Keys),
    /// AVX2 with GFNI.
    #[cfg(target_arch = "x86_64")]
    Narrow(Gfni, narrow::Keys, lanes::Keys),
    /// Bit-sliced, on any registers.
    Sliced(Isa, Schedule, circuit::Keys),
    /// [`Self::Wide`] on emulated registers.
    #[cfg(any(test, tautochrone_ctgrind))]
    EmulatedWide(wide::Keys, lanes::Keys),
    /// [`Self::Narrow`] on emulated registers.
    #[cfg(any(test, tautochrone_ctgrind))]
    EmulatedNarrow(narrow::Keys, lanes::Keys),
}

impl Engine {
    /// The fastest that the instruction set has.
    pub(crate) fn new(isa: Isa, schedule: Schedule) -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let (Some(vbmi), Some(gfni)) = (isa.vbmi(), isa.gfni()) {
                let token = (vbmi, gfni);
                let keys = wide::Keys::new::<U64x4<_>>(token, &schedule);
                let lane_keys = lanes::Keys::new::<U64x4<_>>(token, &schedule);
                return Self::Wide(token, keys, lane_keys);
            }
            if let Some(gfni) = isa.gfni() {
                let keys = narrow::Keys::new::<U64x4<_>>(gfni, &schedule);
                let lane_keys = lanes::Keys::new::<U64x4<_>>(gfni, &schedule);
                return Self::Narrow(gfni, keys, lane_keys);
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
            Self::Wide(token, keys, lane_keys) => match blocks.len() {
                0..=2 => one_or_two::<U64x2<_>, U64x4<_>>(*token, lane_keys, decrypt, blocks),
                3..=4 => lanes::process::<U64x8<_>>(*token, lane_keys, decrypt, blocks),
                _ => wide::run::<U64x8<_>>(*token, keys, decrypt, blocks),
            },
            #[cfg(target_arch = "x86_64")]
            Self::Narrow(token, keys, lane_keys) => match blocks.len() {
                0..=2 => one_or_two::<U64x2<_>, U64x4<_>>(*token, lane_keys, decrypt, blocks),
                _ => narrow::run::<U64x4<_>>(*token, keys, decrypt, blocks),
            },
            Self::Sliced(isa, schedule, keys) => {
                sliced::process(*isa, schedule, keys, decrypt, blocks);
            }
            #[cfg(any(test, tautochrone_ctgrind))]
            Self::EmulatedWide(keys, lane_keys) => match blocks.len() {
                0..=2 => one_or_two::<Emulated<2>, Emulated<4>>((), lane_keys, decrypt, blocks),
                3..=4 => lanes::process::<Emulated<8>>((), lane_keys, decrypt, blocks),
                _ => wide::run::<Emulated<8>>((), keys, decrypt, blocks),
            },
            #[cfg(any(test, tautochrone_ctgrind))]
            Self::EmulatedNarrow(keys, lane_keys) => match blocks.len() {
                0..=2 => one_or_two::<Emulated<2>, Emulated<4>>((), lane_keys, decrypt, blocks),
                _ => narrow::run::<Emulated<4>>((), keys, decrypt, blocks),
            },
        }
    }
}

/// At most two blocks, each in 128 bits of a register for one or for two.
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
fn one_or_two<V1: LaneRegister, V2: LaneRegister + Vector<Token = V1::Token>>(
    token: V1::Token,
    keys: &lanes::Keys,
    decrypt: bool,
    blocks: &mut [[u8; 8]],
) {
    match blocks.len() {
        0 => (),
        1 => lanes::process::<V1>(token, keys, decrypt, blocks),
        _ => lanes::process::<V2>(token, keys, decrypt, blocks),
    }
}

/// The kernels for GFNI on emulated registers.
#[cfg(any(test, tautochrone_ctgrind))]
impl Engine {
    /// For AVX-512, 64 blocks at a time.
    pub(crate) fn emulated_wide(schedule: &Schedule) -> Self {
        let wide = wide::Keys::new::<Emulated<4>>((), schedule);
        Self::EmulatedWide(wide, lanes::Keys::new::<Emulated<4>>((), schedule))
    }

    /// For AVX2, 32 blocks at a time.
    pub(crate) fn emulated_narrow(schedule: &Schedule) -> Self {
        let narrow = narrow::Keys::new::<Emulated<4>>((), schedule);
        Self::EmulatedNarrow(narrow, lanes::Keys::new::<Emulated<4>>((), schedule))
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
            for count in [0, 1, 2, 3, 4, 5, 8, 9, 31, 32, 33, 63, 64, 65, 73, 127, 128, 129] {
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
                    [Engine::emulated_wide(&schedule()), Engine::emulated_narrow(&schedule())]
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
