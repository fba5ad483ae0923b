//! The table s^ with some of its row variables bound: row a of the table holds the claim's row a,
//! the one behind the last beta, and 0 wherever nothing is said.

use alloc::vec::Vec;

use tautochrone_simd::{Isa, Token, vectorize};
use zeroize::Zeroizing;

use core::ops::Range;

use super::scales::Scales;
use crate::entry::WitnessEntry;
use crate::erase::Secrets;
use crate::error::Error;
use crate::field::{ElementOf, Field, Integers, Lanes, P61};
use crate::params::Params;
use crate::shard::range::Shard;
use crate::witness::WitnessSource;
use crate::witness::columns::for_first_rows;

mod short;

/// Columns that are folded and evaluated together.
const CHUNK: usize = 64;

/// The function that is called for a few columns at a time: f(first column, how many columns, their
/// part of the table).
type Visitor<'a, T> = dyn FnMut(usize, usize, &mut [T]) + 'a;

/// S: its parameters, where it is read from, and the columns that are.
pub(in crate::argument) type OfShard<'a> = (&'a Params, &'a dyn WitnessSource, Shard);

/// Where the table comes from.
pub(in crate::argument) struct Source<'a, F: Field = P61> {
    pub(in crate::argument) of: OfShard<'a>,
    /// Rows of S that are in the table, in ascending order.
    pub(in crate::argument) parts: &'a [Range<u32>],
    /// Columns of the table; the shard's are here.
    pub(in crate::argument) columns: Range<u64>,
    /// Their entries in the row behind the others.
    pub(in crate::argument) beta: Zeroizing<Vec<ElementOf<F>>>,
    /// The table's other rows of the columns that are here, where they are not rows of S.
    pub(in crate::argument) stored: Option<Secrets>,
}

impl<F: Field> Source<'_, F> {
    /// Rows of the table but for the last one.
    fn rows(&self) -> usize {
        self.parts.iter().map(ExactSizeIterator::len).sum()
    }

    /// The columns that are here.
    pub(in crate::argument) fn here(&self) -> Range<u64> {
        let (params, _, shard) = self.of;
        let Range { start, end } = shard.columns(params);
        let start = start.max(self.columns.start);
        start..end.min(self.columns.end).max(start)
    }

    /// Calls f(first column of those that are here, columns, entries of the table's rows, column
    /// after column) for a few columns at a time, all in order.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    pub(super) fn for_chunks<T: WitnessEntry>(
        &self,
        f: &mut dyn FnMut(usize, usize, &[T]),
    ) -> Result<(), Error> {
        let rows = self.rows();
        let mut buffer = Secrets::<T>::zeros(CHUNK * rows);
        if let Some(stored) = &self.stored {
            for (chunk, entries) in stored.chunks(CHUNK * rows).enumerate() {
                buffer.iter_mut().zip(entries).for_each(|(out, &entry)| *out = entry.into());
                f(chunk * CHUNK, entries.len() / rows, &buffer[..entries.len()]);
            }
            return Ok(());
        }
        let end = self.parts.last().map_or(0, |part| part.end as usize);
        // All but the last are whole, wherever groups of blocks end: tables are stored in lanes.
        let (mut column, mut filled) = (0, 0);
        for_first_rows(
            self.of,
            &self.columns,
            (end, CHUNK),
            &mut |_, stride, mut entries: &[T]| {
                if entries.len() == CHUNK * rows && filled == 0 && rows == stride {
                    // Whole columns are not copied.
                    f(column, CHUNK, entries);
                    column += CHUNK;
                    return;
                }
                while !entries.is_empty() {
                    let count = (CHUNK - filled).min(entries.len() / stride);
                    let (some, behind) = entries.split_at(count * stride);
                    entries = behind;
                    let gathered = buffer[filled * rows..].chunks_exact_mut(rows);
                    for (out, entries) in gathered.zip(some.chunks_exact(stride)) {
                        gather(self.parts, entries, out);
                    }
                    filled += count;
                    if filled == CHUNK {
                        f(column, filled, &buffer);
                        (column, filled) = (column + filled, 0);
                    }
                }
            },
        )?;
        if filled > 0 {
            f(column, filled, &buffer[..filled * rows]);
        }
        Ok(())
    }

    /// The same with as many variables bound as `weights` has: f(first column, groups of columns as
    /// wide as registers are) with `height` elements a column, which are multiplied by their
    /// scales, if there are any, and appended to `table` if there is one, whose capacity holds
    /// them.
    #[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
    pub(super) fn for_folded<T: WitnessEntry, L: Lanes<F>>(
        &self,
        (isa, token): (Isa, L::Token),
        (weights, scales): (&[ElementOf<F>], Option<&Scales<F>>),
        height: usize,
        table: Option<&mut Vec<L::Stored>>,
        f: &mut Visitor<'_, L::Stored>,
    ) -> Result<(), Error> {
        let size = |columns: usize| columns.div_ceil(L::LANES) * height;
        // Entries are bytes, or are not short.
        let short = if size_of::<T>() == 1 { short::Fold::new(isa, weights, scales) } else { None };
        let rows = self.rows();
        let whole = if short.is_some() { rows / weights.len() } else { 0 };
        let sums: Vec<ElementOf<F>> = weights.chunks(L::MAX_INTEGERS).map(sum).collect();
        let mut scratch = Zeroizing::new(Vec::new());
        let keeps = table.is_some();
        let table = table.unwrap_or_else(|| {
            scratch.reserve_exact(size(CHUNK));
            &mut scratch
        });
        self.for_chunks(&mut |first, count, entries: &[T]| {
            let start = if keeps { table.len() } else { 0 };
            debug_assert!(start + size(count) <= table.capacity(), "nothing is moved");
            table.resize(start + size(count), L::Stored::default());
            let folded = &mut table[start..];
            if let Some(short) = &short {
                let size = short::COLUMNS / L::LANES * height;
                crate::parallel::for_chunks(folded, size, |group, out| {
                    let entries = &entries[group * short::COLUMNS * rows..];
                    T::with_le_bytes(entries, |bytes| {
                        short.fold::<F, L>(token, (bytes, rows), height, out);
                    });
                });
            }
            crate::parallel::for_chunks(folded, height, |group, out| {
                let beta = &self.beta[first + group * L::LANES..first + count];
                let mut window = Window::new(&entries[group * L::LANES * rows..], rows, L::LANES);
                vectorize!(token, {
                    let beta = L::gather(token, beta);
                    fold::<F, T, L>(&mut window, beta, ((weights, &sums), scales), whole, out);
                });
            });
            f(first, count, folded);
        })
    }
}

/// The table's rows of a column.
fn gather<T: WitnessEntry>(parts: &[Range<u32>], column: &[T], out: &mut [T]) {
    let mut start = 0;
    for rows in parts {
        let rows = rows.start as usize..rows.end as usize;
        let end = start + rows.len();
        out[start..end].copy_from_slice(&column[rows]);
        start = end;
    }
}

/// A group of columns, of `rows` entries each, row after row: those that are missing are 0.
pub(super) fn transpose<F: Field, T: WitnessEntry, L: Lanes<F>>(
    entries: &[T],
    rows: usize,
    group: usize,
) -> Zeroizing<Vec<i64>> {
    // Rows that are written together lie in the first level of a cache.
    const ROWS: usize = 64;
    let mut words = Zeroizing::new(vec![0; rows * L::LANES]);
    let columns = entries[group * L::LANES * rows..].chunks_exact(rows).take(L::LANES);
    for (start, words) in (0..).step_by(ROWS).zip(words.chunks_mut(ROWS * L::LANES)) {
        for (lane, column) in columns.clone().enumerate() {
            for (word, &entry) in words[lane..].iter_mut().step_by(L::LANES).zip(&column[start..]) {
                *word = entry.into();
            }
        }
    }
    words
}

/// Transposes 2^`variables` columns, which follow each other, in place: the two halves are shuffled
/// into each other once for every variable, two of them at a time, in loops that compilers
/// vectorise. `scratch` has the size of the columns.
///
/// # Constant time
/// In the columns.
#[inline(always)]
pub(super) fn shuffle<T: Copy>(columns: &mut [T], scratch: &mut [T], variables: u32) {
    if variables & 1 == 1 {
        let (low, high) = columns.split_at(columns.len() >> 1);
        for (i, pair) in scratch.as_chunks_mut().0.iter_mut().enumerate() {
            *pair = [low[i], high[i]];
        }
        columns.copy_from_slice(scratch);
    }
    let (mut from, mut to) = (&mut *columns, &mut *scratch);
    for _ in 0..variables >> 1 {
        let quarter = from.len() >> 2;
        let (low, high) = from.split_at(2 * quarter);
        let ((a, b), (c, d)) = (low.split_at(quarter), high.split_at(quarter));
        for (i, four) in to.as_chunks_mut().0.iter_mut().enumerate() {
            *four = [a[i], b[i], c[i], d[i]];
        }
        (from, to) = (to, from);
    }
    if variables & 2 == 2 {
        columns.copy_from_slice(scratch);
    }
}

/// Some rows of a group of columns, transposed while they lie in the first level of a cache.
struct Window<'a, T: WitnessEntry> {
    columns: &'a [T],
    rows: usize,
    lanes: usize,
    /// The first row.
    first: usize,
    /// The rows; scratch behind them.
    entries: Secrets<T>,
    words: Secrets<i64>,
}

/// Rows of a window: numbers of rows that are summed up together divide it, or it divides them.
const WINDOW: usize = 64;

impl<'a, T: WitnessEntry> Window<'a, T> {
    /// Of the first columns, as many as there are lanes, of `rows` entries each. There is nothing
    /// in the window at first.
    fn new(columns: &'a [T], rows: usize, lanes: usize) -> Self {
        let words = Secrets::zeros(WINDOW * lanes);
        let entries = Secrets::zeros(2 * WINDOW * lanes);
        Self { columns, rows, lanes, first: usize::MAX, entries, words }
    }

    /// Moves to the window of a row.
    #[inline(never)]
    fn fill(&mut self, row: usize) {
        let Self { columns, rows, lanes, .. } = *self;
        self.first = row & !(WINDOW - 1);
        let window = self.first..rows.min(self.first + WINDOW);
        let (entries, scratch) = self.entries.split_at_mut(WINDOW * lanes);
        entries.fill(0.into());
        let columns = columns.chunks_exact(rows).take(lanes);
        for (entries, column) in entries.chunks_exact_mut(WINDOW).zip(columns) {
            entries[..window.len()].copy_from_slice(&column[window.clone()]);
        }
        let words = &mut self.words;
        vectorize!(Isa::detect_vectors(), {
            shuffle(entries, scratch, lanes.ilog2());
            words.iter_mut().zip(entries).for_each(|(word, entry)| *word = (*entry).into());
        });
    }

    /// The words of a row, and of those behind it in its window.
    #[inline(always)]
    fn at(&mut self, row: usize) -> &[i64] {
        if row & !(WINDOW - 1) != self.first {
            self.fill(row);
        }
        &self.words[(row - self.first) * self.lanes..]
    }
}

/// eq(r, .) of the variables that are bound, and its sums over as many places as are summed up
/// before anything is reduced.
type Weights<'a, F> = (&'a [ElementOf<F>], &'a [ElementOf<F>]);

fn sum<F: Field>(weights: &[ElementOf<F>]) -> ElementOf<F> {
    weights.iter().fold(ElementOf::ZERO, |sum, &weight| sum + weight)
}

/// sum over i < 2^t of weights_i x_(2^t g + i) for each g from `whole` on, x being the entries and
/// beta; times its scale, if there are any.
///
/// # Constant time
/// In entries and beta.
#[inline(always)]
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn fold<F: Field, T: WitnessEntry, L: Lanes<F>>(
    window: &mut Window<'_, T>,
    beta: L,
    ((weights, sums), scales): (Weights<'_, F>, Option<&Scales<F>>),
    whole: usize,
    out: &mut [L::Stored],
) {
    let (token, rows) = (beta.token(), window.rows);
    let (place, rest) = (rows / weights.len(), rows % weights.len());
    for (index, out) in out[whole..].iter_mut().enumerate() {
        let g = whole + index;
        let start = g * weights.len();
        let count = weights.len().min(rows.saturating_sub(start));
        let mut value = L::splat(token, ElementOf::ZERO);
        // `zip` is inlined within a codegen unit alone.
        for (index, chunk) in weights[..count].chunks(L::MAX_INTEGERS).enumerate() {
            let first = start + index * L::MAX_INTEGERS;
            let mut total = L::Integers::zero(token);
            for (part, weights) in chunk.chunks(WINDOW).enumerate() {
                let row = first + part * WINDOW;
                debug_assert!(row % WINDOW + weights.len() <= WINDOW, "rows of one window");
                let words = window.at(row);
                for (i, &weight) in weights.iter().enumerate() {
                    total.add(L::integers(token, &words[i * L::LANES..]), weight);
                }
            }
            // The last group has fewer.
            let all = if count < weights.len() { sum(chunk) } else { sums[index] };
            value = value.add(total.reduce(all));
        }
        if g == place {
            value = value.add(L::splat(token, weights[rest]).mul(beta));
        }
        if let Some(scales) = scales {
            value = value.mul(L::splat(token, scales.at(g)));
        }
        *out = value.store();
    }
}

/// Binds one more variable of a group of columns, to their first half, which is divided by its
/// scales then, if there are any.
///
/// # Constant time
/// In the columns.
pub(super) fn bind_column<F: Field, L: Lanes<F>>(
    token: L::Token,
    column: &mut [L::Stored],
    (r, divisors): (ElementOf<F>, Option<&Scales<F>>),
) {
    vectorize!(token, {
        let (r, zero) = (L::splat(token, r), L::splat(token, ElementOf::ZERO));
        let height = column.len().div_ceil(2);
        for index in 0..height {
            let low = L::load(token, &column[2 * index]);
            let high = match column.get(2 * index + 1) {
                Some(high) => L::load(token, high),
                None => zero,
            };
            column[index] = low.line_at(high, r).store();
        }
        if let Some(scales) = divisors {
            scales.divide::<L>(token, &mut column[..height]);
        }
    });
}
