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
    let column = params.v() as usize * params.entry_bytes();
    let mut columns = Zeroizing::new(vec![0_i8; column * 256]);
    for block in 0..params.blocks() {
        let part = &mut columns[..column * params.block_columns(block) as usize];
        witness.read_columns(params, block, part)?;
        output.write_all(bytemuck::cast_slice(part)).map_err(|e| output.failure(e))?;
    }
    output.finish()
}
