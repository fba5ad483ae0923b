//! The headers of statement and proof files, as docs/format.md defines them: magic numbers,
//! version, lengths and fields, little-endian. The meaning of the numbers is checked elsewhere.

mod start;

pub use start::{MAGIC_LEN, START_LEN, VERSION, check_statement_start};
pub(crate) use start::{array, statement_start};

use crate::error::Malformation;
use crate::suite::HashSuite;
use start::{CLAIMS_MAGIC, KEYS_MAGIC, PROOF_MAGIC, check_start};

/// Bytes of the header of a statement, before T.
pub const STATEMENT_HEADER_LEN: usize = 256;
/// Bytes before the digests in a proof file.
pub const PROOF_FIXED_LEN: usize = 24;
/// Bytes of the length of the encoded Z_1, behind the digests.
pub const Z_LENGTH_LEN: usize = 8;

/// Bytes of D_0 of an argument.
pub const ARGUMENT_START_LEN: usize = 32;
/// Bytes before the claims of a proof: D_0, their length, and a number of columns.
pub const CLAIMS_START_LEN: usize = ARGUMENT_START_LEN + 8;
/// Bytes that the claims of a proof stay below.
pub const MAX_CLAIMS_LEN: usize = 1 << 24;
/// Bytes of a claim about keys.
pub const KEY_CLAIM_LEN: usize = 16;

/// Bytes before the encoded Z_1 in a proof file: the fixed part, D, the challenge hash, and the
/// length of the encoding.
pub const fn proof_header_len(hash: HashSuite) -> usize {
    PROOF_FIXED_LEN + 2 * hash.digest_len() + Z_LENGTH_LEN
}

/// The kind of claim of a proof file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofKind {
    /// Knowledge of a witness.
    Knowledge,
    /// And claims about its messages.
    Claims,
    /// And ranges in which the secrets and errors of keys lie.
    Keys,
}

impl ProofKind {
    /// The magic number of its files.
    pub const fn magic(self) -> [u8; MAGIC_LEN] {
        match self {
            Self::Knowledge => PROOF_MAGIC,
            Self::Claims => CLAIMS_MAGIC,
            Self::Keys => KEYS_MAGIC,
        }
    }
}

/// The fixed part of a proof file's header.
#[derive(Clone, Copy, Debug)]
pub struct ProofHeader {
    /// The kind of claim.
    pub kind: ProofKind,
    /// Id of the hash suite, which must be the statement's.
    pub hash: u8,
    /// Zeros.
    pub reserved: [u8; 5],
    /// Length of the file.
    pub len: u64,
}

impl ProofHeader {
    /// The header of a file of `len` bytes.
    pub const fn new(kind: ProofKind, hash: HashSuite, len: u64) -> Self {
        Self { kind, hash: hash as u8, reserved: [0; 5], len }
    }

    /// Its bytes.
    pub fn to_bytes(self) -> [u8; PROOF_FIXED_LEN] {
        let mut bytes = [0; PROOF_FIXED_LEN];
        bytes[..8].copy_from_slice(&self.kind.magic());
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10] = self.hash;
        bytes[11..16].copy_from_slice(&self.reserved);
        bytes[16..].copy_from_slice(&self.len.to_le_bytes());
        bytes
    }

    /// Parses the header of a file of this kind.
    ///
    /// # Errors
    /// [`Malformation::Magic`], [`Malformation::OtherKind`] or [`Malformation::Version`].
    pub fn parse(kind: ProofKind, bytes: &[u8; PROOF_FIXED_LEN]) -> Result<Self, Malformation> {
        check_start(&array(bytes, 0), kind.magic())?;
        let reserved = array(bytes, 11);
        Ok(Self { kind, hash: bytes[10], reserved, len: u64::from_le_bytes(array(bytes, 16)) })
    }
}
