//! Verifying: hashes of blocks and parts of T C by workers, W = A Z - T C by the coordinator.

use crate::challenge::{ChallengeMatrix, challenge_hash};
use crate::error::{Error, Reason, VerifyError};
use crate::hash::Digest;
use crate::matrix::{PublicMatrix, Words};
use crate::params::{GROUP, Params};
use crate::products::{Engine, ProductWord};
use crate::proof::Proof;
use crate::shard::{Shard, ShardProblem};
use crate::source::ReadAt;
use crate::statement::{self, Statement};
use crate::words::{ModQ, to_bytes};

/// Hashes a shard's blocks of T, read from a statement file.
///
/// # Errors
/// [`Error::Io`].
pub fn hash_blocks(file: &dyn ReadAt, params: &Params, shard: Shard) -> Result<Vec<Digest>, Error> {
    let blocks = shard.blocks();
    crate::parallel::try_map(blocks.end - blocks.start, |i| {
        let index = blocks.start + i;
        let mut buffer = vec![0; statement::block_bytes(params, index)];
        statement::read_block(file, params, index, &mut buffer).map_err(Error::io("statement"))?;
        Ok(statement::block_hash(params, index, &buffer))
    })
}

/// A shard's part of T C, r x n, column after column; parts add up modulo 2^w. `hashes` are those of its blocks, from [`hash_blocks`].
///
/// # Errors
/// [`Error::Io`]; [`Error::Malformed`] if a block has changed since it was hashed; [`Error::Shard`] if there is not one
/// hash a block.
pub fn multiply_tc(
    matrix: &PublicMatrix,
    file: &dyn ReadAt,
    shard: Shard,
    hashes: &[Digest],
    challenge_hash: &Digest,
) -> Result<ModQ, Error> {
    let params = &matrix.params;
    let (got, expected) = (hashes.len() as u64, shard.blocks().end - shard.blocks().start);
    if got != expected {
        return Err(Error::Shard(ShardProblem::Hashes { got, expected }));
    }
    let blocks = Blocks { params, file, shard, hashes };
    Ok(match &matrix.words {
        Words::W32(engine) => ModQ::W32(blocks.multiply(engine, challenge_hash)?),
        Words::W64(engine) => ModQ::W64(blocks.multiply(engine, challenge_hash)?),
    })
}

/// A shard of T, in a file.
struct Blocks<'a> {
    params: &'a Params,
    file: &'a dyn ReadAt,
    shard: Shard,
    hashes: &'a [Digest],
}

impl Blocks<'_> {
    fn multiply<W: ProductWord>(
        &self,
        engine: &Engine<W>,
        challenge_hash: &Digest,
    ) -> Result<Vec<W>, Error> {
        let (r, n) = (self.params.r() as usize, self.params.n() as usize);
        let challenge = ChallengeMatrix::new(self.params, challenge_hash);
        let mut tc = vec![W::default(); r * n];
        let (mut bytes, mut words) = (Vec::new(), Vec::new());
        let groups = self.shard.groups(self.params).zip(self.hashes.chunks(GROUP as usize));
        for ((first, columns), hashes) in groups {
            bytes.resize(columns * r * W::BYTES, 0);
            statement::read_checked(self.file, self.params, first, &mut bytes, hashes)?;
            words.clear();
            words.extend(bytes.chunks_exact(W::BYTES).map(W::from_bytes));
            engine.accumulate_tc(None, &words, &challenge.rows(first, columns), &mut tc)?;
        }
        Ok(tc)
    }
}

/// A well-formed proof, within the norms, that waits for T C.
#[derive(Debug)]
pub struct Check<'a> {
    matrix: &'a PublicMatrix,
    digest: Digest,
    proof: Proof,
}

impl<'a> Check<'a> {
    /// Parses a proof file and checks its norms.
    ///
    /// # Errors
    /// As [`Proof::parse`]; [`Error::ForeignMatrix`] if `matrix` is not the A of `statement`.
    pub fn begin(
        matrix: &'a PublicMatrix,
        statement: &Statement,
        context: &[u8],
        proof: &[u8],
    ) -> Result<Self, VerifyError> {
        matrix.check_belongs_to(statement)?;
        let params = statement.params();
        let digest = statement.digest(context);
        let proof = Proof::parse(proof, params, &digest)?;
        Proof::check_norms(&proof.z, params)?;
        Ok(Self { matrix, digest, proof })
    }

    /// What the workers multiply with.
    #[must_use]
    pub const fn challenge_hash(&self) -> &Digest {
        &self.proof.challenge_hash
    }

    /// The verdict, given the sum of all parts of T C: the proof is valid if this is not an error.
    ///
    /// # Errors
    /// [`VerifyError::Invalid`]; [`Error::Shard`] if `tc` is of the other word size or not r x n.
    pub fn finish(&self, tc: &ModQ) -> Result<(), VerifyError> {
        let w = match (&self.matrix.words, tc) {
            (Words::W32(engine), ModQ::W32(tc)) => self.difference(engine, tc)?,
            (Words::W64(engine), ModQ::W64(tc)) => self.difference(engine, tc)?,
            _ => return Err(Error::Shard(ShardProblem::Product).into()),
        };
        let params = &self.matrix.params;
        if challenge_hash(params, &self.digest, &w) == self.proof.challenge_hash {
            Ok(())
        } else {
            Err(Reason::Challenge.into())
        }
    }

    /// A Z - T C, as bytes.
    fn difference<W: ProductWord>(&self, engine: &Engine<W>, tc: &[W]) -> Result<Vec<u8>, Error> {
        let mut w = engine.apply(&self.proof.z);
        if w.len() != tc.len() {
            return Err(Error::Shard(ShardProblem::Product));
        }
        for (w, &tc) in w.iter_mut().zip(tc) {
            *w = w.wrapping_sub(tc);
        }
        Ok(to_bytes(&w))
    }
}
