//! Byte look-ups on AVX-512 beside the keystream: while those of one block go on, the random bytes
//! of the next are encrypted.
#![allow(unsafe_code)]

use tautochrone_ctr::{FirstRound, Registers};
use tautochrone_simd::{HasAvx512, Vaes, Vbmi};

use super::avx512;
use super::bytes::Bytes;
use super::lanes::{BLOCK, Plane};
use super::raw::Raw;
use crate::keystream::{Next, Paced};

/// Blocks from which on look-ups run beside the keystream. That of the first block is made by
/// itself, slower than in a longer run: two blocks take 1.05 to 1.2 of the time, four .96 to 1.06,
/// eight .92 to 1.03 and 16 .8 to 1 (Sapphire Rapids).
pub(super) const LEAST: usize = 8;

/// Hands all blocks that `registers` give to `sink`, in order, as many at a time as there are in
/// `raw`.
pub(super) fn blocks<R: Raw>(
    token: (Vbmi, Vaes),
    table: &Bytes,
    registers: Registers<'_>,
    (mut now, mut next): (&mut [Plane], &mut [Plane]),
    raw: &mut [[R; BLOCK]],
    sink: &mut dyn FnMut(&[[R; BLOCK]]),
) {
    let both = (token.0.avx512(), token.1);
    #[expect(clippy::integer_division_remainder_used, reason = "counts are public")]
    let groups = registers.count() / (now.len() * raw.len());
    let mut first_round = FirstRound::new();
    // SAFETY: there are registers, so their features were detected.
    let mut keystream = unsafe { registers.beside_with(&mut first_round) };
    Next::new(both, &mut keystream, now).complete();
    for _ in 0..groups {
        for raw in raw.iter_mut() {
            let mut meanwhile = Paced::new(Next::new(both, &mut keystream, next));
            let random = now.as_flattened().as_chunks().0;
            avx512::bytes(token.0, table, random, raw, Some(&mut meanwhile));
            meanwhile.complete();
            core::mem::swap(&mut now, &mut next);
        }
        sink(raw);
    }
}
