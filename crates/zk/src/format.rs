//! The headers of statement and proof files, as docs/format.md defines them: magic numbers,
//! versions, lengths and fields, little-endian. What the numbers mean is checked elsewhere.
//!
//! Each version has a header type of its own; what versions share is what [`check_start`] reads.

use crate::error::Malformation;
use crate::suite::{Challenge, Encoding, HashSuite};

/// Version of the statement and proof formats and of the transcript.
pub const VERSION: u16 = 1;
/// How A is expanded: 1 = AES-CTR.
pub(crate) const GENERATOR: u8 = 1;

/// Magic number and version.
const START_LEN: usize = 10;
const MAGIC_LEN: usize = 8;
const STATEMENT_MAGIC: [u8; MAGIC_LEN] = *b"TCZKstmt";
const PROOF_MAGIC: [u8; MAGIC_LEN] = *b"TCZKprf\0";

/// Bytes before T in a statement file.
pub(crate) const STATEMENT_HEADER_LEN: usize = 112;
/// Bytes before the digests in a proof file.
pub(crate) const PROOF_FIXED_LEN: usize = 24;

/// Bytes before the encoded Z in a proof file: the fixed part, D and the challenge hash.
pub(crate) const fn proof_header_len(hash: HashSuite) -> usize {
    PROOF_FIXED_LEN + 2 * hash.digest_len()
}

/// Checks magic number and version.
fn check_start(bytes: &[u8; START_LEN], magic: [u8; MAGIC_LEN]) -> Result<(), Malformation> {
    if bytes[..MAGIC_LEN] != magic {
        return Err(Malformation::Magic);
    }
    let version = u16::from_le_bytes([bytes[8], bytes[9]]);
    if version != VERSION {
        return Err(Malformation::Version { got: version, known: VERSION });
    }
    Ok(())
}

/// The header of a statement file of version 1: every public parameter at its place.
#[derive(Clone, Debug)]
pub(crate) struct StatementHeader {
    pub(crate) hash: HashSuite,
    pub(crate) encoding: Encoding,
    pub(crate) challenge: Challenge,
    pub(crate) systematic: bool,
    pub(crate) lambda: u32,
    pub(crate) w: u32,
    pub(crate) r: u32,
    pub(crate) v: u32,
    pub(crate) n: u32,
    pub(crate) b: u32,
    pub(crate) l: u64,
    pub(crate) sigma: u64,
    pub(crate) norm_bound_squared: u128,
    pub(crate) seed_a: [u8; 32],
}

impl StatementHeader {
    pub(crate) fn to_bytes(&self) -> [u8; STATEMENT_HEADER_LEN] {
        let (challenge, norm_bound) = match self.challenge {
            Challenge::Ternary => (0_u8, 0_u64),
            Challenge::Binary { norm_bound } => (1, norm_bound),
        };
        let mut bytes = Vec::with_capacity(STATEMENT_HEADER_LEN);
        bytes.extend(STATEMENT_MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([
            self.hash as u8,
            GENERATOR,
            self.encoding as u8,
            challenge,
            u8::from(self.systematic),
            0,
        ]);
        for field in [self.lambda, self.w, self.r, self.v, self.n, self.b] {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend(self.l.to_le_bytes());
        bytes.extend(self.sigma.to_le_bytes());
        bytes.extend(self.norm_bound_squared.to_le_bytes());
        bytes.extend(norm_bound.to_le_bytes());
        bytes.extend(self.seed_a);
        bytes.try_into().expect("the fields above are 112 bytes")
    }

    /// What the digest of a statement binds: all but the magic number.
    pub(crate) fn hashed_bytes(&self) -> [u8; STATEMENT_HEADER_LEN - MAGIC_LEN] {
        *self.to_bytes().last_chunk().expect("a header is longer than its magic number")
    }

    /// # Errors
    /// The first field, in the order of the bytes, that has a value which no version defines.
    pub(crate) fn parse(bytes: &[u8; STATEMENT_HEADER_LEN]) -> Result<Self, Malformation> {
        let field = Malformation::Field;
        let u32_at = |at| u32::from_le_bytes(array(bytes, at));
        let u64_at = |at| u64::from_le_bytes(array(bytes, at));
        check_start(&array(bytes, 0), STATEMENT_MAGIC)?;
        let hash = HashSuite::from_id(bytes[10]).ok_or(field("hash"))?;
        if bytes[11] != GENERATOR {
            return Err(field("generator"));
        }
        let encoding = Encoding::from_id(bytes[12]).ok_or(field("encoding"))?;
        let challenge = match (bytes[13], u64_at(72)) {
            (0, 0) => Challenge::Ternary,
            (1, norm_bound) => Challenge::Binary { norm_bound },
            _ => return Err(field("challenge")),
        };
        let systematic = match bytes[14] {
            0 => false,
            1 => true,
            _ => return Err(field("systematic")),
        };
        if bytes[15] != 0 {
            return Err(field("reserved"));
        }
        Ok(Self {
            hash,
            encoding,
            challenge,
            systematic,
            lambda: u32_at(16),
            w: u32_at(20),
            r: u32_at(24),
            v: u32_at(28),
            n: u32_at(32),
            b: u32_at(36),
            l: u64_at(40),
            sigma: u64_at(48),
            norm_bound_squared: u128::from_le_bytes(array(bytes, 56)),
            seed_a: array(bytes, 80),
        })
    }
}

/// The fixed part of a proof file's header.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProofHeader {
    /// Ids of the hash and encoding suites, which the statement says what they must be.
    pub(crate) suites: [u8; 2],
    pub(crate) reserved: [u8; 4],
    /// Length of the file.
    pub(crate) len: u64,
}

impl ProofHeader {
    pub(crate) const fn new(hash: HashSuite, encoding: Encoding, len: u64) -> Self {
        Self { suites: [hash as u8, encoding as u8], reserved: [0; 4], len }
    }

    pub(crate) fn to_bytes(self) -> [u8; PROOF_FIXED_LEN] {
        let mut bytes = [0; PROOF_FIXED_LEN];
        bytes[..8].copy_from_slice(&PROOF_MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10..12].copy_from_slice(&self.suites);
        bytes[12..16].copy_from_slice(&self.reserved);
        bytes[16..].copy_from_slice(&self.len.to_le_bytes());
        bytes
    }

    /// # Errors
    /// [`Malformation::Magic`] or [`Malformation::Version`].
    pub(crate) fn parse(bytes: &[u8; PROOF_FIXED_LEN]) -> Result<Self, Malformation> {
        check_start(&array(bytes, 0), PROOF_MAGIC)?;
        let (suites, reserved) = (array(bytes, 10), array(bytes, 12));
        Ok(Self { suites, reserved, len: u64::from_le_bytes(array(bytes, 16)) })
    }
}

/// The `N` bytes of a header from `at` on.
fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("a field lies within its header")
}
