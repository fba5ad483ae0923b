//! The definitions of docs/format.md and docs/protocol.md once more, in the plainest code there is:
//! the tests compare the crate's hashes, challenges and products with these, so that prover and
//! verifier cannot agree on a common mistake.

use sha3::{Digest as _, Sha3_512};
use shake::Shake256;
use shake::digest::{ExtendableOutput, Update, XofReader};
use tautochrone_ctr::Seed;

use crate::hash::Digest;
use crate::matrix::PublicMatrix;
use crate::params::{CustomParams, Params, Preset, Security};
use crate::statement::Statement;
use crate::suite::{Challenge, ChallengeKind, HashSuite, MatrixForm};
use crate::witness::{RandomWitness, Witness, WitnessSource};

const DOMAIN: &str = "tautochrone-zk/1";

/// What H hashes: the domain, the tag and every field, each after its length.
pub(crate) fn input(domain: &str, tag: &str, fields: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for field in [domain.as_bytes(), tag.as_bytes()].iter().chain(fields) {
        bytes.extend((field.len() as u64).to_le_bytes());
        bytes.extend(*field);
    }
    bytes
}

/// H(tag, fields).
pub(crate) fn hash(suite: HashSuite, tag: &str, fields: &[&[u8]]) -> Digest {
    let input = input(DOMAIN, tag, fields);
    match suite {
        HashSuite::Blake3 => Digest::from_slice(blake3::hash(&input).as_bytes()),
        HashSuite::Sha3 => Digest::from_slice(&Sha3_512::digest(&input)),
    }
}

/// H(tag, first fields, list of digests, last fields): the number of the digests, then each.
pub(crate) fn hash_list(
    suite: HashSuite,
    tag: &str,
    first: &[&[u8]],
    list: &[Digest],
    last: &[&[u8]],
) -> Digest {
    let count = (list.len() as u64).to_le_bytes();
    let digests = list.iter().map(Digest::as_bytes);
    let fields: Vec<&[u8]> = first
        .iter()
        .copied()
        .chain([&count[..]])
        .chain(digests)
        .chain(last.iter().copied())
        .collect();
    hash(suite, tag, &fields)
}

/// C, row after row.
pub(crate) fn challenge(params: &Params, challenge_hash: &Digest) -> Vec<Vec<i8>> {
    let n = params.n() as usize;
    let plane = n.div_ceil(8);
    let signed = params.challenge() == Challenge::Ternary;
    let row = if signed { 2 * plane } else { plane };
    let mut bytes = vec![0; row * params.l() as usize];
    let input = input(DOMAIN, "challenge-matrix", &[challenge_hash.as_bytes()]);
    match params.hash() {
        HashSuite::Blake3 => blake3::Hasher::new().update(&input).finalize_xof().fill(&mut bytes),
        HashSuite::Sha3 => {
            for (c, chunk) in (0_u64..).zip(bytes.chunks_mut(8192)) {
                let mut shake = Shake256::default();
                for part in [&input, &8_u64.to_le_bytes()[..], &c.to_le_bytes()] {
                    shake.update(part);
                }
                shake.finalize_xof().read(chunk);
            }
        }
    }
    let bit = |bytes: &[u8], j: usize| (bytes[j / 8] >> (j % 8) & 1).cast_signed();
    let entry = |row: &[u8], j: usize| {
        let sign = if signed { bit(&row[plane..], j) } else { 0 };
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
        for (sums, &c) in product.chunks_exact_mut(rows).zip(c) {
            for (sum, x) in sums.iter_mut().zip(column) {
                *sum += x * i128::from(c);
            }
        }
    }
    product
}

/// A statement, its witness, and their files.
pub(crate) struct Case {
    pub(crate) params: Params,
    pub(crate) matrix: PublicMatrix,
    pub(crate) statement: Statement,
    pub(crate) file: Vec<u8>,
    pub(crate) witness: Witness,
    pub(crate) entries: Vec<i8>,
}

impl Case {
    /// A random witness; cases of the same parameters and `a` share A.
    pub(crate) fn new(custom: CustomParams, a: u8, seed: u8) -> Self {
        let params = custom.validate(Security::Waived).unwrap();
        let mut entries = vec![0; params.v() as usize * params.l() as usize];
        let random = RandomWitness::new(Seed::from_bytes([seed; 32]));
        random.read_columns(&params, 0, &mut entries).unwrap();
        Self::of(params, a, entries)
    }

    /// A witness of these entries.
    pub(crate) fn of(params: Params, a: u8, entries: Vec<i8>) -> Self {
        let matrix = PublicMatrix::new(&params, [a; 32]);
        let witness = Witness::new(&params, entries.clone()).unwrap();
        let mut file = Vec::new();
        let statement = matrix.commit(&witness, &mut file).unwrap();
        Self { params, matrix, statement, file, witness, entries }
    }

    /// S.
    pub(crate) fn s(&self) -> Vec<i128> {
        self.entries.iter().map(|&s| i128::from(s)).collect()
    }

    /// T, as numbers from 0 to q - 1, read from the statement's file.
    pub(crate) fn t(&self) -> Vec<i128> {
        let width = self.params.w() as usize / 8;
        let word = |bytes: &[u8]| (0..width).map(|i| i128::from(bytes[i]) << (8 * i)).sum();
        self.file[112..].chunks_exact(width).map(word).collect()
    }
}

/// Small dimensions over several groups of 1024 columns, the last of them a ragged block alone or
/// after whole ones; both word sizes, challenges and hashes, full and systematic A, and b and n for
/// every form in which S is packed.
pub(crate) fn long() -> [CustomParams; 6] {
    let toy = |preset: Preset, l| CustomParams { r: 3, v: 8, l, n: Some(10), ..preset.custom() };
    [
        toy(Preset::T4_128, 2401),
        CustomParams { n: Some(20), ..toy(Preset::T4_128, 2049) },
        CustomParams { n: Some(17), b: 2, matrix: MatrixForm::Full, ..toy(Preset::T4_128, 2401) },
        CustomParams { n: Some(20), ..toy(Preset::B4_128, 2145) },
        CustomParams { challenge: ChallengeKind::Binary, n: Some(19), ..toy(Preset::B4_128, 2401) },
        toy(Preset::T4_256, 2304),
    ]
}

/// The definitions against answers that do not come from this crate: otherwise a mistake in both
/// would go unseen.
#[test]
fn hashes_of_the_reference_are_those_of_the_libraries() {
    let by_hand = b"\x10\0\0\0\0\0\0\0tautochrone-zk/1\x03\0\0\0\0\0\0\0tag\x01\0\0\0\0\0\0\0x";
    assert_eq!(input(DOMAIN, "tag", &[b"x"]), by_hand);
}
