//! The fast path of a block of trials on registers of several lanes, written once for all of them.
//!
//! Its doubts are a superset of the portable ones, which changes nothing: the full rule settles them.
#![allow(unsafe_code)]

use super::block::{BLOCK, Block};
use super::layout::{Layout, Side};

/// A register of 64-bit lanes. Its existence proves that its instructions are there: every maker takes the token.
pub(super) trait Lanes: Copy {
    /// Proof that the CPU has this register's instructions.
    type Token: Copy;
    /// Lanes: a divisor of 8.
    const COUNT: usize;

    fn splat(token: Self::Token, x: u64) -> Self;
    /// The first [`Self::COUNT`] words.
    fn load(token: Self::Token, words: &[u64]) -> Self;
    /// The even and the odd ones of the first 2 [`Self::COUNT`] words.
    fn load_pairs(token: Self::Token, words: &[u64]) -> (Self, Self);
    /// To the first [`Self::COUNT`] places.
    fn store(self, values: &mut [i64]);
    fn and(self, b: Self) -> Self;
    fn or(self, b: Self) -> Self;
    fn xor(self, b: Self) -> Self;
    fn add(self, b: Self) -> Self;
    fn sub(self, b: Self) -> Self;
    /// Product of the low halves.
    fn mul(self, b: Self) -> Self;
    /// Lane by lane.
    fn shr(self, bits: Self) -> Self;
    fn shr32(self) -> Self;
    /// The first bit of each lane, that of lane 0 lowest.
    fn signs(self) -> u8;
    /// (n, left) of `sides` at these indices.
    ///
    /// # Safety
    /// Every lane is below the length of `sides`.
    unsafe fn sides(self, sides: &[Side]) -> (Self, Self);
}

/// floor(f n / 2^64) and bits 32..64 of the product, for n < 2^32.
#[inline(always)]
fn product<L: Lanes>(f: L, n: L, low_half: L) -> (L, L) {
    let middle = f.shr32().mul(n).add(f.mul(n).shr32());
    (middle.shr32(), middle.and(low_half))
}

/// The same for n < 2^46: the four products of halves are below 2^64, 2^46, 2^64 and 2^46.
#[inline(always)]
fn wide_product<L: Lanes>(f: L, n: L, low_half: L) -> (L, L) {
    let (f_high, n_high) = (f.shr32(), n.shr32());
    let cross = f_high.mul(n);
    let middle = f.mul(n).shr32().add(f.mul(n_high)).add(cross.and(low_half));
    (f_high.mul(n_high).add(cross.shr32()).add(middle.shr32()), middle.and(low_half))
}

/// As the portable `trials`, `count` of them at the front of `words` with `WORDS` words each; `WIDE` where n may be 2^32
/// or more. The last octet may reach into what is beyond: its trials are not looked at.
///
/// Every comparison a < b is the first bit of a - b, as no number here is 2^63 or more.
#[inline(always)]
pub(super) fn trials<L: Lanes, const WORDS: usize, const WIDE: bool>(
    token: L::Token,
    layout: &Layout,
    sides: &[Side],
    words: &[u64],
    count: usize,
    block: &mut Block,
) {
    // The look-ups below are at indices below m.
    assert_eq!(sides.len() as u64, layout.m);
    let splat = |x| L::splat(token, x);
    let one = splat(1);
    let low_half = splat(u32::MAX.into());
    let m = splat(layout.m);
    let index_mask = splat((1 << layout.index_bits) - 1);
    let index_bits = splat(layout.index_bits.into());
    let index_bound = splat(layout.index_bound);
    let keep = splat(u64::MAX << layout.low);
    // The middle half of the product is compared with a bound of n 2^low / 2^32.
    let guard = splat(u64::from(32 - layout.low));
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
                let word = L::load(token, words);
                (word, word)
            } else {
                L::load_pairs(token, words)
            };
            let choice = first.and(index_mask).mul(m);
            let index = choice.shr(index_bits);
            // SAFETY: index < m = sides.len(): it is (a m) >> b for an a < 2^b.
            let (n, left) = unsafe { index.sides(sides) };
            let f = last.and(keep);
            let (x, middle) =
                if WIDE { wide_product(f, n, low_half) } else { product(f, n, low_half) };
            let again = choice.and(index_mask).sub(index_bound);
            // ceil(n 2^low / 2^32) or one more.
            let near = middle.sub(n.shr(guard).add(one));
            let zero_or_right = x.sub(one).or(left.sub(x));
            let unsure = again.or(near).or(zero_or_right);
            *doubt |= unsure.signs() << at;
            let minus = first.shr(index_bits).and(one);
            let minus = splat(0).sub(minus);
            x.xor(minus).sub(minus).store(&mut values[at..]);
            at += L::COUNT;
        }
    }
    const { assert!(BLOCK.is_multiple_of(64) && 8 % L::COUNT == 0) };
}
