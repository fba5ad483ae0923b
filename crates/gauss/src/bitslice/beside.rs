//! Circuits on AVX-512 beside the keystream: while one block's planes go through the circuit, those
//! of the next are encrypted.
#![allow(unsafe_code)]

use tautochrone_ctr::{Beside, FirstRound, Registers};
use tautochrone_simd::vector::U64x8;
use tautochrone_simd::{Token, wipe};

use super::lanes::Plane;
use super::planes::{NONE, Planes, Values};
use crate::keystream::{Both, finish, make};

/// Where the second block starts in the scratch space, in planes: away from a multiple of pages,
/// so that a store to one block is not taken for one to a plane of the other that is about to be
/// read.
const fn start(rows: usize) -> usize {
    let start = rows.next_multiple_of(16);
    if start.is_multiple_of(64) { start + 16 } else { start }
}

/// Planes of scratch space for two blocks.
pub(super) const fn space(rows: usize) -> usize {
    start(rows) + rows
}

/// Space for two blocks.
pub(super) fn two_blocks(rows: usize, scratch: &mut [Plane]) -> (&mut [Plane], &mut [Plane]) {
    let (first, second) = scratch[..space(rows)].split_at_mut(start(rows));
    (&mut first[..rows], second)
}

/// The blocks of a fill, one of them drawn ahead.
pub(super) struct Ahead<'a> {
    token: Both,
    planes: Planes,
    keystream: Beside<'a>,
    blocks: usize,
    /// Random planes of the next block.
    now: &'a mut [Plane],
    /// Space for those of the block after it.
    next: &'a mut [Plane],
}

impl<'a> Ahead<'a> {
    /// With space for two blocks.
    pub(super) fn new(
        token: Both,
        planes: Planes,
        registers: Registers<'a>,
        first_round: &'a mut FirstRound,
        now: &'a mut [Plane],
        next: &'a mut [Plane],
    ) -> Self {
        #[expect(clippy::integer_division_remainder_used, reason = "counts are public")]
        let blocks = registers.count() / planes.rows();
        // SAFETY: there are registers, so their features were detected.
        let keystream = unsafe { registers.beside_with(first_round) };
        Self { token, planes, keystream, blocks, now, next }
    }

    /// Hands value planes and signs of all blocks to `sink`. Not generic: the circuits are compiled
    /// once.
    pub(super) fn blocks(self, sink: &mut dyn FnMut(&Values, &Plane)) {
        let Self { token, planes, mut keystream, blocks, mut now, mut next } = self;
        let mut values = [NONE; _];
        token.vectorize(
            #[inline(always)]
            || {
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
            },
        );
        wipe(values.as_flattened_mut(), 0);
    }
}
