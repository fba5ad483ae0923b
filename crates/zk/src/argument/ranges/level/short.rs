//! Three variables bound in entries of eight bits by products of 16-bit integers: the weights in
//! digits of 16 bits, and sums in lanes of 32 bits of products of two entries each.

use alloc::vec::Vec;
use core::ops::Range;

use bytemuck::{cast_slice, cast_slice_mut};
use tautochrone_simd::vector::Dot;
use tautochrone_simd::{Isa, Token, vectorize};

use super::shuffle;
pub(super) use crate::argument::ranges::rounds::blocks::short::COLUMNS;
use crate::argument::ranges::rounds::blocks::short::{WORDS, is_offered, with_dot};
use crate::argument::ranges::scales::{LOW, Scales};
use crate::erase::Secrets;
use crate::field::{Coefficients, ElementOf, Field, Lanes};

/// Rows that become one, and pairs of them.
const ROWS: usize = 8;
const PAIRS: usize = ROWS >> 1;
/// Digits of a coefficient, and its parts of two digits each.
const DIGITS: usize = 4;
const PARTS: usize = DIGITS >> 1;
/// Coefficients of an element.
const PLACES: usize = 3;
/// Numbers of all parts of a row.
const OF_ROW: usize = PLACES * PARTS * COLUMNS;
/// Rows of the result that are made of entries in the first level of a cache, and have one scale.
const CHUNK: usize = 1 << LOW;
/// Entries of a column in them.
const BYTES: usize = CHUNK * ROWS;

/// The digits of one coefficient of the weights of each pair of rows, in the halves of all lanes.
type Digits = [[u64; DIGITS]; PAIRS];

/// The entries of a column in a pair of rows.
type Pair = [i8; 2];

/// How three variables are bound.
pub(super) struct Fold {
    isa: Isa,
    /// Of each coefficient; of each scale, if there are any.
    digits: Vec<[Digits; PLACES]>,
}

/// Entries, pairs of them in halves of lanes, and parts of sums, of a few rows of the result.
struct Scratch {
    entries: Secrets<Pair>,
    pairs: Secrets<u64>,
    parts: Secrets<i64>,
}

// What does not depend on the field is of one type, and compiled once.
impl Fold {
    /// For these weights of rows, if there are registers for such products, and p has 61 bits.
    pub(super) fn new<F: Field>(
        isa: Isa,
        weights: &[ElementOf<F>],
        scales: Option<&Scales<F>>,
    ) -> Option<Self> {
        let halves = (F::Coefficients::COUNT, F::PARTS, F::PART_BITS) == (PLACES, PARTS, 31);
        if !(halves && weights.len() == ROWS && is_offered(isa)) {
            return None;
        }
        let of_scale = |scale: ElementOf<F>| {
            let mut digits = [Digits::default(); PLACES];
            for (row, &weight) in weights.iter().enumerate() {
                for (place, digits) in digits.iter_mut().enumerate() {
                    let word: u128 = (weight * scale).coefficients().as_ref()[place].into();
                    put(digits, row, word as i64);
                }
            }
            digits
        };
        let digits = match scales {
            Some(scales) => scales.factors().map(of_scale).collect(),
            None => vec![of_scale(ElementOf::one())],
        };
        Some(Self { isa, digits })
    }

    /// Binds them in a group of [`COLUMNS`] columns of `rows` entries each, given as bytes, for
    /// `height` rows of the result, of which those that are made of eight entries are written.
    ///
    /// # Constant time
    /// In the entries.
    pub(super) fn fold<F: Field, L: Lanes<F>>(
        &self,
        token: L::Token,
        (columns, rows): (&[u8], usize),
        height: usize,
        out: &mut [L::Stored],
    ) {
        let mut scratch = Scratch {
            entries: Secrets::zeros(2 * CHUNK * PAIRS * COLUMNS),
            pairs: Secrets::zeros(CHUNK * PAIRS * WORDS),
            parts: Secrets::zeros(CHUNK * OF_ROW),
        };
        let whole = rows >> ROWS.ilog2();
        for first in (0..whole).step_by(CHUNK) {
            let end = (first + CHUNK).min(whole);
            self.multiply(cast_slice(columns), rows, first * ROWS..end * ROWS, &mut scratch);
            vectorize!(token, {
                for (group, out) in out.chunks_mut(height).enumerate() {
                    for (index, out) in out[first..end].iter_mut().enumerate() {
                        let parts = &scratch.parts[index * OF_ROW + group * L::LANES..];
                        *out = L::of_parts(token, parts, COLUMNS).store();
                    }
                }
            });
        }
    }

    /// The parts of the sums of products of some rows, which they become.
    fn multiply(&self, columns: &[i8], rows: usize, some: Range<usize>, scratch: &mut Scratch) {
        let Scratch { entries, pairs, parts } = scratch;
        let pairs = &mut pairs[..some.len() * WORDS >> 1];
        let columns = columns.chunks_exact(rows).take(COLUMNS);
        gather(columns.map(|column| &column[some.clone()]), entries, cast_slice_mut(pairs));
        // Without scales there is one for all rows.
        let scale = (some.start >> BYTES.ilog2()).min(self.digits.len() - 1);
        with_dot!(self.isa, multiply_with(pairs, &self.digits[scale], parts));
    }
}

fn multiply_with<V: Dot>(
    token: V::Token,
    pairs: &[u64],
    digits: &[Digits; PLACES],
    parts: &mut [i64],
) {
    vectorize!(token, {
        let rows = pairs.chunks_exact(PAIRS * WORDS);
        for (pairs, parts) in rows.zip(parts.chunks_exact_mut(OF_ROW)) {
            let of_digits = parts.chunks_exact_mut(PARTS * COLUMNS);
            for (digits, parts) in digits.iter().zip(of_digits) {
                multiply_one::<V>(token, pairs, digits, parts);
            }
        }
    });
}

/// Puts in the digits of the weight of a row: from -2^15 on, the highest one at most 2^13.
fn put(digits: &mut Digits, row: usize, weight: i64) {
    let mut rest = weight;
    for digit in &mut digits[row >> 1] {
        let low = rest as i16;
        let half = u64::from(low.cast_unsigned()) << (16 * (row & 1));
        *digit |= half | half << 32;
        rest = (rest - i64::from(low)) >> 16;
    }
}

/// Pairs of rows of some columns, side by side. There is room for all entries twice in `entries`.
fn gather<'a>(
    columns: impl ExactSizeIterator<Item = &'a [i8]>,
    entries: &mut [Pair],
    pairs: &mut [i16],
) {
    let height = pairs.len() >> COLUMNS.ilog2();
    let (entries, scratch) = entries[..pairs.len()].split_at_mut(pairs.len() >> 1);
    let bytes: &mut [i8] = cast_slice_mut(entries);
    bytes[height * columns.len()..].fill(0);
    for (bytes, column) in bytes.chunks_exact_mut(height).zip(columns) {
        // A copy of known length is no call.
        match (bytes.as_chunks_mut::<BYTES>(), column.as_chunks::<BYTES>()) {
            (([bytes], []), ([column], [])) => *bytes = *column,
            _ => bytes.copy_from_slice(column),
        }
    }
    vectorize!(Isa::detect_vectors(), {
        shuffle(entries, scratch, COLUMNS.ilog2());
        let bytes: &[i8] = cast_slice(entries);
        pairs.iter_mut().zip(bytes).for_each(|(out, &entry)| *out = entry.into());
    });
}

/// The parts of one coefficient of a row: of digits d_i they are d_0 + 2^16 d_1 and 2 d_2 + 2^17
/// d_3, as the upper one counts 2^31. Sums of products are below 2^25.
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
        let (d0, d1) = (sums[lane], sums[COLUMNS + lane]);
        let (d2, d3) = (sums[2 * COLUMNS + lane], sums[3 * COLUMNS + lane]);
        lower[lane] = i64::from(d0) + (i64::from(d1) << 16);
        upper[lane] = (i64::from(d2) << 1) + (i64::from(d3) << 17);
    }
}
