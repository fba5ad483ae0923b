//! What travels between ranks besides M: ranges, hashes of blocks, and what each rank has to
//! report.

use std::path::Path;

use tautochrone_simd::Isa;
use tautochrone_zk::shard::{
    self, HashSuite, Hashes, ModQ, Shard, WitnessDigest, check_cover, digest_from_bytes,
    multiply_tc,
};
use tautochrone_zk::{Digest, FileSource, MatrixId, Params, PublicMatrix};
use zeroize::Zeroizing;

use crate::meter::peak_memory;
use crate::{Comm, Fault, Summand, text};

/// Goes on only if all ranks have the parameters of rank 0.
///
/// # Errors
/// Which rank differs.
pub fn same_params(comm: &Comm, params: &Params) -> Result<(), Fault> {
    let header = shard::statement_header(params, &MatrixId::of_seed([0; 32]));
    same(comm, &header, "has other parameters")
}

/// Goes on only if all ranks have the messages of rank 0. Two ranks that had others would have pads
/// from other keys, and so perhaps the pads of another statement under one seed.
///
/// # Errors
/// Which rank differs.
pub fn same_messages(comm: &Comm, messages: &[i8]) -> Result<(), Fault> {
    // As secret as the messages: a guess at all of them can be checked.
    let label = "tautochrone-zk-mpi/1 messages";
    let mut hasher = Zeroizing::new(blake3::Hasher::new_derive_key(label));
    for entries in messages.chunks(1 << 16) {
        let bytes: Vec<u8> = entries.iter().map(|s| s.cast_unsigned()).collect();
        hasher.update(&Zeroizing::new(bytes));
    }
    let own = Zeroizing::new(hasher.finalize());
    let all = comm.gather(own.as_bytes());
    // Hashes of this type are compared in constant time.
    let is_own = |theirs: &[u8]| blake3::Hash::from_slice(theirs).is_ok_and(|hash| hash == *own);
    let other = all.iter().position(|theirs| !is_own(theirs));
    comm.agree(other.map_or(Ok(()), |rank| Err(format!("rank {rank} has other messages"))))
}

/// Goes on only if all ranks have these public bytes of rank 0.
pub(crate) fn same(comm: &Comm, own: &[u8], what: &str) -> Result<(), Fault> {
    let all = comm.gather(own);
    let other = all.iter().position(|theirs| theirs[..] != *own);
    comm.agree(other.map_or(Ok(()), |rank| Err(format!("rank {rank} {what}"))))
}

/// A on this rank: expanded from its seed, or read from the file that the user gave.
///
/// # Errors
/// If the parameters ask for a file and there is none, or the other way round; if the file is not
/// A'; if another rank reads another one.
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

/// The reports of all ranks on their columns, at rank 0 and in the order of all columns; elsewhere
/// nothing.
pub(crate) fn gather_columns(comm: &Comm, shards: &[Shard], own: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut parts: Vec<_> = comm.gather(own).into_iter().zip(shards).collect();
    parts.sort_by_key(|(_, shard)| shard.blocks().start);
    let total = parts.iter().map(|(part, _)| part.len()).sum();
    let mut all = Zeroizing::new(Vec::with_capacity(total));
    for (part, _) in parts {
        all.extend_from_slice(&part);
    }
    all
}

/// The digests of the blocks of all columns at rank 0; elsewhere none.
fn gather_digests(
    comm: &Comm,
    suite: HashSuite,
    shards: &[Shard],
    own: &[Digest],
) -> Zeroizing<Vec<Digest>> {
    let bytes = gather_columns(comm, shards, &digests_to_bytes(own));
    let len = suite.digest_len();
    let mut list = Zeroizing::new(Vec::with_capacity(bytes.len() / len));
    list.extend(bytes.chunks_exact(len).filter_map(|bytes| digest_from_bytes(suite, bytes)));
    list
}

/// The hashes of all blocks of T and S at rank 0; elsewhere none.
pub fn gather_hashes(comm: &Comm, params: &Params, shards: &[Shard], own: &Hashes) -> Hashes {
    let gather = |own: &[Digest]| gather_digests(comm, params.hash(), shards, own);
    let t = std::mem::take(&mut *gather(&own.t));
    let mut hashes = gather(own.s.hashes());
    // Sums of different parts: modulo 2^128 they cannot wrap around.
    let squares = own.s.squares().map(|squares| {
        let parts = comm.gather(&squares.to_le_bytes());
        let parts = parts.iter().map(|squares| {
            u128::from_le_bytes(squares[..].try_into().expect("sixteen bytes from every rank"))
        });
        parts.fold(0, u128::wrapping_add)
    });
    Hashes { t, s: WitnessDigest::new(std::mem::take(&mut *hashes), squares) }
}

/// T C at rank 0, every rank having multiplied its shard of T in `file`; elsewhere zeros.
///
/// # Errors
/// T cannot be read on some rank.
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

/// The report of each rank, at rank 0: its number, phases, bytes and memory, and what is in `row`.
pub fn gather_rows(comm: &Comm, mut row: serde_json::Value) -> Vec<serde_json::Value> {
    let meter = comm.meter();
    let (sent, received) = meter.bytes();
    row["rank"] = comm.rank().into();
    row["phases"] = meter.json();
    row["bytes_sent"] = sent.into();
    row["bytes_received"] = received.into();
    row["peak_memory"] = peak_memory().into();
    let rows = comm.gather(row.to_string().as_bytes());
    rows.iter().filter_map(|row| serde_json::from_slice(row).ok()).collect()
}
