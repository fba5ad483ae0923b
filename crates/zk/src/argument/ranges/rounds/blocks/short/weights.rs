//! [`Weights`]: the weights of blocks in digits, and sums of products with these.

use alloc::vec::Vec;

use super::{CHUNK, COLUMNS, ROWS, WORDS};
use crate::erase::Secrets;
use crate::field::{Coefficients, ElementOf, Field, Word};
use crate::parallel::Pool;
use tautochrone_simd::{Isa, vectorize};

/// The digits of the weights of all pairs of blocks.
pub(in super::super) struct Weights {
    /// Digits of 64 bits of a coefficient: four of 16 bits, or five of 13 for words of more than 62
    /// bits.
    pub(super) count: usize,
    /// Of each 64 bits of each coefficient, of each pair: its digits, each in the halves of all
    /// lanes.
    pub(super) digits: Vec<u64>,
    /// The place of each digit of an element: which part of the element, and how far it is shifted.
    places: Vec<(usize, u32)>,
    /// Parts of an element.
    parts: usize,
    /// What digits of one place add up to at most, in absolute value, in each chunk.
    pub(super) loads: Vec<u32>,
    /// Memory of groups of columns.
    pub(super) scratch: Pool<Scratch>,
}

/// What groups of columns need one after the other. Secret.
pub(super) struct Scratch {
    /// Entries, twice.
    pub(super) entries: Secrets,
    /// Entries of pairs of blocks in halves of lanes.
    pub(super) integers: Secrets<u64>,
    /// P at all points.
    pub(super) values: Secrets<u64>,
    /// Sums of products, 32 bits each, of every digit at every point.
    pub(super) sums: Secrets<u64>,
    /// Parts of elements at every point.
    pub(super) parts: Secrets<i64>,
}

impl Weights {
    /// Of the weights of blocks, which are public.
    #[expect(clippy::integer_division_remainder_used, reason = "places of digits")]
    pub(in super::super) fn new<F: Field>(weights: &[ElementOf<F>]) -> Self {
        let few = Into::<u128>::into(F::P) < 1 << 62;
        let (count, bits) = if few { (4, 16) } else { (5, 13) };
        let (mut digits, mut places) = (Vec::new(), Vec::new());
        let mut loads = vec![0; weights.len().div_ceil(2 * CHUNK)];
        for coefficient in 0..F::Coefficients::COUNT {
            for shift in (0..F::Word::BITS).step_by(64) {
                for digit in 0..count {
                    let bit = shift + bits * digit as u32;
                    let part = F::PARTS * coefficient + (bit / F::PART_BITS) as usize;
                    places.push((part, bit % F::PART_BITS));
                }
                for (weights, load) in weights.chunks(2 * CHUNK).zip(&mut loads) {
                    let mut sums = [0; 5];
                    for pair in weights.chunks(2) {
                        let mut of_pair = [0; 5];
                        for (half, weight) in pair.iter().enumerate() {
                            let word: u128 = weight.coefficients().as_ref()[coefficient].into();
                            let of_weight = signed_digits((word >> shift) as u64, count, bits);
                            for (index, digit) in of_weight.into_iter().enumerate() {
                                let halves = u64::from(digit.cast_unsigned()) << (16 * half);
                                of_pair[index] |= halves | halves << 32;
                                sums[index] += u32::from(digit.unsigned_abs());
                            }
                        }
                        digits.extend_from_slice(&of_pair[..count]);
                    }
                    *load = sums.into_iter().fold(*load, u32::max);
                }
            }
        }
        let parts = F::Coefficients::COUNT * F::PARTS;
        Self { count, digits, places, parts, loads, scratch: Pool::default() }
    }

    /// Memory for sums at so many points.
    pub(super) fn scratch(&self, points: usize) -> Scratch {
        Scratch {
            entries: Secrets::zeros(2 * CHUNK * 2 * ROWS * COLUMNS),
            integers: Secrets::zeros(CHUNK * ROWS * WORDS),
            values: Secrets::zeros(CHUNK * points * WORDS),
            sums: Secrets::zeros(self.places.len() * points * WORDS),
            parts: Secrets::zeros(self.parts * points * COLUMNS),
        }
    }

    /// Adds the sums of products to parts, and clears them.
    ///
    /// # Constant time
    /// In the sums.
    pub(super) fn move_sums(&self, points: usize, sums: &mut [i32], parts: &mut [i64]) {
        vectorize!(Isa::detect_vectors(), {
            // No zips, which are inlined within a codegen unit alone.
            let (sums, parts) = (sums.as_chunks_mut().0, parts.as_chunks_mut().0);
            for (word, places) in self.places.chunks_exact(self.count).enumerate() {
                for point in 0..points {
                    let sums = &mut sums[(word * points + point) * self.count..];
                    for (digit, &(part, shift)) in places.iter().enumerate() {
                        let part = &mut parts[point * self.parts + part];
                        move_shifted(part, &mut sums[digit], shift);
                    }
                }
            }
        });
    }
}

/// parts += 2^shift sums, and sums = 0.
#[inline(always)]
fn move_shifted(parts: &mut [i64; COLUMNS], sums: &mut [i32; COLUMNS], shift: u32) {
    // One loop: at level 2 a shorter one is unrolled, and what is unrolled is not vectorised.
    for (lane, sum) in sums.iter_mut().enumerate() {
        parts[lane] += i64::from(core::mem::take(sum)) << shift;
    }
}

/// Digits of so many bits, from -2^(bits - 1) on, the lowest first: the rest of 5 is 0 if there are
/// fewer.
pub(super) fn signed_digits(number: u64, count: usize, bits: u32) -> [i16; 5] {
    let half = 1_u128 << (bits - 1);
    let mut rest = u128::from(number);
    core::array::from_fn(|index| {
        if index + 1 >= count {
            return core::mem::take(&mut rest) as i16;
        }
        rest += half;
        let digit = (rest & (2 * half - 1)) as i32 - half as i32;
        rest >>= bits;
        digit as i16
    })
}
