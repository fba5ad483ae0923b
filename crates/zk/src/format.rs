//! The headers of statement and proof files, as docs/format.md defines them: magic numbers,
//! versions, lengths and fields, little-endian. What the numbers mean is checked elsewhere.
//!
//! Each version has a statement header of its own; what versions share is in `start`.

mod common;
mod start;
mod v1;
mod v2;

use alloc::vec::Vec;

pub(crate) use common::Common;
pub(crate) use start::START_LEN;
pub use start::VERSION;
pub(crate) use v1::HeaderV1;
pub(crate) use v2::{HeaderV2, MATRIX_ID_LEN};

use crate::error::Malformation;
use crate::suite::{Encoding, HashSuite, Version};
use start::{
    CIRCUIT_MAGIC, COMMITTED_CIRCUIT_MAGIC, FACT_MAGIC, FACTS_MAGIC, KEYS_MAGIC, MAGIC_LEN,
    NORMS_MAGIC, PROOF_MAGIC, RANGES_MAGIC, STATEMENT_MAGIC, WHOLE_KEYS_MAGIC, array, check_start,
};

/// Bytes before the digests in a proof file.
pub(crate) const PROOF_FIXED_LEN: usize = 24;
/// Bytes of the length of the encoded Z_1, behind the digests of a proof of version 2.
pub(crate) const Z_LENGTH_LEN: usize = 8;

/// Bytes before T in a statement file.
pub(crate) const fn statement_header_len(version: Version) -> usize {
    match version {
        Version::One => v1::LEN,
        Version::Two => v2::LEN,
    }
}

/// Bytes before the encoded Z in a proof file: the fixed part, D and the challenge hash, and in
/// version 2 the length of the encoding of Z_1.
pub(crate) const fn proof_header_len(version: Version, hash: HashSuite) -> usize {
    let digests = PROOF_FIXED_LEN + 2 * hash.digest_len();
    match version {
        Version::One => digests,
        Version::Two => digests + Z_LENGTH_LEN,
    }
}

/// The header of a statement file.
#[derive(Clone, Debug)]
pub(crate) enum StatementHeader {
    V1(HeaderV1),
    V2(HeaderV2),
}

impl StatementHeader {
    /// The version that a statement file begins with.
    ///
    /// # Errors
    /// [`Malformation::Magic`] or [`Malformation::Version`].
    pub(crate) fn version(start: &[u8; START_LEN]) -> Result<Version, Malformation> {
        check_start(start, STATEMENT_MAGIC)
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::V1(header) => header.to_bytes(),
            Self::V2(header) => header.to_bytes(),
        }
    }

    /// What the digest of a statement binds: all but the magic number.
    pub(crate) fn hashed_bytes(&self) -> Vec<u8> {
        self.to_bytes().split_off(MAGIC_LEN)
    }

    /// Parses a header, of which there are [`statement_header_len`] bytes.
    ///
    /// # Errors
    /// The first field, in the order of the bytes, that has a value which its version does not
    /// define.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Malformation> {
        match Self::version(&array(bytes, 0))? {
            Version::One => HeaderV1::parse(bytes).map(Self::V1),
            Version::Two => HeaderV2::parse(bytes).map(Self::V2),
        }
    }
}

/// What a proof file shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProofKind {
    /// Knowledge of a witness.
    Knowledge,
    /// And a linear fact about it.
    Fact,
    /// And several such facts.
    Facts,
    /// And ranges in which its entries lie.
    Ranges,
    /// And norms of its columns, and perhaps ranges.
    Norms,
    /// And that it satisfies a circuit.
    Circuit,
    /// And that it does, where the first wires were committed before the others.
    CommittedCircuit,
    /// And ranges in which the secrets and errors of keys lie.
    Keys,
    /// The same in the former format, with whole columns of dummies.
    WholeKeys,
}

impl ProofKind {
    pub(crate) const fn magic(self) -> [u8; MAGIC_LEN] {
        match self {
            Self::Knowledge => PROOF_MAGIC,
            Self::Fact => FACT_MAGIC,
            Self::Facts => FACTS_MAGIC,
            Self::Ranges => RANGES_MAGIC,
            Self::Norms => NORMS_MAGIC,
            Self::Circuit => CIRCUIT_MAGIC,
            Self::CommittedCircuit => COMMITTED_CIRCUIT_MAGIC,
            Self::Keys => KEYS_MAGIC,
            Self::WholeKeys => WHOLE_KEYS_MAGIC,
        }
    }
}

/// The fixed part of a proof file's header.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProofHeader {
    pub(crate) kind: ProofKind,
    pub(crate) version: Version,
    /// Ids of the hash and encoding suites, which the statement says what they must be.
    pub(crate) suites: [u8; 2],
    pub(crate) reserved: [u8; 4],
    /// Length of the file.
    pub(crate) len: u64,
}

impl ProofHeader {
    pub(crate) const fn new(
        kind: ProofKind,
        version: Version,
        hash: HashSuite,
        encoding: Encoding,
        len: u64,
    ) -> Self {
        Self { kind, version, suites: [hash as u8, encoding as u8], reserved: [0; 4], len }
    }

    pub(crate) fn to_bytes(self) -> [u8; PROOF_FIXED_LEN] {
        let mut bytes = [0; PROOF_FIXED_LEN];
        bytes[..8].copy_from_slice(&self.kind.magic());
        bytes[8..10].copy_from_slice(&u16::from(self.version).to_le_bytes());
        bytes[10..12].copy_from_slice(&self.suites);
        bytes[12..16].copy_from_slice(&self.reserved);
        bytes[16..].copy_from_slice(&self.len.to_le_bytes());
        bytes
    }

    /// # Errors
    /// [`Malformation::Magic`] or [`Malformation::Version`].
    pub(crate) fn parse(
        kind: ProofKind,
        bytes: &[u8; PROOF_FIXED_LEN],
    ) -> Result<Self, Malformation> {
        let version = check_start(&array(bytes, 0), kind.magic())?;
        let (suites, reserved) = (array(bytes, 10), array(bytes, 12));
        Ok(Self { kind, version, suites, reserved, len: u64::from_le_bytes(array(bytes, 16)) })
    }
}
