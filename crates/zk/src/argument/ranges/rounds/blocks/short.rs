//! The sums over blocks of three variables for ranges of two and three integers, in products of
//! 16-bit integers.
//!
//! Entries less the root of P are 0 and 1, or -1, 0 and 1, so P has small values at points 0, 1,
//! 1/2 and infinity of each variable, all times the powers of two that make them integers: a linear
//! polynomial is its values x and y at 0 and 1, x + y at 1/2 (twice its value) and y - x at
//! infinity. With s = 2^h, of h variables at 1/2, or 0 if any is at infinity, P is z (z - s) or z
//! (z^2 - s^2), of absolute value at most 16 and 512. Weights of blocks are digits of 16 bits, and
//! their products with the values of two blocks are summed up in lanes of 32 bits, for as many
//! blocks as overflow nothing whatever the values are: weights are public.

use bytemuck::{cast_slice, cast_slice_mut};
use tautochrone_simd::vector::Dot;
use tautochrone_simd::{Isa, vectorize};

use super::*;
use crate::argument::ranges::level::shuffle;
use crate::field::Coefficients;

mod weights;

use weights::Scratch;
pub(super) use weights::Weights;

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
/// The largest absolute value of P.
const LARGEST: u32 = 512;
/// The most that absolute values of digits may add up to where their products with values are
/// summed up in 32 bits.
const MOST: u32 = (1 << (31 - LARGEST.ilog2())) - 1;
/// Points that are summed up at a time.
const POINTS: usize = 2;

/// Whether there are registers for these sums: else they take longer than integers times weights.
pub(in crate::argument::ranges) fn is_offered(isa: Isa) -> bool {
    isa.avx2().is_some() || isa.neon().is_some()
}

/// A function of the widest registers for sums of products that there are: nothing without any.
macro_rules! with_dot {
    ($isa:expr, $function:ident $(::<$count:literal>)?($($argument:expr),+)) => {{
        #[cfg(target_arch = "x86_64")]
        {
            use tautochrone_simd::vector::{U64x4, U64x8};
            if let Some(token) = $isa.vnni() {
                $function::<U64x8<_> $(, $count)?>(token, $($argument),+);
            } else if let Some(token) = $isa.avx512() {
                $function::<U64x8<_> $(, $count)?>(token, $($argument),+);
            } else if let Some(token) = $isa.avx2() {
                $function::<U64x4<_> $(, $count)?>(token, $($argument),+);
            }
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        if let Some(token) = $isa.neon() {
            $function::<tautochrone_simd::vector::U64x2<_> $(, $count)?>(token, $($argument),+);
        }
        #[cfg(not(any(
            target_arch = "x86_64",
            all(target_arch = "aarch64", target_feature = "neon")
        )))]
        let _ = ($isa, $($argument),+);
    }};
}
pub(in crate::argument::ranges) use with_dot;

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
    pub(super) fn add_short<T: WitnessEntry, L: Lanes<F>>(
        &self,
        (isa, token): (Isa, L::Token),
        weights: &Weights,
        (entries, rows): (&[T], usize),
        eq: &[ElementOf<F>],
        values: &mut [ElementOf<F>],
    ) {
        let pairs = self.blocks.len().div_ceil(2);
        let places = places(self.degree);
        let points = places.len().next_multiple_of(POINTS);
        add_in_groups::<F>(COLUMNS, eq, values, |group, eq, out| {
            let columns = entries[group * COLUMNS * rows..].chunks_exact(rows).take(COLUMNS);
            let scratch = &weights.scratch;
            scratch.with(
                || weights.scratch(points),
                |scratch| {
                    let Scratch { entries, integers, values, sums, parts } = scratch;
                    parts.fill(0);
                    let mut load = 0;
                    for (first, &of_chunk) in (0..pairs).step_by(CHUNK).zip(&weights.loads) {
                        if load + of_chunk > MOST {
                            weights.move_sums(points, cast_slice_mut(sums), parts);
                            load = 0;
                        }
                        load += of_chunk;
                        let chunk = first..(first + CHUNK).min(pairs);
                        let row = |pair: usize| {
                            ((self.blocks.start + 2 * pair) * ROWS).min(self.blocks.end * ROWS)
                        };
                        let rows = row(chunk.start)..row(chunk.end);
                        let integers = &mut integers[..chunk.len() * ROWS * WORDS];
                        let values = &mut values[..chunk.len() * points * WORDS];
                        let root = self.product.root() as i32;
                        let columns = columns.clone().map(|column| &column[rows.clone()]);
                        gather(columns, root, entries, cast_slice_mut(integers));
                        evaluate(
                            isa,
                            self.degree,
                            cast_slice(integers).as_chunks().0,
                            cast_slice_mut(values).as_chunks_mut().0,
                        );
                        let words = weights.digits.chunks_exact(pairs * weights.count);
                        let sums = sums.chunks_exact_mut(points * weights.count * WORDS);
                        for (digits, sums) in words.zip(sums) {
                            let digits =
                                &digits[chunk.start * weights.count..chunk.end * weights.count];
                            add_products(isa, weights.count, values, digits, sums);
                        }
                    }
                    weights.move_sums(points, cast_slice_mut(sums), parts);
                    vectorize!(token, combine::<F, L>(token, parts, eq, &places, out),);
                },
            );
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
fn gather<'a, T: WitnessEntry>(
    columns: impl ExactSizeIterator<Item = &'a [T]>,
    root: i32,
    entries: &mut [i8],
    rows: &mut [i16],
) {
    let height = rows.len() >> COLUMNS.ilog2();
    let (entries, scratch) = entries[..2 * rows.len()].split_at_mut(rows.len());
    entries[height * columns.len()..].fill(0);
    for (entries, column) in entries.chunks_exact_mut(height).zip(columns) {
        // They are in their range.
        let narrow = |(out, &entry): (&mut i8, &T)| *out = Into::<i32>::into(entry) as i8;
        entries.iter_mut().zip(column).for_each(narrow);
    }
    vectorize!(Isa::detect_vectors(), {
        shuffle(entries, scratch, COLUMNS.ilog2());
        let pairs = entries.chunks_exact(2 * ROWS * COLUMNS);
        for (rows, pair) in rows.chunks_exact_mut(2 * ROWS * COLUMNS).zip(pairs) {
            let (low, high) = pair.split_at(ROWS * COLUMNS);
            let halves = rows.as_chunks_mut().0.iter_mut().zip(low.iter().zip(high));
            halves.for_each(|(halves, (&low, &high))| {
                *halves = [i16::from(low) - root as i16, i16::from(high) - root as i16];
            });
        }
    });
}

/// P at all points of pairs of blocks.
fn evaluate(isa: Isa, degree: usize, rows: &[Row], values: &mut [Row]) {
    vectorize!(
        isa,
        match degree {
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

/// Adds the products of all values with `count` digits a pair of blocks.
fn add_products(isa: Isa, count: usize, values: &[u64], digits: &[u64], sums: &mut [u64]) {
    if count == 4 {
        with_dot!(isa, add_products_with::<4>(values, digits.as_chunks::<4>().0, sums));
    } else {
        with_dot!(isa, add_products_with::<5>(values, digits.as_chunks::<5>().0, sums));
    }
}

#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn add_products_with<V: Dot, const N: usize>(
    token: V::Token,
    values: &[u64],
    digits: &[[u64; N]],
    sums: &mut [u64],
) {
    let points = values.len() / digits.len();
    vectorize!(token, {
        let starts = (0..).step_by(POINTS * WORDS);
        for (start, sums) in starts.zip(sums.chunks_exact_mut(POINTS * N * WORDS)) {
            for lane in (0..WORDS).step_by(V::LANES) {
                let mut totals = [[V::zero(token); N]; POINTS];
                for (point, totals) in totals.iter_mut().enumerate() {
                    for (digit, total) in totals.iter_mut().enumerate() {
                        *total = V::load(token, &sums[(point * N + digit) * WORDS + lane..]);
                    }
                }
                // No zips, as in `combine`.
                for (index, digits) in digits.iter().enumerate() {
                    let values = &values[index * points + start + lane..];
                    let (x, y) = (V::load(token, values), V::load(token, &values[WORDS..]));
                    let [of_x, of_y] = &mut totals;
                    for (index, &digit) in digits.iter().enumerate() {
                        let digit = V::splat(token, digit);
                        of_x[index] = of_x[index].add_dot(x, digit);
                        of_y[index] = of_y[index].add_dot(y, digit);
                    }
                }
                for (point, totals) in totals.iter().enumerate() {
                    for (digit, total) in totals.iter().enumerate() {
                        total.store(&mut sums[(point * N + digit) * WORDS + lane..]);
                    }
                }
            }
        }
    });
}

/// Adds, at each point, the sum over columns of eq_j times the element of its parts.
#[inline(always)]
fn combine<F: Field, L: Lanes<F>>(
    token: L::Token,
    parts: &[i64],
    eq: &[ElementOf<F>],
    places: &[usize],
    out: &mut [ElementOf<F>],
) {
    let of_point = F::Coefficients::COUNT * F::PARTS * COLUMNS;
    let eq = &eq[..eq.len().min(COLUMNS)];
    // No zips, whose constructor is not inlined across codegen units.
    for (point, &place) in places.iter().enumerate() {
        let parts = &parts[point * of_point..];
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
