//! The product T C, which a verifier subtracts from A' Z_1. Where T is rounded, it is the product
//! of the words that are published, without their factor 2^dT. And T_0 C, where a prover knows T_0.

use alloc::vec::Vec;

use tautochrone_matmul::Workspace;

use crate::blocks::Blocks;
use crate::challenge::ChallengeMatrix;
use crate::erase::Secrets;
use crate::error::{Error, RequestProblem};
use crate::hash::Digest;
use crate::matrix::{PublicMatrix, Words};
use crate::observer::Stage;
use crate::params::{BLOCK, GROUP};
use crate::products::{ProductWord, accumulate_tc};
use crate::rounded_off::RoundedOff;
use crate::shard::range::Shard;
use crate::source::ReadAt;
use crate::statement::Statement;
use crate::words::{ModQ, Word, with_t_word};

/// A shard's part of T C, r x n, column after column, without the factor 2^dT where T is rounded;
/// parts add up, wrapping around. `hashes` are the hashes of its blocks, from
/// [`hash_blocks`](crate::shard::hash_blocks).
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
    with_t_word!(matrix.params, W => {
        let blocks = Blocks::new(file, &matrix.params);
        let t: Columns<'_, W> = Columns::InFile { blocks, shard, hashes };
        multiply_by_all(matrix, &t, &[challenge_hash]).map(|mut all| all.remove(0))
    })
}

/// T C for the challenges of some hashes, in one pass over T.
pub(crate) fn multiply_by_challenges(
    matrix: &PublicMatrix,
    statement: &Statement,
    file: Option<&dyn ReadAt>,
    challenge_hashes: &[&Digest],
) -> Result<Vec<ModQ>, Error> {
    with_t_word!(matrix.params, W => {
        let file = file.map(|file| statement.file_of_all(file));
        let t = match (statement.columns::<W>(), &file) {
            (Some(t), _) => Columns::Loaded(t, statement.more_columns()),
            (None, Some(file)) => {
                let params = statement.params();
                let (blocks, shard) = (Blocks::new(file, params), Shard::whole(params));
                Columns::InFile { blocks, shard, hashes: statement.block_hashes() }
            }
            (None, None) => return Err(Error::Request(RequestProblem::NotLoaded)),
        };
        multiply_by_all(matrix, &t, challenge_hashes)
    })
}

/// T_0 C, r x n, column after column, in words of A: where T_0 belongs to the last columns of T,
/// the product with the last rows of C.
pub(crate) fn multiply_rounded_off(
    matrix: &PublicMatrix,
    rounded_off: &RoundedOff,
    challenge_hash: &Digest,
) -> Result<ModQ, Error> {
    let (t, hashes) = (rounded_off, &[challenge_hash]);
    let all = match matrix.words {
        Words::W32(_) => multiply_by_all::<u32>(matrix, &Columns::RoundedOff(t), hashes),
        Words::W64(_) => multiply_by_all::<u64>(matrix, &Columns::RoundedOff(t), hashes),
    };
    all.map(|mut all| all.remove(0))
}

/// Columns of T, or of T_0.
enum Columns<'a, W> {
    /// All of them, in memory, in one or two parts.
    Loaded(&'a [W], Vec<W>),
    /// Columns of a shard, to be compared with the hashes of their blocks.
    InFile { blocks: Blocks<'a>, shard: Shard, hashes: &'a [Digest] },
    /// The last columns of T_0, or all.
    RoundedOff(&'a RoundedOff),
}

/// T C_1, T C_2, .. or T_0 C_1, .. for the challenge matrices of some hashes, in one pass.
#[expect(clippy::integer_division_remainder_used, reason = "shapes are public")]
fn multiply_by_all<W: ProductWord>(
    matrix: &PublicMatrix,
    t: &Columns<'_, W>,
    challenge_hashes: &[&Digest],
) -> Result<Vec<ModQ>, Error> {
    let params = &matrix.params;
    let (r, size) = (params.r() as usize, params.w_entries());
    let challenges: Vec<ChallengeMatrix> =
        challenge_hashes.iter().map(|hash| ChallengeMatrix::new(params, hash)).collect();
    let mut tc = vec![W::default(); size * challenges.len()];
    let (shard, zeros) = match t {
        Columns::Loaded(..) => (Shard::whole(params), 0),
        Columns::InFile { shard, .. } => (*shard, 0),
        // Before a prover's last columns, the columns of their first block count as 0.
        Columns::RoundedOff(t) => {
            let zeros = params.l() as usize * r - t.len();
            (Shard::whole(params).starting_at((zeros / r) as u64 / u64::from(BLOCK)), zeros)
        }
    };
    let (mut read, mut c) = (Secrets::default(), Vec::new());
    let mut workspace = Workspace::new();
    let blocks = shard.blocks();
    let total = blocks.end - blocks.start;
    for (group, (first, columns)) in shard.groups(params).enumerate() {
        matrix.report(Stage::MultiplyStatement, first - blocks.start, Some(total))?;
        let start = first as usize * BLOCK as usize * r;
        let words = match t {
            Columns::Loaded(t, more) => {
                if let Some(words) = t.get(start..start + columns * r) {
                    words
                } else {
                    let first = t.get(start..).unwrap_or(&[]);
                    let behind = start + first.len() - t.len();
                    let read = read.of_len(columns * r);
                    let (low, high) = read.split_at_mut(first.len());
                    low.copy_from_slice(first);
                    high.copy_from_slice(&more[behind..][..high.len()]);
                    read
                }
            }
            Columns::InFile { blocks, hashes, .. } => {
                let hashes = &hashes[group * GROUP as usize..];
                let hashes = &hashes[..columns.div_ceil(BLOCK as usize)];
                let read = read.of_len(columns * r);
                blocks.read_words(first, hashes, read)?;
                read
            }
            Columns::RoundedOff(t) => {
                let read = read.of_len(columns * r);
                let (before, known) = read.split_at_mut(zeros.saturating_sub(start));
                before.fill(W::default());
                let first = start.saturating_sub(zeros);
                t.read(first, known, |low| <W as Word>::from_u64(low.cast_unsigned()));
                read
            }
        };
        c.clear();
        for challenge in &challenges {
            c.extend(challenge.rows(first, columns));
        }
        let device = matrix.device.as_ref();
        accumulate_tc(matrix.isa, device, &mut workspace, r, (words, &c), &mut tc)?;
    }
    if challenges.len() == 1 {
        return Ok(vec![W::wrap(tc)]);
    }
    Ok(tc.chunks_exact(size).map(|tc| W::wrap(tc.to_vec())).collect())
}
