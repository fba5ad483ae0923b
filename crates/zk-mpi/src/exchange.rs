//! What travels between ranks besides M: ranges, hashes of blocks, and what each rank has to
//! report.

use tautochrone::zk::shard::{
    self, Hashes, ModQ, Shard, WitnessDigest, check_cover, digest_from_bytes, multiply_tc,
};
use tautochrone::zk::{Digest, FileSource, HashSuite, MatrixId, Params, PublicMatrix};
use zeroize::Zeroizing;

use crate::{Comm, Fault, Summand, text};

/// Goes on only if all ranks have the parameters of rank 0.
///
/// # Errors
/// Which rank differs.
pub fn same_params(comm: &Comm, params: &Params) -> Result<(), Fault> {
    let header = shard::statement_header(params, &MatrixId::of_seed([0; 32]));
    let all = comm.gather(&header);
    let other = all.iter().position(|theirs| theirs[..] != header);
    comm.agree(other.map_or(Ok(()), |rank| Err(format!("rank {rank} has other parameters"))))
}

/// Every rank's range at rank 0, elsewhere nothing; every column has one owner.
///
/// # Errors
/// Which columns nobody has or two ranks have.
pub fn gather_shards(comm: &Comm, params: &Params, own: Shard) -> Result<Vec<Shard>, Fault> {
    let columns = own.columns(params);
    let mut message = columns.start.to_le_bytes().to_vec();
    message.extend((columns.end - columns.start).to_le_bytes());
    let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let read = |range: &Zeroizing<Vec<u8>>| {
        Shard::of_columns(params, number(&range[..8]), number(&range[8..]))
    };
    let shards: Result<Vec<_>, _> = comm.gather(&message).iter().map(read).collect();
    comm.agree(shards.map_err(text).and_then(|shards| {
        if comm.is_root() {
            check_cover(params, &shards).map_err(text)?;
        }
        Ok(shards)
    }))
}

/// Digests as bytes, erased when dropped.
fn digests_to_bytes(list: &[Digest]) -> Zeroizing<Vec<u8>> {
    let len = list.first().map_or(0, |digest| digest.as_bytes().len());
    // Capacity for all from the start: growing would leave copies behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(list.len() * len));
    for digest in list {
        bytes.extend_from_slice(digest.as_bytes());
    }
    bytes
}

/// The gathered digests of shards, in the order of their columns.
fn in_order(
    suite: HashSuite,
    shards: &[Shard],
    parts: &[Zeroizing<Vec<u8>>],
) -> Zeroizing<Vec<Digest>> {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&rank| shards[rank].blocks().start);
    let len = suite.digest_len();
    let total = parts.iter().map(|part| part.len() / len).sum();
    let mut list = Zeroizing::new(Vec::with_capacity(total));
    for rank in order {
        list.extend(
            parts[rank].chunks_exact(len).filter_map(|bytes| digest_from_bytes(suite, bytes)),
        );
    }
    list
}

/// Hashes of blocks in order.
#[derive(Debug)]
pub struct BlockHashes {
    /// Of T.
    pub t: Vec<Digest>,
    /// Of S, with the sum of the squares of its entries; erased when dropped.
    pub s: WitnessDigest,
}

/// The hashes of all blocks of T and S at rank 0; elsewhere none.
pub fn gather_hashes(comm: &Comm, params: &Params, shards: &[Shard], own: &Hashes) -> BlockHashes {
    let gather =
        |own: &[Digest]| in_order(params.hash(), shards, &comm.gather(&digests_to_bytes(own)));
    let t = std::mem::take(&mut *gather(&own.t));
    let mut hashes = gather(own.s.hashes());
    let squares = comm.gather(&own.s.squares().to_le_bytes());
    let squares = squares.iter().map(|squares| {
        u128::from_le_bytes(squares[..].try_into().expect("sixteen bytes from every rank"))
    });
    // Sums of different parts: modulo 2^128 they cannot wrap around.
    let squares = squares.fold(0, u128::wrapping_add);
    BlockHashes { t, s: WitnessDigest::new(std::mem::take(&mut *hashes), squares) }
}

/// T C at rank 0, every rank having multiplied its shard of T in `file`; elsewhere zeros.
///
/// # Errors
/// Those of reading T on any rank.
pub fn sum_tc(
    comm: &Comm,
    a: &PublicMatrix,
    file: &FileSource,
    own: Shard,
    hashes: &[Digest],
    challenge: &Digest,
) -> Result<ModQ, Fault> {
    comm.enter("multiply");
    let part = multiply_tc(a, file, own, hashes, challenge).map_err(text);
    comm.enter("reduce");
    let part = comm.agree(part)?;
    Ok(match part {
        ModQ::W16(part) => {
            let wide: Vec<u32> = part.into_iter().map(u32::from).collect();
            ModQ::W16(sum(comm, &wide).into_iter().map(|word| word as u16).collect())
        }
        ModQ::W32(part) => ModQ::W32(sum(comm, &part)),
        ModQ::W64(part) => ModQ::W64(sum(comm, &part)),
    })
}

fn sum<T: Summand + Default>(comm: &Comm, part: &[T]) -> Vec<T> {
    let mut sum = vec![T::default(); part.len()];
    comm.sum(part, &mut sum);
    sum
}

/// What each rank has to report, at rank 0.
pub fn gather_rows(comm: &Comm, row: &serde_json::Value) -> Vec<serde_json::Value> {
    let rows = comm.gather(row.to_string().as_bytes());
    rows.iter().filter_map(|row| serde_json::from_slice(row).ok()).collect()
}
