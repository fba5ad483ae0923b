//! The product T C, which a verifier subtracts from A Z.

use crate::challenge::ChallengeMatrix;
use crate::error::Error;
use crate::hash::Digest;
use crate::matrix::{PublicMatrix, with_engine};
use crate::params::{BLOCK, GROUP};
use crate::products::{Engine, ProductWord};
use crate::shard::range::Shard;
use crate::source::ReadAt;
use crate::statement;
use crate::words::{ModQ, Word};

/// A shard's part of T C, r x n, column after column; parts add up modulo 2^w. `hashes` are those
/// of its blocks, from [`hash_blocks`](crate::shard::hash_blocks).
///
/// # Errors
/// [`Error::Io`]; [`Error::Malformed`] if a block has changed since it was hashed; [`Error::Shard`]
/// if there is not one hash a block; [`Error::Device`].
pub fn multiply_tc(
    matrix: &PublicMatrix,
    file: &dyn ReadAt,
    shard: Shard,
    hashes: &[Digest],
    challenge_hash: &Digest,
) -> Result<ModQ, Error> {
    shard.check_hashes(hashes)?;
    with_engine!(matrix, engine => {
        let t = Columns::InFile { file, shard, hashes };
        multiply_by_all(matrix, engine, &t, &[challenge_hash]).map(Word::wrap)
    })
}

/// Columns of T.
#[derive(Clone, Copy)]
pub(crate) enum Columns<'a, W> {
    /// All of them, in memory.
    Loaded(&'a [W]),
    /// Those of a shard, to be compared with the hashes of their blocks.
    InFile { file: &'a dyn ReadAt, shard: Shard, hashes: &'a [Digest] },
}

/// [T C_1 | T C_2 | ..] for the challenge matrices of some hashes, in one pass over T.
pub(crate) fn multiply_by_all<W: ProductWord>(
    matrix: &PublicMatrix,
    engine: &Engine<W>,
    t: &Columns<'_, W>,
    challenge_hashes: &[&Digest],
) -> Result<Vec<W>, Error> {
    let params = &matrix.params;
    let (r, n) = (params.r() as usize, params.n() as usize);
    let challenges: Vec<ChallengeMatrix> =
        challenge_hashes.iter().map(|hash| ChallengeMatrix::new(params, hash)).collect();
    let mut tc = vec![W::default(); r * n * challenges.len()];
    let shard = match t {
        Columns::Loaded(_) => Shard::whole(params),
        Columns::InFile { shard, .. } => *shard,
    };
    let (mut bytes, mut read, mut c) = (Vec::new(), Vec::new(), Vec::new());
    for (group, (first, columns)) in shard.groups(params).enumerate() {
        let words = match t {
            Columns::Loaded(t) => &t[first as usize * BLOCK as usize * r..][..columns * r],
            Columns::InFile { file, hashes, .. } => {
                bytes.resize(columns * r * W::BYTES, 0);
                let blocks = columns.div_ceil(BLOCK as usize);
                let hashes = &hashes[group * GROUP as usize..][..blocks];
                statement::read_checked(*file, params, first, &mut bytes, hashes)?;
                read.clear();
                read.extend(bytes.chunks_exact(W::BYTES).map(W::from_bytes));
                &read
            }
        };
        c.clear();
        for challenge in &challenges {
            c.extend(challenge.rows(first, columns));
        }
        engine.accumulate_tc(matrix.device.as_ref(), words, &c, &mut tc)?;
    }
    Ok(tc)
}
