//! Circuits on AVX-512 interleaved with encryption: while one block's planes go through the
//! circuit, the planes of the next are encrypted.
#![allow(unsafe_code)]

use bytemuck::cast_slice_mut;
use tautochrone_ctr::Interleave;
use tautochrone_simd::vector::{U64x8, Vector};
use tautochrone_simd::{Avx512, Token, Vaes, vectorize, wipe};

use super::lanes::{CAPACITY, Plane, Scratch, WORDS};
use super::planes::{NONE, Planes, Values};

/// Where the second block starts in the scratch space, in planes: away from a multiple of pages,
/// so that a store to one block is not taken for one to a plane of the other that is about to be
/// read.
const fn start(rows: usize) -> usize {
    let start = rows.next_multiple_of(16);
    if start.is_multiple_of(64) { start + 16 } else { start }
}

/// Space for two blocks, if there is as much.
pub(super) fn two_blocks(
    rows: usize,
    scratch: &mut Scratch,
) -> Option<(&mut [Plane], &mut [Plane])> {
    let start = start(rows);
    let used = start + rows;
    let planes = (used <= CAPACITY).then(|| scratch.front(used * WORDS))?;
    let (first, second) = cast_slice_mut(planes).split_at_mut(start);
    Some((&mut first[..rows], second))
}

/// AVX-512 for the circuits, VAES for the keystream.
type Tokens = (Avx512, Vaes);

/// Hands value planes and signs of all blocks that `keystream` gives to `sink`; `now` and `next`
/// are space for two blocks. Not generic: the circuits are compiled once.
pub(super) fn blocks(
    token: Tokens,
    planes: &Planes,
    mut keystream: Interleave<'_>,
    (mut now, mut next): (&mut [Plane], &mut [Plane]),
    sink: &mut dyn FnMut(&Values, &Plane),
) {
    #[expect(clippy::integer_division_remainder_used, reason = "counts are public")]
    let blocks = keystream.count() / planes.rows();
    let mut values = [NONE; _];
    vectorize!(token, {
        finish(token, &mut keystream, now);
        for _ in 0..blocks {
            let mut left = &mut *next;
            planes.block::<U64x8<_>>(
                token,
                now,
                &mut values,
                #[inline(always)]
                |i| {
                    // Four registers for four planes, once the circuit reads every plane once.
                    if i & 3 == 3 && i > 4 {
                        let missing = core::mem::take(&mut left);
                        left = make::<4>(token, &mut keystream, missing);
                    }
                },
            );
            finish(token, &mut keystream, left);
            sink(&values, planes.sign(now));
            core::mem::swap(&mut now, &mut next);
        }
    });
    wipe(values.as_flattened_mut(), 0);
}

/// The next `N` planes, if as many are missing, to the front of `missing`; returns the planes that
/// are missing then.
#[inline(always)]
fn make<'a, const N: usize>(
    token: Tokens,
    keystream: &mut Interleave<'_>,
    missing: &'a mut [Plane],
) -> &'a mut [Plane] {
    if missing.len() < N {
        return missing;
    }
    let (places, rest) = missing.split_at_mut(N);
    // SAFETY: there is a keystream, so its features were detected. After the last block it gives
    // none.
    if let Some(registers) = unsafe { keystream.draw::<N>() } {
        for (place, register) in places.iter_mut().zip(registers) {
            U64x8::from_raw(token, register).store_bytes(place);
        }
    }
    rest
}

/// All that are missing, none of them alone: the rounds of one register wait for each other.
#[inline(always)]
fn finish(token: Tokens, keystream: &mut Interleave<'_>, mut missing: &mut [Plane]) {
    while missing.len() > 1 {
        missing = match missing.len() {
            2 => make::<2>(token, keystream, missing),
            3 => make::<3>(token, keystream, missing),
            5 | 9 => make::<5>(token, keystream, missing),
            _ => make::<4>(token, keystream, missing),
        };
    }
    if !missing.is_empty() {
        make::<1>(token, keystream, missing);
    }
}
