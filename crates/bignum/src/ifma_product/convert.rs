//! Limbs to digits and back, sixteen digits and thirteen limbs at a time: both are 832 bits.
use tautochrone_simd::vector::LookUp;
use tautochrone_simd::wipe;

use crate::radix52::{LANES, RADIX, Radix52};

/// Registers that the products need.
pub(crate) trait Register: Radix52 + LookUp {}
impl<V: Radix52 + LookUp> Register for V {}

/// Registers of a group.
const GROUP: usize = 2;
/// Limbs of a group.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
const LIMBS: usize = GROUP * LANES * RADIX / 64;

/// For one of two registers: the limb in which each digit starts, and the bit of the limb.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
const fn starts(register: usize) -> [[u64; LANES]; 2] {
    let (mut starts, mut l) = ([[0; LANES]; 2], 0);
    while l < LANES {
        let bit = RADIX * (LANES * register + l);
        starts[0][l] = bit as u64 / 64;
        starts[1][l] = bit as u64 % 64;
        l += 1;
    }
    starts
}
static STARTS: [[[u64; LANES]; 2]; GROUP] = [starts(0), starts(1)];

/// For eight limbs from `first` on: the digit in which each starts, and the bit of the digit; 2^8
/// for limbs beyond the group, which are zero.
#[expect(clippy::integer_division_remainder_used, reason = "constants")]
const fn ends(first: usize) -> [[u64; LANES]; 2] {
    let (mut ends, mut l) = ([[0; LANES]; 2], 0);
    while l < LANES {
        let bit = 64 * (first + l);
        ends[0][l] = (bit / RADIX) as u64;
        ends[1][l] = if first + l < LIMBS { (bit % RADIX) as u64 } else { 1 << 8 };
        l += 1;
    }
    ends
}
static ENDS: [[[u64; LANES]; 2]; GROUP] = [ends(0), ends(LANES)];

/// out := digits of x, and zeros above them.
#[inline(always)]
pub(super) fn split<V: Register>(token: V::Token, out: &mut [V], x: &[u64]) {
    let mut start = 0;
    for out in out.chunks_mut(GROUP) {
        let rest = x.get(start..).unwrap_or_default();
        if let Some(words) = rest.first_chunk() {
            split_group::<V, true>(token, out, words, 0);
        } else if let Some(words) = x.last_chunk::<{ 2 * LANES }>() {
            // The last limbs; from `start` on they belong to the group.
            split_group::<V, false>(token, out, words, (2 * LANES - rest.len()) as u64);
        } else {
            let mut words = [0; 2 * LANES];
            words[..rest.len()].copy_from_slice(rest);
            split_group::<V, true>(token, out, &words, 0);
            wipe(&mut words, 0);
        }
        start += LIMBS;
    }
}

/// The digits of one group, whose first limb is `words[first]`; limbs beyond the last are zero,
/// but for `ALL` there are none.
#[inline(always)]
fn split_group<V: Register, const ALL: bool>(
    token: V::Token,
    out: &mut [V],
    words: &[u64; 2 * LANES],
    first: u64,
) {
    let (one, bits, digit) = (V::splat(token, 1), V::splat(token, 64), V::digit_mask(token));
    let (first, end) = (V::splat(token, first), V::splat(token, 2 * LANES as u64));
    let (table, zero) = (V::table_64(token, words), V::zero(token));
    for (v, [limb, bit]) in out.iter_mut().zip(&STARTS) {
        let (at, bit) = (V::load(token, limb).add(first), V::load(token, bit));
        let next = at.add(one);
        let (mut low, mut high) = (at.look_up_64(&table), next.look_up_64(&table));
        if !ALL {
            low = V::blend(at.lt(end), low, zero);
            high = V::blend(next.lt(end), high, zero);
        }
        *v = low.shr_each(bit).or(high.shl_each(bits.sub(bit))).and(digit);
    }
}

/// out := the limbs of normalised digits, as many as there are of either.
#[inline(always)]
pub(super) fn join<V: Register>(token: V::Token, out: &mut [u64], digits: &[V]) {
    let mut start = 0;
    for digits in digits.chunks(GROUP) {
        let Some(out) = out.get_mut(start..) else { break };
        if let Some(limbs) = out.first_chunk_mut() {
            // Three limbs too many, which the next group overwrites.
            join_group(token, limbs, digits);
        } else {
            let mut limbs = [0; 2 * LANES];
            join_group(token, &mut limbs, digits);
            out.copy_from_slice(&limbs[..out.len()]);
            wipe(&mut limbs, 0);
        }
        start += LIMBS;
    }
}

/// The limbs of one group, and zeros.
#[inline(always)]
fn join_group<V: Register>(token: V::Token, out: &mut [u64; 2 * LANES], digits: &[V]) {
    let (one, radix) = (V::splat(token, 1), V::splat(token, RADIX as u64));
    let mut words = [0; 2 * LANES];
    for (&v, words) in digits.iter().zip(words.as_chunks_mut::<LANES>().0) {
        v.store(words);
    }
    let table = V::table_64(token, &words);
    for (out, [digit, bit]) in out.as_chunks_mut::<LANES>().0.iter_mut().zip(&ENDS) {
        let (digit, bit) = (V::load(token, digit), V::load(token, bit));
        let next = digit.add(one);
        let up = radix.sub(bit);
        let first = digit.look_up_64(&table).shr_each(bit);
        let second = next.look_up_64(&table).shl_each(up);
        let third = next.add(one).look_up_64(&table).shl_each(up.add(radix));
        first.or(second).or(third).store(out);
    }
    wipe(&mut words, 0);
}
