//! Committing: T = A S, written and hashed block by block.

use alloc::sync::Arc;
use alloc::vec::Vec;

use tautochrone_simd::declassify_slice;

use crate::blocks;
use crate::entry::{WitnessEntry, with_entry};
use crate::error::Error;
use crate::hash::Digest;
use crate::io::Write;
use crate::matrix::{PublicMatrix, with_engine};
use crate::observer::Stage;
use crate::products::{Engine, Entry, ProductWord};
use crate::rounded_off::RoundedOff;
use crate::shard::range::Shard;
use crate::statement::Statement;
use crate::witness::WitnessSource;
use crate::witness::columns::for_column_groups;
use crate::witness::digest::WitnessDigest;
use crate::words::{ModQ, Word, with_t_word};

/// Where a worker's blocks of T go.
pub trait BlockSink {
    /// The hash of block `index` of T if an earlier run finished it for the same block of S, whose
    /// hash is given. The default: never.
    ///
    /// # Errors
    /// [`Error::Io`].
    fn finished(&mut self, index: u64, s_hash: &Digest) -> Result<Option<Digest>, Error> {
        let _ = (index, s_hash);
        Ok(None)
    }

    /// Stores block `index`.
    ///
    /// # Errors
    /// [`Error::Io`].
    fn put(&mut self, index: u64, s: &Digest, t: &Digest, bytes: &[u8]) -> Result<(), Error>;
}

/// Hashes of a shard's blocks, in order.
#[derive(Debug)]
pub struct Hashes {
    /// Of T.
    pub t: Vec<Digest>,
    /// Of S, with the sum of the squares of its entries. Secret: erased when dropped.
    pub s: WitnessDigest,
}

/// Computes the blocks of T = A S of a shard. A group of blocks that the sink has finished before
/// is not computed again.
///
/// # Errors
/// [`Error::Witness`]; errors of reading the witness and of the sink.
///
/// # Constant time
/// In S, while its entries are within the bound.
pub fn commit(
    matrix: &PublicMatrix,
    witness: &dyn WitnessSource,
    shard: Shard,
    sink: &mut dyn BlockSink,
) -> Result<Hashes, Error> {
    let mut s = WitnessDigest::with_capacity(shard.blocks().count());
    let t = commit_to(matrix, witness, shard, Some((&mut s, sink)), None)?;
    Ok(Hashes { t, s })
}

impl PublicMatrix {
    /// Computes T = A S block by block, writes the statement file to `sink` while it does, and
    /// returns the statement.
    ///
    /// # Errors
    /// [`Error::Witness`]; errors of reading the witness or writing the file.
    ///
    /// # Constant time
    /// In S, while its entries are within the bound.
    pub fn commit(
        &self,
        witness: &dyn WitnessSource,
        sink: &mut dyn Write,
    ) -> Result<Statement, Error> {
        self.commit_sequentially(witness, sink, None)
    }

    /// As [`Self::commit`], and the statement holds T, as if it had been
    /// [loaded](Statement::load). Where T has few columns it holds what is rounded off T, too, from
    /// which a prover makes hints without a second product with A.
    ///
    /// Memory: T, and at most twice what A takes.
    ///
    /// # Errors
    /// [`Error::Witness`]; errors of reading the witness or writing the file.
    ///
    /// # Constant time
    /// As [`Self::commit`].
    pub fn commit_and_hold(
        &self,
        witness: &dyn WitnessSource,
        sink: &mut dyn Write,
    ) -> Result<Statement, Error> {
        // Of more columns, the product T_0 C takes as long as the others that it replaces.
        let few = self.params.l() <= 2 * u64::from(self.params.z_rows());
        self.commit_and_know(witness, sink, few)
    }

    /// The same, and the statement holds what is rounded off T, if `known` and anything is.
    pub(crate) fn commit_and_know(
        &self,
        witness: &dyn WitnessSource,
        sink: &mut dyn Write,
        known: bool,
    ) -> Result<Statement, Error> {
        let (params, round_t) = (&self.params, self.params.round_t());
        let size = params.r() as usize * params.l() as usize;
        let t = ModQ::with_capacity(params.t_width(), size);
        let rounded_off = (known && round_t > 0)
            .then(|| RoundedOff::new(params.rounding_of_t(), ModQ::with_capacity(round_t, size)));
        let mut held = (t, rounded_off);
        let statement = self.commit_sequentially(witness, sink, Some(&mut held))?;
        let (t, rounded_off) = held;
        Ok(statement.holding(t).with_rounded_off(rounded_off.map(Arc::new)))
    }

    fn commit_sequentially(
        &self,
        witness: &dyn WitnessSource,
        sink: &mut dyn Write,
        held: Option<&mut Held>,
    ) -> Result<Statement, Error> {
        let mut file = Sequential(sink);
        file.write(&self.params.header(&self.id))?;
        let shard = Shard::whole(&self.params);
        let mut s = WitnessDigest::with_capacity(shard.blocks().count());
        let t = commit_to(self, witness, shard, Some((&mut s, &mut file)), held)?;
        Ok(Statement::new(self.params.clone(), self.id, t).owned_by(&s))
    }
}

/// A statement file, written from its beginning to its end.
struct Sequential<'a>(&'a mut dyn Write);

impl Sequential<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.0.write_all(bytes).map_err(Error::io("statement"))
    }
}

impl BlockSink for Sequential<'_> {
    fn put(&mut self, _: u64, _: &Digest, _: &Digest, bytes: &[u8]) -> Result<(), Error> {
        self.write(bytes)
    }
}

/// The words of T, and what is rounded off it, if that is to be known.
type Held = (ModQ, Option<RoundedOff>);

/// The hashes of the blocks of T = A S, and nothing else of it.
///
/// # Errors
/// [`Error::Witness`]; errors of reading the witness.
pub(crate) fn hashes(
    matrix: &PublicMatrix,
    witness: &dyn WitnessSource,
) -> Result<Vec<Digest>, Error> {
    commit_to(matrix, witness, Shard::whole(&matrix.params), None, None)
}

/// Where hashes of the blocks of S are added, and blocks of T go with these.
type Blocks<'a> = (&'a mut WitnessDigest, &'a mut dyn BlockSink);

/// The hashes of a shard's blocks of T; columns of T that are computed are added to `held`, if T is
/// to be held.
fn commit_to(
    matrix: &PublicMatrix,
    witness: &dyn WitnessSource,
    shard: Shard,
    blocks: Option<Blocks<'_>>,
    held: Option<&mut Held>,
) -> Result<Vec<Digest>, Error> {
    with_entry!(matrix.params, T => commit_entries::<T>(matrix, witness, shard, blocks, held))
}

fn commit_entries<T: WitnessEntry>(
    matrix: &PublicMatrix,
    witness: &dyn WitnessSource,
    shard: Shard,
    mut blocks: Option<Blocks<'_>>,
    mut held: Option<&mut Held>,
) -> Result<Vec<Digest>, Error> {
    let params = &matrix.params;
    let total = shard.blocks().count();
    let mut all = Vec::with_capacity(total);
    for_column_groups(params, witness, shard, &mut |first, columns: &[T]| {
        matrix.report(Stage::Commit, all.len() as u64, Some(total as u64))?;
        let mut blocks =
            blocks.as_mut().map(|(s, sink)| (s.read(params, first, columns), &mut **sink));
        if let Some((of_s, sink)) = &mut blocks {
            let mut finished = Vec::with_capacity(of_s.len());
            for (index, s) in (first..).zip(of_s.iter()) {
                finished.extend(sink.finished(index, s)?);
            }
            if finished.len() == of_s.len() {
                all.extend(finished);
                return Ok(());
            }
        }
        let (hashes, bytes, [words, t]) = matrix.inside(|| {
            let (bytes, words) = with_engine!(matrix, engine => multiply(matrix, engine, columns))?;
            Ok::<_, Error>((blocks::hash_bytes(params, first, &bytes), bytes, words))
        })?;
        if let Some((held, rounded_off)) = &mut held {
            held.append(&words);
            if let Some(rounded_off) = rounded_off {
                rounded_off.append(&t);
            }
        }
        if let Some((of_s, sink)) = blocks {
            let bytes = bytes.chunks(blocks::block_bytes(params, first));
            for (index, ((s, t), bytes)) in (first..).zip(of_s.iter().zip(&hashes).zip(bytes)) {
                sink.put(index, s, t, bytes)?;
            }
        }
        all.extend(hashes);
        Ok(())
    })?;
    Ok(all)
}

/// The columns of T for columns of S: their bytes, A S rounded and packed; these in words; and A S.
///
/// # Constant time
/// In S.
pub(crate) fn multiply<W: ProductWord, T: Entry>(
    matrix: &PublicMatrix,
    engine: &Engine<W>,
    columns: &[T],
) -> Result<(Vec<u8>, [ModQ; 2]), Error> {
    let t = engine.apply(matrix.device.as_ref(), columns)?;
    // T is public where it is whole; where it is rounded, what is rounded off is declared public
    // with the rest: it is no part of what a proof hides (docs/protocol.md, section 7).
    declassify_slice(&t);
    let params = &matrix.params;
    let (r, width) = (params.r() as usize, params.t_width());
    Ok(with_t_word!(params, U => {
        let mut rounded = vec![U::default(); t.len()];
        params.rounding_of_t().high_all(&t, &mut rounded);
        (Word::pack(&rounded, r, width), [U::wrap(rounded), W::wrap(t)])
    }))
}
