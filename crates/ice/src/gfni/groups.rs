//! Rounds on groups of blocks, of which a register has a byte each: half a block is in four
//! registers.

mod io;

use alloc::vec::Vec;

use tautochrone_simd::vector::{Bytes, Gf2p8, Vector};
use tautochrone_simd::{Token, vectorize, wipe};

use super::columns;
use super::keys::{Packed, Words};

/// s0 to s3 of `layout`, for the blocks of a group.
pub(super) type State<V> = [V; 4];

/// A round's key as a kernel takes it.
pub(crate) trait RoundKey: Copy {
    /// The value of erased keys.
    const ZERO: Self;
}

/// The round of a kernel with its key, on registers of one kind; `#[inline(always)]`.
pub(crate) trait Kernel<V: Gf2p8 + Bytes>: RoundKey {
    /// Whether the nibbles of s2 and s3 are exchanged (`place_apart` of `layout`).
    const APART: bool;

    /// From the bytes of a round's key, in registers of four words.
    fn new<V4: Words + Vector<Token = V::Token>>(token: V::Token, key: u64) -> Self;

    /// to ^= F(from).
    fn round(&self, from: &State<V>, to: &mut State<V>);
}

/// The rounds of a key; erased when dropped.
pub(crate) struct Rounds<R: RoundKey>(Vec<R>);

impl<R: RoundKey> Rounds<R> {
    pub(super) fn new<V4, V>(token: V::Token, schedule: &Packed) -> Self
    where
        R: Kernel<V>,
        V4: Words + Vector<Token = V::Token>,
        V: Gf2p8 + Bytes,
    {
        vectorize!(token, {
            let mut rounds = Vec::with_capacity(schedule.0.len());
            // Not `push`, before whose growth all registers would be spilled.
            rounds.extend(schedule.0.iter().map(
                #[inline(always)]
                |key| R::new::<V4>(token, *key),
            ));
            Self(rounds)
        })
    }
}

impl<R: RoundKey> Drop for Rounds<R> {
    fn drop(&mut self) {
        wipe(&mut self.0, R::ZERO);
    }
}

/// All rounds on `G` `WHOLE` groups of blocks. Otherwise there may be fewer blocks: the last group
/// overlaps the one before it, or is not full if it is the only one.
#[inline(always)]
fn groups<'k, R: Kernel<V> + 'k, V: Gf2p8 + Bytes, const G: usize, const WHOLE: bool>(
    token: V::Token,
    mut rounds: impl Iterator<Item = &'k R>,
    blocks: &mut [[u8; 8]],
) {
    let mut left = [[V::zero(token); 4]; G];
    let mut right = left;
    let size = columns::group::<V>();
    let length = if WHOLE { size } else { size.min(blocks.len()) };
    let start = |g: usize, blocks: usize| {
        if WHOLE { g * size } else { (g * size).min(blocks - length) }
    };
    for g in 0..G {
        let halves = columns::load::<V, WHOLE>(token, &blocks[start(g, blocks.len())..][..length]);
        (left[g], right[g]) = (io::pack(halves[0], R::APART), io::pack(halves[1], R::APART));
    }
    // The number of rounds is even.
    while let (Some(one), Some(two)) = (rounds.next(), rounds.next()) {
        for g in 0..G {
            one.round(&right[g], &mut left[g]);
        }
        for g in 0..G {
            two.round(&left[g], &mut right[g]);
        }
    }
    for g in 0..G {
        let halves = [io::unpack(right[g], R::APART), io::unpack(left[g], R::APART)];
        let start = start(g, blocks.len());
        columns::store::<V, WHOLE>(halves, &mut blocks[start..][..length]);
    }
}

/// A kernel with the rounds of either direction, `$rounds`, compiled for each.
macro_rules! in_direction {
    ($keys:expr, $decrypt:expr, |$rounds:ident| $kernel:expr) => {
        if $decrypt {
            let $rounds = $keys.0.iter().rev();
            $kernel
        } else {
            let $rounds = $keys.0.iter();
            $kernel
        }
    };
}

/// Encrypts or decrypts blocks, `G` groups side by side, which hides latencies. Of what is left
/// behind such runs there is a register's worth at least, or nothing.
///
/// # Panics
/// If less is left.
pub(super) fn run<R: Kernel<V>, V: Gf2p8 + Bytes, const G: usize>(
    token: V::Token,
    keys: &Rounds<R>,
    decrypt: bool,
    blocks: &mut [[u8; 8]],
) {
    vectorize!(token, {
        let mut runs = blocks.chunks_exact_mut(G * columns::group::<V>());
        for blocks in &mut runs {
            in_direction!(keys, decrypt, |rounds| groups::<R, V, G, true>(token, rounds, blocks));
        }
        let rest = runs.into_remainder();
        if G > 1 && rest.len() > columns::group::<V>() {
            in_direction!(keys, decrypt, |rounds| groups::<R, V, G, false>(token, rounds, rest));
        } else if !rest.is_empty() {
            in_direction!(keys, decrypt, |rounds| groups::<R, V, 1, false>(token, rounds, rest));
        }
    });
}
