//! The command line of `prove_mpi`.

use std::path::PathBuf;

use tautochrone_cli::{ExactArgs, KeyArgs, ParamsArgs, Seeded};

/// Proves that you know S with T = A S mod 2^w, every rank working on its own columns of S
///
/// Statement and proof are byte for byte the files of `prove` with the same seed. All ranks must
/// see the folder of the statement; the links between them must be private.
#[derive(Debug, clap::Parser)]
#[command(
    after_help = "Examples:\n  mpirun -n 4 prove_mpi --preset T64-128 --witness shards/ --statement s.lzs --proof p.lzp\n  mpirun -n 4 prove_mpi --exact 1024:0:1 --columns 65536 --statement s.lzs --proof p.lzp\n  mpirun -n 4 prove_mpi --exact-keys --params keys.json --statement s.lzs --proof p.lzp"
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) params: ParamsArgs,
    /// A folder, where rank k reads `k.shard`, or one file with all columns; with `--exact` or
    /// `--norm` one file, whose messages every rank reads [default: a random witness]
    #[arg(long, value_name = "PATH")]
    pub(crate) witness: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) exact: ExactArgs,
    #[command(flatten)]
    pub(crate) keys: KeyArgs,
    /// Purpose of the proof; a verifier must give the same text
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) context: String,
    /// Statement file to write
    #[arg(long, value_name = "OUT")]
    pub(crate) statement: PathBuf,
    /// Proof file to write
    #[arg(long, value_name = "OUT")]
    pub(crate) proof: PathBuf,
    /// Keep finished blocks of T in `STATEMENT.resume` if the run ends early, and take over blocks
    /// of an earlier run; with `--exact` or `--norm` there are such only under the same `--seed`
    #[arg(long)]
    pub(crate) resume: bool,
    /// Bytes of S that a rank stores in memory between attempts
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    pub(crate) keep: u64,
    /// Make the proof, too, a function of --seed: if one product is ever wrong, two runs reveal the
    /// secret
    #[arg(long, requires = "seed", help_heading = "Common options")]
    pub(crate) reproducible: bool,
    #[command(flatten)]
    pub(crate) common: Seeded,
}
