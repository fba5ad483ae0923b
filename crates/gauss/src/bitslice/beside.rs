//! Keystream on AVX-512 beside the work on blocks: while one block's planes go through a circuit,
//! those of the next are encrypted.
#![allow(unsafe_code)]

use tautochrone_ctr::{Beside, FirstRound, Registers};
use tautochrone_simd::vector::{U64x8, Vector};
use tautochrone_simd::{Avx512, Token, Vaes, wipe};

use super::lanes::Plane;
use super::planes::{NONE, Planes, Values};

/// AVX-512 for the circuits, VAES for the keystream.
pub(super) type Both = (Avx512, Vaes);

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

/// The keystream of the block after the one that is worked on.
pub(super) struct Next<'a, 'b> {
    pub(super) token: Both,
    keystream: &'a mut Beside<'b>,
    missing: &'a mut [Plane],
}

impl<'a, 'b> Next<'a, 'b> {
    /// All planes of `missing` are to be made.
    pub(super) const fn new(
        token: Both,
        keystream: &'a mut Beside<'b>,
        missing: &'a mut [Plane],
    ) -> Self {
        Self { token, keystream, missing }
    }

    /// Planes that are still to be made.
    pub(super) const fn missing(&self) -> usize {
        self.missing.len()
    }

    /// Four of them, side by side, if so many are missing.
    #[inline(always)]
    pub(super) fn four(&mut self) {
        let missing = core::mem::take(&mut self.missing);
        self.missing = make::<4>(self.token, self.keystream, missing);
    }

    /// What is still missing.
    pub(super) fn complete(self) {
        let Self { token, keystream, missing } = self;
        token.vectorize(
            #[inline(always)]
            || finish(token, keystream, missing),
        );
    }
}

/// The next `N` registers, if as many are missing, to the front of `left`; what is missing then.
#[inline(always)]
fn make<'a, const N: usize>(
    token: Both,
    keystream: &mut Beside<'_>,
    left: &'a mut [Plane],
) -> &'a mut [Plane] {
    if left.len() < N {
        return left;
    }
    let (planes, rest) = left.split_at_mut(N);
    // SAFETY: as above. After the last block there are none.
    if let Some(registers) = unsafe { keystream.draw::<N>() } {
        for (plane, register) in planes.iter_mut().zip(registers) {
            U64x8::from_raw(token, register).store_bytes(plane);
        }
    }
    rest
}

/// All that are missing, none of them alone: the rounds of one register wait for each other.
#[inline(always)]
fn finish(token: Both, keystream: &mut Beside<'_>, mut left: &mut [Plane]) {
    while left.len() > 1 {
        left = match left.len() {
            2 => make::<2>(token, keystream, left),
            3 => make::<3>(token, keystream, left),
            5 | 9 => make::<5>(token, keystream, left),
            _ => make::<4>(token, keystream, left),
        };
    }
    if !left.is_empty() {
        make::<1>(token, keystream, left);
    }
}
