//! Witness files: v l signed entries, column after column.

use std::io::Write;
use std::path::Path;

use tautochrone_zk::{FileSource, Params, WitnessFile, WitnessSource};
use zeroize::Zeroizing;

use tautochrone_cli::{Failure, Output, Privacy};

/// Opens the file of `--witness`; columns are read when they are needed.
pub(crate) fn open(path: &Path, params: &Params) -> Result<WitnessFile<FileSource>, Failure> {
    WitnessFile::new(params, tautochrone_cli::open(path)?).map_err(|e| Failure::file(path, e))
}

/// Writes the witness as `--witness` reads it, for its owner's eyes only.
pub(crate) fn write(
    path: &Path,
    params: &Params,
    witness: &dyn WitnessSource,
) -> Result<(), Failure> {
    let mut output = Output::create(path, Privacy::Secret)?;
    let mut columns = Zeroizing::new(vec![0_i32; params.v() as usize * 256]);
    for block in 0..params.blocks() {
        let part = &mut columns[..(params.v() * params.block_columns(block)) as usize];
        witness.read_wide_columns(params, block, part)?;
        let width = params.entry_bytes();
        let mut bytes = Zeroizing::new(Vec::with_capacity(part.len() * width));
        for entry in &*part {
            bytes.extend_from_slice(&entry.to_le_bytes()[..width]);
        }
        output.write_all(&bytes).map_err(|e| output.failure(e))?;
    }
    output.finish()
}
