//! One proof by many machines, over MPI: what `prove_mpi` and `verify_mpi` share.
//!
//! Rank 0 coordinates, every rank works on its own shard of columns; see `tautochrone_zk::shard`
//! for the protocol. The statement and the proof are byte for byte what the example `prove` makes
//! from the same seed, for any number of ranks.
//!
//! ```sh
//! mpirun -n 4 prove_mpi --preset T64-128 --statement s.lzs --proof p.lzp
//! mpirun -n 4 verify_mpi --statement s.lzs --proof p.lzp
//! ```
//!
//! A matrix A' of somebody else is given as a file, as to `prove` and `verify` (`--matrix`); every
//! rank must be able to read it.
//!
//! **Secrets on the wire.** The gathered hashes of the blocks of S, the reduction of M (partial
//! sums may pass through other ranks), for a random witness, or messages, the broadcast of their
//! seed, for claims a hash of the messages, masks, sums and what is left of the columns, and for
//! keys sums of rounds and the last ones of them. These links must be private, and ranks must trust
//! each other: MPI encrypts nothing. Our own buffers are erased; copies inside the MPI library are
//! not in our power.

mod claims;
mod comm;
mod exchange;
mod keys;
mod meter;
mod partial;
mod progress;
mod seeds;

pub use claims::{argue, same_claims};
pub use comm::{Comm, Fault, Summand, run};
pub use exchange::{
    gather_hashes, gather_rows, gather_shards, matrix, same_messages, same_params, sum_tc,
};
pub use keys::{argue_keys, check_columns, share_statement};
pub use meter::Meter;
pub use partial::{FileSink, Partial};
pub use progress::Progress;
pub use seeds::Seeds;

use std::fmt::Display;

/// Any error as the text that travels to rank 0.
pub fn text(error: impl Display) -> String {
    error.to_string()
}

/// An error about a file.
pub fn about(path: &std::path::Path) -> impl Fn(&dyn Display) -> String + '_ {
    move |error| format!("{}: {error}", path.display())
}
