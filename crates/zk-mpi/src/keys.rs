//! Keys that are proved to be well formed in column shards, over the ranks: the table of
//! [`KeyWorker`].
//!
//! | step | each rank | travels | rank 0 |
//! |---|---|---|---|
//! | dummies | whether the claim holds of its keys; the digest of its full blocks | 1 hash a block, and less than 256 columns of S, of the last block if it is not full, secret | dummy columns, from the hashes of all blocks of S |
//! | a round for the rows | its keys' sums | 24 e bytes a rank, secret; 24 to all | their sum, masked, and the challenge |
//! | end | the hint of each of its keys | 24 bytes a key | X_1, Y_1, rho, y of dummy columns |

use tautochrone_zk::argument::{Ask, ExactKeys, KeyArgument, KeyWorker};
use tautochrone_zk::shard::{Hashes, Shard};
use tautochrone_zk::{Digest, MatrixId, Params, Statement, WitnessSource, shard};

use crate::claims::play;
use crate::exchange::{gather_columns, gather_hashes};
use crate::{Comm, Fault, text};

/// Most columns of keys: rank 0 gathers elements of each, and messages are shorter than 2^31 bytes.
const MAX_COLUMNS: u64 = 1 << 25;

/// Refuses keys whose hints rank 0 could not gather.
///
/// # Errors
/// If there are more than 2^25 columns.
pub fn check_columns(columns: u64) -> Result<(), String> {
    if columns <= MAX_COLUMNS {
        return Ok(());
    }
    Err(format!("{columns} columns; at most {MAX_COLUMNS} keys are proved over MPI"))
}

/// The statement, on all ranks; rank 0 knows the hashes of the blocks of T.
///
/// # Errors
/// If they are not one a block.
pub fn share_statement(
    comm: &Comm,
    params: &Params,
    id: MatrixId,
    t: &[Digest],
) -> Result<Statement, Fault> {
    let suite = params.hash();
    let bytes = t.iter().flat_map(|digest| digest.as_bytes().to_vec()).collect();
    let bytes = comm.broadcast_any(bytes);
    let hashes = bytes.chunks_exact(suite.digest_len());
    let hashes = hashes.filter_map(|bytes| shard::digest_from_bytes(suite, bytes)).collect();
    comm.agree(shard::statement(params, id, hashes).map_err(text))
}

/// Plays the rounds about keys: the worker of the own columns, and at rank 0 all that is sent
/// before Y. Columns are the own ones and, at rank 0, the columns of every rank.
///
/// # Errors
/// If a rank's keys are not well formed, or cannot be read.
pub fn argue_keys<'a>(
    comm: &Comm,
    keys: &'a ExactKeys<'a>,
    witness: &'a dyn WitnessSource,
    (own, shards): (Shard, &[Shard]),
) -> Result<(KeyWorker<'a>, Option<KeyArgument<'a>>), Fault> {
    comm.enter("dummies");
    let worker = KeyWorker::new(keys, witness, own).map_err(text);
    let (mut worker, digest) = comm.agree(worker)?;
    let tail = comm.agree(worker.tail().map_err(text))?;
    let tail = gather_columns(comm, shards, &tail);
    let hashes = Hashes { t: Vec::new(), s: digest };
    let digest = gather_hashes(comm, keys.params(), shards, &hashes).s;
    let argue = |ask: &mut Ask<'_>| KeyArgument::new(keys, digest, &tail, ask);
    let argue = comm.is_root().then_some(argue);
    let argument = play(comm, shards, &mut |request| worker.answer(request), argue)?;
    Ok((worker, argument))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_counted() {
        assert_eq!(check_columns(1 << 25), Ok(()));
        let refused = check_columns((1 << 25) + 1).unwrap_err();
        assert_eq!(refused, "33554433 columns; at most 33554432 keys are proved over MPI");
    }
}
