//! Where a rank's columns of S come from.

use std::fs::File;
use std::path::Path;

use tautochrone_cli::ExactClaim;
use tautochrone_ctr::Seed;
use tautochrone_simd::Scratch;
use tautochrone_zk::shard::Shard;
use tautochrone_zk::{FileSource, Params, RandomWitness, WitnessFile, WitnessSource};
use tautochrone_zk_mpi::{Comm, Fault, about, same_messages, text};

/// A rank's part of S before A is known.
pub(crate) enum Given<'a> {
    /// Columns, or a part of them.
    Columns(Box<dyn WitnessSource>),
    /// All messages that satisfy a claim, and the seed of the pads and randomness under them.
    Messages { claim: &'a ExactClaim, messages: Scratch<i8>, seed: Seed },
}

impl<'a> Given<'a> {
    /// Opens the witness that this rank reads; which columns it has of it. `random` is the seed of
    /// what is random in it.
    ///
    /// # Errors
    /// The file cannot be read, or ranks have other messages.
    pub(crate) fn open(
        comm: &Comm,
        params: &Params,
        path: Option<&Path>,
        claim: Option<&'a ExactClaim>,
        random: Option<Seed>,
    ) -> Result<(Self, Shard), Fault> {
        let even = Shard::even(params, comm.rank() as u64, comm.size() as u64);
        let Some(claim) = claim else {
            let opened = columns(comm, params, path, even, random);
            return comm.agree(opened.map(|(source, shard)| (Self::Columns(source), shard)));
        };
        let (messages, seed) = comm.agree(read_messages(claim, path, random))?;
        same_messages(comm, &messages)?;
        Ok((Self::Messages { claim, messages, seed }, even))
    }
}

const NO_SEED: &str = "a random witness needs a seed";

/// All messages, as `prove` has them: their hash enters the seed of the pads.
fn read_messages(
    claim: &ExactClaim,
    path: Option<&Path>,
    random: Option<Seed>,
) -> Result<(Scratch<i8>, Seed), String> {
    let seed = random.ok_or(NO_SEED)?;
    if let Some(folder) = path.filter(|path| path.is_dir()) {
        let problem = "--exact and --norm read messages from one file; expected no folder";
        return Err(about(folder)(&problem));
    }
    Ok((claim.messages(path, &seed).map_err(text)?, seed))
}

/// Columns of a folder, of a file, or random ones.
fn columns(
    comm: &Comm,
    params: &Params,
    path: Option<&Path>,
    even: Shard,
    random: Option<Seed>,
) -> Result<(Box<dyn WitnessSource>, Shard), String> {
    let Some(path) = path else {
        let seed = random.ok_or(NO_SEED)?;
        return Ok((Box::new(RandomWitness::new(seed)), even));
    };
    let folder = path.is_dir();
    let path = if folder { &*path.join(format!("{}.shard", comm.rank())) } else { path };
    let fail = about(path);
    let file = File::open(path).map_err(|e| fail(&e))?;
    let source = FileSource::new(file).map_err(|e| fail(&e))?;
    if folder {
        let witness = WitnessFile::of_shard(params, source).map_err(|e| fail(&e))?;
        let shard = witness.shard();
        return Ok((Box::new(witness), shard));
    }
    Ok((Box::new(WitnessFile::new(params, source).map_err(|e| fail(&e))?), even))
}
