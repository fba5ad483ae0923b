//! [`WitnessFile`]: S in a file, read column by column.

use super::{WitnessSource, check_bounds, check_bytes, widen};
use crate::erase::{Secrets, redacted};
use crate::error::{Error, WitnessProblem};
use crate::params::{BLOCK, Params};
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
}

// The bytes may be in memory.
redacted!("WitnessFile", WitnessFile<R>, R);

impl<R: ReadAt> WitnessFile<R> {
    /// Checks the length; the entries are checked as they are read.
    ///
    /// # Errors
    /// [`Error::Witness`].
    pub fn new(params: &Params, bytes: R) -> Result<Self, Error> {
        let (got, expected) = (bytes.len(), params.witness_bytes());
        if u128::from(got) != expected {
            let width = params.entry_bytes();
            return Err(Error::Witness(WitnessProblem::FileLength { got, expected, width }));
        }
        Ok(Self { bytes })
    }
}

impl<R: ReadAt> WitnessSource for WitnessFile<R> {
    fn read_columns(&self, params: &Params, first_block: u64, out: &mut [i8]) -> Result<(), Error> {
        read_bytes(&self.bytes, 0, skipped(first_block), params, first_block, out)
    }

    fn read_wide_columns(
        &self,
        params: &Params,
        first_block: u64,
        out: &mut [i32],
    ) -> Result<(), Error> {
        read_words(&self.bytes, 0, skipped(first_block), params, first_block, out)
    }
}

fn skipped(first_block: u64) -> u64 {
    first_block.saturating_mul(u64::from(BLOCK))
}

/// Reads entries of one byte, which are columns from `first_block` on, and checks their bounds. They
/// follow `header` bytes and `skipped` columns.
pub(crate) fn read_bytes(
    bytes: &dyn ReadAt,
    header: u64,
    skipped: u64,
    params: &Params,
    first_block: u64,
    out: &mut [i8],
) -> Result<(), Error> {
    check_bytes(params)?;
    // What does not fit lies beyond the end, too.
    let offset = skipped.saturating_mul(params.v().into()).saturating_add(header);
    bytes.read_at(offset, bytemuck::cast_slice_mut(out)).map_err(Error::io("witness"))?;
    check_bounds(params, first_block, out)
}

/// The same for entries of as many bytes as the parameters give them.
pub(crate) fn read_words(
    bytes: &dyn ReadAt,
    header: u64,
    skipped: u64,
    params: &Params,
    first_block: u64,
    out: &mut [i32],
) -> Result<(), Error> {
    let width = params.entry_bytes();
    let mut raw = Secrets::<i8>::zeros(out.len() * width);
    let column = u64::from(params.v()) * width as u64;
    let offset = skipped.saturating_mul(column).saturating_add(header);
    let raw: &mut [u8] = bytemuck::cast_slice_mut(&mut raw);
    bytes.read_at(offset, raw).map_err(Error::io("witness"))?;
    match width {
        1 => widen(bytemuck::cast_slice(raw), out),
        2 => {
            for (word, &bytes) in out.iter_mut().zip(raw.as_chunks::<2>().0) {
                *word = i16::from_le_bytes(bytes).into();
            }
        }
        _ => {
            for (word, &bytes) in out.iter_mut().zip(raw.as_chunks::<4>().0) {
                *word = i32::from_le_bytes(bytes);
            }
        }
    }
    check_bounds(params, first_block, out)
}
