//! The headers of statement and proof files, as docs/format.md defines them: magic numbers,
//! version, lengths and fields, little-endian. The meaning of the numbers is checked elsewhere.

use crate::error::Malformation;
use crate::suite::HashSuite;

/// Version of the statement and proof formats and of the transcript.
pub const VERSION: u16 = 2;

/// Magic number and version.
pub const START_LEN: usize = 10;
/// Bytes of a magic number.
pub const MAGIC_LEN: usize = 8;
const STATEMENT_MAGIC: [u8; MAGIC_LEN] = *b"TCZKstmt";
const PROOF_MAGIC: [u8; MAGIC_LEN] = *b"TCZKprf\0";
const CLAIMS_MAGIC: [u8; MAGIC_LEN] = *b"TCZKclm\0";
const KEYS_MAGIC: [u8; MAGIC_LEN] = *b"TCZKkey\0";
/// The kind of file of each magic number.
const KINDS: [([u8; MAGIC_LEN], &str); 4] = [
    (STATEMENT_MAGIC, "a statement"),
    (PROOF_MAGIC, "a proof of knowledge alone"),
    (CLAIMS_MAGIC, "a proof of claims about messages"),
    (KEYS_MAGIC, "a proof that keys are well formed"),
];

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

/// The fixed part of the header of a proof file of `len` bytes.
pub fn proof_header(kind: ProofKind, hash: HashSuite, len: u64) -> [u8; PROOF_FIXED_LEN] {
    let mut bytes = [0; PROOF_FIXED_LEN];
    bytes[..8].copy_from_slice(&kind.magic());
    bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
    bytes[HASH_AT] = hash as u8;
    bytes[16..].copy_from_slice(&len.to_le_bytes());
    bytes
}

/// Where that has the id of the hash suite, behind which are zeros.
pub const HASH_AT: usize = 10;

/// The length of a file of this kind that its header declares.
///
/// # Errors
/// [`Malformation::Magic`], [`Malformation::OtherKind`] or [`Malformation::Version`].
pub fn declared_len(kind: ProofKind, bytes: &[u8; PROOF_FIXED_LEN]) -> Result<u64, Malformation> {
    check_start(&array(bytes, 0), kind.magic())?;
    Ok(u64::from_le_bytes(array(bytes, 16)))
}

/// The magic number and the version of a statement.
pub(crate) fn statement_start() -> [u8; START_LEN] {
    let mut start = [0; START_LEN];
    start[..MAGIC_LEN].copy_from_slice(&STATEMENT_MAGIC);
    start[MAGIC_LEN..].copy_from_slice(&VERSION.to_le_bytes());
    start
}

/// Checks the magic number and the version that a statement file begins with.
///
/// # Errors
/// [`Malformation::Magic`], [`Malformation::OtherKind`] or [`Malformation::Version`].
pub fn check_statement_start(start: &[u8; START_LEN]) -> Result<(), Malformation> {
    check_start(start, STATEMENT_MAGIC)
}

/// Checks a magic number and the version behind it.
fn check_start(bytes: &[u8; START_LEN], magic: [u8; MAGIC_LEN]) -> Result<(), Malformation> {
    if bytes[..MAGIC_LEN] != magic {
        let other = KINDS.iter().find(|(other, _)| bytes[..MAGIC_LEN] == *other);
        return Err(
            other.map_or(Malformation::Magic, |&(_, found)| Malformation::OtherKind { found })
        );
    }
    match u16::from_le_bytes([bytes[8], bytes[9]]) {
        VERSION => Ok(()),
        got => Err(Malformation::Version { got, known: VERSION }),
    }
}

/// The `N` bytes of a header from `at` on.
pub(crate) fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("a field lies within its header")
}
