//! Committing: T = A S, written and hashed block by block.

use std::io::Write;

use tautochrone_simd::declassify_slice;
use zeroize::Zeroizing;

use crate::error::Error;
use crate::hash::Digest;
use crate::matrix::{PublicMatrix, with_engine};
use crate::params::Params;
use crate::products::{Engine, ProductWord};
use crate::shard::range::Shard;
use crate::statement::{self, Statement};
use crate::witness::columns::for_column_groups;
use crate::witness::{self, WitnessSource};
use crate::words::to_bytes;

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
    /// Of S. Secret: erased when dropped.
    pub s: Zeroizing<Vec<Digest>>,
}

/// Computes the blocks of T = A S of a shard. A group of blocks that the sink has finished before
/// is not computed again.
///
/// # Errors
/// What reading the witness or the sink gives, and [`Error::WitnessBound`].
///
/// # Constant time
/// In S, while its entries are within the bound.
pub fn commit(
    matrix: &PublicMatrix,
    witness: &dyn WitnessSource,
    shard: Shard,
    sink: &mut dyn BlockSink,
) -> Result<Hashes, Error> {
    let params = &matrix.params;
    // Capacity for all from the start: growing would leave copies of the hashes of S behind.
    let blocks = shard.blocks().count();
    let mut resumable = Resumable { params, sink, s: Zeroizing::new(Vec::with_capacity(blocks)) };
    let t = commit_to(matrix, witness, shard, &mut resumable)?;
    Ok(Hashes { t, s: resumable.s })
}

impl PublicMatrix {
    /// Computes T = A S block by block, writes the statement file to `sink` while it does, and
    /// returns the statement.
    ///
    /// # Errors
    /// What reading the witness or writing the file gives, and [`Error::WitnessBound`].
    ///
    /// # Constant time
    /// In S, while its entries are within the bound.
    pub fn commit(
        &self,
        witness: &dyn WitnessSource,
        sink: &mut dyn Write,
    ) -> Result<Statement, Error> {
        let mut file = Sequential { sink };
        file.write(&self.params.header(self.seed_a).to_bytes())?;
        let hashes = commit_to(self, witness, Shard::whole(&self.params), &mut file)?;
        Ok(Statement::new(self.params.clone(), self.seed_a, hashes))
    }
}

/// Where groups of blocks of T go.
trait GroupSink {
    /// The hashes of the group's blocks of T, if they need not be computed.
    fn finished(&mut self, first: u64, columns: &[i8]) -> Result<Option<Vec<Digest>>, Error>;

    /// Takes a group's blocks of T: their hashes and their bytes.
    fn put(&mut self, first: u64, hashes: &[Digest], bytes: &[u8]) -> Result<(), Error>;
}

/// The hashes of a shard's blocks of T.
fn commit_to(
    matrix: &PublicMatrix,
    witness: &dyn WitnessSource,
    shard: Shard,
    sink: &mut impl GroupSink,
) -> Result<Vec<Digest>, Error> {
    let params = &matrix.params;
    let mut all = Vec::with_capacity(shard.blocks().count());
    for_column_groups(params, witness, shard, |first, columns| {
        if let Some(hashes) = sink.finished(first, columns)? {
            all.extend(hashes);
            return Ok(());
        }
        let bytes = with_engine!(matrix, engine => multiply(matrix, engine, columns))?;
        let hashes = statement::hash_bytes(params, first, &bytes);
        sink.put(first, &hashes, &bytes)?;
        all.extend(hashes);
        Ok(())
    })?;
    Ok(all)
}

/// A S for columns of S, as bytes.
fn multiply<W: ProductWord>(
    matrix: &PublicMatrix,
    engine: &Engine<W>,
    columns: &[i8],
) -> Result<Vec<u8>, Error> {
    let t = engine.apply_on(matrix.device.as_ref(), columns)?;
    declassify_slice(&t);
    Ok(to_bytes(&t))
}

/// A statement file, written from its beginning to its end.
struct Sequential<'a> {
    sink: &'a mut dyn Write,
}

impl Sequential<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.sink.write_all(bytes).map_err(Error::io("statement"))
    }
}

impl GroupSink for Sequential<'_> {
    fn finished(&mut self, _: u64, _: &[i8]) -> Result<Option<Vec<Digest>>, Error> {
        Ok(None)
    }

    fn put(&mut self, _: u64, _: &[Digest], bytes: &[u8]) -> Result<(), Error> {
        self.write(bytes)
    }
}

/// Blocks by themselves, each with the hash of its block of S.
struct Resumable<'a> {
    params: &'a Params,
    sink: &'a mut dyn BlockSink,
    /// Hashes of the blocks of S so far.
    s: Zeroizing<Vec<Digest>>,
}

impl GroupSink for Resumable<'_> {
    fn finished(&mut self, first: u64, columns: &[i8]) -> Result<Option<Vec<Digest>>, Error> {
        let before = self.s.len();
        witness::hash_blocks(self.params, first, columns, &mut self.s);
        let s = &self.s[before..];
        let mut finished = Vec::with_capacity(s.len());
        for (index, s) in (first..).zip(s) {
            finished.extend(self.sink.finished(index, s)?);
        }
        Ok((finished.len() == s.len()).then_some(finished))
    }

    fn put(&mut self, first: u64, hashes: &[Digest], bytes: &[u8]) -> Result<(), Error> {
        let of_group = &self.s[self.s.len() - hashes.len()..];
        let blocks = bytes.chunks(statement::block_bytes(self.params, first));
        for (index, ((s, t), bytes)) in (first..).zip(of_group.iter().zip(hashes).zip(blocks)) {
            self.sink.put(index, s, t, bytes)?;
        }
        Ok(())
    }
}
