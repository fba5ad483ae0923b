//! [`WitnessFile::of_shard`]: a range of the witness in a file of its own.

use alloc::vec::Vec;

use crate::error::Error;
use crate::params::Params;
use crate::shard::{Shard, ShardProblem};
use crate::source::ReadAt;
use crate::witness::WitnessFile;

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

impl<R: ReadAt> WitnessFile<R> {
    /// A part of the witness behind a header (`shard::shard_header`), which delivers its own columns
    /// and no others. Checks header and length; the entries are checked as they are read.
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
        let u32_at = |at: usize| {
            u64::from(u32::from_le_bytes(header[at..at + 4].try_into().expect("four bytes")))
        };
        let u64_at =
            |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().expect("eight bytes"));
        for (name, got, expected) in [
            ("v", u32_at(8), u64::from(params.v())),
            ("b", u32_at(12), u64::from(params.b())),
            ("l", u64_at(16), params.l()),
        ] {
            if got != expected {
                return Err(Error::Shard(ShardProblem::Parameter { name, got, expected }));
            }
        }
        let shard = Shard::of_columns(params, u64_at(24), u64_at(32))?;
        let column = params.v() as usize * params.entry_bytes();
        let expected = SHARD_HEADER_LEN as u128 + u128::from(u64_at(32)) * column as u128;
        let got = bytes.len();
        if u128::from(got) != expected {
            return Err(Error::Shard(ShardProblem::Length { got, expected }));
        }
        Ok(Self::holding(shard, bytes, SHARD_HEADER_LEN as u64))
    }
}
