//! Entries uniform in [-b, b], from a keystream.

use tautochrone_ctr::Stream;
use tautochrone_simd::{Isa, Token, declassify, vectorize};
use zeroize::Zeroizing;

use crate::entry::WitnessEntry;

/// An entry that can be uniform.
pub(crate) trait Uniform: WitnessEntry {
    /// Entries uniform in [-b, b].
    ///
    /// # Constant time
    /// In the entries: only what was skipped shows.
    fn fill_uniform(stream: &mut Stream, b: u32, out: &mut [Self]);
}

impl Uniform for i8 {
    /// For b <= 127, by rejection from bytes: byte x gives x mod (2 b + 1) - b, and is skipped if
    /// it is not below the largest multiple of 2 b + 1 up to 256.
    fn fill_uniform(stream: &mut Stream, b: u32, out: &mut [Self]) {
        match Isa::detect_vectors().avx2() {
            Some(token) => vectorize!(token, fill_any(stream, b, out),),
            None => fill_any(stream, b, out),
        }
    }
}

impl Uniform for i32 {
    /// By rejection from words of 32 bits, in as many low bits as 2 b has.
    fn fill_uniform(stream: &mut Stream, b: u32, out: &mut [Self]) {
        let mask = u32::MAX >> (2 * b).leading_zeros();
        let mut bytes = Zeroizing::new([0_u8; 4096]);
        let mut filled = 0;
        while filled < out.len() {
            stream.fill(&mut bytes[..]);
            for &word in bytes.as_chunks::<4>().0 {
                let Some(place) = out.get_mut(filled) else { break };
                let candidate = u32::from_le_bytes(word) & mask;
                // The next one overwrites what is skipped: no branch to predict.
                *place = candidate.wrapping_sub(b).cast_signed();
                filled += usize::from(declassify(candidate <= 2 * b));
            }
        }
    }
}

/// Bytes that are looked at together.
const GROUP: usize = 64;

#[inline(always)]
fn fill_any(stream: &mut Stream, b: u32, mut out: &mut [i8]) {
    let range = 2 * b as u16 + 1;
    #[expect(clippy::integer_division_remainder_used, reason = "b is public")]
    let limit = 256 - 256 % range;
    let mut bytes = Zeroizing::new([0_u8; 4096]);
    let mut entries = Zeroizing::new([0_i8; GROUP]);
    while !out.is_empty() {
        stream.fill(&mut bytes[..]);
        for group in bytes.as_chunks::<GROUP>().0 {
            let mut skipped = false;
            // `zip` is inlined within a codegen unit alone.
            for (i, &byte) in group.iter().enumerate() {
                entries[i] = reduce(byte.into(), range, b as u16);
                skipped |= u16::from(byte) >= limit;
            }
            // Most groups have nothing to skip, unless 2 b + 1 is far from dividing 256.
            if !declassify(skipped) && out.len() >= GROUP {
                let (first, rest) = out.split_at_mut(GROUP);
                first.copy_from_slice(&entries[..]);
                out = rest;
                continue;
            }
            let mut filled = 0;
            for (i, &byte) in group.iter().enumerate() {
                let Some(place) = out.get_mut(filled) else { break };
                *place = entries[i];
                // The next one overwrites what is skipped: no branch to predict.
                filled += usize::from(declassify(u16::from(byte) < limit));
            }
            out = &mut out[filled..];
        }
    }
}

/// x mod `range` - b for x < 256 and `range` <= 255: floor(x ceil(2^16 / range) / 2^16) is the
/// quotient, which the tests check for all of them.
#[inline(always)]
const fn reduce(x: u16, range: u16, b: u16) -> i8 {
    let reciprocal = 65536_u32.div_ceil(range as u32);
    let quotient = ((x as u32 * reciprocal) >> 16) as u16;
    (x - quotient * range).wrapping_sub(b).cast_signed() as i8
}

#[cfg(test)]
mod tests {
    use tautochrone_ctr::{Label, Seed};

    use super::*;

    fn stream(index: u64) -> Stream {
        Seed::from_bytes([7; 32]).stream(Label::new("tautochrone-zk uniform tests"), index)
    }

    /// The definition, for every number of entries in the last group.
    #[test]
    fn entries_are_those_of_the_definition() {
        for (index, b) in (0..).zip(1_u32..=127) {
            let mut bytes = vec![0; 16384];
            stream(index).fill(&mut bytes);
            let range = 2 * b + 1;
            let expected: Vec<i8> = bytes
                .iter()
                .filter(|&&byte| u32::from(byte) < 256 / range * range)
                .map(|&byte| ((u32::from(byte) % range).cast_signed() - b.cast_signed()) as i8)
                .collect();
            for len in (0..200).chain([4095, 4096, 4097, 7000]) {
                let (mut any, mut best) = (vec![99; len], vec![99; len]);
                fill_any(&mut stream(index), b, &mut any);
                i8::fill_uniform(&mut stream(index), b, &mut best);
                assert_eq!(any, expected[..len], "b = {b}, {len} entries");
                assert_eq!(best, any, "b = {b}, {len} entries");
            }
        }
    }

    /// The definition, and the ends of the range.
    #[test]
    fn words_are_those_of_the_definition() {
        for (index, b) in (0..).zip([1_u32, 128, 1000, 40_000, 1 << 20]) {
            let mut bytes = vec![0; 1 << 18];
            stream(index).fill(&mut bytes);
            let bits = 32 - (2 * b).leading_zeros();
            let words = bytes.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word));
            let expected: Vec<i32> = words
                .map(|word| i64::from(word) % (1 << bits))
                .filter(|&x| x <= 2 * i64::from(b))
                .map(|x| (x - i64::from(b)) as i32)
                .collect();
            for len in [0, 1, 1023, 1024, 1025, 20_000] {
                let mut entries = vec![99; len];
                i32::fill_uniform(&mut stream(index), b, &mut entries);
                assert_eq!(entries, expected[..len], "b = {b}, {len} entries");
            }
            let (least, most) = (expected.iter().min().unwrap(), expected.iter().max().unwrap());
            assert!(b > 1000 || (-least, *most) == (b.cast_signed(), b.cast_signed()));
        }
    }
}
