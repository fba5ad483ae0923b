//! S as the protocol reads it: in groups of columns, every entry checked.

use core::ops::Range;

use super::{MessageRows, WitnessSource, check_bound, check_bounds, check_columns, check_messages};
use crate::entry::WitnessEntry;
use crate::erase::Secrets;
use crate::error::Error;
use crate::params::{BLOCK, GROUP, Params};
use crate::shard::range::Shard;

/// Most columns of a group.
pub(crate) const OF_GROUP: usize = GROUP as usize * BLOCK as usize;

/// A method by which a source fills columns in, from a block on.
type Read<T> = fn(&dyn WitnessSource, &Params, u64, &mut [T]) -> Result<(), Error>;
/// A method by which a source lends so many columns from a block on.
type Lend<T> = for<'a> fn(&'a dyn WitnessSource, &Params, u64, usize) -> Option<&'a [T]>;

/// An entry as which a source delivers S.
pub(crate) trait SourceEntry: WitnessEntry + From<i8> {
    const READ: Read<Self>;
    const LEND: Lend<Self>;
    /// Messages, if they are such entries.
    const MESSAGES: for<'a> fn(MessageRows<'a>) -> Option<&'a [Self]> = |_| None;
}

impl SourceEntry for i8 {
    const READ: Read<Self> = |source, params, first, out| source.read_columns(params, first, out);
    const LEND: Lend<Self> = |source, params, first, count| source.columns(params, first, count);
    const MESSAGES: for<'a> fn(MessageRows<'a>) -> Option<&'a [Self]> =
        |messages| Some(messages.entries);
}

impl SourceEntry for i32 {
    const READ: Read<Self> =
        |source, params, first, out| source.read_wide_columns(params, first, out);
    const LEND: Lend<Self> =
        |source, params, first, count| source.wide_columns(params, first, count);
}

/// The function that is called for each group of columns: f(first block, columns). Of one type for
/// all functions, so that loops are compiled once for each type of entries.
type Visitor<'a, T> = dyn FnMut(u64, &[T]) -> Result<(), Error> + 'a;

/// Calls `f` for the groups of a shard's columns, in order. Columns that the source does not lend are
/// copied, and the copies erased.
pub(crate) fn for_column_groups<T: SourceEntry>(
    params: &Params,
    witness: &dyn WitnessSource,
    shard: Shard,
    f: &mut Visitor<'_, T>,
) -> Result<(), Error> {
    for_unchecked_groups(params, witness, shard, &mut |first_block, part| {
        check_bounds(params, first_block, part)?;
        f(first_block, part)
    })
}

/// The same without a look at the entries: `f` has to check them before it relies on them.
pub(crate) fn for_unchecked_groups<T: SourceEntry>(
    params: &Params,
    witness: &dyn WitnessSource,
    shard: Shard,
    f: &mut Visitor<'_, T>,
) -> Result<(), Error> {
    let v = params.v() as usize;
    // The first group is the largest.
    let largest = shard.groups(params).next().map_or(0, |(_, columns)| columns);
    let mut buffer = None;
    for (first_block, columns) in shard.groups(params) {
        let lent = (T::LEND)(witness, params, first_block, columns);
        if let Some(part) = lent.filter(|part| part.len() == v * columns) {
            f(first_block, part)?;
        } else {
            let buffer = buffer.get_or_insert_with(|| Secrets::zeros(v * largest));
            let part = &mut buffer[..v * columns];
            (T::READ)(witness, params, first_block, part)?;
            f(first_block, part)?;
        }
    }
    Ok(())
}

/// The function that is called for some columns: f(first column, entries from one column to the
/// next, entries), which begin with the first rows.
type RowsVisitor<'a, T> = dyn FnMut(u64, usize, &[T]) + 'a;

/// Calls f for columns of a shard that are in `columns`, in order, of at most `most` columns at a time
/// the first `rows` rows at least. They are checked just before, and lie in a cache if they are few.
pub(crate) fn for_first_rows<T: SourceEntry>(
    (params, witness, shard): (&Params, &dyn WitnessSource, Shard),
    columns: &Range<u64>,
    (rows, most): (usize, usize),
    f: &mut RowsVisitor<'_, T>,
) -> Result<(), Error> {
    let here = shard.columns(params);
    let here = here.start.max(columns.start)..here.end.min(columns.end);
    // Rows of one group have one bound.
    let group = params.row_groups()[0];
    let messages = witness
        .messages(params)
        .filter(|messages| (rows..=group.rows as usize).contains(&messages.rows))
        .and_then(|messages| Some((messages, (T::MESSAGES)(messages)?)));
    let of_messages = messages.map_or(here.end, |(messages, _)| messages.first.max(here.start));
    // The last block of which columns are read whole.
    let last = if of_messages > here.start { of_messages.min(here.end) } else { 0 };
    let (v, behind) = (params.v() as usize, last.div_ceil(BLOCK.into()));
    for_unchecked_groups(params, witness, shard.ending_at(behind), &mut |block, entries: &[T]| {
        let start = block * u64::from(BLOCK);
        #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
        let end = start + (entries.len() / v) as u64;
        let [from, to] = [here.start, here.end.min(of_messages)].map(|j| j.clamp(start, end));
        let entries = &entries[(from - start) as usize * v..(to.max(from) - start) as usize * v];
        for (first, entries) in (from..).step_by(most).zip(entries.chunks(most * v)) {
            check_columns(params, first, entries)?;
            f(first, v, entries);
        }
        Ok(())
    })?;
    let Some((MessageRows { first, rows, .. }, entries)) = messages else { return Ok(()) };
    let [from, to] = [of_messages, here.end.max(of_messages)].map(|j| (j - first) as usize * rows);
    check_messages(entries.len().min(to) as u64, to as u64)?;
    let entries = entries[from..to].chunks(most * rows);
    for (first, entries) in (of_messages..).step_by(most).zip(entries) {
        check_bound(rows as u32, group.bound, first, entries)?;
        f(first, rows, entries);
    }
    Ok(())
}

/// Reads columns of S and checks that every entry is within b, even if the source violates its
/// contract.
pub(crate) fn read_columns<T: SourceEntry>(
    params: &Params,
    witness: &dyn WitnessSource,
    first_block: u64,
    out: &mut [T],
) -> Result<(), Error> {
    (T::READ)(witness, params, first_block, out)?;
    check_bounds(params, first_block, out)
}
