//! [`WitnessFile`]: S in a file, read column by column.

use super::WitnessSource;
use crate::entry::parts_of;
use crate::erase::redacted;
use crate::error::{Error, ShardProblem, WitnessProblem};
use crate::params::{BLOCK, Params};
use crate::shard::range::Shard;
use crate::source::ReadAt;

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
        Ok(Self::holding(Shard::whole(params), bytes, 0))
    }

    /// The columns of a shard behind a header of so many bytes, in a file of that length.
    pub(crate) const fn holding(shard: Shard, bytes: R, header: u64) -> Self {
        Self { bytes, header, shard }
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
