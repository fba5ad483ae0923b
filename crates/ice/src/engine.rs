//! Which kernel an instruction set runs, and its keys.

use tautochrone_simd::Isa;
#[cfg(any(test, tautochrone_ctgrind))]
use tautochrone_simd::vector::Emulated;
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
use tautochrone_simd::vector::Vector;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::{U64x2, U64x4, U64x8};
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
use tautochrone_simd::wipe;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::{Gfni, Vbmi};

use crate::circuit;
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
use crate::gfni::keys::{Packed, Words};
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
use crate::gfni::register::{LaneRegister, WideRegister};
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
use crate::gfni::{lanes, narrow, wide};
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
                return Self::Narrow(gfni, NarrowKeys::new::<U64x4<_>>(gfni, schedule));
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
                keys.process::<U64x2<_>, U64x4<_>, U64x8<_>>(*token, decrypt, blocks);
            }
            #[cfg(target_arch = "x86_64")]
            Self::Narrow(token, keys) => {
                keys.process::<U64x2<_>, U64x4<_>>(*token, decrypt, blocks);
            }
            Self::Sliced(isa, schedule, keys) => {
                sliced::process(*isa, schedule, keys, decrypt, blocks);
            }
            #[cfg(any(test, tautochrone_ctgrind))]
            Self::EmulatedWide(keys) => {
                keys.process::<Emulated<2>, Emulated<4>, Emulated<8>>((), decrypt, blocks);
            }
            #[cfg(any(test, tautochrone_ctgrind))]
            Self::EmulatedNarrow(keys) => {
                keys.process::<Emulated<2>, Emulated<4>>((), decrypt, blocks);
            }
        }
    }
}

/// Splits off the blocks behind whole groups if it is less than a register of `least` blocks.
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
#[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
fn split(blocks: &mut [[u8; 8]], group: usize, least: usize) -> (&mut [[u8; 8]], &mut [[u8; 8]]) {
    let rest = blocks.len() % group;
    blocks.split_at_mut(blocks.len() - if rest < least { rest } else { 0 })
}

/// Runs a kernel that takes N blocks at least on fewer, and zeros behind them.
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
fn padded<const N: usize>(blocks: &mut [[u8; 8]], kernel: impl FnOnce(&mut [[u8; 8]])) {
    let mut copy = [[0; 8]; N];
    copy[..blocks.len()].copy_from_slice(blocks);
    kernel(&mut copy);
    blocks.copy_from_slice(&copy[..blocks.len()]);
    wipe(&mut copy, [0; 8]);
}

/// The rounds of a key for AVX-512.
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
pub(crate) struct WideKeys {
    groups: wide::Keys,
    lanes: lanes::Keys,
}

#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
impl WideKeys {
    fn new<V4: Words, V8: WideRegister + Vector<Token = V4::Token>>(
        token: V4::Token,
        schedule: Schedule,
    ) -> Self {
        let schedule = Packed::new(schedule);
        Self {
            groups: wide::keys::<V4, V8>(token, &schedule),
            lanes: lanes::Keys::new::<V4>(token, &schedule),
        }
    }

    /// Pairs of groups of 64, then the fastest way for the rest.
    fn process<V2, V4, V8>(&self, token: V2::Token, decrypt: bool, blocks: &mut [[u8; 8]])
    where
        V2: LaneRegister,
        V4: LaneRegister + Vector<Token = V2::Token>,
        V8: LaneRegister + WideRegister + Vector<Token = V2::Token>,
    {
        let groups = |blocks: &mut _| wide::run::<V8>(token, &self.groups, decrypt, blocks);
        let (whole, rest) = split(blocks, 128, 8);
        if !whole.is_empty() {
            groups(whole);
        }
        match rest.len() {
            0 => (),
            1 => lanes::process::<V2>(token, &self.lanes, decrypt, rest),
            2 => lanes::process::<V4>(token, &self.lanes, decrypt, rest),
            3..=4 => lanes::process::<V8>(token, &self.lanes, decrypt, rest),
            _ => padded::<8>(rest, groups),
        }
    }
}

/// The rounds of a key for AVX2.
#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
pub(crate) struct NarrowKeys {
    groups: narrow::Keys,
    lanes: lanes::Keys,
}

#[cfg(any(target_arch = "x86_64", test, tautochrone_ctgrind))]
impl NarrowKeys {
    fn new<V: Words>(token: V::Token, schedule: Schedule) -> Self {
        let schedule = Packed::new(schedule);
        Self {
            groups: narrow::keys::<V>(token, &schedule),
            lanes: lanes::Keys::new::<V>(token, &schedule),
        }
    }

    /// Groups of 32, then the fastest way for the rest.
    fn process<V2, V4>(&self, token: V2::Token, decrypt: bool, blocks: &mut [[u8; 8]])
    where
        V2: LaneRegister,
        V4: LaneRegister + Vector<Token = V2::Token>,
    {
        let groups = |blocks: &mut _| narrow::run::<V4>(token, &self.groups, decrypt, blocks);
        let (whole, rest) = split(blocks, 32, 4);
        if !whole.is_empty() {
            groups(whole);
        }
        match rest.len() {
            0 => (),
            1 => lanes::process::<V2>(token, &self.lanes, decrypt, rest),
            2 => lanes::process::<V4>(token, &self.lanes, decrypt, rest),
            _ => padded::<4>(rest, groups),
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
        Self::EmulatedNarrow(NarrowKeys::new::<Emulated<4>>((), schedule))
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
