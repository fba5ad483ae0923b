//! [`WitnessShard`]: a range of the witness in a file of its own.

use alloc::vec::Vec;

use crate::erase::debug_fields;
use crate::error::Error;
use crate::params::{BLOCK, Params};
use crate::shard::{Shard, ShardProblem};
use crate::source::ReadAt;
use crate::witness::{WitnessSource, read_bytes, read_words};

const MAGIC: &[u8; 8] = b"TCZKwsh1";
/// Bytes before the entries in a shard file.
pub const SHARD_HEADER_LEN: usize = 40;

/// The header of a shard file: magic (8 bytes), v and b (4 each), l, first column, columns (8
/// each), little-endian. The entries follow as in a [`WitnessFile`](crate::WitnessFile).
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

/// A part of the witness in a file; delivers its own columns and no others.
pub struct WitnessShard<R> {
    bytes: R,
    shard: Shard,
}

// The bytes may be in memory.
debug_fields!("WitnessShard", WitnessShard<R>, R; shard);

impl<R: ReadAt> WitnessShard<R> {
    /// Checks header and length; the entries are checked as they are read.
    ///
    /// # Errors
    /// [`Error::Shard`]; [`Error::Io`].
    pub fn new(params: &Params, bytes: R) -> Result<Self, Error> {
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
        Ok(Self { bytes, shard })
    }

    /// Which columns it holds.
    #[must_use]
    pub const fn shard(&self) -> Shard {
        self.shard
    }

    /// Columns of the shard before a block; `entries` of them are asked for.
    #[expect(clippy::integer_division_remainder_used, reason = "lengths are public")]
    fn skipped(&self, params: &Params, first_block: u64, entries: usize) -> Result<u64, Error> {
        let first = first_block.saturating_mul(u64::from(BLOCK));
        let start = self.shard.columns(params).start;
        first.checked_sub(start).ok_or_else(|| {
            let count = entries as u64 / u64::from(params.v());
            Error::Shard(ShardProblem::Range { first, count, l: params.l() })
        })
    }
}

impl<R: ReadAt> WitnessSource for WitnessShard<R> {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        let skipped = self.skipped(params, first_block, out.len())?;
        read_bytes(&self.bytes, SHARD_HEADER_LEN as u64, skipped, params, first_block, out)
    }

    fn read_wide_columns(
        &self,
        params: &Params,
        first_block: u64,
        out: &mut [i32],
    ) -> Result<(), Error> {
        let skipped = self.skipped(params, first_block, out.len())?;
        read_words(&self.bytes, SHARD_HEADER_LEN as u64, skipped, params, first_block, out)
    }
}
