//! The trials of [`super::portable`], sixteen at a time: two octets of eight lanes.
//!
//! Neither closures nor `array::map` around registers: code that is not inlined into
//! [`Token::vectorize`] is compiled without its instructions.

mod centres;
pub(super) mod coordinates;
mod kernel;
mod keystream;

use tautochrone_simd::vector::{Compare, Compress, Float, LookUp, Mask, Product};
use tautochrone_simd::{Token, declassify, vectorize};

use super::batch::{GROUP, GROUP_WORDS, MAX_GROUPS};
use super::centre::Centre;
use super::setup::Table;
use crate::element::WideSample;
use centres::{Centres, One, Zero};
use kernel::Kernel;
pub(super) use keystream::Keystream;
use keystream::Memory;

/// A register of eight lanes, with all that trials need.
pub(super) trait Register: Compare + Compress + Float + LookUp + Product {}
impl<V: Compare + Compress + Float + LookUp + Product> Register for V {}

/// Runs `$body` with `$V` the registers of eight lanes that a sampler's instruction set has, and
/// `$token` the proof of it; nothing if there are none that are faster than the portable code.
macro_rules! on_registers {
    ($sampler:expr, $token:ident, $V:ident, $body:expr) => {
        #[cfg(any(test, tautochrone_ctgrind))]
        if $sampler.emulated {
            type $V = tautochrone_simd::vector::Emulated<8>;
            let $token = ();
            $body
        }
        #[cfg(target_arch = "x86_64")]
        if let Some($token) = $sampler.isa.ifma() {
            type $V = tautochrone_simd::vector::U64x8<tautochrone_simd::Ifma>;
            $body
        } else if let Some($token) = $sampler.isa.avx2() {
            use tautochrone_simd::vector::{Pair, U64x4};
            type $V = Pair<U64x4<tautochrone_simd::Avx2>>;
            $body
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        if let Some($token) = $sampler.isa.neon() {
            use tautochrone_simd::vector::{Pair, U64x2};
            type $V = Pair<Pair<U64x2<tautochrone_simd::Neon>>>;
            $body
        }
    };
}
pub(super) use on_registers;

/// How far trials came: groups whose decisions are all certain, and the samples they gave.
pub(super) type Progress = (usize, usize);

/// As [`super::portable::trials`], batch after batch up to the first that has a decision in doubt,
/// with the accepted samples stored in order. `samples` has an element for each trial.
pub(super) fn trials<V: Register, T: WideSample>(
    token: V::Token,
    table: &Table,
    centre: Option<&Centre>,
    words: &[u64],
    samples: &mut [T],
) -> Progress {
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    let groups = words.len() / GROUP_WORDS;
    vectorize!(
        token,
        samples_around::<V, T>(token, table, centre, Memory::new(token, words), groups, samples)
    )
}

#[inline(always)]
pub(super) fn samples_around<V: Register, T: WideSample>(
    token: V::Token,
    table: &Table,
    centre: Option<&Centre>,
    keystream: impl Keystream<V>,
    groups: usize,
    samples: &mut [T],
) -> Progress {
    match centre {
        None => compress::<V, T>(token, table, Zero, keystream, groups, samples),
        Some(centre) => {
            let centre = One::new(token, centre, table.trial.step);
            compress::<V, T>(token, table, centre, keystream, groups, samples)
        }
    }
}

#[inline(always)]
fn compress<V: Register, T: WideSample>(
    token: V::Token,
    table: &Table,
    centre: impl Centres<V>,
    mut keystream: impl Keystream<V>,
    groups: usize,
    samples: &mut [T],
) -> Progress {
    const { assert!(MAX_GROUPS.is_power_of_two()) };
    if groups == 0 {
        return (0, 0);
    }
    let kernel = Kernel::<V>::new(token, table);
    let (mut certain, mut count, mut doubts) = ((0, 0), 0, kernel.doubts());
    let mut open = kernel.open(keystream.group(), &mut keystream, [centre; 2], &mut doubts);
    for done in 1..=groups {
        let [first, second] = if done < groups {
            let group = keystream.group();
            let (closed, next) =
                kernel.advance(&open, group, &mut keystream, [centre; 2], &mut doubts);
            open = next;
            closed
        } else {
            kernel.close(&open, &mut doubts)
        };
        let out: &mut [T; GROUP] =
            samples[count..].first_chunk_mut().expect("an element for each trial");
        let accepted = [declassify(first.0.bits()), declassify(second.0.bits())];
        let counts = [accepted[0].count_ones() as usize, accepted[1].count_ones() as usize];
        T::compress(first.1, accepted[0], out);
        T::compress(second.1, accepted[1], &mut out[counts[0]..]);
        count += counts[0] + counts[1];
        if done & (MAX_GROUPS - 1) == 0 || done == groups {
            if kernel.any(&doubts) {
                break;
            }
            certain = (done, count);
        }
    }
    certain
}
