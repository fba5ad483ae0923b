//! Circuits on AVX-512 beside the keystream: while one block's planes go through the circuit, those
//! of the next are encrypted.
#![allow(unsafe_code)]

use tautochrone_ctr::{Beside, Registers};
use tautochrone_simd::vector::{U64x8, Vector};
use tautochrone_simd::{Avx512, Token, Vaes};

use super::lanes::Plane;
use super::planes::{Planes, Values};

/// AVX-512 for the circuits, VAES for the keystream.
pub(super) type Both = (Avx512, Vaes);

/// Where the second block starts in the scratch space, in planes: beyond a multiple of pages, so
/// that a store to one block is not taken for one to a plane of the other that is about to be read.
const fn start(rows: usize) -> usize {
    rows.next_multiple_of(16)
}

/// Planes of scratch space for two blocks.
pub(super) const fn space(rows: usize) -> usize {
    start(rows) + rows
}

/// The blocks of a fill, one of them drawn ahead.
pub(super) struct Ahead<'a> {
    token: Both,
    planes: Planes,
    /// Taken out while it is in use, so that it is in registers then.
    keystream: Option<Beside<'a>>,
    /// Random planes of the next block.
    now: &'a mut [Plane],
    /// Space for those of the block after it.
    next: &'a mut [Plane],
}

impl<'a> Ahead<'a> {
    /// `scratch` holds two blocks.
    pub(super) fn new(
        token: Both,
        planes: Planes,
        registers: Registers<'a>,
        scratch: &'a mut [Plane],
    ) -> Self {
        let (now, next) = scratch[..space(planes.rows())].split_at_mut(start(planes.rows()));
        let now = &mut now[..planes.rows()];
        // SAFETY: there are registers, so their features were detected.
        let mut keystream = unsafe { registers.beside() };
        token.vectorize(
            #[inline(always)]
            || finish(token, &mut keystream, now),
        );
        Self { token, planes, keystream: Some(keystream), now, next }
    }

    /// Value planes and signs of the next blocks.
    pub(super) fn blocks(&mut self, values: &mut [Values], signs: &mut [Plane]) {
        let Self { token, planes, keystream: taken, now, next } = self;
        let (token, planes) = (*token, *planes);
        let Some(keystream) = taken.take() else { return };
        *taken = Some(token.vectorize(
            #[inline(always)]
            || {
                let mut keystream = keystream;
                for (values, sign) in values.iter_mut().zip(signs) {
                    *sign = *planes.sign(now);
                    let mut left = &mut **next;
                    planes.block::<U64x8<_>>(
                        token,
                        now,
                        values,
                        #[inline(always)]
                        |i| {
                            // Four registers for four planes, once the circuit reads every plane once.
                            if i % 4 == 3 && i > 4 {
                                let missing = core::mem::take(&mut left);
                                left = make::<4>(token, &mut keystream, missing);
                            }
                        },
                    );
                    finish(token, &mut keystream, left);
                    core::mem::swap(now, next);
                }
                keystream
            },
        ));
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

/// All that are missing.
#[inline(always)]
fn finish(token: Both, keystream: &mut Beside<'_>, mut left: &mut [Plane]) {
    while left.len() >= 8 {
        left = make::<8>(token, keystream, left);
    }
    while !left.is_empty() {
        left = make::<1>(token, keystream, left);
    }
}
