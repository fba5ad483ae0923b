//! The whole protocol once more: docs/format.md and docs/protocol.md in the plainest code there is,
//! slow and safe, for tests. It reads and writes files by itself and shares with the crate only the
//! digest and suite types, AES-CTR, the Gaussian sampler and 2^-x of `tautochrone-gauss`.
//!
//! The real prover and verifier agree with it byte for byte, so that they cannot share a mistake.

use sha3::{Digest as _, Sha3_512};
use shake::Shake256;
use shake::digest::{ExtendableOutput, Update, XofReader};
use tautochrone_ctr::{KeySize, Label, Seed};
use tautochrone_gauss::facct::Facct;
use tautochrone_simd::Isa;

use crate::error::Error;
use crate::hash::Digest;
use crate::params::Params;
use crate::suite::{Challenge, HashSuite};

pub(crate) mod compact;
mod encoding;

use encoding::rans;

/// Columns of a block.
const BLOCK: usize = 256;

const DOMAIN: &str = "tautochrone-zk/2";

/// A number as it is hashed.
fn eight_bytes(number: usize) -> Vec<u8> {
    (number as u64).to_le_bytes().to_vec()
}

/// What H hashes: the domain, the tag and every field, each after its length.
pub(crate) fn input(tag: &str, fields: &[impl AsRef<[u8]>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let fields = fields.iter().map(AsRef::as_ref);
    for field in [DOMAIN.as_bytes(), tag.as_bytes()].into_iter().chain(fields) {
        bytes.extend(eight_bytes(field.len()));
        bytes.extend(field);
    }
    bytes
}

/// H(tag, fields).
pub(crate) fn hash(suite: HashSuite, tag: &str, fields: &[impl AsRef<[u8]>]) -> Digest {
    let input = input(tag, fields);
    match suite {
        HashSuite::Blake3 => Digest::from_slice(blake3::hash(&input).as_bytes()),
        HashSuite::Sha3 => Digest::from_slice(&Sha3_512::digest(&input)),
        _ => unreachable!("no other suite is defined"),
    }
}

/// H(tag, first fields, list of digests, last fields): the number of the digests, then each.
pub(crate) fn hash_list(
    suite: HashSuite,
    tag: &str,
    first: &[Vec<u8>],
    list: &[Digest],
    last: &[Vec<u8>],
) -> Digest {
    let count = [eight_bytes(list.len())];
    let list: Vec<_> = list.iter().map(|digest| digest.as_bytes().to_vec()).collect();
    hash(suite, tag, &[first, &count, &list, last].concat())
}

/// C, row after row.
pub(crate) fn challenge(params: &Params, challenge_hash: &Digest) -> Vec<Vec<i8>> {
    let (l, n) = (params.l() as usize, params.n() as usize);
    challenge_matrix(params.hash(), params.challenge() == Challenge::Ternary, l, n, challenge_hash)
}

fn challenge_matrix(
    suite: HashSuite,
    ternary: bool,
    l: usize,
    n: usize,
    challenge_hash: &Digest,
) -> Vec<Vec<i8>> {
    let plane = n.div_ceil(8);
    let row = if ternary { 2 * plane } else { plane };
    let mut bytes = vec![0; row * l];
    let input = input("challenge-matrix", &[challenge_hash.as_bytes()]);
    if suite == HashSuite::Blake3 {
        blake3::Hasher::new().update(&input).finalize_xof().fill(&mut bytes);
    } else {
        for (c, chunk) in (0_u64..).zip(bytes.chunks_mut(8192)) {
            let mut shake = Shake256::default();
            for part in [&input, &8_u64.to_le_bytes()[..], &c.to_le_bytes()] {
                shake.update(part);
            }
            shake.finalize_xof().read(chunk);
        }
    }
    let bit = |bytes: &[u8], j: usize| (bytes[j / 8] >> (j % 8) & 1).cast_signed();
    let entry = |row: &[u8], j: usize| {
        let sign = if ternary { bit(&row[plane..], j) } else { 0 };
        bit(row, j) * (1 - 2 * sign)
    };
    bytes.chunks(row).map(|row| (0..n).map(|j| entry(row, j)).collect()).collect()
}

/// The product of X, given by columns of `rows` entries, and C, over the integers, column after
/// column.
pub(crate) fn times_challenge(x: &[i128], rows: usize, c: &[Vec<i8>]) -> Vec<i128> {
    let n = c[0].len();
    let mut product = vec![0; rows * n];
    for (column, c) in x.chunks_exact(rows).zip(c) {
        for (sums, &c) in product.chunks_exact_mut(rows).zip(c).filter(|(_, c)| **c != 0) {
            for (sum, x) in sums.iter_mut().zip(column) {
                *sum += x * i128::from(c);
            }
        }
    }
    product
}

/// A little-endian number.
fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
}

/// What a verifier says of a proof file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Valid,
    Invalid,
    Malformed,
}

impl Answer {
    /// What the real verifier says.
    pub(crate) fn of(verdict: &Result<(), Error>) -> Self {
        match verdict {
            Ok(()) => Self::Valid,
            Err(Error::Invalid(_)) => Self::Invalid,
            Err(_) => Self::Malformed,
        }
    }
}

mod tests;
