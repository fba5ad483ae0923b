//! The matrix A of a job: the same on every rank.

use std::path::Path;

use tautochrone::simd::Isa;
use tautochrone::zk::{Params, PublicMatrix, shard};

use crate::exchange::same;
use crate::{Comm, Fault, text};

/// A on this rank: expanded from its seed, or read from the file that the user gave.
///
/// # Errors
/// If the parameters ask for a file and there is none, or the other way round; if the file is not A';
/// if another rank reads another one.
pub fn matrix(
    comm: &Comm,
    isa: Isa,
    params: &Params,
    file: Option<&Path>,
    seed: [u8; 32],
) -> Result<PublicMatrix, Fault> {
    let a = tautochrone_cli::params::matrix(isa, params, file, seed).map_err(text);
    let a = comm.agree(a)?;
    same(comm, &shard::statement_header(params, a.id()), "has another A'")?;
    Ok(a)
}
