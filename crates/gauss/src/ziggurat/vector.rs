//! The fast path of a block of trials on registers of several lanes, written once for all of them.
//!
//! Its doubts are a superset of the portable ones, which does not change the output: the full rule
//! settles them.
#![allow(unsafe_code)]

use core::hint::black_box;

use bytemuck::cast_slice_mut;
use tautochrone_simd::vector::{Gather, Mask};
use tautochrone_simd::{Token, vectorize};

use super::layout::{BLOCK, Block, Layout, Side};

/// The rectangles as rows of two words, n and left.
#[inline(always)]
fn rows(sides: &[Side]) -> &[[u64; 2]] {
    // SAFETY: a `Side` is two words, in the order of their declaration.
    unsafe { core::slice::from_raw_parts(sides.as_ptr().cast(), sides.len()) }
}

/// floor(f n / 2^64) and bits 32..64 of the product, for n < 2^32.
#[inline(always)]
fn product<V: Gather>(f: V, n: V, low_half: V) -> (V, V) {
    let middle = f.shr::<32>().mul_low_32(n).add(f.mul_low_32(n).shr::<32>());
    (middle.shr::<32>(), middle.and(low_half))
}

/// The same for n < 2^46: the four products of halves are below 2^64, 2^46, 2^64 and 2^46.
#[inline(always)]
fn wide_product<V: Gather>(f: V, n: V, low_half: V) -> (V, V) {
    let (f_high, n_high) = (f.shr::<32>(), n.shr::<32>());
    let cross = f_high.mul_low_32(n);
    let middle = f.mul_low_32(n).shr::<32>().add(f.mul_low_32(n_high)).add(cross.and(low_half));
    (f_high.mul_low_32(n_high).add(cross.shr::<32>()).add(middle.shr::<32>()), middle.and(low_half))
}

/// As the portable `trials`, `count` of them at the front of `words`. The last octet may reach
/// beyond `count`: what its trials leave is arbitrary.
pub(super) fn trials<V: Gather>(
    token: V::Token,
    layout: &Layout,
    sides: &[Side],
    words: &[u64],
    count: usize,
    block: &mut Block,
) {
    // Two words are for distributions too wide for one: there is no such narrow kernel.
    match (layout.words(), layout.wide) {
        (1, false) => {
            vectorize!(token, octets::<V, 1, false>(token, layout, sides, words, count, block));
        }
        (1, true) => {
            vectorize!(token, octets::<V, 1, true>(token, layout, sides, words, count, block));
        }
        _ => vectorize!(token, octets::<V, 2, true>(token, layout, sides, words, count, block)),
    }
}

/// With `WORDS` words for a trial; `WIDE` where n may be 2^32 or more.
///
/// Every comparison a < b is the highest bit of a - b, as no number here is 2^63 or more.
#[inline(always)]
fn octets<V: Gather, const WORDS: usize, const WIDE: bool>(
    token: V::Token,
    layout: &Layout,
    sides: &[Side],
    words: &[u64],
    count: usize,
    block: &mut Block,
) {
    // The look-ups below are at indices below m.
    assert_eq!(sides.len() as u64, layout.m);
    let splat = |x| V::splat(token, x);
    let one = splat(1);
    let low_half = splat(u32::MAX.into());
    // A compiler that saw it made of one word would forget that it has 32 bits, and multiply 64
    // bits.
    let m = black_box(splat(layout.m));
    let index_mask = splat((1 << layout.index_bits) - 1);
    // Counts that are known to be below 64 need no comparison.
    let index_bits = splat((layout.index_bits & 63).into());
    let index_bound = splat(layout.index_bound);
    let factor_mask = splat(u64::MAX << layout.low);
    // The middle half of the product is compared with a bound of n 2^low / 2^32.
    let guard = splat(u64::from((32 - layout.low) & 63));
    let octets = words.chunks_exact(8 * WORDS).take(count.div_ceil(8));
    debug_assert_eq!(octets.len(), count.div_ceil(8), "whole octets");
    let octets =
        octets.zip(block.values.as_chunks_mut::<8>().0).zip(block.doubt.as_flattened_mut());
    for ((words, values), doubt) in octets {
        *doubt = 0;
        let mut at = 0;
        while at < 8 {
            let words = &words[at * WORDS..];
            let (first, last) = if WORDS == 1 {
                let word = V::load(token, words);
                (word, word)
            } else {
                V::load(token, words).unzip(V::load(token, &words[V::LANES..]))
            };
            let choice = first.and(index_mask).mul_low_32(m);
            let index = choice.shr_each(index_bits);
            // SAFETY: index < m = sides.len(): it is (a m) >> b for an a < 2^b.
            let (n, left) = unsafe { index.gather_rows(rows(sides)) };
            let f = last.and(factor_mask);
            let (x, middle) =
                if WIDE { wide_product(f, n, low_half) } else { product(f, n, low_half) };
            let biased = choice.and(index_mask).sub(index_bound);
            // ceil(n 2^low / 2^32) or one more.
            let near = middle.sub(n.shr_each(guard).add(one));
            let zero_or_right = x.sub(one).or(left.sub(x));
            let unsure = biased.or(near).or(zero_or_right);
            *doubt |= (unsure.sign().bits() << at) as u8;
            let minus = first.shr_each(index_bits).and(one);
            let minus = splat(0).sub(minus);
            x.xor(minus).sub(minus).store(cast_slice_mut(&mut values[at..]));
            at += V::LANES;
        }
    }
    const { assert!(BLOCK.is_multiple_of(64) && 8 % V::LANES == 0) };
}
