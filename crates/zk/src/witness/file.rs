//! [`WitnessFile`]: S in a file, or a range of its columns in a file of their own, read column by
//! column.

use alloc::vec::Vec;
use core::ops::Range;

use super::WitnessSource;
use crate::entry::parts_of;
use crate::erase::redacted;
use crate::error::{Error, ShardProblem, WitnessProblem};
use crate::params::{BLOCK, Params};
use crate::shard::range::Shard;
use crate::source::ReadAt;

const MAGIC: &[u8; 8] = b"TCZKwsh1";
/// Bytes before the entries in a shard file.
pub const SHARD_HEADER_LEN: usize = 40;

/// The header of a shard file: magic (8 bytes), v and b (4 each), l, first column, columns (8
/// each), little-endian. The entries follow as in a [`WitnessFile`].
#[must_use]
pub fn shard_header(params: &Params, shard: Shard) -> [u8; SHARD_HEADER_LEN] {
    let columns = shard.columns(params);
    let mut bytes = Vec::with_capacity(SHARD_HEADER_LEN);
    bytes.extend(MAGIC);
    bytes.extend(params.v().to_le_bytes());
    bytes.extend(params.b().to_le_bytes());
    for field in [params.l(), columns.start, columns.end - columns.start] {
        bytes.extend(field.to_le_bytes());
    }
    bytes.try_into().expect("the fields above are 40 bytes")
}

/// A witness in a file or other byte source: v l entries in two's complement, little-endian, column
/// after column, each of [`Params::entry_bytes`]: one where b is at most 127, two up to 32767, four
/// above.
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
    /// Where its entries begin.
    header: u64,
    /// The columns that it holds.
    shard: Shard,
}

// The bytes may be in memory.
redacted!("WitnessFile", WitnessFile<R>, R);

impl<R: ReadAt> WitnessFile<R> {
    /// Checks the length; the entries are checked as they are used.
    ///
    /// # Errors
    /// [`Error::Witness`].
    pub fn new(params: &Params, bytes: R) -> Result<Self, Error> {
        let (got, expected) = (bytes.len(), params.witness_bytes());
        if u128::from(got) != expected {
            let width = params.entry_bytes();
            return Err(Error::Witness(WitnessProblem::FileLength { got, expected, width }));
        }
        Ok(Self { bytes, header: 0, shard: Shard::whole(params) })
    }

    /// A part of the witness behind a header (`shard::shard_header`), which delivers its own
    /// columns and no others. Checks header and length; the entries are checked as they are read.
    ///
    /// # Errors
    /// [`Error::Shard`]; [`Error::Io`].
    #[cfg_attr(not(feature = "shards"), doc(hidden))]
    pub fn of_shard(params: &Params, bytes: R) -> Result<Self, Error> {
        let mut header = [0; SHARD_HEADER_LEN];
        if bytes.len() < SHARD_HEADER_LEN as u64 {
            return Err(Error::Shard(ShardProblem::Magic));
        }
        bytes.read_at(0, &mut header).map_err(Error::io("witness"))?;
        if header[..8] != MAGIC[..] {
            return Err(Error::Shard(ShardProblem::Magic));
        }
        let number = |at: Range<usize>| {
            let mut eight = [0; 8];
            eight[..at.len()].copy_from_slice(&header[at]);
            u64::from_le_bytes(eight)
        };
        for (name, got, expected) in [
            ("v", number(8..12), u64::from(params.v())),
            ("b", number(12..16), u64::from(params.b())),
            ("l", number(16..24), params.l()),
        ] {
            if got != expected {
                return Err(Error::Shard(ShardProblem::Parameter { name, got, expected }));
            }
        }
        let (first, count) = (number(24..32), number(32..40));
        let shard = Shard::of_columns(params, first, count)?;
        let column = params.v() as usize * params.entry_bytes();
        let expected = SHARD_HEADER_LEN as u128 + u128::from(count) * column as u128;
        let got = bytes.len();
        if u128::from(got) != expected {
            return Err(Error::Shard(ShardProblem::Length { got, expected }));
        }
        Ok(Self { bytes, header: SHARD_HEADER_LEN as u64, shard })
    }

    /// Which columns it holds.
    #[cfg_attr(not(feature = "shards"), doc(hidden))]
    #[must_use]
    pub const fn shard(&self) -> Shard {
        self.shard
    }
}

impl<R: ReadAt> WitnessSource for WitnessFile<R> {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        let column = u64::from(params.v()) * params.entry_bytes() as u64;
        let first = first_block.saturating_mul(u64::from(BLOCK));
        let skipped = first.checked_sub(self.shard.columns(params).start).ok_or_else(|| {
            let count = parts_of(out, column as usize) as u64;
            Error::Shard(ShardProblem::Range { first, count, l: params.l() })
        })?;
        // What does not fit lies beyond the end, too.
        let offset = skipped.saturating_mul(column).saturating_add(self.header);
        self.bytes.read_at(offset, bytemuck::cast_slice_mut(out)).map_err(Error::io("witness"))
    }
}
