//! The witness S (v x l, entries in [-b, b]): in memory, in a file, or drawn at random; always read
//! by column blocks.

pub(crate) mod columns;
pub(crate) mod digest;
mod group;
mod uniform;

use tautochrone_ctr::{KeySize, Label, Seed};
use tautochrone_simd::{Isa, declassify};

use crate::erase::Secrets;
use crate::error::Error;
use crate::hash::{Digest, Hasher};
use crate::params::{BLOCK, Params};
use crate::rows::MAX_GROUPS;
use crate::source::ReadAt;
use group::fill_group;
use uniform::fill_uniform;

/// Something that delivers S by columns, as often as it is asked: once to commit, once to bind the
/// randomness of a proof to it, and once for every attempt.
pub trait WitnessSource: Sync {
    /// Fills `out` with the columns from 256 `first_block` on, column after column, v entries each.
    ///
    /// `out.len()` is a multiple of v and reaches at most to column l. Entries lie in [-b, b]; a
    /// prover checks it once more.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::WitnessLength`] or [`Error::WitnessBound`].
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error>;

    /// What [`Self::read_columns`] would give for `count` columns, if it lies in memory: then
    /// nothing is copied. They are read where this is `None`, as it is unless a source says
    /// otherwise, or of another length than v `count`.
    fn columns(&self, _params: &Params, _first_block: u64, _count: usize) -> Option<&[i8]> {
        None
    }
}

/// A witness in memory; erased when dropped, never printed.
///
/// ```
/// use tautochrone_zk::*;
///
/// # let custom = CustomParams { n: Some(16), ..CustomParams::new(29, 32, 96, 40, 1) };
/// # let params = custom.validate(Security::Waived)?;
/// let entries = vec![1; params.v() as usize * params.l() as usize];
/// let witness = Witness::new(&params, entries)?;
/// assert!(Witness::new(&params, vec![1; 3]).is_err(), "v l entries");
/// # Ok::<(), Error>(())
/// ```
pub struct Witness {
    entries: Secrets,
}

impl Witness {
    /// Takes over v l entries, column after column, each in [-b, b].
    ///
    /// # Errors
    /// [`Error::WitnessLength`]; [`Error::WitnessBound`], which says where.
    pub fn new(params: &Params, entries: Vec<i8>) -> Result<Self, Error> {
        let witness = Self { entries: Secrets::own(entries) };
        check_length(params, witness.entries.len() as u64)?;
        check_bounds(params, 0, &witness.entries)?;
        Ok(witness)
    }

    /// `len` entries from block `first_block` on, if there are as many.
    fn part(&self, params: &Params, first_block: u64, len: usize) -> Option<&[i8]> {
        let block = u64::from(BLOCK) * u64::from(params.v());
        let start = usize::try_from(first_block.checked_mul(block)?).ok()?;
        self.entries.get(start..start.checked_add(len)?)
    }
}

impl core::fmt::Debug for Witness {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Witness([REDACTED])")
    }
}

impl WitnessSource for Witness {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        let expected = u64::from(params.v()) * params.l();
        let part = self.part(params, first_block, out.len());
        out.copy_from_slice(
            part.ok_or(Error::WitnessLength { got: self.entries.len() as u64, expected })?,
        );
        Ok(())
    }

    fn columns(&self, params: &Params, first_block: u64, count: usize) -> Option<&[i8]> {
        self.part(params, first_block, count.checked_mul(params.v() as usize)?)
    }
}

/// A witness in a file or other byte source of exactly v l bytes: one signed byte an entry, column
/// after column.
///
/// ```
/// use tautochrone_zk::*;
///
/// # let custom = CustomParams { n: Some(16), ..CustomParams::new(29, 32, 96, 40, 1) };
/// # let params = custom.validate(Security::Waived)?;
/// // In memory here; a `FileSource` reads columns when they are needed.
/// let bytes = vec![0_u8; params.v() as usize * params.l() as usize];
/// let witness = WitnessFile::new(&params, bytes)?;
/// # Ok::<(), Error>(())
/// ```
pub struct WitnessFile<R> {
    bytes: R,
}

/// The bytes may be in memory.
impl<R> core::fmt::Debug for WitnessFile<R> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("WitnessFile([REDACTED])")
    }
}

impl<R: ReadAt> WitnessFile<R> {
    /// Checks the length; the entries are checked as they are read.
    ///
    /// # Errors
    /// [`Error::WitnessLength`].
    pub fn new(params: &Params, bytes: R) -> Result<Self, Error> {
        check_length(params, bytes.len())?;
        Ok(Self { bytes })
    }
}

impl<R: ReadAt> WitnessSource for WitnessFile<R> {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        // What does not fit lies beyond the end, too.
        let offset =
            first_block.saturating_mul(u64::from(BLOCK)).saturating_mul(u64::from(params.v()));
        read_entries(&self.bytes, offset, params, first_block, out)
    }
}

/// Reads entries of S from `offset` on, which are columns from `first_block` on, and checks their
/// bound.
pub(crate) fn read_entries(
    bytes: &dyn ReadAt,
    offset: u64,
    params: &Params,
    first_block: u64,
    out: &mut [i8],
) -> Result<(), Error> {
    bytes.read_at(offset, bytemuck::cast_slice_mut(out)).map_err(Error::io("witness"))?;
    check_bounds(params, first_block, out)
}

/// A witness distributed as its parameters say, expanded from a secret seed block by block: for
/// trials and benchmarks of any length. Rows of which only the bound is known are uniform, too. Its
/// keys are of 128 bits for every lambda.
///
/// ```
/// use tautochrone_zk::{RandomWitness, Seed};
///
/// let witness = RandomWitness::new(Seed::from_os()?);
/// # Ok::<(), tautochrone_zk::Error>(())
/// ```
#[derive(Debug)]
pub struct RandomWitness {
    seed: Seed,
}

impl RandomWitness {
    const LABEL: Label<'static> = Label::new("tautochrone-zk/1 random witness");
    /// One for each group of rows, where they are several.
    const LABELS: [Label<'static>; MAX_GROUPS] = [
        Label::new("tautochrone-zk/2 random witness, rows 1"),
        Label::new("tautochrone-zk/2 random witness, rows 2"),
        Label::new("tautochrone-zk/2 random witness, rows 3"),
        Label::new("tautochrone-zk/2 random witness, rows 4"),
    ];

    /// The witness of this seed.
    #[must_use]
    pub const fn new(seed: Seed) -> Self {
        Self { seed }
    }

    /// Columns from block `first_block` on, by keys of this size.
    pub(crate) fn fill(
        &self,
        params: &Params,
        key_size: KeySize,
        first_block: u64,
        out: &mut [i8],
    ) {
        let (v, b) = (params.v() as usize, params.b());
        let (block, isa) = (BLOCK as usize * v, Isa::detect_vectors());
        crate::parallel::for_chunks(out, block, |index, chunk| {
            let index = first_block.wrapping_add(index as u64);
            if let [_] = params.row_groups() {
                let stream = &mut self.seed.stream_with(isa, key_size, Self::LABEL, index);
                return fill_uniform(stream, b, chunk);
            }
            // A stream for each group of rows, whose entries are drawn together.
            let mut row = 0;
            for (label, group) in Self::LABELS.into_iter().zip(params.row_groups()) {
                let rows = group.rows as usize;
                let mut entries = Secrets::zeros(chunk.len() / v * rows);
                let stream = &mut self.seed.stream_with(isa, key_size, label, index);
                fill_group(isa, stream, group, &mut entries);
                for (column, entries) in chunk.chunks_exact_mut(v).zip(entries.chunks_exact(rows)) {
                    column[row..row + rows].copy_from_slice(entries);
                }
                row += rows;
            }
        });
    }
}

impl WitnessSource for RandomWitness {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        self.fill(params, KeySize::Aes128, first_block, out);
        Ok(())
    }
}

fn check_length(params: &Params, got: u64) -> Result<(), Error> {
    let expected = u64::from(params.v()) * params.l();
    if got == expected { Ok(()) } else { Err(Error::WitnessLength { got, expected }) }
}

/// Checks entries of columns of S from block `first_block` on against the bounds of their rows.
///
/// Constant time in the entries while all are within them; an error says where the first one is
/// that is not.
pub(crate) fn check_bounds(params: &Params, first_block: u64, entries: &[i8]) -> Result<(), Error> {
    if let [group] = params.row_groups() {
        return check_bound(params.v(), group.bound, first_block, entries);
    }
    let bounds: Vec<u8> = params
        .row_groups()
        .iter()
        .flat_map(|group| core::iter::repeat_n(group.bound as u8, group.rows as usize))
        .collect();
    let outside = |column: &[i8]| {
        let pairs = column.iter().zip(&bounds);
        pairs.fold(false, |any, (s, &bound)| any | (s.unsigned_abs() > bound))
    };
    let columns = entries.chunks_exact(bounds.len());
    if !declassify(columns.clone().fold(false, |any, column| any | outside(column))) {
        return Ok(());
    }
    for (index, column) in (first_block * u64::from(BLOCK)..).zip(columns) {
        let pairs = column.iter().zip(&bounds);
        if let Some(row) = pairs.clone().position(|(s, &bound)| s.unsigned_abs() > bound) {
            return Err(Error::WitnessBound {
                row: row as u64,
                column: index,
                b: bounds[row].into(),
            });
        }
    }
    Ok(())
}

/// The same for one bound on all entries of columns of `rows`.
pub(crate) fn check_bound(
    rows: u32,
    bound: u32,
    first_block: u64,
    entries: &[i8],
) -> Result<(), Error> {
    let b = bound as u8;
    // |s| as u8 is right for -128 too.
    let outside = entries.iter().fold(false, |any, s| any | (s.unsigned_abs() > b));
    if !declassify(outside) {
        return Ok(());
    }
    let at = entries.iter().position(|s| s.unsigned_abs() > b).unwrap_or_default() as u64;
    let rows = u64::from(rows);
    let column = first_block * u64::from(BLOCK) + at / rows;
    Err(Error::WitnessBound { row: at % rows, column, b: bound })
}

/// Appends the hashes of the blocks that `entries` consist of, from block `first` on. Secret;
/// `hashes` has the capacity for them.
pub(crate) fn hash_blocks(params: &Params, first: u64, entries: &[i8], hashes: &mut Vec<Digest>) {
    let block = BLOCK as usize * params.v() as usize;
    let start = hashes.len();
    hashes.resize(start + entries.len().div_ceil(block), Digest::from_slice(&[]));
    // Each at its place: what threads collect goes through memory that nobody erases.
    crate::parallel::for_chunks(&mut hashes[start..], 1, |i, hash| {
        let part = &entries[i * block..entries.len().min((i + 1) * block)];
        hash[0] = block_hash(params, first + i as u64, part);
    });
}

/// H("S-block", index, bytes), for the digest of S that goes into the seed of Y. Secret.
fn block_hash(params: &Params, index: u64, entries: &[i8]) -> Digest {
    let mut hasher = Hasher::new(params.domain(), "S-block").number(index);
    hasher.begin_field(entries.len() as u64);
    hasher.update(bytemuck::cast_slice(entries));
    hasher.finish()
}

#[cfg(test)]
mod tests;
