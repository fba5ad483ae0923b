//! Three variables bound in entries of eight bits by products of 16-bit integers: the weights in
//! digits of 16 bits, and sums in lanes of 32 bits of products of two entries each.

use alloc::vec::Vec;

use bytemuck::{cast_slice, cast_slice_mut};
use tautochrone_simd::vector::Dot;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use tautochrone_simd::vector::U64x2;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::{U64x4, U64x8};
use tautochrone_simd::{Isa, Token};

use super::shuffle;
pub(super) use crate::argument::ranges::rounds::blocks::short::COLUMNS;
use crate::argument::ranges::rounds::blocks::short::{WORDS, is_offered};
use crate::erase::Secrets;
use crate::field::{Coefficients, ElementOf, Field, Lanes};
use crate::vectorized::vectorized;
use crate::witness::columns::SourceEntry;

/// Rows that become one, and pairs of them.
const ROWS: usize = 8;
const PAIRS: usize = ROWS >> 1;
/// Digits of a coefficient, and its parts of two digits each.
const DIGITS: usize = 4;
const PARTS: usize = DIGITS >> 1;
/// Rows of the result that are made of entries in the first level of a cache.
const CHUNK: usize = 8;

/// The digits of one coefficient of the weights of each pair of rows, in the halves of all lanes.
type Digits = [[u64; DIGITS]; PAIRS];

/// The entries of a column in a pair of rows.
type Pair = [i8; 2];

/// How three variables are bound.
pub(super) struct Fold {
    isa: Isa,
    digits: Vec<Digits>,
}

impl Fold {
    /// For these weights of rows, if there are registers for such products, and p has 61 bits.
    pub(super) fn new<F: Field, T>(isa: Isa, weights: &[ElementOf<F>]) -> Option<Self> {
        let halves = (F::PARTS, F::PART_BITS) == (PARTS, 31);
        if !(halves && size_of::<T>() == 1 && weights.len() == ROWS && is_offered(isa)) {
            return None;
        }
        let mut all = Vec::new();
        for place in 0..F::Coefficients::COUNT {
            let mut of_place = Digits::default();
            for (row, weight) in weights.iter().enumerate() {
                let word: u128 = weight.coefficients().as_ref()[place].into();
                let mut rest = word as i64;
                for digit in &mut of_place[row >> 1] {
                    // From -2^15 on; the highest one is at most 2^13.
                    let low = rest as i16;
                    let half = u64::from(low.cast_unsigned()) << (16 * (row & 1));
                    *digit |= half | half << 32;
                    rest = (rest - i64::from(low)) >> 16;
                }
            }
            all.push(of_place);
        }
        Some(Self { isa, digits: all })
    }

    /// Binds them in a group of [`COLUMNS`] columns of `rows` entries each, for `height` rows of the
    /// result, of which those that are made of eight entries are written.
    ///
    /// # Constant time
    /// In the entries.
    pub(super) fn fold<F: Field, T: SourceEntry, L: Lanes<F>>(
        &self,
        token: L::Token,
        (columns, rows): (&[T], usize),
        height: usize,
        out: &mut [L::Stored],
    ) {
        let columns = columns.chunks_exact(rows).take(COLUMNS);
        let of_row = self.digits.len() * PARTS * COLUMNS;
        let mut entries = Secrets::<Pair>::zeros(2 * CHUNK * PAIRS * COLUMNS);
        let mut pairs = Secrets::<u64>::zeros(CHUNK * PAIRS * WORDS);
        let mut parts = Secrets::<i64>::zeros(CHUNK * of_row);
        let whole = rows >> ROWS.ilog2();
        for first in (0..whole).step_by(CHUNK) {
            let end = (first + CHUNK).min(whole);
            let pairs = &mut pairs[..(end - first) * PAIRS * WORDS];
            let columns = columns.clone().map(|column| &column[first * ROWS..end * ROWS]);
            gather(columns, &mut entries, cast_slice_mut(pairs));
            self.multiply(pairs, &mut parts);
            token.vectorize(
                #[inline(always)]
                || {
                    for (group, out) in out.chunks_mut(height).enumerate() {
                        for (index, out) in out[first..end].iter_mut().enumerate() {
                            let parts = &parts[index * of_row + group * L::LANES..];
                            *out = L::of_parts(token, parts, COLUMNS).store();
                        }
                    }
                },
            );
        }
    }

    /// The parts of the sums of products of all rows.
    #[cfg_attr(
        not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon"))),
        allow(unused_variables, reason = "no registers that they are offered for")
    )]
    fn multiply(&self, pairs: &[u64], parts: &mut [i64]) {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(token) = self.isa.vnni() {
                return self.multiply_with::<U64x8<_>>(token, pairs, parts);
            }
            if let Some(token) = self.isa.avx512() {
                return self.multiply_with::<U64x8<_>>(token, pairs, parts);
            }
            if let Some(token) = self.isa.avx2() {
                self.multiply_with::<U64x4<_>>(token, pairs, parts);
            }
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        if let Some(token) = self.isa.neon() {
            self.multiply_with::<U64x2<_>>(token, pairs, parts);
        }
    }

    fn multiply_with<V: Dot>(&self, token: V::Token, pairs: &[u64], parts: &mut [i64]) {
        let of_row = self.digits.len() * PARTS * COLUMNS;
        token.vectorize(
            #[inline(always)]
            || {
                let rows = pairs.chunks_exact(PAIRS * WORDS);
                for (pairs, parts) in rows.zip(parts.chunks_exact_mut(of_row)) {
                    let of_digits = parts.chunks_exact_mut(PARTS * COLUMNS);
                    for (digits, parts) in self.digits.iter().zip(of_digits) {
                        multiply_one::<V>(token, pairs, digits, parts);
                    }
                }
            },
        );
    }
}

/// Pairs of rows of some columns, side by side. There is room for all entries twice in `entries`.
fn gather<'a, T: SourceEntry>(
    columns: impl Iterator<Item = &'a [T]>,
    entries: &mut [Pair],
    pairs: &mut [i16],
) {
    let height = pairs.len() >> COLUMNS.ilog2();
    let (entries, scratch) = entries[..pairs.len()].split_at_mut(pairs.len() >> 1);
    let bytes: &mut [i8] = cast_slice_mut(entries);
    bytes.fill(0);
    for (bytes, column) in bytes.chunks_exact_mut(height).zip(columns) {
        let narrow = |(out, &entry): (&mut i8, &T)| *out = Into::<i32>::into(entry) as i8;
        bytes.iter_mut().zip(column).for_each(narrow);
    }
    vectorized(
        #[inline(always)]
        || {
            shuffle(entries, scratch, COLUMNS.ilog2());
            let bytes: &[i8] = cast_slice(entries);
            pairs.iter_mut().zip(bytes).for_each(|(out, &entry)| *out = entry.into());
        },
    );
}

/// The parts of one coefficient of a row: of digits d_i they are d_0 + 2^16 d_1 and 2 d_2 + 2^17 d_3,
/// as the upper one counts 2^31. Sums of products are below 2^25.
#[inline(always)]
fn multiply_one<V: Dot>(token: V::Token, pairs: &[u64], digits: &Digits, parts: &mut [i64]) {
    let mut sums = [[0_u64; WORDS]; DIGITS];
    for lane in (0..WORDS).step_by(V::LANES) {
        let mut totals = [V::zero(token); DIGITS];
        for (pair, digits) in digits.iter().enumerate() {
            let x = V::load(token, &pairs[pair * WORDS + lane..]);
            for (digit, total) in totals.iter_mut().enumerate() {
                *total = total.add_dot(x, V::splat(token, digits[digit]));
            }
        }
        for (digit, total) in totals.iter().enumerate() {
            total.store(&mut sums[digit][lane..]);
        }
    }
    let sums: &[i32] = cast_slice(sums.as_flattened());
    let (lower, upper) = parts.split_at_mut(COLUMNS);
    for lane in 0..COLUMNS {
        let [d0, d1, d2, d3] = [0, 1, 2, 3].map(|digit| i64::from(sums[digit * COLUMNS + lane]));
        (lower[lane], upper[lane]) = (d0 + (d1 << 16), (d2 << 1) + (d3 << 17));
    }
}
