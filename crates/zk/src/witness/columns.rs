//! S as the protocol reads it: in groups of columns, every entry checked.

use core::ops::Range;

use super::{MessageRows, WitnessSource, check_bound, check_bounds, check_messages};
use crate::entry::{WitnessEntry, of_size, parts_of};
use crate::erase::Secrets;
use crate::error::Error;
use crate::params::{BLOCK, GROUP, Params};
use crate::shard::range::Shard;
use crate::words::{Word as _, to_bytes};

/// Most columns of a group.
pub(crate) const OF_GROUP: usize = GROUP as usize * BLOCK as usize;

/// Fills in columns of a source from a block on: of bytes, or of wider entries where some may be.
fn read<T: WitnessEntry>(
    params: &Params,
    source: &dyn WitnessSource,
    first_block: u64,
    out: &mut [T],
) -> Result<(), Error> {
    if size_of::<T>() == 1 {
        return source.read_columns(params, first_block, bytemuck::cast_slice_mut(out));
    }
    let width = params.entry_bytes();
    let mut bytes = Secrets::<i8>::zeros(out.len() * width);
    source.read_columns(params, first_block, &mut bytes)?;
    let words: &mut [u32] = bytemuck::cast_slice_mut(out);
    u32::from_bytes(bytemuck::cast_slice(&bytes), width, u64::MAX, words);
    let unused = 32 - 8 * width;
    for word in words {
        *word = ((*word << unused).cast_signed() >> unused).cast_unsigned();
    }
    Ok(())
}

/// Entries of so many bytes each as a source delivers them.
pub(crate) fn write(entries: &[i32], width: usize, out: &mut [i8]) {
    let bytes = Secrets::own(to_bytes::<u32>(bytemuck::cast_slice(entries), width));
    out.copy_from_slice(bytemuck::cast_slice(&bytes));
}

/// The function that is called for each group of columns: f(first block, columns). Of one type for
/// all functions, so that loops are compiled once for each type of entries.
type Visitor<'a, T> = dyn FnMut(u64, &[T]) -> Result<(), Error> + 'a;

/// Calls `f` for the groups of a shard's columns, in order. Columns that the source does not lend
/// are copied, and the copies erased.
pub(crate) fn for_column_groups<T: WitnessEntry>(
    params: &Params,
    witness: &dyn WitnessSource,
    shard: Shard,
    f: &mut Visitor<'_, T>,
) -> Result<(), Error> {
    for_unchecked_groups(params, witness, shard, &mut |first_block, part| {
        check_bounds(params, first_block * u64::from(BLOCK), part)?;
        f(first_block, part)
    })
}

/// The same without a look at the entries: `f` has to check them before it relies on them.
pub(crate) fn for_unchecked_groups<T: WitnessEntry>(
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
        let lent = witness.columns(params, first_block, columns).and_then(of_size);
        if let Some(part) = lent.filter(|part| part.len() == v * columns) {
            f(first_block, part)?;
        } else {
            let buffer = buffer.get_or_insert_with(|| Secrets::zeros(v * largest));
            let part = &mut buffer[..v * columns];
            read(params, witness, first_block, part)?;
            f(first_block, part)?;
        }
    }
    Ok(())
}

/// The function that is called for some columns: f(first column, entries from one column to the
/// next, entries), which begin with the first rows.
type RowsVisitor<'a, T> = dyn FnMut(u64, usize, &[T]) + 'a;

/// Calls f for columns of a shard that are in `columns`, in order, of at most `most` columns at a
/// time the first `rows` rows at least. They are checked just before, and lie in a cache if they
/// are few.
pub(crate) fn for_first_rows<T: WitnessEntry>(
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
        .and_then(|messages| Some((messages, of_size(messages.entries)?)));
    let of_messages = messages.map_or(here.end, |(messages, _)| messages.first.max(here.start));
    // The last block of which columns are read whole.
    let last = if of_messages > here.start { of_messages.min(here.end) } else { 0 };
    let (v, behind) = (params.v() as usize, last.div_ceil(BLOCK.into()));
    for_unchecked_groups(params, witness, shard.ending_at(behind), &mut |block, entries: &[T]| {
        let start = block * u64::from(BLOCK);
        let end = start + parts_of(entries, v) as u64;
        let [from, to] = [here.start, here.end.min(of_messages)].map(|j| j.clamp(start, end));
        let entries = &entries[(from - start) as usize * v..(to.max(from) - start) as usize * v];
        for (first, entries) in (from..).step_by(most).zip(entries.chunks(most * v)) {
            check_bounds(params, first, entries)?;
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
pub(crate) fn read_columns<T: WitnessEntry>(
    params: &Params,
    witness: &dyn WitnessSource,
    first_block: u64,
    out: &mut [T],
) -> Result<(), Error> {
    read(params, witness, first_block, out)?;
    check_bounds(params, first_block * u64::from(BLOCK), out)
}

/// The same as integers of 32 bits, for bindings.
///
/// # Errors
/// Errors of the source; [`Error::Witness`].
pub fn read_integers(
    params: &Params,
    witness: &dyn WitnessSource,
    first_block: u64,
    out: &mut [i32],
) -> Result<(), Error> {
    read_columns(params, witness, first_block, out)
}
