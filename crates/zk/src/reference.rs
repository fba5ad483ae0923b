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

use crate::error::VerifyError;
use crate::hash::{Digest, Domain};
use crate::params::Params;
use crate::suite::{Challenge, HashSuite, Version};

pub(crate) mod compact;
mod encoding;

use encoding::{rans, rice};

/// Columns of a block.
const BLOCK: usize = 256;

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

/// A hash function in the name of a version; of version 1 where only the function is given.
#[derive(Clone, Copy)]
pub(crate) struct Function {
    suite: HashSuite,
    domain: &'static str,
}

impl From<HashSuite> for Function {
    fn from(suite: HashSuite) -> Self {
        Self { suite, domain: DOMAIN }
    }
}

impl From<Domain> for Function {
    fn from(domain: Domain) -> Self {
        let name = if domain.version == Version::One { DOMAIN } else { "tautochrone-zk/2" };
        Self { suite: domain.suite, domain: name }
    }
}

/// H(tag, fields).
pub(crate) fn hash(function: impl Into<Function>, tag: &str, fields: &[&[u8]]) -> Digest {
    let Function { suite, domain } = function.into();
    let input = input(domain, tag, fields);
    match suite {
        HashSuite::Blake3 => Digest::from_slice(blake3::hash(&input).as_bytes()),
        HashSuite::Sha3 => Digest::from_slice(&Sha3_512::digest(&input)),
    }
}

/// H(tag, first fields, list of digests, last fields): the number of the digests, then each.
pub(crate) fn hash_list(
    function: impl Into<Function>,
    tag: &str,
    first: &[&[u8]],
    list: &[Digest],
    last: &[&[u8]],
) -> Digest {
    let count = (list.len() as u64).to_le_bytes();
    let mut fields = first.to_vec();
    fields.push(&count);
    fields.extend(list.iter().map(Digest::as_bytes));
    fields.extend(last);
    hash(function, tag, &fields)
}

/// C, row after row.
pub(crate) fn challenge(params: &Params, challenge_hash: &Digest) -> Vec<Vec<i8>> {
    let (l, n) = (params.l() as usize, params.n() as usize);
    let function = params.domain().into();
    challenge_matrix(function, params.challenge() == Challenge::Ternary, l, n, challenge_hash)
}

fn challenge_matrix(
    Function { suite, domain }: Function,
    ternary: bool,
    l: usize,
    n: usize,
    challenge_hash: &Digest,
) -> Vec<Vec<i8>> {
    let plane = n.div_ceil(8);
    let row = if ternary { 2 * plane } else { plane };
    let mut bytes = vec![0; row * l];
    let input = input(domain, "challenge-matrix", &[challenge_hash.as_bytes()]);
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
        for (sums, &c) in product.chunks_exact_mut(rows).zip(c) {
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

/// A statement file, or its header alone.
#[derive(Clone)]
pub(crate) struct File<'a> {
    bytes: &'a [u8],
    suite: HashSuite,
    rans: bool,
    ternary: bool,
    systematic: bool,
    lambda: u128,
    /// Bytes of a word.
    width: usize,
    r: usize,
    v: usize,
    n: usize,
    l: usize,
    sigma: u64,
    norm_bound_squared: u128,
}

impl<'a> File<'a> {
    /// Reads the header, which is that of a valid statement.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let field = |at: usize, len: usize| number(&bytes[at..at + len]);
        Self {
            bytes,
            suite: if bytes[10] == 1 { HashSuite::Blake3 } else { HashSuite::Sha3 },
            rans: bytes[12] == 2,
            ternary: bytes[13] == 0,
            systematic: bytes[14] == 1,
            lambda: field(16, 4),
            width: field(20, 4) as usize / 8,
            r: field(24, 4) as usize,
            v: field(28, 4) as usize,
            n: field(32, 4) as usize,
            l: field(40, 8) as usize,
            sigma: field(48, 8) as u64,
            norm_bound_squared: field(56, 16),
        }
    }

    /// A stream of a key of 32 bytes; `secret` ones have AES keys as long as lambda.
    fn stream(
        &self,
        key: &Digest,
        secret: bool,
        label: Label,
        index: u64,
    ) -> tautochrone_ctr::Stream {
        let long = secret && self.lambda == 256;
        let size = if long { KeySize::Aes256 } else { KeySize::Aes128 };
        let seed = Seed::from_bytes(key.as_bytes()[..32].try_into().unwrap());
        seed.stream_with(Isa::PORTABLE, size, label, index)
    }

    /// A, row after row.
    fn a(&self) -> Vec<Vec<i128>> {
        let numbers = [1, 8 * self.width, self.r, self.v, self.systematic.into()];
        let numbers = numbers.map(|number| (number as u64).to_le_bytes());
        let mut fields: Vec<&[u8]> = numbers.iter().map(|number| &number[..]).collect();
        fields.push(&self.bytes[80..112]);
        let key = hash(self.suite, "A", &fields);
        let random = if self.systematic { self.v - self.r } else { self.v };
        let mut bytes = vec![0; self.r * random * self.width];
        for (i, chunk) in (0..).zip(bytes.chunks_mut(1 << 16)) {
            self.stream(&key, false, Label::new("tautochrone-zk/1 A"), i).fill(chunk);
        }
        let words: Vec<i128> = bytes.chunks(self.width).map(|word| number(word) as i128).collect();
        let identity = |i: usize| (random..self.v).map(move |j| i128::from(j - random == i));
        words
            .chunks(random)
            .zip(0..)
            .map(|(row, i)| [row.to_vec(), identity(i).collect()].concat())
            .collect()
    }

    /// The bytes of A X - Y mod q, X by columns of v entries and Y of r.
    fn a_times(&self, x: &[i128], minus: &[i128]) -> Vec<u8> {
        let a = self.a();
        let mut bytes = Vec::new();
        for (x, y) in x.chunks_exact(self.v).zip(minus.chunks_exact(self.r)) {
            for (row, y) in a.iter().zip(y) {
                let sum = row.iter().zip(x).fold(0_i128, |sum, (a, x)| sum.wrapping_add(a * x));
                bytes.extend(&sum.wrapping_sub(*y).to_le_bytes()[..self.width]);
            }
        }
        bytes
    }

    /// T.
    fn t(&self) -> Vec<i128> {
        self.bytes[112..].chunks_exact(self.width).map(|word| number(word) as i128).collect()
    }

    /// D, in a context.
    fn digest(&self, context: &[u8]) -> Digest {
        let blocks = self.bytes[112..].chunks(BLOCK * self.r * self.width);
        let hashes: Vec<Digest> = (0_u64..)
            .zip(blocks)
            .map(|(i, block)| hash(self.suite, "T-block", &[&i.to_le_bytes(), block]))
            .collect();
        hash_list(self.suite, "statement", &[&self.bytes[8..112]], &hashes, &[context])
    }

    fn challenge(&self, challenge_hash: &Digest) -> Vec<Vec<i8>> {
        challenge_matrix(self.suite.into(), self.ternary, self.l, self.n, challenge_hash)
    }

    /// Whether no entry of Z exceeds 14 sigma, and no column B.
    fn is_short(&self, z: &[i128]) -> bool {
        let squared = |z: &[i128]| z.iter().map(|z| (z * z) as u128).sum::<u128>();
        z.iter().all(|z| z.unsigned_abs() <= 14 * u128::from(self.sigma))
            && z.chunks(self.v).all(|z| squared(z) <= self.norm_bound_squared)
    }

    fn encode(&self, z: &[i128]) -> Vec<u8> {
        if self.rans { rans::encode(4, self.sigma, z) } else { rice::encode(self.sigma, z) }
    }

    fn proof(&self, digest: &Digest, challenge_hash: &Digest, z: &[i128]) -> Vec<u8> {
        let z = self.encode(z);
        let len = 24 + 2 * digest.as_bytes().len() + z.len();
        let suites = [self.suite as u8, 1 + u8::from(self.rans), 0, 0, 0, 0];
        let start = [&b"TCZKprf\0\x01\0"[..], &suites, &(len as u64).to_le_bytes()].concat();
        [&start, digest.as_bytes(), challenge_hash.as_bytes(), &z].concat()
    }
}

/// The statement file of a header and S.
pub(crate) fn commit(header: &[u8], s: &[i128]) -> Vec<u8> {
    let file = File::new(header);
    [header, &file.a_times(s, &vec![0; file.r * file.l])].concat()
}

/// The proof file that a reproducible prover writes.
pub(crate) fn prove(file: &[u8], s: &[i128], context: &[u8], seed: &[u8; 32]) -> Vec<u8> {
    let file = File::new(file);
    let (suite, digest) = (file.suite, file.digest(context));
    let entries: Vec<u8> = s.iter().map(|&s| s as u8).collect();
    let blocks = (0_u64..).zip(entries.chunks(BLOCK * file.v));
    let hashes: Vec<Digest> =
        blocks.map(|(i, block)| hash(suite, "S-block", &[&i.to_le_bytes(), block])).collect();
    let s_digest = hash_list(suite, "witness", &[], &hashes, &[]);
    let sampler = Facct::new_on(Isa::PORTABLE, file.sigma as f64).unwrap();
    for attempt in 0_u64.. {
        let fields = [seed, digest.as_bytes(), s_digest.as_bytes(), &attempt.to_le_bytes()];
        let key = hash(suite, "Y", &fields);
        let mut y = vec![0_i64; file.v * file.n];
        for (j, column) in (0..).zip(y.chunks_mut(file.v)) {
            let label = Label::new("tautochrone-zk/1 Y");
            sampler.fill(&mut file.stream(&key, true, label, j), column);
        }
        let y: Vec<i128> = y.into_iter().map(i128::from).collect();
        let w = file.a_times(&y, &vec![0; file.r * file.n]);
        let challenge_hash = hash(suite, "challenge", &[digest.as_bytes(), &w]);
        let m = times_challenge(s, file.v, &file.challenge(&challenge_hash));
        let z: Vec<i128> = y.iter().zip(&m).map(|(y, m)| y + m).collect();
        // min(1, exp((-2 <Z, M> + ||M||^2) / (2 sigma^2)) / 3), in floating point: the uniform
        // number is not so near that more digits would count.
        let exponent: i128 = z.iter().zip(&m).map(|(z, m)| m * m - 2 * z * m).sum();
        let probability = (exponent as f64 / (2.0 * (file.sigma as f64).powi(2))).exp() / 3.0;
        let mut uniform = [0; 16];
        file.stream(&key, true, Label::new("tautochrone-zk/1 rejection"), 0).fill(&mut uniform);
        let uniform = number(&uniform) as f64 / 2.0_f64.powi(128);
        assert!((uniform - probability).abs() > 1e-9, "too close for f64");
        if uniform < probability && file.is_short(&z) {
            return file.proof(&digest, &challenge_hash, &z);
        }
    }
    unreachable!("one attempt in three is accepted")
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
    pub(crate) fn of(verdict: &Result<(), VerifyError>) -> Self {
        match verdict {
            Ok(()) => Self::Valid,
            Err(VerifyError::Invalid(_)) => Self::Invalid,
            Err(VerifyError::NoVerdict(_)) => Self::Malformed,
        }
    }
}

/// The checks of docs/format.md, "Malformed, invalid, valid".
pub(crate) fn verify(file: &[u8], context: &[u8], proof: &[u8]) -> Answer {
    let file = File::new(file);
    let (d, count) = (if file.suite == HashSuite::Blake3 { 32 } else { 64 }, file.v * file.n);
    let longest = if file.rans {
        rans::longest(4, file.sigma, count)
    } else {
        rice::longest(file.sigma, count)
    };
    if proof.len() < 24
        || proof[..10] != *b"TCZKprf\0\x01\0"
        || proof.len() > 24 + 2 * d + longest
        || number(&proof[16..24]) != proof.len() as u128
    {
        return Answer::Malformed;
    }
    let digest = file.digest(context);
    let Some((challenge_hash, encoded)) =
        proof[24..].strip_prefix(digest.as_bytes()).and_then(|rest| rest.split_at_checked(d))
    else {
        return Answer::Invalid;
    };
    let challenge_hash = Digest::from_slice(challenge_hash);
    let decoded = if file.rans {
        rans::decode(4, file.sigma, count, encoded)
    } else {
        rice::decode(file.sigma, count, encoded)
    };
    // The one encoding of what was decoded must be the file.
    let Some(z) =
        decoded.filter(|z| file.is_short(z) && file.proof(&digest, &challenge_hash, z) == proof)
    else {
        return Answer::Invalid;
    };
    let tc = times_challenge(&file.t(), file.r, &file.challenge(&challenge_hash));
    let w = file.a_times(&z, &tc);
    if hash(file.suite, "challenge", &[digest.as_bytes(), &w]) == challenge_hash {
        Answer::Valid
    } else {
        Answer::Invalid
    }
}

mod tests;
