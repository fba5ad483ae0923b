//! The sums over blocks of three variables for ranges of two and three integers, in products of
//! 16-bit integers.
//!
//! Entries less the root of P are 0 and 1, or -1, 0 and 1, so P has small values at points 0, 1,
//! 1/2 and infinity of each variable, all times the powers of two that make them integers: a linear
//! polynomial is its values x and y at 0 and 1, x + y at 1/2 (twice its value) and y - x at
//! infinity. With s = 2^h, of h variables at 1/2, or 0 if any is at infinity, P is z (z - s) or z
//! (z^2 - s^2), of absolute value at most 16 and 512. Weights of blocks are digits of 13 bits, and
//! their products with the values of two blocks are summed up in lanes of 32 bits, where nothing
//! overflows.

use bytemuck::{cast_slice, cast_slice_mut};
use tautochrone_simd::Isa;
use tautochrone_simd::vector::Dot;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use tautochrone_simd::vector::U64x2;
#[cfg(target_arch = "x86_64")]
use tautochrone_simd::vector::{U64x4, U64x8};

use super::*;
use crate::argument::ranges::level::shuffle;
use crate::erase::Secrets;
use crate::field::{Coefficients, Word};
use crate::vectorized::vectorized;
use crate::witness::columns::SourceEntry;

/// Variables of a block, and its rows.
const VARIABLES: usize = 3;
const ROWS: usize = 1 << VARIABLES;
/// Columns of a group: two blocks of each fill the halves of a lane.
pub(in crate::argument::ranges) const COLUMNS: usize = 16;
/// The group's integers in a row of two blocks, and how many words they are.
type Row = [i16; 2 * COLUMNS];
pub(in crate::argument::ranges) const WORDS: usize = size_of::<Row>() >> 3;
/// Pairs of blocks whose values lie in the first levels of a cache.
const CHUNK: usize = 16;
/// Pairs of blocks that are summed up in 32 bits: 2 496 512 2^12 < 2^31.
const MOST_PAIRS: usize = 31 * CHUNK;
/// Bits of a digit, and digits of 64 bits.
const DIGIT_BITS: u32 = 13;
const DIGITS: usize = 5;
/// Points that are summed up at a time.
const POINTS: usize = 2;

/// The digits of 64 bits of the weights of two blocks, in the halves of all lanes.
pub(super) type Weights = [u64; DIGITS];

/// Whether there are registers for these sums: else they take longer than integers times weights.
pub(in crate::argument::ranges) fn is_offered(isa: Isa) -> bool {
    isa.avx2().is_some() || isa.neon().is_some()
}

/// The digits of the weights of all pairs of blocks, 64 bits after 64 bits of each coefficient.
pub(super) fn weights<F: Field>(weights: &[ElementOf<F>]) -> Vec<Weights> {
    let mut all = Vec::new();
    for place in 0..F::Coefficients::COUNT {
        for shift in (0..F::Word::BITS).step_by(64) {
            for pair in weights.chunks(2) {
                let mut digits = [0; DIGITS];
                for (half, weight) in pair.iter().enumerate() {
                    let coefficient: u128 = weight.coefficients().as_ref()[place].into();
                    let of_weight = signed_digits((coefficient >> shift) as u64);
                    for (digit, of_weight) in digits.iter_mut().zip(of_weight) {
                        let halves = u64::from(of_weight.cast_unsigned()) << (16 * half);
                        *digit |= halves | halves << 32;
                    }
                }
                all.push(digits);
            }
        }
    }
    all
}

/// Digits from -2^12 to 2^12, the lowest first.
fn signed_digits(number: u64) -> [i16; DIGITS] {
    const HALF: u128 = 1 << (DIGIT_BITS - 1);
    let mut rest = u128::from(number);
    core::array::from_fn(|index| {
        if index == DIGITS - 1 {
            return rest as i16;
        }
        rest += HALF;
        let digit = (rest & (2 * HALF - 1)) as i16 - HALF as i16;
        rest >>= DIGIT_BITS;
        digit
    })
}

impl<F: Field> Class<F> {
    /// Whether its sums are of this kind.
    pub(super) fn is_short(&self, variables: usize) -> bool {
        let few = matches!(self.degree, 2 | 3);
        variables == VARIABLES && self.kind == Kind::Eq && self.vanishes && few
    }

    /// Adds sum over columns j of eq_j sum over blocks of P, weighted, at all points. Entries are
    /// in their ranges, `rows` a column.
    ///
    /// # Constant time
    /// In the entries.
    pub(super) fn add_short<T: SourceEntry, L: Lanes<F>>(
        &self,
        (isa, token): (Isa, L::Token),
        weights: &[Weights],
        (entries, rows): (&[T], usize),
        eq: &[ElementOf<F>],
        values: &mut [ElementOf<F>],
    ) {
        let pairs = self.blocks.len().div_ceil(2);
        let places = places(self.degree);
        let points = places.len().next_multiple_of(POINTS);
        add_in_groups::<F>(COLUMNS, eq, values, |group, eq, out| {
            let columns = entries[group * COLUMNS * rows..].chunks_exact(rows).take(COLUMNS);
            let mut entries = Secrets::zeros(2 * CHUNK * 2 * ROWS * COLUMNS);
            let mut integers = Secrets::<u64>::zeros(CHUNK * ROWS * WORDS);
            let mut values = Secrets::<u64>::zeros(CHUNK * points * WORDS);
            let count = weights.chunks_exact(pairs).len();
            let mut sums = Secrets::<u64>::zeros(count * points * DIGITS * WORDS);
            for first in (0..pairs).step_by(MOST_PAIRS) {
                let end = (first + MOST_PAIRS).min(pairs);
                sums.fill(0);
                for first in (first..end).step_by(CHUNK) {
                    let chunk = first..(first + CHUNK).min(end);
                    let row = |pair: usize| {
                        ((self.blocks.start + 2 * pair) * ROWS).min(self.blocks.end * ROWS)
                    };
                    let rows = row(chunk.start)..row(chunk.end);
                    let integers = &mut integers[..chunk.len() * ROWS * WORDS];
                    let values = &mut values[..chunk.len() * points * WORDS];
                    let root = self.product.root() as i32;
                    let columns = columns.clone().map(|column| &column[rows.clone()]);
                    gather(columns, root, &mut entries, cast_slice_mut(integers));
                    evaluate(
                        isa,
                        self.degree,
                        cast_slice(integers).as_chunks().0,
                        cast_slice_mut(values).as_chunks_mut().0,
                    );
                    let parts = weights.chunks_exact(pairs);
                    for (weights, sums) in parts.zip(sums.chunks_exact_mut(points * DIGITS * WORDS))
                    {
                        add_products(isa, values, &weights[chunk.clone()], sums);
                    }
                }
                token.vectorize(
                    #[inline(always)]
                    || combine::<F, L>(token, cast_slice(&sums), eq, &places, out),
                );
            }
            if self.degree == 3 {
                from_halves(out);
            }
        });
    }
}

/// The numbers of the points at which P is summed up: all points but the entries themselves.
fn places(degree: usize) -> Vec<usize> {
    let points = degree + 1;
    let is_entry = |place: &usize| {
        let [low, middle, high] = coordinates(*place, points);
        low < 2 && middle < 2 && high < 2
    };
    (0..points.pow(VARIABLES as u32)).filter(|place| !is_entry(place)).collect()
}

/// A point by its coordinates.
#[expect(clippy::integer_division_remainder_used, reason = "indices of points")]
const fn coordinates(place: usize, points: usize) -> [usize; VARIABLES] {
    [place % points, place / points % points, place / (points * points)]
}

/// The rows of pairs of blocks of some columns, less the root of P: an entry of either block in the
/// halves of a lane. Where a block lacks a partner its weight is 0. There is room for all entries
/// twice in `entries`.
fn gather<'a, T: SourceEntry>(
    columns: impl Iterator<Item = &'a [T]>,
    root: i32,
    entries: &mut [i8],
    rows: &mut [i16],
) {
    let height = rows.len() >> COLUMNS.ilog2();
    let (entries, scratch) = entries[..2 * rows.len()].split_at_mut(rows.len());
    entries.fill(0);
    for (entries, column) in entries.chunks_exact_mut(height).zip(columns) {
        // They are in their range.
        let narrow = |(out, &entry): (&mut i8, &T)| *out = Into::<i32>::into(entry) as i8;
        entries.iter_mut().zip(column).for_each(narrow);
    }
    vectorized(
        #[inline(always)]
        || {
            shuffle(entries, scratch, COLUMNS.ilog2());
            let pairs = entries.chunks_exact(2 * ROWS * COLUMNS);
            for (rows, pair) in rows.chunks_exact_mut(2 * ROWS * COLUMNS).zip(pairs) {
                let (low, high) = pair.split_at(ROWS * COLUMNS);
                let halves = rows.as_chunks_mut().0.iter_mut().zip(low.iter().zip(high));
                halves.for_each(|(halves, (&low, &high))| {
                    *halves = [i16::from(low) - root as i16, i16::from(high) - root as i16];
                });
            }
        },
    );
}

/// P at all points of pairs of blocks.
fn evaluate(isa: Isa, degree: usize, rows: &[Row], values: &mut [Row]) {
    isa.vectorize(
        #[inline(always)]
        || match degree {
            2 => evaluate_with::<2, 20>(rows, values),
            _ => evaluate_with::<3, 56>(rows, values),
        },
    );
}

#[inline(always)]
fn evaluate_with<const D: usize, const POINTS: usize>(rows: &[Row], values: &mut [Row]) {
    for (rows, values) in rows.chunks_exact(ROWS).zip(values.chunks_exact_mut(POINTS)) {
        let mut values = values.iter_mut();
        for high in 0..=D {
            let mut planes = [[0; 2 * COLUMNS]; 4];
            for (row, plane) in planes.iter_mut().enumerate() {
                *plane = line_at::<D>(high, &rows[row], &rows[row + 4]);
            }
            for middle in 0..=D {
                let low = line_at::<D>(middle, &planes[0], &planes[2]);
                let next = line_at::<D>(middle, &planes[1], &planes[3]);
                let halves = u32::from(middle == HALF) + u32::from(high == HALF);
                // At infinity there is the highest coefficient alone.
                let s = if middle == D || high == D { 0 } else { 1 << halves };
                // Written out: a loop over points would ask in each which it is.
                if middle > 1 || high > 1 {
                    *values.next().expect("all points") = product_at::<D>(&low, s);
                    *values.next().expect("all points") = product_at::<D>(&next, s);
                }
                if D > HALF {
                    let half = line_at::<D>(HALF, &low, &next);
                    *values.next().expect("all points") = product_at::<D>(&half, 2 * s);
                }
                let infinite = line_at::<D>(D, &low, &next);
                *values.next().expect("all points") = product_at::<D>(&infinite, 0);
            }
        }
    }
}

/// z (z - s), or z (z^2 - s^2).
#[inline(always)]
fn product_at<const D: usize>(z: &Row, s: i16) -> Row {
    let mut values = *z;
    for z in &mut values {
        *z = match D {
            2 => z.wrapping_mul(z.wrapping_sub(s)),
            _ => z.wrapping_mul(z.wrapping_mul(*z).wrapping_sub(s.wrapping_mul(s))),
        };
    }
    values
}

/// The index of 1/2 among the points of a polynomial of degree 3.
const HALF: usize = 2;

/// A line at 0, 1, 1/2 (twice its value) and infinity, for D = 2 without 1/2.
#[inline(always)]
fn line_at<const D: usize>(index: usize, low: &Row, high: &Row) -> Row {
    // Which it is is decided once for all lanes: in their loop, they would be scalars.
    match index {
        0 => *low,
        1 => *high,
        _ if index == D => plus::<-1>(high, low),
        _ => plus::<1>(low, high),
    }
}

/// x + SIGN y.
#[inline(always)]
fn plus<const SIGN: i16>(x: &Row, y: &Row) -> Row {
    let mut values = *x;
    // No zip, as in `combine`.
    for (lane, value) in values.iter_mut().enumerate() {
        *value = value.wrapping_add(y[lane].wrapping_mul(SIGN));
    }
    values
}

/// Adds the products of all values with the digits.
#[cfg_attr(
    not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon"))),
    allow(unused_variables, reason = "no registers that they are offered for")
)]
fn add_products(isa: Isa, values: &[u64], weights: &[Weights], sums: &mut [u64]) {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(token) = isa.vnni() {
            return add_products_with::<U64x8<_>>(token, values, weights, sums);
        }
        if let Some(token) = isa.avx512() {
            return add_products_with::<U64x8<_>>(token, values, weights, sums);
        }
        if let Some(token) = isa.avx2() {
            add_products_with::<U64x4<_>>(token, values, weights, sums);
        }
    }
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    if let Some(token) = isa.neon() {
        add_products_with::<U64x2<_>>(token, values, weights, sums);
    }
}

#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn add_products_with<V: Dot>(
    token: V::Token,
    values: &[u64],
    weights: &[Weights],
    sums: &mut [u64],
) {
    let points = values.len() / weights.len();
    token.vectorize(
        #[inline(always)]
        || {
            let starts = (0..).step_by(POINTS * WORDS);
            for (start, sums) in starts.zip(sums.chunks_exact_mut(POINTS * DIGITS * WORDS)) {
                for lane in (0..WORDS).step_by(V::LANES) {
                    let mut totals = [[V::zero(token); DIGITS]; POINTS];
                    for (point, totals) in totals.iter_mut().enumerate() {
                        for (digit, total) in totals.iter_mut().enumerate() {
                            *total =
                                V::load(token, &sums[(point * DIGITS + digit) * WORDS + lane..]);
                        }
                    }
                    // No zips, as in `combine`.
                    for (index, weights) in weights.iter().enumerate() {
                        let values = &values[index * points + start + lane..];
                        let (x, y) = (V::load(token, values), V::load(token, &values[WORDS..]));
                        let [of_x, of_y] = &mut totals;
                        for (digit, &weight) in weights.iter().enumerate() {
                            let weight = V::splat(token, weight);
                            of_x[digit] = of_x[digit].add_dot(x, weight);
                            of_y[digit] = of_y[digit].add_dot(y, weight);
                        }
                    }
                    for (point, totals) in totals.iter().enumerate() {
                        for (digit, total) in totals.iter().enumerate() {
                            total.store(&mut sums[(point * DIGITS + digit) * WORDS + lane..]);
                        }
                    }
                }
            }
        },
    );
}

/// Adds, at each point, the sum over columns of eq_j times the number that its digits' sums make: parts
/// of coefficients add up of sums below 2^31, times 2^26 at most.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "places of digits")]
fn combine<F: Field, L: Lanes<F>>(
    token: L::Token,
    sums: &[i32],
    eq: &[ElementOf<F>],
    places: &[usize],
    out: &mut [ElementOf<F>],
) {
    let size = F::Coefficients::COUNT * F::PARTS * COLUMNS;
    let mut parts = Secrets::<i64>::zeros(size);
    let of_digit = places.len().next_multiple_of(POINTS) * DIGITS * COLUMNS;
    let eq = &eq[..eq.len().min(COLUMNS)];
    for (point, &place) in places.iter().enumerate() {
        parts.fill(0);
        // In the order of [`weights`]. No zips, whose constructor is not inlined across codegen units.
        let mut start = point * DIGITS * COLUMNS;
        for coefficient in 0..F::Coefficients::COUNT {
            for shift in (0..F::Word::BITS).step_by(64) {
                for digit in 0..DIGITS {
                    let bit = shift + DIGIT_BITS * digit as u32;
                    let part = F::PARTS * coefficient + (bit / F::PART_BITS) as usize;
                    let parts = &mut parts[part * COLUMNS..(part + 1) * COLUMNS];
                    let sums = &sums[start + digit * COLUMNS..start + (digit + 1) * COLUMNS];
                    for (lane, part) in parts.iter_mut().enumerate() {
                        *part += i64::from(sums[lane]) << (bit % F::PART_BITS);
                    }
                }
                start += of_digit;
            }
        }
        // Of no more elements than there are columns.
        let mut products = L::Products::zero(token);
        for (first, eq) in (0..).step_by(L::LANES).zip(eq.chunks(L::LANES)) {
            products.add(L::of_parts(token, &parts[first..], COLUMNS), L::gather(token, eq));
        }
        out[place] += products.reduce().sum();
    }
}

/// From 8 times the values at 1/2 to the values at -1, in each variable. Polynomials of degree 3,
/// whose value at infinity is their highest coefficient, have
/// f(-1) = 3 f(1) - 3 f(infinity) + 6 f(0) - 8 f(1/2).
fn from_halves<F: Field>(values: &mut [ElementOf<F>]) {
    for stride in [1, 4, 16] {
        for lines in values.chunks_exact_mut(4 * stride) {
            for start in 0..stride {
                let [zero, one, half, infinity] =
                    core::array::from_fn(|i| lines[start + i * stride]);
                let twice = zero + zero;
                let sum = one - infinity + twice;
                lines[start + HALF * stride] = sum + sum + sum - half;
            }
        }
    }
}

#[cfg(test)]
mod tests;
